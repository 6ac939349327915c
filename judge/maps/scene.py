"""The content of a picture: a position, and the results of the orders given in it, if there are any."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.rules import (
    Build,
    Dislodged,
    Move,
    OrderResult,
    Outcome,
    Position,
    Remove,
    Retreat,
    Unit,
    Variant,
    load_variant,
    outcome_from_json,
    parse_order,
    position_from_json,
)
from judge.rules.board.orders import occupants
from judge.rules.board.phase import kind
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.json_forms import Json


@dataclass(frozen=True)
class Scene:
    """A position or a phase to draw.

    `name` is the game, or "". `occasion` is "start", "results", "prediction", "what if", "orders" or "". The occasion
    "orders" means the recorded orders of one player.

    `results` has the results of the orders given in `position`. For "orders", `results` also has the player's bids,
    marked "bid", under the player's power. `after` is the position after these results, or None if only a position is
    drawn. `beaten` has the provinces of dislodged units.
    """

    variant: Variant
    position: Position
    name: str = ""
    occasion: str = ""
    results: tuple[OrderResult, ...] = ()
    after: Position | None = None
    beaten: Collection[str] = ()

    @property
    def newest(self) -> Position:
        """Return the position whose owners are shown."""
        return self.after or self.position


def scene_of(
    variant: Variant, position: Position, outcome: Outcome | None = None, *, name: str = "", occasion: str = ""
) -> Scene:
    """Return the scene of a position or, with an `outcome`, of the phase that began with the position."""
    variant = variant.at(position.phase)
    if outcome is None:
        return Scene(variant, position, name, occasion)
    beaten = {one.unit.province for _, one, _ in outcome.beaten}
    return Scene(variant, position, name, occasion, outcome.results, outcome.position, beaten)


def read_scene(data: Mapping[str, Any]) -> Scene:
    """Read a scene from JSON: {variant, borders, holders, canals, name, occasion, position, outcome, orders, bids}.

    `borders`, `holders` and `canals` are the settings of the game that are visible on the board
    (judge.rules.game_options). Position and outcome are in the JSON form of the rules. The outcome is None if only a
    position is drawn. A position may have a player's `orders`, {power: order lines}. `bids` has the orders that the
    player has bid for.
    """
    house = GameOptions(
        borders=tuple(data.get("borders", ())),
        holders=tuple(sorted(data.get("holders", {}).items())),
        canals=tuple(sorted(data.get("canals", {}).items())),
    )
    variant = with_house_rules(load_variant(data["variant"]), house).at(data["position"]["phase"])
    position = position_from_json(variant, data["position"])
    outcome = outcome_from_json(variant, data["outcome"], position) if data["outcome"] else None
    scene = scene_of(variant, position, outcome, name=data["name"], occasion=data["occasion"])
    given, bids = data.get("orders", {}), data.get("bids", {})
    return _as_given(scene, given, bids) if given or bids else scene


def _as_given(scene: Scene, given: Mapping[str, Sequence[str]], bids: Mapping[str, Sequence[str]]) -> Scene:
    """Return the scene with these orders and bids drawn as if all succeeded, since their results are not known yet."""
    variant, position = scene.variant, scene.position
    results = tuple(
        OrderResult(power, parse_order(variant, kind(position.phase), line), result)
        for some, result in ((given, ("ok",)), (bids, ("ok", "bid")))
        for power, lines in some.items()
        for line in lines
    )
    if kind(position.phase) != "A":
        return replace(scene, results=results)
    return replace(scene, results=results, after=replace(position, units=_after_winter(position, results)))


def _after_winter(position: Position, results: Iterable[OrderResult]) -> dict[str, tuple[Any, ...]]:
    units = {unit: power for power, unit in occupants(position).values()}
    for power, order, *_ in results:
        if isinstance(order, Remove):
            units.pop(order.unit, None)
        elif isinstance(order, Build):
            units[order.unit] = power
    return _by_power((power, unit) for unit, power in units.items())


def scene_from_outcome(variant: Variant, line: Json) -> Scene:
    """Return the scene of an output line of `judge adjudicate`, or raise PositionError.

    The position before the phase is reconstructed from the outcome. For a movement phase, that position has every unit
    where its order says, or where it is afterwards. In a retreat or winter phase, units that disappeared without an
    order are missing.
    """
    outcome = outcome_from_json(variant, line)
    outcome = replace(outcome, results=tuple(result for result in outcome.results if "void" not in result.results))
    retreats = ((power, order.unit) for power, order, *_ in outcome.results if isinstance(order, Retreat))
    position = Position(
        phase=outcome.phase,
        units=_by_power(_standing(outcome)),
        centers=outcome.position.centers,
        dislodged=_by_power((power, Dislodged(unit, "")) for power, unit in retreats),
        homes=outcome.position.homes,
    )
    return scene_of(variant, position, outcome, occasion="results")


def _standing(outcome: Outcome) -> list[tuple[str, Unit]]:
    """Return the units with their powers, at their places before the phase.

    Units that moved or retreated go back, and units that were built are left out.
    """
    came = set()
    left = []
    for power, order, results, _ in outcome.results:
        if "ok" not in results:
            continue
        if isinstance(order, Move | Retreat):
            came.add(order.target)
        elif isinstance(order, Build):
            came.add(order.slot)
        if isinstance(order, Move | Remove):
            left.append((power, order.unit))
    stayed = [one for province, one in occupants(outcome.position).items() if province not in came]
    beaten = [(power, one.unit) for power, one, _ in outcome.beaten]
    return [*stayed, *dict.fromkeys([*left, *beaten])]


def _by_power(owned: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for power, one in owned:
        found[power] = (*found.get(power, ()), one)
    return found
