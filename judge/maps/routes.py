"""Routes on the board: lines between units that bend around the other units and, if possible, around labels."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, repeat
from math import dist, hypot, inf
from typing import NamedTuple

from judge.maps.geometry import Point

# How far a line may bend aside, as a share of its length; the smallest bend that is free is taken.
_BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32)
_STEPS = 10
_UNIT_COST, _LABEL_COST = 6.0, 1.0


class Disc(NamedTuple):
    """Something that a line should avoid."""

    at: Point
    radius: float
    cost: float


def unit_disc(at: Point, radius: float) -> Disc:
    return Disc(at, radius, _UNIT_COST)


def label_disc(at: Point, radius: float) -> Disc:
    return Disc(at, radius, _LABEL_COST)


class Curve(NamedTuple):
    """A quadratic Bézier curve from `start` to `end`; straight where `bend` is between them."""

    start: Point
    bend: Point
    end: Point

    def at(self, share: float) -> Point:
        """The point at that fraction of the curve."""
        first, second, third = _weights(share)
        (x, y), (bx, by), (ex, ey) = self
        return first * x + second * bx + third * ex, first * y + second * by + third * ey

    def points(self, steps: int) -> list[Point]:
        """Its start, and a point at the end of each of so many equal steps."""
        (x, y), (bx, by), (ex, ey) = self
        return [
            (first * x + second * bx + third * ex, first * y + second * by + third * ey)
            for first, second, third in _in_steps(steps)
        ]

    def direction(self, share: float) -> Point:
        """The direction of the curve there, as a vector of length 1."""
        rest = 1 - share
        x, y = (
            rest * (b - a) + share * (c - b) for a, b, c in zip(self.start, self.bend, self.end, strict=True)
        )
        length = hypot(x, y) or 1.0
        return x / length, y / length

    @property
    def path(self) -> str:
        """As the data of an SVG path."""
        (x, y), (bx, by), (ex, ey) = self.start, self.bend, self.end
        return f"M{x:.0f} {y:.0f}Q{bx:.0f} {by:.0f} {ex:.0f} {ey:.0f}"


def _weights(share: float) -> tuple[float, float, float]:
    """How much start, bend and end count at that fraction of a curve."""
    rest = 1 - share
    return rest * rest, 2 * rest * share, share * share


@lru_cache(maxsize=8)
def _in_steps(steps: int) -> list[tuple[float, float, float]]:
    return [_weights(step / steps) for step in range(steps + 1)]


class Crowd(NamedTuple):
    """Discs from west to east, and the radius of the largest."""

    discs: Sequence[Disc]
    largest: float


def crowd(discs: Iterable[Disc]) -> Crowd:
    ordered = sorted(discs)
    return Crowd(ordered, max((disc.radius for disc in ordered), default=0))


def route(start: Point, end: Point, around: Crowd, *, lean: float = 0.0) -> Curve:
    """The curve from `start` to `end` that bends least and crosses least.

    `lean`: the bend to begin with, if another line goes in the opposite direction.
    """
    near = _near(start, end, around)
    best, least = None, inf
    for bend in _BENDS:
        # Curves are tried from the straightest on; a curve whose bend alone costs more than the best one so far cannot
        # be better.
        if abs(bend) * 4 >= least:
            break
        curve = _bent(start, end, bend + lean)
        cost = abs(bend) * 4 + _cost(curve, near)
        if cost < least:
            best, least = curve, cost
    assert best
    return best


def shortened(curve: Curve, before: float, behind: float) -> Curve:
    """The curve without its first `before` and its last `behind` units of length, at least a third of it left."""
    length = dist(curve.start, curve.bend) + dist(curve.bend, curve.end) or 1.0
    most = length / 3
    first, last = min(before, most) / length, 1 - min(behind, most) / length
    start, end = curve.at(first), curve.at(last)
    # The control point of a part of the curve (de Casteljau).
    x, y = (
        (1 - first) * (1 - last) * a + (first * (1 - last) + last * (1 - first)) * b + first * last * c
        for a, b, c in zip(curve.start, curve.bend, curve.end, strict=True)
    )
    return Curve(start, (x, y), end)


def through(points: Sequence[Point]) -> list[Curve]:
    """A chain of straight lines from point to point."""
    return [_bent(start, end, 0.0) for start, end in pairwise(points)]


def _bent(start: Point, end: Point, bend: float) -> Curve:
    x, y = _between(start, end)
    return Curve(start, (x - (end[1] - start[1]) * bend * 2, y + (end[0] - start[0]) * bend * 2), end)


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _near(start: Point, end: Point, around: Crowd) -> list[Disc]:
    """The discs that the most bent curve can reach, without those at its ends."""
    reach = dist(start, end) * 0.35
    (left, right), (top, bottom) = (sorted(ends) for ends in zip(start, end, strict=True))
    left, right, top, bottom = left - reach, right + reach, top - reach, bottom + reach
    discs, largest = around
    first, last = bisect(discs, left - largest, key=_across), bisect(discs, right + largest, key=_across)
    return [
        disc
        for disc in discs[first:last]
        for (x, y), radius in [disc[:2]]
        if left - radius < x < right + radius
        and top - radius < y < bottom + radius
        and dist(disc.at, start) >= radius * 0.5
        and dist(disc.at, end) >= radius * 0.5
    ]


def _across(disc: Disc) -> float:
    return disc.at[0]


def _cost(curve: Curve, discs: Sequence[Disc]) -> float:
    points = curve.points(_STEPS)[1:-1] if discs else []
    return sum(cost for at, radius, cost in discs if min(map(dist, points, repeat(at))) < radius)
