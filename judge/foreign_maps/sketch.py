"""A sketch of a variant, which the readers of foreign map files fill in line by line, and its completion.

Foreign files have no colors, and often no letters; `finished` adds them.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from string import ascii_uppercase
from typing import Any, NamedTuple

from judge.foreign_maps.source import MapError, printed
from judge.rules.board.names import fold, joined
from judge.rules.board.phase import PhaseError, kind, read_phase
from judge.rules.board.power import MOST_LETTERS
from judge.rules.mechanisms.crossings import SEASONS
from judge.rules.mechanisms.files import colour_distance

# The first nine can be told apart by the color-blind too (seven are those of the standard game), and so almost can the
# tenth; each of the others is as different as possible from those before it. Further powers get such colors too.
PALETTE = (
    "#d80012", "#244890", "#48b4ff", "#363636", "#48905a", "#f8f8f8", "#eac624", "#b46ca2", "#a0ffb8", "#8c00ff",
    "#7b4a12", "#00b3a4", "#c9d64f", "#f2b598", "#00e500", "#0000e5", "#60f2f2", "#7f007f", "#72e500", "#007f00",
    "#e50072", "#0072e5", "#7f0000", "#f26060",
)  # fmt: skip


# More than any board has. The contents of foreign files are limited, like their size (source.py).
MOST_PROVINCES = 2000
MOST_NEIGHBOURS = 200
MOST_POWERS = 100
_YEAR_BEFORE_CHRIST = re.compile(
    r"\bB\.?C\.?E?\.?\s*(\d{1,4})\b|\b(\d{1,4})\s*B\.?C\.?E?\.?(?!\w)|(?<!\w)-(\d{1,4})\b", re.IGNORECASE
)
_LETTERS = [letter for letter in ascii_uppercase if letter not in "MO"]
# Of each of red, green and blue; a lattice of these has 216 colors that can be told apart.
_STEPS = ("00", "33", "66", "99", "cc", "ff")
_PROVINCES_HEAD = """\
# One table for each province, named by its abbreviation. Each border is listed at both ends.
#   kind     land (armies), coast (armies and fleets), sea (fleets), impassable (no one)
#   army     where an army may go;  fleet  where a fleet may go; by coast if the province has two: fleet.nc
#   port     true if fleets in this coast may convoy;  armies  false if no army may enter
#   anchor   latitude and longitude
"""
# The notes that are shown one by one.
_MOST_NOTES = 30


# {(a place, a neighbor): None}, in the order of the file: the border leads from the first to the second.
Ways = dict[tuple[str, str], None]


@dataclass(eq=False)
class SketchProvince:
    """A province, which may get another abbreviation while the file is read.

    `coasts`: the places of fleets in it, "" if there is only one; `one_way`: the neighbors that do not lead back.
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
    """A power; without `owns` it begins with its home centers."""

    name: str
    adjective: str = ""
    letter: str = ""
    homes: dict[SketchProvince, None] = field(default_factory=dict)
    owns: dict[SketchProvince, None] | None = None
    emergency_sites: list[SketchProvince] = field(default_factory=list)
    gets_a_home: bool = False

    @property
    def owned(self) -> dict[SketchProvince, None]:
        """The centers with which the power begins."""
        return self.homes if self.owns is None else self.owns


class SketchUnit(NamedTuple):
    """A unit in its place; `power`: None for a neutral."""

    power: SketchPower | None
    kind: str
    coast: str


