"""The signs on the board as SVG text: units, centers, crosses; each drawn about the origin with radius 1."""

from typing import NamedTuple

from judge.maps import colours
from judge.maps.geometry import Point

_HULL = "M-1.3-.2H1.3L.85 1.02H-.85Z"
_SAILS = "M-.1-1.3V-.34H-.9ZM.1-1.15V-.34H.86Z"

# How far the sign of a center reaches, flag and edge with it.
CENTER_REACH = 3.9
_WALLS = "M-1.5-.75H1.5V1.75H-1.5Z"
# What stands on a center, by the word for it.
_TOPS = {
    "home": "M-1.8-.72 0-2.1 1.8-.72Z",
    "named": "M-1.8-.72 0-2.1V-3.5L1.3-2.95 0-2.4V-2.1L1.8-.72Z",
    "colony": "M-1.4-.75A1.4 1.3 0 0 1 1.4-.75Z",
    "special": "M-1.5-.75V-2.1L1.7-.75Z",
    "vassal": "M-1.5-.75V-1.95H-.75V-1.35H-.38V-1.95H.38V-1.35H.75V-1.95H1.5V-.75Z",
}


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


def center(at: Point, radius: float, look: Look, top: str = "", builds: bool = False) -> str:
    """A supply center: a house with its owner's letter, small and empty if it is nobody's (a look without a letter).
    `top`: what stands on it (judge.maps.centers), dark if its owner builds there, else white.
    """
    free = not look.letter
    roof = f'<path d="{_TOPS[top]}" fill="{colours.INK if builds else "#fff"}"/>' if top else ""
    size = 2.8 if len(look.letter) < 2 else 2.1
    text = f'<text y="{0.5 + 0.365 * size:.2f}" font-size="{size:g}" fill="{look.ink}">{look.letter}</text>'
    shape = f'{roof}<path d="{_WALLS}" fill="{look.fill}"/>'
    return (
        f'<g transform="{_to(at, radius * (0.72 if free else 1))}"><g stroke="#fff" stroke-width=".7" '
        f'stroke-linejoin="round">{shape}</g><g stroke="{colours.INK}" stroke-width="{0.3 if free else 0.22:g}" '
        f'stroke-linejoin="round">{shape}</g>{"" if free else text}</g>'
    )


def cross(at: Point, radius: float) -> str:
    """A cross for an order that failed."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="#fff" stroke="{colours.FAIL}" stroke-width=".2"/>'
        f'<path d="M-.45-.45.45.45M.45-.45-.45.45" stroke="{colours.FAIL}" stroke-width=".34"/></g>'
    )


def void(at: Point, radius: float) -> str:
    """The sign of an order that is void."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="#fff" stroke="{colours.INK}" stroke-width=".2"/>'
        f'<path d="M-.5.5.5-.5" stroke="{colours.INK}" stroke-width=".3"/></g>'
    )


def half(at: Point, radius: float) -> str:
    """The sign of half strength."""
    return _worth("½", at, radius)


def nothing(at: Point, radius: float) -> str:
    """The sign of a move that has no strength of its own."""
    return _worth("0", at, radius)


def _worth(text: str, at: Point, radius: float) -> str:
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="#fff" stroke="{colours.INK}" stroke-width=".14"/>'
        f'<text y=".45" font-size="1.3" fill="{colours.INK}">{text}</text></g>'
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
    return (
        f'<g transform="{_to(at, radius)}" fill="none">'
        f'<circle r="1.4" stroke="{colours.edge(colour)}" stroke-width=".4"/>'
        f'<circle r="1.4" stroke="{colour}" stroke-width=".22"{dashes}/></g>'
    )


def held(at: Point, radius: float) -> str:
    """A unit of any power that is supported to hold: a small army in its ring."""
    return unit("A", at, radius * 0.8, owned("#ffffff", "")) + ring(at, radius * 0.85, colours.INK)


def convoying(at: Point, radius: float) -> str:
    """A fleet of any power that convoys: a small ship in its ring."""
    return unit("F", at, radius * 0.8, owned("#ffffff", "")) + ring(at, radius * 0.85, colours.INK, dashed=True)


def halo(at: Point, radius: float) -> str:
    """The ground behind a unit that was built."""
    return (
        f'<circle transform="{_to(at, radius)}" r="1.55" fill="#e4f6e6" stroke="{colours.GOOD}" stroke-width=".3"/>'
    )


def plus(at: Point, radius: float) -> str:
    """A plus for a unit that was built."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="{colours.GOOD}" stroke="#fff" stroke-width=".2"/>'
        '<path d="M-.55 0H.55M0-.55V.55" stroke="#fff" stroke-width=".34"/></g>'
    )


def tick(at: Point, radius: float) -> str:
    """A tick where a dislodged unit may retreat to."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="{colours.GOOD}" stroke="#fff" stroke-width=".2"/>'
        '<path d="M-.5.05-.12.42.52-.36" fill="none" stroke="#fff" stroke-width=".32"/></g>'
    )


def bar(at: Point, radius: float) -> str:
    """No entry: where it may not, though nobody stands there."""
    return (
        f'<g transform="{_to(at, radius)}"><circle r="1" fill="{colours.FAIL}" stroke="#fff" stroke-width=".2"/>'
        '<path d="M-.6 0H.6" stroke="#fff" stroke-width=".42"/></g>'
    )


def gone(at: Point, radius: float) -> str:
    """Two strokes through a unit that was removed or disbanded; they leave its letter free, which says whose it was."""
    strokes = "M-1.2-1.2-.7-.7M1.2-1.2.7-.7M-1.2 1.2-.7.7M1.2 1.2.7.7"
    return (
        f'<g transform="{_to(at, radius)}" stroke-linecap="round"><path d="{strokes}" stroke="#fff" '
        f'stroke-width=".62"/><path d="{strokes}" stroke="{colours.FAIL}" stroke-width=".36"/></g>'
    )


def _to(at: Point, scale: float) -> str:
    return f"translate({at[0]:.0f} {at[1]:.0f})scale({scale:g})"
