"""What a line for a phase to come says comes back from its JSON form as it was."""

import json
from dataclasses import replace

import pytest

from judge.games.orders.bid_lines import BidLine
from judge.games.orders.kept_lines import Kept, kept_from_json, kept_text, kept_to_json, read_ahead
from judge.rules import OrderError, load_variant
from judge.rules.mechanisms.groups import draw
from judge.rules.order_texts.notation import Reading
from judge.rules.variant.variant import Variant


def globe() -> Variant:
    """Intercontinental with its groups drawn: a player has several powers."""
    variant = load_variant("intercontinental")
    return variant.grouped(draw(variant.groups, variant.draws, 1))


GLOBE = globe()
SEAT = GLOBE.seats[0]
FIRST = SEAT.powers[0]


def kept_again(variant: Variant, seat: str, phase_kind, line: str) -> list[tuple[Kept, Kept]]:
    """(what is kept of a line, what comes back) of each order of it."""
    found: list[tuple[Kept, Kept]] = []
    for kept in read_ahead(variant, seat, phase_kind, line):
        assert not isinstance(kept, OrderError), kept
        found.append((kept, kept_from_json(kept_text(kept), json.loads(json.dumps(kept_to_json(kept))))))
    return found


@pytest.mark.parametrize(
    ("variant", "seat", "phase_kind", "line"),
    [
        (load_variant("standard"), "France", "M", "army paris to burgundy; F bre - mao via gas, A MAR H"),
        (load_variant("standard"), "France", "R", "A PAR - BUR, A MAR D"),
        (load_variant("standard"), "France", "A", "BUILD F BRE; WAIVE 2; REMOVE A PAR"),
        (load_variant("1648"), "France", "M", "DP 2: swi s a mar - sav"),
        (load_variant("1648"), "France", "M", "DP 0: A SWI"),
        (load_variant("1648"), "France", "M", "DP CLEAR"),
        (load_variant("1648"), "France", "M", "DP NONE"),
        (GLOBE, SEAT.name, "A", f"WAIVE 2 {FIRST}"),
        (GLOBE, SEAT.name, "A", f"{FIRST}: WAIVE"),
        (GLOBE, SEAT.name, "A", "WAIVE"),
    ],
)
def test_each_order_of_a_line_comes_back(variant, seat, phase_kind, line):
    pairs = kept_again(variant, seat, phase_kind, line)
    assert pairs
    for kept, again in pairs:
        # The order's own text is not needed any more, once it is read.
        bare = [replace(one, order="") if isinstance(one, BidLine) else one for one in (kept, again)]
        assert bare[0] == bare[1]


def test_a_waive_keeps_its_power_and_how_many_it_is():
    ((kept, again),) = kept_again(GLOBE, SEAT.name, "A", f"WAIVE 2 {FIRST}")
    assert isinstance(again, Reading)
    assert kept == again and (again.power, again.times) == (FIRST, 2)


def test_a_waive_of_one_power_under_the_name_of_another_is_refused():
    (wrong,) = read_ahead(GLOBE, SEAT.name, "A", f"{FIRST}: WAIVE {SEAT.powers[1]}")
    assert str(wrong) == f"That is an order of {SEAT.powers[1]}, not of {FIRST}."
