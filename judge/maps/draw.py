"""A scene as the text of an SVG picture: a title, the board, a legend."""

from itertools import accumulate
from typing import NamedTuple

from judge.maps import centers as center_signs
from judge.maps import colours, ground, symbols
from judge.maps.action import Action, action
from judge.maps.geometry import Geometry, Point, Window
from judge.maps.lettering import text_width
from judge.maps.pieces import Picture, Piece, stamp
from judge.maps.scene import Scene
from judge.rules import NEUTRAL, Power
from judge.rules.board.phase import KINDS, kind, season, year
from judge.rules.board.position import occupants
from judge.rules.mechanisms.groups import Group
from judge.rules.phases.winter import balances

FONT = "DejaVu Sans"
# Everything beside the board is measured in hundredths of its width.
_TITLE, _SMALL, _ROW = 1.75, 1.25, 2.1
_MARGIN = 0.8
# By this much all of that is larger beside a part of the board, which is read on a phone.
_NEAR = 1.7
_PAPER = "#fdfbf6"


def draw(scene: Scene, geometry: Geometry, part: str = "") -> str:
    """The picture as SVG text."""
    return picture(scene, geometry, part).svg


def picture(scene: Scene, geometry: Geometry, part: str = "") -> Picture:
    """The picture, by default as wide as the geometry says. `part`: the name of the part that is drawn, if it is not
    the whole board.
    """
    _, _, width, high = geometry.window
    percent = width / 100 * (1 if geometry.whole else _NEAR)
    variant = scene.variant
    shown = action(scene, geometry)
    top = (3.2 if geometry.whole else 5.4) * percent
    legend, bottom = _below(scene, geometry, shown, percent, top + high)
    return Picture(
        size=(width, round(top + high + bottom)),
        pixels=geometry.width,
        frame=f'font-family="{FONT}" font-stretch="condensed" font-weight="bold" text-anchor="middle"',
        title=_plain(" ".join(_title(scene, part))),
        paper=_PAPER,
        window=geometry.window,
        top=top,
        ground=ground.ground(variant, geometry),
        fills=ground.fills(variant, geometry, scene.newest),
        board=(
            *ground.centers(variant, geometry, scene.newest),
            *shown.below,
            *ground.labels(variant, geometry),
            *shown.above,
        ),
        page=(*_edge(geometry.window, top, percent), *_head(scene, percent, width, part), *legend),
    )


def _edge(window: Window, top: float, percent: float) -> list[Piece]:
    """The frame of the board, a line for each side."""
    (_, _, width, high), thick = window, percent * 0.12
    across, down = (Window(0, -thick, width, 2 * thick), f"M0 0H{width:g}"), (
        Window(-thick, 0, 2 * thick, high), f"M0 0V{high:g}")
    sides: list[tuple[Point, tuple[Window, str]]] = [
        ((0, top), across), ((0, top + high), across), ((0, top), down), ((width, top), down)
    ]
    style = f'fill="none" stroke="{colours.INK}" stroke-width="{thick:.1f}"'
    return [Piece(f'<path d="{way}"/>', box, style, at) for at, (box, way) in sides]


def _below(
    scene: Scene, geometry: Geometry, shown: Action, percent: float, top: float
) -> tuple[list[Piece], float]:
    """The part below the board, from `top` on, and its height."""
    powers, rows = _powers(scene, geometry, percent)
    signs, more_rows = _legend(scene, geometry, shown, percent, rows)
    entries = [piece._replace(at=(piece.at[0], piece.at[1] + top)) for piece in powers + signs if piece.at]
    return entries, (rows + more_rows) * _ROW * percent + _MARGIN * percent


def _title(scene: Scene, part: str) -> list[str]:
    """`heron: Spring 1901, movement: results`; `Europe, heron: …` for a part of the board. What is the same in other
    pictures is one piece, so that it need not be drawn again there.
    """
    phase = scene.position.phase
    occasion = "your orders" if scene.occasion == "orders" else scene.occasion
    said = f"{season(phase)} {year(phase)}, {KINDS[kind(phase)].lower()}{f': {occasion}' if occasion else ''}"
    return [*([f"{part},"] if part else []), *([f"{scene.name}:"] if scene.name else []), said]


