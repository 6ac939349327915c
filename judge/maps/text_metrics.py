"""The boxes of names, units and centers on a board, from the metrics of the font.

With these boxes, nothing has to be drawn to find out whether one thing covers another.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont

from judge.maps.geometry import Box, Geometry, Point

FONT_FILE = Path(__file__).parent / "fonts" / "DejaVuSansCondensed-Bold.ttf"
# The distance of a name's baseline below the name's point, as a share of the font size.
BASELINE = 0.36
# Fonts are measured at this size, where hinting makes no difference.
_MEASURED = 200
_FONT = ImageFont.truetype(str(FONT_FILE), _MEASURED)

# The boxes of units and center signs with radius 1 (judge.maps.symbols), edges included. For an army, there are boxes
# along the diagonals and the axes of its disc. For a fleet, they are around the hull and the sails. For a center, they
# are around the walls and what is on top.
_UNITS = {
    "A": (Box(-1.02, -0.72, 1.02, 0.72), Box(-0.72, -1.02, 0.72, 1.02)),
    "F": (Box(-1.4, -0.27, 1.4, 0.45), Box(-1.17, 0.45, 1.17, 1.09), Box(-0.97, -1.42, 0.93, -0.2)),
}
_WALLS = Box(-1.85, -1.1, 1.85, 2.1)
_ROOF = Box(-2.1, -1.5, 2.1, -0.4), Box(-1.2, -2.5, 1.2, -1.5)
_TOPS: dict[str, tuple[Box, ...]] = {
    "": (),
    "home": _ROOF,
    "named": (*_ROOF, Box(-0.35, -3.85, 1.65, -2.2)),
    "colony": (Box(-1.75, -1.6, 1.75, -0.4), Box(-1.1, -2.4, 1.1, -1.6)),
    "special": (Box(-1.85, -1.5, 1.6, -0.4), Box(-1.85, -2.45, 0.4, -1.5)),
    "vassal": (Box(-1.85, -2.3, 1.85, -0.4),),
}


def shown(geometry: Geometry, abbr: str) -> str:
    """Return an abbreviation as written on the board.

    On a board with long abbreviations, only their first letter is a capital, since lowercase letters need less space.
    """
    return abbr.title() if geometry.long_names else abbr


def label_size(geometry: Geometry, abbr: str) -> float:
    """Return the font size of a province's name."""
    return geometry.label * geometry.spots[abbr].label_scale


class Name(NamedTuple):
    """A name on the board: its text, its middle and its font size."""

    text: str
    at: Point
    size: float

    @property
    def box(self) -> Box:
        """Return the box of the name."""
        return text_box(*self)


def names(geometry: Geometry, abbr: str) -> dict[str, Name]:
    """Return the names of a province and of its coasts ("STP/NC")."""
    spot, size = geometry.spots[abbr], label_size(geometry, abbr)
    coasts = {f"{abbr}/{coast}": Name(coast.lower(), at, size) for coast, at in spot.coasts.items()}
    return {abbr: Name(shown(geometry, abbr), spot.label, size), **coasts}


@lru_cache(maxsize=64)
def written(geometry: Geometry) -> dict[str, Name]:
    """Return the names in a picture, by province and by coast ("STP/NC"), even if a canal has joined the coasts."""
    if geometry.overview:
        return {
            abbr: names(geometry, abbr)[abbr]._replace(at=spot.overview)
            for abbr, spot in geometry.spots.items()
            if spot.overview
        }
    every = [one for abbr in geometry.spots for one in names(geometry, abbr).items()]
    coasts_last = sorted(every, key=lambda one: "/" in one[0])
    return {place: name for place, name in coasts_last if geometry.window.holds(name.box)}


def tag_size(geometry: Geometry) -> float:
    """Return the font size of a tag, the frame that names the other end of a link without a line."""
    return geometry.label * 0.8


def tag_text(geometry: Geometry, abbr: str) -> str:
    """Return the text of the tag in a province."""
    return "to " + ", ".join(shown(geometry, other) for other in geometry.tags[abbr].others)


def tag_box(geometry: Geometry, abbr: str) -> Box:
    """Return the frame of the tag in a province, away from the edge of the picture."""
    size, (x, y) = tag_size(geometry), geometry.tags[abbr].at
    half = (len(tag_text(geometry, abbr)) * 0.62 + 1) * size / 2
    room, window = half + size * 0.5, geometry.window
    middle = max(window.left + room, min(x, window.right - room))
    return Box(middle - half, y - size * 0.7, middle + half, y + size * 0.7)


def text_box(text: str, at: Point, size: float) -> Box:
    """Return the box of a text whose middle is at that point, with the baseline of all names."""
    return _moved(_extent(text), at, size)


def text_width(text: str, size: float) -> float:
    """Return the width of a text of that font size."""
    return _extent(text).width * size


@lru_cache(maxsize=4096)
def _extent(text: str) -> Box:
    """Return the box of a text of size 1."""
    _, top, _, bottom = _FONT.getbbox(text, anchor="ls")
    half = _FONT.getlength(text) / 2 / _MEASURED
    return Box(-half, top / _MEASURED + BASELINE, half, bottom / _MEASURED + BASELINE)


def unit_boxes(kind: str, at: Point, radius: float) -> tuple[Box, ...]:
    """Return the boxes of an army or a fleet."""
    return tuple(_moved(box, at, radius) for box in _UNITS[kind])


def center_boxes(at: Point, radius: float, top: str) -> tuple[Box, ...]:
    """Return the boxes of a center's sign, with what is on top of it (judge.maps.ground)."""
    return tuple(_moved(box, at, radius) for box in (_WALLS, *_TOPS[top]))


def _moved(box: Box, at: Point, scale: float) -> Box:
    """Return a box around the origin, scaled and moved to that point."""
    (x, y), (left, top, right, bottom) = at, box
    return Box(x + left * scale, y + top * scale, x + right * scale, y + bottom * scale)


def crosses(box: Box, line: Sequence[Point]) -> bool:
    """Return whether a line of several points enters a box."""
    for (x, y), (end_x, end_y) in pairwise(line):
        # A straight line enters a box if it comes near, and the box has corners on both of its sides.
        sides = [(end_x - x) * (corner_y - y) - (end_y - y) * (corner_x - x) for corner_x, corner_y in box.corners]
        if min(sides) < 0 < max(sides) and box.overlaps(Box.around([(x, y), (end_x, end_y)])):
            return True
    return False
