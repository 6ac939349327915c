"""News that ask nothing of their reader wait, if the reader wants that, and come in one mail a day (SET DIGEST)."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from judge.store.states import MailKind
from judge.store.tables import Person, Seat

# To players: what happens beside the board. What tells of the board or of the time is no mere news for them.
_FOR_PLAYERS: frozenset[MailKind] = frozenset(("news", "absence", "changes", "late", "abandoned", "revealed"))
# A mail that is about to go takes nothing more.
_CLOSED = timedelta(minutes=2)


def waits_until(reader: Person, seat: Seat, what: MailKind, now: datetime) -> datetime | None:
    """When the reader gets a mail of that kind, which asks nothing of them; None: at once.

    A master has to look after the game: nothing waits for them. Nothing asks anything of an observer.
    """
    waits = seat.role == "observer" or seat.role == "player" and what in _FOR_PLAYERS
    return next_digest(reader.digest, reader.zone, now) if waits and reader.digest is not None else None


def next_digest(minutes: int, zone: str, now: datetime) -> datetime:
    """The next moment that is so many minutes of the day in `zone`, and not about to come."""
    earliest = now + _CLOSED
    there = earliest.astimezone(ZoneInfo(zone))
    moment = there.replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0)
    if moment < there:
        moment = (there + timedelta(days=1)).replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0)
    return moment.astimezone(now.tzinfo)
