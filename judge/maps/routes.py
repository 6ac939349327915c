"""Find places for lines between units and for dislodged units, where they cover few units and names.

The points of lines are complex numbers, which can be added and scaled.
"""

from collections.abc import Iterable
from itertools import product
from math import cos, dist, pi, sin
from typing import NamedTuple

from judge.maps.geometry import Box, Geometry, Point
from judge.maps.text_metrics import unit_boxes, written

# The bends that a line may have, as shares of its length. If several bends cost the least, the smallest is taken.
_BENDS = (0.0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32)
_STEPS = 10
# The size of a dislodged unit, as a share of the size of other units.
SMALLER = 0.85
# The possible distances of a dislodged unit (as shares of a unit's radius) and directions, the best looking first.
_DISTANCES = (1.97, 2.3, 2.7, 3.2)
_DIRECTIONS = tuple(pi / 12 * step for step in (2, 22, 10, 14, 0, 12, 6, 18, 4, 8, 16, 20, 1, 3, 5, 7, 9, 11, 13, 15))


class Disc(NamedTuple):
    """A disc that lines should avoid, and the cost of crossing it.

    It is six for a unit, one for a name and half for a center.
    """

    at: complex
    radius: float
    cost: float


class Curve(NamedTuple):
    """A quadratic Bézier curve from `start` to `end`. It is straight if `bend` is halfway between them."""

    start: complex
    bend: complex
    end: complex

    def at(self, share: float) -> complex:
        """Return the point at that fraction of the curve."""
        return (1 - share) ** 2 * self.start + 2 * (1 - share) * share * self.bend + share * share * self.end

    def points(self, steps: int) -> list[complex]:
        """Return the start of the curve and the ends of `steps` equal steps."""
        return [self.at(step / steps) for step in range(steps + 1)]

    @property
    def path(self) -> str:
        """Return the data of an SVG path along the curve."""
        return f"M{in_svg(self.start)}Q{in_svg(self.bend)} {in_svg(self.end)}"


def in_svg(at: complex) -> str:
    """Return the coordinates of a point in the form of SVG path data."""
    return f"{at.real:.0f} {at.imag:.0f}"


def xy(at: complex) -> Point:
    """Return the coordinates of a point as a pair."""
    return at.real, at.imag


def route(start: complex, end: complex, discs: Iterable[Disc], *, lean: float = 0.0) -> Curve:
    """Return the curve from `start` to `end` that bends least and crosses least.

    `lean` is added to every bend, if another line goes in the opposite direction.
    """
    close = near(start, end, discs)

    def cost(bend: float) -> float:
        points = bent(start, end, bend + lean).points(_STEPS)[1:-1]
        crossed = (disc.cost for disc in close if min(abs(point - disc.at) for point in points) < disc.radius)
        return sum(crossed) + abs(bend) * 4

    return bent(start, end, min(_BENDS, key=cost) + lean)


def bent(start: complex, end: complex, bend: float = 0.0) -> Curve:
    """Return a curve that bends aside by a share of its length, by default a straight line."""
    return Curve(start, (start + end) / 2 + (end - start) * 1j * bend * 2, end)


def shortened(curve: Curve, before: float, behind: float) -> Curve:
    """Cut `before` and `behind` off the two ends of a curve, but keep at least a third of it."""
    length = abs(curve.start - curve.bend) + abs(curve.bend - curve.end) or 1.0
    first, last = min(before / length, 1 / 3), 1 - min(behind / length, 1 / 3)
    # The control point of the part that is left of the curve (de Casteljau).
    aside = first * (1 - last) + last * (1 - first)
    bend = (1 - first) * (1 - last) * curve.start + aside * curve.bend + first * last * curve.end
    return Curve(curve.at(first), bend, curve.at(last))


def near(start: complex, end: complex, discs: Iterable[Disc]) -> list[Disc]:
    """Return the discs that the most bent curve can reach, without the discs at its ends."""
    left, top, right, bottom = Box.around([xy(start), xy(end)], abs(start - end) * 0.35)
    # A `Box` around each disc would take too long for hundreds of discs and a hundred lines.
    return [
        disc
        for disc in discs
        if left - disc.radius < disc.at.real < right + disc.radius
        and top - disc.radius < disc.at.imag < bottom + disc.radius
        and min(abs(disc.at - start), abs(disc.at - end)) >= disc.radius * 0.5
    ]


def dislodged_unit_position(geometry: Geometry, kind: str, place: str) -> complex:
    """Return a point for a unit dislodged at a place like "STP/NC", where it covers no name or center."""
    (x, y), radius = geometry.place(place), geometry.radius(place)
    around = Box.around([(x, y)], radius * 9)
    names = [name.box for name in written(geometry).values() if name.box.overlaps(around)]
    centers = [Box.around([spot.center], geometry.dot * 1.5) for spot in geometry.spots.values() if spot.center]
    signs = [box for box in centers if box.overlaps(around)]
    others = [at for abbr in geometry.spots for at in (geometry.place(abbr),) if 0 < dist(at, (x, y)) < radius * 6]

    def cost(where: tuple[float, Point]) -> float:
        away, at = where
        boxes = unit_boxes(kind, at, radius * SMALLER)
        covered = sum(box.overlaps(name) for box in boxes for name in names)
        hidden = sum(box.overlaps(sign) for box in boxes for sign in signs)
        crowded = sum(dist(at, other) < radius * 1.9 for other in others)
        is_cut = not geometry.window.holds(Box.around([at], radius))
        return 10.0 * covered + 2 * hidden + crowded + away / 10 + 3 * is_cut

    choices = (
        (away, (x + radius * away * cos(direction), y + radius * away * sin(direction)))
        for away, direction in product(_DISTANCES, _DIRECTIONS)
    )
    return complex(*min(choices, key=cost)[1])
