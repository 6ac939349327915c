"""When a phase is due, and when people are told that orders are due, late or given up (HELP deadlines)."""

import ast
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from judge.games.core.setting_fields import Timing
from judge.games.core.settings import GameSettings, Span, Terms
from judge.games.deadlines import calendar, due
from judge.games.deadlines.due import Alarms, Holds

DEADLINE = datetime(2026, 5, 14, 21, 30, tzinfo=UTC)
OPENED = DEADLINE - timedelta(hours=71)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def told(
    grace: float, nmr: bool, most: int = 9, remind: tuple[float, ...] = (24, 4), manual: bool = False
) -> list[tuple[float, str]]:
    """(hours from the deadline, what is told) as the phase's row goes from one alarm to the next."""
    terms = Terms(OPENED, OPENED, DEADLINE, DEADLINE + timedelta(hours=grace))
    alarms = Alarms(terms, GameSettings(remind=remind, nmr=nmr, manual_process=manual))
    return [((moment - DEADLINE) / HOUR, alarms.kind(moment)) for moment in rings(alarms, OPENED, most)]


def rings(alarms: Alarms, since: datetime, most: int) -> list[datetime]:
    moments: list[datetime] = []
    while len(moments) < most and (moment := alarms.after(moments[-1] if moments else since)):
        moments.append(moment)
    return moments


def test_without_grace_there_are_reminders_and_then_the_phase_is_processed():
    assert told(grace=0, nmr=True) == [(-24, "reminder"), (-4, "reminder")]


def test_in_grace_the_late_are_told_every_day_until_the_phase_is_processed():
    for grace in (48.1, 60, 72):
        assert told(grace=grace, nmr=True, remind=()) == [(0, "late"), (24, "again"), (48, "again")]


def test_without_nmr_seats_are_given_up_at_the_end_of_grace_and_a_replacement_is_sought():
    assert told(grace=24, nmr=False, remind=(), most=4) == [
        (0, "late"), (24, "abandoned"), (72, "waiting"), (120, "waiting")
    ]  # fmt: skip


def test_a_replacement_is_sought_of_all_for_eight_days_then_weekly_and_the_keeper_hears_after_four_weeks():
    days = [(hours / 24, kind) for hours, kind in told(grace=0, nmr=False, remind=(), most=11)]
    assert days == [
        (0, "abandoned"), (2, "waiting"), (4, "waiting"), (8, "waiting"), (15, "sought"), (22, "sought"), (28, "stuck"),
        (29, "sought"), (36, "sought"), (43, "sought"), (50, "sought"),
    ]  # fmt: skip


def test_a_phase_that_waits_for_its_master_makes_nobody_late():
    for nmr in (True, False):
        assert told(grace=24, nmr=nmr, manual=True, most=4) == [
            (-24, "reminder"), (-4, "reminder"), (0, "master"), (24, "master")
        ]  # fmt: skip


def test_without_nmr_and_without_grace_seats_are_given_up_at_the_deadline():
    assert told(grace=0, nmr=False, remind=(), most=2) == [(0, "abandoned"), (48, "waiting")]


def test_a_reminder_that_would_come_before_the_phase_opens_is_none():
    for hours in (71, 100):
        assert told(grace=0, nmr=True, remind=(hours, 4)) == [(-4, "reminder")]


hours = some.integers(0, 400).map(lambda number: timedelta(hours=number))
moments = hours.map(lambda span: OPENED + span)
spans = some.lists(some.tuples(moments, hours).map(lambda one: (one[0], one[0] + one[1])), max_size=3)
timings = some.builds(
    Timing,
    next=some.integers(1, 200),
    clock=some.sampled_from([-1, 0, 150, 1260, 1410]),
    min=some.integers(0, 300),
    grace=some.integers(0, 100),
    days=some.sampled_from(["SMTWTFS", "-MTWTF-", "---W---", "sMTWTFs"]),
    delay=some.none() | some.integers(0, 100),
)
zones = some.sampled_from(["UTC", "Europe/Berlin", "America/Santiago"])
settings = some.builds(
    GameSettings, nmr=some.booleans(), manual_process=some.booleans(),
    remind=some.lists(some.integers(1, 200), max_size=4).map(tuple),
)  # fmt: skip
held = some.sampled_from(["orders", "deadline", ""])


@some.composite
def terms(draw: some.DrawFn) -> Terms:
    earliest, deadline, grace = sorted(draw(some.tuples(hours, hours, hours)))
    return Terms(OPENED, OPENED + earliest, OPENED + deadline, OPENED + grace)


