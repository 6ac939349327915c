"""The last event that was posted to a club's chat room (judge/service/results_hook.py)."""

from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from judge.store.outbox import PAUSES
from judge.store.tables import Event, Posted


def begin(session: Session) -> None:
    """Note, when the hook is first used, that events up to now are not to be posted."""
    if not session.exec(select(Posted)).first():
        session.add(Posted(event_id=session.exec(select(func.max(Event.id))).one() or 0))


def next_event(session: Session, now: datetime) -> Event | None:
    """Return the next event to post at `now`, or None if there is none."""
    last = session.exec(select(Posted)).one()
    if last.next_try_at and last.next_try_at > now:
        return None
    later = select(Event).where(col(Event.id) > last.event_id, col(Event.kind).in_(("processed", "ended")))
    return session.exec(later.order_by(col(Event.id)).limit(1)).first()


def note(session: Session, event: Event, now: datetime, *, failed: bool) -> datetime | None:
    """Note that an event was posted, or that posting failed.

    Returns when posting is tried again, or None if it is not.
    """
    last = session.exec(select(Posted)).one()
    if failed and last.attempts < len(PAUSES):
        last.next_try_at = now + PAUSES[last.attempts]
        last.attempts += 1
        return last.next_try_at
    assert event.id
    last.event_id, last.attempts, last.next_try_at = event.id, 0, None
    return None
