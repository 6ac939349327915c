"""Make a drawing from the board of a jDip map pack, with the pack's places for units and centers.

The pack's shapes become the areas of provinces. Two adjacent areas share their common line if units can pass it. Every
other border becomes a link. The result has the form of `geometry.json` (docs/variants.md). Only numbers are taken from
the pack's file.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, filterfalse, groupby, pairwise, product
from math import ceil, dist, floor
from typing import Any

from judge.foreign_maps.pack_svg import PackBoard, Points, read_board
from judge.foreign_maps.sketch import MapError, Values
from judge.maps.geometry import Box, Point, contains
from judge.maps.ground import borders
from judge.maps.text_metrics import BASELINE, text_box, unit_boxes
from judge.rules import Province, Variant
from judge.rules.board.names import fold
from judge.rules.board.orders import place_of

# The longer side of the board in units of geometry.json, and the width of its picture in pixels.
SIDE, PIXELS = 4000, 1400
# _UNIT is the usual radius of units. If two units are close, it is _SHARE of their distance, but at least _LEAST.
_UNIT, _SHARE, _LEAST = 46.0, 0.42, 22.0
# _LABEL and _DOT are the sizes of names and centers, and _PART is the width of a part. These are shares of the radius
# of units, with which names are legible on a phone (drawing_check). _PART_PIXELS is the width of a part's picture.
_LABEL, _DOT, _PART, _PART_PIXELS = 1.16, 0.37, 37.0, 780
# The possible places for a name around its unit, in radii of the unit. _FAR is the maximum distance at which the pack's
# own place for the name is used.
_BESIDE_UNIT = ((0, -1.9), (0, 1.75), (0.8, -1.9), (-0.8, -1.9), (0.8, 1.75), (-0.8, 1.75), (0, -2.8), (0, 2.7))
_FAR = 7.0
# _FINE and _COARSE are the minimum and the maximum distance between points of outlines. Provinces that are closer than
# _BESIDE touch.
_FINE, _COARSE, _BESIDE = 5, 36, 18
# Limits on provinces, borders, points of outlines, and points in a cell of the grid. With these, a hostile file takes
# only seconds.
_MOST, _MOST_BORDERS, _MOST_POINTS, _MOST_NEAR = 400, 3000, 30_000, 80
# The number of points of an outline that are compared to find where two provinces are nearest.
_COMPARED = 80

# The minimum width of a part, as a share of the widest part.
_NARROWEST = 0.65
_ACROSS = {1: [""], 2: ["west", "east"], 3: ["west", "middle", "east"]}
_DOWN = {1: [""], 2: ["north", "south"], 3: ["north", "middle", "south"]}

Outline = list[Point]
Line = tuple[Point, Point]
# The points of outlines in each cell of a grid, each with the province whose outline it is on.
Grid = dict[tuple[int, int], list[tuple[Point, str]]]


def traced(variant: Variant, svg: str) -> Values:
    """Return a drawing made from a pack's SVG file, as the values of geometry.json.

    Raises MapError.
    """
    return _Board(variant, read_board(svg)).values()


class Arcs(list[list[Any]]):
    """The lines of a drawing, as in geometry.json."""

    def add(self, kind: str, left: str, right: str, points: Iterable[Point]) -> int:
        """Add a line, and return its number."""
        first, *_ = points = [(round(x), round(y)) for x, y in points]
        steps = ((next_x - x, next_y - y) for (x, y), (next_x, next_y) in pairwise(points))
        self.append([kind, left, right, *first, *chain.from_iterable(steps)])
        return len(self) - 1


class _Board:
    """The pack's board in the units of geometry.json."""

    def __init__(self, variant: Variant, board: PackBoard):
        self.provinces = {abbr: one for abbr, one in variant.provinces.items() if one.kind != "impassable"}
        self.borders = borders(variant).keys()
        if len(self.provinces) > _MOST or len(self.borders) > _MOST_BORDERS:
            raise MapError(
                f"boards of more than {_MOST} provinces or {_MOST_BORDERS} borders are not drawn automatically"
            )
        self.left, self.top, wide, high = board.box
        self.scale = SIDE / max(wide, high)
        self.box = (round(wide * self.scale), round(high * self.scale))
        self.words = variant.names
        self.outlines: dict[str, list[Outline]] = defaultdict(list)
        self.scenery: list[Outline] = []
        self.lakes: list[Outline] = []
        self._sort_shapes(board)
        self.units, self.centers, self.names = map(self._named, (board.units, board.centers, board.names))
        self._check()
        places = [at for place, at in self.units.items() if "/" not in place]
        nearest = min((dist(one, other) for one, other in combinations(places, 2)), default=0)
        self.unit = round(max(_LEAST, min(_UNIT, nearest * _SHARE)), 1)
        self.label = round(_LABEL * self.unit, 1)
        self.arcs = Arcs()
        # The areas of each province that must be in one part, the area of its unit first.
        self.boxes: dict[str, list[Box]] = {}

    def _check(self) -> None:
        if missing := [abbr for abbr in self.provinces if not self.outlines[abbr] or abbr not in self.units]:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise MapError(f"it does not show where {', '.join(missing[:5])}{more} are")
        steps = chain(*map(_steps, chain(*self.outlines.values())))
        if sum(1 + dist(*step) / _COARSE for step in steps) > _MOST_POINTS:
            raise MapError("its outlines are too fine or too long")

    def _sort_shapes(self, board: PackBoard) -> None:
        """Sort the shapes into provinces, other land and other water.

        Other water has the same look as the seas.
        """
        named = [(self.words.whole(fold(shape.name)), shape) for shape in board.shapes]
        water = {shape.look for abbr, shape in named if abbr in self.provinces and self.provinces[abbr].kind == "sea"}
        for abbr, shape in named:
            thinned = [_thinned(map(self._point, ring)) for ring in shape.rings]
            outlines = [outline for outline in thinned if len(outline) > 2]
            if abbr in self.provinces:
                self.outlines[abbr] += outlines
            elif shape.look in water:
                self.lakes += outlines
            else:
                self.scenery += filterfalse(self._covers_board, outlines)

    def _covers_board(self, outline: Outline) -> bool:
        box, (wide, high) = Box.around(outline), self.box
        return box.width >= 0.98 * wide and box.height >= 0.98 * high

    def _point(self, at: Point) -> Point:
        """Return the point in the units of geometry.json.

        A point that is far off the board is moved closer.
        """
        x, y = (at[0] - self.left) * self.scale, (at[1] - self.top) * self.scale
        return round(min(max(x, -SIDE), 2 * SIDE)), round(min(max(y, -SIDE), 2 * SIDE))

    def _named(self, places: Points) -> Points:
        """Return {this judge's name for a place, such as "STP/NC": its point}, without unknown places."""
        words = ((word.upper().replace("/", "-").partition("-"), at) for word, at in places.items())
        return {
            place_of(abbr, coast): self._point(at)
            for (name, _, coast), at in words
            if (abbr := self.words.whole(fold(name)))
        }

    def values(self) -> Values:
        self.outlines = {abbr: [*map(_divided, outlines)] for abbr, outlines in self.outlines.items()}
        near = self._middles_of_lines_by_cell()
        spots = {abbr: self._spot(province, near) for abbr, province in self.provinces.items()}
        self._write(spots)
        shared = {frozenset(arc[1:3]) for arc in self.arcs if arc[1] and arc[2]}
        return {
            "traced": True,
            "box": list(self.box),
            "width": PIXELS,
            "label": self.label,
            "unit": self.unit,
            "dot": round(_DOT * self.unit, 1),
            "scenery": [[self.arcs.add("f", "", "", [*one, one[0]])] for one in self.scenery],
            "lakes": [[self.arcs.add("f", "", "", [*one, one[0]])] for one in self.lakes],
            "arcs": self.arcs,
            "provinces": spots,
            "links": [self._shortest_link(*pair) for pair in sorted(map(sorted, self.borders - shared))],
            "tags": {},
            "parts": dict(tiles(self.box, _PART * self.unit, 3 * self.unit, self.boxes)),
        }

    # --- areas ---

    def _middles_of_lines_by_cell(self) -> Grid:
        near: Grid = defaultdict(list)
        for abbr, outlines in self.outlines.items():
            for middle in map(_middle, chain(*map(_steps, outlines))):
                if len(there := near[_cell(middle)]) < _MOST_NEAR:
                    there.append((middle, abbr))
        return near

    def _spot(self, province: Province, near: Grid) -> Values:
        abbr, unit = province.abbr, self.units[province.abbr]
        rings = []
        for outline in self.outlines[abbr]:
            # An outline is divided into arcs where it meets another province.
            looks = groupby(_steps(outline), lambda step: self._look(abbr, _beside(abbr, _middle(step), near)))
            ring = []
            for look, part in looks:
                first, *others = part
                ring.append(self.arcs.add(*look, [*first, *(end for _, end in others)]))
            rings.append(ring)
        spot: Values = {
            "rings": rings,
            "units": {"": unit} | {coast: self.units.get(f"{abbr}/{coast}", unit) for coast in province.coasts},
        }
        if province.center:
            spot["center"] = self.centers.get(abbr, (round(unit[0] - 1.6 * self.unit), unit[1]))
        return spot

    def _look(self, abbr: str, other: str) -> tuple[str, str, str]:
        """Return the kind and the two sides of a line between a province and its neighbor.

        The kind is one of those in geometry.json. A side is "" if the neighbor draws the line, or there is no neighbor.
        """
        is_sea = self.provinces[abbr].kind == "sea"
        if not other:
            # A line of a sea without a neighbor is at the edge of the board.
            return ("s" if is_sea else "c"), abbr, ""
        sides = {is_sea, self.provinces[other].kind == "sea"}
        kind = "s" if sides == {True} else "c" if sides == {True, False} else "l"
        is_border = frozenset((abbr, other)) in self.borders
        if is_border and abbr < other:
            return kind, abbr, other
        # A border is drawn once, and a coast is drawn with the land.
        is_drawn = is_border or (is_sea and kind == "c")
        return ("f" if is_drawn else kind), abbr, ""

    def _shortest_link(self, one: str, other: str) -> list[Any]:
        ours, theirs = (list(chain(*self.outlines[abbr])) for abbr in (one, other))
        ours, theirs = (points[:: ceil(len(points) / _COMPARED)] for points in (ours, theirs))
        return [one, other, *chain(*min(product(ours, theirs), key=lambda way: dist(*way)))]

    # --- names ---

    def _write(self, spots: dict[str, Values]) -> None:
        """Place every name where the pack has it, or next to its unit.

        If possible, a name covers nothing.
        """
        for abbr, spot in spots.items():
            kinds = {"coast": "AF", "sea": "F"}.get(self.provinces[abbr].kind, "A")
            boxes = self.boxes[abbr] = []
            for coast, at in spot["units"].items():
                for kind in "F" if coast else kinds:
                    boxes += unit_boxes(kind, at, self.unit)
            if "center" in spot:
                boxes.append(Box.around([spot["center"]], 1.6 * _DOT * self.unit))
        for abbr, spot in spots.items():
            spot["label"] = self._free(abbr, abbr, spot["units"][""], self.names.get(abbr))
            if self.provinces[abbr].kind == "sea":
                spot["overview"] = spot["label"]
            if len(coasts := self.provinces[abbr].coasts) > 1:
                spot["coasts"] = {coast: self._free(abbr, coast.lower(), spot["units"][coast]) for coast in coasts}

    def _free(self, abbr: str, text: str, unit: Point, wished: Point | None = None) -> Point:
        """Return the best place for a text, and reserve the place."""
        half = text_box(text, (0, 0), self.label).right / self.unit + 1.5
        ways = (*_BESIDE_UNIT, (half, 0), (-half, 0))
        tried = [(round(unit[0] + x * self.unit), round(unit[1] + y * self.unit)) for x, y in ways]
        if wished and dist(wished, unit) < _FAR * self.unit:
            # The pack gives the middle of the baseline. A name farther away may be in another part of the board.
            tried.insert(0, (round(wished[0]), round(wished[1] - BASELINE * self.label)))
        taken = [*chain(*self.boxes.values())]

        def faults(at: Point) -> int:
            box = text_box(text, at, self.label)
            outside = 100 * (not Box(0, 0, *self.box).holds(box))
            return outside + sum(map(box.overlaps, taken)) * 3 + (not contains(self.outlines[abbr], at))

        best = min(tried, key=faults)
        self.boxes[abbr].append(text_box(text, best, self.label))
        return best


