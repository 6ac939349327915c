"""Read times as people write them: dates, times of day and lengths of time.

No other module reads times that people write in their emails. Words are looked up in the tables below, and nothing is
guessed. A text that has no meaning, or two meanings, is refused with an example of a valid text.
"""

import re
from bisect import bisect_left, bisect_right
from calendar import isleap
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Literal, TypedDict
from zoneinfo import ZoneInfo

from judge.games.core.work import Refusal
from judge.games.deadlines.calendar import abbreviated, find_zone
from judge.rules import by_number, capitalized
from judge.rules.board.names import word_set
from judge.rules.parsing.recognition import is_remark

_WEEKDAYS = (
    "mon monday", "tue tues tuesday", "wed weds wednesday", "thu thur thurs thursday", "fri friday", "sat saturday",
    "sun sunday",
)  # fmt: skip
_MONTHS = (
    "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
    "sep sept september", "oct october", "nov november", "dec december",
)  # fmt: skip
_WEEKDAY = {word: number for number, words in enumerate(_WEEKDAYS) for word in words.split()}
_MONTH = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_FROM_TODAY = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
# Midnight is 24:00, so with a weekday it is the end of that day.
_HOURS_NAMED = {"noon": (12, 0, 0), "midday": (12, 0, 0), "midnight": (24, 0, 0)}
_UNITS = {
    **dict.fromkeys(word_set("min mins minute minutes"), timedelta(minutes=1)),
    **dict.fromkeys(word_set("h hr hrs hour hours"), timedelta(hours=1)),
    **dict.fromkeys(word_set("d day days"), timedelta(days=1)),
    **dict.fromkeys(word_set("w wk wks week weeks"), timedelta(weeks=1)),
}
# Patterns for dividing a text into the parts of a date: `2026-05-14T21:00Z` has three parts, `9 p.m.` and `12 noon`
# have one.
_DATE_BEFORE_TIME = re.compile(r"(?<!\S)(\d{4}-\d{1,2}-\d{1,2})t(?=\d)")
_TIME_BEFORE_ZONE = re.compile(r"(?<!\S)(\d{1,2}:\d\d(?::\d\d)?)(?=(?:z|utc|gmt|[+-]\d\d:?\d\d)(?: |$))")
_HALF = re.compile(r"(?<!\S)([\d:.]{1,8}) ?([ap])\.?m\.?(?= |$)")
_TWELVE = re.compile(r"(?<!\S)12(?::00)? (?=(?:noon|midday|midnight)(?: |$))")
_UHR = re.compile(r"(?<!\S)(\d{1,2})(?:[:.](\d\d))? ?uhr(?= |$)")
# Words that are a time of day only after a day of the week: `Fri 2100`, `Fri 21h`. Elsewhere 2100 is a year, and 21h is
# a length of time.
_TIME_OF_WEEKDAY = re.compile(r"(\d{2})(\d\d)|(\d{1,2})h(\d\d)?")
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d\d)(?::(\d\d))?)?(am|pm)?")
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
# Words that may change the date next to them if they are in brackets. The parts of a date are such words too.
_OTHER_MOMENT = word_set("""
    am pm morning afternoon evening night time zone local earlier sooner before after but proposed proposal one
    two three four five morgens mittags abends nachts
""")
# A length of time before or after now: `in 3 days` and `+48h`, or `2 weeks ago`.
_FROM_NOW = re.compile(r"(?:(?:in |\+ ?)(\d{1,4}|an?) ?([a-z]+)|(\d{1,4}|an?) ?([a-z]+) ago)(?= |$)")
_NOISE = word_set("on to at by the of this until for")
_DAY = timedelta(days=1)
_FAR_AHEAD = timedelta(days=120)
# The maximum time since the beginning of an absence that a person sets or cancels.
_NOT_LONG_AGO = timedelta(days=60)
_MOST_HOURS = 60 * 24

# The day that a date without a year means. "ahead" is the next such day. "back" is the last such day, which may be
# today. "near" is the next such day, or a recent one if the next is far ahead.
Facing = Literal["ahead", "back", "near"]
# How far ahead a date can be. No game needs later dates, and moments computed from the last deadline must be valid
# dates.
_FARTHEST = (timedelta(days=731), "two years")
# For each `facing`, how far away a day can be, as a span and in words. All games are younger than a hundred years.
# Every moment in these spans is a valid date in every time zone.
_REACH = {"ahead": _FARTHEST, "near": _FARTHEST, "back": (timedelta(days=36525), "a hundred years")}
# For each `facing`, the number of days from today to the date that an error shows as an example.
_EXAMPLE = {"ahead": 3, "near": 3, "back": -4}


