"""The common part of the readers of foreign map files: a sketch of a variant, filled in line by line, and its
completion.

Foreign files contain no letters and colours, and often list a border at only one of its ends. `finished` adds the
letters and colours; `judge variants check` finds the missing borders.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from judge.rules.board.orders import Unit
from judge.rules.board.power import Power
from judge.rules.board.province import Province
from judge.rules.mechanisms.victory import Victory
from judge.rules.variant.variant import Variant

# The first eight can be told apart by everybody, the colour-blind too (seven are those of the standard game); each of
# the others is as different as possible from those before it. If there are more powers, the colours are used again.
PALETTE = (
    "#d80012", "#244890", "#48b4ff", "#363636", "#48905a", "#f8f8f8", "#eac624", "#b46ca2", "#7b4a12", "#00b3a4",
    "#c9d64f", "#f2b598", "#ac00e5", "#00e500", "#0000e5", "#60f285", "#60f2f2", "#7f007f", "#72e500", "#007f00",
    "#e50072", "#0072e5", "#7f0000", "#f26060",
)  # fmt: skip


# More than any board has. The contents of foreign files are limited, like their size (source.py).
MOST_PROVINCES = 2000
MOST_NEIGHBOURS = 200
MOST_POWERS = 100


class ForeignFileError(ValueError):
    """A file that cannot be imported; the message names the line and says why."""


@dataclass
class SketchPower:
    name: str
    adjective: str = ""
    letter: str = ""
    homes: list[str] = field(default_factory=list)
    owns: list[str] | None = None
    units: list[str] = field(default_factory=list)


@dataclass
class SketchProvince:
    """`fleet` is keyed by coast, "" if the province has only one."""

    abbr: str
    name: str = ""
    kind: str = ""
    port: bool = False
    aliases: list[str] = field(default_factory=list)
    army: list[str] = field(default_factory=list)
    fleet: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Sketch:
    title: str
    start: str = "S1901M"
    victory: int = 0
    powers: dict[str, SketchPower] = field(default_factory=dict)
    provinces: dict[str, SketchProvince] = field(default_factory=dict)
    centers: set[str] = field(default_factory=set)


def finished(name: str, sketch: Sketch, sources: str) -> Variant:
    """The variant made from the sketch: with letters and colours, and with no name used twice."""
    if len(sketch.provinces) > MOST_PROVINCES:
        raise ForeignFileError(f"there are more than {MOST_PROVINCES:,} provinces")
    centers = sketch.centers.union(*(power.homes + (power.owns or []) for power in sketch.powers.values()))
    return Variant(
        name=name,
        title=sketch.title,
        start=sketch.start,
        powers=tuple(_powers(sketch.powers.values())),
        provinces=_provinces(sketch.provinces, centers),
        mechanisms=(Victory(sketch.victory or len(centers) // 2 + 1),),
        counts={
            "provinces": sum(one.kind != "impassable" for one in sketch.provinces.values()),
            "centers": len(centers),
        },
        sources=sources,
    )


def _powers(sketches: Iterable[SketchPower]) -> Iterable[Power]:
    taken = {power.letter for power in sketches if power.letter}
    for number, power in enumerate(sketches):
        homes = tuple(sorted(power.homes))
        yield Power(
            name=power.name,
            adjective=power.adjective or power.name,
            letter=power.letter or _free_letter(power.name, taken),
            colour=PALETTE[number % len(PALETTE)],
            homes=homes,
            owns=homes if power.owns is None else tuple(sorted(power.owns)),
            units=tuple(Unit(*unit.split()) for unit in power.units),
        )


def _free_letter(name: str, taken: set[str]) -> str:
    """The first letter of the name that no power has yet and that does not stand for the master or an observer."""
    wanted = [letter for letter in name.upper() if letter.isascii() and letter.isalpha()]
    for letter in chain(wanted, "ABCDEFGHIJKLNPQRSTUVWXYZ"):
        if letter not in taken and letter not in "MO":
            taken.add(letter)
            return letter
    raise ForeignFileError("There are more powers than letters.")


def _provinces(sketches: dict[str, SketchProvince], centers: set[str]) -> dict[str, Province]:
    owners: dict[str, str] = {}
    for province in sketches.values():
        for word in (province.abbr, province.name):
            owners.setdefault(word.lower(), province.abbr)
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
        )
        for abbr, province in sorted(sketches.items())
    }


def _own_aliases(province: SketchProvince, owners: dict[str, str]) -> Iterable[str]:
    """The aliases that no other province has."""
    for alias in province.aliases:
        if owners.setdefault(alias.lower(), province.abbr) == province.abbr and alias.upper() not in (
            province.abbr,
            province.name.upper(),
        ):
            yield alias
