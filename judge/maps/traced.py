"""A drawing out of a jDip pack: its own board, with its own places for units and centers.

The pack's shapes become the areas of provinces. Two that lie side by side have that line in common, if units can pass
it; every other border becomes a link. The result is what `geometry.json` holds (docs/variants.md): of the pack's file
only numbers are left in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from math import ceil, dist
from typing import Any

from judge.maps.borders import borders
from judge.maps.geometry import Box, Point
from judge.maps.strange_svg import NotUsed, StrangeBoard, read_board
from judge.maps.text_metrics import BASELINE, contains, text_box, unit_boxes
from judge.maps.tiling import tiles
from judge.rules import Province, Variant

# The longer side of the board, and how many pixels it is wide in a picture.
_SIDE, _PIXELS = 4000, 1400
# The radius of units: as large as this, or this share of the way between the two that are nearest; the least.
_UNIT, _SHARE, _LEAST = 46.0, 0.42, 22.0
# Names and centers, as shares of it; and the width of a part in which they are read on a phone (readability_check).
_LABEL, _DOT, _PART, _PART_PIXELS = 1.16, 0.37, 37.0, 780
# A name of the pack that stands farther from its unit than this is not taken.
_FAR = 7.0
# Outlines have points that are farther apart than the first and nearer than the second; those of two provinces lie side
# by side if they are nearer than the third.
_FINE, _COARSE, _BESIDE = 5, 36, 18
# What a board may have, so that a hostile file is done with in seconds: provinces, borders, points of outlines, and how
# many of them are remembered in one place.
_MOST, _MOST_BORDERS, _MOST_POINTS, _MOST_NEAR = 400, 3000, 30_000, 80
# Of an outline so many points are compared to find where two provinces are nearest.
_COMPARED = 80

Outline = list[Point]


def traced(variant: Variant, svg: str) -> dict[str, Any]:
    """The drawing, as the values of geometry.json; raises NotUsed, and says why."""
    return _Board(variant, read_board(svg)).values()


class _Board:
    """The pack's board in the units of geometry.json."""

    def __init__(self, variant: Variant, board: StrangeBoard):
        self.variant = variant
        self.provinces = {abbr: one for abbr, one in variant.provinces.items() if one.kind != "impassable"}
        if len(self.provinces) > _MOST or len(borders(variant)) > _MOST_BORDERS:
            raise NotUsed(f"a board of more than {_MOST} provinces or {_MOST_BORDERS} borders is not drawn by itself")
        self.left, self.top, wide, high = board.box
        self.scale = _SIDE / max(wide, high)
        self.box = (round(wide * self.scale), round(high * self.scale))
        self.words = _words(variant)
        self.outlines: dict[str, list[Outline]] = {}
        self.scenery: list[Outline] = []
        self.lakes: list[Outline] = []
        self._sort_shapes(board)
        self.units = {place: self._point(at) for place, at in self._named(board.units)}
        self.centers = {place: self._point(at) for place, at in self._named(board.centers)}
        self.names = {place: self._point(at) for place, at in self._named(board.names)}
        if missing := [abbr for abbr in self.provinces if not self.outlines.get(abbr) or abbr not in self.units]:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise NotUsed(f"it does not show where {', '.join(missing[:5])}{more} lie")
        steps = chain(*(_steps(outline) for outline in chain(*self.outlines.values())))
        if sum(1 + dist(*step) / _COARSE for step in steps) > _MOST_POINTS:
            raise NotUsed("its outlines are too fine or too long")
        self.unit = round(self._unit_radius(), 1)
        self.label = round(_LABEL * self.unit, 1)
        self.arcs: list[list[Any]] = []

    def _sort_shapes(self, board: StrangeBoard) -> None:
        """Tell the shapes of provinces from other land and water; water is what has the look of the seas."""
        seas = {abbr for abbr, one in self.provinces.items() if one.kind == "sea"}
        water = {shape.look for shape in board.shapes if self.words.get(shape.name) in seas}
        for shape in board.shapes:
            outlines = [found for ring in shape.rings if len(found := _thinned(map(self._point, ring))) > 2]
            abbr = self.words.get(shape.name, "")
            if abbr in self.provinces:
                self.outlines.setdefault(abbr, []).extend(outlines)
            elif shape.look in water:
                self.lakes += outlines
            else:
                self.scenery += [one for one in outlines if not self._is_ground(one)]

    def _is_ground(self, outline: Outline) -> bool:
        """Whether the shape is a background, which covers all of the board."""
        across, down = zip(*outline, strict=True)
        return bool(max(across) - min(across) >= 0.98 * self.box[0] and max(down) - min(down) >= 0.98 * self.box[1])

    def _point(self, at: Point) -> Point:
        """The point in the units of geometry.json; one far off the board is moved near to it."""
        x, y = (at[0] - self.left) * self.scale, (at[1] - self.top) * self.scale
        return round(min(max(x, -_SIDE), 2 * _SIDE)), round(min(max(y, -_SIDE), 2 * _SIDE))

    def _named(self, places: dict[str, Point]) -> Iterator[tuple[str, Point]]:
        """The places by our names for them, such as "STP/NC"."""
        for word, at in places.items():
            name, _, coast = word.replace("/", "-").partition("-")
            if name in self.words:
                yield self.words[name] + (f"/{coast.upper()}" if coast else ""), at

    def _unit_radius(self) -> float:
        places = [at for place, at in self.units.items() if "/" not in place]
        nearest = min((dist(one, other) for number, one in enumerate(places) for other in places[:number]), default=0)
        return max(_LEAST, min(_UNIT, nearest * _SHARE))

    def values(self) -> dict[str, Any]:
        rings = self._rings()
        spots = self._spots(rings)
        shared = {frozenset(arc[1:3]) for arc in self.arcs if arc[1] and arc[2]}
        apart = sorted(sorted(pair) for pair in borders(self.variant).keys() - shared)
        return {
            "traced": True,
            "box": list(self.box),
            "width": _PIXELS,
            "label": self.label,
            "unit": self.unit,
            "dot": round(_DOT * self.unit, 1),
            "scenery": [[self._arc("f", "", "", [*one, one[0]])] for one in self.scenery],
            "lakes": [[self._arc("f", "", "", [*one, one[0]])] for one in self.lakes],
            "arcs": self.arcs,
            "provinces": spots,
            "links": [self._link(one, other) for one, other in apart],
            "tags": {},
            "parts": dict(tiles(self.box, _PART * self.unit, 3 * self.unit, self._boxes(spots), _PART_PIXELS)),
        }

    # --- areas ---

    def _rings(self) -> dict[str, list[list[int]]]:
        """{province: its outlines as the numbers of arcs}: an outline is divided where it meets another province."""
        near: dict[tuple[int, int], list[tuple[Point, str]]] = defaultdict(list)
        ways = {abbr: [_divided(outline) for outline in outlines] for abbr, outlines in self.outlines.items()}
        for abbr, outlines in ways.items():
            for middle in (_middle(*step) for outline in outlines for step in _steps(outline)):
                if len(there := near[_cell(middle)]) < _MOST_NEAR:
                    there.append((middle, abbr))
        return {abbr: [list(self._around(abbr, outline, near)) for outline in ways[abbr]] for abbr in ways}

    def _around(
        self, abbr: str, outline: Outline, near: dict[tuple[int, int], list[tuple[Point, str]]]
    ) -> Iterator[int]:
        points, last = [outline[0]], None
        for start, end in _steps(outline):
            look = self._look(abbr, _beside(abbr, _middle(start, end), near))
            if last is not None and look != last:
                yield self._arc(*last, points)
                points = [start]
            points.append(end)
            last = look
        if last is not None:
            yield self._arc(*last, points)

    def _look(self, abbr: str, other: str) -> tuple[str, str, str]:
        """The kind and the two sides of a line between a province and what lies beside it; a border is drawn once."""
        sea, theirs = (bool(one) and self.provinces[one].kind == "sea" for one in (abbr, other))
        kind = "s" if sea and theirs else "c" if sea or theirs or not other else "l"
        if frozenset((abbr, other)) in borders(self.variant):
            return (kind, abbr, other) if abbr < other else ("f", abbr, "")
        # A coast is drawn with the land; a sea alone has an edge where the board ends.
        return ("f" if sea and other and not theirs else "s" if sea else kind), abbr, ""

    def _arc(self, kind: str, left: str, right: str, points: Outline) -> int:
        (x, y), steps = points[0], [*points[0]]
        for next_x, next_y in points[1:]:
            steps += [next_x - x, next_y - y]
            x, y = next_x, next_y
        self.arcs.append([kind, left, right, *steps])
        return len(self.arcs) - 1

    def _link(self, one: str, other: str) -> list[Any]:
        """The shortest way between two provinces that do not touch."""
        ours, theirs = (list(chain(*self.outlines[abbr])) for abbr in (one, other))
        ours, theirs = (points[:: ceil(len(points) / _COMPARED)] for points in (ours, theirs))
        start, end = min(((here, there) for here in ours for there in theirs), key=lambda pair: dist(*pair))
        return [one, other, *start, *end]

    # --- what stands on them ---

    def _spots(self, rings: dict[str, list[list[int]]]) -> dict[str, dict[str, Any]]:
        spots: dict[str, dict[str, Any]] = {}
        for abbr, province in self.provinces.items():
            units = {"": self.units[abbr]}
            units |= {coast: self.units.get(f"{abbr}/{coast}", self.units[abbr]) for coast in province.coasts}
            spots[abbr] = {"rings": rings[abbr], "units": units}
            if province.center:
                x, y = self.units[abbr]
                spots[abbr]["center"] = self.centers.get(abbr, (round(x - 1.6 * self.unit), y))
        self._write(spots)
        return spots

    def _write(self, spots: dict[str, dict[str, Any]]) -> None:
        """Every name where the pack has it, or beside its unit, so that it lies upon nothing else if that can be."""
        size = self.label
        taken = [box for abbr, spot in spots.items() for box in self._standing(self.provinces[abbr], spot)]
        for abbr, spot in spots.items():
            spot["label"] = self._free(abbr, abbr, spot["units"][""], size, taken, self.names.get(abbr))
            if self.provinces[abbr].kind == "sea":
                spot["overview"] = spot["label"]
            coasts = self.provinces[abbr].coasts
            if len(coasts) > 1:
                spot["coasts"] = {
                    coast: self._free(abbr, coast.lower(), spot["units"][coast], size, taken) for coast in coasts
                }

    def _free(
        self, abbr: str, text: str, unit: Point, size: float, taken: list[Box], wished: Point | None = None
    ) -> Point:
        """The best place for a text; its box is taken from now on."""
        half = text_box(text, (0, 0), size).right + 1.5 * self.unit
        ways = [(0, -1.9), (0, 1.75), (0.8, -1.9), (-0.8, -1.9), (0.8, 1.75), (-0.8, 1.75), (0, -2.8), (0, 2.7)]
        tried = [(unit[0] + x * self.unit, unit[1] + y * self.unit) for x, y in ways]
        tried += [(unit[0] + half, unit[1]), (unit[0] - half, unit[1])]
        if wished and dist(wished, unit) < _FAR * self.unit:
            # The pack gives the middle of the baseline. A name farther away may lie in another part of the board.
            tried.insert(0, (wished[0], wished[1] - BASELINE * size))

        def faults(at: Point) -> int:
            box = text_box(text, at, size)
            inside = box.left >= 0 and box.top >= 0 and box.right <= self.box[0] and box.bottom <= self.box[1]
            upon = sum(map(box.overlaps, taken))
            return (not inside) * 100 + upon * 3 + (not contains(self.outlines[abbr], at))

        best = min(tried, key=faults)
        taken.append(text_box(text, best, size))
        return round(best[0]), round(best[1])

    def _standing(self, province: Province, spot: dict[str, Any]) -> Iterator[Box]:
        """The boxes of units and of the center."""
        for coast, at in spot["units"].items():
            for kind in "F" if coast else "AF" if province.kind == "coast" else "F" if province.kind == "sea" else "A":
                yield from unit_boxes(kind, at, self.unit)
        if "center" in spot:
            (x, y), room = spot["center"], 1.6 * _DOT * self.unit
            yield Box(x - room, y - room, x + room, y + room)

    def _boxes(self, spots: dict[str, dict[str, Any]]) -> dict[str, list[Box]]:
        """All that must be seen of each province, its unit first."""
        size = self.label
        return {
            abbr: [
                *self._standing(self.provinces[abbr], spot),
                text_box(abbr, spot["label"], size),
                *(text_box(coast.lower(), at, size) for coast, at in spot.get("coasts", {}).items()),
            ]
            for abbr, spot in spots.items()
        }


