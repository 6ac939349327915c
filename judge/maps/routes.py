"""Where lines between units and dislodged units are drawn: they cover as few units and names as possible."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product, repeat
from math import cos, dist, pi, sin
from typing import NamedTuple

from judge.maps.geometry import Box, Geometry, Point
from judge.maps.text_metrics import unit_boxes, written

# How far a line may bend aside, as a share of its length. Of the bends that cost least the smallest is taken.
_BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32)
_STEPS = 10
# A dislodged unit is smaller by this factor.
SMALLER = 0.85
# The distances of a dislodged unit (as shares of a unit's radius) and its directions, the best looking first.
_DISTANCES = (1.97, 2.3, 2.7, 3.2)
_DIRECTIONS = tuple(pi / 12 * step for step in (2, 22, 10, 14, 0, 12, 6, 18, 4, 8, 16, 20, 1, 3, 5, 7, 9, 11, 13, 15))


class Disc(NamedTuple):
    """Something that a line should avoid, and what it costs to cross it: six for a unit, one for a name."""

    at: Point
    radius: float
    cost: float


class Curve(NamedTuple):
    """A quadratic Bézier curve from `start` to `end`; straight where `bend` is between them."""

    start: Point
    bend: Point
    end: Point

    def at(self, share: float) -> Point:
        """The point at that fraction of the curve."""
        first, second, third = (1 - share) ** 2, 2 * (1 - share) * share, share * share
        (x, y), (bx, by), (ex, ey) = self
        return first * x + second * bx + third * ex, first * y + second * by + third * ey

    def points(self, steps: int) -> list[Point]:
        """The start, and the ends of a number of equal steps."""
        return [self.at(step / steps) for step in range(steps + 1)]

    @property
    def path(self) -> str:
        """The data of an SVG path along the curve."""
        (x, y), (bx, by), (ex, ey) = self
        return f"M{x:.0f} {y:.0f}Q{bx:.0f} {by:.0f} {ex:.0f} {ey:.0f}"


def route(start: Point, end: Point, discs: Iterable[Disc], *, lean: float = 0.0) -> Curve:
    """Find the curve from `start` to `end` that bends least and crosses least.

    `lean`: the bend to begin with, if another line goes in the opposite direction.
    """
    close = near(start, end, discs)

    def cost(bend: float) -> float:
        points = bent(start, end, bend + lean).points(_STEPS)[1:-1]
        crossed = (disc.cost for disc in close if min(map(dist, points, repeat(disc.at))) < disc.radius)
        return sum(crossed) + abs(bend) * 4

    return bent(start, end, min(_BENDS, key=cost) + lean)


def bent(start: Point, end: Point, bend: float = 0.0) -> Curve:
    """A curve that bends aside by a share of its length; by default a straight line."""
    (x, y), (end_x, end_y) = start, end
    return Curve(start, ((x + end_x) / 2 - (end_y - y) * bend * 2, (y + end_y) / 2 + (end_x - x) * bend * 2), end)


def shortened(curve: Curve, before: float, behind: float) -> Curve:
    """Cut the first `before` and the last `behind` units of length off a curve; at least a third of it is left."""
    length = dist(curve.start, curve.bend) + dist(curve.bend, curve.end) or 1.0
    first, last = min(before / length, 1 / 3), 1 - min(behind / length, 1 / 3)
    # The control point of a part of the curve (de Casteljau).
    x, y = (
        (1 - first) * (1 - last) * a + (first * (1 - last) + last * (1 - first)) * b + first * last * c
        for a, b, c in zip(*curve, strict=True)
    )
    return Curve(curve.at(first), (x, y), curve.at(last))


def near(start: Point, end: Point, discs: Iterable[Disc]) -> list[Disc]:
    """The discs that the most bent curve can reach, without those at its ends."""
    left, top, right, bottom = Box.around([start, end], dist(start, end) * 0.35)
    return [
        disc
        for disc in discs
        for (x, y), radius, _ in (disc,)
        if left - radius < x < right + radius
        and top - radius < y < bottom + radius
        and min(dist(disc.at, start), dist(disc.at, end)) >= radius * 0.5
    ]


@lru_cache(maxsize=1 << 12)
def dislodged_unit_position(geometry: Geometry, kind: str, place: str) -> Point:
    """Find the point for a unit that was dislodged at a place, like "STP/NC", where it covers no name."""
    (x, y), radius = geometry.place(place), geometry.radius(place)
    around = Box.around([(x, y)], radius * 9)
    names = [name.box for name in written(geometry).values() if name.box.overlaps(around)]
    others = [at for abbr in geometry.spots for at in (geometry.place(abbr),) if 0 < dist(at, (x, y)) < radius * 6]

    def cost(where: tuple[float, Point]) -> float:
        away, at = where
        covered = sum(box.overlaps(name) for box in unit_boxes(kind, at, radius * SMALLER) for name in names)
        crowded = sum(dist(at, other) < radius * 1.9 for other in others)
        is_cut = not geometry.window.holds(Box.around([at], radius))
        return 10.0 * covered + crowded + away / 10 + 3 * is_cut

    choices = (
        (away, (x + radius * away * cos(direction), y + radius * away * sin(direction)))
        for away, direction in product(_DISTANCES, _DIRECTIONS)
    )
    return min(choices, key=cost)[1]
