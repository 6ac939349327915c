"""The pictures of one scene: of the whole board, and if that is too large to be read, of each of its parts."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from judge.maps.draw import picture
from judge.maps.geometry import Geometry, overview_of, part_of
from judge.maps.pieces import Picture
from judge.maps.scene import Scene

# The width of a small picture, as a share of the width at which its board is easily read.
_SMALL = 0.65
# Names that are smaller than this many pixels in the picture of the whole board are left to those of its parts.
_READ = 9.0


# PNGs of the board and of its parts, a smaller one of the whole alone, or an SVG with every detail.
Form = Literal["png", "small", "svg"]


class Sheet(NamedTuple):
    """One picture: the part of the board ("" for the whole), and its width in pixels."""

    part: str
    width: int
    picture: Picture

    @property
    def svg(self) -> str:
        return self.picture.svg


def tail(part: str) -> str:
    """What is added to the file name of the whole board for a part: "-south-america"."""
    return f"-{part.lower().replace(' ', '-')}" if part else ""


def names(geometry: Geometry, form: Form) -> list[str]:
    """The parts of the board that the sheets of a form show, "" for the whole."""
    return ["", *(part.name for part in geometry.parts)] if form == "png" else [""]


def named(geometry: Geometry) -> bool:
    """Whether every name can be read in the picture of the whole board, or nowhere else."""
    smallest = geometry.label * min(spot.label_scale for spot in geometry.spots.values())
    return not geometry.parts or smallest * geometry.width / geometry.box[0] >= _READ


def sheets(
    scene: Scene, geometry: Geometry, form: Form, part: str = "", only: Sequence[str] | None = None
) -> Iterator[Sheet]:
    """The pictures of that form, that of the whole board first; with `part`, that part of the board alone, if there is
    such a part; with `only`, the sheets of those names, in that order.
    """
    by_name = {one.name.lower(): one for one in geometry.parts}
    for name in [part] if part else names(geometry, form) if only is None else only:
        one = by_name.get(name.lower())
        if one:
            yield Sheet(one.name, one.pixels, picture(scene, part_of(geometry, one), one.name))
        elif not name:
            width = round(geometry.width * _SMALL) if form == "small" else geometry.width
            whole = overview_of(geometry, width) if form != "svg" and not named(geometry) else geometry
            yield Sheet("", width, picture(scene, whole))
