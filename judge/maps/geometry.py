"""The places of all things on a variant's board, read from `variants/<name>/geometry.json` and prepared for drawing.

The file (described in docs/variants.md) has every common line of two provinces once, as an arc. A province consists of
rings of arcs. So two provinces touch in the drawing if and only if they share an arc.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import inf
from pathlib import Path
from typing import NamedTuple

from judge.rules.board.orders import province_of
from judge.rules.variant.registry import GEOMETRY_FILE, variant_folder

# Sizes in an overview, in pixels: radii of units and centers, the size of names, the minimum width of lines.
_UNIT, _DOT, _NAME, _HAIRLINE = 6.0, 2.17, 8.75, 1.0

Point = tuple[float, float]
# The numbers of the arcs that make a closed line. ~n means arc n from its end to its beginning.
Ring = Sequence[int]
Way = Sequence[Point]


class NoGeometry(ValueError):
    """A variant that cannot be drawn. The message says why."""


class Box(NamedTuple):
    """A rectangle of the board, or of the page around it."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, points: Iterable[Point], room: float = 0) -> "Box":
        """Return the rectangle around some points, with `room` on all sides."""
        across, down = zip(*points, strict=True)
        return cls(min(across) - room, min(down) - room, max(across) + room, max(down) + room)

    @property
    def width(self) -> float:
        """Return the distance from the left to the right edge."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return the distance from the top to the bottom edge."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """Return the point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """Return the four corners, in the order of a walk along the edges."""
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two rectangles have more than an edge in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: "Box") -> bool:
        """Return whether all of the other rectangle is within this rectangle."""
        return (
            other.left >= self.left
            and other.top >= self.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def meets(self, points: Iterable[Point], room: float = 0) -> bool:
        """Return whether the rectangle overlaps the rectangle around some points, widened by `room`."""
        return self.overlaps(Box.around(points, room))


class Part(NamedTuple):
    """A piece of the board that has a separate picture, `pixels` wide."""

    name: str
    window: Box
    pixels: int


class Arc(NamedTuple):
    """A line between two sides. A side is a province, "+land" (scenery), "+lake" or "" (off the board).

    `kind` is c (coast), l (land border), s (sea border) or f (the board's frame). If `barrier` is true, no unit can
    pass.
    """

    kind: str
    barrier: bool
    sides: tuple[str, str]
    points: tuple[Point, ...]


class Outline(NamedTuple):
    """A closed line around a piece of an area, or around a hole in it."""

    way: Way
    is_hole: bool


class Link(NamedTuple):
    """Two provinces that are adjacent but do not touch, and the ends of the line that shows this border."""

    pair: frozenset[str]
    start: Point
    end: Point


class Tag(NamedTuple):
    """A name in a frame, at one end of a link whose line would be too long.

    The tag names the provinces at the other ends of its links.
    """

    at: Point
    others: tuple[str, ...]


@dataclass(frozen=True)
class Spot:
    """A province on the board.

    `units` has the places of units by coast, with "" for armies and for a coast that is not split. `coasts` has the
    places of the names of split coasts. `label_scale` and `unit_scale` multiply the sizes of the board in crowded
    places.

    If the name has no room inside, `leader` is the end of a line from the name into the province. `overview` is the
    place of the name in an overview, or None if it is not shown there.
    """

    rings: tuple[Ring, ...]
    label: Point
    units: Mapping[str, Point]
    label_scale: float = 1
    unit_scale: float = 1
    coasts: Mapping[str, Point] = field(default_factory=dict)
    center: Point | None = None
    leader: Point | None = None
    overview: Point | None = None


@dataclass(frozen=True, eq=False)
class Geometry:
    """A board, or the `window` of it that is drawn.

    `box` is its width and height. `label`, `unit` and `dot` are the font size and the radii of units and centers, as
    lengths on the board. If `wraps` is true, the east and the west edge are the same line. `width` is the width in
    pixels at which a picture is easily legible. `parts` has the parts of a board that is too large for one picture.
    `off` has the areas within the box that are not on the board. `canals` is {province: the line of its canal}.

    In an `overview`, only seas have names, and everything else is larger. Its lines are at least `hairline` wide and
    need few bytes. On a `schematic` board, provinces are discs, and their borders are links. A `traced` board was made
    from another program's board.
    """

    box: Point
    label: float
    unit: float
    dot: float
    arcs: tuple[Arc, ...]
    spots: Mapping[str, Spot]
    links: tuple[Link, ...]
    tags: Mapping[str, Tag]
    scenery: tuple[Ring, ...]
    lakes: tuple[Ring, ...]
    window: Box
    off: tuple[Ring, ...] = ()
    parts: tuple[Part, ...] = ()
    canals: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    wraps: bool = False
    width: int = 1400
    overview: bool = False
    hairline: float = 0
    schematic: bool = False
    traced: bool = False

    @property
    def shifts(self) -> tuple[float, ...]:
        """Return the distances, to the east and west, at which the board repeats itself.

        If the board does not wrap, the only distance is 0.
        """
        return (0.0, self.box[0], -self.box[0]) if self.wraps else (0.0,)

    @cached_property
    def areas(self) -> dict[str, tuple[Outline, ...]]:
        """Return {province: its outlines} of the provinces in the window."""
        return {abbr: area for abbr, spot in self.spots.items() if (area := self.outlines(spot.rings))}

    @cached_property
    def tagged(self) -> frozenset[frozenset[str]]:
        """Return the pairs of provinces whose link is drawn as two tags."""
        return frozenset(frozenset((abbr, other)) for abbr, tag in self.tags.items() for other in tag.others)

    @cached_property
    def long_names(self) -> bool:
        """Return whether all abbreviations are in capitals, and some have more than three letters."""
        return all(map(str.isupper, self.spots)) and max(map(len, self.spots)) > 3

    def ways(self, abbr: str) -> list[list[Point]]:
        """Return the rings of a province, each as its points."""
        return [*map(self._way, self.spots[abbr].rings)]

    def outlines(self, rings: Iterable[Ring]) -> tuple[Outline, ...]:
        """Return the outlines of an area that reach into the window. A hole follows the outline around it."""
        boxed = [(way, Box.around(way)) for ring in rings for way in self.seen(self._way(ring))]
        found = []
        for way, box in boxed:
            at = Box.around(way[:2]).middle
            others = (other for other, outer in boxed if other is not way and outer.holds(box))
            found.append((sum(contains([other], at) for other in others), way))
        return tuple(Outline(way, depth % 2 == 1) for depth, way in sorted(found, key=lambda one: one[0]))

    def place(self, place: str) -> Point:
        """Return the point for a unit at a place: "STP", "STP/NC"."""
        abbr, _, coast = place.partition("/")
        units = self.spots[abbr].units
        return units.get(coast) or units[""]

    def radius(self, place: str) -> float:
        """Return the radius of a unit at a place."""
        return self.unit * self.spots[province_of(place)].unit_scale

    def seen(self, points: Way, room: float = 0) -> Iterator[tuple[Point, ...]]:
        """Yield the points at every position where they come nearer than `room` to the window.

        On a board that wraps, this includes the same points beyond an edge.
        """
        for shift in self.shifts:
            there = tuple((x + shift, y) for x, y in points)
            if self.window.meets(there, room):
                yield there

    def _way(self, ring: Ring) -> list[Point]:
        ways = (self.arcs[number].points if number >= 0 else self.arcs[~number].points[::-1] for number in ring)
        return [point for way in ways for point in way[:-1]]


@lru_cache(maxsize=64)
def part_of(geometry: Geometry, part: Part) -> Geometry:
    """Return the geometry of a part of the board.

    It is cached, because the caches of lines and of drawn provinces need the same object each time.

    The board's sizes fit its widest part. In a narrower part, everything is smaller, so its picture looks the same.
    """
    share = part.window.width / max(one.window.width for one in geometry.parts)
    sizes = geometry.label * share, geometry.unit * share, geometry.dot * share
    board = _across_the_edge(geometry, part.window.middle[0]) if part.window.right > geometry.box[0] else geometry
    return replace(_resized(board, sizes, 1 / share), window=part.window, width=part.pixels)


def _across_the_edge(geometry: Geometry, middle: float) -> Geometry:
    """Return a board that wraps, with all places moved as near to the middle as possible."""

    def near(point: Point) -> Point:
        return point[0] + geometry.box[0] * (point[0] < middle - geometry.box[0] / 2), point[1]

    spots = {
        abbr: replace(
            spot,
            label=near(spot.label),
            units={coast: near(at) for coast, at in spot.units.items()},
            coasts={coast: near(at) for coast, at in spot.coasts.items()},
            center=spot.center and near(spot.center),
            leader=spot.leader and near(spot.leader),
        )
        for abbr, spot in geometry.spots.items()
    }
    tags = {abbr: tag._replace(at=near(tag.at)) for abbr, tag in geometry.tags.items()}
    return replace(geometry, spots=spots, tags=tags)


@lru_cache(maxsize=32)
def overview_of(geometry: Geometry, pixels: int) -> Geometry:
    """Return the geometry for an overview: a picture of the whole board, sent with pictures of its parts."""
    pixel = geometry.box[0] / pixels
    sizes = _NAME * pixel, _UNIT * pixel, _DOT * pixel
    return replace(_resized(geometry, sizes, inf), width=pixels, overview=True, hairline=_HAIRLINE * pixel)


def _resized(geometry: Geometry, sizes: tuple[float, float, float], factor: float) -> Geometry:
    """Return the geometry with other sizes. Names and units that are smaller than usual grow by `factor`."""
    label, unit, dot = sizes
    spots = {
        abbr: replace(
            spot,
            label_scale=min(1.0, spot.label_scale * factor),
            unit_scale=min(1.0, spot.unit_scale * factor),
        )
        for abbr, spot in geometry.spots.items()
    }
    return replace(geometry, label=label, unit=unit, dot=dot, spots=spots)


@lru_cache(maxsize=16)
def load_geometry(variant: str) -> Geometry:
    """Return the geometry of the variant or edition with this name, or raise NoGeometry."""
    return read_geometry(variant_folder(variant) / GEOMETRY_FILE)


def read_geometry(path: Path) -> Geometry:
    """Return the geometry in a file, or raise NoGeometry if it cannot be used."""
    # Import pydantic only here, since programs call `judge adjudicate` again and again without a drawing.
    from pydantic import TypeAdapter

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return TypeAdapter(Geometry).validate_python(
            data
            | {
                "arcs": [
                    (kind[0], kind.endswith("x"), sides, [*zip(accumulate(at[::2]), accumulate(at[1::2]), strict=True)])
                    for kind, *sides, at in ((*entry[:3], entry[3:]) for entry in data["arcs"])
                ],
                "spots": data["provinces"],
                "links": [((a, b), (xa, ya), (xb, yb)) for a, b, xa, ya, xb, yb in data["links"]],
                "tags": {abbr: ((x, y), others) for abbr, (x, y, *others) in data["tags"].items()},
                "parts": [
                    (name, (x, y, x + width, y + height), pixels)
                    for name, (x, y, width, height, pixels) in data.get("parts", {}).items()
                ],
                "window": (0, 0, *data["box"]),
            }
        )
    except FileNotFoundError:
        variant = path.parent.name.partition("@")[0]
        raise NoGeometry(f"There is no picture of {variant}: it has no {GEOMETRY_FILE}.") from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as mistake:
        raise NoGeometry(f"{path} cannot be used: {mistake!r}") from mistake


def contains(ways: Iterable[Way], at: Point) -> bool:
    """Return whether a point is inside some closed lines (even-odd rule)."""
    x, y = at
    inside = False
    for way in ways:
        for (xa, ya), (xb, yb) in pairwise([*way, way[0]]):
            if (ya > y) != (yb > y) and x < (xb - xa) * (y - ya) / (yb - ya) + xa:
                inside = not inside
    return inside


def gap(at: complex, start: complex, end: complex) -> float:
    """Return the distance of the point `at` from the straight line between `start` and `end`."""
    turn, length = toward(start, end)
    return off((at - start) * turn, length)


def toward(start: complex, end: complex) -> tuple[complex, float]:
    """Return the rotation that makes the way between two points lead straight ahead, and the length of the way."""
    length = abs(end - start)
    return ((end - start).conjugate() / length if length else 1 + 0j), length


def off(at: complex, length: float) -> float:
    """Return the distance of a point from the line between 0 and this length."""
    return abs(complex(max(0.0, -at.real, at.real - length), at.imag))


def path_around(area: Iterable[Outline]) -> str:
    """Return the data of an SVG path around an area."""
    return "".join(f"{path_along(outline.way)}Z" for outline in area)


def path_along(points: Way) -> str:
    """Return the data of an SVG path, "M586 0l-8 12-7 4": the first point, then the steps."""
    steps = " ".join(f"{x - last_x:g} {y - last_y:g}" for (last_x, last_y), (x, y) in pairwise(points))
    x, y = points[0]
    return f"M{x:g} {y:g}l{steps}".replace(" -", "-") if steps else f"M{x:g} {y:g}"
