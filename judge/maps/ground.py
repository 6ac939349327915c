"""The board itself, drawn below all units: land and water, borders and links, centers, the provinces' names."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import dist
from typing import NamedTuple

from judge.maps import colors, symbols
from judge.maps.document import Area, Element, placed
from judge.maps.geometry import Box, Geometry, Link, Point, path_along, path_around
from judge.maps.text_metrics import BASELINE, tag_box, tag_size, tag_text, text_box, written
from judge.rules import NEUTRAL, Position, Province, Variant
from judge.rules.board.orders import occupants, owners, province_of
from judge.rules.mechanisms.build_places import measures
from judge.rules.mechanisms.diplomacy_points import Vassals
from judge.rules.phases.retreats_and_winters import homes_of

# The color of each style of line, and its width and dashes as shares of a unit's radius. c is a coast, l a land
# border, s a sea border. A and F are borders for armies or fleets only. x looks like a border, but no unit can pass.
_LINES = {
    "c": (colors.COAST, 0.07, ""),
    "l": (colors.LAND_LINE, 0.1, ""),
    "s": (colors.SEA_LINE, 0.09, ""),
    "x": (colors.FAIL, 0.12, ""),
    "A": (colors.ARMY_LINE, 0.15, ".5 .3"),
    "F": (colors.FLEET_LINE, 0.17, ".1 .32"),
}
_SHORTEST_LINK = 1.6
# The stroke width of a name's halo, as a fraction of the font size.
_HALO = 0.2

Pair = frozenset[str]


class Center(NamedTuple):
    """A center on the board.

    `owner` is a power's name, or "" if the center has none. `builds` is true if its owner builds there.

    `top` shows where units are built. A "home" has a roof, and a home "named" during play has a roof with a flag. A
    "colony" has a dome. A "special" place, where a single power builds, has half a roof. A "vassal" has battlements.
    Any other center has "". A "site" is a roof without a house. It is a place, but not a center, where a power builds
    in its emergency.
    """

    at: Point
    scale: float
    owner: str
    top: str
    builds: bool


def areas(variant: Variant, geometry: Geometry, position: Position) -> tuple[Area, ...]:
    """Return the areas of the board: land in the tint of its owner, and land and lakes outside of provinces.

    The land of an affiliate has stripes in the tint of its sponsor.
    """
    owner = owners(position)
    held = {unit.province for unit in position.units_of(NEUTRAL)}
    found = [
        Area(geometry.outlines(rings), (color,))
        for rings, color in (
            (geometry.scenery, colors.SCENERY),
            (geometry.lakes, colors.LAKE),
            (geometry.off, colors.OFF),
        )
    ]
    for abbr, outlines in geometry.areas.items():
        if variant.provinces[abbr].kind in ("sea", "impassable"):
            continue
        if power := variant.power_named.get(owner.get(abbr, NEUTRAL)):
            fill: tuple[str, ...] = (colors.tint(power.colour),)
        elif abbr in variant.sponsors:
            fill = colors.PAPER, colors.tint(sponsor_color(variant, abbr))
        else:
            fill = (colors.NEUTRAL_LAND if abbr in held else colors.PAPER,)
        found.append(Area(outlines, fill))
    return tuple(found)


# --- lines ---


# The size of the cache is enough for all parts of the largest boards together.
@lru_cache(maxsize=64)
def lines(variant: Variant, geometry: Geometry) -> tuple[str, frozenset[str]]:
    """Return the lines of the board as SVG text, and the kinds of borders that occur (see `mark`).

    The lines are coasts, borders, and links between provinces that do not touch. The style of a border shows what may
    pass. Areas where no unit may go are hatched. The kinds are A (armies only), F (fleets only), x (barrier), and
    "link" for the dots of a link.
    """
    paths = _paths(variant, geometry)
    links = _links(variant, geometry)
    drawn = [_stroke(geometry, style, path) for style, path in sorted(paths.items()) if style in _LINES]
    drawn += [_link(variant, geometry, link) for link in links]
    drawn += _canals(variant, geometry)
    # In an overview, lines are not smoothed, since smoothed edges would take most of the bytes.
    crisp = ' shape-rendering="crispEdges"' if geometry.overview else ""
    svg = (
        f'{_hatching(variant, geometry)}<g fill="none" stroke-linecap="round" stroke-linejoin="round"{crisp}>'
        f"{''.join(drawn)}</g>{''.join(_tag(geometry, abbr) for abbr in geometry.tags)}"
    )
    marks = {mark(variant, link.pair) or ("" if geometry.schematic else "link") for link in links}
    return svg, frozenset({*paths, *marks} & {"A", "F", "x", "link"})


def _paths(variant: Variant, geometry: Geometry) -> Mapping[str, str]:
    """Return {the style of a line: the paths of all lines in this style}."""
    paths = defaultdict[str, str](str)
    for arc in geometry.arcs:
        style = mark(variant, frozenset(arc.sides), arc.barrier) or arc.kind
        for points in geometry.seen(arc.points):
            paths[style] += path_along(points)
    return paths


def _links(variant: Variant, geometry: Geometry) -> list[Link]:
    """Return the links in the window, including borders added by a game's master, which the geometry lacks."""
    known = {frozenset(arc.sides) for arc in geometry.arcs if not arc.barrier} | {link.pair for link in geometry.links}
    added = [
        Link(frozenset((one, other)), geometry.spots[one].label, geometry.spots[other].label)
        for one, other in sorted(map(sorted, borders(variant).keys() - known))
    ]
    return [
        Link(link.pair, start, end)
        for link in [*geometry.links, *added]
        if link.pair not in geometry.tagged
        for start, end in geometry.seen((link.start, link.end))
    ]


