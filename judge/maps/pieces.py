"""A picture in pieces: the ground of its board, and what stands on it.

Of the ground only the colours of its areas change, and most of what stands on it are stamps: units, centers, names, the
entries of a legend. So the renderer keeps what it has drawn of them, and draws anew only the lines of orders. As SVG
text the same pieces are one document.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import orjson

from judge.maps.geometry import Point, Window


class Piece(NamedTuple):
    """SVG text, the box around it, and the attributes that hold for all of it. A stamp stands `at` some point, from
    which it is measured; others are drawn where they are.
    """

    svg: str
    box: Window
    style: str = ""
    at: Point | None = None


def stamp(svg: str, at: Point, reach: float, style: str = "") -> Piece:
    """A stamp that reaches so far to all sides."""
    return Piece(svg, Window(-reach, -reach, 2 * reach, 2 * reach), style, at)


@dataclass(frozen=True, eq=False)
class Ground:
    """The ground of a board, in the window of a picture; it stays as it is while owners change. `base` is what nobody
    can own, on it lie areas with these `outlines`, above all that `lines`. Stripes of two colours are `stripe` high.
    """

    base: str
    outlines: tuple[str, ...]
    style: str
    stripe: int
    lines: str

    @cached_property
    def order(self) -> bytes:
        """The same for the renderer, as JSON."""
        return orjson.dumps(
            {
                "base": self.base,
                "outlines": self.outlines,
                "style": self.style,
                "stripe": self.stripe,
                "lines": self.lines,
            }
        )


# The colour of an area, or the two of its stripes.
Fill = tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """`frame` are the attributes of the whole document. The areas of `ground` have `fills`; on them stands `board`; all
    that in the coordinates of the board, of which `window` is shown from `top` on. `page` is around it, on `paper`, in
    the coordinates of the page.
    """

    size: Point
    pixels: int
    frame: str
    title: str
    paper: str
    window: Window
    top: float
    ground: Ground
    fills: tuple[Fill, ...]
    board: tuple[Piece, ...]
    page: tuple[Piece, ...]

    @property
    def svg(self) -> str:
        """The document. What extends beyond the top or bottom of the board is painted over."""
        (width, height), (x, y, _, high), top = self.size, self.window, self.top
        below = top + high
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:.0f}" width="{self.pixels}" '
            f'height="{self.pixels * height / width:.0f}" {self.frame}>'
            f"<title>{self.title}</title>{self._stripes}"
            f'<g transform="translate({-x:g} {top - y:.0f})">'
            f"{self.ground.base}<g {self.ground.style}>{self._areas}</g>{self.ground.lines}{_text(self.board)}</g>"
            f'<path d="M0 0H{width:g}V{top:.0f}H0ZM0 {below:.0f}H{width:g}V{height:.0f}H0Z" fill="{self.paper}"/>'
            f"{_text(self.page)}</svg>"
        )

    @property
    def _areas(self) -> str:
        return "".join(
            f'<path d="{outline}" fill="{fill[0] if len(fill) < 2 else f"url(#{_stripes_id(fill)})"}"/>'
            for outline, fill in zip(self.ground.outlines, self.fills, strict=True)
        )

    @property
    def _stripes(self) -> str:
        """Horizontal stripes, which need the fewest bytes, across the whole board, so that they have no seams."""
        x, _, wide, _ = self.window
        step = self.ground.stripe
        return "".join(
            f'<pattern id="{_stripes_id(fill)}" width="{x + wide:g}" height="{step}" patternUnits="userSpaceOnUse">'
            f'<rect width="{x + wide:g}" height="{step}" fill="{fill[0]}"/>'
            f'<rect width="{x + wide:g}" height="{step / 2:g}" fill="{fill[1]}"/></pattern>'
            for fill in dict.fromkeys(self.fills)
            if len(fill) > 1
        )

    @property
    def order(self) -> bytes:
        """The same without its ground for the renderer, as JSON."""
        return orjson.dumps(
            {
                "size": self.size,
                "frame": self.frame,
                "paper": self.paper,
                "window": self.window,
                "top": self.top,
                "fills": self.fills,
                "board": self.board,
                "page": self.page,
            },
            default=tuple,  # pieces and windows
        )


def _stripes_id(fill: Fill) -> str:
    return f"stripes-{fill[1][1:]}"


def _text(pieces: Iterable[Piece]) -> str:
    """The pieces as SVG text; what holds for several of them in a row is said once."""
    return "".join(
        f"<g {style}>{''.join(map(_placed, some))}</g>" if style else "".join(map(_placed, some))
        for style, some in groupby(pieces, key=lambda piece: piece.style)
    )


def _placed(piece: Piece) -> str:
    if piece.at is None:
        return piece.svg
    return f'<g transform="translate({piece.at[0]:.0f} {piece.at[1]:.0f})">{piece.svg}</g>'
