"""What a line is for a game, and for whom it orders something."""

import pytest

from judge.games.orders.line_kinds import kind_of, whose
from judge.rules import load_variant, start_position
from tests.texts import table

STANDARD = load_variant("standard")


@pytest.mark.parametrize(
    ("variant", "line", "kind"),
    table("""
        standard         => A PAR - BUR                 => order
        standard         => A PAR - BURGUNDI            => order
        standard         => A PAR H, A MAR ...          => order
        standard         => 2: A PAR H                  => order
        standard         => DP 2: A PAR H               => bid
        standard         => BUILD ...                   => open
        standard         => War it is                   => prose
        standard         => please hold on              => prose
        standard         => NO DP                       => prose
        ambition_empire  => 2: A SWI H                  => bid
        ambition_empire  => I bid two points on A SWI H => bid
        ambition_empire  => NO DP                       => bid
        ambition_empire  => DP                          => prose
        intercontinental => Siam                        => heading
        intercontinental => Siam:                       => heading
        intercontinental => Siam - Burma                => order"""),
)
def test_what_a_line_is(variant, line, kind):
    assert kind_of(load_variant(variant), line) == kind


def test_of_a_long_line_the_beginning_counts():
    assert kind_of(STANDARD, "A PAR H, " * 900) == "order"
    assert kind_of(STANDARD, "So " * 900 + "A PAR H") == "prose"


@pytest.mark.parametrize(
    ("line", "who"),
    table("""
        A PAR H           => own
        A PAR H, F BRE H  => own
        A MUN H           => another's
        A MUN H, A PAR H  => own
        all others hold   => anyone's
        DP 2: A MUN H     => anyone's
        A MUN XYZ         => unread
        A BUR - MUN       => unread
        see you in Munich => -"""),
)
def test_for_whom_a_line_orders(line, who):
    assert whose(STANDARD, start_position(STANDARD), "France", line) == who.strip("-")