def _canals(variant: Variant, geometry: Geometry) -> Iterator[str]:
    """Yield the open canals in the window.

    If the window has no canals, the background stays the same and is not drawn again.
    """
    for abbr, way in geometry.canals.items():
        is_open = abbr in variant.canals and not variant.provinces[abbr].coasts
        if not is_open or not geometry.window.meets(way, geometry.unit):
            continue
        for color, width in ((colors.FLEET_LINE, 0.55), (colors.SEA, 0.3)):
            wide = f'stroke-width="{geometry.unit * width:.1f}"'
            yield f'<path d="{path_along(way)}" stroke="{color}" {wide}/>'


@lru_cache(maxsize=16)
def borders(variant: Variant) -> dict[Pair, str]:
    """Return {two provinces: the kinds of unit, "A", "F" or "AF", that can pass between them}."""
    found: dict[Pair, str] = {}
    for kind in "AF":
        for province in variant.provinces.values():
            for pair in {frozenset((province.abbr, province_of(place))) for place in _ways(province, kind)}:
                found[pair] = found.get(pair, "").replace(kind, "") + kind
    return found


def mark(variant: Variant, pair: Pair, is_barrier: bool = False) -> str:
    """Return the mark of a border: A for armies only, F for fleets only, "x" for a barrier, else "".

    A or F is for borders where both kinds of unit could be on both sides. A barrier looks like a border, but no unit
    can pass. Perhaps a game's master has removed the border, or the border is closed in this season.
    """
    passing = borders(variant).get(pair, "")
    sides = [variant.provinces[side] for side in pair & variant.provinces.keys()]
    is_land_or_sea = len(sides) > 1 and all(side.kind != "impassable" for side in sides)
    if is_barrier or (is_land_or_sea and not passing):
        return "x"
    other = {"A": "F", "F": "A"}.get(passing)
    return passing if other and all(_ways(side, other) for side in sides) else ""


def _ways(province: Province, kind: str) -> Sequence[str]:
    """Return where a unit of that kind can go from a province."""
    return province.army if kind == "A" else province.by_water


def _hatching(variant: Variant, geometry: Geometry) -> str:
    shut = "".join(
        f'<path d="{path_around(outlines)}" fill="url(#shut)"/>'
        for abbr, outlines in geometry.areas.items()
        if variant.provinces[abbr].kind == "impassable"
    )
    step = geometry.unit * 0.55
    return shut and (
        f'<defs><pattern id="shut" width="{step:.0f}" height="{step:.0f}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="{step:.0f}" height="{step:.0f}" fill="{colors.IMPASSABLE}"/>'
        f'<rect width="{step * 0.4:.0f}" height="{step:.0f}" fill="{colors.HATCH}"/></pattern></defs>'
        f'<g fill-rule="evenodd">{shut}</g>'
    )


