"""The signs on the board as SVG text, each centered on the origin."""

from typing import NamedTuple

from judge.maps import colors

_HULL = "M-1.3-.2H1.3L.85 1.02H-.85Z"
_SAILS = "M-.1-1.3V-.34H-.9ZM.1-1.15V-.34H.86Z"

# The reach of a center's sign, with its flag and edge, and the reach of all other signs. Both are shares of the radius.
CENTER_REACH, REACH = 3.9, 2.0
_WALLS = "M-1.5-.75H1.5V1.75H-1.5Z"
# The shape on top of a center, by its name in `ground.Center`.
_TOPS = {
    "home": "M-1.8-.72 0-2.1 1.8-.72Z",
    "named": "M-1.8-.72 0-2.1V-3.5L1.3-2.95 0-2.4V-2.1L1.8-.72Z",
    "colony": "M-1.4-.75A1.4 1.3 0 0 1 1.4-.75Z",
    "special": "M-1.5-.75V-2.1L1.7-.75Z",
    "vassal": "M-1.5-.75V-1.95H-.75V-1.35H-.38V-1.95H.38V-1.35H.75V-1.95H1.5V-.75Z",
}
_BURST = "M0-1.75.5-1.2 1.24-1.24 1.2-.5 1.75 0 1.2.5 1.24 1.24.5 1.2 0 1.75-.5 1.2-1.24 1.24-1.2.5-1.75 0-1.2-.5"
# Two strokes through a unit. They leave its letter free, since the letter shows whose unit it was.
_STRUCK = "M-1.2-1.2-.7-.7M1.2-1.2.7-.7M-1.2 1.2-.7.7M1.2 1.2.7.7"


def _disc(fill: str, edge: str, width: str) -> str:
    return f'<circle r="1" fill="{fill}" stroke="{edge}" stroke-width="{width}"/>'


_CROSS = (
    _disc("#fff", colors.FAIL, ".2")
    + f'<path d="M-.45-.45.45.45M.45-.45-.45.45" stroke="{colors.FAIL}" stroke-width=".34"/>'
)
_GONE = (
    f'<g stroke-linecap="round"><path d="{_STRUCK}" stroke="#fff" stroke-width=".62"/>'
    f'<path d="{_STRUCK}" stroke="{colors.FAIL}" stroke-width=".36"/></g>'
)
# The signs with radius 1, by their meaning.
_SIGNS = {
    "failed": _CROSS,
    "cut": _CROSS,
    "void": _disc("#fff", colors.INK, ".2") + f'<path d="M-.5.5.5-.5" stroke="{colors.INK}" stroke-width=".3"/>',
    "half": _disc("#fff", colors.INK, ".14") + f'<text y=".45" font-size="1.3" fill="{colors.INK}">½</text>',
    "nothing": _disc("#fff", colors.INK, ".14") + f'<text y=".45" font-size="1.3" fill="{colors.INK}">0</text>',
    "dislodged": f'<path d="{_BURST}-1.24-1.24-.5-1.2Z" fill="#fff" stroke="{colors.FAIL}" stroke-width=".22"/>',
    "new": f'<circle r="1.55" fill="#e4f6e6" stroke="{colors.GOOD}" stroke-width=".3"/>',
    "built": _disc(colors.GOOD, "#fff", ".2") + '<path d="M-.55 0H.55M0-.55V.55" stroke="#fff" stroke-width=".34"/>',
    "open": _disc(colors.GOOD, "#fff", ".2")
    + '<path d="M-.5.05-.12.42.52-.36" fill="none" stroke="#fff" stroke-width=".32"/>',
    "closed": _disc(colors.FAIL, "#fff", ".2") + '<path d="M-.6 0H.6" stroke="#fff" stroke-width=".42"/>',
    "gone": _GONE,
    "removed": _GONE,
}


class Look(NamedTuple):
    """The look of a unit: its fill, its edge and the edge's width, its letter and the letter's color."""

    fill: str
    edge: str
    width: float
    ink: str
    letter: str


