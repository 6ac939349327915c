"""Builds in any vacant center that a power owns, home or not.

    [builds]
    anywhere = true
    while_home = true       # optional: only as long as it owns one of its homes
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
    """When this is switched on, every center is a home of its owner; `while_home`: of one that owns a home."""

    while_home: bool = False
    TABLES = ("builds",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        table = file.get("builds", {})
        return cls(bool(table.get("while_home"))) if table.get("anywhere") else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        table = checking.table("builds", {"anywhere", "while_home"})
        if table is not None:
            checking.flag(table, "builds", "anywhere")
            checking.flag(table, "builds", "while_home")

    def written(self, ruleset: Ruleset) -> Iterator[str]:
        yield "\n[builds]\nanywhere = true" + "\nwhile_home = true" * self.while_home

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        own = (*ruleset.power_named[power].homes, *position.homes.get(power, ()))
        holds = not self.while_home or not set(own).isdisjoint(position.centers.get(power, ()))
        return ruleset.centers if holds else ()

    @property
    def builds_in_words(self) -> str:
        condition = ", as long as it owns one of its own homes" * self.while_home
        return f"A power builds in any vacant center that it owns, no matter whose home that was{condition}."
