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