def _stroke(geometry: Geometry, style: str, path: str) -> str:
    color, width, dashes = _LINES[style]
    pattern = f' stroke-dasharray="{symbols.dashes(dashes, geometry.unit)}"' if dashes else ""
    thick = max(width * geometry.unit, geometry.hairline)
    return f'<path d="{path}" stroke="{color}" stroke-width="{thick:.1f}"{pattern}/>'


def _link(variant: Variant, geometry: Geometry, link: Link) -> str:
    """Return dots between two provinces or, on a schematic board, a line, as for every border."""
    unit, style = geometry.unit, mark(variant, link.pair)
    (x, y), (end_x, end_y) = link.start, link.end
    if geometry.schematic:
        is_at_sea = any(variant.provinces[abbr].kind == "sea" for abbr in link.pair)
        return _stroke(geometry, style or ("s" if is_at_sea else "l"), path_along((link.start, link.end)))
    # Move the ends apart if the link would be too short to be visible.
    length = dist(link.start, link.end) or 1
    more = max(0, _SHORTEST_LINK * unit - length) / 2 / length
    dx, dy = round((end_x - x) * more), round((end_y - y) * more)
    color = _LINES[style][0] if style else colors.LINK
    ends = (x - dx, y - dy), (end_x + dx, end_y + dy)
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{unit * 0.16:.1f}" fill="{color}"/>' for x, y in ends)
    return (
        f'<path d="{path_along(ends)}" stroke="{color}" stroke-width="{unit * 0.2:.1f}" '
        f'stroke-dasharray="{symbols.dashes(".1 .35", unit)}"/>{dots}'
    )


def _tag(geometry: Geometry, abbr: str) -> str:
    """Return the tag in a province that says where a link leads, if its line would be too long."""
    if not geometry.window.meets([geometry.tags[abbr].at]):
        return ""
    size, box = tag_size(geometry), tag_box(geometry, abbr)
    x, y = box.middle
    return (
        f'<rect x="{box.left:.0f}" y="{box.top:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" '
        f'rx="{size * 0.4:.0f}" fill="#fff" stroke="{colors.LINK}" stroke-width="{size * 0.09:.1f}"/>'
        f'<text x="{x:g}" y="{y + size * BASELINE:.0f}" font-size="{size:.0f}" fill="{colors.LINK}">'
        f"{tag_text(geometry, abbr)}</text>"
    )


# --- centers and names ---


def seen_centers(variant: Variant, geometry: Geometry, position: Position) -> Iterator[Center]:
    """Yield the centers in the window, and other places where a power builds in an emergency.

    In an overview, centers under units are left out, since the units hide them.
    """
    owner = {center: power for center, power in owners(position).items() if power != NEUTRAL}
    hidden = occupants(position) if geometry.overview else {}
    tops = usual_tops(variant) | dict.fromkeys(chain(*position.homes.values()), "named")
    for abbr in variant.centers:
        spot = geometry.spots[abbr]
        if spot.center and abbr not in hidden and geometry.window.meets([spot.center], geometry.dot):
            whose = owner.get(abbr, "")
            builds = bool(whose) and abbr in homes_of(variant, position, whose)
            yield Center(spot.center, spot.unit_scale, whose, tops.get(abbr, ""), builds)
    yield from _sites_of_emergencies(variant, geometry, position)


def _sites_of_emergencies(variant: Variant, geometry: Geometry, position: Position) -> Iterator[Center]:
    for power in variant.powers:
        for site in measures(variant, position, power.name).sites:
            at = geometry.place(site)
            if site not in variant.centers and geometry.window.meets([at], geometry.dot):
                yield Center(at, geometry.spots[site].unit_scale, "", "site", True)


