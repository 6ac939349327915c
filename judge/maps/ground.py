"""The board itself, below all units: land and water, borders and links, centers, the provinces' names."""

from collections.abc import Iterable
from functools import lru_cache

from judge.maps import colours, symbols
from judge.maps.borders import borders, mark
from judge.maps.geometry import Arc, Geometry, Link, Point
from judge.maps.lettering import BASELINE, Box, coast_boxes, label_size, shown, text_box
from judge.rules import NEUTRAL, Position, Variant
from judge.rules.board.position import occupants, owners

# Stroke widths and dashes are shares of a unit's radius, so that all boards look alike.
_DASHES = {"A": ".5 .3", "F": ".1 .32"}



def land(variant: Variant, geometry: Geometry, position: Position) -> str:
    """Every area: in its owner's tint; an affiliate's area has stripes in the tint of its sponsor."""
    owner = owners(position)
    held = {unit.province for unit in position.units.get(NEUTRAL, ())}
    areas: dict[str, list[str]] = {}
    stripes: dict[str, None] = {}
    for abbr, outline in geometry.outlines.items():
        province = variant.provinces[abbr]
        if province.kind == "sea":
            continue
        if province.kind == "impassable":
            fill = "url(#shut)"
        elif abbr in owner and owner[abbr] != NEUTRAL:
            fill = colours.tint(variant.power_named[owner[abbr]].colour)
        elif abbr in variant.sponsors:
            sponsor = sponsor_colour(variant, abbr)
            stripes[sponsor] = None
            fill = f"url(#{_stripes_id(sponsor)})"
        else:
            fill = colours.NEUTRAL_LAND if abbr in held else colours.PAPER
        areas.setdefault(fill, []).append(outline)
    patterns = "".join(_stripes(geometry, colour) for colour in stripes)
    paths = "".join(f'<path d="{"".join(outlines)}" fill="{fill}"/>' for fill, outlines in areas.items())
    return f'{patterns}<g fill-rule="evenodd"{_crisp(geometry)}>{paths}</g>'


def _stripes(geometry: Geometry, colour: str) -> str:
    """Horizontal stripes, which need the fewest bytes, across the whole board, so that they have no seams."""
    width, step = geometry.box[0], round(geometry.unit * 0.8)
    return (
        f'<pattern id="{_stripes_id(colour)}" width="{width:g}" height="{step}" patternUnits="userSpaceOnUse">'
        f'<rect width="{width:g}" height="{step}" fill="{colours.PAPER}"/>'
        f'<rect width="{width:g}" height="{step / 2:g}" fill="{colours.tint(colour)}"/></pattern>'
    )


def _stripes_id(colour: str) -> str:
    return f"stripes-{colour[1:]}"


def _crisp(geometry: Geometry) -> str:
    """In an overview nothing is smoothed, since smoothed edges would need most of the bytes."""
    return ' shape-rendering="crispEdges"' if geometry.overview else ""


@lru_cache(maxsize=16)
def scenery(geometry: Geometry) -> str:
    """Land that is not a province, lakes, and what is not on the board."""
    return (
        f'<g fill-rule="evenodd"><path d="{geometry.area(geometry.scenery)}" fill="{colours.SCENERY}"/>'
        f'<path d="{geometry.area(geometry.lakes)}" fill="{colours.LAKE}"/>'
        f'<path d="{geometry.area(geometry.off)}" fill="{colours.OFF}"/></g>'
    )


@lru_cache(maxsize=16)
def lines(variant: Variant, geometry: Geometry) -> str:
    """Coasts and borders by what may pass, and the links between provinces that do not touch."""
    by_style: dict[str, list[str]] = {}
    for arc in geometry.lines:
        by_style.setdefault(_style(variant, arc), []).append(arc.path)
    drawn = [_stroke(geometry, style, "".join(paths)) for style, paths in sorted(by_style.items()) if style != "f"]
    links = [*geometry.links, *_added(variant, geometry)]
    drawn += [
        _link(variant, geometry, link)
        for link in links
        if link.pair not in geometry.tagged and geometry.window.meets([link.start, link.end])
    ]
    drawn += [_canal(geometry, geometry.canals[abbr]) for abbr in _open_canals(variant, geometry)]
    return (
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round"{_crisp(geometry)}>{"".join(drawn)}</g>'
        + _tags(geometry)
    )


def _open_canals(variant: Variant, geometry: Geometry) -> list[str]:
    """The canals that are open: their province no longer has two coasts."""
    return [abbr for abbr in geometry.canals if abbr in variant.canals and not variant.provinces[abbr].coasts]


