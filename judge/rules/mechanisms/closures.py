"""Ways that are open at times only: canals, and provinces and borders that nobody passes in a season."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from judge.rules.board.orders import Unit
from judge.rules.board.phase import season, year
from judge.rules.board.position import Position
from judge.rules.board.province import Province, with_changes, with_coasts_joined, without_coast
from judge.rules.board.ruleset import R, Ruleset
from judge.rules.variant_files.checking import Checking, MechanismInFile
from judge.rules.variant_files.schema import LINE, Kind, Table, pair_of, read_keys, twice, words_of

# --- canals ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Canals(MechanismInFile):
    """Canals that open in a certain year of the game.

    Until the Spring of that year the province has two coasts, from then on only one.

        [canals]
        Suez = 1870

    A fleet that lies on either coast when the canal opens is simply in the province. (Intercontinental, 5.2.)

    `opens`: {province: the year in whose Spring it opens}.
    """

    opens: Mapping[str, int] = field(default_factory=dict)

    TABLES = ("canals",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """Return it as the file describes it; None if it is not switched on."""
        return cls(file["canals"]) if file.get("canals") else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        """Note the mistakes in its tables."""
        for name, opens in checking.tables_of("canals", int, "numbers").items():
            if len(checking.board.coasts(name)) != 2:
                checking.say(f"canals: {name} is not a province with two coasts", "canals", name)
            if not 0 < opens < 10_000:
                checking.say(f"canals: {name} opens in a year, not in {opens}", "canals", name)

    def open_in(self, year: int) -> tuple[str, ...]:
        """The canals that are open in the year."""
        return tuple(name for name, opens in self.opens.items() if year >= opens)

    def in_phase(self, ruleset: R, phase: str) -> R:
        """Return the ruleset as it is in the phase."""
        names = self.open_in(year(phase))
        return _opened(ruleset, names) if any(ruleset.provinces[name].coasts for name in names) else ruleset

    def as_phase_begins(self, position: Position) -> Position:
        """Move fleets from the coasts of a canal that is open from this phase on.

        They are simply in the province then.
        """
        names = self.open_in(year(position.phase))
        units = {power: _shifted(own, names) for power, own in position.units.items()}
        return position if units == position.units else replace(position, units=units)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules in words."""
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


# --- closed seasons --------------------------------------------------------------------------------------------------


SEASONS = ("Spring", "Fall")


def _way_faults(checking: Checking, key: str, value: object) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{key} must be a text of provinces and borders"
    yield from twice(words_of(value))
    for place in words_of(value):
        one, other = pair_of(place)
        if not (checking.board.borders(one, other) if "-" in place else one in checking.board.tables):
            yield f"{place} is no province and no border"


_WAYS = Kind(_way_faults, words_of)


@dataclass(frozen=True)
class ClosedSeasons(MechanismInFile):
    """Provinces and borders that nobody passes in one season of the year.

        [closed]
        Fall = "ARC PEL-HWO"
        Spring = "CTK-LIG"
        by = "ice"              # optional

    In the movement and the retreats of that season nothing gets into such a province or out of it, supports into it or
    from it, or convoys there; a unit that stands there stays, and is safe. Over such a border nobody moves, supports,
    retreats or convoys. (Loeb9, as section 8 of the Diplomacy Adjudicator Test Cases 2.4 has it; borders: Octarine.)

    `places`: {season: the provinces (`ARC`) and borders (`PEL-HWO`) that are closed in it}; `by`: what closes them.
    `now`: the season for which a ruleset is changed.
    """

    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by: str = ""
    now: str = ""

    TABLES = ("closed",)
    KEYS = {**dict.fromkeys(SEASONS, _WAYS), "by": LINE}

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """Return it as the file describes it; None if it is not switched on."""
        values = read_keys(cls.KEYS, file.get("closed", {}))
        return cls({name: values[name] for name in SEASONS if name in values}, values.get("by", "")) if values else None

    @classmethod
    def faults(cls, checking: Checking, table: Table) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the table as a whole."""
        if not any(map(table.get, SEASONS)):
            yield f": neither {' nor '.join(SEASONS)} is there", ""

    def in_phase(self, ruleset: R, phase: str) -> R:
        """Return the ruleset as it is in the phase."""
        name = season(phase)
        return _closed(ruleset, name, self.places[name]) if self.places.get(name) else ruleset

    @property
    def why_closed(self) -> str:
        """Say that the season closes the way."""
        return f" in {self.now}: {f'{self.by} closes the way' if self.by else 'the way is closed'}" if self.now else ""

    def when_closed(self, province: str) -> Iterator[tuple[str, str]]:
        """(season, the neighbour to which the way is closed in it), with "" if the whole province is."""
        for name, places in self.places.items():
            for place in places:
                ends = place.split("-")
                if province in ends:
                    ends.remove(province)
                    yield name, "".join(ends)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules in words."""
        by = f" by {self.by}" if self.by else ""
        for name, places in self.places.items():
            for place in places:
                one, dash, other = place.partition("-")
                if dash:
                    way = " and ".join(ruleset.named((one, other)))
                    yield f"In {name} the border between {way} is closed{by}, also for supports, retreats and convoys."
                else:
                    called = ruleset.provinces[one].name
                    yield (
                        f"In {name} {called} is closed{by}: nothing gets in or out, by retreat neither. What stands "
                        "there stays, and neither supports nor convoys."
                    )


@lru_cache(maxsize=128)
def _closed(ruleset: R, name: str, closed: tuple[str, ...]) -> R:
    """The ruleset in that season; the result is kept, so that it is made only once."""
    shut = {place for place in closed if "-" not in place}
    beyond: dict[str, set[str]] = {}
    for one, other in (place.split("-") for place in closed if "-" in place):
        beyond.setdefault(one, set()).add(other)
        beyond.setdefault(other, set()).add(one)
    provinces = {
        abbr: _without(province, ruleset.provinces if abbr in shut else shut | beyond.get(abbr, set()))
        for abbr, province in ruleset.provinces.items()
    }
    rules = [replace(one, now=name) if isinstance(one, ClosedSeasons) else one for one in ruleset.mechanisms]
    whole = ruleset.undated or ruleset
    return replace(ruleset, provinces=provinces, mechanisms=tuple(rules), undated=whole)


def _without(province: Province, gone: Collection[str]) -> Province:
    """The province without its borders on these others."""
    fleet = {
        coast: tuple(place for place in places if place.partition("/")[0] not in gone)
        for coast, places in province.fleet.items()
    }
    return replace(province, army=tuple(near for near in province.army if near not in gone), fleet=fleet)
