"""WHATIF: nothing of it is filed, and its answer holds nothing that its writer does not know. CLEAR: what is gone."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import table

GUESSES = "A PAR - PIC\nGermany: A MUN - BUR\nENDWHATIF\n"
# How people write the two words; what is below must not be filed, and the reply must say so first.
STOPPED = (
    "WHATIF\nA PAR - PIC",
    "WHATIF\nA PAR - PIC\nENDWHATFI",
    "WHATIF\nA PAR - PIC\nEND",
    "WHATIF\nA PAR - PIC\nENDPRESS",
    "WHATIF\nA PAR - PIC\nENDIF",
    "WHATIF\nA PAR - PIC\nWHATIF\nA MAR H\nENDWHATIF",
    f"WHAT IF\n{GUESSES}",
    f"What-if:\n{GUESSES}",
    f"WHAITF\n{GUESSES}",
    f"WATIF\n{GUESSES}",
    f"WHATIF A PAR - PIC\n{GUESSES}",
    f"WHATIF heron\n{GUESSES}",
    f"A PAR - PIC\n{GUESSES}",
    f"> WHATIF\n{GUESSES}",
    f"WHTAFI\n{GUESSES}",
)
ANSWERED = (f"WHATIF\n{GUESSES}", f"whatif\n{GUESSES}", f"*WHATIF*\n{GUESSES.replace('ENDWHATIF', 'End-whatif.')}",
            f"A MAR H\nwhatif.\n{GUESSES.replace('ENDWHATIF', '**END WHATIF**')}")  # fmt: skip


def on_file(desk: DeskAtWork) -> str:
    return desk.would_reply("france@example.org", "SIGNON Fheron pwfrance").text.partition("To change")[0]


@pytest.fixture
def seven(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    desk.replies("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nF BRE - MAO")
    return desk


def test_nothing_of_it_is_filed_however_it_is_written(seven: DeskAtWork) -> None:
    begun = on_file(seven)
    for text in STOPPED:
        told = seven.replies("france@example.org", f"SIGNON Fheron pwfrance\n{text}\nF BRE - ENG").text
        assert told.startswith(("Nothing from ", '"ENDWHATIF" has no WHATIF')), text
        assert "WHATIF" in told.split(".")[0] and "Movement results" not in told
        assert on_file(seven) == begun, text
    for text in ANSWERED:
        told = seven.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{text}\nF BRE - ENG").text
        assert "Army Paris -> Picardy" in told and "Army Munich -> Burgundy" in told, text
        assert "Fleet Brest -> English Channel." in told.partition("What if")[0], text
        assert "Army Paris -> Burgundy." in told.partition("What if")[0], text
    assert not seven.passwords_left()


def test_its_answer_is_the_same_whatever_others_have_ordered(seven: DeskAtWork) -> None:
    asked = "SIGNON Fheron pwfrance\nWHATIF\nENDWHATIF"
    before = seven.would_reply("france@example.org", asked)
    seven.replies("germany@example.org", "SIGNON Gheron pwgermany\nA MUN - BUR\nF KIE H\nA BER H")
    [after] = seven.would_write("france@example.org", asked)
    assert after.text == before.text
    assert before.picture and after.picture == before.picture
    assert "Army Paris -> Burgundy." in after.text.partition("Movement results")[2]


def test_it_is_refused_to_who_has_no_orders_to_give(seven: DeskAtWork) -> None:
    for become in ("", "\nBECOME France"):
        mails = seven.would_write("kim@example.org", f"SIGNON Mheron gm{become}\nWHATIF\n{GUESSES}")
        assert mails and not any("Movement results" in mail.text for mail in mails)
    told = seven.would_reply("france@example.org", "WHATIF\nA PAR - PIC\nSIGNON Fheron pwfrance\nF BRE - ENG").text
    assert told.startswith("Nothing from WHATIF on")


def test_winter_and_neutrals_can_be_guessed(desk: DeskAtWork) -> None:
    desk.seat_all("swan", "1648")
    guesses = "A MAR - SAV\nNeutral: A SWI S A MAR - SAV\nDP 1: A SWI H\nA bid of 2 for A SWI H"
    told = desk.would_reply("france@example.org", f"SIGNON Fswan pwfrance\nWHATIF\n{guesses}\nENDWHATIF").text
    assert "Army Marseille -> Savoy.\n" in told and told.count("Bids are ignored here") == 2, told
    assert "0 of 6 used" in told
    desk.seat_seven("heron")
    for power, order in (("france", "F BRE - MAO, A MAR - SPA"), ("germany", "F KIE - DEN")):
        desk.writes(f"{power}@example.org", f"SIGNON {power[0].upper()}heron pw{power}\n{order}")
    for _ in range(2):
        desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    told = desk.would_reply(
        "france@example.org", "SIGNON Fheron pwfrance\nWHATIF\nBUILD A MAR\nGermany: BUILD A KIE\nENDWHATIF"
    ).text
    assert "Builds an army in Marseilles" in told and "Builds an army in Kiel" in told, told


CLEARED = """
    CLEAR                                        => Your bids stay on file. DP CLEAR takes them back. 2 orders
    CLEAR / DP CLEAR                             => 2 orders taken back: A DRE - BOH, A WAR H. 2 units
    CLEAR / DP CLEAR / A DRE - BOH / A WAR - GAL => 1 order taken back: A WAR H. Orders complete.
    CLEAR / DP CLEAR / A DRE - BOH / A WAR H     => Orders complete.
    PHASE F1763M / CLEAR                         => 1 order for F1763M taken back: A DRE H. Orders
    PHASE F1763M / CLEAR / A DRE H               => 1 line saved for F1763M"""


def test_clear_names_only_what_is_not_on_file_in_the_end(desk: DeskAtWork):
    desk.seat_all("swan", "ambition_empire")
    signon = "SIGNON Xswan pwpoland\n"
    desk.writes("poland@example.org", f"{signon}A DRE - BOH\nA WAR H\nDP 1: A BAW H\nPHASE F1763M\nA DRE H")
    for lines, first in table(CLEARED):
        reply = desk.would_reply("poland@example.org", signon + lines)
        assert reply.flat.startswith(first), f"{lines}\n{reply.flat[:200]}"


@pytest.mark.parametrize("line", [
    "PHASE F1901M: A PAR - BUR", "PHASE F1901M, A PAR - BUR", "PHASE F1901M (A PAR - BUR)", "PHASE Fall 1901; A PAR H",
])  # fmt: skip
def test_an_order_behind_a_phase_is_not_dropped(heron: DeskAtWork, line: str) -> None:
    reply = heron.replies("france@example.org", f"SIGNON Fheron pwfrance\nA PAR H\n{line}\nA MAR H").flat
    assert "Write only PHASE F1901M on this line, and the orders below it." in reply
    assert "Army Paris HOLD." in reply and "Army Marseilles, no order" in reply and "saved for" not in reply
    kept = heron.replies("france@example.org", "SIGNON Fheron pwfrance\nPHASE F1901M (if all goes well)\nA PAR H").flat
    assert "1 line saved for F1901M" in kept
