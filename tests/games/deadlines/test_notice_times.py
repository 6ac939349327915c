"""When people are told that orders are due, late or given up (HELP deadlines)."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from judge.games.core.settings import GameSettings, Terms
from judge.games.deadlines.schedule import Alarms

DEADLINE = datetime(2026, 5, 14, 21, 30, tzinfo=UTC)
OPENED = DEADLINE - timedelta(hours=71)


def told(grace: float, nmr: bool, most: int = 9, remind: tuple[float, ...] = (24, 4)) -> list[tuple[float, str]]:
    """(hours from the deadline, what is told) as the phase's row goes from one alarm to the next."""
    terms = Terms(OPENED, OPENED, DEADLINE, DEADLINE + timedelta(hours=grace))
    alarms = Alarms(terms, GameSettings(remind=remind, nmr=nmr))
    moments: list[tuple[float, str]] = []
    moment = alarms.after(OPENED)
    while moment and len(moments) < most:
        moments.append(((moment - DEADLINE) / timedelta(hours=1), alarms.kind(moment)))
        moment = alarms.after(moment)
    assert all(earlier < later for (earlier, _), (later, _) in pairwise(moments))
    return moments


def test_without_grace_there_are_reminders_and_then_the_phase_is_processed():
    assert told(grace=0, nmr=True) == [(-24, "reminder"), (-4, "reminder")]


def test_in_grace_the_late_are_told_every_day_until_the_phase_is_processed():
    assert told(grace=60, nmr=True, remind=()) == [(0, "late"), (24, "again"), (48, "again")]


def test_without_nmr_seats_are_given_up_at_the_end_of_grace_and_a_replacement_is_sought():
    assert told(grace=24, nmr=False, remind=(), most=4) == [
        (0, "late"), (24, "abandoned"), (72, "waiting"), (120, "waiting")
    ]  # fmt: skip


def test_without_nmr_and_without_grace_seats_are_given_up_at_the_deadline():
    assert told(grace=0, nmr=False, remind=(), most=2) == [(0, "abandoned"), (48, "waiting")]


def test_a_reminder_that_would_come_before_the_phase_opens_is_none():
    assert told(grace=0, nmr=True, remind=(100, 4)) == [(-4, "reminder")]
