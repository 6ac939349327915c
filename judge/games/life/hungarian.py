"""The assignment problem: give each row of a table of costs a column of its own, with the least sum of costs.

The Hungarian method (H. W. Kuhn, Naval Research Logistics Quarterly 2, 1955; J. Munkres, J. SIAM 5, 1957) with a
shortest augmenting path for each row (N. Tomizawa, Networks 1, 1971; J. Edmonds and R. M. Karp, J. ACM 19, 1972): the
augmentation of R. Jonker and A. Volgenant (Computing 38, 1987) without the reductions that they begin with.

Rows and columns have prices. No pair costs less than its two prices together, each chosen pair costs exactly that, and
columns have prices below zero only once they are taken: so no other choice can cost less.

scipy's `linear_sum_assignment` does the same, but with numpy it is a download of some fifty megabytes, for a table of
a few dozen rows at most that is solved once a game.
"""

from collections.abc import Sequence
from math import inf

Costs = Sequence[Sequence[float]]


def cheapest_assignment(costs: Costs) -> list[int]:
    """The column of each row; if several answers are best, always the same one. Takes rows² · columns steps.

    Raises ValueError where there are more rows than columns.
    """
    if not costs:
        return []
    columns = len(costs[0])
    if len(costs) > columns:
        raise ValueError(f"{len(costs)} rows cannot each have one of {columns} columns")
    row_price, column_price = [0.0] * len(costs), [0.0] * columns
    row_in: list[int | None] = [None] * columns
    for row in range(len(costs)):
        _lead_in(row, costs, row_price, column_price, row_in)
    column_of = {row: column for column, row in enumerate(row_in)}
    return [column_of[row] for row in range(len(costs))]


def _lead_in(
    new: int, costs: Costs, row_price: list[float], column_price: list[float], row_in: list[int | None]
) -> None:
    """Give the row `new` a column, along the path to a free one on which the prices rise least."""
    away = list(range(len(column_price)))  # the columns that no path reaches yet
    slack = [inf] * len(column_price)  # how much more a column costs than its prices, from the nearest row reached
    before: list[int | None] = [None] * len(column_price)  # the column that a path comes from; None: from `new`
    reached: list[tuple[int, int]] = []  # the taken columns that paths have reached, and the rows in them
    row, column = new, None
    while True:
        for other in away:
            above = costs[row][other] - row_price[row] - column_price[other]
            if above < slack[other]:
                slack[other], before[other] = above, column
        nearest = min(away, key=slack.__getitem__)
        rise = slack[nearest]
        row_price[new] += rise
        for passed, within in reached:
            row_price[within] += rise
            column_price[passed] -= rise
        for other in away:
            slack[other] -= rise
        away.remove(nearest)
        column, taken_by = nearest, row_in[nearest]
        if taken_by is None:
            break
        reached.append((column, taken_by))
        row = taken_by
    _move_along(column, before, new, row_in)


def _move_along(column: int | None, before: Sequence[int | None], new: int, row_in: list[int | None]) -> None:
    """Follow the path back from the free `column` at its end: each row on it moves to the next column, `new` to the
    first.
    """
    while column is not None:
        source = before[column]
        row_in[column] = new if source is None else row_in[source]
        column = source
