"""What stands around orders: names of powers before them, and headings that are a phase."""

import pytest

from judge.rules.parsing.decoration import name_before, phase_heading
from tests.games.orders.test_deferred_orders import GLOBE
from tests.texts import table


@pytest.mark.parametrize(
    ("text", "name", "order"),
    table("""
        Teal WAIVE      => Teal  => WAIVE
        AL WAIVE 2      => AL    => WAIVE 2
        T WAIVE         =>       => T WAIVE
        T BUILD A Pari  =>       => T BUILD A Pari
        B W             =>       => B W
        WAIVE Teal      =>       => WAIVE Teal
        Nowhere WAIVE   =>       => Nowhere WAIVE
        Teal A Pari H   =>       => Teal A Pari H"""),
)
def test_the_name_of_a_power_before_a_winter_order_has_two_letters_or_more(text: str, name: str, order: str) -> None:
    assert name_before(GLOBE, text) == (name, order)


@pytest.mark.parametrize(
    "line",
    [
        "Fall of France",
        "spring is here",
        "move",
        "Moves to come",
        "F STP",
        "now",
        "12",
        "Next",
        "France",
        "Orders for France:",
        "As you said in Spring 1901:",
        "We meet next year in Spring Lake",
    ],
)
def test_other_lines_are_no_phase(line: str):
    assert phase_heading(line, "S1901M", ["france"]) == ""


@pytest.mark.parametrize(
    ("heading", "now", "phase"),
    table("""
        Retreats:    => F1901R => F1901R
        Fall 1901:   => F1901R => F1901R
        Moves:       => F1901R => F1901R
        Builds:      => W1901A => W1901A
        Builds       => F1901R => W1901A
        Spring       => W1901A => S1902M
        S1902M       => W1901A => S1902M
        next turn    => F1901M => S1902M
        Retreats:    => S1901M => S1901R
        next builds: => S1901M => W1901A
        F1901        => S1902M => F1901M
        Fall 01:     => S2001M => F2001M
        Fall 00:     => S1901M => F1900M
        Fall 1:      => S1901M => ?
        Fall 190:    => S1901M => ?
        Fall 0000:   => S1901M => ?"""),
)
def test_a_phase_is_placed_by_the_open_one(heading: str, now: str, phase: str):
    assert phase_heading(heading, now) == phase


def test_a_line_of_more_than_sixty_signs_is_no_heading() -> None:
    assert phase_heading("Fall".ljust(60, "-"), "S1901M") == "F1901M"
    assert phase_heading("Fall".ljust(61, "-"), "S1901M") == ""
