"""Addresses from which mails bounce, and the mails withheld from them.

A mail counts once, however many reports it causes. An address is dead after several bounces, if these say that no one
can be reached there. When the owner of the address writes, these bounces are forgotten, and still useful withheld mails
are sent. Results, start mails and digests go to another address of the person, or up to MOST_STILL_SENT times to the
dead one.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import ColumnElement, func, update
from sqlmodel import Session, col, select

from judge.store.outbox import send_again
from judge.store.people import addresses_of, person_at
from judge.store.rows import storable
from judge.store.states import MailKind
from judge.store.tables import Address, BouncedAddress, Mail, Person

# The bounces of an address that is not dead are forgotten if the next one comes later than this.
FORGOTTEN = timedelta(days=30)
# The maximum number of withheld mails that are sent when the owner of a dead address writes. The latest ones are sent.
MOST_SENT = 50
# The kinds of mails that a dead address still gets, once a phase, and the maximum number of these mails. Without them,
# a player would lose the game without notice.
STILL_SENT: tuple[MailKind, ...] = ("results", "start", "digest")
MOST_STILL_SENT = 10
# The kinds of mails that are out of date when their reader can be reached again.
_PASSING: tuple[MailKind, ...] = ("reminder", "late", "standby", "invitation", "confirm", "token", "pause")
MAX_REASON = 300
_IS_DEAD = col(BouncedAddress.dead_since).is_not(None)


def note(session: Session, mail: Mail, reason: str, now: datetime, most: int, *, blames_address: bool = True) -> bool:
    """Note that the mail bounced, and return False if that was noted before.

    After `most` bounces, the address is dead (0: never). `blames_address` is true if the address itself is the cause of
    the bounce. Bounces of press never make an address dead, since another player wrote the text.
    """
    noted = update(Mail).where(col(Mail.id) == mail.id, col(Mail.bounced_at).is_(None)).values(bounced_at=now)
    if session.execute(noted.returning(col(Mail.id))).first() is None:
        return False
    row = next(iter(rows_of(session, mail.recipient)), None)
    row = row or BouncedAddress(address=mail.recipient, bounces=0, last_at=now)
    if row.dead_since is None and row.last_at < now - FORGOTTEN:
        row.bounces = row.refused = 0
    row.last_at = now
    said = storable("".join(one if one.isprintable() else " " for one in reason))[:MAX_REASON]
    if blames_address and mail.kind != "press":
        row.bounces += 1
        row.reason = said
        if most and row.bounces >= most and row.dead_since is None:
            row.dead_since, row.told_at = now, None
    else:
        row.refused += 1
        row.refusal, row.news_at = said, now
    session.add(row)
    session.flush()
    return True


def dead(session: Session) -> frozenset[str]:
    """Return the dead addresses, to which most mails are withheld."""
    return frozenset(session.exec(select(BouncedAddress.address).where(_IS_DEAD)))


def dead_rows(session: Session) -> Sequence[BouncedAddress]:
    """Return the rows of the dead addresses, by address."""
    return sorted(session.exec(select(BouncedAddress).where(_IS_DEAD)), key=lambda row: row.address)


def way_to(session: Session, mail: Mail) -> str:
    """Return the address for a mail to a dead address, or "" if the mail is withheld.

    The result is another address of the mail's reader, or the dead address itself.
    """
    if mail.kind not in STILL_SENT:
        return ""
    person, unreachable = person_at(session, mail.recipient), dead(session)
    if person:
        for own in addresses_of(session, person):
            if own.address not in unreachable:
                return own.address
    # The row is gone if the owner of the address has just written.
    since = next((row.dead_since for row in rows_of(session, mail.recipient)), None)
    sent = select(Mail.game_id, Mail.phase_id).where(
        Mail.recipient == mail.recipient, col(Mail.kind).in_(STILL_SENT), col(Mail.created_at) >= since,
        col(Mail.id) < mail.id, col(Mail.withheld_at).is_(None),
    )  # fmt: skip
    before = session.exec(sent).all()
    again = mail.phase_id is not None and (mail.game_id, mail.phase_id) in before
    return "" if again or len(before) >= MOST_STILL_SENT else mail.recipient


def note_withheld(session: Session, address: str, now: datetime) -> None:
    """Note that a mail to the dead address was withheld, so that the masters of its games are notified."""
    noted = update(BouncedAddress).where(col(BouncedAddress.address) == address, col(BouncedAddress.news_at).is_(None))
    session.execute(noted.values(news_at=now))


def withheld(session: Session, row: BouncedAddress) -> dict[MailKind, int]:
    """Return the number of mails withheld from the dead address, by kind."""
    since = (col(Mail.withheld_at).is_not(None), col(Mail.withheld_at) >= row.dead_since)
    counted = select(Mail.kind, func.count()).where(Mail.recipient == row.address, *since)
    rows = session.exec(counted.group_by(Mail.kind).order_by(func.count().desc(), Mail.kind)).all()
    return {cast(MailKind, kind): count for kind, count in rows}


def untold(session: Session) -> Sequence[BouncedAddress]:
    """Return the bounced addresses to report to masters.

    Such an address is newly dead, or mails to it were newly refused or withheld.
    """
    # Use two queries, since each can use an index of its own.
    dead = session.exec(select(BouncedAddress).where(_IS_DEAD, col(BouncedAddress.told_at).is_(None)))
    news = session.exec(select(BouncedAddress).where(col(BouncedAddress.news_at).is_not(None)))
    return list({row.id: row for row in (*dead, *news)}.values())


def rows_of(session: Session, address: str, person: Person | None = None) -> Sequence[BouncedAddress]:
    """Return the rows of bounces for an address, or for all addresses of its owner."""
    theirs = select(Address.address).where(Address.person_id == person.id) if person else [address]
    return session.exec(select(BouncedAddress).where(col(BouncedAddress.address).in_(theirs))).all()


def revive(session: Session, row: BouncedAddress, now: datetime) -> int:
    """Forget the bounces of an address whose owner has written.

    Returns the number of withheld mails that will now be sent.
    """
    session.delete(row)
    return _send_withheld(session, row.address, now) if row.dead_since else 0


def readdress(session: Session, old: str, new: str, game_id: int, now: datetime) -> int:
    """Send a player's withheld mails about a game to the player's new address in that game.

    Returns the number of these mails.
    """
    if old == new or old not in dead(session):
        return 0
    return _send_withheld(session, old, now, col(Mail.game_id) == game_id, recipient=new)


def _send_withheld(session: Session, address: str, now: datetime, *which: ColumnElement[bool], **values: str) -> int:
    withheld = select(Mail.id).where(
        Mail.recipient == address, col(Mail.withheld_at).is_not(None), col(Mail.kind).not_in(_PASSING),
        col(Mail.masked).is_(False), func.length(Mail.raw) > 0, *which,
    )  # fmt: skip
    numbers = session.exec(withheld.order_by(col(Mail.id).desc()).limit(MOST_SENT)).all()
    send_again(session, numbers, now, **values)
    return len(numbers)
