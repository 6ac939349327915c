"""Make a drawing for a board that has none, with discs for provinces and lines for borders.

Seas are discs of water. A split province has a smaller disc for each coast, from which that coast's borders lead.
Impassable provinces are left out. The result has the form of `geometry.json` (docs/variants.md).

Few lines cross, and few pass a disc that is not their end. First, lines that can be drawn without a crossing are chosen
one by one, those between near points first. (networkx finds the embedding.) Tutte's method ("How to Draw a Graph",
1963) draws these as straight lines, with each point amid its neighbors. Then points are moved, one at a time, wherever
that improves the drawing of all lines. The same graph always has the same places, because random numbers are drawn from
a seed. The work is limited by a number of comparisons, not by a clock. Places are complex numbers, whose differences
and rotations are one operation each.
"""

import random
from cmath import pi, rect
from collections.abc import Mapping
from itertools import chain, combinations
from statistics import median
from typing import Any

import networkx as nx
from networkx.algorithms.planar_drawing import triangulate_embedding

from judge.foreign_maps.pack_board import PIXELS, SIDE, Arcs, tiles
from judge.foreign_maps.sketch import MapError, Values
from judge.maps.geometry import Box, gap, off, toward
from judge.maps.text_metrics import text_width
from judge.rules import Province, Variant
from judge.rules.board.orders import province_of
from judge.rules.board.province import Provinces

# The maximum numbers of provinces and of borders. The layout of more would take minutes.
MOST, _MOST_LINES = 400, 1500
# The radius of a coast's disc, and the sizes and places of names, units and centers. All are shares of a disc's radius.
_COAST, _NAME, _UNIT, _DOT = 0.84, 0.46, 0.4, 0.125
_NAME_AT, _UNIT_AT, _CENTER_AT = -0.6j, 0.28j, -0.7 - 0.12j
_COAST_NAME_AT, _COAST_UNIT_AT = -0.56j, 0.2j
# The width of the neck between a split province and its coasts, and the room around the board. Both are shares of the
# radius.
_NECK, _MARGIN = 0.42, 1.6
# The width of a disc at the height of its name, as a share of the radius.
_NAME_ROOM = 1.14
# The number of corners of a disc, and its maximum and minimum radius if points are 1 apart.
_CORNERS, _LARGEST, _SMALLEST = 36, 0.42, 0.3
# The width of a part in radii. With it, names are legible on a phone (drawing_check).
_PART = 15.5

# The desired distance between two points, and between a line and another point.
_APART, _CLEAR = 1.0, 0.64
# The weights of faults in a drawing: crossings, points or lines too close, and lines too long.
_CROSSING, _NEAR, _CLOSE, _LONG = 40.0, 30.0, 40.0, 0.25
# The maximum numbers of moves of each point, and of pairs of lines to compare for these moves.
_ROUNDS, _MOST_COMPARED = 60, 60_000_000
# The number of times that every point is put into the middle of its neighbors.
_SETTLED = 300
_THIRDS = [rect(1, turn * 2 * pi / 3) for turn in range(3)]

Pair = tuple[str, str]


def schematic(variant: Variant) -> Values:
    """Return a schematic drawing of a board, as the values of geometry.json.

    Raises MapError if the board is too large.
    """
    drawn = {abbr: one for abbr, one in variant.provinces.items() if one.kind != "impassable"}
    if len(drawn) > MOST:
        raise MapError(f"boards of more than {MOST} provinces are not drawn automatically")
    lines = _lines(drawn)
    if len(lines) > _MOST_LINES:
        raise MapError(f"boards of more than {_MOST_LINES} borders are not drawn automatically")
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(chain(*map(_discs, drawn.values())))
    graph.add_edges_from(lines)
    for province in drawn.values():
        nx.add_star(graph, _discs(province))
    places = untangled(graph) if len(graph) > 2 else {place: complex(at) for at, place in enumerate(graph)}
    return _Board(drawn, places, lines).values()


def _discs(province: Province) -> list[str]:
    return [province.abbr, *(f"{province.abbr}/{coast}" for coast in province.coasts)]


def _lines(provinces: Provinces) -> list[Pair]:
    """Return the two discs that each border connects.

    A border for both armies and fleets connects the coasts that fleets use.
    """
    by_water = dict.fromkeys(
        frozenset((here, there))
        for province in provinces.values()
        for here, near in province.fleet_ways.items()
        for there in near
    )
    near_by_water = {frozenset(map(province_of, pair)) for pair in by_water}
    by_land = (frozenset((abbr, other)) for abbr, province in provinces.items() for other in province.army)
    pairs = by_water | dict.fromkeys(pair for pair in by_land if pair not in near_by_water)
    return [(min(pair), max(pair)) for pair in pairs]