def _thinned(ring: Iterable[Point]) -> Outline:
    """Return the outline without points too close to the one before, and without a repeated first point."""
    points: Outline = []
    for point in ring:
        if not points or dist(points[-1], point) >= _FINE:
            points.append(point)
    return points[:-1] if len(points) > 1 and dist(points[0], points[-1]) < _FINE else points


def _divided(outline: Outline) -> Outline:
    """Return the outline with points added in long lines, since a long line may border several provinces."""
    points: Outline = []
    for (x, y), (end_x, end_y) in _steps(outline):
        pieces = max(1, ceil(dist((x, y), (end_x, end_y)) / _COARSE))
        shares = [piece / pieces for piece in range(pieces)]
        points += [(round(x + (end_x - x) * share), round(y + (end_y - y) * share)) for share in shares]
    return points


def _steps(outline: Outline) -> Iterator[Line]:
    yield from pairwise([*outline, outline[0]])


def _middle(step: Line) -> Point:
    (x, y), (end_x, end_y) = step
    return (x + end_x) / 2, (y + end_y) / 2


def _cell(at: Point) -> tuple[int, int]:
    return int(at[0] // _COARSE), int(at[1] // _COARSE)


def _beside(abbr: str, at: Point, near: Grid) -> str:
    """Return the province, other than `abbr`, whose outline is next to a point, or "" if there is none."""
    x, y = _cell(at)
    cells = product((x - 1, x, x + 1), (y - 1, y, y + 1))
    found = ((dist(at, point), other) for cell in cells for point, other in near.get(cell, ()) if other != abbr)
    far, other = min(found, default=(_COARSE, ""))
    return other if far <= _BESIDE else ""


# --- parts ---


def tiles(
    box: Sequence[float], most: float, reach: float, boxes: Mapping[str, list[Box]]
) -> Iterator[tuple[str, list[float]]]:
    """Yield the parts of a board, as in geometry.json.

    A board that is at most `most` units wide and high has no parts. `boxes` has the areas that must be seen together,
    such as those of a province. No other area is farther than `reach` from the first one.
    """
    if max(box) <= most:
        return
    columns, rows = (max(1, ceil((side - reach) / (most - 2 * reach))) for side in box)
    cells: dict[tuple[int, int], list[Box]] = {}
    for ours in boxes.values():
        x, y = ours[0].middle
        cell = min(rows - 1, int(y / box[1] * rows)), min(columns - 1, int(x / box[0] * columns))
        cells.setdefault(cell, []).extend(ours)
    for row, column in product(range(rows), range(columns)):
        if seen := cells.get((row, column)):
            around = Box.around(chain(*(one.corners for one in seen)))
            left, wide = _span(around.left, around.right, most, box[0])
            top, high = _span(around.top, around.bottom, most, box[1])
            words = [f"{chr(ord('A') + row)}{column + 1}"]
            if rows <= 3 and columns <= 3:
                words = [*filter(None, (_DOWN[rows][row], _ACROSS[columns][column]))]
            yield " ".join(dict.fromkeys(words)), [left, top, wide, high, _PART_PIXELS]


def _span(first: float, last: float, most: float, end: float) -> tuple[int, int]:
    """Return the beginning and the width of a part that shows everything from `first` to `last`.

    The part also shows some of its neighborhood, but is at most `most` wide. A wider part would make the names in all
    parts smaller.
    """
    more = max(0.0, (_NARROWEST * most - (last - first)) / 2)
    start, stop = max(0, floor(first - more)), min(int(end), ceil(last + more))
    return start, min(int(most), stop - start)
