"""The board itself, below all units: land and water, borders and links, centers, the provinces' names."""

from collections.abc import Iterable
from functools import lru_cache

from judge.maps import colours, symbols
from judge.maps.borders import mark
from judge.maps.geometry import Arc, Geometry, Link
from judge.rules import NEUTRAL, Position, Variant
from judge.rules.position import owners

# Stroke widths and dashes are in shares of a unit's radius, so that every board is drawn alike.
_DASHES = {"A": ".5 .3", "F": ".1 .32"}


def land(variant: Variant, geometry: Geometry, position: Position) -> str:
    """Every area, in its owner's tint."""
    owner = owners(position)
    areas = []
    for abbr, province in variant.provinces.items():
        if province.kind == "sea":
            continue
        if province.kind == "impassable":
            fill = "url(#shut)"
        elif abbr in owner and owner[abbr] != NEUTRAL:
            fill = colours.tint(variant.power_named[owner[abbr]].colour)
        else:
            fill = colours.PAPER
        areas.append(f'<path d="{geometry.outlines[abbr]}" fill="{fill}"/>')
    return f'<g fill-rule="evenodd">{"".join(areas)}</g>'


@lru_cache(maxsize=16)
def scenery(geometry: Geometry) -> str:
    """Land that is no province, and lakes."""
    return (
        f'<g fill-rule="evenodd"><path d="{geometry.area(geometry.scenery)}" fill="{colours.SCENERY}"/>'
        f'<path d="{geometry.area(geometry.lakes)}" fill="{colours.LAKE}"/></g>'
    )


@lru_cache(maxsize=16)
def shut_seas(variant: Variant, geometry: Geometry) -> str:
    """Impassable areas once more, hatched: there is nothing to go to."""
    shut = [abbr for abbr, province in variant.provinces.items() if province.kind == "impassable"]
    return f'<path d="{"".join(geometry.outlines[abbr] for abbr in shut)}" fill="url(#shut)" fill-rule="evenodd"/>'


@lru_cache(maxsize=16)
def lines(variant: Variant, geometry: Geometry) -> str:
    """Coasts and borders by what may pass, and the links between provinces that do not touch."""
    by_style: dict[str, list[str]] = {}
    for arc in geometry.arcs:
        by_style.setdefault(_style(variant, arc), []).append(arc.path)
    drawn = [_stroke(geometry, style, "".join(paths)) for style, paths in sorted(by_style.items()) if style != "f"]
    drawn += [_link(variant, geometry, link) for link in geometry.links if link.pair not in geometry.tagged]
    return f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{"".join(drawn)}</g>' + _tags(geometry)


def _style(variant: Variant, arc: Arc) -> str:
    """c, l, s, f as in the geometry; x a barrier; A, F for armies or fleets only."""
    if arc.barrier:
        return "x"
    return mark(variant, frozenset(arc.sides)) or arc.kind


def _stroke(geometry: Geometry, style: str, path: str) -> str:
    unit = geometry.unit
    colour, width = {
        "c": (colours.COAST, 0.07),
        "l": (colours.LAND_LINE, 0.1),
        "s": (colours.SEA_LINE, 0.09),
        "x": (colours.FAIL, 0.3),
        "A": (colours.ARMY_LINE, 0.15),
        "F": (colours.FLEET_LINE, 0.17),
    }[style]
    dashes = _DASHES.get(style, "")
    return (
        f'<path d="{path}" stroke="{colour}" stroke-width="{width * unit:.1f}"'
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
        text = "to " + ", ".join(shown(geometry, other) for other in tag.others)
        width = len(text) * size * 0.62 + size
        (x, y) = tag.at
        drawn.append(
            f'<rect x="{x - width / 2:.0f}" y="{y - size * 0.7:.0f}" width="{width:.0f}" height="{size * 1.4:.0f}" '
            f'rx="{size * 0.4:.0f}" fill="#fff" stroke="{colours.LINK}" stroke-width="{size * 0.09:.1f}"/>'
            f'<text x="{x:g}" y="{y + size * 0.36:.0f}" font-size="{size:.0f}" fill="{colours.LINK}">{text}</text>'
        )
    return "".join(drawn)


def centers(variant: Variant, geometry: Geometry, position: Position) -> str:
    """Every supply center, in its owner's colour or empty; home centers of any power with a ring."""
    owner = owners(position)
    homes = {home for power in variant.powers for home in power.homes}
    homes |= {home for named in position.homes.values() for home in named}
    drawn = []
    for abbr in variant.centers:
        spot = geometry.spots[abbr]
        if spot.center:
            whose = variant.power_named.get(owner.get(abbr, ""))
            colour = colours.dot(whose.colour) if whose else "#ffffff"
            drawn.append(symbols.center(spot.center, geometry.dot * spot.unit_scale, colour, abbr in homes))
    return "".join(drawn)


@lru_cache(maxsize=16)
def labels(variant: Variant, geometry: Geometry) -> str:
    """The abbreviations, with a halo in which they stand out from whatever lies below."""
    ashore = [_label(geometry, abbr) for abbr, province in variant.provinces.items() if province.kind != "sea"]
    afloat = [_label(geometry, abbr) for abbr, province in variant.provinces.items() if province.kind == "sea"]
    return _haloed(geometry, colours.INK, "#fffaf0", ashore) + _haloed(geometry, colours.SEA_INK, "#e6f0f7", afloat)


def _haloed(geometry: Geometry, ink: str, halo: str, texts: Iterable[str]) -> str:
    size = geometry.label
    return (
        f'<g font-size="{size:g}" fill="{ink}" stroke="{halo}" stroke-opacity=".85" stroke-width="{size * 0.2:.1f}" '
        f'stroke-linejoin="round" paint-order="stroke">{"".join(texts)}</g>'
    )


def _label(geometry: Geometry, abbr: str) -> str:
    spot = geometry.spots[abbr]
    x, y = spot.label
    size = geometry.label * spot.label_scale
    own = f' font-size="{size:.0f}"' if spot.label_scale != 1 else ""
    return f'<text x="{x:g}" y="{y + size * 0.36:.0f}"{own}>{shown(geometry, abbr)}</text>'


def shown(geometry: Geometry, abbr: str) -> str:
    """An abbreviation as it is written on the board: where they are long, in small letters, which take less room."""
    return abbr.title() if geometry.long_names else abbr


def colour_of(variant: Variant, power: str) -> str:
    return colours.NEUTRAL if power == NEUTRAL else variant.power_named[power].colour


def letter_of(variant: Variant, power: str) -> str:
    return "" if power == NEUTRAL else variant.power_named[power].letter


def used_marks(variant: Variant, geometry: Geometry) -> dict[str, bool]:
    """Whether the board has borders for armies only (A), for fleets only (F), and barriers (x)."""
    styles = {_style(variant, arc) for arc in geometry.arcs}
    styles |= {mark(variant, link.pair) for link in geometry.links}
    return {style: style in styles for style in "AFx"}
