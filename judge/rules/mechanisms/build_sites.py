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

from judge.rules.board.names import places
from judge.rules.board.position import Position
from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.lines import words_of
from judge.rules.variant_files.mechanism_in_file import MechanismInFile


@dataclass(frozen=True)
class BuildSites(MechanismInFile):
    """All powers may build in `colonies`, and each power in its own `special` centers."""

    colonies: tuple[str, ...] = ()
    special: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    TABLES = ("build_sites",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        table = file.get("build_sites", {})
        special = {power: places(centers) for power, centers in table.get("special", {}).items()}
        colonies = places(table.get("colonies", ""))
        return cls(colonies, special) if colonies or special else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        table, say = checking.file.get("build_sites", {}), checking.say
        special = table.get("special", {}) if isinstance(table, dict) else None
        if not isinstance(special, dict):
            say("build_sites must be a table with colonies and a table special", "build_sites")
            return
        checking.keys(table, {"colonies", "special"}, "build_sites", "build_sites")
        for power in sorted(special.keys() - checking.powers.keys()):
            say(f"build_sites: there is no power {power}", "build_sites.special", power)
        named = [("build_sites", "colonies", table.get("colonies", ""))]
        named += [("build_sites.special", power, centers) for power, centers in special.items()]
        for where, key, centers in named:
            if not isinstance(centers, str):
                say(f"build_sites: {key} must be a text of names", where, key)
            for center in words_of(centers):
                checking.center(center, "build_sites", where, key)

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

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        own = (*ruleset.power_named[power].homes, *position.homes.get(power, ()))
        holds = not self.while_home or not set(own).isdisjoint(position.centers.get(power, ()))
        return ruleset.centers if holds else ()

    @property
    def builds_in_words(self) -> str:
        condition = ", as long as it owns one of its own homes" * self.while_home
        return f"A power builds in any vacant center that it owns, no matter whose home that was{condition}."
