"""Processes of one judge see each other, on PostgreSQL."""

import time

import pytest
from sqlalchemy import Engine

from judge.store.engine import open_engine
from judge.store.locks import roll

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


def test_who_is_at_work_is_seen_as_long_as_they_are(engine: Engine, url: str):
    others = [open_engine(url, "worker"), open_engine(url, "stand-by"), open_engine(url, "daemon")]
    with others[0].connect():
        for other in others:
            other.connect().close()  # the session goes on, for the next to ask
    assert [role for role, _ in roll(open_engine(url))] == ["worker", "stand-by"], "the daemon has no lock"
    assert all(where.startswith("process ") for _, where in roll(engine))
    for other in others:
        other.dispose()
    deadline = time.monotonic() + 20  # the server may need a moment to notice
    while roll(engine) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert roll(engine) == []
