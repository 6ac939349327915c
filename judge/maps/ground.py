"""The board itself, below all units: land and water, borders and links, centers, the provinces' names."""

from collections.abc import Iterable
from functools import lru_cache
from math import dist

from judge.maps import centers as center_signs
from judge.maps import colors, symbols
from judge.maps.borders import borders, mark
from judge.maps.document import Area, Element, placed
from judge.maps.geometry import Arc, Box, Geometry, Link, Point
from judge.maps.text_metrics import (
    BASELINE,
    coast_boxes,
    label_size,
    shown,
    tag_box,
    tag_size,
    tag_text,
    text_box,
)
from judge.rules import NEUTRAL, Position, Variant
from judge.rules.board.position import owners

# Stroke widths and dashes are shares of a unit's radius, so that all boards look alike.
_SHORTEST_LINK = 1.6
# The light edge of a name, as a share of its size.
_HALO = 0.2
# So many pictures of boards and of their parts are remembered: those of the largest boards together.
_VIEWS = 64
_DASHES = {"A": ".5 .3", "F": ".1 .32"}


def areas(variant: Variant, geometry: Geometry, position: Position) -> tuple[Area, ...]:
    """What covers the board: the sea, land and lakes that are no provinces, and land in the tint of its owner; land of
    an affiliate has stripes in that of its sponsor.
    """
    owner = owners(position)
    held = {unit.province for unit in position.units.get(NEUTRAL, ())}
    left, top, right, bottom = geometry.window
    found = [Area(f"M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}Z", (colors.SEA,))]
    for rings, color in (
        (geometry.scenery, colors.SCENERY), (geometry.lakes, colors.LAKE), (geometry.off, colors.OFF)
    ):
        found.append(Area(geometry.area(rings), (color,)))
    for abbr, outline in geometry.outlines.items():
        if variant.provinces[abbr].kind in ("sea", "impassable"):
            continue
        fill: tuple[str, ...] = (colors.NEUTRAL_LAND if abbr in held else colors.PAPER,)
        if owner.get(abbr, NEUTRAL) != NEUTRAL:
            fill = (colors.tint(variant.power_named[owner[abbr]].colour),)
        elif abbr in variant.sponsors:
            fill = colors.PAPER, colors.tint(sponsor_color(variant, abbr))
        found.append(Area(outline, fill))
    return tuple(found)


def _closed(variant: Variant, geometry: Geometry) -> str:
    """Land that nobody can enter, hatched."""
    shut = "".join(
        f'<path d="{outline}" fill="url(#shut)"/>'
        for abbr, outline in geometry.outlines.items()
        if variant.provinces[abbr].kind == "impassable"
    )
    return f'{_hatching(geometry)}<g fill-rule="evenodd">{shut}</g>' if shut else ""


def _hatching(geometry: Geometry) -> str:
    step = geometry.unit * 0.55
    return (
        f'<defs><pattern id="shut" width="{step:.0f}" height="{step:.0f}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{step:.0f}" height="{step:.0f}" fill="{colors.IMPASSABLE}"/>'
        f'<rect width="{step * 0.4:.0f}" height="{step:.0f}" fill="#bdb4a2"/></pattern></defs>'
    )


def _crisp(geometry: Geometry) -> str:
    """In an overview nothing is smoothed, since smoothed edges would need most of the bytes."""
    return ' shape-rendering="crispEdges"' if geometry.overview else ""


@lru_cache(maxsize=_VIEWS)
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
        _closed(variant, geometry)
        + f'<g fill="none" stroke-linecap="round" stroke-linejoin="round"{_crisp(geometry)}>{"".join(drawn)}</g>'
        + _tags(geometry)
    )


def _open_canals(variant: Variant, geometry: Geometry) -> list[str]:
    """The canals that are open and to be seen: their province no longer has two coasts. Where they are not seen the
    ground stays the same, and need not be drawn again.
    """
    return [
        abbr
        for abbr, way in geometry.canals.items()
        if abbr in variant.canals and not variant.provinces[abbr].coasts and geometry.window.meets(way, geometry.unit)
    ]


