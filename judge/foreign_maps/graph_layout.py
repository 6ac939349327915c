"""Places on a plane for the points of a graph: few lines cross, and none passes a point that is not its end.

As many lines as possible are taken that can be drawn without a crossing, short ones before long ones (networkx finds
the embedding); Tutte's method ("How to Draw a Graph", 1963) draws these with straight lines, each point in the middle
of its neighbors. Then the points move, one at a time, wherever that makes the drawing of all lines better. The same
graph always has the same places: random numbers come from a seed, and the work is bounded by comparisons, not by a
clock.

Places are complex numbers: differences and turns are one operation each.
"""

import random
from cmath import pi, rect
from statistics import median
from typing import Any, NamedTuple

import networkx as nx
from networkx.algorithms.planar_drawing import triangulate_embedding

# The distance between points, and between lines and the points of others, that is aimed at.
_APART, _CLEAR = 1.0, 0.64
# The weights of faults in a drawing: a crossing, points and lines that are too near, lines that are too long.
_CROSSING, _NEAR, _CLOSE, _LONG = 40.0, 30.0, 40.0, 0.25
# How often every point may move, and how many pairs of lines are compared for that at most.
_ROUNDS, _MOST_COMPARED = 60, 60_000_000
# How often all pairs of points are moved to their distance, and by which share of it at last.
_ROUGH_ROUNDS, _STILL = 30, 0.05
# How often every point is put into the middle of its neighbors.
_SETTLED = 300
_THIRDS = [rect(1, turn * 2 * pi / 3) for turn in range(3)]


def untangled(graph: "nx.Graph[Any]") -> dict[Any, complex]:
    """Find a place for each point of a graph with at least three points; neighbors are about 1 apart."""
    # By numbers: sets of words have another order in each process.
    numbered = nx.convert_node_labels_to_integers(graph)
    places = _tutte(_without_crossings(numbered))
    # Half of the lines are long enough now: what begins too narrow would cross on its way out.
    scale = 1.3 / max(1e-9, median([abs(places[one] - places[other]) for one, other in numbered.edges] or [1.0]))
    at = [places[point] * scale for point in numbered]
    # As lists, since networkx takes long to walk through its own views.
    edges, near = list(numbered.edges), [list(numbered[point]) for point in numbered]
    dice, compared = random.Random(len(graph)), 0
    for number in range(_ROUNDS):
        for point in dice.sample(range(len(at)), len(at)):
            if compared <= _MOST_COMPARED:
                others = [edge for edge in edges if point not in edge]
                compared += _improve(at, point, near[point], others, dice, max(0.05, 1 - number / _ROUNDS))
    return dict(zip(graph, at, strict=True))


def gap(at: complex, start: complex, end: complex) -> float:
    """The distance of a point from the line between two others."""
    turn, length = _toward(start, end)
    return _off((at - start) * turn, length)


def _toward(start: complex, end: complex) -> tuple[complex, float]:
    """The turn after which the way between two points leads straight ahead, and its length."""
    length = abs(end - start)
    return ((end - start).conjugate() / length if length else 1 + 0j), length


def _off(at: complex, length: float) -> float:
    """The distance of a point from the line between 0 and this length."""
    return abs(complex(max(0.0, -at.real, at.real - length), at.imag))


def _without_crossings(graph: "nx.Graph[int]") -> "nx.PlanarEmbedding[int]":
    """The embedding of the graph, or of as many of its lines as possible, the short ones first.

    Long lines cross the others.
    """
    planar, embedding = nx.check_planarity(graph)
    if not planar:
        rough = _rough(graph)
        kept: nx.Graph[int] = nx.create_empty_copy(graph)
        for pair in sorted(graph.edges, key=lambda pair: (abs(rough[pair[0]] - rough[pair[1]]), pair)):
            kept.add_edge(*pair)
            if not nx.check_planarity(kept)[0]:
                kept.remove_edge(*pair)
        embedding = nx.check_planarity(kept)[1]
    return embedding