def _words(variant: Variant) -> dict[str, str]:
    """{every word for a province, in small letters: its abbreviation}; abbreviations before names."""
    words = {abbr.lower(): abbr for abbr in variant.provinces}
    for abbr, province in variant.provinces.items():
        for word in (province.name, *province.aliases):
            words.setdefault(word.lower(), abbr)
    return words


def _thinned(ring: Iterable[Point]) -> Outline:
    """The outline without points too near to the one before to be seen; its first is not repeated at the end."""
    points: Outline = []
    for point in ring:
        if not points or dist(points[-1], point) >= _FINE:
            points.append(point)
    return points[:-1] if len(points) > 1 and dist(points[0], points[-1]) < _FINE else points


def _divided(outline: Outline) -> Outline:
    """The outline with points within long lines too, since a long line may be the border with several provinces."""
    points: Outline = []
    for (x, y), (end_x, end_y) in _steps(outline):
        pieces = max(1, ceil(dist((x, y), (end_x, end_y)) / _COARSE))
        points += [
            (round(x + (end_x - x) * piece / pieces), round(y + (end_y - y) * piece / pieces))
            for piece in range(pieces)
        ]
    return points


def _steps(outline: Outline) -> Iterator[tuple[Point, Point]]:
    yield from pairwise([*outline, outline[0]])


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _cell(at: Point) -> tuple[int, int]:
    return int(at[0] // _COARSE), int(at[1] // _COARSE)


def _beside(abbr: str, at: Point, near: dict[tuple[int, int], list[tuple[Point, str]]]) -> str:
    """The province whose outline lies beside the point, that of `abbr` apart; "" if there is none."""
    x, y = _cell(at)
    found = (
        (dist(at, point), other)
        for across in (x - 1, x, x + 1)
        for down in (y - 1, y, y + 1)
        for point, other in near.get((across, down), ())
        if other != abbr
    )
    far, other = min(found, default=(_COARSE, ""))
    return other if far <= _BESIDE else ""
