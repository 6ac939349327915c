"""The time of an event, whenever it is handled."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from judge.store import event_times
from judge.store.engine import transaction
from judge.store.tables import Watch
from tests.texts import mapped

DAY = datetime(2026, 5, 14, tzinfo=UTC)


def clock(text: str) -> datetime | None:
    """`9:30`; `33:00` is on the next day."""
    hours, _, minutes = text.partition(":")
    return DAY + timedelta(hours=int(hours), minutes=int(minutes)) if text != "-" else None


# the time before, until when letters are replayed, when it came, when it is handled => its time, and that of a span
TIMES = mapped("""
    -      -      10:30  10:30  =>  10:30  10:30
    10:00  -      10:30  10:30  =>  10:30  10:30
    10:00  -      10:30  10:31  =>  10:30  10:30
    10:00  -      10:30  10:40  =>  10:30  10:40
    10:00  -      10:30  11:30  =>  10:30  11:30
    10:00  -      10:30  11:31  =>  11:31  11:31
    10:00  -      10:30  58:00  =>  58:00  58:00
    10:40  -      10:30  10:41  =>  10:40  10:40
    10:00  -      12:00  10:30  =>  10:30  10:30
    12:00  -      10:30  10:31  =>  10:31  10:31
    12:00  -      10:30  10:30  =>  10:30  10:30
    10:00  58:00  10:30  58:01  =>  10:30  10:30
    10:40  58:00  10:30  58:01  =>  10:40  10:40
    10:00  58:00  58:00  58:30  =>  58:00  58:00
    10:00  58:00  58:01  58:30  =>  58:01  58:30
    10:00  11:00  11:01  12:30  =>  12:30  12:30""")


@pytest.mark.parametrize(("given", "expected"), TIMES.items())
def test_the_time_of_an_event(engine: Engine, given: str, expected: str):
    before, until, at, now = map(clock, given.split())
    assert at and now
    with transaction(engine) as session:
        session.add(Watch(swept_at=DAY, event_at=before, replays_until=until))
    with transaction(engine) as session:
        time = event_times.happens(event_times.watch_of(session), at, now)
        aside = event_times.happens(event_times.watch_of(session), at, now, in_order=False)
    assert [time.at, time.told_at] == [clock(moment) for moment in expected.split()]
    assert aside.at <= time.at
    with transaction(engine) as session:
        assert session.exec(select(Watch.event_at)).one() == time.at


def test_a_replay_ends(engine: Engine):
    with transaction(engine) as session:
        event_times.begin_replay(session, DAY)
    with transaction(engine) as session:
        assert event_times.replays_until(session) == DAY == session.exec(select(Watch.swept_at)).one()
        event_times.end_replay(session)
    with transaction(engine) as session:
        assert event_times.replays_until(session) is None


def test_a_letter_knows_of_an_event_once_that_was_handled_and_in_a_replay_from_the_event_on() -> None:
    at, handled_at = DAY, DAY + timedelta(seconds=5)
    assert event_times.EventTime(at, handled_at).known_at == handled_at
    assert event_times.EventTime(at, handled_at, replayed=True).known_at == at