def _rough(graph: "nx.Graph[int]") -> dict[int, complex]:
    """Places at which any two points are about as far apart as their way through the graph is long.

    Pair by pair they are moved to that distance, by less and less. Source: Zheng, Pawar and Goodman, "Graph Drawing by
    Stochastic Gradient Descent", 2018.
    """
    dice = random.Random(len(graph))
    places = {point: complex(dice.random(), dice.random()) for point in graph}
    ways = nx.all_pairs_shortest_path_length(graph)
    pairs = [(one, other, steps) for one, others in ways for other, steps in others.items() if one < other]
    widest = max(steps for *_, steps in pairs) ** 2
    for number in range(_ROUGH_ROUNDS):
        rate = widest * (_STILL / widest) ** (number / (_ROUGH_ROUNDS - 1))
        dice.shuffle(pairs)
        for one, other, steps in pairs:
            way = places[one] - places[other]
            change = way * (min(1.0, rate / steps**2) * (1 - steps / (abs(way) or 1e-9)) / 2)
            places[one], places[other] = places[one] - change, places[other] + change
    return places


def _tutte(embedding: "nx.PlanarEmbedding[int]") -> dict[int, complex]:
    """The points of the largest face on a circle, each other point in the middle of its neighbors."""
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
    """Move a point to the best of some places around it, if one is better than its own; return the comparisons made.

    `near`: its neighbors; `edges`: the lines between other points.
    """
    here = at[point]
    ends = [at[other] for other in near]
    tries = [(here + sum(ends) / len(ends)) / 2 if ends else here]
    for far in (dice.random() * reach, dice.random() * reach / 3):
        step = rect(far, dice.random() * 2 * pi)
        tries += [here + step * third for third in _THIRDS]
    farthest = max(abs(place - here) for place in (*tries, *ends)) + _APART
    lines = ((at[one], at[other], *_toward(at[one], at[other])) for one, other in edges)
    around = _Around(
        [place for other, place in enumerate(at) if other != point and abs(place - here) < farthest],
        [line for line in lines if _off((here - line[0]) * line[2], line[3]) < farthest],
        ends,
    )
    least = around.faults(here, float("inf"))
    for there in tries:
        if (faults := around.faults(there, least)) < least - 1e-9:
            least, at[point] = faults, there
    return len(around.lines) * len(ends) * (len(tries) + 1)


class _Around(NamedTuple):
    """All that a point can meet on the way to its neighbors (`ends`), from the places that it may have.

    A line has its start, its end, and the turn and the length of the way between them.
    """

    points: list[complex]
    lines: list[tuple[complex, complex, complex, float]]
    ends: list[complex]

    def faults(self, at: complex, enough: float) -> float:
        """The faults of the drawing around the point if it is there; the sum may be too small once it is `enough`."""
        found = sum(_NEAR * (_APART - far) ** 2 for other in self.points if (far := abs(other - at)) < _APART)
        for start, _, turn, length in self.lines:
            seen = (at - start) * turn
            if abs(seen.imag) < _CLEAR:
                found += _CLOSE * max(0.0, _CLEAR - _off(seen, length)) ** 2
        for end in self.ends:
            if found >= enough:
                break
            length = abs(end - at)
            found += _LONG * max(0.0, length - _APART) ** 2
            # All that follows is seen from here: the end is straight ahead.
            turn = (end - at).conjugate() / (length or 1e-9)
            for other in self.points:
                seen = (other - at) * turn
                if abs(seen.imag) < _CLEAR and other != end:
                    found += _CLOSE * max(0.0, _CLEAR - _off(seen, length)) ** 2
            for start, stop, *_ in self.lines:
                left, right = (start - at) * turn, (stop - at) * turn
                if (left.imag < 0) != (right.imag < 0) and end not in (start, stop):
                    where = left.real + (right.real - left.real) * left.imag / (left.imag - right.imag)
                    found += _CROSSING * (0 < where < length)
        return found