class _Board:
    """The discs at their places, which are complex numbers in the board's units."""

    def __init__(self, provinces: Provinces, places: Mapping[str, complex], lines: list[Pair]):
        self.provinces, self.lines, self.arcs = provinces, lines, Arcs()
        # Within limits, use the largest radius at which no discs touch each other, or lines between other discs.
        nearest = min((abs(one - other) for one, other in combinations(places.values(), 2)), default=1.0)
        beside = (gap(at, places[one], places[other]) for one, other in lines for place, at in places.items()
                  if place not in (one, other))  # fmt: skip
        radius = max(_SMALLEST, min(_LARGEST, nearest / 2.1, min(beside, default=1.0) * 0.95))
        around = Box.around((at.real, at.imag) for at in places.values())
        wide, high = around.width + 2 * _MARGIN * radius, around.height + 2 * _MARGIN * radius
        corner = complex(around.left, around.top) - complex(1, 1) * _MARGIN * radius
        scale = SIDE / max(wide, high)
        self.radius = radius * scale
        self.at = {place: (at - corner) * scale for place, at in places.items()}
        self.box = round(wide * scale), round(high * scale)
        if high > wide:
            # Make the longer side the width, since phones and screens scroll down more readily than across.
            self.at = {place: (at - wide * scale) / 1j for place, at in self.at.items()}
            self.box = self.box[1], self.box[0]

    def values(self) -> Values:
        spots = {abbr: self._spot(province) for abbr, province in self.provinces.items()}
        wide, high = self.box
        frame = self.arcs.add("f", "", "", [(0, 0), (wide, 0), (wide, high), (0, high), (0, 0)])
        seas = [one.abbr for one in self.provinces.values() if one.kind == "sea"]
        # Each disc must be whole in one part, with room at its edge. A coast may be far from its province.
        boxes = {place: [Box.around([_xy(at)], round(self._reach(place) * 1.25))] for place, at in self.at.items()}
        return {
            "schematic": True,
            "box": list(self.box),
            "width": PIXELS,
            "label": round(_NAME * self.radius, 1),
            "unit": round(_UNIT * self.radius, 1),
            "dot": round(_DOT * self.radius, 1),
            "arcs": self.arcs,
            "provinces": spots,
            "links": [[*map(province_of, line), *_xy(start), *_xy(end)] for line in self.lines
                      for start, end in [self._ends_of_line(*line)]],
            "tags": {},
            "scenery": [],
            "lakes": [],
            "off": [[frame], *(ring for sea in seas for ring in spots[sea]["rings"])],
            "parts": dict(tiles(self.box, _PART * self.radius, 2 * self.radius, boxes)),
        }  # fmt: skip

    def _spot(self, province: Province) -> Values:
        abbr, kind = province.abbr, "s" if province.kind == "sea" else "c"
        coasts = {coast: f"{abbr}/{coast}" for coast in province.coasts}
        outlines = [*map(self._rim, _discs(province)), *(self._neck_outline(abbr, place) for place in coasts.values())]
        spot: Values = {
            "rings": [[self.arcs.add(kind, abbr, "", map(_xy, outline))] for outline in outlines],
            "label": self._beside(abbr, _NAME_AT),
            "label_scale": max(0.45, min(1.0, _NAME_ROOM / text_width(abbr.title() if len(abbr) > 3 else abbr, _NAME))),
            "units": {"": self._beside(abbr, _UNIT_AT)}
            | {coast: self._beside(place, _COAST_UNIT_AT) for coast, place in coasts.items()},
            "coasts": {coast: self._beside(place, _COAST_NAME_AT) for coast, place in coasts.items()},
            # In a picture of the whole board, all discs also have room for their names.
            "overview": self._beside(abbr, _NAME_AT),
        }
        return spot | ({"center": self._beside(abbr, _CENTER_AT)} if province.center else {})

    def _beside(self, place: str, share: complex) -> tuple[int, int]:
        return _xy(self.at[place] + share * self.radius)

    def _reach(self, place: str) -> float:
        return self.radius * (_COAST if "/" in place else 1)

    def _rim(self, disc: str) -> list[complex]:
        turns = (2 * pi * (corner % _CORNERS) / _CORNERS for corner in range(_CORNERS + 1))
        return [self.at[disc] + rect(self._reach(disc), turn) for turn in turns]

    def _neck_outline(self, one: str, other: str) -> list[complex]:
        start, end = self._ends_of_line(one, other)
        way = self.at[other] - self.at[one]
        side = way / (abs(way) or 1) * 1j * self.radius * _NECK / 2
        return [start + side, end + side, end - side, start - side, start + side]

    def _ends_of_line(self, one: str, other: str) -> tuple[complex, complex]:
        way = self.at[other] - self.at[one]
        way /= abs(way) or 1
        return self.at[one] + way * self._reach(one), self.at[other] - way * self._reach(other)


def _xy(at: complex) -> tuple[int, int]:
    return round(at.real), round(at.imag)


# --- places for the points of a graph ---


