"""Where a dislodged unit is drawn: next to the unit that took its place, where it covers no name."""

from functools import lru_cache
from itertools import product
from math import cos, dist, pi, sin

from judge.maps.geometry import Box, Geometry, Point
from judge.maps.text_metrics import unit_boxes, written

# A dislodged unit is smaller by this factor.
SMALLER = 0.85
# The distances (as shares of a unit's radius) and the directions that are tried, the best looking first.
_DISTANCES = (1.97, 2.3, 2.7, 3.2)
_DIRECTIONS = tuple(pi / 12 * step for step in (2, 22, 10, 14, 0, 12, 6, 18, 4, 8, 16, 20, 1, 3, 5, 7, 9, 11, 13, 15))


@lru_cache(maxsize=1 << 12)
def dislodged_unit_position(geometry: Geometry, kind: str, place: str) -> Point:
    """The point for a unit of that kind that is dislodged at a place, like "STP/NC"."""
    (x, y), radius = geometry.place(place), geometry.radius(place)
    around = Box.around([(x, y)], radius * 9)
    names = [box for box in written(geometry).values() if box.overlaps(around)]
    others = [at for abbr in geometry.spots for at in (geometry.place(abbr),) if 0 < dist(at, (x, y)) < radius * 6]

    def cost(where: tuple[float, float]) -> float:
        away, direction = where
        at = x + radius * away * cos(direction), y + radius * away * sin(direction)
        covered = sum(box.overlaps(name) for box in unit_boxes(kind, at, radius * SMALLER) for name in names)
        crowded = sum(dist(at, other) < radius * 1.9 for other in others)
        is_cut = not geometry.window.holds(Box.around([at], radius))
        return 10.0 * covered + crowded + away / 10 + 3 * is_cut

    away, direction = min(product(_DISTANCES, _DIRECTIONS), key=cost)
    return x + radius * away * cos(direction), y + radius * away * sin(direction)
