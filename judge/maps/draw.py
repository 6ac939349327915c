"""A scene as the text of an SVG picture: a title, the board, a legend."""

from typing import NamedTuple

from judge.maps import colours, ground, symbols
from judge.maps.action import Action, action
from judge.maps.geometry import Geometry
from judge.maps.scene import Scene
from judge.rules import NEUTRAL, Power
from judge.rules.phase import KINDS, kind, season, year

FONT = "DejaVu Sans"
# Everything beside the board is measured in hundredths of its width.
_TITLE, _SMALL, _ROW = 1.75, 1.25, 2.1
# The mean width of a letter of the font, in shares of its size.
_LETTER = 0.6
_MARGIN = 0.8


def draw(scene: Scene, geometry: Geometry) -> str:
    """The picture, as wide as the geometry says where nothing else is asked for."""
    board, high = geometry.box
    width = geometry.width
    percent = board / 100
    shown = action(scene, geometry)
    top = 3.2 * percent
    powers, rows = _powers(scene, percent)
    signs, more_rows = _legend(scene, geometry, shown, percent, rows)
    bottom = (rows + more_rows) * _ROW * percent + _MARGIN * percent
    below, above = shown.svg
    height = top + high + bottom
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {board:g} {height:.0f}" width="{width}" '
        f'height="{width * height / board:.0f}" font-family="{FONT}" font-stretch="condensed" '
        f'font-weight="bold" text-anchor="middle">'
        f"<title>{_plain(_title(scene))}</title>{_patterns(geometry)}"
        f'<rect width="{board:g}" height="{height:.0f}" fill="#fdfbf6"/>{_head(scene, percent, board)}'
        f'<g transform="translate(0 {top:.0f})"><g clip-path="url(#board)">'
        f'<rect width="{board:g}" height="{high:g}" fill="{colours.SEA}"/>{ground.scenery(geometry)}'
        f"{ground.land(scene.variant, geometry, scene.newest)}{ground.shut_seas(scene.variant, geometry)}"
        f"{ground.lines(scene.variant, geometry)}{ground.centers(scene.variant, geometry, scene.newest)}"
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{below}</g>'
        f"{ground.labels(scene.variant, geometry)}{above}</g>"
        f'<rect width="{board:g}" height="{high:g}" fill="none" stroke="{colours.INK}" '
        f'stroke-width="{percent * 0.12:.1f}"/></g>'
        f'<g transform="translate(0 {top + high:.0f})" text-anchor="start">{powers}{signs}</g></svg>'
    )


def _title(scene: Scene) -> str:
    """`heron: Spring 1901, movement: results`."""
    phase = scene.position.phase
    words = f"{season(phase)} {year(phase)}, {KINDS[kind(phase)].lower()}"
    return f"{f'{scene.name}: ' if scene.name else ''}{words}{f': {scene.occasion}' if scene.occasion else ''}"


def _head(scene: Scene, percent: float, board: float) -> str:
    y = 2.25 * percent
    return (
        f'<text x="{_MARGIN * percent:.0f}" y="{y:.0f}" font-size="{_TITLE * percent:.0f}" text-anchor="start" '
        f'fill="{colours.INK}">{_plain(_title(scene))}</text>'
        f'<text x="{board - _MARGIN * percent:.0f}" y="{y:.0f}" font-size="{_SMALL * percent:.0f}" '
        f'text-anchor="end" fill="{colours.INK}">{_plain(scene.variant.title)}, {scene.position.phase}</text>'
    )


def _powers(scene: Scene, percent: float) -> tuple[str, int]:
    """Each power on the board with its sign and its centers; and how many rows that takes."""
    present = [power for power in scene.variant.powers if _has_part(scene, power)]
    entries = []
    for power in present:
        count = len(scene.newest.centers.get(power.name, ()))
        sign = symbols.unit("A", (0, 0), percent * 0.78, power.colour, power.letter)
        entries.append((sign, f"{power.name} {count}"))
    return _in_rows(entries, percent, 0)


def _has_part(scene: Scene, power: Power) -> bool:
    newest, before = scene.newest, scene.position
    return any(power.name in table for table in (newest.centers, newest.units, before.units, before.dislodged))


