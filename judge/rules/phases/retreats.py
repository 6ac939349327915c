"""Retreats: where a dislodged unit may go, and which units get there.

A unit retreats where it could have moved without a convoy, if no unit stands there, no stand-off closed the province,
and its attacker did not come from there, unless by convoy (DATC 4.A.5). If two or more go to one province, all of them
are disbanded, except when only one of them does not come over a border of half strength: that one gets there. A unit
without a legal order is disbanded too.
"""

from collections.abc import Iterable

from judge.rules.board.board_state import BoardState, cannot_get, landing
from judge.rules.board.orders import (
    Disband,
    Dislodged,
    Order,
    OrderError,
    OutOfPlace,
    Places,
    Position,
    Retreat,
    Unit,
    Units,
)
from judge.rules.board.power import NEUTRAL
from judge.rules.board.province import Board
from judge.rules.board.ruleset import Ruleset


def open_places(table: BoardState, one: Dislodged) -> Places:
    """The places that a dislodged unit may retreat to, sorted. Neutrals do not retreat: ask for a power's unit only."""
    spot = table.board.spots[one.unit.text]
    closed = {*table.at, *table.position.contested}
    if not one.by_convoy:
        closed.add(one.attacker_from)
    provinces = spot.reach - closed
    if spot.army:
        return tuple(sorted(provinces))
    return tuple(sorted(place for province in provinces for place in spot.landings[province]))


def choices(ruleset: Ruleset, position: Position) -> dict[str, dict[Unit, Places]]:
    """{power: {its dislodged unit: where it may go}}; neutrals have no choice."""
    table = BoardState(ruleset, position)
    return {
        power: {one.unit: () if power == NEUTRAL else open_places(table, one) for one in dislodged}
        for power, dislodged in position.dislodged.items()
    }


def complete_retreat(table: BoardState, power: str, order: Order) -> Order:
    """The order in the form in which the dislodged unit can carry it out; raises OrderError if it cannot."""
    slot, dislodged = order.slot, table.position.dislodged.items()
    found = [(owner, one) for owner, units in dislodged for one in units if one.unit.province == slot]
    if not found and slot in table.ruleset.provinces:
        raise OutOfPlace(f"No unit was dislodged in {table.name(slot)}.")
    if not found:
        raise OutOfPlace(f'"{order}" is not an order for a retreat phase: a dislodged unit retreats or disbands.')
    owner, one = found[0]
    if owner != power:
        raise OrderError(f"{table.called(one.unit)} is not yours.")
    if isinstance(order, Disband):
        return Disband(one.unit)
    if power == NEUTRAL:
        raise OrderError("A neutral unit never retreats.")
    if not isinstance(order, Retreat):
        raise OutOfPlace(f'"{order}" is not an order for a retreat phase: a dislodged unit retreats or disbands.')
    spot = table.board.spots[one.unit.text]
    target, name = order.target, table.name(order.to)
    if target not in spot.reach:
        raise OrderError(cannot_get(table, one.unit, target))
    if target in table.at:
        raise OrderError(f"{name} is occupied.")
    if target in table.position.contested:
        raise OrderError(f"{name} is closed to retreats, because there was a stand-off.")
    if target == one.attacker_from and not one.by_convoy:
        raise OrderError(f"The attacker came from {name}.")
    return Retreat(one.unit, target if spot.army else landing(table, spot, order.to, target))


def carry_out(board: Board, orders: Iterable[tuple[str, Order]]) -> tuple[dict[str, Units], set[str]]:
    """Carry out all retreats at once. `orders` are (power, complete order), one for each unit.

    Returns {power: the units that got away}, and the provinces in which the units stood that bounced.
    """
    wanted: dict[str, list[tuple[str, Retreat]]] = {}
    for power, order in orders:
        if isinstance(order, Retreat):
            wanted.setdefault(order.target, []).append((power, order))
    arrived: dict[str, Units] = {}
    collided: set[str] = set()
    for target, comers in wanted.items():
        first = comers
        if len(comers) > 1:
            beyond = board.beyond.get(target, ())
            first = [(power, order) for power, order in comers if order.slot not in beyond]
        if len(first) == 1:
            power, order = first[0]
            arrived[power] = (*arrived.get(power, ()), Unit(order.unit.kind, order.to))
        collided.update(order.slot for _, order in comers if len(first) != 1 or order is not first[0][1])
    return arrived, collided
