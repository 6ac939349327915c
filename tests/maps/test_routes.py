"""Lines across the board bend around what stands there."""

import pytest

from judge.maps.routes import Curve, Disc, route, shortened

START, END = 0j, 100 + 0j


def unit_disc(at: complex, radius: float) -> Disc:
    return Disc(at, radius, 6.0)


def _nearest(curve: Curve, at: complex) -> float:
    return min(abs(curve.at(step / 50) - at) for step in range(51))


def test_where_nothing_stands_a_line_is_straight():
    assert route(START, END, []).at(0.5) == 50


def test_a_line_goes_round_a_unit():
    curve = route(START, END, [unit_disc(50, 8)])
    assert _nearest(curve, 50) >= 8
    assert (curve.start, curve.end) == (START, END)


def test_it_takes_the_side_that_is_free():
    curve = route(START, END, [unit_disc(50, 8), unit_disc(50 + 16j, 8)])
    assert curve.at(0.5).imag < -7


def test_what_stands_at_its_ends_is_not_in_the_way():
    assert route(START, END, [unit_disc(START, 8), unit_disc(END, 8)]).at(0.5) == 50


def test_lines_that_go_opposite_ways_keep_apart():
    there, back = route(START, END, [], lean=0.09), route(END, START, [], lean=0.09)
    assert abs(there.at(0.5) - back.at(0.5)) > 10


@pytest.mark.parametrize("curve", [route(START, END, []), route(START, END, [unit_disc(50, 8)])])
def test_a_shortened_line_lies_on_the_whole_one(curve):
    short = shortened(curve, 10, 20)
    assert abs(short.start - START) == pytest.approx(10, abs=2)
    assert abs(short.end - END) == pytest.approx(20, abs=3)
    assert all(_nearest(curve, short.at(share)) < 1.5 for share in (0.25, 0.5, 0.75))


def test_a_short_line_keeps_a_third():
    short = shortened(route(START, END, []), 90, 90)
    assert abs(short.start - short.end) > 30
