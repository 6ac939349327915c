"""A letter in which sentences begin with the abbreviation of a province: they are ignored, its orders are not."""

import pytest

from tests.commands.deskatwork import DeskAtWork


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """A game of Colonia in which a French fleet stands in the Andaman Sea (AND)."""
    desk.seat_all("heron", "colonia")
    correct = "SIGNON Mheron gm\nCORRECT POSITION France: F BOR - AND"
    desk.goes_on("a fleet in AND", lambda: desk.writes("kim@example.org", correct))
    return desk


def test_a_sentence_is_ignored(heron):
    answer = heron.replies(
        "france@example.org", "SIGNON Fheron pwfrance\nA PAR H\nAnd I hope you support me.\nCan you see that?"
    )
    assert "not understood" not in answer.flat
    assert answer.text.count("note: this is neither an order nor a command, so it was ignored.") == 2
    assert "Fleet Andaman Sea, no order" in answer.text


def test_an_order_is_read(heron):
    heron.expects("france@example.org", "SIGNON Fheron pwfrance\n", """
        and h => Fleet Andaman Sea HOLD.
        AND - BBL => Fleet Andaman Sea -> Bay of Bengal.
        f and - bbl => Fleet Andaman Sea -> Bay of Bengal.
        And moves to Bay of Bengal => Fleet Andaman Sea -> Bay of Bengal.""")


def test_what_is_wrong_with_an_order_is_told(heron):
    answer = heron.replies("france@example.org", "SIGNON Fheron pwfrance\nAND - BBX")
    assert "1 line not understood." in answer.flat
