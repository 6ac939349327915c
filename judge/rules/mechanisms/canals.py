"""Canals that open in a certain year of the game: until then the province has two coasts, from the Spring of that year
on only one.

    [canals]
    Suez = 1870

A fleet that lies on either coast when the canal opens is simply in the province. (Intercontinental, 5.2.)
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from judge.rules.board.border_changes import with_changes, with_coasts_joined, without_coast
from judge.rules.board.orders import Unit
from judge.rules.board.phase import year
from judge.rules.board.position import Position
from judge.rules.board.ruleset import R, Ruleset
from judge.rules.variant_files.checking import Checking, MechanismInFile


@dataclass(frozen=True)
class Canals(MechanismInFile):
    """`opens`: {province: the year in whose Spring it opens}."""

    opens: Mapping[str, int] = field(default_factory=dict)

    TABLES = ("canals",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        return cls(file["canals"]) if file.get("canals") else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        for name, opens in checking.tables_of("canals", int, "numbers").items():
            if len(checking.board.coasts(name)) != 2:
                checking.say(f"canals: {name} is not a province with two coasts", "canals", name)
            if not 0 < opens < 10_000:
                checking.say(f"canals: {name} opens in a year, not in {opens}", "canals", name)

    def open_in(self, year: int) -> tuple[str, ...]:
        """The canals that are open in the year."""
        return tuple(name for name, opens in self.opens.items() if year >= opens)

    def in_phase(self, ruleset: R, phase: str) -> R:
        names = self.open_in(year(phase))
        return _opened(ruleset, names) if any(ruleset.provinces[name].coasts for name in names) else ruleset

    def as_phase_begins(self, position: Position) -> Position:
        """If a canal is open from this phase on, fleets that lie on one of its coasts are now simply in the province.
        """
        names = self.open_in(year(position.phase))
        units = {power: _shifted(own, names) for power, own in position.units.items()}
        return position if units == position.units else replace(position, units=units)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        for name, opens in self.opens.items():
            canal = ruleset.provinces[name].name
            yield (
                f"{canal} is a canal from Spring {opens} on: it has one coast, and fleets pass through. Until then it "
                f"has two coasts. A fleet on one of them is simply in {canal} once the canal opens."
            )


@lru_cache(maxsize=128)
def _opened(ruleset: R, names: tuple[str, ...]) -> R:
    """The ruleset with these canals open; the result is kept, so that it is made only once."""
    provinces, waiting = with_changes(with_coasts_joined(ruleset.provinces, names), ruleset.border_changes)
    return replace(ruleset, provinces=provinces, border_changes=waiting, undated=ruleset.undated or ruleset)


def _shifted(units: Collection[Unit], names: Collection[str]) -> tuple[Unit, ...]:
    """The units; those on a coast of an open canal are moved off the coast, simply into the province."""
    return tuple(Unit(unit.kind, without_coast(unit.place, names)) for unit in units)
