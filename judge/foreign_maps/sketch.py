"""The common part of the readers of foreign map files: a sketch of a variant, filled in line by line, and its
completion.

Foreign files contain no colours, and often no letters; `finished` adds them.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, product
from typing import NamedTuple

from judge.foreign_maps.source import MapError
from judge.rules.board.names import fold, joined
from judge.rules.board.orders import Unit
from judge.rules.board.power import MOST_LETTERS, Power
from judge.rules.board.province import Province
from judge.rules.board.ruleset import Mechanism
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals
from judge.rules.mechanisms.build_sites import BuildAnywhere
from judge.rules.mechanisms.closed_seasons import ClosedSeasons
from judge.rules.mechanisms.emergency_measures import Emergency, EmergencyMeasures
from judge.rules.mechanisms.extra_home_centers import ExtraHomeCenters
from judge.rules.mechanisms.victory import Victory
from judge.rules.mechanisms.weakening_borders import DifficultBorders, HalfStrengthBorders
from judge.rules.variant.variant import Variant
from judge.rules.variant_files.powers import colour_distance

# The first nine can be told apart by everybody, the colour-blind too (seven are those of the standard game), and so
# almost can the tenth; each of the others is as different as possible from those before it. If there are more powers,
# so is every further one.
PALETTE = (
    "#d80012", "#244890", "#48b4ff", "#363636", "#48905a", "#f8f8f8", "#eac624", "#b46ca2", "#a0ffb8", "#8c00ff",
    "#7b4a12", "#00b3a4", "#c9d64f", "#f2b598", "#00e500", "#0000e5", "#60f2f2", "#7f007f", "#72e500", "#007f00",
    "#e50072", "#0072e5", "#7f0000", "#f26060",
)  # fmt: skip


# More than any board has. The contents of foreign files are limited, like their size (source.py).
MOST_PROVINCES = 2000
MOST_NEIGHBOURS = 200
MOST_POWERS = 100
_LETTERS = "ABCDEFGHIJKLNPQRSTUVWXYZ"
# Of each of red, green and blue; a lattice of these has 216 colours, each told from the next.
_STEPS = ("00", "33", "66", "99", "cc", "ff")
# Notes that are told one by one.
_MOST_NOTES = 30


@dataclass
class SketchPower:
    name: str
    adjective: str = ""
    letter: str = ""
    homes: list[str] = field(default_factory=list)
    owns: list[str] | None = None
    units: list[str] = field(default_factory=list)
    emergency_sites: list[str] = field(default_factory=list)
    gets_a_home: bool = False


@dataclass
class SketchProvince:
    """`fleet` is keyed by coast, "" if the province has only one; `one_way`: the neighbours that do not lead back."""

    abbr: str
    name: str = ""
    kind: str = ""
    port: bool = False
    aliases: list[str] = field(default_factory=list)
    army: list[str] = field(default_factory=list)
    fleet: dict[str, list[str]] = field(default_factory=dict)
    one_way: list[str] = field(default_factory=list)


@dataclass
class Sketch:
    """`builds`: where, if not in its own homes; `long_ways`: the borders of half strength; `difficult`: those that
    leave a move no strength; `closed`: {season: the provinces and borders that are closed in it}; `neutrals`: the units
    of nobody; `notes`: what the keeper who imports it is told.
    """

    title: str
    start: str = "S1901M"
    special: str = ""
    victory: int = 0
    builds: BuildAnywhere | None = None
    powers: dict[str, SketchPower] = field(default_factory=dict)
    provinces: dict[str, SketchProvince] = field(default_factory=dict)
    centers: set[str] = field(default_factory=set)
    long_ways: list[tuple[str, str]] = field(default_factory=list)
    difficult: list[tuple[str, str]] = field(default_factory=list)
    closed: dict[str, list[str]] = field(default_factory=dict)
    neutrals: list[str] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def note(self, sentence: str) -> None:
        self.notes[sentence] = None


class Imported(NamedTuple):
    """A variant, and what was changed in it or left out, a sentence each."""

    variant: Variant
    notes: tuple[str, ...]


def finished(name: str, sketch: Sketch, sources: str) -> Imported:
    """The variant made from the sketch: with letters and colours, and with no name used twice."""
    if len(sketch.provinces) > MOST_PROVINCES:
        raise MapError(f"there are more than {MOST_PROVINCES:,} provinces")
    if sketch.long_ways and sketch.difficult:
        raise MapError("it has borders of half strength and difficult ones; here a board has one of them")
    _print_names(sketch)
    owned = (power.homes + (power.owns or []) for power in sketch.powers.values())
    centers = sketch.centers.union(*owned, (_province_of(unit) for unit in sketch.neutrals))
    variant = Variant(
        name=name,
        title=sketch.title,
        start=sketch.start,
        special=" ".join([sketch.special, *_special(sketch)]).strip(),
        powers=tuple(_powers(sketch.powers.values())),
        provinces=_provinces(sketch.provinces, centers),
        mechanisms=(Victory(sketch.victory or len(centers) // 2 + 1), *_mechanisms(sketch)),
        counts={
            "provinces": sum(one.kind != "impassable" for one in sketch.provinces.values()),
            "centers": len(centers),
        },
        sources=sources,
    )
    notes = [*map(_printed, sketch.notes)]
    if sketch.start[-1] == "M" and not any(power.units for power in sketch.powers.values()):
        notes.append("No power has a unit when it begins.")
    notes += [
        f"{power.name} is taken for a power, but has no center and no unit."
        for power in sketch.powers.values()
        if not (power.homes or power.owns or power.units or power.gets_a_home)
    ]
    if len(sketch.powers) > MOST_LETTERS:
        notes.append(
            f"There are {len(sketch.powers)} powers, more than letters: players sign on with power@game."
        )
    left = len(notes) - _MOST_NOTES
    return Imported(variant, (*notes[:_MOST_NOTES], *([f"And {left} more of these."] if left > 0 else ())))


def _print_names(sketch: Sketch) -> None:
    """Every name in one line, since it will stand in mails."""
    sketch.title = _printed(sketch.title)
    for province in sketch.provinces.values():
        province.name = _printed(province.name)
        province.aliases = [*map(_printed, province.aliases)]
    for power in sketch.powers.values():
        power.name, power.adjective = _printed(power.name), _printed(power.adjective)
        if not power.name:
            raise MapError("a power has no name")


def _printed(name: str) -> str:
    return "".join(sign for sign in " ".join(name.split()) if sign.isprintable())


def _special(sketch: Sketch) -> list[str]:
    """What players must know of the board from the first day on, in short sentences."""
    told = []
    if sketch.long_ways:
        told.append("Over some borders a move has half strength.")
    if sketch.difficult:
        told.append("Over some borders a move has only the strength of its supports.")
    if sketch.closed:
        told.append("Some ways are closed in a season.")
    return [*told, "GET RULES tells which."] if told else []


def _province_of(unit: str) -> str:
    """STP of "F STP/NC"."""
    return unit.split()[1].partition("/")[0]


def _mechanisms(sketch: Sketch) -> Iterator[Mechanism]:
    if sketch.builds:
        yield sketch.builds
    if sketch.long_ways:
        yield HalfStrengthBorders("by a long way around", tuple(sketch.long_ways))
    if sketch.difficult:
        yield DifficultBorders(tuple(sketch.difficult))
    if sketch.closed:
        yield ClosedSeasons({season: tuple(places) for season, places in sketch.closed.items()})
    if sketch.neutrals:
        yield ArmedNeutrals(tuple(Unit(*unit.split()) for unit in sketch.neutrals), ("hold",))
    powers = sketch.powers.values()
    if sites := {power.name: Emergency(1, tuple(power.emergency_sites)) for power in powers if power.emergency_sites}:
        yield EmergencyMeasures(sites)
    if promised := tuple(power.name for power in powers if power.gets_a_home):
        yield ExtraHomeCenters(promised)


def _powers(sketches: Collection[SketchPower]) -> Iterable[Power]:
    letters, colours = _letters(sketches), _colours(len(sketches))
    for number, power in enumerate(sketches):
        homes = tuple(sorted(power.homes))
        yield Power(
            name=power.name,
            adjective=power.adjective or power.name,
            letter=letters[number],
            colour=colours[number],
            homes=homes,
            owns=homes if power.owns is None else tuple(sorted(power.owns)),
            units=tuple(Unit(*unit.split()) for unit in power.units),
        )


def _colours(count: int) -> list[str]:
    """As many colours of the palette, and beyond it those of the lattice that are farthest from all before."""
    colours = list(PALETTE[:count])
    if len(colours) == count:
        return colours
    lattice = [f"#{red}{green}{blue}" for red, green, blue in product(_STEPS, repeat=3)]
    far = {colour: min(colour_distance(colour, other) for other in PALETTE) for colour in lattice}
    while len(colours) < count:
        colours.append(max(lattice, key=lambda colour: far[colour]))
        far = {colour: min(least, colour_distance(colour, colours[-1])) for colour, least in far.items()}
    return colours


def _letters(sketches: Collection[SketchPower]) -> list[str]:
    """A letter for each power, the one of its file if that is free; two letters each if there are more powers than
    letters.
    """
    length = 1 if len(sketches) <= MOST_LETTERS else 2
    wished = [power.letter if length == 1 else "" for power in sketches]
    own = [letter if letter in _LETTERS and letter not in wished[:at] else "" for at, letter in enumerate(wished)]
    taken = {letter for letter in own if letter}
    return [letter or _free(power.name, length, taken) for letter, power in zip(own, sketches, strict=True)]


def _free(name: str, length: int, taken: set[str]) -> str:
    """The first letters of the name that no power has yet and that do not stand for the master or an observer, else
    any.
    """
    plain = [letter for letter in name.upper() if letter.isascii() and letter.isalpha()]
    wanted = map("".join, zip(plain[:1] * len(plain), plain[1:], strict=False)) if length == 2 else iter(plain)
    free = next(
        letters
        for letters in chain(wanted, map("".join, product(_LETTERS, repeat=length)))
        if letters not in taken and letters not in ("M", "O")
    )
    taken.add(free)
    return free


def _provinces(sketches: dict[str, SketchProvince], centers: set[str]) -> dict[str, Province]:
    owners: dict[str, str] = {}
    for province in sketches.values():
        for word in (province.abbr, province.name):
            owners.setdefault(joined(fold(word)), province.abbr)
    return {
        abbr: Province(
            abbr=abbr,
            name=province.name or abbr,
            kind=province.kind,
            center=abbr in centers,
            aliases=tuple(_own_aliases(province, owners)),
            army=tuple(sorted(set(province.army))),
            fleet={coast: tuple(sorted(set(places))) for coast, places in sorted(province.fleet.items())},
            port=province.port,
            one_way=tuple(dict.fromkeys(province.one_way)),
        )
        for abbr, province in sorted(sketches.items())
    }


def _own_aliases(province: SketchProvince, owners: dict[str, str]) -> Iterable[str]:
    """The aliases that no other province has."""
    own = {joined(fold(province.abbr)), joined(fold(province.name))}
    for alias in dict.fromkeys(province.aliases):
        word = joined(fold(alias))
        if word and word not in own and owners.setdefault(word, province.abbr) == province.abbr:
            yield alias
