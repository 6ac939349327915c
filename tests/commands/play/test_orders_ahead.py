"""Orders for a later phase: a line that names one never leaves its orders to the open phase by mistake."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    desk.replies(FRANCE, f"{SIGNON}A PAR - PIC\nA MAR H\nF BRE - ENG")
    return desk


def test_what_people_write_beside_a_phase_is_passed_over(heron: DeskAtWork):
    for line in listed("""
        PHASE F1901M:
        PHASE: F1901M
        PHASE F1901M (planning ahead)
        PHASE F1901M.
        PHASE F1901M, if all goes well
        PHASE Fall of 1901"""):
        told = heron.would_reply(FRANCE, f"{SIGNON}{line}\nF BRE - GAS\nA MAR - SPA").text
        assert "2 lines saved" in told and "Paris -> Picardy" in told and "Spain" not in told, line


def test_below_what_is_no_phase_nothing_is_read(heron: DeskAtWork):
    for line in ("PHASE S02M", "PHASE Herbst 1901", "PHASE 1901", "PHASE F1901X", "PHASE 2"):
        told = heron.would_reply(FRANCE, f"{SIGNON}{line}\nF BRE - GAS\nA MAR - SPA").text
        assert told.startswith(f"The orders below {line} were NOT recorded.")
        assert "Paris -> Picardy" in told and "Spain" not in told


def test_a_condition_that_is_none_does_not_make_its_orders_count_always(heron: DeskAtWork):
    for word in ("WHEN A MUN", "UNLESS A MUN", "Wenn A MUN"):
        block = f"{word}\nF BRE - PIC\nENDIF"
        told = heron.would_reply(FRANCE, f"{SIGNON}PHASE F1901M\nA MAR - SPA\n{block}\nA PAR - BUR").flat
        assert f'"{word}" is not a condition, so 1 line above ENDIF was not saved.' in told
        assert "2 lines saved" in told and "1 line refused" in told


def test_a_line_that_is_read_in_part_is_not_kept(heron: DeskAtWork):
    """As in lines for the open phase: if a part cannot be read, it is not known what the others mean."""
    for phase, done in (("F1901M", "saved"), ("NOW", "recorded")):
        told = heron.would_reply(FRANCE, f"{SIGNON}PHASE {phase}\nA PAR - BUR, A MAR - XYZ\nF BRE - MAO").flat
        assert f"Nothing on this line was {done}." in told and "Paris -> Burgundy" not in told, phase
        assert "1 line saved" in told or phase == "NOW"
