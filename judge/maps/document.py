"""A drawing as an SVG document: the background of a board, and the elements on it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from judge.maps.colors import INK, SEA
from judge.maps.geometry import Box, Outline, Point, path_around

# The attributes of all text.
FRAME = 'font-family="DejaVu Sans" font-stretch="condensed" font-weight="bold" text-anchor="middle"'
PAPER = "#fdfbf6"


class Area(NamedTuple):
    """A piece of the board, with the color that fills it or the two colors of its horizontal stripes."""

    outlines: tuple[Outline, ...]
    fill: tuple[str, ...]


class Element(NamedTuple):
    """A sign, a word or a line: SVG text, the box around it, and SVG attributes for all of it.

    A sign or a word is `at` a point, and its text and box are relative to that point. For a line, `at` is None, and its
    text and box have the coordinates of the board.
    """

    svg: str
    box: Box
    at: Point | None = None
    style: str = ""


def placed(svg: str, at: Point, reach: float, style: str = "") -> Element:
    """Return an element that extends equally far to all sides of its point."""
    return Element(svg, Box(-reach, -reach, reach, reach), at, style)


@dataclass(frozen=True)
class Drawing:
    """The picture of a `part` of the board ("" for the whole), `pixels` wide as a PNG.

    The background is the sea. On it are `areas`, whose stripes are `stripe` high, and `lines` as SVG text. The elements
    of `board` are drawn above these. All of them have the coordinates of the board.

    The picture shows only the board's `window`, which begins `top` below the edge of the page. The elements of `page`
    are around the board, in the coordinates of the page. `border` is the width of the line between board and page.
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
        """Return the SVG document. Paper covers all that extends beyond the top or bottom of the board."""
        (width, height), (x, y, _, _), top = self.size, self.window, self.top
        high = self.window.height
        bottom = top + high
        areas = "".join(
            f'<path d="{path_around(outlines)}" fill="{fill[0] if len(fill) == 1 else f"url(#{_pattern_id(fill)})"}"/>'
            for outlines, fill in self.areas
        )
        # Stripes cross the whole board, since such stripes need the fewest bytes and have no seams.
        wide, step = self.window.right, self.stripe
        patterns = "".join(
            f'<pattern id="{_pattern_id(fill)}" width="{wide:g}" height="{step}" patternUnits="userSpaceOnUse">'
            f'<rect width="{wide:g}" height="{step}" fill="{fill[0]}"/>'
            f'<rect width="{wide:g}" height="{step / 2:g}" fill="{fill[1]}"/></pattern>'
            for fill in dict.fromkeys(area.fill for area in self.areas if len(area.fill) > 1)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{self.pixels}" '
            f'height="{self.pixels * height / width:.0f}" {FRAME}><title>{self.title}</title>{patterns}'
            f'<g transform="translate({0 - x:g} {top - y:g})">'
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{high:g}" fill="{SEA}"/>'
            f'<g fill-rule="evenodd">{areas}</g>'
            f"{self.lines}{_text(self.board)}</g>"
            f'<path d="M0 0H{width:g}V{top:g}H0ZM0 {bottom:g}H{width:g}V{height:g}H0Z" fill="{PAPER}"/>'
            f'<rect y="{top:g}" width="{width:g}" height="{high:g}" fill="none" stroke="{INK}" '
            f'stroke-width="{self.border:.1f}"/>{_text(self.page)}</svg>'
        )

    @property
    def colors(self) -> list[str]:
        """Return the colors in the document, six digits each.

        White is first, since it is often written in three digits.
        """
        fills = (color for area in self.areas for color in area.fill)
        named = "".join([PAPER, INK, SEA, *fills, self.lines, _text(self.board), _text(self.page)])
        return ["ffffff", *sorted(set(re.findall(r"#([0-9a-f]{6})\b", named)) - {"ffffff"})]


def _pattern_id(fill: tuple[str, ...]) -> str:
    return f"stripes-{fill[1][1:]}"


def _text(elements: Iterable[Element]) -> str:
    """Return the elements as SVG text. Attributes that consecutive elements share are written once."""
    return "".join(
        f"<g {style}>{''.join(map(_placed, some))}</g>" if style else "".join(map(_placed, some))
        for style, some in groupby(elements, key=lambda element: element.style)
    )


def _placed(element: Element) -> str:
    if element.at is None:
        return element.svg
    return f'<g transform="translate({element.at[0]:.0f} {element.at[1]:.0f})">{element.svg}</g>'