def _canal(geometry: Geometry, way: tuple[Point, ...]) -> str:
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in way)
    unit = geometry.unit
    return (
        f'<path d="{path}" stroke="{colours.FLEET_LINE}" stroke-width="{unit * 0.55:.1f}"/>'
        f'<path d="{path}" stroke="{colours.SEA}" stroke-width="{unit * 0.3:.1f}"/>'
    )


def _added(variant: Variant, geometry: Geometry) -> list[Link]:
    """Links for the borders that are not in the geometry: a game's master has added them."""
    known = {frozenset(arc.sides) for arc in geometry.arcs if not arc.barrier} | {link.pair for link in geometry.links}
    pairs = [sorted(pair) for pair in borders(variant).keys() - known]
    return [
        Link(frozenset((one, other)), geometry.spots[one].label, geometry.spots[other].label)
        for one, other in sorted(pairs)
    ]


def _style(variant: Variant, arc: Arc) -> str:
    """c, l, s, f as in the geometry; x a barrier, or a border that a game's master has taken away; A, F for armies or
    fleets only.
    """
    sides = [variant.provinces.get(side) for side in arc.sides]
    passable = all(side and side.kind != "impassable" for side in sides)
    if arc.barrier or (passable and frozenset(arc.sides) not in borders(variant)):
        return "x"
    return mark(variant, frozenset(arc.sides)) or arc.kind


def _stroke(geometry: Geometry, style: str, path: str) -> str:
    unit = geometry.unit
    colour, width = {
        "c": (colours.COAST, 0.07),
        "l": (colours.LAND_LINE, 0.1),
        "s": (colours.SEA_LINE, 0.09),
        "x": (colours.FAIL, 0.12),
        "A": (colours.ARMY_LINE, 0.15),
        "F": (colours.FLEET_LINE, 0.17),
    }[style]
    dashes = _DASHES.get(style, "")
    return (
        f'<path d="{path}" stroke="{colour}" stroke-width="{max(width * unit, geometry.hairline):.1f}"'
        + (f' stroke-dasharray="{_scaled(dashes, unit)}"' if dashes else "")
        + "/>"
    )


def _scaled(numbers: str, scale: float) -> str:
    return " ".join(f"{float(number) * scale:.1f}" for number in numbers.split())


def _link(variant: Variant, geometry: Geometry, link: Link) -> str:
    unit, (x, y), (ex, ey) = geometry.unit, link.start, link.end
    colour = {"A": colours.ARMY_LINE, "F": colours.FLEET_LINE}.get(mark(variant, link.pair), colours.LINK)
    return (
        f'<path d="M{x:g} {y:g}L{ex:g} {ey:g}" stroke="{colour}" stroke-width="{unit * 0.2:.1f}" '
        f'stroke-dasharray="{_scaled(".1 .35", unit)}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{unit * 0.16:.1f}" fill="{colour}"/>'
        f'<circle cx="{ex:g}" cy="{ey:g}" r="{unit * 0.16:.1f}" fill="{colour}"/>'
    )


def _tags(geometry: Geometry) -> str:
    """At each end of a link that is too long for a line: where it leads."""
    size = geometry.label * 0.8
    drawn = []
    for tag in geometry.tags.values():
        if not geometry.window.meets([tag.at]):
            continue
        text = "to " + ", ".join(shown(geometry, other) for other in tag.others)
        width = len(text) * size * 0.62 + size
        # Never cut off by the frame.
        left, right = geometry.window.x, geometry.window.x + geometry.window.width
        x, y = max(left + width / 2, min(tag.at[0], right - width / 2)), tag.at[1]
        drawn.append(
            f'<rect x="{x - width / 2:.0f}" y="{y - size * 0.7:.0f}" width="{width:.0f}" height="{size * 1.4:.0f}" '
            f'rx="{size * 0.4:.0f}" fill="#fff" stroke="{colours.LINK}" stroke-width="{size * 0.09:.1f}"/>'
            f'<text x="{x:g}" y="{y + size * 0.36:.0f}" font-size="{size:.0f}" fill="{colours.LINK}">{text}</text>'
        )
    return "".join(drawn)


def centers(variant: Variant, geometry: Geometry, position: Position) -> str:
    """Every supply center, in its owner's colour or empty; home centers of any power with a ring. In an overview only
    those without a unit.
    """
    owner = owners(position)
    hidden = occupants(position) if geometry.overview else {}
    homes = {home for power in variant.powers for home in power.homes}
    homes |= {home for named in position.homes.values() for home in named}
    drawn = []
    for abbr in variant.centers:
        spot = geometry.spots[abbr]
        if spot.center and abbr not in hidden and geometry.window.meets([spot.center], geometry.dot):
            whose = variant.power_named.get(owner.get(abbr, ""))
            colour = colours.dot(whose.colour) if whose else "#ffffff"
            drawn.append(symbols.center(spot.center, geometry.dot * spot.unit_scale, colour, abbr in homes))
    return "".join(drawn)


