"""Dates as players write them, read into UTC (judge-style words or ISO 8601), in the game's zone.

A date that is ambiguous or does not exist is refused with an example of what to write.
"""

import re
from calendar import isleap
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import TypedDict
from zoneinfo import ZoneInfo

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOISE = {"on", "to", "at", "by", "the", "of"}
_FAR_AHEAD = timedelta(days=120)
# No game needs dates farther ahead; and moments computed from the last deadline must still be valid dates.
_FARTHEST = timedelta(days=731)
# Any game is younger, and every moment in that time is a valid date in every zone.
_LONGEST_AGO = timedelta(days=36525)


class DateError(ValueError):
    """A date that cannot be used; the message says what to write instead."""


class _Parts(TypedDict, total=False):
    """What the words of a date say; `date`: year, month and day in one word."""

    weekday: int
    day: int
    month: int
    year: int
    date: tuple[int, int, int]
    time: time
    zone: tzinfo


# Makes the error from the reason why the date cannot be used.
_Refuse = Callable[[str], DateError]


def read_date(
    text: str, now: datetime, zone: str, clock: time = time(23, 30), *, past: bool = False
) -> datetime:
    """The moment (UTC) that `text` names in `zone` when read at `now`; `clock` stands in for a missing time.

    Reads `2026-05-14 21:00`, `May 14 21:00`, `14 May 2026`, `Fri 21:00` (the next Friday, today excluded) and
    `21:30` (today), each with an optional `UTC` or offset behind it. Raises DateError. If `clock` does not exist on
    that day, since the clocks go forward, the moment after it is used.

    `past`: what has been is meant, so a day without its year is the last such day, today included.
    """
    place = ZoneInfo(zone)
    words = [word for word in re.split(r"[\s,]+", text.strip().lower()) if word and word not in _NOISE]
    words = [part for word in words for part in _split_iso(word)]
    if not words:
        raise DateError(_example("no date was given", now, place))
    parts = _sort_words(words, text, now, place)
    tz = parts.get("zone", place)
    today = now.astimezone(tz).date()
    day = (_past_day if past else _day)(
        parts, today, lambda why: DateError(_example(why, now - timedelta(days=7) * past, place))
    )
    if abs(day - today) > (_LONGEST_AGO if past else _FARTHEST):
        away = "a hundred years" if past else "two years"
        raise DateError(_example(f"{day.isoformat()} is more than {away} away", now, place))
    local = datetime.combine(day, parts.get("time", clock), tzinfo=tz)
    moment = local.astimezone(UTC)
    if "time" in parts and moment.astimezone(tz).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise DateError(
            f"{local:%H:%M} does not exist on {local:%a %b} {local.day} in {zone}: the clocks go forward then"
        )
    return moment


def _split_iso(word: str) -> list[str]:
    match = re.fullmatch(r"(\d{4}-\d{1,2}-\d{1,2})t(\d.*)", word)
    if match:
        return [match[1], *_split_iso(match[2])]
    match = re.fullmatch(r"(\d{1,2}:\d\d(?::\d\d)?)(z|[+-]\d\d:?\d\d)", word)
    return [match[1], match[2]] if match else [word]


def _sort_words(words: list[str], text: str, now: datetime, zone: ZoneInfo) -> _Parts:
    """What the words say together; unknown words, and two words that say the same thing, are refused."""
    parts: _Parts = {}
    for word in words:
        said = _classify(word)
        if not said:
            raise DateError(_example(f'"{word}" in "{text.strip()}" is not part of a date', now, zone))
        if twice := said.keys() & parts.keys():
            raise DateError(_example(f'"{text.strip()}" gives the {twice.pop()} twice', now, zone))
        parts.update(said)
    return parts


def _classify(word: str) -> _Parts:
    """The part of a date that a word gives; nothing if it is no part of a date."""
    if match := re.fullmatch(r"(\d{1,2}):(\d\d)(?::(\d\d))?", word):
        hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
        if hour < 24 and minute < 60 and second < 60:
            return {"time": time(hour, minute, second)}
    if match := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", word):
        return {"date": (int(match[1]), int(match[2]), int(match[3]))}
    if word in ("utc", "gmt", "z"):
        return {"zone": UTC}
    if match := re.fullmatch(r"([+-])([01]\d):?([0-5]\d)", word):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return {"zone": timezone(-offset if match[1] == "-" else offset)}
    if match := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)?", word):
        return {"day": int(match[1])}
    if re.fullmatch(r"\d{4}", word):
        return {"year": int(word)}
    if len(word) >= 3 and word.rstrip(".").isalpha():
        stem = word[:3]
        if stem in _WEEKDAYS:
            return {"weekday": _WEEKDAYS.index(stem)}
        if stem in _MONTHS:
            return {"month": _MONTHS.index(stem) + 1}
    return {}


def _day(parts: _Parts, today: date, refuse: _Refuse) -> date:
    if "date" in parts:
        day = _real_day(*parts["date"], refuse)
    elif "month" in parts and "day" in parts:
        day = _next_occurrence(parts, today, refuse)
    elif "weekday" in parts and "day" not in parts and "month" not in parts:
        return today + timedelta(days=(parts["weekday"] - today.weekday() - 1) % 7 + 1)
    elif "day" in parts or "month" in parts or "year" in parts:
        raise refuse("day and month are both needed")
    else:
        return today
    if "weekday" in parts and day.weekday() != parts["weekday"]:
        named = _WEEKDAYS[parts["weekday"]].title()
        raise refuse(f"{day:%b} {day.day} {day.year} is a {day:%A}, not a {named}")
    return day


def _past_day(parts: _Parts, today: date, refuse: _Refuse) -> date:
    """The last day that the words fit, today included."""
    if "month" in parts and "day" in parts and "year" not in parts:
        for year in (today.year, today.year - 1):
            # February 29 has no meaning in most years.
            if (parts["month"], parts["day"]) == (2, 29) and not isleap(year):
                continue
            day = _real_day(year, parts["month"], parts["day"], refuse)
            if day <= today:
                return _day({**parts, "year": day.year}, today, refuse)
        raise refuse("the year is needed")
    if "weekday" in parts and not {"day", "month", "date"} & parts.keys():
        return today - timedelta(days=(today.weekday() - parts["weekday"]) % 7)
    return _day(parts, today, refuse)


def _next_occurrence(parts: _Parts, today: date, refuse: _Refuse) -> date:
    month, number = parts["month"], parts["day"]
    if "year" in parts:
        return _real_day(parts["year"], month, number, refuse)
    day = _real_day(today.year, month, number, refuse)
    if day < today:
        day = _real_day(today.year + 1, month, number, refuse)
    if day - today > _FAR_AHEAD:
        raise refuse(f"{day:%b} {day.day} is more than {_FAR_AHEAD.days} days ahead, so the year is needed")
    return day


def _real_day(year: int, month: int, number: int, refuse: _Refuse) -> date:
    try:
        return date(year, month, number)
    except ValueError:
        raise refuse(f"there is no day {number} in month {month} of {year}") from None


def _example(why: str, now: datetime, zone: ZoneInfo) -> str:
    sample = now.astimezone(zone) + timedelta(days=3)
    return f"{why}; write the date like {sample:%Y-%m-%d} 21:00 (times are {zone.key})"

