"""Whether a drawing can be read, on a phone held upright too: the faults of the places of names and units.

Everything is found out by boxes, from the metrics of the font; nothing is drawn for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from math import dist, inf

from judge.maps import symbols
from judge.maps.centers import usual_tops
from judge.maps.geometry import Geometry, Point, part_of
from judge.maps.lettering import (
    Box,
    center_boxes,
    coast_boxes,
    contains,
    crosses,
    label_box,
    label_size,
    tag_box,
    unit_boxes,
    written,
)
from judge.rules import Province, Variant

# A phone held upright is so many pixels wide; on it a name and the letter of a unit are at least so large.
PHONE, NAME, LETTER = 390, 8.0, 9.0

Named = tuple[str, Box]


def faults(variant: Variant, geometry: Geometry) -> Iterator[str]:
    """What cannot be read, a sentence each: too small, out of its province, upon something else, at another coast."""
    drawn = {abbr: province for abbr, province in variant.provinces.items() if abbr in geometry.spots}
    if geometry.parts:
        for abbr in sorted(drawn.keys() - _read_on_a_phone(variant, geometry, drawn)):
            yield f"{abbr} cannot be read on a phone: in no part are its name and its units whole and large enough."
    if geometry.traced:
        # Somebody else's board: its names and units stand as well as there is room for them.
        return
    for abbr in drawn:
        yield from _out_of_place(geometry, abbr)
    yield from _one_upon_another(geometry, drawn)
    yield from _tags_upon_others(geometry, drawn)
    yield from _centers_upon_others(variant, geometry, drawn)
    # On a schematic board no fleet stands beside water: a line leads from each coast to every sea that is open to it.
    for abbr, province in {} if geometry.schematic else drawn.items():
        for coast in province.coasts if len(province.coasts) > 1 else ():
            yield from _at_another_coast(variant, geometry, abbr, coast)


def _read_on_a_phone(variant: Variant, geometry: Geometry, drawn: dict[str, Province]) -> set[str]:
    """The provinces that are whole and large enough in the picture of a part."""
    letters = max((power.letter for power in variant.powers), key=len, default="")
    smallest = min(symbols.letter_size(kind, letters) for kind in "AF")
    read: set[tuple[str, int]] = set()
    for part in geometry.parts:
        near, scale = part_of(geometry, part), PHONE / part.window.width
        for abbr, province in drawn.items():
            if (
                label_size(near, abbr) * scale >= NAME
                and near.radius(abbr) * smallest * scale >= LETTER
            ):
                read |= {
                    (abbr, number)
                    for number, boxes in enumerate(_together(near, abbr, province))
                    if all(map(part.window.holds, boxes))
                }
    return {
        abbr
        for abbr, province in drawn.items()
        if all((abbr, number) in read for number in range(len(_together(geometry, abbr, province))))
    }


def _together(geometry: Geometry, abbr: str, province: Province) -> list[list[Box]]:
    """What of a province must be seen in one part: all of it, but on a schematic board each of its discs by itself."""
    by_coast = {"": [label_box(geometry, abbr)]}
    for coast, box in coast_boxes(geometry, abbr).items():
        by_coast.setdefault(coast, []).append(box)
    if province.kind != "impassable":
        for place, box in _units(geometry, abbr, province):
            by_coast.setdefault(place.partition("/")[2], []).append(box)
    return [*by_coast.values()] if geometry.schematic else [[*chain(*by_coast.values())]]


def _out_of_place(geometry: Geometry, abbr: str) -> Iterator[str]:
    spot, box, ways = geometry.spots[abbr], label_box(geometry, abbr), geometry.ways(abbr)
    if spot.leader:
        if not contains(ways, spot.leader):
            yield f"The line from the name of {abbr} does not lead into it."
    elif not contains(ways, box.middle):
        yield f"The name of {abbr} does not stand in it."
    elif any(crosses(box, [*way, way[0]]) for way in ways):
        yield f"The name of {abbr} runs over its edge."


def _one_upon_another(geometry: Geometry, drawn: dict[str, Province]) -> Iterator[str]:
    """Names upon names, and upon units that may stand in any province."""
    names = [(abbr, label_box(geometry, abbr)) for abbr in drawn]
    names += [(f"{abbr}/{coast}", box) for abbr in drawn for coast, box in coast_boxes(geometry, abbr).items()]
    units = [unit for abbr, province in drawn.items() for unit in _units(geometry, abbr, province)]
    for one, other in _overlapping(names, names):
        if one < other:
            yield f"The name of {one} lies upon that of {other}."
    for name, unit in sorted(set(_overlapping(names, units))):
        yield f"The name of {name} lies upon a unit in {unit}."


def _tags_upon_others(geometry: Geometry, drawn: dict[str, Province]) -> Iterator[str]:
    """Tags upon names, and upon units that may stand in any province."""
    tags = [(abbr, tag_box(geometry, abbr)) for abbr in geometry.tags]
    units = [unit for abbr, province in drawn.items() for unit in _units(geometry, abbr, province)]
    for tag, unit in sorted(set(_overlapping(tags, units))):
        yield f"The tag in {tag} lies upon a unit in {unit}."
    for tag, name in sorted(set(_overlapping(tags, written(geometry).items()))):
        yield f"The tag in {tag} lies upon the name of {name}."


def _centers_upon_others(variant: Variant, geometry: Geometry, drawn: dict[str, Province]) -> Iterator[str]:
    """Signs of centers upon names, and upon units that may stand in any province."""
    tops = usual_tops(variant)
    signs = [
        (abbr, box)
        for abbr in variant.centers
        for at in (geometry.spots[abbr].center,)
        if at
        for box in center_boxes(at, geometry.dot * geometry.spots[abbr].unit_scale, tops.get(abbr, ""))
    ]
    units = [unit for abbr, province in drawn.items() for unit in _units(geometry, abbr, province)]
    for center, unit in sorted(set(_overlapping(signs, units))):
        yield f"The sign of the center {center} lies upon a unit in {unit}."
    for center, name in sorted(set(_overlapping(signs, written(geometry).items()))):
        yield f"The sign of the center {center} lies upon the name of {name}."


def _units(geometry: Geometry, abbr: str, province: Province) -> Iterator[Named]:
    """(place, box) of everything that may stand in a province."""
    kinds = ("A" if province.army else "") + ("F" if any(province.fleet.values()) else "")
    for coast, at in geometry.spots[abbr].units.items():
        place = f"{abbr}/{coast}" if coast else abbr
        for kind in kinds if not coast else "F":
            for box in unit_boxes(kind, at, geometry.radius(abbr)):
                yield place, box


def _overlapping(ones: Iterable[Named], others: Iterable[Named]) -> Iterator[tuple[str, str]]:
    """The pairs that overlap, by the cells of a grid in which they lie."""
    size = 100
    cells: dict[tuple[int, int], list[Named]] = defaultdict(list)
    for other in others:
        for cell in _cells(other[1], size):
            cells[cell].append(other)
    found: dict[tuple[str, str], None] = {}
    for name, box in ones:
        for cell in _cells(box, size):
            found |= {(name, other): None for other, its in cells[cell] if box.overlaps(its)}
    yield from found


def _cells(box: Box, size: int) -> Iterator[tuple[int, int]]:
    for across in range(int(box.left // size), int(box.right // size) + 1):
        for down in range(int(box.top // size), int(box.bottom // size) + 1):
            yield across, down


def _at_another_coast(variant: Variant, geometry: Geometry, abbr: str, coast: str) -> Iterator[str]:
    """A fleet stands where the nearest water is a sea that is open to it from there."""
    spot, province = geometry.spots[abbr], variant.provinces[abbr]
    if coast not in spot.coasts:
        yield f"{abbr}/{coast} has no place for its name."
    if coast not in spot.units:
        return
    at = spot.units[coast]
    seas = {other for other, near in variant.provinces.items() if near.kind == "sea"}
    shores = [
        (min(_far(at, start, end) for start, end in pairwise(arc.points)), next(iter(set(arc.sides) - {abbr}), ""))
        for arc in geometry.arcs
        if abbr in arc.sides and set(arc.sides) & seas
    ]
    nearest = min(shores, default=(inf, ""))[1]
    if nearest not in {place.partition("/")[0] for place in province.fleet[coast]}:
        yield f"A fleet in {abbr}/{coast} stands nearer to {nearest or 'no sea'} than to a sea of that coast."


def _far(at: Point, start: Point, end: Point) -> float:
    """The distance of a point from a straight line between two."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    length = dx * dx + dy * dy
    share = max(0.0, min(1.0, ((at[0] - x) * dx + (at[1] - y) * dy) / length)) if length else 0.0
    return dist(at, (x + share * dx, y + share * dy))