def _head(scene: Scene, percent: float, width: float, part: str) -> list[Piece]:
    """The title, and the variant: beside it, or below it if that is the title of a part."""
    title, edge = _title(scene, part), _MARGIN * percent
    size = min(_TITLE * percent, (width - 2 * edge) / text_width(" ".join(title), 1))
    across, down, anchor = (edge, 4.6, "start") if part else (width - edge, 2.25, "end")
    variant = f"{scene.variant.title}, {scene.position.phase}"
    starts = accumulate((text_width(f"{piece} ", round(size)) for piece in title), initial=edge)
    return [
        *(_words(piece, (start, 2.25 * percent), size, "start") for piece, start in zip(title, starts, strict=False)),
        _words(variant, (across, down * percent), _SMALL * percent, anchor),
    ]


def _words(text: str, at: Point, size: float, anchor: str) -> Piece:
    """Text that starts, or ends, at that point."""
    wide = text_width(text, size) + size
    box = Window(-size / 2 if anchor == "start" else size / 2 - wide, -size, wide, size * 1.4)
    svg = f'<text font-size="{size:.0f}" text-anchor="{anchor}" fill="{colours.INK}">{_plain(text)}</text>'
    return Piece(svg, box, "", at)


def _powers(scene: Scene, geometry: Geometry, percent: float) -> tuple[list[Piece], int]:
    """Each power in the picture with its sign, its centers and what a winter brings it; and the number of rows for
    that. If players have several powers, one or more rows for each player, with the sum of their centers.
    """
    variant = scene.variant
    alone = [power for power in variant.powers if variant.seat_of(power.name) == power.name]
    told: list[tuple[Group | None, list[Power]]] = [(None, alone)]
    told += [(group, [variant.power_named[name] for name in group.powers]) for group in variant.groups]
    due = balances(variant, scene.position) if kind(scene.position.phase) == "A" else {}
    drawn: list[Piece] = []
    rows = 0
    for group, powers in told:
        counts = {one: len(scene.newest.centers.get(one.name, ())) for one in powers if _has_part(scene, geometry, one)}
        entries = [
            (_disc(percent, symbols.owned(one.colour, one.letter)), f"{one.name} {count}{_due(due.get(one.name, 0))}")
            for one, count in counts.items()
        ]
        if group and entries:
            together = _disc(percent, symbols.hollow(group.colour, group.letter))
            everywhere = sum(len(scene.newest.centers.get(one.name, ())) for one in powers)
            entries.insert(0, (together, f"{group.name}: {everywhere}"))
        more, taken = _in_rows(entries, geometry, percent, rows)
        drawn, rows = drawn + more, rows + taken
    return drawn, rows


def _due(balance: int) -> str:
    """What a winter brings or takes: " (+2)"."""
    return f" ({balance:+d})".replace("-", "\N{MINUS SIGN}") if balance else ""


def _disc(percent: float, look: symbols.Look) -> str:
    return symbols.unit("A", (0, 0), percent * 0.78, look)


def _has_part(scene: Scene, geometry: Geometry, power: Power) -> bool:
    """Whether the power has, or had before the phase, a unit or a center in the picture."""
    newest, before = scene.newest, scene.position
    places = {center for center in newest.centers.get(power.name, ()) if center in geometry.spots}
    places |= {unit.place for position in (newest, before) for unit in position.units.get(power.name, ())}
    places |= {one.unit.place for one in before.dislodged.get(power.name, ())}
    return any(geometry.window.meets([geometry.place(place)]) for place in places)


def _legend(scene: Scene, geometry: Geometry, shown: Action, percent: float, rows: int) -> tuple[list[Piece], int]:
    """What the signs in this picture mean."""
    size = percent * 0.7
    used = ground.used_marks(scene.variant, geometry) | shown.used
    neutral = NEUTRAL in scene.newest.units or NEUTRAL in scene.position.units
    plain, grey = symbols.owned("#ffffff", ""), symbols.owned(colours.NEUTRAL, "")
    entries = [
        (symbols.unit("A", (0, 0), size, plain), "army"),
        (symbols.unit("F", (0, 0), size, plain), "fleet"),
        *([(symbols.unit("A", (0, 0), size, grey), "neutral")] if neutral else []),
        *([(symbols.unit("A", (0, 0), size, _SPONSORED), "affiliate, its sponsor")] if _sponsored(scene) else []),
        *_centers(scene, geometry, size * 0.6),
        *[(_sample(size, look), look.words) for sign, look in _LOOKS.items() if used.get(sign)],
    ]
    failures = [words for sign, words in _FAILURES.items() if used.get(sign)]
    if failures:
        entries.append((symbols.cross((0, 0), size * 0.7), ", ".join(failures)))
    entries += [(sign((0, 0), size * 0.7), words) for key, (sign, words) in _SIGNS.items() if used.get(key)]
    lost = [words for sign, words in _LOST.items() if used.get(sign)]
    if lost:
        struck = symbols.unit("A", (0, 0), size * 0.7, plain) + symbols.gone((0, 0), size * 0.7)
        entries.append((struck, ", ".join(lost)))
    return _in_rows(entries, geometry, percent, rows)


