"""A drawing for a board that has none: every province a disc with its name, every border a line between two discs.

Seas are discs of water; a split province has a smaller disc for each of its coasts, from which the borders of that
coast lead. What nobody can enter is left out. The result is what `geometry.json` holds (docs/variants.md).
"""

from collections.abc import Iterator, Mapping
from math import cos, dist, hypot, pi, sin
from typing import Any

from judge.maps.geometry import Box, Point
from judge.maps.text_metrics import text_box
from judge.maps.tiling import tiles
from judge.rules import Province, Variant

# Provinces and borders; the layout of more would take minutes.
MOST, _MOST_LINES = 400, 1500
# The longer side of the board, and how many pixels it is wide in a picture.
_SIDE, _PIXELS = 4000, 1400
# All below are shares of a disc's radius: discs of coasts; names, units, centers, and where they stand.
_COAST, _NAME, _UNIT, _DOT = 0.84, 0.46, 0.4, 0.125
_NAME_AT, _UNIT_AT, _CENTER_AT = (0.0, -0.6), (0.0, 0.28), (-0.7, -0.12)
_COAST_NAME_AT, _COAST_UNIT_AT = (0.0, -0.56), (0.0, 0.2)
# The neck between a split province and its coasts, and the room around the board.
_NECK, _MARGIN = 0.42, 1.6
# A disc is drawn with so many corners; its radius, if the points lie 1 apart, and the least of that.
_CORNERS, _LARGEST, _SMALLEST = 36, 0.42, 0.3
# A part is so many radii wide: on a phone its names and letters can be read (judge.maps.readability_check).
_PART, _PART_PIXELS = 15.5, 780


class TooLarge(ValueError):
    """The board has too many provinces for a drawing of this kind."""


def schematic(variant: Variant) -> dict[str, Any]:
    """The drawing, as the values of geometry.json; raises TooLarge."""
    # These take half a second to load, and nothing else needs them.
    import networkx as nx

    from judge.maps.untangled import untangled

    drawn = {abbr: one for abbr, one in variant.provinces.items() if one.kind != "impassable"}
    if len(drawn) > MOST:
        raise TooLarge(f"a board of more than {MOST} provinces is not drawn by itself")
    lines = list(_lines(drawn))
    if len(lines) > _MOST_LINES:
        raise TooLarge(f"a board of more than {_MOST_LINES} borders is not drawn by itself")
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(place for province in drawn.values() for place in _discs(province))
    graph.add_edges_from(lines)
    graph.add_edges_from((abbr, f"{abbr}/{coast}") for abbr, one in drawn.items() for coast in one.coasts)
    places = untangled(graph) if len(graph) > 2 else {place: (at, 0.0) for at, place in enumerate(graph)}
    return _Board(drawn, {str(place): at for place, at in places.items()}, lines).values()


def _discs(province: Province) -> Iterator[str]:
    yield province.abbr
    yield from (f"{province.abbr}/{coast}" for coast in province.coasts)


def _lines(provinces: Mapping[str, Province]) -> Iterator[tuple[str, str]]:
    """The two discs of every border; a border for armies and fleets leads from the coasts on which fleets use it."""
    by_water: set[frozenset[str]] = set()
    done: set[frozenset[str]] = set()
    for abbr, province in provinces.items():
        for coast, near in province.fleet.items():
            for place in near:
                pair = frozenset((f"{abbr}/{coast}" if coast else abbr, place))
                by_water.add(frozenset(map(_abbr, pair)))
                if pair not in done:
                    done.add(pair)
                    one, other = sorted(pair)
                    yield one, other
    for abbr, province in provinces.items():
        for other in province.army:
            pair = frozenset((abbr, other))
            if pair not in by_water | done:
                done.add(pair)
                yield min(pair), max(pair)


def _abbr(place: str) -> str:
    return place.partition("/")[0]


