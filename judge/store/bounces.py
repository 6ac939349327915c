"""Addresses from which mails come back, and mails that are held because of that.

A mail counts once, however many reports come of it. An address is dead after so many mails that came back, until its
owner writes: then it is forgotten, and what was held is sent.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, delete, func, update
from sqlmodel import Session, SQLModel, col, select

from judge.store.hands import call
from judge.store.states import MailKind
from judge.store.straight import Objects
from judge.store.tables import BouncedAddress, Mail
from judge.store.text import storable

# An address to which mails went for so long since the last came back begins anew.
FORGOTTEN = timedelta(days=30)
# The most mails that are sent when the owner of a dead address has written: the latest.
MOST_SENT = 50
# What nobody needs to read later.
_PASSING: tuple[MailKind, ...] = ("reminder", "late", "standby", "confirm", "token", "pause")
MAX_REASON = 300
_BOUNCED = SQLModel.metadata.tables["bounced_address"]
_DEAD = select(BouncedAddress.address).where(col(BouncedAddress.dead_since).is_not(None))
_AT = Objects[BouncedAddress](select(BouncedAddress).where(col(BouncedAddress.address) == bindparam("address")))
_UNTOLD = select(BouncedAddress).where(
    col(BouncedAddress.dead_since).is_not(None), col(BouncedAddress.told_at).is_(None)
)


class Revived(NamedTuple):
    """Since when mails to an address were held, why, and how many are sent now."""

    since: datetime
    reason: str
    sent: int


def mail_by_id(session: Session, message_id: str) -> Mail | None:
    """The mail that was sent under that Message-ID."""
    return session.exec(select(Mail).where(Mail.message_id == message_id)).first()


def note(session: Session, mail: Mail, reason: str, now: datetime, most: int) -> bool:
    """The mail came back; False if that was known. `most`: so many make the address dead (0: never)."""
    noted = update(Mail).where(col(Mail.id) == mail.id, col(Mail.bounced_at).is_(None)).values(bounced_at=now)
    if session.execute(noted.returning(col(Mail.id))).first() is None:
        return False
    row = _AT.first(session, address=mail.recipient)
    if row is None or (row.dead_since is None and row.last_at < now - FORGOTTEN):
        if row is not None:
            session.delete(row)
            session.flush()
        row = BouncedAddress(address=mail.recipient, bounces=0, last_at=now)
    row.bounces += 1
    row.last_at = now
    row.reason = storable(reason)[:MAX_REASON]
    if most and row.bounces >= most and row.dead_since is None:
        row.dead_since = now
    session.add(row)
    session.flush()
    return True


def dead(session: Session) -> frozenset[str]:
    """The addresses to which nothing is sent."""
    return frozenset(session.exec(_DEAD))


def untold(session: Session) -> Sequence[BouncedAddress]:
    """The dead addresses of which nobody was told yet."""
    return session.exec(_UNTOLD).all()


def revive(session: Session, address: str, now: datetime) -> Revived | None:
    """The owner of the address has written: mails go there again. None if none were held."""
    row = _AT.first(session, address=address)
    if row is None:
        return None
    since, reason = row.dead_since, row.reason
    session.execute(delete(BouncedAddress).where(_BOUNCED.c.id == row.id))
    return None if since is None else Revived(since, reason, _send_held(session, address, now))


def readdress(session: Session, old: str, new: str, game_id: int, now: datetime) -> int:
    """A player's mails about the game go to another address: those that were held go there now. How many there are."""
    if old == new or old not in dead(session):
        return 0
    return _send_held(session, old, now, col(Mail.game_id) == game_id, recipient=new)


def _send_held(session: Session, address: str, now: datetime, *which: ColumnElement[bool], **values: str) -> int:
    held = select(Mail.id).where(
        Mail.recipient == address, col(Mail.withheld_at).is_not(None), col(Mail.kind).not_in(_PASSING),
        col(Mail.masked).is_(False), func.length(Mail.raw) > 0, *which,
    )  # fmt: skip
    numbers = session.exec(held.order_by(col(Mail.id).desc()).limit(MOST_SENT)).all()
    again = dict.fromkeys(("failed_at", "told_at", "dismissed_at", "withheld_at"), None)
    session.execute(
        update(Mail).where(col(Mail.id).in_(numbers)).values(**again, **values, attempts=0, next_try_at=now, error="")
    )
    if numbers:
        call(session)
    return len(numbers)
