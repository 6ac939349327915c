"""The next deadline (HELP deadlines)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.games.core.setting_fields import MOVE, RETREAT
from judge.games.core.settings import Terms
from judge.games.deadlines.calendar import resumed, terms

BERLIN = "Europe/Berlin"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_next_hours_then_the_clock_of_the_games_zone():
    """Mon 22:00 UTC + 71 h = Thu 21:00 UTC = 23:00 in Berlin; the clock says 23:30."""
    assert terms(MOVE, at("2026-05-11T22:00"), BERLIN).deadline_at == at("2026-05-14T21:30")


def test_shut_days_are_passed_over():
    """Wed + 71 h falls on Saturday: Monday 23:30."""
    assert terms(MOVE, at("2026-05-13T12:00"), BERLIN).deadline_at == at("2026-05-18T21:30")


def test_a_lower_case_day_opens_at_noon():
    """A retreat of Saturday 08:00 goes to Monday noon, in the game's zone."""
    assert terms(RETREAT, at("2026-05-15T06:00"), BERLIN).deadline_at == at("2026-05-18T10:00")


def test_without_a_clock_the_deadline_is_exactly_next_hours_later():
    assert terms(RETREAT, at("2026-05-12T06:17"), BERLIN).deadline_at == at("2026-05-13T05:17")


def test_a_deadline_never_falls_before_the_one_just_past():
    later = at("2026-05-20T12:00")
    assert terms(RETREAT, at("2026-05-12T06:00"), BERLIN, not_before=later).deadline_at == later


def test_the_first_phase_lasts_twice_as_long():
    plain = replace(RETREAT, days="SMTWTFS")
    opened = at("2026-05-12T06:00")
    assert terms(plain.of_first_phase, opened, BERLIN).deadline_at == opened + timedelta(hours=46)


def test_the_clock_holds_across_a_change_of_clocks():
    """Fri Oct 23 2026 summer time; + 71 h is Mon Oct 26, winter time: still 23:30 on the wall."""
    assert terms(MOVE, at("2026-10-23T20:00"), BERLIN).deadline_at == at("2026-10-26T22:30")


def test_min_and_grace_are_hours_from_opening_and_deadline():
    timing = replace(MOVE, min=12, grace=24, days="SMTWTFS")
    opened = at("2026-05-11T22:00")
    phase = terms(timing, opened, BERLIN)
    assert phase.earliest_at == opened + timedelta(hours=12)
    assert phase.grace_ends_at == phase.deadline_at + timedelta(hours=24)


def test_an_absence_moves_the_deadline_to_its_end_and_then_to_the_clock_on_an_open_day():
    """Thu 21:30 UTC is inside; it ends on Friday 23:59 in Berlin, after the clock: Monday 23:30."""
    span = (at("2026-05-14T00:00"), at("2026-05-15T21:59"))
    assert terms(MOVE, at("2026-05-11T22:00"), BERLIN, absences=[span]).deadline_at == at("2026-05-18T21:30")


def test_absences_that_follow_one_another_are_all_avoided():
    plain = replace(RETREAT, days="SMTWTFS")
    spans = [(at("2026-05-15T00:00"), at("2026-05-17T00:00")), (at("2026-05-13T00:00"), at("2026-05-15T12:00"))]
    assert terms(plain, at("2026-05-12T06:00"), BERLIN, absences=spans).deadline_at == at("2026-05-17T00:00")


def test_grace_ends_on_an_open_day_unless_it_is_strict():
    timing = replace(MOVE, grace=24, clock=-1)
    opened = at("2026-05-12T18:00")
    assert terms(timing, opened, BERLIN).deadline_at == at("2026-05-15T17:00")
    assert terms(timing, opened, BERLIN).grace_ends_at == at("2026-05-17T22:00")
    assert terms(timing, opened, BERLIN, strict_grace=True).grace_ends_at == at("2026-05-16T17:00")


def test_a_clock_that_falls_into_the_hour_the_clocks_skip_is_the_hour_after_it():
    """Sun Mar 28 2027: 02:00 to 03:00 does not exist in Berlin."""
    timing = replace(MOVE, next=1, clock=150, days="SMTWTFS")
    assert terms(timing, at("2027-03-27T23:30"), BERLIN).deadline_at == at("2027-03-28T01:30")
    assert terms(timing, at("2027-03-28T01:00"), BERLIN).deadline_at == at("2027-03-29T00:30")


