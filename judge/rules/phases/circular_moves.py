"""Find moves that wait for each other in circles. A move is identified by the province that it leaves."""

from collections.abc import Iterable, Mapping, Sequence

from judge.rules.board.orders import Move


def innermost_circle(start: str, reads: Mapping[str, Sequence[str]]) -> dict[str, None]:
    """Return moves that wait for each other, directly or through other moves, and for no moves outside the circle.

    `reads` has, for each move, the undecided moves that it waits for.
    """
    while True:
        ahead = reachable(start, reads)
        waiting: dict[str, list[str]] = {source: [] for source in ahead}
        for source in ahead:
            for read in reads[source]:
                waiting[read].append(source)
        behind = reachable(start, waiting)
        beyond = next((source for source in ahead if source not in behind), None)
        if beyond is None:
            return ahead
        start = beyond


def reachable(start: str, following: Mapping[str, Iterable[str]]) -> dict[str, None]:
    """Return everything that can be reached from `start`, including `start` itself."""
    found = {start: None}
    queue = [start]
    for source in queue:
        for other in following[source]:
            if other not in found:
                found[other] = None
                queue.append(other)
    return found


def ring_member(undecided: Sequence[str], moves: Mapping[str, Move]) -> str:
    """Return a move of a ring, in which each unit goes to the place that the next unit leaves.

    If there is no ring, return any move.
    """
    for start in undecided:
        seen = {start}
        following = moves[start].target
        while following in undecided and following not in seen:
            seen.add(following)
            following = moves[following].target
        if following == start:
            return start
    return undecided[0]
