"""Compute deadlines (HELP deadlines) from NEXT, CLOCK, DAYS and absences.

A deadline is NEXT hours after the phase opens. It is moved to the next CLOCK on an allowed day, outside absences. All
results are in UTC. The time of day and the days of the week are those in the time zone of the game. A time that is
skipped when the clocks go forward is read as an hour later. So no change between summer and winter time moves a
deadline by a day.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from judge.games.core.setting_fields import Timing
from judge.games.core.settings import Span, Terms
from judge.rules import listed

_SUNDAY_FIRST = 6
_NOON = time(12)
_MIDNIGHT = time(0)
_LEAST_EXTENSION = timedelta(days=1)
# A phase that opens up to this long after CLOCK is timed as if it had opened at CLOCK. Usually it opens a second later.
_SOON_AFTER = timedelta(hours=1)


def terms(
    timing: Timing,
    opened_at: datetime,
    zone: str,
    not_before: datetime | None = None,
    absences: Sequence[Span] = (),
    strict_grace: bool = False,
) -> Terms:
    """Return the moments of a phase that opens at `opened_at`.

    If it opens up to an hour after CLOCK, it is timed as if it had opened at CLOCK. The deadline is never before MIN.
    `not_before` is the earliest deadline that the previous phase allows (its `floor_at`). If `strict_grace` is true,
    the end of grace is not moved to an allowed day.
    """
    earliest = opened_at + timedelta(hours=timing.min)
    usual = _later(_as_at_clock(opened_at, timing, zone), timing.next, timing, zone)
    deadline = allowed(max(usual, earliest, not_before or opened_at), timing, zone, absences)
    grace = _later(deadline, timing.grace, timing, zone)
    return Terms(
        opened_at=opened_at,
        earliest_at=earliest,
        deadline_at=deadline,
        grace_ends_at=grace if strict_grace or not timing.grace else allowed(grace, timing, zone, absences),
    )


def _as_at_clock(moment: datetime, timing: Timing, zone: str) -> datetime:
    """Return CLOCK if `moment` is up to an hour after it, or else `moment`."""
    if timing.clock < 0:
        return moment
    place = ZoneInfo(zone)
    day = (moment - _SOON_AFTER).astimezone(place).date()
    return next((at for at in _at_clock(day, timing, place) if at <= moment <= at + _SOON_AFTER), moment)


def _at_clock(day: date, timing: Timing, zone: ZoneInfo) -> Sequence[datetime]:
    """Return the moment of CLOCK on that day and the one on the next day."""
    at = time(timing.clock // 60, timing.clock % 60)
    return [_utc(one, at, zone) for one in (day, day + timedelta(days=1))]


def _later(moment: datetime, hours: float, timing: Timing, zone: str) -> datetime:
    """Return the moment `hours` later.

    If there is a CLOCK, these are hours of local time, so that summer time has no effect.
    """
    if timing.clock < 0:
        return moment + timedelta(hours=hours)
    return (moment.astimezone(ZoneInfo(zone)) + timedelta(hours=hours)).astimezone(UTC)


def extended(
    before: Terms, gone_at: datetime, back_at: datetime, timing: Timing, zone: str, absences: Sequence[Span] = ()
) -> Terms:
    """Return the moments of a phase after an outage of the judge from `gone_at` to `back_at`.

    The deadline, or else the end of grace, passed during the outage, and is moved. After the outage, as much time is
    left until that moment as when the outage began. At least a day is left, so that all players can read the notice. If
    the deadline is moved, grace keeps its length.
    """

    def moved(moment: datetime) -> datetime:
        return allowed(back_at + max(moment - gone_at, _LEAST_EXTENSION), timing, zone, absences)

    if gone_at < before.deadline_at <= back_at:
        return postponed(before, moved(before.deadline_at))
    return replace(before, grace_ends_at=moved(before.grace_ends_at))


def resumed(
    before: Terms, paused_at: datetime, back_at: datetime, timing: Timing, zone: str, absences: Sequence[Span] = ()
) -> Terms:
    """Return the moments of a phase after a pause, with as much time left as when the pause began.

    At least a day is left. If the deadline had passed when the pause began, the time until the end of grace is kept. As
    much of MIN is left as when the pause began.
    """
    passed = before.deadline_at <= paused_at
    ends_at = before.grace_ends_at if passed else before.deadline_at
    moment = back_at + max(ends_at - paused_at, _LEAST_EXTENSION)
    if ends_at <= moment <= ends_at + _SOON_AFTER:
        moment = ends_at if timing.clock >= 0 else moment
    else:
        moment = allowed(_as_at_clock(moment, timing, zone), timing, zone, absences)
    if passed:
        return replace(before, grace_ends_at=moment)
    left = max(before.earliest_at - paused_at, timedelta(0))
    return postponed(replace(before, earliest_at=back_at + left) if left else before, moment)


def postponed(before: Terms, deadline: datetime) -> Terms:
    """Return the moments with this deadline.

    Grace keeps its length. The earliest end of the phase is never after the new deadline.
    """
    grace = deadline + (before.grace_ends_at - before.deadline_at)
    return replace(before, deadline_at=deadline, grace_ends_at=grace, earliest_at=min(before.earliest_at, deadline))


def not_before(terms: Terms, start: datetime) -> Terms:
    """Return the terms of a phase that ends at `start` at the earliest, with an earlier deadline moved to `start`."""
    return replace(postponed(terms, max(terms.deadline_at, start)), earliest_at=start)


def without_grace_in(absences: Sequence[Span], before: Terms, timing: Timing, zone: str) -> Terms:
    """Return the terms, with an end of grace in an absence moved to the next allowed moment."""
    grace = before.grace_ends_at
    if grace == before.deadline_at or not any(start <= grace < end for start, end in absences):
        return before
    return replace(before, grace_ends_at=allowed(grace, timing, zone, absences))


def allowed(moment: datetime, timing: Timing, zone: str, absences: Sequence[Span] = ()) -> datetime:
    """Return the first moment from `moment` on that is at CLOCK, on an open day and in no absence.

    The result is in UTC, in whole seconds.
    """
    place = ZoneInfo(zone)
    moment = moment.astimezone(UTC).replace(microsecond=0)
    # The loop ends, since each step goes forward in time, at least one day is open, and absences end.
    while (later := _moved(moment, timing, place, absences)) != moment:
        moment = later
    return moment


def _moved(moment: datetime, timing: Timing, zone: ZoneInfo, absences: Sequence[Span]) -> datetime:
    """Return `moment`, moved forward for the first reason that applies. Other reasons may move it again."""
    local = moment.astimezone(zone)
    if timing.clock >= 0:
        on_clock = next(at for at in _at_clock(local.date(), timing, zone) if at >= moment)
        if on_clock != moment:
            return on_clock
    day = timing.days[(local.weekday() - _SUNDAY_FIRST) % 7]
    if day == "-":
        return _utc(local.date() + timedelta(days=1), _MIDNIGHT, zone)
    if day.islower() and local.time() < _NOON:
        return _utc(local.date(), _NOON, zone)
    return max((end for start, end in absences if start <= moment < end), default=moment)


def _utc(day: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, at, tzinfo=zone).astimezone(UTC)


# {time zone: its abbreviations}. Some abbreviations belong to several time zones, or are used for half of the year.
# Python knows some (EST, CET) as fixed offsets, but people who write these mean zones with summer time.
_ABBREVIATIONS = {
    "Africa/Johannesburg": "sast",
    "America/Anchorage": "akst akdt",
    "America/Argentina/Buenos_Aires": "art",
    "America/Chicago": "cst cdt ct",
    "America/Denver": "mst mdt mt",
    "America/Halifax": "ast adt",
    "America/Los_Angeles": "pst pdt pt",
    "America/New_York": "est edt et",
    "America/Sao_Paulo": "brt brst",
    "Asia/Dubai": "gst",
    "Asia/Hong_Kong": "hkt",
    "Asia/Jerusalem": "ist idt",
    "Asia/Kolkata": "ist",
    "Asia/Seoul": "kst",
    "Asia/Shanghai": "cst",
    "Asia/Singapore": "sgt",
    "Asia/Tokyo": "jst",
    "Australia/Adelaide": "acst acdt",
    "Australia/Perth": "awst",
    "Australia/Sydney": "aest aedt",
    "Europe/Berlin": "cet cest mez mesz met mest",
    "Europe/Dublin": "ist",
    "Europe/Helsinki": "eet eest oez oesz",
    "Europe/Lisbon": "wet west",
    "Europe/London": "bst",
    "Europe/Moscow": "msk",
    "Pacific/Auckland": "nzst nzdt",
    "Pacific/Honolulu": "hst",
}


_OTHER_SIGN = {"+": "-", "-": "+"}


def find_zone(written: str) -> tuple[str, Sequence[str]]:
    """Return the time zone that `written` means, or "" and the zones that may be meant.

    A zone can be written as Europe/Berlin, berlin, New York or GMT+2.
    """
    offset = re.fullmatch(r"(?:UTC|GMT)\s*([+-])\s*(\d{1,2})(?::?00)?", written.strip(), re.IGNORECASE)
    if offset and int(offset[2]) <= 12:
        # Zones named Etc/GMT have the opposite sign (POSIX). People write GMT+2 for the zone Etc/GMT-2.
        return f"Etc/GMT{_OTHER_SIGN[offset[1]]}{int(offset[2])}", ()
    wanted = "_".join(written.lower().split())
    if meant := abbreviated(wanted):
        return "", meant
    if exact := _zones().get(wanted):
        return exact, ()
    near = sorted(zone for lower, zone in _zones().items() if lower.endswith("/" + wanted))
    if len(near) == 1:
        return near[0], ()
    return "", near[:3]


def no_zone(written: str, meant: Sequence[str]) -> tuple[str, str]:
    """Return sentences that say that `written` is not a time zone, and a zone to write instead."""
    if not meant:
        return f'"{written}" is not a time zone.', "Europe/Berlin"
    return f'"{written}" is not a time zone. Did you mean {listed(meant, "or")}?', meant[0]


def abbreviated(written: str) -> list[str]:
    """Return the time zones that an abbreviation may mean, or none if the abbreviation is not known."""
    word = written.lower()
    return [zone for zone, words in _ABBREVIATIONS.items() if word in words.split()]


@cache
def _zones() -> dict[str, str]:
    """Return {name in lowercase: name} of all time zones, cached since about 600 files are read."""
    return {zone.lower(): zone for zone in available_timezones()}
