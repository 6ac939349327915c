"""A drawing as an SVG document: the ground of a board, and the elements that are drawn on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from judge.maps.colors import INK
from judge.maps.geometry import Box, Point

# The attributes of all text.
FRAME = 'font-family="DejaVu Sans" font-stretch="condensed" font-weight="bold" text-anchor="middle"'
PAPER = "#fdfbf6"


class Area(NamedTuple):
    """The data of an SVG path, and the color that fills it, or the two of horizontal stripes."""

    path: str
    fill: tuple[str, ...]


class Element(NamedTuple):
    """SVG text, the box around it, and attributes that hold for all of it. A sign or a word is `at` a point, from which
    text and box are measured; a line (None) has the coordinates of the board.
    """

    svg: str
    box: Box
    at: Point | None = None
    style: str = ""


def placed(svg: str, at: Point, reach: float, style: str = "") -> Element:
    """An element that reaches so far to all sides of its point."""
    return Element(svg, Box(-reach, -reach, reach, reach), at, style)


@dataclass(frozen=True)
class Drawing:
    """The picture of a `part` of the board ("" for the whole), `pixels` wide if it is made a PNG.

    The ground is made of `areas`, stripes among them `stripe` high, and `lines` above these, as SVG text; on it stands
    `board`. All that is in the coordinates of the board, of which `window` is shown, `top` below the edge of the page.
    `page` is around it, in the coordinates of the page; `border` is the width of the line between them.
    """

    part: str
    title: str
    size: Point
    pixels: int
    window: Box
    top: float
    border: float
    areas: tuple[Area, ...]
    stripe: int
    lines: str
    board: tuple[Element, ...]
    page: tuple[Element, ...]

    @property
    def svg(self) -> str:
        """The text of the document. Anything that extends beyond the top or bottom of the board is painted over."""
        (width, height), (x, y, _, _), top = self.size, self.window, self.top
        high = self.window.height
        bottom = top + high
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{self.pixels}" '
            f'height="{self.pixels * height / width:.0f}" {FRAME}><title>{self.title}</title>{self._patterns()}'
            f'<g transform="translate({-x:g} {top - y:g})"><g fill-rule="evenodd">{self._filled()}</g>'
            f"{self.lines}{_text(self.board)}</g>"
            f'<path d="M0 0H{width:g}V{top:g}H0ZM0 {bottom:g}H{width:g}V{height:g}H0Z" fill="{PAPER}"/>'
            f'<rect y="{top:g}" width="{width:g}" height="{high:g}" fill="none" stroke="{INK}" '
            f'stroke-width="{self.border:.1f}"/>{_text(self.page)}</svg>'
        )

    def _filled(self) -> str:
        return "".join(
            f'<path d="{path}" fill="{fill[0] if len(fill) == 1 else f"url(#{_pattern_id(fill)})"}"/>'
            for path, fill in self.areas
        )

    def _patterns(self) -> str:
        """Horizontal stripes across the whole board: they need the fewest bytes, and have no seams."""
        wide, step = self.window.right, self.stripe
        return "".join(
            f'<pattern id="{_pattern_id(fill)}" width="{wide:g}" height="{step}" patternUnits="userSpaceOnUse">'
            f'<rect width="{wide:g}" height="{step}" fill="{fill[0]}"/>'
            f'<rect width="{wide:g}" height="{step / 2:g}" fill="{fill[1]}"/></pattern>'
            for fill in dict.fromkeys(area.fill for area in self.areas if len(area.fill) > 1)
        )


def _pattern_id(fill: tuple[str, ...]) -> str:
    return f"stripes-{fill[1][1:]}"


def _text(elements: Iterable[Element]) -> str:
    """The elements as SVG text; attributes that several in a row have in common are written once."""
    return "".join(
        f"<g {style}>{''.join(map(_placed, some))}</g>" if style else "".join(map(_placed, some))
        for style, some in groupby(elements, key=lambda element: element.style)
    )


def _placed(element: Element) -> str:
    if element.at is None:
        return element.svg
    return f'<g transform="translate({element.at[0]:.0f} {element.at[1]:.0f})">{element.svg}</g>'
