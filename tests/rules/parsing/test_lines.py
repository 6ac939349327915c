"""Which of two readings of a line counts, and how many orders it is."""

import pytest

from judge.rules import OrderError, format_order, load_variant, position_from_json
from judge.rules.parsing.lines import read_line, readings
from tests.texts import table

STANDARD = load_variant("standard")


@pytest.mark.parametrize(
    ("line", "said"),
    table("""
        please A PAR - XXX              => "XXX" is not a province.
        *A PAR - XXX*                   => "XXX" is not a province.
        A PAR - XXX, thanks             => "XXX" is not a province.
        please A PAR - BUR, A MAR - XXX => A PAR - BUR | "XXX" is not a province."""),
)
def test_a_mistake_is_told_of_the_line_without_what_is_around_its_orders(line: str, said: str) -> None:
    found = readings(STANDARD, "France", "M", line)
    assert [str(one) if isinstance(one, OrderError) else format_order(one.order) for one in found] == said.split(" | ")


@pytest.mark.parametrize(
    ("line", "orders"),
    table("""
        WAIVE ALL                    => WAIVE | WAIVE | WAIVE
        BUILD A PAR, WAIVE ALL       => BUILD A PAR | WAIVE | WAIVE
        WAIVE ALL; BUILD A PAR       => BUILD A PAR | WAIVE | WAIVE
        B A PAR, B A MAR, WAIVE REST => BUILD A PAR | BUILD A MAR | WAIVE"""),
)
def test_waive_all_is_what_the_builds_of_the_line_leave(line: str, orders: str) -> None:
    centers = {"France": ["PAR", "MAR", "BRE"]}
    at = position_from_json(STANDARD, {"phase": "W1901A", "units": {}, "centers": centers})
    found = read_line(STANDARD, at, "France", line)
    assert [format_order(one[1]) for one in found if not isinstance(one, OrderError)] == orders.split(" | ")
