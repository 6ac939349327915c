"""IF … ELSE … ENDIF below PHASE: decided once, when that phase opens."""

import pytest

from judge.games.orders.deferred_orders import read_condition
from judge.rules import load_variant, start_position
from tests.commands.deskatwork import DeskAtWork

FRANCE, AHEAD = "france@example.org", "SIGNON Fheron pwfrance\nPHASE F1901M\n"
LETTER = """\
IF Russian A MOS AND NOT German F KIE
A PAR - BRE
ELSE IF (A BUR OR FRENCH PIC) AND german kie THEN
A PAR - PIC
A MAR - BUR
ELSE
A PAR H
ENDIF
F BRE - MAO
"""

# Each would be read by going as deep, or as often, as it is long.
ENDLESS = ("NOT " * 2400 + "A PIC", "(" * 4900, "a " * 4900, "A PIC AND " * 900 + "A PIC")


def filed(desk: DeskAtWork) -> str:
    """The mail that tells France what became of the orders kept for the phase that opens now."""
    mails = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    return next(mail.text for mail in mails if mail.to == FRANCE and "Pending Orders" in mail.subject)


@pytest.mark.parametrize(
    ("others", "order"),
    [
        ("", "Army Paris HOLD."),
        ("germany: F KIE - DEN", "Army Paris -> Brest."),
        ("france: F BRE - PIC", "Army Paris -> Picardy."),
    ],
)
def test_the_first_true_condition_counts(heron: DeskAtWork, others: str, order: str):
    reply = heron.replies(FRANCE, AHEAD + LETTER)
    assert "5 lines saved for F1901M, to be checked when it opens." in reply.flat
    assert "Pending: F1901M, 2 orders:" in reply.text
    if others:
        power, _, line = others.partition(": ")
        heron.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{line}")
    assert f"France: {order}" in filed(heron)


def test_clear_takes_a_choice_back(heron: DeskAtWork):
    reply = heron.replies(FRANCE, f"{AHEAD}{LETTER}CLEAR")
    assert reply.first_line.startswith("2 orders for F1901M taken back: IF Russian A MOS")


def test_anything_else_is_refused_whole(heron: DeskAtWork):
    refused = {
        "IF A BUR\nSET WAIT\nENDIF": '"SET WAIT" is not an order, and only orders are allowed inside IF.',
        "IF A BUR\nIF A PIC\nA PAR H\nENDIF\nENDIF": '"IF A PIC" cannot be here',
        "IF A BUR\nA PAR H\nELSE\nA PAR - PIC\nELSE\nA PAR - BRE\nENDIF": '"ELSE" cannot be here',
        "IF A BURP\nA PAR H\nENDIF": '"BURP" is not a province.',
        "IF (A BUR\nA PAR H\nENDIF": "A bracket in the condition is not closed.",
        "IF A BUR AND\nA PAR H\nENDIF": "Part of the condition is missing.",
        "IF A BUR\nA PAR - LOM\nENDIF": '"LOM" is not a province.',
        "IF A BUR\nA PAR H": "ENDIF is missing: put it on a line of its own.",
        **{
            f"IF A BUR\nA PAR H\nELSE IF {long}\nA PAR - PIC\nENDIF": "can have at most 300 characters."
            for long in ENDLESS
        },
    }
    for block, why in refused.items():
        told = heron.would_reply(FRANCE, AHEAD + block).flat
        assert why in told and "The text up to ENDIF was left out." in told, block
        assert "The orders below IF" in told and "Pending" not in told, block


def test_brackets_may_be_many(heron: DeskAtWork):
    brackets = f"IF {140 * '('}A BUR{140 * ')'}\nA PAR H\nENDIF"
    assert "1 line saved" in heron.replies(FRANCE, AHEAD + brackets).text


def test_below_no_phase_it_is_told_where_it_goes(heron: DeskAtWork):
    reply = heron.replies(FRANCE, f"SIGNON Fheron pwfrance\n{LETTER}")
    assert "write PHASE F1901M above it" in reply.flat
    assert "Fleet Brest -> Mid-Atlantic Ocean" in reply.text and "Army Paris, no order" in reply.text


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("A PAR", True), ("F PAR", False), ("French PAR", True), ("German A PAR", False), ("Paris", True),
        ("English Channel", False), ("NOT English Channel", True), ("Ge A MUN", True), ("F St Petersburg", True),
        ("A PAR OR A BUR AND A PIC", False), ("A PAR OR (A BUR AND A PIC)", True), ("NOT (A PAR AND A MAR)", False),
    ],
)  # fmt: skip
def test_conditions_ask_where_units_are(text: str, true: bool):
    variant = load_variant("standard")
    condition = read_condition(variant, text)
    assert condition(start_position(variant)) == true
