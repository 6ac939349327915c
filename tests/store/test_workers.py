"""Processes of one judge see and call each other, on PostgreSQL."""

import socket
import time
from contextlib import closing
from datetime import UTC, datetime

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from judge.store import inbox
from judge.store.engine import open_engine, transaction
from judge.store.locks import Ear, call, roll

pytestmark = pytest.mark.postgres

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


def test_who_is_at_work_is_seen_as_long_as_they_are(engine: Engine, url: str):
    with closing(Ear(engine, "worker")), closing(Ear(engine, "stand-by")):
        assert {hand.role for hand in roll(open_engine(url))} == {"worker", "stand-by"}
        assert all(hand.where.startswith("process ") for hand in roll(engine))
    deadline = time.monotonic() + 20  # the server may need a moment to notice
    while roll(engine) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert roll(engine) == []


def test_a_transaction_calls_the_others_when_it_is_committed(engine: Engine, url: str):
    quiet, hammer = socket.socketpair()
    with closing(Ear(open_engine(url), "worker")) as ear:
        assert not ear.wait(0.3, quiet)
        with transaction(engine) as session:
            inbox.note_sweep(session, NOON, inbox.SWEEP_PRECISION)
            call(session)
            assert not ear.wait(0.3, quiet)
        assert ear.wait(20, quiet)
        hammer.send(b"!")
        began = time.monotonic()
        assert not ear.wait(60, quiet)
        assert time.monotonic() - began < 30


def test_who_has_lost_its_session_says_so_and_listens_again(postgres_url: str):
    engine, (quiet, _) = open_engine(postgres_url), socket.socketpair()
    with closing(Ear(engine, "worker")) as ear:
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                                    "WHERE application_name LIKE 'judge worker,%'"))  # fmt: skip
        with pytest.raises(OperationalError):
            ear.wait(20, quiet)
        assert ear.wait(20, quiet)  # something may have been called meanwhile
        assert [hand.role for hand in roll(engine)] == ["worker"]
        with transaction(engine) as session:
            undone = session.begin_nested()
            call(session)
            undone.rollback()
            call(session)
        assert ear.wait(20, quiet)
    engine.dispose()
