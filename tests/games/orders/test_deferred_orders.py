"""What a line for a phase to come says is read again from the text that is kept."""

import pytest

from judge.games.orders.deferred_orders import read_ahead, read_branches
from judge.rules import OrderError, load_variant
from judge.rules.mechanisms.groups import draw
from judge.rules.parsing.lines import Reading
from judge.rules.variant.variant import Variant


def globe() -> Variant:
    """Intercontinental with its groups drawn: a player has several powers."""
    variant = load_variant("intercontinental")
    return variant.grouped(draw(variant.groups, variant.draws, 1))


GLOBE = globe()
SEAT = GLOBE.seats[0]
FIRST = SEAT.powers[0]


def kept_again(variant: Variant, seat: str, phase, line: str) -> list[tuple]:
    """(what a line says, what its kept text says) of each order of it."""
    found = []
    for said in read_ahead(variant, seat, phase, line):
        assert not isinstance(said, OrderError), said
        (again,) = read_ahead(variant, seat, phase, said.text)
        found.append((said, again))
    return found


@pytest.mark.parametrize(
    ("variant", "seat", "phase", "line"),
    [
        (load_variant("standard"), "France", "F1901M", "army paris to burgundy; F bre - mao via gas, A MAR H"),
        (load_variant("standard"), "France", "F1901R", "A PAR - BUR, A MAR D"),
        (load_variant("standard"), "France", "W1901A", "BUILD F BRE; WAIVE 2; REMOVE A PAR"),
        (load_variant("1648"), "France", "F1648M", "DP 2: swi s a mar - sav"),
        (load_variant("1648"), "France", "F1648M", "DP 0: A SWI"),
        (load_variant("1648"), "France", "F1648M", "DP CLEAR"),
        (load_variant("1648"), "France", "F1648M", "DP NONE"),
        (load_variant("standard"), "France", "W1901A", "BUILD A PAR, F BRE; waive all"),
        (load_variant("standard"), "France", "F1901M", "* please A PAR - BUR, all others hold"),
        (GLOBE, SEAT.name, "W1902A", f"WAIVE 2 {FIRST}"),
        (GLOBE, SEAT.name, "W1902A", f"{FIRST}: WAIVE"),
        (GLOBE, SEAT.name, "W1902A", "WAIVE"),
    ],
)
def test_each_order_of_a_line_comes_back(variant, seat, phase, line):
    pairs = kept_again(variant, seat, phase, line)
    assert pairs
    assert all(said == again for said, again in pairs)


def test_a_waive_keeps_its_power_and_how_many_it_is():
    ((kept, again),) = kept_again(GLOBE, SEAT.name, "W1902A", f"WAIVE 2 {FIRST}")
    assert isinstance(again, Reading)
    assert kept == again and (again.power, again.times) == (FIRST, 2)


def test_a_waive_of_one_power_under_the_name_of_another_is_refused():
    (wrong,) = read_ahead(GLOBE, SEAT.name, "W1902A", f"{FIRST}: WAIVE {SEAT.powers[1]}")
    assert str(wrong) == f"This is an order for {SEAT.powers[1]}, not {FIRST}."


@pytest.mark.parametrize("heading", ["Cape", "Cape Colony:", "British Raj", "China:"])
def test_names_of_powers_inside_a_condition_are_only_headings(heading):
    ((_, said),) = read_branches(GLOBE, SEAT.name, "F1902M", ["IF A Peki", heading, "A Delh H"])
    assert [one.text for one in said] == ["A Delh H"]
