"""Builds in any vacant center that a power owns, home or not.

    [builds]
    anywhere = true
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from judge.rules.board.position import Position
from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.mechanism_in_file import MechanismInFile


@dataclass(frozen=True)
class BuildAnywhere(MechanismInFile):
    """When this is switched on, every center is a home of its owner."""

    TABLES = ("builds",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        return cls() if file.get("builds", {}).get("anywhere") else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        table = checking.table("builds", {"anywhere"})
        if table is not None:
            checking.flag(table, "builds", "anywhere")

    def written(self, ruleset: Ruleset) -> Iterator[str]:
        yield "\n[builds]\nanywhere = true"

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        return ruleset.centers

    @property
    def builds_in_words(self) -> str:
        return "A power builds in any vacant center that it owns, no matter whose home that was."
