"""The deadline of a game as an entry for calendars (RFC 5545), published with mails that tell it (RFC 5546, 3.2.1).

A game has one entry, whose UID stays: a later mail moves it, and the last one takes it away. So its SEQUENCE, the
seconds from the game's creation to the mail, only grows; that counts for 68 years.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache


@dataclass(frozen=True)
class Due:
    """When orders for the phase in words `phase` are due; `cancelled`: there is no such moment any more."""

    phase: str
    at: datetime
    cancelled: bool = False


@dataclass(frozen=True)
class Of:
    """Whose deadline it is: the game's name, when it was created, the part of the UID before the @; the judge."""

    game: str
    created_at: datetime
    mark: str
    judge: str


# The readers of a game get the same.
@lru_cache(maxsize=64)
def calendar(whose: Of, due: Due, now: datetime) -> str:
    """The calendar with that one entry, as a text of lines that end with CRLF."""
    # This library takes as long to load as all others, and few judges have readers who want it.
    from icalendar import Calendar, Event

    entry = Event()
    entry.add("uid", f"{whose.mark}@{whose.judge.rpartition('@')[2]}")
    entry.add("sequence", int((now - whose.created_at).total_seconds()))
    entry.add("dtstamp", now.astimezone(UTC))
    entry.add("dtstart", due.at.astimezone(UTC))
    entry.add("summary", f"{whose.game}: orders for {due.phase} are due" if due.phase else f"{whose.game}: no deadline")
    entry.add("status", "CANCELLED" if due.cancelled else "CONFIRMED")
    entry.add("transp", "TRANSPARENT")
    entry.add("organizer", f"mailto:{whose.judge}")
    whole = Calendar()
    whole.add("version", "2.0")
    whole.add("prodid", "-//judge//deadlines of Diplomacy games//EN")
    whole.add("method", "PUBLISH")
    whole.add_component(entry)
    written: bytes = whole.to_ical()
    return written.decode()