@given(terms(), settings, hours, held, moments, some.none() | moments)
def test_a_complete_phase_is_due_by_its_deadline_and_nothing_before_min(
    phase: Terms, game: GameSettings, delay: timedelta, holds: Holds, now: datetime, before: datetime | None
):
    moment, awaits = due.when(phase, game, delay, holds, now, before)
    if moment is None:
        assert awaits in ("master", "orders") and (game.manual_process or (holds == "orders" and not game.nmr))
        return
    assert moment >= phase.earliest_at
    if holds == "orders":
        assert moment == phase.grace_ends_at
    elif now < phase.deadline_at:
        assert moment <= phase.deadline_at
        assert moment == phase.deadline_at if holds else moment >= min(now, phase.deadline_at, before or now)
    else:
        assert awaits == "delay" and (moment <= phase.grace_ends_at or not game.nmr)
    if not holds and before:
        assert moment <= max(before, phase.earliest_at)


@given(terms(), settings, moments)
def test_notices_come_in_order_and_once_and_an_extension_can_be_asked_for_at_the_deadline(
    phase: Terms, game: GameSettings, now: datetime
):
    alarms = Alarms(phase, game)
    found = rings(alarms, phase.opened_at, 12)
    assert all(earlier < later for earlier, later in pairwise(found))
    moment, _ = due.when(phase, game, timedelta(0), "orders", now)
    assert phase.deadline_at in (moment, *found) or phase.deadline_at == phase.opened_at


@given(timings, zones, moments, spans, some.none() | moments, some.booleans())
def test_the_moments_of_a_phase_come_in_their_order(
    timing: Timing, zone: str, opened: datetime, away: Sequence[Span], floor: datetime | None, strict: bool
):
    found = calendar.terms(timing, opened, zone, floor, away, strict)
    assert opened <= found.earliest_at <= found.deadline_at <= found.grace_ends_at
    assert found.grace_ends_at > found.deadline_at or not timing.grace
    assert found.deadline_at >= (floor or opened)
    ends = {found.deadline_at} if strict else {found.deadline_at, found.grace_ends_at}
    assert not [at for at in ends for start, end in away if start <= at < end]


@given(terms(), timings, zones, hours, hours, spans)
def test_pausing_and_resuming_lose_no_time(
    phase: Terms, timing: Timing, zone: str, until: timedelta, span: timedelta, away: Sequence[Span]
):
    timing = replace(timing, clock=-1)
    paused = OPENED + until
    back = paused + span
    after = calendar.resumed(phase, paused, back, timing, zone, away)
    if paused < phase.deadline_at:
        assert after.deadline_at - back >= max(phase.deadline_at - paused, DAY)
        assert after.earliest_at - back >= phase.earliest_at - paused or phase.earliest_at <= paused
        assert after.grace_ends_at - after.deadline_at == phase.grace_ends_at - phase.deadline_at
    else:
        assert after.grace_ends_at - back >= max(phase.grace_ends_at - paused, DAY)
    assert after.earliest_at <= after.deadline_at <= after.grace_ends_at


def test_a_deadline_set_by_hand_is_not_put_off_by_min():
    by_hand = calendar.postponed(Terms(OPENED, DEADLINE, DEADLINE, DEADLINE), OPENED + DAY)
    assert due.when(by_hand, GameSettings(), timedelta(0), "", OPENED) == (OPENED + DAY, "delay")
    assert due.when(by_hand, GameSettings(), timedelta(0), "orders", OPENED) == (OPENED + DAY, "grace")


def test_in_the_second_of_the_deadline_a_wait_holds_nothing_up_any_more():
    terms = Terms(OPENED, OPENED, DEADLINE, DEADLINE + DAY)
    for late, moment in ((-1, DEADLINE), (0, DEADLINE + HOUR), (1, DEADLINE + HOUR + timedelta(seconds=1))):
        now = DEADLINE + timedelta(seconds=late)
        assert due.when(terms, GameSettings(), HOUR, "deadline", now)[0] == moment


def test_a_game_that_forms_is_told_weekly_for_twelve_weeks():
    for days, weeks in ((0, 1), (6.9, 1), (7, 2), (76, 11), (77, 12), (83.9, 12)):
        assert due.while_forming(OPENED, OPENED + days * DAY) == OPENED + 7 * weeks * DAY
    assert due.while_forming(OPENED, OPENED + 84 * DAY) is None


def test_one_module_writes_when_a_phase_is_due():
    writers = set()
    for path in Path("judge").rglob("*.py"):
        stored = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and node.attr in ("due_at", "notice_at")
        ]
        writers |= {path.name for node in stored if "game" not in ast.unparse(node)}
    assert writers == {"schedule.py"}