def test_a_midnight_that_the_clocks_skip_opens_the_day_an_hour_later():
    """In Santiago the clocks go from Sat Sep 5 2026 24:00 to Sun 01:00; Saturday is shut."""
    timing = replace(RETREAT, next=1, days="SMTWTF-")
    assert terms(timing, at("2026-09-05T15:00"), "America/Santiago").deadline_at == at("2026-09-06T04:00")


def test_a_week_in_which_no_deadline_could_fall_is_refused():
    for days, clock in (("-------", -1), ("-mtwtf-", 600)):
        with pytest.raises(ValueError, match="allows no deadline"):
            replace(MOVE, days=days, clock=clock)


@pytest.mark.parametrize("late", [timedelta(0), timedelta(seconds=1), timedelta(minutes=59), timedelta(hours=1)])
def test_an_opening_up_to_an_hour_after_clock_counts_as_at_clock(late):
    timing = replace(MOVE, next=72, clock=21 * 60, days="SMTWTFS")
    assert terms(timing, at("2026-05-11T19:00") + late, BERLIN).deadline_at == at("2026-05-14T19:00")
    assert terms(timing, at("2026-05-11T20:00:01"), BERLIN).deadline_at == at("2026-05-15T19:00")


def test_an_opening_after_midnight_may_be_in_the_hour_after_clock():
    timing = replace(MOVE, next=24, clock=23 * 60 + 30, days="SMTWTFS")
    assert terms(timing, at("2026-05-11T22:10"), BERLIN).deadline_at == at("2026-05-12T21:30")


def test_a_day_of_23_hours_costs_no_day():
    """In Berlin the clocks go forward on Sun Mar 28 2027."""
    timing = replace(MOVE, next=72, clock=21 * 60, grace=24, days="SMTWTFS")
    phase = terms(timing, at("2027-03-25T20:00:01"), BERLIN)
    assert (phase.deadline_at, phase.grace_ends_at) == (at("2027-03-28T19:00"), at("2027-03-29T19:00"))


def test_no_deadline_comes_before_its_phase_opens():
    timing = replace(MOVE, next=0.1, clock=21 * 60, days="SMTWTFS")
    assert terms(timing, at("2026-05-11T19:30"), BERLIN).deadline_at == at("2026-05-12T19:00")


TWO_WEEKS = Terms(at("2026-05-04T10:00"), at("2026-05-04T10:00"), at("2026-05-14T19:00"), at("2026-05-15T19:00"))


@pytest.mark.parametrize(
    ("paused", "back", "deadline"),
    [
        ("2026-05-10T10:00", "2026-05-10T10:00:01", "2026-05-14T19:00"),
        ("2026-05-10T10:00", "2026-05-10T11:00", "2026-05-14T19:00"),
        ("2026-05-10T10:00", "2026-05-12T10:30", "2026-05-16T19:00"),
        ("2026-05-10T10:00", "2026-05-12T16:00", "2026-05-17T19:00"),
        ("2026-05-14T18:00", "2026-05-14T18:00:01", "2026-05-15T19:00"),
    ],
)
def test_a_pause_keeps_the_time_that_was_left_and_at_least_a_day(paused, back, deadline):
    timing = replace(MOVE, clock=21 * 60, days="SMTWTFS")
    after = resumed(TWO_WEEKS, at(paused), at(back), timing, BERLIN)
    assert after.deadline_at == at(deadline)
    assert after.grace_ends_at - after.deadline_at == timedelta(days=1)


def test_without_a_clock_a_pause_is_added_to_the_second():
    after = resumed(TWO_WEEKS, at("2026-05-10T10:00"), at("2026-05-10T10:20:05"), replace(MOVE, clock=-1), BERLIN)
    assert after.deadline_at == at("2026-05-14T19:20:05")


@pytest.mark.parametrize("paused", ["2026-05-14T19:00", "2026-05-14T19:00:01", "2026-05-15T10:00"])
def test_a_pause_in_grace_keeps_what_was_left_of_grace(paused):
    timing = replace(MOVE, clock=21 * 60, days="SMTWTFS")
    after = resumed(TWO_WEEKS, at(paused), at("2026-05-20T10:00"), timing, BERLIN)
    assert (after.deadline_at, after.grace_ends_at) == (TWO_WEEKS.deadline_at, at("2026-05-21T19:00"))