def _canal(geometry: Geometry, way: tuple[Point, ...]) -> str:
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in way)
    unit = geometry.unit
    return (
        f'<path d="{path}" stroke="{colors.FLEET_LINE}" stroke-width="{unit * 0.55:.1f}"/>'
        f'<path d="{path}" stroke="{colors.SEA}" stroke-width="{unit * 0.3:.1f}"/>'
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
    """c, l, s, f as in the geometry; x a barrier, or a border that a game's master has taken away or that is closed in
    this season; A, F for armies or fleets only.
    """
    sides = [variant.provinces.get(side) for side in arc.sides]
    passable = all(side and side.kind != "impassable" for side in sides)
    if arc.barrier or (passable and frozenset(arc.sides) not in borders(variant)):
        return "x"
    return mark(variant, frozenset(arc.sides)) or arc.kind


def _stroke(geometry: Geometry, style: str, path: str) -> str:
    unit = geometry.unit
    colour, width = {
        "c": (colors.COAST, 0.07),
        "l": (colors.LAND_LINE, 0.1),
        "s": (colors.SEA_LINE, 0.09),
        "x": (colors.FAIL, 0.12),
        "A": (colors.ARMY_LINE, 0.15),
        "F": (colors.FLEET_LINE, 0.17),
    }[style]
    dashes = _DASHES.get(style, "")
    return (
        f'<path d="{path}" stroke="{colour}" stroke-width="{max(width * unit, geometry.hairline):.1f}"'
        + (f' stroke-dasharray="{symbols.dashes(dashes, unit)}"' if dashes else "")
        + "/>"
    )


def _link(variant: Variant, geometry: Geometry, link: Link) -> str:
    unit = geometry.unit
    if geometry.schematic:
        return _border(variant, geometry, link)
    (x, y), (ex, ey) = _seen(link, unit * _SHORTEST_LINK)
    colour = {"A": colors.ARMY_LINE, "F": colors.FLEET_LINE, "x": colors.FAIL}.get(
        _link_mark(variant, link), colors.LINK
    )
    return (
        f'<path d="M{x:g} {y:g}L{ex:g} {ey:g}" stroke="{colour}" stroke-width="{unit * 0.2:.1f}" '
        f'stroke-dasharray="{symbols.dashes(".1 .35", unit)}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{unit * 0.16:.1f}" fill="{colour}"/>'
        f'<circle cx="{ex:g}" cy="{ey:g}" r="{unit * 0.16:.1f}" fill="{colour}"/>'
    )


def _border(variant: Variant, geometry: Geometry, link: Link) -> str:
    """A border of a schematic board: a line, with dashes if only one kind of unit passes that could stand at both."""
    kinds = {variant.provinces[abbr].kind for abbr in link.pair}
    style = _link_mark(variant, link) or ("s" if "sea" in kinds else "l")
    (x, y), (ex, ey) = link.start, link.end
    return _stroke(geometry, style, f"M{x:g} {y:g}L{ex:g} {ey:g}")


def _link_mark(variant: Variant, link: Link) -> str:
    """x a border that a game's master has taken away, or that is closed in this season; A, F for armies or fleets only;
    else "".
    """
    return mark(variant, link.pair) if link.pair in borders(variant) else "x"


def _seen(link: Link, shortest: float) -> tuple[Point, Point]:
    """The ends of a link, moved apart if it would be too short to be seen."""
    (x, y), (ex, ey) = link.start, link.end
    length = dist(link.start, link.end) or 1
    more = max(0, shortest - length) / 2 / length
    dx, dy = round((ex - x) * more), round((ey - y) * more)
    return (x - dx, y - dy), (ex + dx, ey + dy)


def _tags(geometry: Geometry) -> str:
    """At each end of a link that is too long for a line: where it leads."""
    size = tag_size(geometry)
    drawn = []
    for abbr, tag in geometry.tags.items():
        if not geometry.window.meets([tag.at]):
            continue
        left, top, right, bottom = tag_box(geometry, abbr)
        x, y = (left + right) / 2, tag.at[1]
        drawn.append(
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}" height="{bottom - top:.0f}" '
            f'rx="{size * 0.4:.0f}" fill="#fff" stroke="{colors.LINK}" stroke-width="{size * 0.09:.1f}"/>'
            f'<text x="{x:g}" y="{y + size * BASELINE:.0f}" font-size="{size:.0f}" fill="{colors.LINK}">'
            f"{tag_text(geometry, abbr)}</text>"
        )
    return "".join(drawn)


def centers(variant: Variant, geometry: Geometry, position: Position) -> list[Element]:
    """Every supply center, with its owner's colour and letter, or empty."""
    drawn = []
    for one in center_signs.centers(variant, geometry, position):
        size = geometry.dot * one.scale
        sign = symbols.center(size, center_look(variant, one.owner), one.top, one.builds)
        drawn.append(placed(sign, one.at, size * symbols.CENTER_REACH))
    return drawn


def center_look(variant: Variant, owner: str) -> symbols.Look:
    """How the center of a power looks; "" for one that is nobody's."""
    power = variant.power_named.get(owner)
    return symbols.owned(power.colour, power.letter) if power else symbols.owned("#ffffff")


