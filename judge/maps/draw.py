"""A scene as the text of an SVG picture: a title, the board, a legend."""

from typing import NamedTuple

from judge.maps import colours, ground, symbols
from judge.maps.action import Action, action
from judge.maps.geometry import Geometry
from judge.maps.scene import Scene
from judge.rules import NEUTRAL, Power
from judge.rules.board.phase import KINDS, kind, season, year
from judge.rules.board.position import occupants
from judge.rules.mechanisms.groups import Group

FONT = "DejaVu Sans"
# Everything beside the board is measured in hundredths of its width.
_TITLE, _SMALL, _ROW = 1.75, 1.25, 2.1
# The mean width of a letter of the font, as a share of its size.
_LETTER = 0.6
_MARGIN = 0.8
# By this much all of that is larger beside a part of the board, which is read on a phone.
_NEAR = 1.7
_PAPER = "#fdfbf6"


def draw(scene: Scene, geometry: Geometry, part: str = "") -> str:
    """The picture, by default as wide as the geometry says. `part`: the name of the part that is drawn, if it is not
    the whole board.
    """
    x, y, width, high = geometry.window
    percent = width / 100 * (1 if geometry.whole else _NEAR)
    shown = action(scene, geometry)
    top = (3.2 if geometry.whole else 5.4) * percent
    legend, bottom = _below(scene, geometry, shown, percent)
    below, above = shown.svg
    height = top + high + bottom
    pixels = geometry.width
    # Lines that extend beyond the top or bottom of the board are painted over: that is faster than cutting them off.
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:.0f}" width="{pixels}" '
        f'height="{pixels * height / width:.0f}" font-family="{FONT}" font-stretch="condensed" '
        f'font-weight="bold" text-anchor="middle">'
        f"<title>{_plain(_title(scene, part))}</title>{_patterns(geometry)}"
        f'<g transform="translate({-x:g} {top - y:.0f})">'
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{high:g}" fill="{colours.SEA}"/>'
        f"{ground.scenery(geometry)}{ground.land(scene.variant, geometry, scene.newest)}"
        f"{ground.lines(scene.variant, geometry)}{ground.centers(scene.variant, geometry, scene.newest)}"
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{below}</g>'
        f"{ground.labels(scene.variant, geometry)}{above}</g>"
        f'<path d="M0 0H{width:g}V{top:.0f}H0ZM0 {top + high:.0f}H{width:g}V{height:.0f}H0Z" fill="{_PAPER}"/>'
        f'<rect y="{top:.0f}" width="{width:g}" height="{high:g}" fill="none" stroke="{colours.INK}" '
        f'stroke-width="{percent * 0.12:.1f}"/>{_head(scene, percent, width, part)}'
        f'<g transform="translate(0 {top + high:.0f})" text-anchor="start">{legend}</g></svg>'
    )


def _below(scene: Scene, geometry: Geometry, shown: Action, percent: float) -> tuple[str, float]:
    """The part below the board, and its height."""
    powers, rows = _powers(scene, geometry, percent)
    signs, more_rows = _legend(scene, geometry, shown, percent, rows)
    return powers + signs, (rows + more_rows) * _ROW * percent + _MARGIN * percent


def _title(scene: Scene, part: str) -> str:
    """`heron: Spring 1901, movement: results`; `Europe, heron: …` for a part of the board."""
    phase = scene.position.phase
    words = f"{season(phase)} {year(phase)}, {KINDS[kind(phase)].lower()}"
    said = f"{f'{scene.name}: ' if scene.name else ''}{words}{f': {scene.occasion}' if scene.occasion else ''}"
    return f"{part}, {said}" if part else said


def _head(scene: Scene, percent: float, width: float, part: str) -> str:
    """The title, and the variant: beside it, or below it if that is the title of a part."""
    title, edge = _title(scene, part), _MARGIN * percent
    size = min(_TITLE * percent, (width - 2 * edge) / (len(title) * _LETTER))
    across, down, anchor = (edge, 4.6, "start") if part else (width - edge, 2.25, "end")
    return (
        f'<text x="{edge:.0f}" y="{2.25 * percent:.0f}" font-size="{size:.0f}" text-anchor="start" '
        f'fill="{colours.INK}">{_plain(title)}</text>'
        f'<text x="{across:.0f}" y="{down * percent:.0f}" font-size="{_SMALL * percent:.0f}" '
        f'text-anchor="{anchor}" fill="{colours.INK}">{_plain(scene.variant.title)}, {scene.position.phase}</text>'
    )