@lru_cache(maxsize=64)
def labels(variant: Variant, geometry: Geometry) -> str:
    """The abbreviations and the names of split coasts, with a light edge, so that they can be read on any ground; in an
    overview the names of the seas that have room for them. A name that would be cut off by the frame is left out.
    """
    ashore: list[str] = []
    afloat: list[str] = []
    leaders: list[str] = []
    for abbr, province in variant.provinces.items():
        spot = geometry.spots.get(abbr)
        at = spot and (spot.overview if geometry.overview else spot.label)
        if not spot or not at:
            continue
        size, text = label_size(geometry, abbr), shown(geometry, abbr)
        box = text_box(text, at, size)
        if geometry.window.holds(box):
            (afloat if province.kind == "sea" else ashore).append(_text(geometry, text, at, size))
            if spot.leader and not geometry.overview:
                leaders.append(_leader(geometry, box, spot.leader))
        if not geometry.overview:
            afloat += _coasts(geometry, abbr, province.coasts)
    return (
        "".join(leaders)
        + _haloed(geometry, colours.INK, "#fffaf0", ashore)
        + _haloed(geometry, colours.SEA_INK, "#e6f0f7", afloat)
    )


def _coasts(geometry: Geometry, abbr: str, coasts: Iterable[str]) -> list[str]:
    """The names of the coasts that the province has now: a canal may have joined them."""
    spot, size, boxes = geometry.spots[abbr], label_size(geometry, abbr), coast_boxes(geometry, abbr)
    return [
        _text(geometry, coast.lower(), spot.coasts[coast], size)
        for coast in coasts
        if coast in boxes and geometry.window.holds(boxes[coast])
    ]


def _leader(geometry: Geometry, box: Box, end: Point) -> str:
    """The line from a name that stands outside its province to a point in it."""
    x, y = min(max(end[0], box.left), box.right), min(max(end[1], box.top), box.bottom)
    width = geometry.label * 0.06
    return (
        f'<g stroke="{colours.INK}" stroke-width="{width:.1f}"><path d="M{x:.0f} {y:.0f}L{end[0]:g} {end[1]:g}"/>'
        f'<circle cx="{end[0]:g}" cy="{end[1]:g}" r="{width:.1f}"/></g>'
    )


def _haloed(geometry: Geometry, ink: str, halo: str, texts: Iterable[str]) -> str:
    size = geometry.label
    return (
        f'<g font-size="{size:g}" fill="{ink}" stroke="{halo}" stroke-opacity=".85" stroke-width="{size * 0.2:.1f}" '
        f'stroke-linejoin="round" paint-order="stroke">{"".join(texts)}</g>'
    )


def _text(geometry: Geometry, text: str, at: Point, size: float) -> str:
    x, y = at
    own = f' font-size="{size:.1f}"' if size != geometry.label else ""
    return f'<text x="{x:g}" y="{y + size * BASELINE:.1f}"{own}>{text}</text>'


def sponsor_colour(variant: Variant, center: str) -> str:
    """The colour of an affiliate: that of its sponsor, or of the power it follows if that power has a colour of its own
    (Intercontinental, 8.9, 8.10).
    """
    sponsor = variant.sponsors[center]
    power = variant.power_named.get(sponsor)
    if power and not power.theatre:
        return power.colour
    seat = variant.seat_named.get(variant.seat_of(sponsor))
    return seat.colour if seat else colours.NEUTRAL


def colour_of(variant: Variant, power: str) -> str:
    return colours.NEUTRAL if power == NEUTRAL else variant.power_named[power].colour


def look_of(variant: Variant, power: str, province: str) -> symbols.Look:
    """How a power's unit looks; a neutral's look depends on where it stands."""
    if power != NEUTRAL:
        return symbols.owned(variant.power_named[power].colour, variant.power_named[power].letter)
    if province in variant.sponsors:
        sponsor = variant.seat_named.get(variant.sponsor(province))
        return symbols.hollow(sponsor_colour(variant, province), sponsor.letter if sponsor else "")
    return symbols.owned(colours.NEUTRAL, "")


def used_marks(variant: Variant, geometry: Geometry) -> dict[str, bool]:
    """Whether the board has borders for armies only (A), for fleets only (F), and barriers (x)."""
    styles = {_style(variant, arc) for arc in geometry.lines}
    drawn = (link for link in geometry.links if geometry.window.meets([link.start, link.end]))
    styles |= {mark(variant, link.pair) for link in drawn}
    return {style: style in styles for style in "AFx"}
