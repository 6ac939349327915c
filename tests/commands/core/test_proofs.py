"""What an address proves: a signed letter that its sender did not write to the judge, or not now, proves no more than
an unsigned one, whatever it asks for.
"""

from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from judge.store.engine import reading
from judge.store.people import person_at
from judge.store.seats import seats_in
from tests.commands.deskatwork import DeskAtWork
from tests.commands.people.test_passwordless import CHOOSE, FRANCE, SERVER, orders
from tests.commands.people.test_passwordless_replays import SIGNED, START, signed
from tests.rows import game_named

# Each line is done at once for a letter that proves whose it is.
BY_ADDRESS = "REGISTER\nName: Fay Other\nEND\nNO STANDBY\nUNSUBSCRIBE gull\n"
LETTER = f"{BY_ADDRESS}SIGNON Fheron\nA PAR - BUR"
FRIEND = "Gus <germany@example.org>"
LONG_AGO = format_datetime(START - timedelta(days=40))
# The fields that make the signed letter doubtful; `above`: put on top of it.
DOUBTS: dict[str, dict[str, str]] = {
    "to a friend": {"To": FRIEND},
    "to a friend, the judge in Cc": {"To": FRIEND, "Cc": "judge@example.org"},
    "a To above the signed one": {"above": "To: judge@example.org\n", "To": FRIEND},
    "text below what is signed": {"DKIM_Signature": SIGNED.replace("h=", "l=5; h=")},
    "without its date signed": {"DKIM_Signature": SIGNED.replace(":date", "")},
    "a field twice": {"above": "Subject: again\n"},
    "old": {"Date": LONG_AGO},
    "old, a new Message-ID on top": {"Date": LONG_AGO, "above": "Message-ID: <new@example.org>\n"},
    "old, another Message-ID": {"Date": LONG_AGO, "Message_ID": "<new@example.org>"},
    "older than what was answered": {"Date": format_datetime(START - timedelta(hours=3))},
    "a text that cannot be read": {"Content_Type": "text/plain; charset=utf-8", "Content_Transfer_Encoding": "base64"},
}


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """France stands by, watches gull, and plays without the password."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_seven()

    def prepare() -> None:
        desk.writes("kim@example.org", "CREATE ?gull pw")
        signed(desk, f"STANDBY\nOBSERVE gull\n{CHOOSE}", minute=1)

    desk.goes_on("France stands by", prepare)
    return desk


def done(desk: DeskAtWork) -> dict[str, bool]:
    with reading(desk.engine) as session:
        person = person_at(session, FRANCE)
        assert person
        watches = bool(seats_in(session, game_named(session, "gull"), person))
        return {"name": person.name == "Fay Other", "standby": not person.standby_since, "left": not watches,
                "ordered": bool(orders(desk))}  # fmt: skip


def test_a_signed_letter_to_the_judge_does_all_of_it(heron: DeskAtWork):
    signed(heron, LETTER, minute=5)
    assert all(done(heron).values())


@pytest.mark.parametrize("doubt", DOUBTS)
def test_a_doubtful_one_asks_first_and_orders_nothing(heron: DeskAtWork, doubt: str):
    told = signed(heron, LETTER, minute=5, **DOUBTS[doubt])
    assert not any(done(heron).values())
    assert "CONFIRM" in told or "cannot be read" in doubt


def test_a_letter_that_came_before_does_nothing_more(heron: DeskAtWork):
    """Not only for the game that it was about, whatever was done meanwhile, and under another Message-ID."""
    signed(heron, "NO STANDBY\nREGISTER\nName: Fay Other\nEND\nUNSUBSCRIBE gull", minute=5)
    signed(heron, "STANDBY\nREGISTER\nName: Fay France\nEND\nOBSERVE gull", minute=20)
    for again in ({"Message_ID": "<new@example.org>"}, {"Message_ID": ""}, {"Subject": "again"}):
        signed(heron, "NO STANDBY\nREGISTER\nName: Fay Other\nEND\nUNSUBSCRIBE gull", minute=5, **again)
        assert not any(done(heron).values())


def test_a_letter_that_repeats_ours_without_marks_asks_first(heron: DeskAtWork):
    shown = heron.replies(FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR").text
    told = signed(heron, f"NO STANDBY\n\n{shown}", minute=9)
    assert "CONFIRM" in told and not done(heron)["standby"]


@pytest.mark.parametrize("server", [{}, SERVER])
def test_register_in_the_keepers_address_asks_first(tmp_path: Path, server: dict[str, str]):
    desk = DeskAtWork(tmp_path, "", server)
    keeper = desk.settings.keeper
    form = "REGISTER\nName: Kay Keeper\nEND\n"
    desk.writes("jo@example.org", form.replace("Kay Keeper", "Jo"))
    assert [mail.to for mail in desk.writes(keeper, "I AM ALSO jo@example.org")] == [keeper]
    asks = desk.replies(keeper, f"{form}CREATE ?heron pw")
    assert asks.first_line == "One more step, Kay Keeper: reply to this email to register."
    with reading(desk.engine) as session:
        assert person_at(session, keeper) is None
    assert "You are registered" in desk.replies(keeper, "", subject=asks.subject).text
    # Anyone else is registered at once, unless the keeper of the judge wants it otherwise.
    assert "You are registered" in desk.replies("al@example.org", form.replace("Kay Keeper", "Al")).text