@dataclass
class Sketch:
    """A variant as far as it is read.

    `builds`: where powers build, if not in their homes, as in variant.toml; `rules`: the borders, like "ABC-DEF", that
    are of half strength (detours) or leave a move no strength (difficult), and what is closed in a season; `notes`:
    sentences for the keeper who imports it.
    """

    title: str
    start: str = "S1901M"
    special: str = ""
    victory: int = 0
    builds: dict[str, Any] = field(default_factory=dict)
    powers: dict[str, SketchPower] = field(default_factory=dict)
    provinces: dict[str, SketchProvince] = field(default_factory=dict)
    units: dict[SketchProvince, SketchUnit] = field(default_factory=dict)
    centers: set[SketchProvince] = field(default_factory=set)
    armies: Ways = field(default_factory=dict)
    fleets: Ways = field(default_factory=dict)
    rules: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, None] = field(default_factory=dict)

    def note(self, sentence: str) -> None:
        """Add a note for the keeper, once."""
        self.notes[sentence] = None

    def begin(self, text: str) -> None:
        """Set the first phase from a file: "SPRING 1901 MOVEMENT", "Fall, 1900, Adjustment", "Spring, B.C. 273".

        The years of this judge count upwards from 1: a game that begins in 273 B.C. is played from year 1 on.
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
        """The units of a power, or of the neutrals, as in variant.toml."""
        units = (one for one in self.units.items() if one[1].power is power)
        return ", ".join(f"{unit.kind} {place_of(province.abbr, unit.coast)}" for province, unit in units)


def abbr_of(place: str) -> str:
    """The province of a place: STP of "STP/NC"."""
    return place.partition("/")[0]


def place_of(abbr: str, coast: str) -> str:
    """The place of a province and a coast, which may be ""."""
    return f"{abbr}/{coast}" if coast else abbr


def from_each(ways: Ways) -> dict[str, list[str]]:
    """Group neighbors by place."""
    near: dict[str, list[str]] = defaultdict(list)
    for here, there in ways:
        near[here].append(there)
    return near


class Imported(NamedTuple):
    """A map that was read: its two files, sentences on what was changed or left out, the files that show its board."""

    sketch: Sketch
    files: tuple[str, str]
    notes: tuple[str, ...]
    drawings: Sequence[str] = ()


def finished(sketch: Sketch, sources: str) -> Imported:
    """Make the files of a variant from its sketch: with letters and colors, and with no name used twice."""
    if len(sketch.provinces) > MOST_PROVINCES:
        raise MapError(f"there are more than {MOST_PROVINCES:,} provinces")
    if sketch.rules["detours"] and sketch.rules["difficult"]:
        raise MapError("it has both half-strength and difficult borders; here a board can have only one kind")
    # Every name in one line, since it will be in mails.
    sketch.title, powers = printed(sketch.title), sketch.powers.values()
    for province in sketch.provinces.values():
        province.name = printed(province.name) or province.abbr
    for power in powers:
        power.name, power.adjective = printed(power.name), printed(power.adjective)
    if not all(power.name for power in powers):
        raise MapError("a power has no name")
    neutral = (province for province, unit in sketch.units.items() if unit.power is None)
    owned = (center for power in powers for center in (*power.homes, *power.owned))
    centers = {center.abbr for center in (*sketch.centers, *owned, *neutral)}
    head = {"title": sketch.title, "start": sketch.start, "sources": printed(sources)}
    if special := _special(sketch):
        head["special"] = special
    open_to_units = sum(one.kind != "impassable" for one in sketch.provinces.values())
    rules = {
        "victory": {"centers": sketch.victory or len(centers) // 2 + 1},
        **_mechanisms(sketch),
        "counts": {"provinces": open_to_units, "centers": len(centers)},
        **dict(_powers(sketch)),
    }
    files = _toml(head) + _tables(rules), _PROVINCES_HEAD + _tables(_provinces(sketch, centers))
    notes = [*map(printed, sketch.notes), *_doubts(sketch)]
    more = [f"And {len(notes) - _MOST_NOTES} more."] if len(notes) > _MOST_NOTES else []
    return Imported(sketch, files, (*notes[:_MOST_NOTES], *more))


def _doubts(sketch: Sketch) -> Iterator[str]:
    powers = sketch.powers.values()
    if sketch.start[-1] == "M" and not any(map(sketch.units_of, powers)):
        yield "No power has a unit at the start."
    for power in powers:
        if not (power.homes or power.owns or sketch.units_of(power) or power.gets_a_home):
            yield f"{power.name} was taken for a power, but has no center and no unit."
    if len(powers) > MOST_LETTERS:
        yield f"There are {len(powers)} powers, too many for letters, so players sign on with power@game."


def _tables(tables: Mapping[str, Mapping[str, Any]]) -> str:
    return "".join(f"\n[{name}]\n{_toml(values)}" for name, values in tables.items())


def _toml(values: Mapping[str, Any]) -> str:
    # Numbers, texts and lists are written as in JSON.
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())


def _special(sketch: Sketch) -> str:
    """Short sentences with what players must know of the board from the first day on."""
    rules = sketch.rules
    told = {
        sketch.special: sketch.special,
        "Across some borders a move has half strength.": rules["detours"],
        "Across some borders a move has only the strength of its supports.": rules["difficult"],
        "Some routes are closed in one season.": rules["Spring"] or rules["Fall"],
        "GET RULES lists them.": any(rules.values()),
    }
    return " ".join(sentence for sentence, there in told.items() if there)


def _mechanisms(sketch: Sketch) -> dict[str, dict[str, Any]]:
    """The tables of variant.toml that switch on what the map needs (docs/variants.md)."""
    powers = sketch.powers.values()
    promised = [power.name for power in powers if power.gets_a_home]
    rules = {name: " ".join(places) for name, places in sketch.rules.items() if places}
    tables: dict[str, dict[str, Any]] = {"builds": sketch.builds}
    if "detours" in rules:
        tables["detours"] = {"way": "by a long way around", "borders": rules["detours"]}
    if "difficult" in rules:
        tables["difficult"] = {"borders": rules["difficult"]}
    tables["closed"] = {season: rules[season] for season in SEASONS if season in rules}
    if neutrals := sketch.units_of(None):
        tables["neutrals"] = {"units": neutrals, "orders": "hold"}
    for power in powers:
        if power.emergency_sites:
            tables[f"emergency.{_quoted(power.name)}"] = {"extra_units": 1, "sites": _abbrs(power.emergency_sites)}
    if promised:
        tables["extra_home"] = {"powers": promised}
    return {name: table for name, table in tables.items() if table}


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _abbrs(provinces: Iterable[SketchProvince]) -> str:
    return " ".join(sorted({province.abbr for province in provinces}))


def _powers(sketch: Sketch) -> Iterator[tuple[str, dict[str, Any]]]:
    powers = sketch.powers.values()
    for power, letter, colour in zip(powers, _letters(powers), _colours(len(powers)), strict=True):
        table = {
            "adjective": power.adjective or power.name,
            "letter": letter,
            "colour": colour,
            "homes": _abbrs(power.homes),
            "units": sketch.units_of(power),
        }
        if (owns := _abbrs(power.owned)) != table["homes"]:
            table["owns"] = owns
        yield f"powers.{_quoted(power.name)}", table


def _colours(count: int) -> list[str]:
    """Colors of the palette, and beyond it those of the lattice that are farthest from all before."""
    colours = [*PALETTE[:count]]
    lattice = [f"#{red}{green}{blue}" for red, green, blue in product(_STEPS, repeat=3)]
    while len(colours) < count:
        colours.append(max(lattice, key=lambda colour: min(colour_distance(colour, other) for other in colours)))
    return colours


def _letters(powers: Collection[SketchPower]) -> list[str]:
    """A letter for each power: the one in its file if that is free, else the first free one of its name.

    There are two letters each if there are more powers than letters. M and O are the master and observers.
    """
    letters: dict[SketchPower, str] = {}
    length = 1 if len(powers) <= MOST_LETTERS else 2
    for power in powers if length == 1 else ():
        if power.letter in _LETTERS and power.letter not in letters.values():
            letters[power] = power.letter
    for power in powers:
        plain = [letter for letter in power.name.upper() if letter in ascii_uppercase]
        wanted = plain if length == 1 else [plain[0] + letter for letter in plain[1:]]
        any_letters = map("".join, product(_LETTERS, repeat=length))
        taken = {"M", "O", *letters.values()}
        if power not in letters:
            letters[power] = next(free for free in chain(wanted, any_letters) if free not in taken)
    return [letters[power] for power in powers]


def _provinces(sketch: Sketch, centers: set[str]) -> dict[str, dict[str, Any]]:
    owners: dict[str, str] = {}
    for province in sketch.provinces.values():
        for word in (province.abbr, province.name):
            owners.setdefault(joined(fold(word)), province.abbr)
    armies, fleets = from_each(sketch.armies), from_each(sketch.fleets)
    tables = {}
    for abbr, province in sorted(sketch.provinces.items()):
        table = {
            "name": province.name,
            "aliases": [*_own_aliases(province, owners)],
            "kind": province.kind,
            "center": abbr in centers,
            "port": province.port,
            "army": " ".join(sorted(armies[abbr])),
            "one_way": " ".join(dict.fromkeys(province.one_way)),
        }
        tables[abbr] = {key: value for key, value in table.items() if value}
        for coast in sorted(province.coasts):
            key = f"fleet.{coast.lower()}" if coast else "fleet"
            tables[abbr][key] = " ".join(sorted(fleets[place_of(abbr, coast)]))
    return tables


def _own_aliases(province: SketchProvince, owners: dict[str, str]) -> Iterator[str]:
    """The aliases that no other province has."""
    own = {joined(fold(province.abbr)), joined(fold(province.name))}
    for alias in dict.fromkeys(map(printed, province.aliases)):
        word = joined(fold(alias))
        if word and word not in own and owners.setdefault(word, province.abbr) == province.abbr:
            yield alias
