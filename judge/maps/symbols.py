"""The signs on the board as SVG text: units, centers, crosses; each drawn about the origin with radius 1."""

from typing import NamedTuple

from judge.maps import colours
from judge.maps.geometry import Point

_HULL = "M-1.3-.2H1.3L.85 1.02H-.85Z"
_SAILS = "M-.1-1.3V-.34H-.9ZM.1-1.15V-.34H.86Z"


class Look(NamedTuple):
    """How a unit looks: its fill, its edge and the edge's width, the colour of its letter, and the letter."""

    fill: str
    edge: str
    width: float
    ink: str
    letter: str


def owned(colour: str, letter: str) -> Look:
    """The look of a power's units."""
    return Look(colour, colours.INK, 0.13, colours.ink_on(colour), letter)


def hollow(colour: str, letter: str) -> Look:
    """The look of units without an owner that are closer to one power than to the others."""
    return Look("#ffffff", colours.line(colour), 0.3, colours.line(colour), letter)


def unit(kind: str, at: Point, radius: float, look: Look) -> str:
    """An army (a disc) or a fleet (a ship), with its owner's letter."""
    letter = look.letter
    style = f'fill="{look.fill}" stroke="{look.edge}" stroke-width="{look.width:g}"'
    if kind == "A":
        body = f'<circle r="{1.015 - look.width / 2:g}" {style}/>'
        place = 0.48
    else:
        body = (
            f'<path d="{_SAILS}" fill="#fff" stroke="{colours.INK}" stroke-width=".1"/>'
            f'<path d="{_HULL}" {style}/>'
        )
        place = 0.86
    place -= 0.1 if len(letter) > 1 else 0
    text = f'<text y="{place:g}" font-size="{letter_size(kind, letter):g}" fill="{look.ink}">{letter}</text>'
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1.2" fill="#fff" fill-opacity=".55"/>{body}'
        f"{text if letter else ''}</g>"
    )


def letter_size(kind: str, letter: str) -> float:
    """The font size of a unit's letter, or of its two letters, as a share of the unit's radius."""
    return (1.34 if kind == "A" else 1.3) * (1 if len(letter) < 2 else 0.82)


def center(at: Point, radius: float, colour: str, home: bool) -> str:
    """A supply center: filled if it is owned, with a ring around a home center."""
    ring = f'<circle r="1.55" fill="#fff" stroke="{colours.INK}" stroke-width=".28"/>' if home else ""
    return (
        f'<g transform="{_to(at, radius)}">{ring}'
        f'<circle fill="{colour}" stroke="{colours.INK}" stroke-width="{0 if home else 0.3:g}" r="1"/></g>'
    )


def cross(at: Point, radius: float) -> str:
    """A cross for an order that failed."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="#fff" stroke="{colours.FAIL}" stroke-width=".2"/>'
        f'<path d="M-.45-.45.45.45M.45-.45-.45.45" stroke="{colours.FAIL}" stroke-width=".34"/></g>'
    )


def burst(at: Point, radius: float) -> str:
    """The sign behind a dislodged unit."""
    points = "M0-1.75.5-1.2 1.24-1.24 1.2-.5 1.75 0 1.2.5 1.24 1.24.5 1.2 0 1.75-.5 1.2-1.24 1.24-1.2.5-1.75 0-1.2-.5"
    return (
        f'<path transform="{_to(at, radius)}" d="{points}-1.24-1.24-.5-1.2Z" fill="#fff" stroke="{colours.FAIL}" '
        'stroke-width=".22"/>'
    )


def ring(at: Point, radius: float, colour: str, dashed: bool = False) -> str:
    """The ring around a unit that an order affects."""
    dashes = ' stroke-dasharray=".35 .25"' if dashed else ""
    return f'<circle transform="{_to(at, radius)}" r="1.4" fill="none" stroke="{colour}" stroke-width=".22"{dashes}/>'


def plus(at: Point, radius: float) -> str:
    """A plus for a unit that was built."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="{colours.GOOD}" stroke="#fff" stroke-width=".2"/>'
        '<path d="M-.55 0H.55M0-.55V.55" stroke="#fff" stroke-width=".34"/></g>'
    )


def _to(at: Point, scale: float) -> str:
    return f"translate({at[0]:.0f} {at[1]:.0f})scale({scale:g})"
