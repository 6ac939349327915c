"""A picture in pieces: the ground of its board, and what stands on it.

The ground changes only with the owners of its areas, and most of what stands on it are stamps: units, centers, names,
the entries of a legend. So the renderer keeps what it has drawn of them, and draws anew only the lines of orders. As
SVG text the same pieces are one document.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

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


@dataclass(frozen=True)
class Picture:
    """`frame` are the attributes of the whole document. `base` is the ground without its
    `areas`, which are drawn on it, and then its `lines`; on this ground `board`; all that in the coordinates of the
    board, of which `window` is shown from `top` on. `page` is around it, on `paper`, in the coordinates of the page.
    """

    size: Point
    pixels: int
    frame: str
    title: str
    patterns: str
    paper: str
    window: Window
    top: float
    base: str
    areas: tuple[Piece, ...]
    lines: str
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
            f"<title>{self.title}</title>{self.patterns}"
            f'<g transform="translate({-x:g} {top - y:.0f})">'
            f"{self.base}{_text(self.areas)}{self.lines}{_text(self.board)}</g>"
            f'<path d="M0 0H{width:g}V{top:.0f}H0ZM0 {below:.0f}H{width:g}V{height:.0f}H0Z" fill="{self.paper}"/>'
            f"{_text(self.page)}</svg>"
        )

    @property
    def order(self) -> dict[str, Any]:
        """The same for the renderer, as JSON."""
        return {
            "size": self.size,
            "frame": self.frame,
            "patterns": self.patterns,
            "paper": self.paper,
            "window": self.window,
            "top": self.top,
            "base": self.base,
            "areas": self.areas,
            "lines": self.lines,
            "board": self.board,
            "page": self.page,
        }


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
