"""The pictures of one scene: the whole board and its parts, and which of them a player gets.

A board has parts if its names could not be read in a picture of the whole.
"""

from collections.abc import Collection, Iterable, Sequence, Set
from functools import lru_cache
from itertools import combinations
from typing import Literal

from judge.maps.document import Drawing
from judge.maps.draw import drawing
from judge.maps.geometry import Geometry, Part, overview_of, part_of
from judge.maps.scene import Scene
from judge.rules import Position

# PNGs of the board and of its parts, a smaller one of the whole alone, or an SVG with every detail.
Form = Literal["png", "small", "svg"]

# The width of a small picture, as a share of the width at which its board is easily read.
_SMALL = 0.65
# Names smaller than this many pixels in the picture of the whole board are only in the pictures of its parts.
_READ = 9.0
# The most pictures in a mail: few people load or look at more on a phone.
MOST = 3


def tail(part: str) -> str:
    """The end of a part's file name, "-south-america"; the whole board has none."""
    return f"-{part.lower().replace(' ', '-')}" if part else ""


def page_names(geometry: Geometry, form: Form) -> list[str]:
    """List the parts of the board that the pictures of a form show, "" for the whole."""
    return ["", *(part.name for part in geometry.parts)] if form == "png" else [""]


def is_named(geometry: Geometry) -> bool:
    """Whether every name can be read in the picture of the whole board, or nowhere else."""
    smallest = geometry.label * min(spot.label_scale for spot in geometry.spots.values())
    return not geometry.parts or smallest * geometry.width / geometry.box[0] >= _READ


def page(scene: Scene, geometry: Geometry, form: Form, name: str = "") -> Drawing | None:
    """Draw the picture of a form: of the part of that name, "" for the whole; None if there is no such part."""
    if name:
        part = next((part for part in geometry.parts if part.name == name), None)
        return part and drawing(scene, part_of(geometry, part), part.pixels, name)
    width = round(geometry.width * _SMALL) if form == "small" else geometry.width
    return drawing(scene, geometry if form == "svg" or is_named(geometry) else overview_of(geometry, width), width)


def parts_to_see(geometry: Geometry, position: Position, powers: Collection[str] = ()) -> list[str]:
    """Choose the whole board (""), then the parts for a player of these powers.

    They are the parts with most of the player's units and centers, each chosen for what none before it shows; all
    parts, if a mail has room for all. Without powers (an observer, the master) the units and centers of all count.
    """
    places = _places(position, powers) or _places(position, {*position.units, *position.centers})
    chosen = _covering(geometry, [{place} for place in places], MOST - 1)
    if len(geometry.parts) < MOST:
        chosen += [part.name for part in geometry.parts if part.name not in chosen]
    return ["", *chosen]


def parts_showing(geometry: Geometry, ordered: Iterable[Set[str]]) -> list[str]:
    """Choose the fewest parts that show some orders, given as the provinces of each.

    Each order is whole in one of them if a part has room for it. Without parts or provinces it is the whole board ("").
    """
    wanted = [set(places) for places in ordered if places]
    return _covering(geometry, wanted, MOST) or [""]


def _covering(geometry: Geometry, wanted: Sequence[Set[str]], most: int) -> list[str]:
    """The fewest parts that show as many as possible of these sets of provinces whole, and as much of the others."""
    shown = {part.name: _in(geometry, part) for part in geometry.parts}
    everything = set().union(*wanted)

    def worth(names: Collection[str]) -> tuple[int, int, int]:
        whole = sum(any(places <= shown[name] for name in names) for places in wanted)
        return whole, len(everything & set().union(*(shown[name] for name in names))), -len(names)

    choices = (names for count in range(most + 1) for names in combinations(shown, count))
    best: tuple[str, ...] = max(choices, key=worth)
    return sorted(best, key=lambda name: worth([name]), reverse=True)


def _places(position: Position, powers: Collection[str]) -> set[str]:
    """The provinces in which these powers have a unit or a center."""
    units = {unit.province for power in powers for unit in position.units_of(power)}
    return units.union(*map(position.centers_of, powers))


# Cached, since every reader of every phase needs it.
@lru_cache(maxsize=64)
def _in(geometry: Geometry, part: Part) -> frozenset[str]:
    """The provinces that are in a part, with their name and their unit."""
    near = part_of(geometry, part)
    return frozenset(
        abbr
        for abbr, spot in near.spots.items()
        if all(part.window.meets([at], -geometry.radius(abbr)) for at in (spot.label, near.place(abbr)))
    )
