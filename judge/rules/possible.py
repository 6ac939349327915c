"""Every order that a unit could be given: for checks, help and self-play."""

from collections.abc import Iterator

from judge.rules.adjustments import balance, build_sites
from judge.rules.board import bits
from judge.rules.legality import complete, useful
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderError,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
)
from judge.rules.phase import kind
from judge.rules.position import Position
from judge.rules.retreats import open_places
from judge.rules.table import Piece, Table
from judge.rules.variant import Variant


def legal_orders(variant: Variant, position: Position, unit: Unit) -> list[Order]:
    """The orders in normal form that the unit can be given in this phase; none if it has nothing to do."""
    table = Table(variant, position)
    match kind(position.phase):
        case "M":
            piece = table.at.get(table.board.place_number[unit.province])
            return list(_movement_orders(table, piece)) if piece and piece.unit == unit else []
        case "R":
            for dislodged in position.dislodged.values():
                for one in dislodged:
                    if one.unit == unit:
                        return [*(Retreat(unit, place) for place in open_places(table, one)), Disband(unit)]
            return []
    return [
        Remove(unit)
        for power, units in position.units.items()
        if unit in units and power in variant.power_named and balance(variant, position, power) < 0
    ]


def legal_builds(variant: Variant, position: Position, power: str) -> list[Order]:
    """The builds that the power could order now, and a waive; none when it has none due."""
    if balance(variant, position, power) <= 0:
        return []
    builds: list[Order] = []
    for site in build_sites(variant, position, power):
        province = variant.provinces[site]
        builds.append(Build(Unit("A", site)))
        if province.kind == "coast":
            coasts = [f"{site}/{coast}" for coast in province.coasts] or [site]
            builds.extend(Build(Unit("F", place)) for place in coasts)
    return [*builds, Waive()]


def _movement_orders(table: Table, piece: Piece) -> Iterator[Order]:
    yield Hold(piece.unit)
    yield from _moves(table, piece)
    yield from _supports(table, piece)
    if table.fleets >> piece.province & 1:
        yield from _convoys(table, piece)


def _moves(table: Table, piece: Piece) -> Iterator[Move]:
    board = table.board
    if not piece.army:
        for landings in board.fleet_landings[piece.place].values():
            for place in landings:
                yield Move(piece.unit, board.places[place])
        return
    walks = board.army_reach[piece.province]
    for goal in bits(walks):
        yield Move(piece.unit, board.places[goal])
    for goal in bits(_by_sea(table, piece.province)):
        yield Move(piece.unit, board.places[goal], via=True)
        if not walks >> goal & 1:
            yield Move(piece.unit, board.places[goal])


def _by_sea(table: Table, start: int) -> int:
    """Mask of the provinces that an army could be convoyed to by the fleets on the board."""
    board = table.board
    reached = front = board.shores[start] & table.fleets
    while front:
        beyond = 0
        for number in bits(front):
            beyond |= board.fleet_reach[number]
        front = beyond & table.fleets & ~reached
        reached |= front
    goals = 0
    for number in bits(reached):
        goals |= board.fleet_reach[number]
    return goals & board.land & ~(1 << start)


def _supports(table: Table, piece: Piece) -> Iterator[Support]:
    board = table.board
    for helped in table.at.values():
        if helped is piece:
            continue
        if piece.reach >> helped.province & 1:
            yield Support(piece.unit, helped.unit)
        targets = helped.reach
        if helped.army:
            targets |= _by_sea(table, helped.province)
        for target in bits(targets & piece.reach):
            for place in (board.places[target], *_coasts(table, helped, target)):
                order = Support(piece.unit, helped.unit, place)
                try:
                    complete(table, piece.power, order)
                except OrderError:
                    continue
                yield order


def _coasts(table: Table, helped: Piece, target: int) -> list[str]:
    board = table.board
    if helped.army or not board.split >> target & 1:
        return []
    return [board.places[place] for place in board.fleet_landings[helped.place][target]]


def _convoys(table: Table, piece: Piece) -> Iterator[Convoy]:
    for army in table.at.values():
        if army.army:
            for goal in bits(_by_sea(table, army.province)):
                if useful(table, piece.province, army.province, goal):
                    yield Convoy(piece.unit, army.unit, table.board.places[goal])
