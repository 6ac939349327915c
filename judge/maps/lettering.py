"""The boxes of names and units on a board, by the metrics of the font, so that nothing has to be drawn to know whether
one lies upon another.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont

from judge.maps.geometry import Geometry, Point

FONT_FILE = Path(__file__).parent / "fonts" / "DejaVuSansCondensed-Bold.ttf"
# The baseline of a name lies so far below its point, as a share of its size.
BASELINE = 0.36
# Fonts are measured at this size; hinting does not matter then.
_MEASURED = 200


class Box(NamedTuple):
    """A rectangle, in units of the board."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Whether they have more than an edge in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)


def shown(geometry: Geometry, abbr: str) -> str:
    """An abbreviation as it is written on the board: if they are long, in small letters, which need less space."""
    return abbr.title() if geometry.long_names else abbr


def label_size(geometry: Geometry, abbr: str) -> float:
    """The font size of a province's name."""
    return geometry.label * geometry.spots[abbr].label_scale


@lru_cache(maxsize=1 << 14)
def label_box(geometry: Geometry, abbr: str) -> Box:
    """The box of a province's name."""
    return text_box(shown(geometry, abbr), geometry.spots[abbr].label, label_size(geometry, abbr))


def coast_boxes(geometry: Geometry, abbr: str) -> dict[str, Box]:
    """The boxes of the names of a province's coasts."""
    size = label_size(geometry, abbr)
    return {coast: text_box(coast.lower(), at, size) for coast, at in geometry.spots[abbr].coasts.items()}


@lru_cache(maxsize=64)
def written(geometry: Geometry) -> dict[str, Box]:
    """The boxes of the names in a picture: by province, and by coast ("STP/NC") even if a canal has joined it."""
    if geometry.overview:
        return {
            abbr: text_box(shown(geometry, abbr), spot.overview, label_size(geometry, abbr))
            for abbr, spot in geometry.spots.items()
            if spot.overview
        }
    names = {abbr: label_box(geometry, abbr) for abbr in geometry.spots}
    names |= {f"{abbr}/{coast}": box for abbr in geometry.spots for coast, box in coast_boxes(geometry, abbr).items()}
    return {name: box for name, box in names.items() if geometry.window.holds(box)}


def tag_size(geometry: Geometry) -> float:
    """The font size of a tag: the frame that says where a way leads that is not drawn."""
    return geometry.label * 0.8


def tag_text(geometry: Geometry, abbr: str) -> str:
    """What the tag in a province says."""
    return "to " + ", ".join(shown(geometry, other) for other in geometry.tags[abbr].others)


def tag_box(geometry: Geometry, abbr: str) -> Box:
    """The frame of the tag in a province, never cut off by the edge of the picture."""
    size, (x, y) = tag_size(geometry), geometry.tags[abbr].at
    half = (len(tag_text(geometry, abbr)) * 0.62 + 1) * size / 2
    left, right = geometry.window.x + half, geometry.window.x + geometry.window.width - half
    middle = max(left, min(x, right))
    return Box(middle - half, y - size * 0.7, middle + half, y + size * 0.7)


def text_box(text: str, at: Point, size: float) -> Box:
    """The box of a text whose middle is at that point, with the baseline of all names."""
    half, above, below = _extent(text)
    x, y = at
    return Box(x - half * size, y - above * size, x + half * size, y + below * size)


def text_width(text: str, size: float) -> float:
    """How wide a text of that font size is."""
    return 2 * _extent(text)[0] * size


@lru_cache(maxsize=4096)
def _extent(text: str) -> tuple[float, float, float]:
    """Half the width of a text, its height above and below its point, as shares of its size."""
    font = _font()
    _, top, _, bottom = font.getbbox(text, anchor="ls")
    half, above, below = font.getlength(text) / 2, -top, bottom
    return half / _MEASURED, above / _MEASURED - BASELINE, below / _MEASURED + BASELINE


@lru_cache(maxsize=1)
def _font() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT_FILE), _MEASURED)


def unit_boxes(kind: str, at: Point, radius: float) -> tuple[Box, ...]:
    """The boxes of a unit: of an army's disc, of a ship's hull and of its sails (judge.maps.symbols)."""
    x, y = at
    if kind == "A":
        # Of the disc, so much as lies on its diagonals and on its axes.
        wide, narrow = radius, radius * 0.71
        return Box(x - wide, y - narrow, x + wide, y + narrow), Box(x - narrow, y - wide, x + narrow, y + wide)
    return (
        Box(x - 1.3 * radius, y - 0.2 * radius, x + 1.3 * radius, y + 1.02 * radius),
        Box(x - 0.9 * radius, y - 1.3 * radius, x + 0.86 * radius, y - 0.2 * radius),
    )


# The boxes of the sign of a center with radius 1, its edge too: walls, and what stands on them (judge.maps.symbols).
_WALLS = Box(-1.65, -0.9, 1.65, 1.9)
_ON_TOP = {
    "": (),
    "home": (Box(-1.9, -1.5, 1.9, -0.6), Box(-0.9, -2.2, 0.9, -1.5)),
    "named": (Box(-1.9, -1.5, 1.9, -0.6), Box(-0.9, -2.2, 0.9, -1.5), Box(-0.15, -3.6, 1.4, -2.2)),
    "colony": (Box(-1.5, -1.6, 1.5, -0.75), Box(-0.9, -2.15, 0.9, -1.6)),
    "special": (Box(-1.65, -1.5, 1.4, -0.75), Box(-1.65, -2.2, 0.2, -1.5)),
    "vassal": (Box(-1.65, -2.1, 1.65, -0.75),),
}


def center_boxes(at: Point, radius: float, top: str) -> tuple[Box, ...]:
    """The boxes of the sign of a center, with what stands on top of it (judge.maps.centers)."""
    x, y = at
    return tuple(
        Box(x + left * radius, y + up * radius, x + right * radius, y + down * radius)
        for left, up, right, down in (_WALLS, *_ON_TOP[top])
    )


def crosses(box: Box, line: Sequence[Point]) -> bool:
    """Whether a line of several points runs into a box."""
    return any(_cuts(box, start, end) for start, end in pairwise(line))


def _cuts(box: Box, start: Point, end: Point) -> bool:
    """Whether a straight line enters a box (Liang and Barsky)."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    if (
        max(x, end[0]) <= box.left
        or min(x, end[0]) >= box.right
        or max(y, end[1]) <= box.top
        or min(y, end[1]) >= box.bottom
    ):
        return False
    first, last = 0.0, 1.0
    for way, room in ((-dx, x - box.left), (dx, box.right - x), (-dy, y - box.top), (dy, box.bottom - y)):
        if way == 0:
            if room <= 0:
                return False
        elif way < 0:
            first = max(first, room / way)
        else:
            last = min(last, room / way)
    return first < last


def contains(ways: Sequence[Sequence[Point]], at: Point) -> bool:
    """Whether a point lies in the area of some rings (even-odd)."""
    x, y = at
    inside = False
    for way in ways:
        for (xa, ya), (xb, yb) in _around(way):
            if (ya > y) != (yb > y) and x < (xb - xa) * (y - ya) / (yb - ya) + xa:
                inside = not inside
    return inside


def _around(way: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    yield from pairwise(way)
    yield way[-1], way[0]
