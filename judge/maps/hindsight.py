"""The position before a phase, as far as it follows from its outcome: for pictures of the answers of `judge
adjudicate`.

The outcome of a movement phase shows every unit, by its order or by its place afterwards. The outcome of a retreat or
winter phase does not show units that disappeared without an order, so they are not drawn.
"""

from collections.abc import Mapping
from typing import Any

from judge.maps.scene import Scene
from judge.rules import (
    Build,
    Dislodged,
    Move,
    OrderResult,
    Position,
    Remove,
    Retreat,
    Unit,
    Variant,
    outcome_from_json,
)
from judge.rules.board.position import occupants

_Owned = tuple[str, Unit]


def scene_of_answer(variant: Variant, line: Mapping[str, Any]) -> Scene:
    """The scene of an out-line of `judge adjudicate`; raises PositionError."""
    outcome = outcome_from_json(variant, line)
    variant = variant.at(outcome.phase)
    after = outcome.position
    results = tuple(result for result in outcome.results if "void" not in result.results)
    beaten = [(power, one.unit) for power, some in outcome.dislodged.items() for one, _ in some]
    gone_before = [(result.power, result.order.unit) for result in results if isinstance(result.order, Retreat)]
    position = Position(
        phase=outcome.phase,
        units=_by_power(_standing(after, results, beaten)),
        centers=after.centers,
        dislodged={
            power: tuple(Dislodged(unit, "") for unit in units) for power, units in _by_power(gone_before).items()
        },
        homes=after.homes,
    )
    return Scene(variant, position, occasion="results", results=results, after=after, beaten=_by_power(beaten))


def _standing(after: Position, results: tuple[OrderResult, ...], beaten: list[_Owned]) -> list[_Owned]:
    """The units and their places before the phase: before it, units that moved or retreated were elsewhere, and units
    that were built did not exist.
    """
    came = {
        result.order.target if isinstance(result.order, Move | Retreat) else result.order.unit.province
        for result in results
        if isinstance(result.order, Move | Retreat | Build) and "ok" in result.results
        and not (isinstance(result.order, Move) and "dislodged" in result.results)
    }
    stayed = [(power, unit) for province, (power, unit) in occupants(after).items() if province not in came]
    left = [
        (result.power, result.order.unit)
        for result in results
        if isinstance(result.order, Move | Remove) and "ok" in result.results
    ]
    return [*stayed, *left, *(one for one in beaten if one not in left)]


def _by_power(owned: list[_Owned]) -> dict[str, tuple[Unit, ...]]:
    units: dict[str, tuple[Unit, ...]] = {}
    for power, unit in owned:
        units[power] = (*units.get(power, ()), unit)
    return units
