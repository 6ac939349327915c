"""The time of an event: when a letter reached the mail server, or when something was due, not when it is handled.

So the same letters give the same games, however long after them they are handled (docs/guarantees.md, "Recovery"). What
is handled more than LATE after its time happens when it is handled, since nobody could act on it before. But in a
replay, after a backup was restored, the judge is taken to have been up.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, select

from judge.store.tables import Watch

LATE = timedelta(hours=1)
# What is handled so soon was handled at once: a span within which its readers must do something begins then.
AT_ONCE = timedelta(minutes=1)


@dataclass(frozen=True)
class EventTime:
    """The moment at which an event happens, and the one at which it is handled, from which its mails can be sent."""

    at: datetime
    handled_at: datetime
    replayed: bool = False

    @property
    def told_at(self) -> datetime:
        """When a span begins within which a reader of its mails must do something."""
        is_prompt = self.replayed or self.handled_at - self.at <= AT_ONCE
        return self.at if is_prompt else self.handled_at

    @property
    def known_at(self) -> datetime:
        """From when a letter may know of the event; in a replay from the event on, as the mails of then did."""
        return self.at if self.replayed else self.handled_at


def watch_of(session: Session) -> Watch | None:
    """Return the row that knows of the last event, and what is replayed; None before the daemon's first look."""
    return session.exec(select(Watch)).first()


def happens(watch: Watch | None, at: datetime, now: datetime, *, in_order: bool = True) -> EventTime:
    """Return the time of what came or was due `at` and is handled `now`: never before that of the event before it.

    watch: its row, which notes the event. in_order: False if it overtakes earlier events, which have nothing to do with
    it and keep their own times.
    """
    replayed = bool(watch and watch.replays_until and at <= watch.replays_until)
    is_late = now - at > LATE and not replayed
    moment = now if is_late else min(at, now)
    if not watch or not in_order:
        return EventTime(moment, now, replayed)
    if watch.event_at:
        # Not the whole of it: the system's clock may have been set back.
        moment = max(moment, min(watch.event_at, now))
    watch.event_at = moment
    return EventTime(moment, now, replayed)


def replays_until(session: Session) -> datetime | None:
    """Return the end of the time whose letters are replayed; None if that is done, as it mostly is."""
    return session.exec(select(Watch.replays_until)).first()


def recovered_until(session: Session) -> datetime | None:
    """Return the end of the last time that was replayed; mails about it may have been sent before."""
    return session.exec(select(Watch.recovered_until)).first()


def begin_replay(session: Session, now: datetime) -> None:
    """Let the time until now count as time in which the judge was up."""
    watch = watch_of(session) or Watch(swept_at=now)
    watch.swept_at = watch.replays_until = watch.recovered_until = now
    session.add(watch)


def end_replay(session: Session) -> None:
    """Note that all that happened in the time that is replayed has been handled."""
    session.exec(select(Watch)).one().replays_until = None
