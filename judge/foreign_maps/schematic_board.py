"""A drawing for a board that has none: every province a disc with its name, every border a line between two discs.

Seas are discs of water; a split province has a smaller disc for each of its coasts, from which the borders of that
coast lead. Impassable provinces are left out. The result has the form of `geometry.json` (docs/variants.md).
"""

from cmath import rect
from collections.abc import Mapping
from itertools import combinations
from math import hypot, pi
from typing import Any

import networkx as nx

from judge.foreign_maps.graph_layout import gap, untangled
from judge.foreign_maps.pack_board import PIXELS, SIDE, Arcs, tiles
from judge.foreign_maps.source import MapError
from judge.maps.geometry import Box
from judge.maps.text_metrics import text_box
from judge.rules import Province, Variant

# Provinces and borders; the layout of more would take minutes.
MOST, _MOST_LINES = 400, 1500
# All below are shares of a disc's radius: discs of coasts; names, units, centers, and their places.
_COAST, _NAME, _UNIT, _DOT = 0.84, 0.46, 0.4, 0.125
_NAME_AT, _UNIT_AT, _CENTER_AT = -0.6j, 0.28j, -0.7 - 0.12j
_COAST_NAME_AT, _COAST_UNIT_AT = -0.56j, 0.2j
# The neck between a split province and its coasts, and the room around the board.
_NECK, _MARGIN = 0.42, 1.6
# The corners of a disc; its radius, if the points are 1 apart, and the least of that.
_CORNERS, _LARGEST, _SMALLEST = 36, 0.42, 0.3
# The width of a part in radii: on a phone its names and letters can be read (readability_check).
_PART, _PART_PIXELS = 15.5, 780

Pair = tuple[str, str]


def schematic(variant: Variant) -> dict[str, Any]:
    """Lay out a drawing, as the values of geometry.json; raises MapError if the board is too large."""
    drawn = {abbr: one for abbr, one in variant.provinces.items() if one.kind != "impassable"}
    if len(drawn) > MOST:
        raise MapError(f"boards of more than {MOST} provinces are not drawn automatically")
    lines = _lines(drawn)
    if len(lines) > _MOST_LINES:
        raise MapError(f"boards of more than {_MOST_LINES} borders are not drawn automatically")
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(place for province in drawn.values() for place in _discs(province))
    graph.add_edges_from(lines)
    graph.add_edges_from((abbr, f"{abbr}/{coast}") for abbr, one in drawn.items() for coast in one.coasts)
    places = untangled(graph) if len(graph) > 2 else {place: complex(at) for at, place in enumerate(graph)}
    return _Board(drawn, places, lines).values()


def _discs(province: Province) -> list[str]:
    return [province.abbr, *(f"{province.abbr}/{coast}" for coast in province.coasts)]


def _lines(provinces: Mapping[str, Province]) -> list[Pair]:
    """The two discs of every border; a border for armies and fleets leads from the coasts on which fleets use it."""
    by_water = dict.fromkeys(
        frozenset((f"{abbr}/{coast}" if coast else abbr, place))
        for abbr, province in provinces.items()
        for coast, near in province.fleet.items()
        for place in near
    )
    near_by_water = {frozenset(map(_abbr, pair)) for pair in by_water}
    by_land = (frozenset((abbr, other)) for abbr, province in provinces.items() for other in province.army)
    pairs = by_water | dict.fromkeys(pair for pair in by_land if pair not in near_by_water)
    return [(min(pair), max(pair)) for pair in pairs]


def _abbr(place: str) -> str:
    return place.partition("/")[0]


