"""Ends that the players agree on: whatever all of them want, and who shares a draw.

    [ends]
    unanimous = true
    draw = "pieces"

(1648 and Ambition & Empire, Victory: "any decision reached by the players (e.g., concede game to one player, concede
game to an alliance) must be accepted unanimously"; Intercontinental, 2.2.)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.mechanism_in_file import MechanismInFile

Sharers = Literal["survivors", "pieces"]


@dataclass(frozen=True)
class UnanimousEnds(MechanismInFile):
    """The players may end a game in any way that all of them want: a draw between some, a concession to one or to
    several. `draw`: a draw of all is shared by all who have a unit or a center left ("survivors"), or only by those who
    have a unit ("pieces").
    """

    draw: Sharers = "survivors"

    TABLES = ("ends",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        table = file.get("ends", {})
        return cls(table.get("draw", "survivors")) if table.get("unanimous") else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        table = checking.table("ends", {"unanimous", "draw"})
        if table is None:
            return
        checking.flag(table, "ends", "unanimous")
        if table.get("draw", "survivors") not in get_args(Sharers):
            checking.say(f"ends: draw must be one of {', '.join(get_args(Sharers))}", "ends", "draw")

    def written(self, ruleset: Ruleset) -> Iterator[str]:
        yield "\n[ends]\nunanimous = true"
        if self.draw != "survivors":
            yield f'draw = "{self.draw}"'

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        yield (
            "The players may end the game in any way that all who survive vote for: a draw between those named, a "
            "concession to one or to an alliance of several (HELP draws)."
        )
        if self.draw == "pieces":
            yield "A draw of all is shared by those who have a unit on the board."


def sharers(ruleset: Ruleset, position: Position) -> set[str]:
    """The powers (or groups) that share a draw of all survivors."""
    ends = ruleset.rule(UnanimousEnds)
    tables = [position.units, position.dislodged]
    if ends is None or ends.draw == "survivors":
        tables.append(position.centers)
    return {ruleset.seat_of(power) for table in tables for power, things in table.items() if things} - {NEUTRAL}
