"""Check whether a drawing agrees with its board, and whether it is legible on a phone held upright.

Every border must be drawn, as a common line or as a link. Nothing else may look like a border. A border for one kind of
unit needs its own style if the other kind can be on both sides. No mark is needed to show that armies cannot enter
seas, and fleets cannot go inland. Boxes and the metrics of the font show whether names and units are legible, so
nothing is drawn.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import chain, pairwise, product, starmap
from math import inf

from judge.maps import symbols
from judge.maps.geometry import Box, Geometry, contains, gap, part_of
from judge.maps.ground import Pair, borders, mark, usual_tops
from judge.maps.text_metrics import (
    center_boxes,
    crosses,
    label_size,
    names,
    tag_box,
    unit_boxes,
    written,
)
from judge.rules import Province, Variant
from judge.rules.board.orders import place_of, province_of
from judge.rules.board.province import Provinces
from judge.rules.mechanisms.build_places import ExtraHomeCenters

# The width of an upright phone in pixels, and the minimum heights of a name and a unit's letter on it.
PHONE, NAME, LETTER = 390, 8.0, 9.0

# {the name of a thing on the board: the boxes around it}.
Boxes = dict[str, list[Box]]


@dataclass(frozen=True)
class DrawingCheck:
    """Numbers about a board's borders, and the faults of its drawing, a sentence each.

    `pairs` is the number of all borders. `touching` and `linked` are the numbers of borders drawn as common lines and
    as links. `barriers` is the number of common lines that no unit can pass. `armies_only` and `fleets_only` are the
    numbers of borders that only armies or only fleets can pass.
    """

    pairs: int
    touching: int
    linked: int
    barriers: int
    armies_only: int
    fleets_only: int
    faults: tuple[str, ...]


def check_drawing(variant: Variant, geometry: Geometry) -> DrawingCheck:
    """Compare a variant's drawing with its board."""
    pairs = borders(variant).keys()
    shut = {abbr for abbr, province in variant.provinces.items() if province.kind == "impassable"}
    lines: set[Pair] = set()
    walls: set[Pair] = set()
    for arc in geometry.arcs:
        if geometry.spots.keys() >= set(arc.sides):
            (walls if arc.barrier else lines).add(frozenset(arc.sides))
    links = {link.pair for link in geometry.links}
    marks = [mark(variant, pair) for pair in pairs]
    passable = {pair for pair in lines if not pair & shut}
    faults = [
        *_misplaced(variant, geometry, shut),
        *_misdrawn(pairs - lines - links, "is a border but is drawn neither as a line nor as a link."),
        *_misdrawn(passable - pairs, "is drawn as a border but is not one."),
        *_misdrawn(links - pairs, "is drawn as a link but is not a border."),
        *_misdrawn(walls & pairs, "is drawn as a barrier but is a border."),
        *unreadable(variant, geometry),
    ]
    return DrawingCheck(
        pairs=len(pairs),
        touching=len(pairs & lines),
        linked=len(pairs & links),
        barriers=len(walls),
        armies_only=marks.count("A"),
        fleets_only=marks.count("F"),
        faults=tuple(faults),
    )


def _misdrawn(pairs: Iterable[Set[str]], fault: str) -> list[str]:
    return sorted(f"{'-'.join(sorted(pair))} {fault}" for pair in pairs)


def _misplaced(variant: Variant, geometry: Geometry, shut: set[str]) -> Iterator[str]:
    """Yield the faults of single provinces. `shut` has the provinces that no unit can enter."""
    # Impassable provinces may be missing from the drawing.
    left_off = shut if geometry.traced else shut.difference(*(arc.sides for arc in geometry.arcs))
    for abbr in sorted((variant.provinces.keys() - left_off) ^ (geometry.spots.keys() - left_off)):
        yield f"{abbr} is in the map or in its geometry, not in both."
    for abbr, spot in geometry.spots.items():
        for number in chain(*spot.rings):
            # A number ~n in a ring also means arc n, read from its end.
            if abbr not in geometry.arcs[max(number, ~number)].sides:
                yield f"{abbr} is drawn along a line that is not its own."
    for abbr, province in variant.provinces.items():
        if abbr in geometry.spots and set(province.coasts) - geometry.spots[abbr].units.keys():
            yield f"{abbr} has a coast without a place for its fleet."


# --- legibility ---


def unreadable(variant: Variant, geometry: Geometry) -> Iterator[str]:
    """Yield a sentence for everything illegible: too small, out of place, hidden, or near another coast."""
    drawn = _drawn(variant, geometry)
    if geometry.parts:
        for abbr in _too_small_on_a_phone(variant, geometry):
            yield f"{abbr} cannot be read on a phone: no part shows its name and units complete and large enough."
    if geometry.traced:
        # Skip a board traced from another program's board. On it, names and units are wherever there is room.
        return
    for abbr in drawn:
        yield from _out_of_place(geometry, abbr)
    yield from covered(variant, geometry)
    if geometry.schematic:
        # Skip a schematic board, where no fleet is next to water. There a line leads from each coast to every sea that
        # a fleet on it can enter.
        return
    for abbr, province in drawn.items():
        if len(province.coasts) > 1:
            for coast in province.coasts:
                yield from _at_another_coast(variant, geometry, abbr, coast)


def _drawn(variant: Variant, geometry: Geometry) -> Provinces:
    return {abbr: province for abbr, province in variant.provinces.items() if abbr in geometry.spots}


