"""The time of an event, at which its letter reached the mail server or its task was due.

With these times the same letters give the same games, however late they are handled (docs/guarantees.md, "Recovery").
An event that is handled more than LATE after its time gets the time of handling. No one could act on the event before
that. But letters that are replayed after a recovery keep their times, as if the judge had been running.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, select

from judge.store.tables import Watch

LATE = timedelta(hours=1)
# An event handled within this delay is prompt. The time that people have to act then runs from the event itself.
AT_ONCE = timedelta(minutes=1)


@dataclass(frozen=True)
class EventTime:
    """The time of an event, and the time of its handling, from which its mails can be sent."""

    at: datetime
    handled_at: datetime
    replayed: bool = False

    @property
    def told_at(self) -> datetime:
        """The moment from which the readers of this event's mails have time to act."""
        is_prompt = self.replayed or self.handled_at - self.at <= AT_ONCE
        return self.at if is_prompt else self.handled_at

    @property
    def known_at(self) -> datetime:
        """The earliest arrival of a letter whose writer can know of the event.

        In a replay, this is the time of the event.
        """
        return self.at if self.replayed else self.handled_at


def watch_of(session: Session) -> Watch | None:
    """Return the row with the last event's time and the state of a replay.

    Returns None before the daemon's first check of the mailbox.
    """
    return session.exec(select(Watch)).first()


def happens(watch: Watch | None, at: datetime, now: datetime, *, in_order: bool = True) -> EventTime:
    """Return the time of an event that was due `at` and is handled `now`.

    The time is never earlier than that of the event before, which the row `watch` has. `in_order` is false if this
    event overtakes earlier ones, which are independent of it and keep their own times.
    """
    replayed = bool(watch and watch.replays_until and at <= watch.replays_until)
    is_late = now - at > LATE and not replayed
    moment = now if is_late else min(at, now)
    if not watch or not in_order:
        return EventTime(moment, now, replayed)
    if watch.event_at:
        # Do not use a time in the future. If the system's clock was set back, the event before may be in the future.
        moment = max(moment, min(watch.event_at, now))
    watch.event_at = moment
    return EventTime(moment, now, replayed)


def replays_until(session: Session) -> datetime | None:
    """Return the end of the time whose letters are being replayed, or None without a replay."""
    return session.exec(select(Watch.replays_until)).first()


def recovered_until(session: Session) -> datetime | None:
    """Return the end of the last period that was replayed, or None.

    Mails about that time may have been sent before.
    """
    return session.exec(select(Watch.recovered_until)).first()


def begin_replay(session: Session, now: datetime) -> None:
    """Begin a replay of the letters that arrived before `now`.

    The time until `now` is treated as time in which the judge was running.
    """
    watch = watch_of(session) or Watch(swept_at=now)
    watch.swept_at = watch.replays_until = watch.recovered_until = now
    session.add(watch)


def end_replay(session: Session) -> None:
    """End the replay, since all events of the replayed time have been handled."""
    session.exec(select(Watch)).one().replays_until = None