@lru_cache(maxsize=_VIEWS)
def labels(variant: Variant, geometry: Geometry) -> tuple[Element, ...]:
    """The abbreviations and the names of split coasts, with a light edge, so that they can be read on any ground; in an
    overview the names of the seas that have room for them. They have the ink of the seas wherever fleets can convoy. A
    name that would be cut off by the frame is left out.
    """
    ashore = _haloed(geometry, colors.INK, "#fffaf0")
    afloat = _haloed(geometry, colors.SEA_INK, "#e6f0f7")
    leaders: list[Element] = []
    drawn: list[Element] = []
    for abbr, province in variant.provinces.items():
        spot = geometry.spots.get(abbr)
        at = spot and (spot.overview if geometry.overview else spot.label)
        if not spot or not at:
            continue
        size, text = label_size(geometry, abbr), shown(geometry, abbr)
        box = text_box(text, at, size)
        if geometry.window.holds(box):
            drawn.append(_label(geometry, text, at, size, afloat if province.convoys else ashore))
            if spot.leader and not geometry.overview:
                leaders.append(_leader(geometry, box, spot.leader))
        if not geometry.overview:
            drawn += _coasts(geometry, abbr, province.coasts, afloat)
    return (*leaders, *sorted(drawn, key=lambda piece: piece.style))


def _coasts(geometry: Geometry, abbr: str, coasts: Iterable[str], style: str) -> list[Element]:
    """The names of the coasts that the province has now: a canal may have joined them."""
    spot, size, boxes = geometry.spots[abbr], label_size(geometry, abbr), coast_boxes(geometry, abbr)
    return [
        _label(geometry, coast.lower(), spot.coasts[coast], size, style)
        for coast in coasts
        if coast in boxes and geometry.window.holds(boxes[coast])
    ]


def _leader(geometry: Geometry, box: Box, end: Point) -> Element:
    """The line from a name that stands outside its province to a point in it."""
    x, y = min(max(end[0], box.left), box.right), min(max(end[1], box.top), box.bottom)
    width = geometry.label * 0.06
    line = f'<path d="M0 0L{x - end[0]:.0f} {y - end[1]:.0f}"/><circle r="{width:.1f}"/>'
    return placed(line, end, dist((x, y), end) + 2 * width, f'stroke="{colors.INK}" stroke-width="{width:.1f}"')


def _haloed(geometry: Geometry, ink: str, halo: str) -> str:
    size = geometry.label
    return (
        f'font-size="{size:g}" fill="{ink}" stroke="{halo}" stroke-opacity=".85" stroke-width="{size * _HALO:.1f}" '
        f'stroke-linejoin="round" paint-order="stroke"'
    )


def _label(geometry: Geometry, text: str, at: Point, size: float, style: str) -> Element:
    own = f' font-size="{size:.1f}"' if size != geometry.label else ""
    left, top, right, bottom = text_box(text, (0, 0), size)
    edge = size * _HALO
    box = Box(left - edge, top - edge, right + edge, bottom + edge)
    return Element(f'<text y="{size * BASELINE:.1f}"{own}>{text}</text>', box, at, style)


def sponsor_color(variant: Variant, center: str) -> str:
    """The colour of an affiliate: that of its sponsor, or of the power it follows if that power has a colour of its own
    (Intercontinental, 8.9, 8.10).
    """
    sponsor = variant.sponsors[center]
    power = variant.power_named.get(sponsor)
    if power and not power.theatre:
        return power.colour
    seat = variant.seat_named.get(variant.seat_of(sponsor))
    return seat.colour if seat else colors.NEUTRAL


def color_of(variant: Variant, power: str) -> str:
    return colors.NEUTRAL if power == NEUTRAL else variant.power_named[power].colour


def look_of(variant: Variant, power: str, province: str) -> symbols.Look:
    """How a power's unit looks; a neutral's look depends on where it stands."""
    if power != NEUTRAL:
        return symbols.owned(variant.power_named[power].colour, variant.power_named[power].letter)
    if province in variant.sponsors:
        sponsor = variant.seat_named.get(variant.sponsor(province))
        return symbols.hollow(sponsor_color(variant, province), sponsor.letter if sponsor else "")
    return symbols.owned(colors.NEUTRAL)


@lru_cache(maxsize=_VIEWS)
def used_marks(variant: Variant, geometry: Geometry) -> frozenset[str]:
    """The marks of borders that the board has: for armies only (A), for fleets only (F), barriers (x)."""
    styles = {_style(variant, arc) for arc in geometry.lines}
    drawn = (link for link in geometry.links if geometry.window.meets([link.start, link.end]))
    return frozenset(styles.union(_link_mark(variant, link) for link in drawn) & set("AFx"))
