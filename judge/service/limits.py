"""The longest time that each part of the judge's work may take.

A process may be alive and do nothing. So these limits are about work that the database shows as not done. Examples are
the oldest letter, the oldest due mail, and the latest maps. `judge status`, its exit status, the metrics and the mails
to the keeper all use `exceeded`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from judge.mails.templates import when
from judge.settings import Settings
from judge.store.stats import Census

# The share of the latest maps that must have been drawn, or else the keeper is warned.
LEAST_DRAWN = 0.5


@dataclass(frozen=True)
class Limit:
    """A limit on one part of the work, and the text for the keeper when it is exceeded.

    `since` returns when the oldest piece of this work began to wait. `subject` is the subject of the mail. `says` is a
    sentence with `{since}`. `to_do` says what the keeper can do.
    """

    what: str
    since: Callable[[Census], datetime | None]
    longest: timedelta
    subject: str
    says: str
    to_do: str


def _maps_lack_since(census: Census) -> datetime | None:
    """Return when the first missing map was requested, or None unless too many of the latest maps are missing."""
    asked = census.maps_drawn + census.maps_missing
    return census.maps_missing_since if census.maps_drawn < LEAST_DRAWN * asked else None


LIMITS = (
    Limit(
        "mailbox", attrgetter("last_sweep_at"), timedelta(minutes=20),
        "The mailbox cannot be read",
        "The mailbox was last read on {since}. Deadlines are on hold until it can be read again. Emails are then timed "
        "by when they reached the mailbox.",
        "See the log for the reason. To test the mailbox, run judge doctor. If the log is silent, restart judge run.",
    ),
    Limit(
        "letters", attrgetter("oldest_letter_at"), timedelta(minutes=5),
        "Emails are not being answered",
        "An email has been waiting to be handled since {since}.",
        "See the log for what judge run is doing. If the log is silent, restart judge run.",
    ),
    Limit(
        "outbox", attrgetter("oldest_due_mail_at"), timedelta(minutes=5),
        "Emails are not being sent",
        "An email has been due since {since}.",
        "To see what it waits for, run judge mails list --waiting. See the log of the process that sends. If that log "
        "is silent, restart the process.",
    ),
    Limit(
        "phases", attrgetter("next_due_at"), timedelta(minutes=10),
        "A phase is overdue",
        "A phase was due on {since} and has not been processed.",
        "See the log for what judge run is doing. If the log is silent, restart judge run.",
    ),
    Limit(
        "maps", _maps_lack_since, timedelta(0),
        "Maps are not being drawn",
        "Most of the last maps could not be drawn, the first on {since}. Emails go out without them.",
        'See the log for the reason ("no picture"). If it names none, restart judge run and all workers.',
    ),
)  # fmt: skip


def exceeded(
    census: Census, settings: Settings, now: datetime, started_at: datetime | None = None
) -> Iterator[tuple[Limit, str]]:
    """Yield each exceeded limit, and the text for the keeper.

    `started_at` is when the process that does the work started. Time before that does not count.
    """
    # Add twice the interval between two checks of the mailbox, since deadlines wait for a check.
    usual = timedelta(seconds=min(settings.mailbox.poll, settings.sweep))
    for limit in LIMITS:
        since = limit.since(census)
        if not since:
            continue
        waits_since = max(since, started_at or since)
        if now - waits_since > limit.longest + 2 * usual:
            yield limit, limit.says.format(since=when(since, settings.zone))