def untangled(graph: "nx.Graph[Any]") -> dict[Any, complex]:
    """Return a place for each point of a graph with at least three points.

    Neighbors are about 1 apart.
    """
    # Use numbers, since sets of words have a different order in each process.
    numbered = nx.convert_node_labels_to_integers(graph)
    places = _tutte(_without_crossings(numbered))
    # Scale so that the median line is long enough. A drawing that starts too small gets crossings as it grows.
    scale = 1.3 / max(1e-9, median([abs(places[one] - places[other]) for one, other in numbered.edges] or [1.0]))
    at = [places[point] * scale for point in numbered]
    # Use lists, since networkx takes long to iterate over its own views.
    edges, near = list(numbered.edges), [list(numbered[point]) for point in numbered]
    dice, compared = random.Random(len(graph)), 0
    for number in range(_ROUNDS):
        for point in dice.sample(range(len(at)), len(at)):
            if compared <= _MOST_COMPARED:
                others = [edge for edge in edges if point not in edge]
                compared += _improve(at, point, near[point], others, dice, max(0.05, 1 - number / _ROUNDS))
    return dict(zip(graph, at, strict=True))


def _without_crossings(graph: "nx.Graph[int]") -> "nx.PlanarEmbedding[int]":
    """Return an embedding of the graph, without the lines that would cross others.

    Lines between points with many neighbors in common are kept first.
    """
    is_planar, embedding = nx.check_planarity(graph)
    if not is_planar:
        kept: nx.Graph[int] = nx.create_empty_copy(graph)
        for pair in sorted(graph.edges, key=lambda pair: (-len(nx.common_neighbors(graph, *pair)), pair)):
            kept.add_edge(*pair)
            if not nx.check_planarity(kept)[0]:
                kept.remove_edge(*pair)
        embedding = nx.check_planarity(kept)[1]
    return embedding


def _tutte(embedding: "nx.PlanarEmbedding[int]") -> dict[int, complex]:
    """Return places with the largest face on a circle, and each other point in the middle of its neighbors."""
    filled, rim = triangulate_embedding(embedding, fully_triangulate=False)
    places = dict.fromkeys(filled, 0j) | {point: rect(1, 2 * pi * n / len(rim)) for n, point in enumerate(rim)}
    inner = [point for point in filled if point not in rim]
    for _ in range(_SETTLED):
        for point in inner:
            places[point] = sum(places[other] for other in filled[point]) / len(filled[point])
    return places


def _improve(
    at: list[complex], point: int, near: list[int], edges: list[tuple[int, int]], dice: random.Random, reach: float
) -> int:
    """Move a point to the best of some places around it, and return the number of comparisons.

    The point stays if no place is better. `near` has its neighbors, and `edges` the lines between other points.
    """
    here = at[point]
    ends = [at[other] for other in near]
    tries = _tries(here, ends, dice, reach)
    farthest = max(abs(place - here) for place in (*tries, *ends)) + _APART
    points = [place for other, place in enumerate(at) if other != point and abs(place - here) < farthest]
    # Each line with its rotation and the distance between its ends.
    around = []
    for one, other in edges:
        turn, length = toward(at[one], at[other])
        if off((here - at[one]) * turn, length) < farthest:
            around.append((at[one], at[other], turn, length))

    def faults(there: complex, enough: float) -> float:
        """Return how bad the drawing is with the point at `there`.

        If the faults add up to `enough`, the rest is not examined.
        """
        found = sum(_NEAR * (_APART - far) ** 2 for other in points if (far := abs(other - there)) < _APART)
        for start, _, turn, length in around:
            found += _too_close((there - start) * turn, length)
        for end in ends:
            if found >= enough:
                break
            length = abs(end - there)
            found += _LONG * max(0.0, length - _APART) ** 2
            # From here on, coordinates are relative to the moved point, with `end` straight ahead.
            turn = (end - there).conjugate() / (length or 1e-9)
            for other in points:
                if other != end:
                    found += _too_close((other - there) * turn, length)
            for start, stop, *_ in around:
                left, right = (start - there) * turn, (stop - there) * turn
                if (left.imag < 0) != (right.imag < 0) and end not in (start, stop):
                    where = left.real + (right.real - left.real) * left.imag / (left.imag - right.imag)
                    found += _CROSSING * (0 < where < length)
        return found

    least = faults(here, float("inf"))
    for there in tries:
        if (found := faults(there, least)) < least - 1e-9:
            least, at[point] = found, there
    return len(around) * len(ends) * (len(tries) + 1)


def _tries(here: complex, ends: list[complex], dice: random.Random, reach: float) -> list[complex]:
    """Return places to try for a point.

    One is halfway to the middle of its neighbors, and others are around the point, far and near.
    """
    tries = [(here + sum(ends) / len(ends)) / 2 if ends else here]
    for far in (dice.random() * reach, dice.random() * reach / 3):
        step = rect(far, dice.random() * 2 * pi)
        tries += [here + step * third for third in _THIRDS]
    return tries


def _too_close(seen: complex, length: float) -> float:
    """Return the fault of a point that is too close to the line between 0 and this length."""
    return _CLOSE * max(0.0, _CLEAR - off(seen, length)) ** 2 if abs(seen.imag) < _CLEAR else 0.0
