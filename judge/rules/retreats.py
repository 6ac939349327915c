"""Retreats: where a dislodged unit may go, and who gets there.

A unit retreats where it could have moved without a convoy, if nobody stands there, no stand-off closed the
province, and its attacker did not come from there, unless by convoy (DATC 4.A.5). Two or more that go to one
province are all disbanded; a unit without a legal order is disbanded too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.rules.board import bits
from judge.rules.legality import landing
from judge.rules.orders import Disband, Order, OrderError, Retreat, Unit
from judge.rules.position import Dislodged, Position
from judge.rules.table import Piece, Table
from judge.rules.variant import NEUTRAL, Variant


def retreats(variant: Variant, position: Position, one: Dislodged) -> tuple[str, ...]:
    """The places that a dislodged unit may retreat to, sorted. Neutrals do not retreat; ask only for a power's
    unit.
    """
    return open_places(Table(variant, position), one)


def open_places(table: Table, one: Dislodged) -> tuple[str, ...]:
    """`retreats` on a table that is laid out already."""
    board = table.board
    closed = 0
    for province in table.at:
        closed |= 1 << province
    for name in table.position.contested:
        closed |= 1 << board.place_number[name]
    if not one.by_convoy:
        closed |= 1 << board.place_number[one.attacker_from]
    open_provinces = bits(board.spots[one.unit.text][2] & ~closed)
    if one.unit.kind == "A":
        return tuple(sorted(board.places[province] for province in open_provinces))
    landings = board.fleet_landings[board.place_number[one.unit.place]]
    return tuple(sorted(board.places[place] for province in open_provinces for place in landings[province]))


def choices(variant: Variant, position: Position) -> dict[str, dict[Unit, tuple[str, ...]]]:
    """{power: {its dislodged unit: where it may go}}, neutrals without a choice."""
    table = Table(variant, position)
    return {
        power: {one.unit: () if power == NEUTRAL else open_places(table, one) for one in dislodged}
        for power, dislodged in position.dislodged.items()
    }


def complete_retreat(table: Table, power: str, order: Order) -> Order:
    """The order as the dislodged unit can carry it out; raises OrderError when it cannot."""
    one = _dislodged(table, power, order)
    if isinstance(order, Disband):
        return Disband(one.unit)
    if not isinstance(order, Retreat):
        raise OrderError(f'"{order}" is not an order for a retreat phase: a dislodged unit retreats or disbands.')
    board = table.board
    place = board.place_number[order.to]
    province = board.province_of[place]
    name = table.name(order.to)
    if not board.spots[one.unit.text][2] >> province & 1:
        raise OrderError(f"{table.called(one.unit)} cannot get to {name}.")
    if province in table.at:
        raise OrderError(f"{name} is occupied.")
    if board.provinces[province] in table.position.contested:
        raise OrderError(f"{name} is closed to retreats: there was a stand-off.")
    if board.provinces[province] == one.attacker_from and not one.by_convoy:
        raise OrderError(f"The attacker came from {name}.")
    if one.unit.kind == "A":
        return Retreat(one.unit, board.places[province])
    fleet = Piece(power, power, one.unit, *board.spots[one.unit.text])
    return Retreat(one.unit, landing(table, fleet, place, province))


def _dislodged(table: Table, power: str, order: Order) -> Dislodged:
    for owner, dislodged in table.position.dislodged.items():
        for one in dislodged:
            if one.unit.province == order.slot:
                if owner != power:
                    raise OrderError(f"{table.called(one.unit)} is not yours.")
                return one
    if order.slot in table.variant.provinces:
        raise OrderError(f"No unit was dislodged in {table.name(order.slot)}.")
    raise OrderError(f'"{order}" is not an order for a retreat phase: a dislodged unit retreats or disbands.')


@dataclass(frozen=True)
class Retreated:
    """Units that got away, by power; the provinces that two or more wanted."""

    arrived: Mapping[str, tuple[Unit, ...]]
    collisions: frozenset[str]


def carry_out(orders: Iterable[tuple[str, Order]]) -> Retreated:
    """All retreats at once. `orders` are (power, complete order), one a unit."""
    wanted: dict[str, list[tuple[str, Unit]]] = {}
    for power, order in orders:
        if isinstance(order, Retreat):
            there = Unit(order.unit.kind, order.to)
            wanted.setdefault(there.province, []).append((power, there))
    arrived: dict[str, tuple[Unit, ...]] = {}
    for comers in wanted.values():
        if len(comers) == 1:
            power, unit = comers[0]
            arrived[power] = (*arrived.get(power, ()), unit)
    return Retreated(arrived, frozenset(name for name, comers in wanted.items() if len(comers) > 1))
