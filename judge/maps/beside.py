"""Where a dislodged unit is drawn: beside the unit that took its place, where it covers no name."""

from functools import lru_cache
from math import cos, dist, pi, sin

from judge.maps.geometry import Geometry, Point
from judge.maps.lettering import Box, unit_boxes, written

# A dislodged unit is smaller by this factor.
SMALLER = 0.85
# The distances and the directions that are tried, the best looking first; distances as shares of a unit's radius.
_DISTANCES = (1.97, 2.3, 2.7, 3.2)
_DIRECTIONS = tuple(pi / 12 * step for step in (2, 22, 10, 14, 0, 12, 6, 18, 4, 8, 16, 20, 1, 3, 5, 7, 9, 11, 13, 15))


@lru_cache(maxsize=1 << 12)
def beside(geometry: Geometry, kind: str, place: str) -> Point:
    """The point for a unit of that kind that is dislodged at a place, like "STP/NC"."""
    (x, y), radius = geometry.place(place), geometry.radius(place)
    names = _near(geometry, (x, y), radius * 9)
    others = [at for abbr in geometry.spots for at in (geometry.place(abbr),) if 0 < dist(at, (x, y)) < radius * 6]
    best, least = (x, y), float("inf")
    for away in _DISTANCES:
        for direction in _DIRECTIONS:
            at = x + radius * away * cos(direction), y + radius * away * sin(direction)
            boxes = unit_boxes(kind, at, radius * SMALLER)
            covered = sum(box.overlaps(name) for box in boxes for name in names)
            cost = 10.0 * covered + sum(dist(at, other) < radius * 1.9 for other in others) + away / 10
            if not geometry.window.holds((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)):
                cost += 3
            if cost < least:
                best, least = at, cost
        if least < 1:
            break
    return best


def _near(geometry: Geometry, at: Point, reach: float) -> list[Box]:
    """The boxes of the names around a point."""
    area = Box(at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)
    return [box for box in written(geometry).values() if box.overlaps(area)]
