"""Every order that a unit could be given: for checks, help and self-play."""

from collections.abc import Iterator

from judge.rules.board.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
)
from judge.rules.board.phase import kind
from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.phases.retreats import open_places
from judge.rules.phases.winter import balance, build_sites, claim_sites
from judge.rules.pieces.board_state import BoardState, Piece
from judge.rules.pieces.legality import useful_fleets


def legal_orders(ruleset: Ruleset, position: Position, unit: Unit, table: BoardState | None = None) -> list[Order]:
    """The orders in normal form that the unit can be given in this phase; none if it has nothing to do.

    `table`: the position on its board; whoever asks for several units lays it out once.
    """
    table = table or BoardState(ruleset, position)
    match kind(position.phase):
        case "M":
            piece = table.at.get(unit.province)
            return list(_movement_orders(table, piece)) if piece and piece.unit == unit else []
        case "R":
            for power, dislodged in position.dislodged.items():
                for one in dislodged:
                    if one.unit == unit:
                        places = open_places(table, one) if power != NEUTRAL else ()
                        return [*(Retreat(unit, place) for place in places), Disband(unit)]
            return []
    return [
        Remove(unit)
        for power, units in position.units.items()
        if unit in units and power in ruleset.power_named and balance(ruleset, position, power) < 0
    ]


def legal_builds(ruleset: Ruleset, position: Position, power: str) -> list[Order]:
    """The builds that the power could order now, and a waive; none if it has no builds due."""
    if balance(ruleset, position, power) <= 0:
        return []
    builds: list[Order] = []
    sites = (*build_sites(ruleset, position, power), *claim_sites(ruleset, position, power))
    for site in sites:
        province = ruleset.provinces[site]
        if province.takes_armies:
            builds.append(Build(Unit("A", site)))
        if province.kind == "coast":
            coasts = [f"{site}/{coast}" for coast in province.coasts] or [site]
            builds.extend(Build(Unit("F", place)) for place in coasts)
    return [*builds, Waive()]


def _movement_orders(table: BoardState, piece: Piece) -> Iterator[Order]:
    yield Hold(piece.unit)
    yield from _moves(table, piece)
    yield from _supports(table, piece)
    if piece.spot.afloat:
        yield from _convoys(table, piece)


def _moves(table: BoardState, piece: Piece) -> Iterator[Move]:
    unit, spot = piece.unit, piece.spot
    if not spot.army:
        for target in sorted(spot.landings):
            for place in spot.landings[target]:
                yield Move(unit, place)
        return
    for target in sorted(spot.reach):
        yield Move(unit, target)
    for target in table.shores_from(unit.province):
        yield Move(unit, target, via=True)
        if target not in spot.reach:
            yield Move(unit, target)


def _supports(table: BoardState, piece: Piece) -> Iterator[Support]:
    within = piece.spot.support
    for helped, goals in table.goals:
        unit = helped.unit
        if helped is piece:
            continue
        if unit.province in within:
            yield Support(piece.unit, unit)
        for target in sorted(within & goals):
            if target in helped.spot.reach or _is_convoyed_without(table, piece, unit, target):
                for place in (target, *_coasts(table, helped, target)):
                    yield Support(piece.unit, unit, place)


def _is_convoyed_without(table: BoardState, piece: Piece, army: Unit, target: str) -> bool:
    """A fleet that supports cannot be one of those that convoy (DATC 6.D.31)."""
    return table.board.connected(army.province, target, table.fleets - {piece.unit.province})


def _coasts(table: BoardState, helped: Piece, target: str) -> tuple[str, ...]:
    split = target in table.board.split and not helped.spot.army
    return helped.spot.landings[target] if split else ()


def _convoys(table: BoardState, piece: Piece) -> Iterator[Convoy]:
    for army in table.at.values():
        if army.spot.army:
            for goal in table.shores_from(army.unit.province):
                if piece.unit.province in useful_fleets(table, army.unit.province, goal):
                    yield Convoy(piece.unit, army.unit, goal)
