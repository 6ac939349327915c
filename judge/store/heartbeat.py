"""When the judge last looked through its mailbox, and the last time that it could not do so for long.

`look` runs after every sweep of the mailbox, before anything due is decided upon. An outage is noted in the
same transaction that ends it; a crash before that leaves the old row, and the next start finds the same outage.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, select

from judge.store.tables import Watch

# The row is written no more often than this, since a sweep that finds nothing should take almost no time.
PRECISION = timedelta(minutes=1)


def look(session: Session, swept_at: datetime, limit: timedelta) -> timedelta | None:
    """Record a sweep that began at `swept_at`; returns the length of the outage that it ended, if longer than `limit`.
    """
    watch = session.exec(select(Watch)).first()
    if watch is None:
        session.add(Watch(swept_at=swept_at))
        return None
    silence = swept_at - watch.swept_at
    if silence > limit:
        # There was no sweep since the last outage, so this is the same outage.
        begun = watch.outage_from if watch.outage_from and watch.outage_to == watch.swept_at else watch.swept_at
        watch.outage_from, watch.outage_to = begun, swept_at
    watch.swept_at = swept_at
    session.add(watch)
    return silence if silence > limit else None


def last_sweep(session: Session) -> datetime | None:
    """When the mailbox was last looked through, as recorded (see PRECISION)."""
    return session.exec(select(Watch.swept_at)).first()


def last_outage(session: Session) -> tuple[datetime, datetime] | None:
    """Begin and end of the judge's last outage."""
    outage = session.exec(select(Watch.outage_from, Watch.outage_to)).first()
    return (outage[0], outage[1]) if outage and outage[0] and outage[1] else None
