"""What a picture shows: a position, and the results of the orders given in it, if there are any."""

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


@dataclass(frozen=True)
class Scene:
    """A position or a phase to draw.

    `name`: the game, or ""; `occasion`: "start", "results", "prediction", "what if", "orders" (those of one player,
    as they are on file) or "". `results`: those of the orders given in `position`, and of "orders" the player's bids,
    which are marked "bid" and stand with the player's power; `after`: the position after them, None if the picture
    shows the position only; `beaten`: the provinces of the units that they dislodged.
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
        """The position whose owners are shown."""
        return self.after or self.position


def scene_of(
    variant: Variant, position: Position, outcome: Outcome | None = None, *, name: str = "", occasion: str = ""
) -> Scene:
    """Make the scene of a position, or of a phase that was adjudicated from it."""
    variant = variant.at(position.phase)
    if outcome is None:
        return Scene(variant, position, name, occasion)
    beaten = {one.unit.province for _, one, _ in outcome.beaten}
    return Scene(variant, position, name, occasion, outcome.results, outcome.position, beaten)


def read_scene(data: Mapping[str, Any]) -> Scene:
    """Read a scene in JSON: {variant, borders, holders, canals, name, occasion, position, outcome, orders, bids}.

    `borders`, `holders` and `canals` are the house rules that are visible on the board (judge.rules.game_options).
    Position and outcome are in the JSON form of the rules; outcome is None for a position alone, or with the `orders`
    that a player has given in it, {power: order lines}, and the orders that the player has bid for.
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
    """The scene with these orders and bids as if all of them succeeded, since their results are not known yet."""
    variant, position = scene.variant, scene.position
    results = tuple(
        OrderResult(power, parse_order(variant, kind(position.phase), line), result)
        for some, result in ((given, ("ok",)), (bids, ("ok", "bid")))
        for power, lines in some.items()
        for line in lines
    )
    if kind(position.phase) != "A":
        return replace(scene, results=results)
    built = [(power, order.unit) for power, order, *_ in results if isinstance(order, Build)]
    removed = {order.unit for _, order, *_ in results if isinstance(order, Remove)}
    left = [one for one in occupants(position).values() if one[1] not in removed]
    return replace(scene, results=results, after=replace(position, units=_by_power([*left, *built])))


def scene_from_outcome(variant: Variant, line: Mapping[str, Any]) -> Scene:
    """Make the scene of an out-line of `judge adjudicate`; raises PositionError.

    The position before the phase is drawn as far as it follows from the outcome. That of a movement phase shows every
    unit, by its order or by its place afterwards; units that disappeared without an order in a retreat or winter phase
    are not drawn.
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
    """The units, each with its power, and their places before the phase.

    Units that moved or retreated were elsewhere, and units that were built did not exist.
    """
    came: set[str] = set()
    left: list[tuple[str, Unit]] = []
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
    return [*stayed, *left, *(one for one in beaten if one not in left)]


def _by_power(owned: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    """{power: what it owns}."""
    found: dict[str, tuple[Any, ...]] = {}
    for power, one in owned:
        found[power] = (*found.get(power, ()), one)
    return found
