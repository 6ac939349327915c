"""The demo's script makes the game that it promises."""

import pytest

from judge.demo import script
from judge.demo.script import FALL, RETREATS, SPRING, SPRING_SLIP, WINTER, Orders
from judge.games.orders.bids import read_bid_line
from judge.rules import (
    Bid,
    OrderError,
    Outcome,
    Position,
    adjudicate,
    check_bid,
    check_order,
    load_variant,
    looks_like_order,
    parse_order,
    start_position,
)
from tests.rules.lines import read_order

STANDARD = load_variant("standard")


def test_the_opening_of_1648_is_the_rulebooks_example():
    """All that is sent is taken, and Swabia helps Austria, for whom two bid."""
    variant = load_variant("1648")
    position = start_position(variant)
    orders, bids = {}, {}
    for letter, lines in script.OPENING_1648.items():
        power = variant.power(letter).name
        orders[power] = [read_order(variant, position, power, line) for line in lines if not line.startswith("DP")]
        assert len(orders[power]) == len(position.units[power])
        bids[power] = [
            check_bid(variant, position, power, Bid(line.points, parse_order(variant, "M", line.order)))
            for line in map(read_bid_line, lines[len(orders[power]) :])
            if line.verb == "bid"
        ]
    outcome = adjudicate(variant, position, orders, bids)
    assert [str(order) for order in outcome.bids.orders] == ["A SWA S A VIE - BAV"]
    assert "A BAV" in map(str, outcome.position.units["Austria"])


def play(position: Position, orders: Orders) -> Outcome:
    """The outcome of `orders`, each of which must be one that the judge takes."""
    read = {}
    for letter, lines in orders.items():
        power = STANDARD.power(letter).name
        read[power] = [
            check_order(STANDARD, position, power, read_order(STANDARD, position, power, line)) for line in lines
        ]
    return adjudicate(STANDARD, position, read)


@pytest.fixture(scope="module")
def year() -> list[Outcome]:
    outcomes: list[Outcome] = []
    position = start_position(STANDARD)
    for orders in (SPRING, FALL, RETREATS, WINTER):
        outcomes.append(play(position, orders))
        position = outcomes[-1].position
    return outcomes


def test_it_plays_the_phases_from_spring_to_winter(year: list[Outcome]):
    assert [outcome.phase for outcome in year] == ["S1901M", "F1901M", "F1901R", "W1901A"]
    assert year[-1].next_phase == "S1902M"


def test_the_slip_in_spring_is_one_impossible_order_and_one_remark():
    position = start_position(STANDARD)
    *good, impossible, remark = SPRING_SLIP
    for line in good:
        check_order(STANDARD, position, "England", read_order(STANDARD, position, "England", line))
    with pytest.raises(OrderError):
        check_order(STANDARD, position, "England", read_order(STANDARD, position, "England", impossible))
    assert not looks_like_order(STANDARD, remark)