def _too_small_on_a_phone(variant: Variant, geometry: Geometry) -> list[str]:
    """Return the provinces that are not whole and large enough in the picture of any part.

    On a schematic board, each disc of a province may be in a different part.
    """
    drawn = _drawn(variant, geometry)
    # The font size of the longest letters of a power, as a share of its unit's radius.
    letters = max((power.letter for power in variant.powers), key=len, default="")
    smallest = min(symbols.letter_size(kind, letters) for kind in "AF")
    unread = {(abbr, disc) for abbr, province in drawn.items() for disc in _seen_together(geometry, abbr, province)}
    for part in geometry.parts:
        near, scale = part_of(geometry, part), PHONE / part.window.width
        for abbr, province in drawn.items():
            if label_size(near, abbr) * scale < NAME or near.radius(abbr) * smallest * scale < LETTER:
                continue
            for disc, boxes in _seen_together(near, abbr, province).items():
                if all(map(part.window.holds, boxes)):
                    unread.discard((abbr, disc))
    return sorted({abbr for abbr, _ in unread})


def _seen_together(geometry: Geometry, abbr: str, province: Province) -> Boxes:
    """Return the boxes of a province that must be together in one part.

    These are all boxes or, on a schematic board, those of each disc.
    """
    found: Boxes = {}
    places = chain(
        ((place, [name.box]) for place, name in names(geometry, abbr).items()),
        _units(geometry, abbr, province).items() if province.kind != "impassable" else (),
    )
    for place, boxes in places:
        found.setdefault(place.partition("/")[2] if geometry.schematic else "", []).extend(boxes)
    return found


def _out_of_place(geometry: Geometry, abbr: str) -> Iterator[str]:
    spot, box, ways = geometry.spots[abbr], names(geometry, abbr)[abbr].box, geometry.ways(abbr)
    if spot.leader:
        if not contains(ways, spot.leader):
            yield f"The line from the name of {abbr} does not lead into it."
    elif not contains(ways, box.middle):
        yield f"The name of {abbr} is not inside it."
    elif any(crosses(box, [*way, way[0]]) for way in ways):
        yield f"The name of {abbr} runs over its edge."


def covered(variant: Variant, geometry: Geometry) -> Iterator[str]:
    """Yield a sentence for names, tags, signs of centers and possible units that cover each other.

    Units and centers are not compared in an overview, where units hide centers.
    """
    drawn = _drawn(variant, geometry)
    units: Boxes = {}
    for abbr, province in drawn.items():
        units |= _units(geometry, abbr, province)
    labels = {place: [name.box] for place, name in written(geometry).items()}
    tags = {abbr: [tag_box(geometry, abbr)] for abbr, tag in geometry.tags.items() if geometry.window.meets([tag.at])}
    centers = {abbr: [*sign] for abbr in drawn if (sign := _center(variant, geometry, abbr))}
    for one, other in _overlapping(labels, labels):
        if one < other:
            yield f"The name of {one} overlaps that of {other}."
    yield from _overlaps("name of", labels, "a unit in", units)
    yield from _overlaps("tag in", tags, "a unit in", units)
    yield from _overlaps("tag in", tags, "the name of", labels)
    if not geometry.overview:
        yield from _overlaps("sign of the center", centers, "a unit in", units)
    yield from _overlaps("sign of the center", centers, "the name of", labels)


def _overlaps(what: str, boxes: Boxes, other: str, others: Boxes) -> Iterator[str]:
    for one, covers in _overlapping(boxes, others):
        yield f"The {what} {one} overlaps {other} {covers}."


def _center(variant: Variant, geometry: Geometry, abbr: str) -> set[Box]:
    """Return the boxes of a center's sign, with everything that may be on top of it during play."""
    spot = geometry.spots[abbr]
    if not spot.center or abbr not in variant.centers:
        return set()
    extra = variant.mechanism(ExtraHomeCenters)
    tops = {usual_tops(variant).get(abbr, "")} | ({"named"} if extra.powers or extra.by_building else set())
    return {box for top in tops for box in center_boxes(spot.center, geometry.dot * spot.unit_scale, top)}


def _units(geometry: Geometry, abbr: str, province: Province) -> Boxes:
    """Return the boxes of all units that may be in a province, by place."""
    kinds = ("A" if province.army else "") + ("F" if province.by_water else "")
    return {
        place_of(abbr, coast): [
            box for kind in ("F" if coast else kinds) for box in unit_boxes(kind, at, geometry.radius(abbr))
        ]
        for coast, at in geometry.spots[abbr].units.items()
    }


def _overlapping(ones: Boxes, others: Boxes) -> list[tuple[str, str]]:
    return sorted(
        (one, name)
        for (one, boxes), (name, covers) in product(ones.items(), others.items())
        if any(box.overlaps(other) for box, other in product(boxes, covers))
    )


def _at_another_coast(variant: Variant, geometry: Geometry, abbr: str, coast: str) -> Iterator[str]:
    """Yield a fault if the water nearest to a fleet is a sea that it cannot enter from that coast."""
    spot, province = geometry.spots[abbr], variant.provinces[abbr]
    if coast not in spot.coasts:
        yield f"{abbr}/{coast} has no place for its name."
    if coast not in spot.units:
        return
    at = complex(*spot.units[coast])
    seas = {other for other, near in variant.provinces.items() if near.kind == "sea"}
    shores = [
        (min(gap(at, *ends) for ends in pairwise(starmap(complex, arc.points))), sea)
        for arc in geometry.arcs
        for sea in seas.intersection(arc.sides)
        if abbr in arc.sides
    ]
    nearest = min(shores, default=(inf, "no sea"))[1]
    if nearest not in {*map(province_of, province.fleet[coast])}:
        yield f"A fleet in {abbr}/{coast} is nearer to {nearest} than to a sea of that coast."
