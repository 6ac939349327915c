"""Where powers build beside their homes: in vacant centers that they own, some of them or any.

    [build_sites]
    colonies = "NYC QUE"

    [build_sites.special]
    Russia = "AMU CRI"

Every power may build in the colonies, and also in its own special centers. (Colonia.)

    [builds]
    anywhere = true
    while_home = true       # optional: only as long as it owns one of its homes
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from judge.rules.board.position import Position
from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.variant_files.checking import CENTERS, Checking, MechanismInFile
from judge.rules.variant_files.schema import ANYTHING, FLAG


@dataclass(frozen=True)
class BuildSites(MechanismInFile):
    """All powers may build in `colonies`, and each power in its own `special` centers."""

    colonies: tuple[str, ...] = ()
    special: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    TABLES = ("build_sites",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        table = file.get("build_sites", {})
        special = {power: CENTERS.read(centers) for power, centers in table.get("special", {}).items()}
        colonies = CENTERS.read(table.get("colonies", ""))
        return cls(colonies, special) if colonies or special else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        table = checking.file.get("build_sites", {})
        special = table.get("special", {}) if isinstance(table, dict) else None
        if not isinstance(special, dict):
            checking.say("build_sites must be a table with colonies and a table special", "build_sites")
            return
        checking.keys({"colonies": CENTERS, "special": ANYTHING}, table, "build_sites", "build_sites")
        checking.each_power(CENTERS, special, "build_sites", "build_sites.special")

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        return (*self.colonies, *self.special.get(power, ()))

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        if self.colonies:
            yield f"Colonies are home centers of their owners: {_with_abbreviations(ruleset, self.colonies)}."
        for power, centers in self.special.items():
            told = _with_abbreviations(ruleset, centers)
            yield f"{power} also builds in these, while it owns them: {told}."


def _with_abbreviations(ruleset: Ruleset, provinces: Iterable[str]) -> str:
    return ", ".join(f"{ruleset.provinces[name].name} ({name})" for name in provinces)


@dataclass(frozen=True)
class BuildAnywhere(MechanismInFile):
    """Every center is a home of its owner; `while_home`: only as long as that owns one of its own homes."""

    anywhere: bool = True
    while_home: bool = False

    TABLES = ("builds",)
    KEYS = {"anywhere": FLAG, "while_home": FLAG}
    SWITCH = "anywhere"

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        own = (*ruleset.power_named[power].homes, *position.homes.get(power, ()))
        holds = not self.while_home or not set(own).isdisjoint(position.centers.get(power, ()))
        return ruleset.centers if holds else ()

    @property
    def builds_in_words(self) -> str:
        condition = ", as long as it owns one of its own homes" * self.while_home
        return f"A power builds in any vacant center that it owns, no matter whose home that was{condition}."
