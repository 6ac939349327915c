"""An order's text is read once, by the letter that brings it; from then on what it means is on file."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.rules.parsing import grammar
from judge.store.engine import reading
from judge.store.tables import BidRow, OrderRow
from tests.commands.deskatwork import DeskAtWork

KIM, FAY = "kim@example.org", "france@example.org"


class Readings(dict):
    """What `parse_order` remembers; counts how often it is asked for each text."""

    def __init__(self) -> None:
        super().__init__()
        self.of: Counter[str] = Counter()

    def __getitem__(self, key):
        self.of[key[2]] += 1
        return super().__getitem__(key)


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Readings:
    counting = Readings()
    monkeypatch.setattr(grammar, "_ORDERS_READ", counting)
    return counting


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskAtWork]:
    yield DeskAtWork(tmp_path, "", {})


def test_from_the_letter_to_the_deadline_each_order_is_read_once(heron: DeskAtWork, readings: Readings):
    """Also by the confirmation, LIST, the reminders, PREDICT, and what a master does to the board."""
    lines = ["army rome - venice", "a ven-tri", "Fleet Naples to Ionian Sea"]
    heron.writes("italy@example.org", "\n".join(["SIGNON Iheron pwitaly", *lines]))
    given = ["A PAR - BUR", "a mar s par - bur"]
    heron.writes(FAY, "\n".join(["SIGNON Fheron pwfrance", *given]))
    assert readings.of == Counter([*lines, *given])
    assert "Fleet Brest, no order" in heron.replies(FAY, "SIGNON Fheron pwfrance\nSTATUS").text
    heron.writes(FAY, "LIST heron")
    heron.writes(KIM, "SIGNON Mheron gm\nLIST heron")
    heron.writes(KIM, "SIGNON Mheron gm\nPREDICT")
    assert readings.of == Counter([*lines, *given])
    results = heron.ring(heron.now + timedelta(days=60))
    assert any("Army Paris -> Burgundy." in mail.text and mail.subject.endswith("Results") for mail in results)
    assert readings.of == Counter([*lines, *given])


def test_orders_stay_read_while_the_board_is_corrected_and_taken_back(heron: DeskAtWork, readings: Readings):
    heron.writes(FAY, "SIGNON Fheron pwfrance\narmy paris - picardy\na mar - spa")
    readings.of.clear()
    heron.writes(KIM, "SIGNON Mheron gm\nCORRECT POSITION Nobody: A MAR")
    # The master's own line is read as a place; the orders on file are not.
    assert not {"army paris - picardy", "a mar - spa", "A PAR - PIC", "A MAR - SPA"} & readings.of.keys()
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS")
    heron.writes(KIM, "SIGNON Mheron gm\nROLLBACK")
    assert not {"army paris - picardy", "a mar - spa", "A PAR - PIC", "A MAR - SPA"} & readings.of.keys()
    assert "Army Paris -> Picardy." in heron.replies(FAY, "SIGNON Fheron pwfrance\nA BRE H").text


def test_bids_are_read_once(desk: DeskAtWork, readings: Readings):
    desk.seat_all("swan", "1648")
    desk.writes(FAY, "SIGNON Fswan pwfrance\nDP 1: swi h\nDP 1: A SWI H\nDP 2: A SAV H")
    assert readings.of == Counter(["swi h", "A SWI H", "A SAV H"])
    assert "DP 2: Army Switzerland HOLD." in desk.replies(FAY, "SIGNON Fswan pwfrance\nF LON H").text
    readings.of.clear()
    desk.writes(KIM, "SIGNON Mswan gm\nPREDICT")
    assert desk.ring(desk.now + timedelta(days=60))
    assert not readings.of


AHEAD = ["paris to brest", "a mar s par - bre", "DP 2: swi s a mar - sav"]


def test_orders_ahead_are_read_again_when_their_phase_opens(desk: DeskAtWork, readings: Readings):
    """Their form is checked by the letter that brings them."""
    desk.seat_all("swan", "1648")
    desk.writes(FAY, "\n".join(["SIGNON Fswan pwfrance", "PHASE F1649M", *AHEAD]))
    assert readings.of == Counter([*AHEAD[:2], "swi s a mar - sav"])
    mails = desk.writes(KIM, "SIGNON Mswan gm\nPROCESS S1649M")
    (told,) = [mail.text for mail in mails if mail.to == FAY and "Pending" in mail.subject]
    assert "Army Paris -> Brest." in told and "DP 2: Army Switzerland SUPPORT French Army Marseille -> Savoy." in told


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