def _powers(scene: Scene, geometry: Geometry, percent: float) -> tuple[str, int]:
    """Each power in the picture with its sign and its centers; and the number of rows for that. If players have several
    powers, one or more rows for each player, with the sum of their centers.
    """
    variant = scene.variant
    alone = [power for power in variant.powers if variant.seat_of(power.name) == power.name]
    told: list[tuple[Group | None, list[Power]]] = [(None, alone)]
    told += [(group, [variant.power_named[name] for name in group.powers]) for group in variant.groups]
    drawn, rows = "", 0
    for group, powers in told:
        counts = {one: len(scene.newest.centers.get(one.name, ())) for one in powers if _has_part(scene, geometry, one)}
        entries = [
            (_disc(percent, symbols.owned(one.colour, one.letter)), f"{one.name} {count}")
            for one, count in counts.items()
        ]
        if group and entries:
            together = _disc(percent, symbols.hollow(group.colour, group.letter))
            entries.insert(0, (together, f"{group.name}: {sum(counts.values())}"))
        more, taken = _in_rows(entries, geometry, percent, rows)
        drawn, rows = drawn + more, rows + taken
    return drawn, rows


def _disc(percent: float, look: symbols.Look) -> str:
    return symbols.unit("A", (0, 0), percent * 0.78, look)


def _has_part(scene: Scene, geometry: Geometry, power: Power) -> bool:
    """Whether the power has, or had before the phase, a unit or a center in the picture."""
    newest, before = scene.newest, scene.position
    places = {center for center in newest.centers.get(power.name, ()) if center in geometry.spots}
    places |= {unit.place for position in (newest, before) for unit in position.units.get(power.name, ())}
    places |= {one.unit.place for one in before.dislodged.get(power.name, ())}
    return any(geometry.window.meets([geometry.place(place)]) for place in places)


def _legend(scene: Scene, geometry: Geometry, shown: Action, percent: float, rows: int) -> tuple[str, int]:
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
    return _in_rows(entries, geometry, percent, rows)


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
    "support": _Look(colours.INK, 0.28, ".02 .5", "support"),
    "A": _Look(colours.ARMY_LINE, 0.24, ".5 .4", "armies only"),
    "F": _Look(colours.FLEET_LINE, 0.24, ".1 .4", "fleets only"),
    "x": _Look(colours.FAIL, 0.16, "", "no border"),
}
# The meaning of a cross, by the thing it is drawn on.
_FAILURES = {"failed": "failed", "cut": "cut", "gone": "disbanded", "removed": "removed"}


def _sample(size: float, look: _Look) -> str:
    dashes = " ".join(f"{float(number) * size:.1f}" for number in look.dashes.split())
    return (
        f'<path d="M{-size:.0f} 0H{size:.0f}" stroke="{look.colour}" stroke-width="{look.width * size:.1f}" '
        f'stroke-linecap="{"round" if look.words == "support" else "butt"}" stroke-dasharray="{dashes or "none"}"/>'
    )


def _in_rows(
    entries: list[tuple[str, str]], geometry: Geometry, percent: float, above: int
) -> tuple[str, int]:
    """Signs with their words, one after the other, in as many rows as they need, below the rows `above`."""
    x, row = _MARGIN, 0
    drawn = []
    for sign, text in entries:
        width = 2.2 + len(text) * _SMALL * _LETTER + 1.2
        if x + width > geometry.window.width / percent and x > _MARGIN:
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
    step = geometry.unit * 0.55
    return (
        f'<defs><pattern id="shut" width="{step:.0f}" height="{step:.0f}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{step:.0f}" height="{step:.0f}" fill="{colours.IMPASSABLE}"/>'
        f'<rect width="{step * 0.4:.0f}" height="{step:.0f}" fill="#bdb4a2"/></pattern></defs>'
    )


def _plain(text: str) -> str:
    """Text for SVG, with all markup characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
