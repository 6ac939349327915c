"""Games in which people could have ordered the units: moves first, then supports and convoys that match them."""

import random

from judge.rules import (
    Convoy,
    Hold,
    Move,
    Position,
    Support,
    Unit,
    Variant,
    adjudicate,
    legal_orders,
    needs,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import Order
from judge.rules.selfplay import random_orders

Phase = tuple[Position, dict[str, list[str]]]


def phases(variant: Variant, seed: int, years: int) -> list[Phase]:
    """(position, order texts by power) of each phase of a game."""
    dice = random.Random(seed)
    position = start_position(variant)
    first = int(position.phase[1:-1])
    played: list[Phase] = []
    while int(position.phase[1:-1]) < first + years:
        if position.phase.endswith("M"):
            orders = sensible_orders(variant, position, dice)
        else:
            orders = {
                power: random_orders(BoardState(variant, position), power, need, dice)
                for power, need in needs(variant, position).items()
            }
        played.append((position, {power: [str(order) for order in given] for power, given in orders.items()}))
        position = adjudicate(variant, position, orders).position
    return played


def sensible_orders(variant: Variant, position: Position, dice: random.Random) -> dict[str, list[Order]]:
    orders: dict[str, list[Order]] = {power: [] for power in position.units}
    moving: set[tuple[str, str]] = set()
    waiting: list[tuple[str, Unit, list[Order]]] = []
    for power, units in position.units.items():
        for unit in units:
            options = legal_orders(BoardState(variant, position), unit)
            moves = [order for order in options if isinstance(order, Move) and not order.via]
            if moves and dice.random() < 0.6:
                move = dice.choice(moves)
                orders[power].append(move)
                moving.add((unit.place, move.to))
            else:
                waiting.append((power, unit, options))
    for power, unit, options in waiting:
        helping = [
            order
            for order in options
            if (isinstance(order, Support) and (order.helped.place, order.to) in moving)
            or (isinstance(order, Convoy) and (order.army.place, order.to) in moving)
        ]
        orders[power].append(dice.choice(helping) if helping else Hold(unit))
    return orders
