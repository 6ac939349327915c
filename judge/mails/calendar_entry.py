"""The deadline of a game as a calendar entry (RFC 5545), published with mails that announce it (RFC 5546, 3.2.1).

A game has one entry, whose UID stays: a later mail moves it, and the last one cancels it. Its SEQUENCE, the seconds
from the game's creation to the mail, only grows, and suffices for 68 years.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache


@dataclass(frozen=True)
class Due:
    """When orders are due; `phase`: the phase in words; `cancelled`: there is no deadline any longer."""

    phase: str
    at: datetime
    cancelled: bool = False


@dataclass(frozen=True)
class Of:
    """The game of a deadline: its name, when it was created, the UID before the @, and the judge's address."""

    game: str
    created_at: datetime
    mark: str
    judge: str


# Cached, since all readers of a game get the same.
@lru_cache(maxsize=64)
def calendar(whose: Of, due: Due, now: datetime) -> str:
    """A calendar with that one entry, as text with CRLF line ends."""
    # Imported here: this library takes as long to load as all others together, and few judges need it.
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