class _Unclear(Exception):
    """The words are not a date. The text is a clause that says why."""


class _Parts(TypedDict, total=False):
    """The parts of a date that its words give.

    `time` is the time of day, up to 24:00. `from_today` is a number of days after today. `span` is a length of time
    from now.
    """

    weekday: int
    day: int
    month: int
    year: int
    time: tuple[int, int, int]
    zone: tzinfo
    from_today: int
    span: timedelta


_NAMES = {"from_today": "day", "span": "time"}


def read_date(
    text: str,
    now: datetime,
    zone: str,
    clock: time = time(23, 30),
    facing: Facing = "ahead",
    after: datetime | None = None,
) -> datetime:
    """Return the moment (UTC) that `text` means in `zone` at the time `now`. Raises Refusal.

    It reads dates such as `2026-05-14 21:00`, `May 14 9 pm` and `14.5.2026 21:00`. `Fri noon` is today only if it is
    Friday, before noon, and `Fri` is never today. `21:30` is today. `tomorrow` and `in 3 days` are days. `in 48 hours`
    and `+48h` are exact times from now. A time zone can follow each of these.

    If `text` has no time of day, `clock` is used. If the clocks skip `clock` on that day, the moment after it is used.
    If `after` is given, a date is looked for from the day of `after` on. A time without a day is on that day.
    """
    try:
        parts = _sort_words(text)
        if "span" in parts:
            return (now + parts["span"]).astimezone(UTC).replace(microsecond=0)
        tz = parts.get("zone", ZoneInfo(zone))
        here = now.astimezone(tz)
        today = here.date()
        start = after.astimezone(tz).date() if after else today
        ahead = parts.get("from_today")
        is_to_come = not after and parts.get("time", (0, 0, 0)) > (here.hour, here.minute, here.second)
        day = _day(parts, start, facing, is_to_come) if ahead is None else today + timedelta(days=ahead)
        farthest, in_words = _REACH[facing]
        if abs(day - start) > farthest:
            raise _Unclear(f"{day.isoformat()} is more than {in_words} {'ago' if day < start else 'away'}")
        if "time" not in parts:
            return datetime.combine(day, clock, tzinfo=tz).astimezone(UTC)
        hour, minute, second = parts["time"]
        local = datetime.combine(day + hour // 24 * _DAY, time(hour % 24, minute, second), tzinfo=tz)
        return _once(local, zone)
    except _Unclear as unclear:
        place, why = ZoneInfo(zone), str(unclear)
        sample = now.astimezone(place) + timedelta(days=_EXAMPLE[facing])
        example = f"Write the date like {sample:%Y-%m-%d} 21:00 (times are {place.key})"
        raise Refusal(f"{capitalized(why)}. {example}.") from None


def written(moment: datetime, zone: str) -> str:
    """Return a moment, to the second, in a form that `read_date` reads as the same moment."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%Y-%m-%d %H:%M:%S}{f' {local:%z}' * _is_twofold(local)}"


def read_clock(text: str) -> int:
    """Return the time of day in `text`, in minutes after midnight.

    It reads `21:00`, `9 pm`, `noon` and `1260`. Raises ValueError with a clause on what is wrong.
    """
    words = _words(text)
    word = words[0] if len(words) == 1 else ""
    meanings = [said[:2]] if (said := _time(word, alone=True)) else []
    if re.fullmatch(r"\d{1,4}", word):
        meanings = _clocks(word)
    if len(meanings) != 1:
        told = " or ".join(f"{hour:02}:{minute:02}" for hour, minute in meanings)
        either = f"{word} may be {told}; " if meanings else ""
        raise ValueError(f"{either}write a time of day like 21:00, minutes after midnight, or NONE")
    hour, minute = meanings[0]
    return hour % 24 * 60 + minute


def _clocks(digits: str) -> list[tuple[int, int]]:
    """Return the times of day that a number can mean: as minutes after midnight, or without its colon."""
    number = int(digits)
    hour, minute = divmod(number, 100) if len(digits) > 2 else (number, 0)
    found = set()
    if number < 24 * 60:
        found.add(divmod(number, 60))
    if _real_time(hour, minute):
        found.add((hour % 24, minute))
    return sorted(found)


def read_hours(text: str) -> float:
    """Return the length of time in `text`, in hours, up to 60 days. Raises ValueError.

    It reads `72`, `72h`, `3 days` and `0.5`.
    """
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s?([a-z]*)", text.strip().lower())
    unit = _UNITS.get(match[2] or "h") if match else None
    hours = float(match[1]) * (unit / timedelta(hours=1)) if match and unit else _MOST_HOURS + 1
    if hours > _MOST_HOURS:
        raise ValueError("write a number of hours like 72 or 0.5, up to 60 days")
    return int(hours) if hours == int(hours) else hours


def continues(said: str, word: str) -> bool:
    """Return whether `word` belongs to the number or time `said` before it, as in `3 days` or `9 pm`."""
    lower = word.lower()
    is_unit = lower in _UNITS or re.fullmatch(r"[ap]\.?m\.?|uhr", lower) is not None
    return is_unit and re.fullmatch(r"[\d.:]{1,8}", said) is not None


def _once(local: datetime, zone: str) -> datetime:
    """Return `local` in UTC. Raises Refusal if the clocks skip or repeat that time on that day."""
    moment = local.astimezone(UTC)
    day = f"{local:%H:%M}", f"{local:%a %b} {local.day} in {zone}"
    if moment.astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise Refusal(f"{day[0]} does not exist on {day[1]}: the clocks go forward then.")
    if _is_twofold(local):
        first, second = f"{local:%z}", f"{local.replace(fold=1):%z}"
        raise Refusal(
            f"{day[0]} comes twice on {day[1]}, because the clocks go back then. Write {day[0]} {first} or "
            f"{day[0]} {second} after the date."
        )
    return moment


def _is_twofold(local: datetime) -> bool:
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


def _words(text: str) -> list[str]:
    """Return the words of a date, one for each part: `9 p.m.` is one word, `21:00Z` is two."""
    plain = " ".join(re.split(r"[\s,]+", text.lower()))
    plain = _TIME_BEFORE_ZONE.sub(r"\1 ", _DATE_BEFORE_TIME.sub(r"\1 ", plain))
    plain = _UHR.sub(lambda hour: f"{hour[1]}:{hour[2] or '00'}", plain)
    plain = _TWELVE.sub("", _HALF.sub(r"\1\2m", plain))
    return [word for word in plain.split() if word not in _NOISE]


def _sort_words(text: str) -> _Parts:
    """Return the parts of a date in `text`. Raises _Unclear for an unknown word, or two words for one part."""
    parts: _Parts = {}
    trimmed = _IN_BRACKETS.sub(lambda found: " " if _is_idle(found[1]) else found[0], text)
    rest = _words(trimmed.lstrip(" :").rstrip(" !"))
    if not rest:
        raise _Unclear("no date was given")
    # In `Fri 2100`, the number is a time of day, unless a day, month or time is also given.
    instead: _Parts = {}
    at: _Parts = {}
    while rest:
        said, used = _first_said(text, rest, at)
        if "year" in said:
            instead = at
        twice = [_NAMES.get(name, name) for name in said if name in parts]
        if twice:
            raise _Unclear(f'"{text.strip()}" gives the {by_number(len(twice), twice[0], "date")} twice')
        parts.update(said)
        rest = rest[used:]
        at = _time_of_weekday("".join(rest[:1])) if "weekday" in said else {}
    if instead and not parts.keys() & {"day", "month", "time"}:
        del parts["year"]
        parts.update(instead)
    for name, beside in (("span", set[str]()), ("from_today", {"time", "zone"})):
        if name in parts and parts.keys() - beside - {name}:
            raise _Unclear(f'"{text.strip()}" gives more than one time')
    return parts


def _first_said(text: str, words: Sequence[str], at: _Parts) -> tuple[_Parts, int]:
    """Return the parts that the first words give, and the number of these words.

    `at` is the time of day that the first word may be.
    """
    said, used = _from_now(words)
    if said:
        return said, used
    if said := _classify(words[0]) or at:
        return said, 1
    meant = _suggestion(words)
    raise _Unclear(f'"{words[0]}" in "{text.strip()}" is {f"unclear{meant}" if meant else "not part of a date"}')


def _is_idle(remark: str) -> bool:
    """Return whether a remark in brackets, such as (as agreed), cannot change the date before it."""
    if re.search(r"\d", remark) or find_zone(remark)[0] or not is_remark(remark):
        return False
    words = (word.strip(",;:!'\"*") for word in remark.lower().split())
    return not any(_may_be_of_date(word) for word in words)


def _may_be_of_date(word: str) -> bool:
    """Return whether a word may change a date, such as a part of a date, a time zone, or "before"."""
    if word in _OTHER_MOMENT or word in _UNITS or word.endswith(("n't", "n’t")):
        return True
    return bool(_classify(word) or find_zone(word)[0] or abbreviated(word))


def _time_of_weekday(word: str) -> _Parts:
    """Return the time that a word gives after a day of the week, as in `Fri 2100`."""
    match = _TIME_OF_WEEKDAY.fullmatch(word)
    if not match:
        return {}
    hour, minute = int(match[1] or match[3]), int(match[2] or match[4] or 0)
    return {"time": (hour, minute, 0)} if hour < 24 and minute < 60 else {}


def _from_now(words: Sequence[str]) -> tuple[_Parts, int]:
    """Return the span or day in `in 3 days`, `+48h` or `2 weeks ago`, and the number of these words."""
    if list(words[:3]) == ["day", "after", "tomorrow"]:
        return {"from_today": 2}, 3
    match = _FROM_NOW.match(" ".join(words))
    unit = _UNITS.get(match[2] or match[4]) if match else None
    if not (match and unit):
        return {}, 0
    number, used = match[1] or match[3], match[0].count(" ") + 1
    length = unit * int(number) if number.isdecimal() else unit
    if not match[1]:
        length = -length
    return ({"span": length} if unit < _DAY else {"from_today": length.days}), used


def _suggestion(words: Sequence[str]) -> str:
    word, following = words[0], "".join(words[1:2])
    if zones := abbreviated(word):
        example = f"UTC, an offset like +0200, or {' or '.join(zones)}"
        return f", because those letters can mean several time zones (write {example})"
    if match := re.fullmatch(r"(\d{1,2})([/.-])(\d{1,2})(?:\2(?:\d{4}|\d\d))?", word):
        meanings = _meanings(match)
        return f"; it could be {' or '.join(meanings)}" if len(meanings) == 2 else ""
    if word == "next" and following in _WEEKDAY:
        return f': "next {following}" may be the next one or the one a week later'
    unit = word.lstrip("0123456789")
    if unit in _UNITS and len(word) - len(unit) <= 4:
        return f' (write "in {word if word != unit else f"3 {word}"}" for that time from now)'
    zone, _ = find_zone(word)
    return f" (write {zone} for that time zone)" if zone else ""


def _meanings(match: re.Match[str]) -> list[str]:
    """Return what two numbers with a dot, a slash or the like between them mean: days, or a time and a day."""
    first, second = int(match[1]), int(match[3])
    meanings = []
    if 1 <= second <= 12:
        meanings.append(f"{date(2000, second, 1):%b} {first}")
    if match[2] != ".":
        if 1 <= first <= 12:
            meanings.append(f"{date(2000, first, 1):%b} {second}")
    elif first < 24 and len(match[3]) == 2:
        meanings.append(f"{first:02}:{match[3]}")
    return meanings


def _classify(word: str) -> _Parts:
    if at := _time(word):
        return {"time": at}
    if day := _whole_date(word):
        return day
    if zone := _zone(word):
        return {"zone": zone}
    if match := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)?", word):
        return {"day": int(match[1])}
    if re.fullmatch(r"\d{4}", word):
        return {"year": int(word)}
    named = word.removesuffix(".")
    if named in _WEEKDAY:
        return {"weekday": _WEEKDAY[named]}
    if named in _MONTH:
        return {"month": _MONTH[named]}
    if word in _FROM_TODAY:
        return {"from_today": _FROM_TODAY[word]}
    return {}


def _time(word: str, *, alone: bool = False) -> tuple[int, int, int] | None:
    """Return the time of day in a word such as `21:00`, `9pm`, `noon` or `24:00`, or None.

    `21.30` is a time only if it cannot be a date, or if a time is expected (`alone`).
    """
    if word in _HOURS_NAMED:
        return _HOURS_NAMED[word]
    match = _TIME.fullmatch(word)
    if not match:
        return None
    hour, minute, second = map(int, match.groups("0")[:3])
    if half := match[4]:
        return _real_time(hour % 12 + 12 * (half == "pm"), minute, second) if 1 <= hour <= 12 else None
    may_be_date = "." in word and 1 <= hour <= 31 and 1 <= minute <= 12
    if match[2] is None or may_be_date and not alone:
        return None
    return _real_time(hour, minute, second)


def _real_time(hour: int, minute: int, second: int = 0) -> tuple[int, int, int] | None:
    """Return the time of day with these numbers, or None if there is none (a day ends at 24:00)."""
    moment = (hour, minute, second)
    is_real = hour < 24 and minute < 60 and second < 60
    return moment if is_real or moment == (24, 0, 0) else None


def _whole_date(word: str) -> _Parts:
    """Return the date that one word gives: `2026-05-14`, `14.5.2026`, `14.5.`, `14/5/2026` (there is no month 14)."""
    if match := re.fullmatch(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", word):
        return {"year": int(match[1]), "month": int(match[3]), "day": int(match[4])}
    if match := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)?", word):
        found: _Parts = {"month": int(match[2]), "day": int(match[1])}
    elif match := re.fullmatch(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}))?", word):
        first, second = int(match[1]), int(match[2])
        if first != second and (first > 12) is (second > 12):
            return {}
        found = {"month": min(first, second), "day": max(first, second)}
    else:
        return {}
    if match[3]:
        found["year"] = int(match[3]) + 2000 * (len(match[3]) == 2)
    return found


def _zone(word: str) -> tzinfo | None:
    """Return the time zone that a word names (UTC, an offset, or a full name such as Europe/Berlin), or None."""
    if word in ("utc", "gmt", "z"):
        return UTC
    if match := re.fullmatch(r"(?:utc|gmt)?([+-])([01]?\d):?([0-5]\d)?", word):
        if not (match[3] or word[0].isalpha()):
            return None
        offset = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
        return timezone(-offset if match[1] == "-" else offset)
    name = find_zone(word)[0] if "/" in word else ""
    return ZoneInfo(name) if name else None


def _day(parts: _Parts, start: date, facing: Facing, is_to_come: bool) -> date:
    """Return the day that the parts give, from `start` on.

    `is_to_come` is true if the time of day in the parts is still ahead on the day `start`.
    """
    if "month" in parts and "day" in parts:
        day = _day_of_month(parts, start, facing)
    elif parts.keys() & {"day", "month", "year"}:
        raise _Unclear("day and month are both needed")
    elif "weekday" not in parts:
        return start
    elif facing == "back":
        return start - timedelta(days=(start.weekday() - parts["weekday"]) % 7)
    else:
        days = (parts["weekday"] - start.weekday()) % 7
        return start + timedelta(days=days if days or is_to_come else 7)
    if "weekday" in parts and day.weekday() != parts["weekday"]:
        named = _WEEKDAYS[parts["weekday"]].split()[0].title()
        raise _Unclear(f"{day:%b} {day.day} {day.year} is a {day:%A}, not a {named}")
    return day


def _day_of_month(parts: _Parts, start: date, facing: Facing) -> date:
    """Return the day with that month and number. Without a year, `facing` decides which day it is."""
    month, number = parts["month"], parts["day"]
    if "year" in parts:
        return _real_day(parts["year"], month, number)
    is_rare = (month, number) == (2, 29)
    years = (start.year, start.year + 1, start.year - 1)
    days = sorted([_real_day(year, month, number) for year in years if isleap(year) or not is_rare])
    past = days[: bisect_right(days, start)]
    if facing != "back":
        return _day_ahead(days[bisect_left(days, start) :], past, start, facing)
    if not past:
        raise _Unclear("the year is needed")
    return past[-1]


def _day_ahead(following: Sequence[date], past: Sequence[date], start: date, facing: Facing) -> date:
    """Return the next of these days if it is not far ahead. Otherwise return a recent one, if `facing` allows it."""
    if following and following[0] <= start + _FAR_AHEAD:
        return following[0]
    if facing == "near" and past and past[-1] >= start - _NOT_LONG_AGO:
        return past[-1]
    if not following:
        raise _Unclear("Feb 29 is more than a year ahead, so the year is needed")
    day = f"{following[0]:%b} {following[0].day}"
    raise _Unclear(f"{day} is more than {_FAR_AHEAD.days} days ahead, so the year is needed")


def _real_day(year: int, month: int, number: int) -> date:
    try:
        return date(year, month, number)
    except ValueError:
        raise _Unclear(f"there is no day {number} in month {month} of {year}") from None
