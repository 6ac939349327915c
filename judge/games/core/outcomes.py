"""What a phase came to, read again from its row: results can be told at any time as they were told then."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from judge.games.core.board import board, variant_at, variant_of
from judge.rules import (
    NEUTRAL,
    Dislodged,
    OrderResult,
    Outcome,
    Position,
    Remove,
    Unit,
    Variant,
    parse_order,
    position_from_json,
)
from judge.rules.board.phase import kind
from judge.rules.json_lines import bids_from_json
from judge.rules.pieces.position_json import read_unit
from judge.store.records import last_phase
from judge.store.tables import Game, Phase

Units = dict[str, tuple[Unit, ...]]


def outcome_of(game: Game, phase: Phase) -> tuple[Position, Outcome]:
    """The position before a processed phase of `game`, and what it came to."""
    variant, position = board(game, phase)
    return position, outcome_from_json(variant, position, phase.outcome or {})


def standing(session: Session, game: Game) -> Position | None:
    """The position of a game: before its open phase, or at its end; None while it is forming."""
    last = last_phase(session, game)
    if not last or game.state == "forming":
        return None
    if last.outcome:
        return _position_after(variant_of(game), last.outcome)
    return board(game, last)[1]


def variant_now(session: Session, game: Game) -> Variant:
    """The variant as it is in the open phase of `game`, was at its end or will be at its start: canals open in it."""
    return variant_at(game, last_phase(session, game))


def outcome_from_json(variant: Variant, position: Position, data: Mapping[str, Any]) -> Outcome:
    """The outcome that `outcome_to_json` wrote of a phase adjudicated from `position`.

    The units that went without an order for it are not written there; they follow from the rest, and stand in
    the order of their names.
    """
    results = tuple(
        OrderResult(
            entry["power"],
            parse_order(variant, kind(position.phase), entry["order"]),
            tuple(entry["results"]),
            entry.get("why", ""),
        )
        for entry in data["orders"]
    )
    after = _position_after(variant, data)
    homes = {power: named[-1] for power, named in after.homes.items() if named != position.homes.get(power)}
    return Outcome(
        phase=position.phase,
        position=after,
        results=results,
        dislodged={
            power: tuple((_dislodged(variant, entry), tuple(entry["retreats"])) for entry in entries)
            for power, entries in data["dislodged"].items()
        },
        contested=tuple(data["contested"]),
        removed=_removed(position, results, after),
        adjust=data.get("adjust", {}),
        winner=data["winner"],
        drawn=tuple(data.get("draw", ())),
        bids=bids_from_json(variant, data.get("bids", [])),
        homes=homes,
        rebuilt=_rebuilt(position, after),
    )


def _position_after(variant: Variant, data: Mapping[str, Any]) -> Position:
    form = {"phase": data["next"], "units": data["units"], "centers": data["centers"], "homes": data["homes"]}
    form["neutrals"] = data.get("neutrals", {})
    if kind(data["next"]) == "R":
        form |= {"dislodged": data["dislodged"], "contested": data["contested"]}
    return position_from_json(variant, form)


def _dislodged(variant: Variant, entry: Mapping[str, Any]) -> Dislodged:
    return Dislodged(read_unit(variant, entry["unit"]), entry["from"], entry["by_convoy"])


def _rebuilt(position: Position, after: Position) -> tuple[Unit, ...]:
    """The neutrals' units that came back in a winter."""
    before = position.units.get(NEUTRAL, ())
    came = (unit for unit in after.units.get(NEUTRAL, ()) if unit not in before)
    return tuple(came) if kind(position.phase) == "A" else ()


def _removed(position: Position, results: tuple[OrderResult, ...], after: Position) -> Units:
    """The units that went without an order for it: in a retreat phase and in a winter."""
    obeyed = [result for result in results if "void" not in result.results]
    gone: Units = {}
    if kind(position.phase) == "R":
        ordered = {result.order.slot for result in obeyed}
        for power, dislodged in position.dislodged.items():
            gone[power] = tuple(one.unit for one in dislodged if one.unit.province not in ordered)
    elif kind(position.phase) == "A":
        ordered = {result.order.slot for result in obeyed if isinstance(result.order, Remove)}
        for power, units in position.units.items():
            left = after.units.get(power, ())
            gone[power] = tuple(unit for unit in units if unit not in left and unit.province not in ordered)
    return {power: units for power, units in gone.items() if units}