class _Board:
    """The discs at their places, which are complex numbers in units of the board."""

    def __init__(self, provinces: Mapping[str, Province], places: Mapping[str, complex], lines: list[Pair]):
        self.provinces, self.lines, self.arcs = provinces, lines, Arcs()
        radius = _radius(places, lines)
        across, down = [at.real for at in places.values()], [at.imag for at in places.values()]
        wide, high = (max(numbers) - min(numbers) + 2 * _MARGIN * radius for numbers in (across, down))
        corner = complex(min(across), min(down)) - complex(1, 1) * _MARGIN * radius
        scale = SIDE / max(wide, high)
        self.radius = radius * scale
        self.at = {place: (at - corner) * scale for place, at in places.items()}
        self.box = round(wide * scale), round(high * scale)
        if high > wide:
            # The longer side is the width: phones and screens scroll down more readily than across.
            self.at = {place: (at - wide * scale) / 1j for place, at in self.at.items()}
            self.box = self.box[1], self.box[0]

    def values(self) -> dict[str, Any]:
        spots = {abbr: self._spot(province) for abbr, province in self.provinces.items()}
        wide, high = self.box
        frame = self.arcs.add("f", "", "", [(0, 0), (wide, 0), (wide, high), (0, high), (0, 0)])
        seas = [one.abbr for one in self.provinces.values() if one.kind == "sea"]
        # Each disc must be whole in a part, with room at its edge; a coast may be far from its province.
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
            "links": [[*map(_abbr, line), *_xy(start), *_xy(end)] for line in self.lines
                      for start, end in [self._between(*line)]],
            "tags": {},
            "scenery": [],
            "lakes": [],
            "off": [[frame], *(ring for sea in seas for ring in spots[sea]["rings"])],
            "parts": dict(tiles(self.box, _PART * self.radius, 2 * self.radius, boxes, _PART_PIXELS)),
        }  # fmt: skip

    def _spot(self, province: Province) -> dict[str, Any]:
        abbr, kind = province.abbr, "s" if province.kind == "sea" else "c"
        coasts = {coast: f"{abbr}/{coast}" for coast in province.coasts}
        outlines = [*map(self._circle, _discs(province)), *(self._neck(abbr, place) for place in coasts.values())]
        spot: dict[str, Any] = {
            "rings": [[self.arcs.add(kind, abbr, "", map(_xy, outline))] for outline in outlines],
            "label": self._beside(abbr, _NAME_AT),
            "label_scale": self._label_scale(abbr),
            "units": {"": self._beside(abbr, _UNIT_AT)}
            | {coast: self._beside(place, _COAST_UNIT_AT) for coast, place in coasts.items()},
            "coasts": {coast: self._beside(place, _COAST_NAME_AT) for coast, place in coasts.items()},
            # All discs have room for their names in a picture of the whole board too.
            "overview": self._beside(abbr, _NAME_AT),
        }
        return spot | ({"center": self._beside(abbr, _CENTER_AT)} if province.center else {})

    def _beside(self, place: str, share: complex) -> tuple[int, int]:
        return _xy(self.at[place] + share * self.radius)

    def _reach(self, place: str) -> float:
        return self.radius * (_COAST if "/" in place else 1)

    def _circle(self, place: str) -> list[complex]:
        turns = (2 * pi * (corner % _CORNERS) / _CORNERS for corner in range(_CORNERS + 1))
        return [self.at[place] + rect(self._reach(place), turn) for turn in turns]

    def _neck(self, one: str, other: str) -> list[complex]:
        """The strip of land from rim to rim."""
        start, end = self._between(one, other)
        way = self.at[other] - self.at[one]
        side = way / (abs(way) or 1) * 1j * self.radius * _NECK / 2
        return [start + side, end + side, end - side, start - side, start + side]

    def _between(self, one: str, other: str) -> tuple[complex, complex]:
        """Where the straight line between two discs leaves them."""
        way = self.at[other] - self.at[one]
        way /= abs(way) or 1
        return self.at[one] + way * self._reach(one), self.at[other] - way * self._reach(other)

    def _label_scale(self, abbr: str) -> float:
        """1, or less for a name that is too long for its disc."""
        long_names = all(map(str.isupper, self.provinces)) and max(map(len, self.provinces)) > 3
        text, at = abbr.title() if long_names else abbr, (0, _NAME_AT.imag * self.radius)
        sizes = (twentieth / 20 for twentieth in range(20, 9, -1))
        boxes = ((size, text_box(text, at, size * _NAME * self.radius)) for size in sizes)
        fits = (size for size, box in boxes if max(hypot(*corner) for corner in box.corners) < 0.96 * self.radius)
        return next(fits, 0.45)


def _xy(at: complex) -> tuple[int, int]:
    return round(at.real), round(at.imag)


def _radius(places: Mapping[str, complex], lines: list[Pair]) -> float:
    """The largest radius of discs that do not touch each other, nor the lines between others."""
    nearest = min((abs(one - other) for one, other in combinations(places.values(), 2)), default=1.0)
    beside = (gap(at, places[one], places[other]) for one, other in lines for place, at in places.items()
              if place not in (one, other))  # fmt: skip
    return max(_SMALLEST, min(_LARGEST, nearest / 2.1, min(beside, default=1.0) * 0.95))
