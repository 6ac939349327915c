"""What is to be drawn: a position, and the results of the orders given in it, if they are to be shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.rules import (
    OrderResult,
    Outcome,
    Position,
    Unit,
    Variant,
    load_variant,
    outcome_from_json,
    position_from_json,
)
from judge.rules.one_game.house_rules import HouseRules, with_house_rules

Units = Mapping[str, tuple[Unit, ...]]


@dataclass(frozen=True)
class Scene:
    """`name`: the game, or ""; `occasion`: why it is shown: "start", "results", "prediction" or "".

    `results` of the orders given in `position`, the position after them (`after`), and the units they dislodged
    (`beaten`); if `after` is None, the picture shows the position only.
    """

    variant: Variant
    position: Position
    name: str = ""
    occasion: str = ""
    results: tuple[OrderResult, ...] = ()
    after: Position | None = None
    beaten: Units = field(default_factory=dict)

    @property
    def newest(self) -> Position:
        """The position whose owners are shown."""
        return self.after or self.position


def scene_of(
    variant: Variant, position: Position, outcome: Outcome | None = None, *, name: str = "", occasion: str = ""
) -> Scene:
    """The scene of a position, or of a phase that was adjudicated from it."""
    variant = variant.at(position.phase)
    if outcome is None:
        return Scene(variant, position, name, occasion)
    beaten = {power: tuple(one.unit for one, _ in units) for power, units in outcome.dislodged.items()}
    return Scene(variant, position, name, occasion, outcome.results, outcome.position, beaten)


def read_scene(data: Mapping[str, Any]) -> Scene:
    """The scene of {variant, borders, holders, canals, name, occasion, position, outcome}: the house rules that are
    visible on the board (judge.rules.one_game), position and outcome in the JSON form of the rules, outcome None for a
    position alone.
    """
    house = HouseRules(
        borders=tuple(data.get("borders", ())),
        holders=tuple(sorted(data.get("holders", {}).items())),
        canals=tuple(sorted(data.get("canals", {}).items())),
    )
    variant = with_house_rules(load_variant(data["variant"]), house).at(data["position"]["phase"])
    position = position_from_json(variant, data["position"])
    outcome = outcome_from_json(variant, data["outcome"], position) if data["outcome"] else None
    return scene_of(variant, position, outcome, name=data["name"], occasion=data["occasion"])
