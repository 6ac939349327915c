"""The assignment problem, against all that could be chosen."""

import random
from itertools import permutations

import pytest

from judge.games.life.power_assignment import cheapest_assignment


def cost(costs, columns) -> float:
    return sum(row[column] for row, column in zip(costs, columns, strict=True))


def least(costs) -> float:
    """By trying them all."""
    return min(cost(costs, columns) for columns in permutations(range(len(costs[0])), len(costs)))


@pytest.mark.parametrize("rows", range(1, 6))
@pytest.mark.parametrize("more", range(3))
@pytest.mark.parametrize("widest", [1, 3, 100])
def test_no_other_assignment_costs_less(rows, more, widest):
    """With few different costs many are equal; half of the costs are negative, and brackets of wishes have halves."""
    dice = random.Random(f"{rows} {more} {widest}")
    for _ in range(40):
        costs = [[dice.randint(-widest, widest) / 2 for _ in range(rows + more)] for _ in range(rows)]
        columns = cheapest_assignment(costs)
        assert len(set(columns)) == rows
        assert cost(costs, columns) == least(costs), costs


def test_a_row_gives_way_to_those_that_come_later():
    """The first would take column 0; each that comes makes all before it move on by one."""
    costs = [[0, 1, 9, 9], [0, 9, 1, 9], [0, 9, 9, 1], [0, 9, 9, 9]]
    assert cheapest_assignment(costs) == [1, 2, 3, 0]


def test_what_is_hidden_in_a_large_table_is_found():
    dice = random.Random(1)
    hidden = dice.sample(range(70), 60)
    costs = [[0 if column == mine else dice.randint(1, 3) for column in range(70)] for mine in hidden]
    assert cheapest_assignment(costs) == hidden


def test_of_equal_ones_the_first_columns_are_taken():
    """Games are dealt with it from a recorded seed: the answer to the same question never changes."""
    assert cheapest_assignment([[5.0] * 4] * 3) == [0, 1, 2]
