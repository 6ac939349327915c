"""Positions and orders made up at random, for the properties."""

import random

from judge.rules import Position, Unit, Variant
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import Order, sort_units
from judge.rules.phases.needs import legal_orders


def random_position(variant: Variant, dice: random.Random, most: int = 34, phase: str = "F1901M") -> Position:
    """Units of all powers strewn over the board."""
    places = [spot.unit for spot in variant.board.spots.values()]
    dice.shuffle(places)
    taken: set[str] = set()
    units: dict[str, list[Unit]] = {}
    for unit in places[: dice.randint(2, most)]:
        if unit.province not in taken:
            taken.add(unit.province)
            units.setdefault(dice.choice(variant.powers).name, []).append(unit)
    return Position(phase, {power: sort_units(own) for power, own in sorted(units.items())}, {})


def random_orders(variant: Variant, position: Position, dice: random.Random) -> dict[str, list[Order]]:
    table = BoardState(variant, position)
    return {
        power: [dice.choice(legal_orders(table, unit)) for unit in units] for power, units in position.units.items()
    }
