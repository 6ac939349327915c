"""A sketch of a variant, which the readers of foreign map files fill in line by line, and its repair.

Other programs accept maps that this one does not. Examples are borders that are listed at only one end, and coasts
without any water. A fault that can have only one meaning is repaired, with a note for the keeper who imports the map.
`judge variants check` finds the other faults.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from judge.rules.board.names import listed
from judge.rules.board.orders import place_of, province_of
from judge.rules.board.phase import PhaseError, kind, read_phase

# Limits beyond any real board.
MOST_PROVINCES = 2000
MOST_NEIGHBOURS = 200
MOST_POWERS = 100
_YEAR_BEFORE_CHRIST = re.compile(
    r"\bB\.?C\.?E?\.?\s*(\d{1,4})\b|\b(\d{1,4})\s*B\.?C\.?E?\.?(?!\w)|(?<!\w)-(\d{1,4})\b", re.IGNORECASE
)

# The values of a table in a file, by key.
Values = dict[str, Any]
Pair = tuple[str, str]
# Borders in the order of the file, each as a key (a place and the neighbor to which it leads). The values are None.
Ways = dict[Pair, None]


def printed(text: str) -> str:
    """Return a text as one line, without characters that control a terminal or the direction of text."""
    return "".join(filter(str.isprintable, " ".join(text.split())))


class MapError(ValueError):
    """A reason why a map cannot be imported or drawn.

    The message names the line if there is one.
    """

    def __init__(self, told: str):
        # The message may quote the file, in which XML can write any character as a number.
        super().__init__(printed(told))


@dataclass(eq=False)
class SketchProvince:
    """A province, which may get another abbreviation while the file is read.

    `coasts` has the places of fleets in it, or "" if there is only one. `one_way` has the neighbors that do not lead
    back.
    """

    abbr: str
    name: str = ""
    kind: str = ""
    port: bool = False
    aliases: list[str] = field(default_factory=list)
    coasts: dict[str, None] = field(default_factory=dict)
    one_way: list[str] = field(default_factory=list)


@dataclass(eq=False)
class SketchPower:
    """A power while its map is read.

    If `owns` is None, the power begins with its home centers.
    """

    name: str
    adjective: str = ""
    letter: str = ""
    homes: dict[SketchProvince, None] = field(default_factory=dict)
    owns: dict[SketchProvince, None] | None = None
    emergency_sites: list[SketchProvince] = field(default_factory=list)
    gets_a_home: bool = False

    @property
    def owned(self) -> dict[SketchProvince, None]:
        """The centers that the power has at the start."""
        return self.homes if self.owns is None else self.owns


class SketchUnit(NamedTuple):
    """A unit in its place.

    `power` is None for a neutral.
    """

    power: SketchPower | None
    kind: str
    coast: str


@dataclass
class Sketch:
    """A variant while its files are read.

    `builds` says where powers build, if not in their homes, as in variant.toml. `rules` has the borders, like
    "ABC-DEF", at which moves have half strength (detours) or only that of their supports (difficult). `rules` also has
    the places that are closed in a season. `notes` are sentences for the keeper who imports the map. `sources` is a
    sentence. `drawings` has the files that show its board.
    """

    title: str
    sources: str
    start: str = "S1901M"
    special: str = ""
    victory: int = 0
    builds: Values = field(default_factory=dict)
    powers: dict[str, SketchPower] = field(default_factory=dict)
    provinces: dict[str, SketchProvince] = field(default_factory=dict)
    units: dict[SketchProvince, SketchUnit] = field(default_factory=dict)
    centers: set[SketchProvince] = field(default_factory=set)
    armies: Ways = field(default_factory=dict)
    fleets: Ways = field(default_factory=dict)
    rules: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, None] = field(default_factory=dict)
    drawings: list[str] = field(default_factory=list)

    def note(self, sentence: str) -> None:
        """Add a note for the keeper, unless the note is there already."""
        self.notes[sentence] = None

    def begin(self, text: str) -> None:
        """Set the first phase from a text like "SPRING 1901 MOVEMENT" or "Spring, B.C. 273".

        The years of this judge go up from 1. So a game that begins in 273 B.C. is played from year 1 on. Raises
        MapError.
        """
        words = re.sub(r"[(),]", " ", text)
        ancient = _YEAR_BEFORE_CHRIST.search(words)
        try:
            self.start = read_phase(words[: ancient.start()] + " 1 " + words[ancient.end() :] if ancient else words)
        except PhaseError as error:
            raise MapError(str(error)) from error
        if kind(self.start) == "R":
            raise MapError(f'a game cannot begin with retreats ("{text.strip()}")')
        if ancient:
            year = next(filter(None, ancient.groups()))
            self.special = f"Years are counted from the start of the game: year 1 is {int(year)} B.C."

    def units_of(self, power: SketchPower | None) -> str:
        """Return the units of a power, or of the neutrals, in the form of variant.toml."""
        units = (one for one in self.units.items() if one[1].power is power)
        return ", ".join(f"{unit.kind} {place_of(province.abbr, unit.coast)}" for province, unit in units)


def from_each(ways: Ways) -> dict[str, list[str]]:
    """Return the neighbors of each place."""
    near: dict[str, list[str]] = defaultdict(list)
    for here, there in ways:
        near[here].append(there)
    return near


# --- repairs ---


def repair(sketch: Sketch, one_way: Collection[Pair] = ()) -> None:
    """Repair a map, with a note for everything that changes.

    `one_way` has pairs of provinces whose border leads only from the first to the second.
    """
    for province in sketch.provinces.values():
        if not province.name:
            province.name = province.abbr
            sketch.note(f"{province.abbr} has no name, so it is called {province.abbr}.")
    kind = {abbr: province.kind for abbr, province in sketch.provinces.items()}
    _leave_out(sketch, str.__eq__, "{0} borders on itself: left out.", sketch.armies, sketch.fleets)
    impassable = "{1} is impassable: the borders that lead there are left out."
    _leave_out(sketch, lambda _, there: kind[there] == "impassable", impassable, sketch.armies, sketch.fleets)
    _flood(sketch)
    inland = "{0} borders on {1} for fleets, but {1} is inland: left out."
    _leave_out(sketch, lambda _, there: sketch.provinces[there].kind == "land", inland, sketch.fleets)
    _name_coasts(sketch)
    afloat = {province_of(here) for here, _ in sketch.fleets}
    for abbr in from_each(sketch.armies):
        province = sketch.provinces[abbr]
        if province.kind == "coast" and abbr not in afloat:
            province.kind, province.coasts = "land", {}
            sketch.note(f"{abbr} is called a coast, but no fleet can get there, so it is now inland.")
    _open_both_ways(sketch, set(one_way))
    _leave_out_rules_without_border(sketch)


def _leave_out(sketch: Sketch, is_wrong: Callable[[str, str], bool], told: str, *borders: Ways) -> None:
    """Remove the wrong borders between two provinces.

    `told` is the note for each removed border.
    """
    for ways in borders:
        for way in [way for way in ways if is_wrong(*map(province_of, way))]:
            del ways[way]
            sketch.note(told.format(*map(province_of, way)))


def _flood(sketch: Sketch) -> None:
    """Turn an inland province into a sea if only fleets can come from its neighbors."""
    by_fleet = {(province_of(here), province_of(there)) for here, there in sketch.fleets}
    for abbr, near in from_each(sketch.armies).items():
        back = [(other, abbr) for other in near]
        if sketch.provinces[abbr].kind == "land" and by_fleet.issuperset(back) and not sketch.armies.keys() & back:
            sketch.provinces[abbr].kind, sketch.provinces[abbr].coasts = "sea", {"": None}
            for other in near:
                del sketch.armies[abbr, other]
                sketch.fleets[abbr, other] = None
            sketch.note(f"{abbr} has borders for armies, but only fleets can get there, so it is now a sea.")


def _name_coasts(sketch: Sketch) -> None:
    """Name the coasts that fleet borders lead to, where the file names no coast or a wrong one.

    Such a border then leads to all coasts that list the fleet's province.
    """
    for here, there in list(sketch.fleets):
        abbr, _, coast = there.partition("/")
        coasts = sketch.provinces[abbr].coasts
        if coast in coasts:
            continue
        places = [place_of(abbr, one) for one in coasts if one]
        named = [one for one in places if sketch.fleets.keys() & {(one, here), (one, province_of(here))}]
        if named:
            del sketch.fleets[here, there]
            sketch.fleets |= dict.fromkeys((here, one) for one in named)
            wrong = f"on {there}, which is not a coast" if coast else f"on {there} without a coast"
            sketch.note(f"{here} borders {wrong}: taken as {listed(named)}.")


def _open_both_ways(sketch: Sketch, one_way: Collection[Pair]) -> None:
    for ways, units in ((sketch.armies, "armies"), (sketch.fleets, "fleets")):
        for here, there in [way for way in ways if way[::-1] not in ways]:
            one, other = sketch.provinces[province_of(here)], sketch.provinces[province_of(there)]
            leads = other.kind in ("land", "coast") if units == "armies" else there.partition("/")[2] in other.coasts
            if not leads:
                continue
            if (one.abbr, other.abbr) in one_way:
                one.one_way.append(there)
            elif units == "fleets" or one.kind in ("land", "coast"):
                ways[there, here] = None
                sketch.note(
                    f"{here} borders on {there} for {units}, but {there} not on {here}: the border is now open both "
                    "ways."
                )


def _leave_out_rules_without_border(sketch: Sketch) -> None:
    near = {frozenset(map(province_of, way)) for way in chain(sketch.armies, sketch.fleets)}

    def is_there(place: str) -> bool:
        if "-" not in place or frozenset(place.split("-")) in near:
            return True
        sketch.note(f"There is a rule for the border {place}, but no such border: left out.")
        return False

    for rule, places in sketch.rules.items():
        sketch.rules[rule] = [*filter(is_there, dict.fromkeys(places))]