def _centers(scene: Scene, geometry: Geometry, size: float) -> list[tuple[str, str]]:
    """The signs of centers that are in this picture."""
    shown = list(center_signs.centers(scene.variant, geometry, scene.newest))
    owned = symbols.owned(colours.INK, scene.variant.powers[0].letter)
    free = symbols.owned("#ffffff", "")
    entries = [(symbols.center((0, 0), size, owned), "center, its owner"), (symbols.center((0, 0), size, free), "free")]
    entries += [
        (symbols.center((0, 0), size, owned, top, True), words)
        for top, words in _TOPS.items()
        if any(one.top == top for one in shown)
    ]
    if any(one.top and one.owner and not one.builds for one in shown):
        entries.append((symbols.center((0, 0), size, owned, center_signs.HOME), "its owner cannot build there"))
    return entries


_TOPS = {
    center_signs.HOME: "home center",
    center_signs.NAMED: "home won later",
    center_signs.COLONY: "colony",
    center_signs.SPECIAL: "special center",
    center_signs.VASSAL: "vassal",
}
# An affiliate without a particular sponsor.
_SPONSORED = symbols.hollow(colours.INK, "B")


def _sponsored(scene: Scene) -> bool:
    at = occupants(scene.newest)
    return any(at.get(center, ("",))[0] == NEUTRAL for center in scene.variant.sponsors)


class _Look(NamedTuple):
    """How a line looks: colour, width and dashes (as shares of a unit's radius), and what it means."""

    colour: str
    width: float
    dashes: str
    words: str


_LOOKS = {
    "move": _Look(colours.INK, 0.3, "", "move"),
    "convoy": _Look(colours.INK, 0.3, ".6 .4", "by convoy"),
    "retreat": _Look(colours.INK, 0.3, ".6 .4", "retreat"),
    "attack": _Look(colours.INK, 0.3, "", "the attacker came this way"),
    "support": _Look(colours.INK, 0.28, ".02 .5", "support"),
    "A": _Look(colours.ARMY_LINE, 0.24, ".5 .4", "armies only"),
    "F": _Look(colours.FLEET_LINE, 0.24, ".1 .4", "fleets only"),
    "x": _Look(colours.FAIL, 0.16, "", "no border"),
}
# The meaning of a cross, by the thing it is drawn on.
_FAILURES = {"failed": "failed", "cut": "cut"}
# And of strokes through a unit.
_LOST = {"gone": "disbanded", "removed": "removed"}
# Signs beside or behind units.
_SIGNS = {
    "half": (symbols.half, "half strength"),
    "nothing": (symbols.nothing, "no strength of its own"),
    "void": (symbols.void, "void"),
    "held": (symbols.held, "supported to hold"),
    "convoys": (symbols.convoying, "convoys"),
    "built": (symbols.plus, "built"),
    "dislodged": (symbols.burst, "dislodged"),
    "open": (symbols.tick, "open to retreat"),
    "closed": (symbols.bar, "closed"),
}


def _sample(size: float, look: _Look) -> str:
    dashes = " ".join(f"{float(number) * size:.1f}" for number in look.dashes.split())
    return (
        f'<path d="M{-size:.0f} 0H{size:.0f}" stroke="{look.colour}" stroke-width="{look.width * size:.1f}" '
        f'stroke-linecap="{"round" if look.words == "support" else "butt"}" stroke-dasharray="{dashes or "none"}"/>'
    )


def _in_rows(
    entries: list[tuple[str, str]], geometry: Geometry, percent: float, above: int
) -> tuple[list[Piece], int]:
    """Signs with their words, one after the other, in as many rows as they need, below the rows `above`."""
    x, row = _MARGIN, 0
    drawn = []
    for sign, text in entries:
        width = 2.2 + text_width(text, _SMALL) + 1.6
        if x + width > geometry.window.width / percent and x > _MARGIN:
            x, row = _MARGIN, row + 1
        y = (above + row + 0.62) * _ROW
        drawn.append(stamp(sign, ((x + 0.9) * percent, y * percent), 1.4 * percent))
        below = (y + _SMALL * 0.36) * percent
        drawn.append(_words(text, ((x + 2.2) * percent, below), _SMALL * percent, "start"))
        x += width
    return drawn, row + 1 if entries else 0


def _plain(text: str) -> str:
    """Text for SVG, with all markup characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
