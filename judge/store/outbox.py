"""The mails to send. Each is written in the same transaction as the event it tells of, and sent afterwards, at least
once.

A mail waits until it is `sent`, or until it has `failed` for good: refused, or deferred for three days. Its Message-ID
never changes, so that mail programs recognise a mail that was sent twice because of a crash. A password in a mail is
masked as soon as the mail's bytes are no longer needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import and_, bindparam, func, insert, or_, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from judge.store.secret_masking import MASK, mask
from judge.store.states import MailKind
from judge.store.tables import Event, Mail
from judge.store.text import storable

# The pause after each attempt; after the last of them, some three days in all, the mail has failed.
PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    *[timedelta(hours=6)] * 11,
)

_MAILS = SQLModel.metadata.tables["mail"]
_PUT = insert(_MAILS).returning(_MAILS.c.id)
_PUT_ALL = insert(_MAILS)
_LETTERS = SQLModel.metadata.tables["letter"]
# By the letter alone: SQLite would look through all mails to the recipient.
_ANSWERED = (
    sql_select(_LETTERS.c.fingerprint, _MAILS.c.recipient, _MAILS.c.kind)
    .join_from(_LETTERS, _MAILS, _MAILS.c.letter_id == _LETTERS.c.id, isouter=True)
    .where(_LETTERS.c.id == bindparam("letter"))
)
_WAITING = (col(Mail.sent_at).is_(None), col(Mail.failed_at).is_(None))


class Composed(Protocol):
    """A mail as judge/mails composes it."""

    @property
    def message_id(self) -> str: ...
    @property
    def recipient(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def raw(self) -> bytes: ...


@dataclass(frozen=True)
class Entry:
    """What the outbox stores about a mail besides its bytes: its kind, what it is about, the letter it answers.

    The mail is sent after the transaction was committed, and not before `not_before`. `secret`: generated passwords and
    tokens in it, separated by blanks, masked once the mail was sent. `picture_id`: the picture in the mail.
    """

    kind: MailKind
    game_id: int | None = None
    phase_id: int | None = None
    letter_id: int | None = None
    not_before: datetime | None = None
    secret: str | None = None
    picture_id: int | None = None


@dataclass(frozen=True)
class Backlog:
    """What has not been sent: how many mails wait, how many of them have failed at least once, since when the oldest
    waits, when the next is due; and how many have failed for good and were not dismissed."""

    waiting: int
    deferred: int
    oldest_at: datetime | None
    next_try_at: datetime | None
    failed: int


def put(session: Session, composed: Composed, entry: Entry, now: datetime) -> int:
    """Queue a mail; returns its id."""
    id: int = session.connection().execute(_PUT, _row(composed, entry, now)).scalar_one()
    return id


def put_all(session: Session, mails: Sequence[tuple[Composed, Entry]], now: datetime) -> None:
    """Queue mails that are sent in this order."""
    rows = [_row(composed, entry, now) for composed, entry in mails]
    if rows:
        session.connection().execute(_PUT_ALL, rows)


def _row(composed: Composed, entry: Entry, now: datetime) -> dict[str, Any]:
    return {
        "message_id": composed.message_id,
        "game_id": entry.game_id,
        "phase_id": entry.phase_id,
        "letter_id": entry.letter_id,
        "kind": entry.kind,
        "recipient": composed.recipient,
        "subject": composed.subject,
        "raw": composed.raw,
        "secret": entry.secret,
        "masked": False,
        "picture_id": entry.picture_id,
        "created_at": now,
        "next_try_at": entry.not_before or now,
        "attempts": 0,
        "error": "",
    }


def unanswered(session: Session, letter_id: int, recipient: str, kind: MailKind) -> str | None:
    """The fingerprint of the letter; None if a mail of this kind to `recipient` answers it already."""
    rows = session.connection().execute(_ANSWERED, {"letter": letter_id}).all()
    return None if (recipient, kind) in [(to, what) for _, to, what in rows] else rows[0][0]


def due(session: Session, now: datetime, limit: int, behind: Mail | None = None) -> list[Mail]:
    """Up to `limit` mails to try now, the longest due first; of mails due at the same time the one that was written
    first.

    `behind`: go on after this mail, whether it was sent or not.

    A mail that was written in the future, and was due then, is due: the system's clock was set back since.
    """
    was_due = and_(col(Mail.created_at) > now, col(Mail.next_try_at) <= col(Mail.created_at))
    waiting = select(Mail).where(*_WAITING, or_(col(Mail.next_try_at) <= now, was_due))
    if behind:
        later = and_(col(Mail.next_try_at) == behind.next_try_at, col(Mail.id) > behind.id)
        waiting = waiting.where(or_(col(Mail.next_try_at) > behind.next_try_at, later))
    return list(session.exec(waiting.order_by(col(Mail.next_try_at), col(Mail.id)).limit(limit)))


def sent(session: Session, mail: Mail, *, now: datetime) -> None:
    """The mail server has taken it."""
    _settle(session, mail, sent_at=now, error="")


def deferred(session: Session, mail: Mail, *, now: datetime, error: str) -> datetime | None:
    """It could not be sent this time; returns when it is tried next, or None if that was the last attempt.

    `error`: what the mail server said.
    """
    if mail.attempts >= len(PAUSES):
        failed(session, mail, now=now, error=f"given up after {mail.attempts + 1} attempts: {error}")
        return None
    next_try_at = now + PAUSES[mail.attempts]
    _change(session, mail, attempts=mail.attempts + 1, next_try_at=next_try_at, error=storable(error))
    return next_try_at


def failed(session: Session, mail: Mail, *, now: datetime, error: str) -> None:
    """The mail will never be sent; the log of events says so."""
    error = storable(error)
    _settle(session, mail, failed_at=now, error=error)
    session.add(
        Event(
            at=now,
            kind="mail failed",
            game_id=mail.game_id,
            phase_id=mail.phase_id,
            letter_id=mail.letter_id,
            text=f"{mail.kind} mail {mail.id} to {mail.recipient}: {error}",
        )
    )


def backlog(session: Session) -> Backlog:
    """The state of the outbox."""
    retried = func.count().filter(col(Mail.attempts) > 0)
    waiting = select(func.count(), retried, func.min(Mail.created_at), func.min(Mail.next_try_at)).where(*_WAITING)
    failures = select(func.count()).where(col(Mail.failed_at).is_not(None), col(Mail.dismissed_at).is_(None))
    return Backlog(*session.exec(waiting).one(), failed=session.exec(failures).one())


def _settle(session: Session, mail: Mail, **values: Any) -> None:
    """Record the final state of a mail."""
    if mail.secret:
        raw, subject = mail.raw, mail.subject
        for secret in mail.secret.split():
            raw, subject = mask(raw, secret), subject.replace(secret, MASK.decode())
        values |= {"raw": raw, "subject": subject, "secret": None, "masked": True}
    _change(session, mail, attempts=mail.attempts + 1, **values)


def _change(session: Session, mail: Mail, **values: Any) -> None:
    """Change a mail that still waits; a mail that another run has sent or given up stays as it is."""
    waiting = (_MAILS.c.id == mail.id, _MAILS.c.sent_at.is_(None), _MAILS.c.failed_at.is_(None))
    session.connection().execute(update(_MAILS).where(*waiting).values(values))
