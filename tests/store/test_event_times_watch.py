"""How the judge knows, across restarts, that it was out."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from judge.store import inbox
from judge.store.engine import transaction

NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)
LIMIT = timedelta(hours=6)


def sweep(engine: Engine, hours: float) -> timedelta | None:
    with transaction(engine) as session:
        return inbox.note_sweep(session, NOON + timedelta(hours=hours), LIMIT)


def outage(engine: Engine) -> tuple[float, float] | None:
    with transaction(engine) as session:
        found = inbox.last_outage(session)
    if found is None:
        return None
    began, ended = ((moment - NOON) / timedelta(hours=1) for moment in found)
    return began, ended


def test_the_first_sweep_ever_and_sweeps_close_together_are_no_outage(engine: Engine):
    assert [sweep(engine, hours) for hours in (0, 1, 7)] == [None, None, None]
    assert outage(engine) is None


def test_a_silence_longer_than_the_limit_is_one(engine: Engine):
    sweep(engine, 0)
    assert sweep(engine, 10) == timedelta(hours=10)
    assert sweep(engine, 11) is None
    assert outage(engine) == (0, 10)


def test_a_judge_that_falls_silent_again_at_once_has_been_out_all_the_time(engine: Engine):
    for hours in (0, 10, 20):
        sweep(engine, hours)
    assert outage(engine) == (0, 20)


def test_a_crash_before_the_end_of_the_transaction_leaves_the_outage_to_be_found_again(engine: Engine):
    sweep(engine, 0)
    with pytest.raises(KeyboardInterrupt), transaction(engine) as session:
        inbox.note_sweep(session, NOON + timedelta(hours=9), LIMIT)
        raise KeyboardInterrupt
    assert sweep(engine, 10) == timedelta(hours=10)
    assert outage(engine) == (0, 10)
