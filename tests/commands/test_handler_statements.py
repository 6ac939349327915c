"""How often the database is asked: most of the time of a letter and of a deadline is spent on the way there."""

import re

import pytest

from judge.commands.handler import fingerprint_of
from judge.store import inbox
from judge.store.engine import transaction
from tests.commands.deskatwork import DeskAtWork, Received
from tests.listening import statements
from tests.rows import game_named, open_phase

ORDERS = "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR - SPA\nF BRE - MAO"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    # The password is hashed now; orders are drawn for newcomers alone.
    desk.writes("france@example.org", f"{ORDERS}\nSET MAP OFF")
    return desk


def tables_read(asked: list[str]) -> list[str]:
    return [_outermost(statement).partition("FROM ")[2].split()[0] for statement in asked if statement[:6] == "SELECT"]


def _outermost(statement: str) -> str:
    """The statement without all that stands in parentheses."""
    while (shorter := re.sub(r"\([^()]*\)", "", statement)) != statement:
        statement = shorter
    return statement


def test_a_letter_of_orders_asks_for_nothing_twice(heron: DeskAtWork):
    """What it finds once it does not ask for again: the game, its phase, the seat, the orders on file."""
    raw = f"From: france@example.org\nMessage-ID: <again@x>\n\n{ORDERS}\n".encode()
    with transaction(heron.engine) as session:
        inbox.keep(session, [Received(raw, heron.now, 99)], fingerprint_of, now=heron.now)
    with transaction(heron.engine) as session:
        (row,) = inbox.in_turn(session)
        with statements(heron.engine) as asked:
            heron.desk.handle(session, row, heron.now)
            session.flush()
    read = tables_read(asked)
    # `letter`: whether it is a copy of an earlier one.
    # `seat` a second time: which seats of the sender no letter has proved until now.
    assert sorted(read) == ["future_line", "game", "letter", "orders", "person", "seat", "seat", "vote"]
    assert len(asked) == len(read) + 3 == 11  # the orders, the reply, the letter that is done


def test_a_deadline_writes_each_mail_once_and_all_else_together(heron: DeskAtWork):
    for number in range(3):
        heron.observes(f"observer{number}@example.org", "OBSERVE heron")
    with transaction(heron.engine) as session:
        phase = open_phase(session, game_named(session, "heron"))
        phase.notice_at = None
        due_at = phase.due_at
        assert due_at
    with statements(heron.engine) as asked:
        mails = heron.ring(due_at)
    results = [mail for mail in mails if mail.subject.endswith("Results")]
    assert len(results) == len(mails) == 11
    # In `attendance` who was on time, and who missed the phase; a picture for each choice of parts that readers get.
    for table, count in {"mail": len(mails), "attendance": 2, "phase": 1, "event": 1, "picture": 2}.items():
        assert sum(statement.startswith(f"INSERT INTO {table} ") for statement in asked) == count, table
    read = tables_read(asked)
    assert read.count("orders") == 2  # those of the phase that is over, and those of the phase that opens
    places = 1  # which of the game's seats each is, for the unsubscribe words of observers
    assert read.count("seat") <= 3 + places
