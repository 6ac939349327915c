"""A large board in parts, in which every name can be read on a phone."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import ceil, floor

from judge.maps.geometry import Box

# A part is at least so wide, as a share of what it may be.
_LEAST = 0.65
_ACROSS = {1: [""], 2: ["west", "east"], 3: ["west", "middle", "east"]}
_DOWN = {1: [""], 2: ["north", "south"], 3: ["north", "middle", "south"]}


def tiles(
    box: Sequence[float], most: float, reach: float, boxes: Mapping[str, list[Box]], pixels: int
) -> Iterator[tuple[str, list[float]]]:
    """Divide a board into parts, as in geometry.json; into none if it is at most `most` wide and high.

    `reach`: how far things that belong together may be from their first box; `boxes`: what must be seen together, such
    as a province; `pixels`: the width of the picture of a part.
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
            (left, wide), (top, high) = (
                _span(min(one[side] for one in seen), max(one[side + 2] for one in seen), most, box[side])
                for side in (0, 1)
            )
            yield _name(row, rows, column, columns), [left, top, wide, high, pixels]


def _span(first: float, last: float, most: float, end: float) -> tuple[int, int]:
    """The beginning and the width of a part: some of its neighborhood is seen, and it is at most `most` wide.

    A wider one would make the names in all parts smaller.
    """
    more = max(0.0, (_LEAST * most - (last - first)) / 2)
    start, stop = max(0, floor(first - more)), min(int(end), ceil(last + more))
    return start, min(int(most), stop - start)


def _name(row: int, rows: int, column: int, columns: int) -> str:
    """`north west`, or `B3` if there are many."""
    if rows > 3 or columns > 3:
        return f"{chr(ord('A') + row)}{column + 1}"
    words = [_DOWN[rows][row], _ACROSS[columns][column]]
    return " ".join(filter(None, words)) if words != ["middle", "middle"] else "middle"
