"""Numbers and spans of time in the words of an answer."""

from datetime import datetime


def counted(number: int, noun: str) -> str:
    """`1 unit`, `2 units`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def time_left(now: datetime, until: datetime) -> str:
    """`1 day 4 hours`: the two largest parts of what is left."""
    seconds = max(0, int((until - now).total_seconds()))
    if seconds < 60:
        return counted(seconds, "second")
    parts = [(seconds // 86400, "day"), (seconds // 3600 % 24, "hour"), (seconds // 60 % 60, "minute")]
    return " ".join([counted(number, noun) for number, noun in parts if number][:2])
