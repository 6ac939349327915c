"""Spans of time in words."""

from datetime import datetime


def time_left(now: datetime, until: datetime) -> str:
    """The time left in its two largest units, such as `1 day 4 hours`."""
    seconds = max(0, int((until - now).total_seconds()))
    if seconds < 60:
        return _counted(seconds, "second")
    parts = [(seconds // 86400, "day"), (seconds // 3600 % 24, "hour"), (seconds // 60 % 60, "minute")]
    return " ".join([_counted(number, noun) for number, noun in parts if number][:2])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
