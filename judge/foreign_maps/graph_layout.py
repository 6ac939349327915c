"""Places on a plane for the points of a graph: few lines cross, and none runs through a point that is not its own.

As many lines as possible are taken that can be drawn without a crossing, short ones before long ones (networkx finds
the embedding); Tutte's method ("How to Draw a Graph", 1963) draws these with straight lines, each point in the middle
of its neighbours. Then the points move, one at a time, wherever that makes the drawing of all lines better. The same
graph has always the same places: dice are thrown from a seed, and the work is bounded by what is compared, not by a
clock.
"""

import random
from collections.abc import Sequence
from math import cos, dist, hypot, pi, sin
from statistics import median
from typing import Any

import networkx as nx
from networkx.algorithms.planar_drawing import triangulate_embedding

Point = tuple[float, float]
Places = dict[int, Point]
# A line between two points: their numbers, and where they are.
Line = tuple[int, int, float, float, float, float]

# The points lie about this far apart, and lines as far from the points of others.
_APART, _CLEAR = 1.0, 0.64
# What the faults of a drawing weigh: a crossing, points and lines that are too near, lines that are too long.
_CROSSING, _NEAR, _CLOSE, _LONG = 40.0, 30.0, 40.0, 0.25
# How often every point may move, and how many pairs of lines are compared for that at most.
_ROUNDS, _MOST_COMPARED = 60, 60_000_000
# How often all pairs of points are moved to their distance, and by which share of it at last.
_ROUGH_ROUNDS, _STILL = 30, 0.05
# How often every point is put into the middle of its neighbours, and how often after that those that are far away count
# for more, so that nothing is squeezed in the middle of the drawing.
_SETTLED, _SPREAD = 300, 300


def untangled(graph: "nx.Graph[Any]") -> dict[Any, Point]:
    """{point: (x, y)} of a graph with three points at least; a length of 1 is between neighbours."""
    # By numbers: sets of words have another order in each process.
    numbered = nx.convert_node_labels_to_integers(graph)
    drawing = _Drawing(numbered, _tutte(_without_crossings(numbered)))
    dice = random.Random(len(graph))
    for number in range(_ROUNDS):
        drawing.improve(dice, reach=max(0.05, 1 - number / _ROUNDS))
    return dict(zip(graph, drawing.at, strict=True))


def _without_crossings(graph: "nx.Graph[int]") -> "nx.PlanarEmbedding[int]":
    """The embedding of the graph; if it has none, of as many of its lines as possible, the short ones first: what is
    long crosses the others.
    """
    planar, embedding = nx.check_planarity(graph)
    if not planar:
        rough = _rough(graph)
        kept: nx.Graph[int] = nx.Graph()
        kept.add_nodes_from(graph)
        for pair in sorted(graph.edges, key=lambda pair: (dist(rough[pair[0]], rough[pair[1]]), pair)):
            kept.add_edge(*pair)
            if not nx.check_planarity(kept)[0]:
                kept.remove_edge(*pair)
        embedding = nx.check_planarity(kept)[1]
    return embedding


def _rough(graph: "nx.Graph[int]") -> Places:
    """Places at which any two points lie about as far apart as their way through the graph is long: pair by pair they
    are moved to that distance, by less and less (Zheng, Pawar and Goodman, "Graph Drawing by Stochastic Gradient
    Descent", 2018).
    """
    dice = random.Random(len(graph))
    places: Places = {point: (dice.random(), dice.random()) for point in graph}
    pairs = [
        (one, other, steps)
        for one, ways in nx.all_pairs_shortest_path_length(graph)
        for other, steps in ways.items()
        if one < other
    ]
    widest = max(steps for _, _, steps in pairs) ** 2
    for number in range(_ROUGH_ROUNDS):
        rate = widest * (_STILL / widest) ** (number / (_ROUGH_ROUNDS - 1))
        dice.shuffle(pairs)
        for one, other, steps in pairs:
            (x, y), (ex, ey) = places[one], places[other]
            far = hypot(x - ex, y - ey) or 1e-9
            share = min(1.0, rate / steps**2) * (far - steps) / 2 / far
            dx, dy = (x - ex) * share, (y - ey) * share
            places[one], places[other] = (x - dx, y - dy), (ex + dx, ey + dy)
    return places


def _tutte(embedding: "nx.PlanarEmbedding[int]") -> Places:
    """The points of the largest face on a circle, each other point in the middle of its neighbours."""
    filled, outer = triangulate_embedding(embedding, fully_triangulate=False)
    places: Places = dict.fromkeys(filled, (0.0, 0.0))
    for number, point in enumerate(outer):
        angle = 2 * pi * number / len(outer)
        places[point] = cos(angle), sin(angle)
    rim = set(outer)
    inner = {point: list(filled[point]) for point in filled if point not in rim}
    for number in range(_SETTLED + _SPREAD):
        for point, near in inner.items():
            around = [places[other] for other in near]
            # Any weights keep the drawing without crossings.
            weights = [dist(places[point], other) + 1e-9 if number >= _SETTLED else 1.0 for other in around]
            places[point] = _middle(around, weights)
    return places


def _middle(points: Sequence[Point], weights: Sequence[float]) -> Point:
    share = 1 / sum(weights)
    return (
        sum(x * weight for (x, _), weight in zip(points, weights, strict=True)) * share,
        sum(y * weight for (_, y), weight in zip(points, weights, strict=True)) * share,
    )