def owned(color: str, letter: str = "") -> Look:
    """Return the look of a power's units."""
    return Look(color, colors.INK, 0.13, colors.ink_on(color), letter)


def hollow(color: str, letter: str) -> Look:
    """Return the look of a sponsored neutral's unit, and of the signs of groups: white, with a colored edge."""
    return Look("#ffffff", colors.line(color), 0.3, colors.line(color), letter)


def sign(name: str, radius: float) -> str:
    """Return a sign that is put on a unit or a line, or next to it."""
    return _scaled(_SIGNS[name], radius)


def unit(kind: str, radius: float, look: Look) -> str:
    """Return an army (a disc) or a fleet (a ship), with its owner's letter."""
    style = f'fill="{look.fill}" stroke="{look.edge}" stroke-width="{look.width:g}"'
    if kind == "A":
        body, place = f'<circle r="{1.015 - look.width / 2:g}" {style}/>', 0.48
    else:
        sails = f'<path d="{_SAILS}" fill="#fff" stroke="{colors.INK}" stroke-width=".1"/>'
        body, place = f'{sails}<path d="{_HULL}" {style}/>', 0.86
    place -= 0.1 if len(look.letter) > 1 else 0
    text = f'<text y="{place:g}" font-size="{letter_size(kind, look.letter):g}" fill="{look.ink}">{look.letter}</text>'
    return _scaled(f'<circle r="1.2" fill="#fff" fill-opacity=".55"/>{body}{text if look.letter else ""}', radius)


def letter_size(kind: str, letter: str) -> float:
    """Return the font size of a unit's letter or two letters, as a share of the unit's radius."""
    return (1.34 if kind == "A" else 1.3) * (1 if len(letter) < 2 else 0.82)


def center(radius: float, look: Look, top: str = "", builds: bool = False) -> str:
    """Return a supply center: a house with its owner's letter, or small and empty if the look has no letter.

    `top` is what is on the house (judge.maps.ground), dark if its owner builds there, else white. A "site" is only a
    roof.
    """
    if top == "site":
        return _scaled(f'<path d="{_TOPS["special"]}" fill="{colors.INK}" stroke="#fff" stroke-width=".4"/>', radius)
    roof = f'<path d="{_TOPS[top]}" fill="{colors.INK if builds else "#fff"}"/>' if top else ""
    size = 2.8 if len(look.letter) < 2 else 2.1
    text = f'<text y="{0.5 + 0.365 * size:.2f}" font-size="{size:g}" fill="{look.ink}">{look.letter}</text>'
    edge = 0.22
    if not look.letter:
        text, edge, radius = "", 0.3, radius * 0.72
    shape = f'{roof}<path d="{_WALLS}" fill="{look.fill}"/>'
    return _scaled(
        f'<g stroke="#fff" stroke-width=".7" stroke-linejoin="round">{shape}</g><g stroke="{colors.INK}" '
        f'stroke-width="{edge:g}" stroke-linejoin="round">{shape}</g>{text}',
        radius,
    )


def ring(name: str, radius: float, color: str) -> str:
    """Return the ring around a unit that is "held" (solid), "convoys" (dashed), or has a "bid" (hollow)."""
    dashes = ' stroke-dasharray=".35 .25"' if name == "convoys" else ""
    core = '<circle r="1.4" stroke="#fff" stroke-width=".1"/>' if name == "bid" else ""
    return _scaled(
        f'<g fill="none"><circle r="1.4" stroke="{colors.edge(color)}" stroke-width=".4"/>'
        f'<circle r="1.4" stroke="{color}" stroke-width=".22"{dashes}/>{core}</g>',
        radius,
    )


def dashes(shares: str, radius: float) -> str:
    """Return the dash pattern of a line, from lengths as shares of a radius."""
    return " ".join(f"{float(share) * radius:.1f}" for share in shares.split())


def _scaled(svg: str, radius: float) -> str:
    return f'<g transform="scale({radius:g})">{svg}</g>'
