"""Borders that are hard or impossible to cross: of half strength, difficult, or closed at times.

    [detours]
    way = "around the Cape of Good Hope"
    borders = "MID-EGY MID-HEJ"

The table `detours` has borders over such a long way that a unit crosses them only at half strength. The rules are the
Suez Canal Rules of 1900. A move over such a border counts half for the unit itself, and cuts support only by
dislodging. No unit gives support over it. An army that fleets land over it attacks at half strength. A retreat over it
gives way to a retreat by a shorter way.

    [difficult]
    borders = "NAP-SIC COR-NAF"

The table `difficult` has borders so hard to pass that a unit there has no strength of its own. The rules are those of
Loeb9, as in section 10 of DATC 2.4 ("difficult passable borders"). Only supports give such a move any strength, and it
cuts support only if it is supported. No unit supports over such a border. A retreat over it gives way to any other
retreat. A convoy is not affected by it.

`movement`, `board_state` and `retreats_and_winters` apply these rules. These modules find the borders in
`Board.beyond`.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from judge.rules.board.names import capitalized, listed
from judge.rules.board.orders import Places, Position, Unit, province_of
from judge.rules.board.phase import season, year
from judge.rules.board.province import Crossing, Landing, with_changes, with_coasts_joined, without_coast
from judge.rules.board.ruleset import R, Ruleset
from judge.rules.mechanisms.files import (
    BORDERS,
    FLAG,
    LINE,
    Faults,
    Kind,
    MechanismInFile,
    RulesFile,
    Table,
    each,
    needed,
    pair_of,
    twice,
    words_of,
)

# The sentence on retreats over borders that weaken a unit.
_RETREATS = "If two units retreat to one province, and only one of them crosses such a border, only the other succeeds."


@dataclass(frozen=True)
class HalfStrengthBorders(MechanismInFile):
    """Borders that a unit crosses at half strength.

    `way` says where these borders lead, as the end of a sentence. `borders` has pairs of provinces. If `every_convoy`
    is true, any army convoyed to the end of such a border attacks at half strength.
    """

    way: str = ""
    borders: tuple[tuple[str, str], ...] = ()
    every_convoy: bool = False

    TABLES = ("detours",)
    KEYS = {"way": needed(LINE), "borders": BORDERS, "every_convoy": FLAG}

    @property
    def crossing(self) -> Crossing:
        """Return the borders, and the strength that a unit loses by crossing one."""
        return Crossing(self.borders, self.way, landing=Landing.ALWAYS if self.every_convoy else Landing.BY_ROUTE)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        beyond: dict[str, list[str]] = {}
        for one, other in self.borders:
            the = "the " if ruleset.provinces[one].kind == "sea" else ""
            beyond.setdefault(the + ruleset.provinces[one].name, []).append(ruleset.provinces[other].name)
        for name, others in beyond.items():
            yield f"{capitalized(self.way)}, {name} borders on {listed(others)}."
        if not beyond:
            return
        yield "A move over such a border has half strength. Supports for it have full strength."
        yield "Such a move cuts a support only by dislodging the supporting unit."
        yield "Units cannot support over such a border, either to hold or to attack."
        yield "For removals that are not ordered, such a border is one step in the distance of a unit from its centers."
        if self.every_convoy:
            lands = listed(dict.fromkeys(other for others in beyond.values() for other in others), "or")
            yield f"An army convoyed to {lands} attacks at half strength, but cuts support like any army."
        else:
            yield (
                "A convoyed army that lands over such a border attacks at half strength, but cuts support like any "
                "army. If another unbroken route leads there without such a border, the army attacks at full "
                "strength."
            )
        yield _RETREATS


@dataclass(frozen=True)
class DifficultBorders(MechanismInFile):
    """Borders over which a unit has no strength of its own. `borders` has pairs of provinces."""

    borders: tuple[tuple[str, str], ...] = ()

    TABLES = ("difficult",)
    KEYS = {"borders": BORDERS}

    @classmethod
    def faults(cls, file: RulesFile, table: Table) -> Faults:
        """Yield (mistake, key) for each mistake that a check of the single values cannot find."""
        if "detours" in file.tables:
            yield ": a board with detours cannot have difficult borders too", "borders"

    @property
    def crossing(self) -> Crossing:
        """Return the borders, and the strength that a unit loses by crossing one."""
        return Crossing(self.borders, "over a difficult border", lost=2, landing=Landing.NEVER)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        pairs = [" and ".join(ruleset.named(pair)) for pair in self.borders]
        are = "These borders are" if len(pairs) > 1 else "One border is"
        yield f"{are} difficult to cross: {listed(f'between {pair}' for pair in pairs)}."
        yield "A move over such a border has no strength of its own, only that of its supports."
        yield "Without support it still enters an empty province if no other move goes there."
        yield "Such a move cuts a support only if the move itself is supported."
        yield "Units cannot support over such a border, either to hold or to attack."
        yield _RETREATS
        yield "A convoyed army does not cross such a border, and has full strength."


# --- canals ----------------------------------------------------------------------------------------------------------


def _canal_faults(file: RulesFile, name: str, opens: object) -> Iterator[str]:
    if len(file.province(name).coasts) != 2:
        yield f"{name} is not a province with two coasts"
    if type(opens) is not int or not 0 < opens < 10_000:
        yield f"{name} opens in a year, not in {opens}"


@dataclass(frozen=True)
class Canals(MechanismInFile):
    """Canals that open in a certain year of the game.

    Until the Spring of that year, the province has two coasts. From then on it has one.

        [canals]
        Suez = 1870

    A fleet on either coast when the canal opens is simply in the province. (Intercontinental, 5.2.)

    `opens` is {province: the year in whose Spring its canal opens}.
    """

    opens: Mapping[str, int] = field(default_factory=dict)

    TABLES = ("canals",)
    WHOLE = each(Kind(_canal_faults))

    def open_in(self, year: int) -> Places:
        """Return the provinces whose canals are open in the year."""
        return tuple(name for name, opens in self.opens.items() if year >= opens)

    def in_phase(self, ruleset: R, phase: str) -> R:
        """Return the ruleset as it applies in the phase."""
        names = self.open_in(year(phase))
        return _opened(ruleset, names) if any(ruleset.provinces[name].coasts for name in names) else ruleset

    def as_phase_begins(self, position: Position) -> Position:
        """Move fleets from the coasts of canals that are open in the position's phase.

        Such fleets are then simply in the province.
        """
        names = self.open_in(year(position.phase))
        units = {
            power: tuple(Unit(unit.kind, without_coast(unit.place, names)) for unit in own)
            for power, own in position.units.items()
        }
        return replace(position, units=units)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        for name, opens in self.opens.items():
            canal = ruleset.provinces[name].name
            yield (
                f"{canal} has two coasts until its canal opens in Spring {opens}. From then on {canal} has one coast, "
                "and fleets can pass through."
            )


@lru_cache(maxsize=128)
def _opened(ruleset: R, names: Places) -> R:
    """Return the ruleset with these canals open. The result is cached, so that it is made only once."""
    provinces, waiting = with_changes(with_coasts_joined(ruleset.provinces, names), ruleset.border_changes)
    return replace(ruleset, provinces=provinces, border_changes=waiting, undated=ruleset.undated or ruleset)


# --- closed seasons --------------------------------------------------------------------------------------------------


SEASONS = ("Spring", "Fall")


def _way_faults(file: RulesFile, key: str, value: object) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{key} must be text: provinces and borders"
    yield from twice(words_of(value))
    for place in words_of(value):
        one, other = pair_of(place)
        if not (other in file.province(one).neighbours if "-" in place else one in file.provinces):
            yield f"{place} is neither a province nor a border"


_WAYS = Kind(_way_faults, words_of)


@dataclass(frozen=True)
class ClosedSeasons(MechanismInFile):
    """Provinces and borders that no unit can pass in one season of the year.

        [closed]
        Fall = "ARC PEL-HWO"
        Spring = "CTK-LIG"
        by = "ice"              # optional

    In the movement and the retreats of that season, no unit enters or leaves such a province. No unit supports into it
    or from it, or convoys there. A unit in such a province stays, and is safe. No unit moves, supports, retreats or
    convoys over such a border. (Loeb9, as in section 8 of the Diplomacy Adjudicator Test Cases 2.4; borders: Octarine.)

    `places` is {season: the provinces (`ARC`) and borders (`PEL-HWO`) that are closed in it}. `by` says what closes
    them. `now` is the season of a ruleset that is for one phase.
    """

    places: Mapping[str, Places] = field(default_factory=dict)
    by: str = ""
    now: str = ""

    TABLES = ("closed",)
    KEYS = {**dict.fromkeys(SEASONS, _WAYS), "by": LINE}

    @classmethod
    def of_table(cls, values: Table) -> Self:
        """Return the mechanism with the values of its table."""
        return cls({name: values[name] for name in SEASONS if name in values}, values.get("by", ""))

    @classmethod
    def faults(cls, file: RulesFile, table: Table) -> Faults:
        """Yield (mistake, key) for each mistake that a check of the single values cannot find."""
        if not any(map(table.get, SEASONS)):
            yield f": it needs {' or '.join(SEASONS)}", ""

    def in_phase(self, ruleset: R, phase: str) -> R:
        """Return the ruleset as it applies in the phase."""
        name = season(phase)
        return _closed(ruleset, name, self.places[name]) if self.places.get(name) else ruleset

    @property
    def why_closed(self) -> str:
        """Return a clause on how the season closes the way, or "" if nothing is closed."""
        return f" in {self.now}: {f'{self.by} closes the way' if self.by else 'the way is closed'}" if self.now else ""

    def when_closed(self, province: str) -> Iterator[tuple[str, str]]:
        """Yield (season, neighbor to which the way is then closed), with "" if the whole province is closed."""
        for name, places in self.places.items():
            for place in places:
                ends = place.split("-")
                if province in ends:
                    ends.remove(province)
                    yield name, "".join(ends)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
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
                        f"In {name} {called} is closed{by}: no unit can enter or leave it, not even by retreat. "
                        "Units there stay, and can neither support nor convoy."
                    )


def _shut(closed: Places) -> tuple[set[str], dict[str, set[str]]]:
    """Return the closed provinces, and for each other province the neighbors to which its border is closed."""
    shut = set()
    beyond: dict[str, set[str]] = {}
    for place in closed:
        one, dash, other = place.partition("-")
        if dash:
            beyond.setdefault(one, set()).add(other)
            beyond.setdefault(other, set()).add(one)
        else:
            shut.add(one)
    return shut, beyond


def _but(gone: Collection[str], places: Places) -> Places:
    """Return the places without the places in the provinces `gone`."""
    return tuple(place for place in places if province_of(place) not in gone)


@lru_cache(maxsize=128)
def _closed(ruleset: R, name: str, closed: Places) -> R:
    """Return the ruleset with these places and borders closed. The result is cached, so that it is made only once."""
    shut, beyond = _shut(closed)
    provinces = {}
    for abbr, province in ruleset.provinces.items():
        gone: Collection[str] = ruleset.provinces if abbr in shut else shut | beyond.get(abbr, set())
        fleet = {coast: _but(gone, places) for coast, places in province.fleet.items()}
        provinces[abbr] = replace(province, army=_but(gone, province.army), fleet=fleet)
    rules = [replace(one, now=name) if isinstance(one, ClosedSeasons) else one for one in ruleset.mechanisms]
    whole = ruleset.undated or ruleset
    return replace(ruleset, provinces=provinces, mechanisms=tuple(rules), undated=whole)
