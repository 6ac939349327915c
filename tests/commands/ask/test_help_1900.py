"""1900 by letter: its rules and its map on request."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import flat

KIM = "kim@example.org"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """Game heron, of 1900, in its first Spring."""
    desk.seat_seven(variant="1900")
    desk.new_mails()
    return desk


def test_the_rules_on_request_fit_on_a_phone(heron: DeskAtWork):
    text = heron.replies(KIM, "GET 1900").text
    assert "A  Austria-Hungary: A BUD, A TRI, A VIE\nB  Britain:         F EDI, F EGY, F GIB, F LON\n" in text
    assert "borders on Egypt and\nHejaz." in text
    assert "Warsaw, it may have 1 unit more than it has centers and build in Siberia too." in text
    assert max(map(len, text.splitlines())) <= 79


def test_get_map_marks_borders_of_half_strength_and_explains_the_port(heron: DeskAtWork):
    text = heron.replies(KIM, "GET MAP 1900").text
    assert "EGY(half)" in text and "HEJ(half)" in text and text.count("MID(half)") == 2
    assert "(half): fleets move at half strength, around the Cape of Good Hope, and" in text
    assert "port (Gibraltar): a fleet there can convoy as at sea" in flat(text)
    assert "(half)" not in heron.replies(KIM, "GET MAP standard").text