class _Board:
    """The discs at their places, in units of the board."""

    def __init__(self, provinces: Mapping[str, Province], places: Mapping[str, Point], lines: list[tuple[str, str]]):
        self.provinces, self.lines = provinces, lines
        radius = _radius(places, lines)
        across, down = ([at[axis] for at in places.values()] for axis in (0, 1))
        wide, high = (max(numbers) - min(numbers) + 2 * _MARGIN * radius for numbers in (across, down))
        # The longer side is the width: phones and screens scroll down more readily than across.
        turned = high > wide
        scale = _SIDE / max(wide, high)
        self.radius = radius * scale
        edge = _MARGIN * radius
        moved = {name: (x - min(across) + edge, y - min(down) + edge) for name, (x, y) in places.items()}
        if turned:
            moved = {name: (y, wide - x) for name, (x, y) in moved.items()}
            wide, high = high, wide
        self.at = {name: (round(x * scale), round(y * scale)) for name, (x, y) in moved.items()}
        self.box = (round(wide * scale), round(high * scale))
        self.arcs: list[list[Any]] = []

    def values(self) -> dict[str, Any]:
        spots = {abbr: self._spot(province) for abbr, province in self.provinces.items()}
        (wide, high), seas = self.box, [one for one in self.provinces.values() if one.kind == "sea"]
        frame = self._arc("f", "", "", [(0, 0), (wide, 0), (wide, high), (0, high), (0, 0)])
        return {
            "schematic": True,
            "box": list(self.box),
            "width": _PIXELS,
            "label": round(_NAME * self.radius, 1),
            "unit": round(_UNIT * self.radius, 1),
            "dot": round(_DOT * self.radius, 1),
            "arcs": self.arcs,
            "provinces": spots,
            "links": [self._link(one, other) for one, other in self.lines],
            "tags": {},
            "scenery": [],
            "lakes": [],
            "off": [[frame], *(ring for sea in seas for ring in spots[sea.abbr]["rings"])],
            "parts": dict(tiles(self.box, _PART * self.radius, 2 * self.radius, self._boxes(), _PART_PIXELS)),
        }

    # --- discs ---

    def _spot(self, province: Province) -> dict[str, Any]:
        abbr, kind = province.abbr, "s" if province.kind == "sea" else "c"
        rings = [[self._arc(kind, abbr, "", self._circle(place))] for place in _discs(province)]
        rings += [[self._arc(kind, abbr, "", self._neck(abbr, f"{abbr}/{coast}"))] for coast in province.coasts]
        spot: dict[str, Any] = {
            "rings": rings,
            "label": self._beside(abbr, _NAME_AT),
            "units": {"": self._beside(abbr, _UNIT_AT)},
            # All discs have room for their names in a picture of the whole board too.
            "overview": self._beside(abbr, _NAME_AT),
        }
        scale = self._label_scale(abbr)
        if scale < 1:
            spot["label_scale"] = scale
        if province.center:
            spot["center"] = self._beside(abbr, _CENTER_AT)
        if province.coasts:
            spot["units"] |= {coast: self._beside(f"{abbr}/{coast}", _COAST_UNIT_AT) for coast in province.coasts}
            spot["coasts"] = {coast: self._beside(f"{abbr}/{coast}", _COAST_NAME_AT) for coast in province.coasts}
        return spot

    def _reach(self, place: str) -> float:
        return self.radius * (_COAST if "/" in place else 1)

    def _beside(self, place: str, share: Point) -> list[int]:
        x, y = self.at[place]
        return [round(x + share[0] * self.radius), round(y + share[1] * self.radius)]

    def _circle(self, place: str) -> list[Point]:
        (x, y), reach = self.at[place], self._reach(place)
        turns = [2 * pi * (corner % _CORNERS) / _CORNERS for corner in range(_CORNERS + 1)]
        return [(round(x + reach * cos(turn)), round(y + reach * sin(turn))) for turn in turns]

    def _neck(self, one: str, other: str) -> list[Point]:
        """The strip of land from rim to rim."""
        (x, y), (ex, ey) = self._between(one, other)
        far = dist(self.at[one], self.at[other]) or 1
        (ox, oy), (tx, ty) = self.at[one], self.at[other]
        sx, sy = (oy - ty) / far * self.radius * _NECK / 2, (tx - ox) / far * self.radius * _NECK / 2
        corners = [(x + sx, y + sy), (ex + sx, ey + sy), (ex - sx, ey - sy), (x - sx, y - sy), (x + sx, y + sy)]
        return [(round(across), round(down)) for across, down in corners]

    def _between(self, one: str, other: str) -> tuple[Point, Point]:
        """Where the straight line between two discs leaves them."""
        (x, y), (ex, ey) = self.at[one], self.at[other]
        far = hypot(ex - x, ey - y) or 1
        dx, dy = (ex - x) / far, (ey - y) / far
        here, there = self._reach(one), self._reach(other)
        return (round(x + dx * here), round(y + dy * here)), (round(ex - dx * there), round(ey - dy * there))

    def _link(self, one: str, other: str) -> list[Any]:
        start, end = self._between(one, other)
        return [_abbr(one), _abbr(other), *start, *end]

    def _arc(self, kind: str, left: str, right: str, points: list[Point]) -> int:
        (x, y), steps = points[0], [*points[0]]
        for next_x, next_y in points[1:]:
            steps += [next_x - x, next_y - y]
            x, y = next_x, next_y
        self.arcs.append([kind, left, right, *steps])
        return len(self.arcs) - 1

    def _label_scale(self, abbr: str) -> float:
        """1, or less for a name that is too long for its disc."""
        long_names = all(map(str.isupper, self.provinces)) and max(map(len, self.provinces)) > 3
        text, size = abbr.title() if long_names else abbr, _NAME * self.radius
        for tenths in range(20, 8, -1):
            box = text_box(text, (_NAME_AT[0] * self.radius, _NAME_AT[1] * self.radius), size * tenths / 20)
            if max(hypot(*corner) for corner in box.corners) < 0.96 * self.radius:
                break
        return tenths / 20

    def _boxes(self) -> dict[str, list[Box]]:
        """What must be whole in a part: every disc by itself, since a coast may lie far from its province."""
        return {place: [self._around(place)] for place in self.at}

    def _around(self, place: str) -> Box:
        """A disc with room for what stands at its edge."""
        (x, y), room = self.at[place], round(self._reach(place) * 1.25)
        return Box(x - room, y - room, x + room, y + room)


def _radius(places: Mapping[str, Point], lines: list[tuple[str, str]]) -> float:
    """As large as discs can be that do not touch, and through which no line of others runs."""
    at = [*places.values()]
    nearest = min((dist(one, other) for number, one in enumerate(at) for other in at[:number]), default=1.0)
    beside = min(
        (
            _far(here, places[one], places[other])
            for one, other in lines
            for name, here in places.items()
            if name not in (one, other)
        ),
        default=1.0,
    )
    return max(_SMALLEST, min(_LARGEST, nearest / 2.1, beside * 0.95))


def _far(at: Point, start: Point, end: Point) -> float:
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    length = dx * dx + dy * dy
    share = max(0.0, min(1.0, ((at[0] - x) * dx + (at[1] - y) * dy) / length)) if length else 0.0
    return dist(at, (x + share * dx, y + share * dy))
