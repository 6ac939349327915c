"""Whether a drawing agrees with its board: every border is drawn, and nothing else looks like a border.

A border is drawn as a common line or as a link.

A border that is open to one kind of unit only, though both provinces could hold the other kind too, has its own style
in the drawing. No mark is needed to show that armies cannot enter seas, and fleets cannot go inland.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache

from judge.maps import readability_check
from judge.maps.geometry import Geometry
from judge.rules import Province, Variant

Pair = frozenset[str]


@dataclass(frozen=True)
class DrawingCheck:
    """The numbers of a board's borders, and the faults of its drawing, a sentence each.

    `pairs`: all borders; `touching`, `linked`: those drawn as common lines and as links; `barriers`: common lines that
    no unit can pass; `armies_only`, `fleets_only`: borders that only armies or only fleets can pass.
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
    common = [(frozenset(arc.sides), arc.barrier) for arc in geometry.arcs if geometry.spots.keys() >= set(arc.sides)]
    lines, walls = ({pair for pair, is_barrier in common if is_barrier == wanted} for wanted in (False, True))
    links = {link.pair for link in geometry.links}
    marks = [mark(variant, pair) for pair in pairs]
    faults = [
        *_misplaced(variant, geometry),
        *_misdrawn(variant, pairs, lines, links, walls),
        *readability_check.faults(variant, geometry),
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


@lru_cache(maxsize=16)
def borders(variant: Variant) -> dict[Pair, str]:
    """{two provinces: the kinds of unit, "A", "F" or "AF", that pass between them}."""
    found: dict[Pair, str] = {}
    for kind in "AF":
        for province in variant.provinces.values():
            for pair in {frozenset((province.abbr, place.partition("/")[0])) for place in _ways(province, kind)}:
                found[pair] = found.get(pair, "").replace(kind, "") + kind
    return found


def mark(variant: Variant, pair: Pair) -> str:
    """"A" or "F" if only that kind can pass, though both kinds could be on both sides; else ""."""
    passing = borders(variant).get(pair, "")
    if len(passing) != 1:
        return ""
    other = "F" if passing == "A" else "A"
    return passing if all(_ways(variant.provinces[abbr], other) for abbr in pair) else ""


def _ways(province: Province, kind: str) -> list[str]:
    """Where a unit of that kind may go from a province."""
    return list(province.army) if kind == "A" else [place for places in province.fleet.values() for place in places]


def _misplaced(variant: Variant, geometry: Geometry) -> Iterator[str]:
    """Faults of single provinces."""
    shut = _shut(variant)
    # Impassable provinces may be missing in the drawing.
    left_off = shut if geometry.traced else shut.difference(*(arc.sides for arc in geometry.arcs))
    for abbr in sorted((variant.provinces.keys() - left_off) ^ (geometry.spots.keys() - left_off)):
        yield f"{abbr} is in the map or in its geometry, not in both."
    for abbr, spot in geometry.spots.items():
        for ring in spot.rings:
            for number in ring:
                if abbr not in geometry.arcs[number if number >= 0 else ~number].sides:
                    yield f"{abbr} is drawn along a line that is not its own."
    for abbr, province in variant.provinces.items():
        if abbr in geometry.spots and set(province.coasts) - geometry.spots[abbr].units.keys():
            yield f"{abbr} has a coast without a place for its fleet."


def _misdrawn(
    variant: Variant, pairs: Set[Pair], lines: Set[Pair], links: Set[Pair], walls: Set[Pair]
) -> Iterator[str]:
    """Faults of borders."""
    for some, fault in (
        (pairs - lines - links, "is a border but is drawn neither as a line nor as a link."),
        ({pair for pair in lines - pairs if not pair & _shut(variant)}, "is drawn as a border but is not one."),
        (links - pairs, "is drawn as a link but is not a border."),
        (walls & pairs, "is drawn as a barrier but is a border."),
    ):
        for name in sorted("-".join(sorted(pair)) for pair in some):
            yield f"{name} {fault}"


def _shut(variant: Variant) -> set[str]:
    return {abbr for abbr, province in variant.provinces.items() if province.kind == "impassable"}