class _Drawing:
    """The points, which are numbers, as they lie now."""

    def __init__(self, graph: "nx.Graph[int]", places: Places):
        # Half of the lines are long enough now: what begins too narrow would cross on its way out.
        scale = 1.3 / max(1e-9, median([dist(places[one], places[other]) for one, other in graph.edges] or [1.0]))
        self.at = [(places[point][0] * scale, places[point][1] * scale) for point in graph]
        self._near = [list(graph[point]) for point in graph]
        self._lines = list(graph.edges)
        self._compared = 0

    def improve(self, dice: random.Random, reach: float) -> None:
        """Move every point once, to the best of some places around it, if one is better than its own."""
        for point in dice.sample(range(len(self.at)), len(self.at)):
            if self._compared > _MOST_COMPARED:
                return
            x, y = self.at[point]
            near = self._near[point]
            across, down = _middle([self.at[other] for other in near], [1] * len(near)) if near else (x, y)
            tries = [((x + across) / 2, (y + down) / 2)]
            for far in (dice.random() * reach, dice.random() * reach / 3):
                turn = dice.random() * 2 * pi
                tries += [(x + far * cos(turn + a), y + far * sin(turn + a)) for a in (0, 2 * pi / 3, 4 * pi / 3)]
            around = _Around(point, self.at, near, self._lines, tries)
            best = around.faults((x, y), float("inf"))
            for there in tries:
                faults = around.faults(there, best)
                if faults < best - 1e-9:
                    best, self.at[point] = faults, there
            self._compared += len(around.lines) * len(around.ends) * (len(tries) + 1)


class _Around:
    """All that a point can meet on the way to its neighbours, from the places that it may have."""

    def __init__(
        self, point: int, at: list[Point], near: list[int], lines: list[tuple[int, int]], tries: list[Point]
    ):
        self.ends = [(other, *at[other]) for other in near]
        across, down = zip(at[point], *tries, *(at[other] for other in near), strict=True)
        left, right, top, bottom = min(across), max(across), min(down), max(down)
        self.lines: list[Line] = []
        for one, other in lines:
            if point not in (one, other):
                (x, y), (ex, ey) = at[one], at[other]
                if (
                    (x > left - _CLEAR or ex > left - _CLEAR)
                    and (x < right + _CLEAR or ex < right + _CLEAR)
                    and (y > top - _CLEAR or ey > top - _CLEAR)
                    and (y < bottom + _CLEAR or ey < bottom + _CLEAR)
                ):
                    self.lines.append((one, other, x, y, ex, ey))
        self.points = [
            (other, x, y)
            for other, (x, y) in enumerate(at)
            if other != point and left - _APART < x < right + _APART and top - _APART < y < bottom + _APART
        ]

    def faults(self, at: Point, enough: float) -> float:
        """What is wrong with the drawing around the point if it lies there; it may be more if it is `enough`."""
        x, y = at
        found = 0.0
        for _, across, down in self.points:
            far = hypot(across - x, down - y)
            if far < _APART:
                found += _NEAR * (_APART - far) ** 2
        for _, end_x, end_y in self.ends:
            far = hypot(end_x - x, end_y - y)
            if far > _APART:
                found += _LONG * (far - _APART) ** 2
        for _, _, start_x, start_y, end_x, end_y in self.lines:
            found += _close(x, y, start_x, start_y, end_x, end_y)
        for end, end_x, end_y in self.ends:
            if found >= enough:
                break
            for other, across, down in self.points:
                if other != end:
                    found += _close(across, down, x, y, end_x, end_y)
            found += _CROSSING * self._crossed(x, y, end, end_x, end_y)
        return found

    def _crossed(self, x: float, y: float, end: int, end_x: float, end_y: float) -> int:
        """How many of the lines are crossed by that from (x, y) to the end."""
        dx, dy = end_x - x, end_y - y
        crossed = 0
        for one, other, start_x, start_y, stop_x, stop_y in self.lines:
            # The sign of a cross product says on which side of a line a point lies.
            if (dx * (start_y - y) - dy * (start_x - x) < 0) != (dx * (stop_y - y) - dy * (stop_x - x) < 0):
                way_x, way_y = stop_x - start_x, stop_y - start_y
                crossed += (
                    (way_x * (y - start_y) - way_y * (x - start_x) < 0)
                    != (way_x * (end_y - start_y) - way_y * (end_x - start_x) < 0)
                    and end != one
                    and end != other
                )
        return crossed


def _close(x: float, y: float, start_x: float, start_y: float, end_x: float, end_y: float) -> float:
    """What is wrong if a point lies near a line that is not its own."""
    dx, dy = end_x - start_x, end_y - start_y
    off_x, off_y = x - start_x, y - start_y
    length = dx * dx + dy * dy
    # Far from the endless line already.
    if (dx * off_y - dy * off_x) ** 2 > _CLEAR * _CLEAR * length:
        return 0.0
    share = min(1.0, max(0.0, (off_x * dx + off_y * dy) / length)) if length else 0.0
    far = hypot(off_x - share * dx, off_y - share * dy)
    return _CLOSE * (_CLEAR - far) ** 2 if far < _CLEAR else 0.0