def _legend(scene: Scene, geometry: Geometry, shown: Action, percent: float, rows: int) -> tuple[str, int]:
    """What the signs in this picture mean."""
    size = percent * 0.7
    used = ground.used_marks(scene.variant, geometry) | shown.used
    neutral = NEUTRAL in scene.newest.units or NEUTRAL in scene.position.units
    entries = [
        (symbols.unit("A", (0, 0), size, "#ffffff", ""), "army"),
        (symbols.unit("F", (0, 0), size, "#ffffff", ""), "fleet"),
        *([(symbols.unit("A", (0, 0), size, colours.NEUTRAL, ""), "neutral")] if neutral else []),
        (symbols.center((0, 0), size * 0.55, colours.INK, False), "owned center"),
        (symbols.center((0, 0), size * 0.55, "#ffffff", False), "free center"),
        (symbols.center((0, 0), size * 0.5, colours.INK, True), "home center"),
        *[(_sample(size, look), look.words) for sign, look in _LOOKS.items() if used.get(sign)],
    ]
    failures = [words for sign, words in _FAILURES.items() if used.get(sign)]
    if failures:
        entries.append((symbols.cross((0, 0), size * 0.7), ", ".join(failures)))
    if used.get("built"):
        entries.append((symbols.plus((0, 0), size * 0.7), "built"))
    if used.get("dislodged"):
        entries.append((symbols.burst((0, 0), size * 0.6), "dislodged"))
    return _in_rows(entries, percent, rows)


class _Look(NamedTuple):
    """How a line looks: colour, width and dashes in shares of a unit's radius, what it means."""

    colour: str
    width: float
    dashes: str
    words: str


_LOOKS = {
    "move": _Look(colours.INK, 0.3, "", "move"),
    "convoy": _Look(colours.INK, 0.3, ".6 .4", "by convoy"),
    "retreat": _Look(colours.INK, 0.3, ".6 .4", "retreat"),
    "support": _Look(colours.INK, 0.28, ".02 .5", "support"),
    "A": _Look(colours.ARMY_LINE, 0.24, ".5 .4", "armies only"),
    "F": _Look(colours.FLEET_LINE, 0.24, ".1 .4", "fleets only"),
    "x": _Look(colours.FAIL, 0.3, "", "no border"),
}
# What a cross means, by what it was put on.
_FAILURES = {"failed": "failed", "cut": "cut", "gone": "disbanded", "removed": "removed"}


def _sample(size: float, look: _Look) -> str:
    dashes = " ".join(f"{float(number) * size:.1f}" for number in look.dashes.split())
    return (
        f'<path d="M{-size:.0f} 0H{size:.0f}" stroke="{look.colour}" stroke-width="{look.width * size:.1f}" '
        f'stroke-linecap="{"round" if look.words == "support" else "butt"}" stroke-dasharray="{dashes or "none"}"/>'
    )


def _in_rows(entries: list[tuple[str, str]], percent: float, above: int) -> tuple[str, int]:
    """Signs with their words, one behind the other, in as many rows as they need below those `above`."""
    x, row = _MARGIN, 0
    drawn = []
    for sign, text in entries:
        width = 2.2 + len(text) * _SMALL * _LETTER + 1.2
        if x + width > 100 and x > _MARGIN:
            x, row = _MARGIN, row + 1
        y = (above + row + 0.62) * _ROW
        drawn.append(
            f'<g transform="translate({(x + 0.9) * percent:.0f} {y * percent:.0f})" text-anchor="middle">{sign}</g>'
            f'<text x="{(x + 2.2) * percent:.0f}" y="{(y + _SMALL * 0.36) * percent:.0f}" '
            f'font-size="{_SMALL * percent:.0f}" fill="{colours.INK}">{_plain(text)}</text>'
        )
        x += width
    return "".join(drawn), row + 1 if entries else 0


def _patterns(geometry: Geometry) -> str:
    width, height = geometry.box
    step = geometry.unit * 0.55
    return (
        f'<defs><clipPath id="board"><rect width="{width:g}" height="{height:g}"/></clipPath>'
        f'<pattern id="shut" width="{step:.0f}" height="{step:.0f}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{step:.0f}" height="{step:.0f}" fill="{colours.IMPASSABLE}"/>'
        f'<rect width="{step * 0.4:.0f}" height="{step:.0f}" fill="#bdb4a2"/></pattern></defs>'
    )


def _plain(text: str) -> str:
    """Text for SVG: nothing in it is markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
