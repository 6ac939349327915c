"""An order's text is read once, by the letter that brings it; from then on what it means is on file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.tables import BidRow, OrderRow
from tests.commands.deskatwork import DeskAtWork

KIM, FAY = "kim@example.org", "france@example.org"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskAtWork]:
    yield DeskAtWork(tmp_path, "", {})


def test_the_text_stands_beside_as_it_was_written(desk: DeskAtWork):
    desk.seat_all("swan", "1648")
    desk.writes(FAY, "SIGNON Fswan pwfrance\n * army  marseille to Gascony  // soon\nDP 1: swi h\nDP 1: A SWI H")
    with reading(desk.engine) as session:
        (order,), (bid,) = session.exec(select(OrderRow)).all(), session.exec(select(BidRow)).all()
    assert order.text == "* army marseille to Gascony"
    assert order.meaning == {"verb": "move", "unit": "A MAR", "to": "GAS", "via": False}
    assert (bid.text, bid.points) == ("DP 1: swi h", 2)
    assert bid.meaning == {"verb": "hold", "unit": "A SWI"}


def test_an_order_is_for_what_stands_there_now(heron: DeskAtWork):
    """The letter of a unit is beside the point (DATC 4.C.2): a fleet that a master puts there has the army's order."""
    heron.writes(FAY, "SIGNON Fheron pwfrance\nA MAR - SPA")
    heron.writes("italy@example.org", "SIGNON Iheron pwitaly\nA VEN S A ROM\nA ROM H")
    heron.writes(KIM, "SIGNON Mheron gm\nCORRECT POSITION\nNobody: A ROM\nItaly: F ROM\nEND")
    with reading(heron.engine) as session:
        meanings = [order.meaning for order in session.exec(select(OrderRow).order_by(col(OrderRow.id)))]
    assert meanings == [
        {"verb": "move", "unit": "A MAR", "to": "SPA", "via": False},
        {"verb": "support", "unit": "A VEN", "helped": "F ROM", "to": ""},
        {"verb": "hold", "unit": "F ROM"},
    ]
    assert "Fleet Rome HOLD." in heron.replies("italy@example.org", "SIGNON Iheron pwitaly\nF NAP - ION").text