def usual_tops(variant: Variant) -> dict[str, str]:
    """Return {center: its top at the start of a game}. A center with several tops gets the most important one."""
    sites = variant.build_sites
    tops = {center: "vassal" for some in variant.mechanism(Vassals).of.values() for center in some}
    tops |= {center: "special" for some in sites.special.values() for center in some}
    tops |= dict.fromkeys(sites.colonies, "colony")
    return tops | {home: "home" for power in variant.powers for home in power.homes}


def centers(variant: Variant, geometry: Geometry, position: Position) -> list[Element]:
    """Return the signs of supply centers, each with its owner's color and letter, or empty."""
    drawn = []
    for one in seen_centers(variant, geometry, position):
        size, power = geometry.dot * one.scale, variant.power_named.get(one.owner)
        look = symbols.owned(power.colour, power.letter) if power else symbols.owned("#ffffff")
        sign = symbols.center(size, look, one.top, one.builds)
        drawn.append(placed(sign, one.at, size * symbols.CENTER_REACH))
    return drawn


def labels(variant: Variant, geometry: Geometry) -> tuple[Element, ...]:
    """Return the provinces' abbreviations and the names of split coasts, with a light edge to be legible anywhere.

    In an overview, return only the names of seas that have room for them. The names of provinces in which fleets can
    convoy have the ink of the seas. A name that the frame would cut off is left out.
    """
    ashore, afloat = _haloed(geometry, colors.INK, "#fffaf0"), _haloed(geometry, colors.SEA_INK, "#e6f0f7")
    leaders = []
    drawn = []
    for place, (text, at, size) in written(geometry).items():
        abbr, _, coast = place.partition("/")
        spot, province = geometry.spots[abbr], variant.provinces.get(abbr)
        if not province or coast not in ("", *province.coasts):  # the canal has joined the coasts
            continue
        style = afloat if coast or province.convoys else ashore
        own = f' font-size="{size:.1f}"' if size != geometry.label else ""
        reach = Box.around(text_box(text, (0, 0), size).corners, size * _HALO)
        drawn.append(Element(f'<text y="{size * BASELINE:.1f}"{own}>{text}</text>', reach, at, style))
        if spot.leader and not coast and not geometry.overview:
            # Draw a line from a name outside its province to a point in the province.
            box, end, width = text_box(text, at, size), spot.leader, geometry.label * 0.06
            x, y = min(max(end[0], box.left), box.right), min(max(end[1], box.top), box.bottom)
            line = f'<path d="M0 0L{x - end[0]:.0f} {y - end[1]:.0f}"/><circle r="{width:.1f}"/>'
            look = f'stroke="{colors.INK}" stroke-width="{width:.1f}"'
            leaders.append(placed(line, end, dist((x, y), end) + 2 * width, look))
    return (*leaders, *sorted(drawn, key=lambda element: element.style))


def _haloed(geometry: Geometry, ink: str, halo: str) -> str:
    size = geometry.label
    return (
        f'font-size="{size:g}" fill="{ink}" stroke="{halo}" stroke-opacity=".85" stroke-width="{size * _HALO:.1f}" '
        f'stroke-linejoin="round" paint-order="stroke"'
    )


# --- the colors of powers ---


def sponsor_color(variant: Variant, center: str) -> str:
    """Return the color of an affiliate, that is, a sponsored neutral: its sponsor's color.

    If the sponsor is a power with a color of its own, that color is used. (Intercontinental, 8.9, 8.10.)
    """
    sponsor = variant.sponsors[center]
    power = variant.power_named.get(sponsor)
    if power and not power.theatre:
        return power.colour
    seat = variant.seat_named.get(variant.seat_of(sponsor))
    return seat.colour if seat else colors.NEUTRAL


def look_of(variant: Variant, power: str, province: str) -> symbols.Look:
    """Return the look of a power's unit in a province. A neutral's look depends on the sponsor of the province."""
    if power != NEUTRAL:
        return symbols.owned(variant.power_named[power].colour, variant.power_named[power].letter)
    if province in variant.sponsors:
        sponsor = variant.seat_named.get(variant.sponsor(province))
        return symbols.hollow(sponsor_color(variant, province), sponsor.letter if sponsor else "")
    return symbols.owned(colors.NEUTRAL)
