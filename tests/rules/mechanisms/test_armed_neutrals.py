"""Sorties: moves of units that never leave their place (Intercontinental, 10; rulings, "Intercontinental" 3 and 4).

Each sentence of the rules is a position in tests/data/positions/intercontinental.txt, in Northeast Asia, where Urga,
Mukden and Hanseong are neutral. Here is what holds in every position.
"""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import NEUTRAL, Move, Position, adjudicate, legal_orders, load_variant
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import sort_units
from tests.rules.lines import Board

BOARD = Board("intercontinental")


def test_a_stationary_unit_can_only_disband():
    beaten = {"Neutral": [{"unit": "A Urga", "from": "Irku"}], "China": [{"unit": "A Chah", "from": "Lanc"}]}
    at = BOARD.position("S1866R", units={"Siberia": ["A Urga", "A Chah"]}, dislodged=beaten)
    neutral, chinese = (at.dislodged[power][0].unit for power in ("Neutral", "China"))
    assert [str(order) for order in legal_orders(BoardState(BOARD.variant, at), neutral)] == ["A Urga D"]
    assert len(legal_orders(BoardState(BOARD.variant, at), chinese)) > 1


# --- properties -------------------------------------------------------------------------------------------------------

STANDARD = load_variant("standard")


def crowd(dice: random.Random) -> Position:
    """Many units on the standard board, half of them neutrals that stand anywhere."""
    places = [spot.unit for spot in STANDARD.board.spots.values()]
    dice.shuffle(places)
    taken: set[str] = set()
    units: dict[str, list] = {}
    for unit in places[:40]:
        if unit.province not in taken:
            taken.add(unit.province)
            units.setdefault(dice.choice([NEUTRAL, NEUTRAL, "France", "Turkey"]), []).append(unit)
    return Position("F1901M", {power: sort_units(own) for power, own in sorted(units.items())}, {})


def any_orders(position: Position, dice: random.Random) -> dict[str, list]:
    def one(unit):
        options = legal_orders(BoardState(STANDARD, position), unit)
        moves = [order for order in options if isinstance(order, Move)]
        return dice.choice(moves if moves and dice.random() < 0.6 else options)

    return {power: [one(unit) for unit in units] for power, units in position.units.items()}


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_no_neutral_ever_moves_or_dislodges(seed):
    dice = random.Random(seed)
    position = crowd(dice)
    outcome = adjudicate(STANDARD, position, any_orders(position, dice))
    before, after = (set(at.units.get(NEUTRAL, ())) for at in (position, outcome.position))
    gone = {one.unit for one, _ in outcome.dislodged.get(NEUTRAL, ())}
    assert after == before - gone
    homes = {unit.province for unit in before}
    beaten = [(one, places) for by_power in outcome.dislodged.values() for one, places in by_power]
    assert not any(one.attacker_from in homes for one, _ in beaten)
    goals = {
        result.order.target for result in outcome.results
        if result.power == NEUTRAL and isinstance(result.order, Move) and result.results[0] == "bounce"
    }  # fmt: skip
    taken = {unit.province for units in outcome.position.units.values() for unit in units}
    assert goals - taken <= set(outcome.contested) | {one.attacker_from for one, _ in beaten}
    for one, places in beaten:
        assert not set(places) & set(outcome.contested), one


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_neither_the_order_of_neutrals_nor_what_stands_first_matters(seed):
    dice = random.Random(seed)
    position = crowd(dice)
    orders = any_orders(position, dice)
    outcome = adjudicate(STANDARD, position, orders)
    shuffled = {power: dice.sample(orders[power], len(orders[power])) for power in reversed(orders)}
    units = {power: tuple(dice.sample(own, len(own))) for power, own in position.units.items()}
    again = adjudicate(STANDARD, replace(position, units=units), shuffled)
    assert (again.position, again.dislodged, again.contested) == (
        outcome.position, outcome.dislodged, outcome.contested,
    )  # fmt: skip
