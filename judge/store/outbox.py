"""The mails to send. Each is written in the same transaction as the event it tells of, and sent afterwards, at least
once.

A mail waits until it is `sent`, or until it has `failed` for good: refused, or deferred for three days. Its Message-ID
never changes, so that mail programs recognise a mail that was sent twice because of a crash. A password in a mail is
masked as soon as the mail's bytes are no longer needed.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Literal, Protocol

from sqlalchemy import BindParameter, and_, bindparam, func, insert, literal_column, or_, update
from sqlmodel import Session, SQLModel, col, select

from judge.store.hands import call
from judge.store.masking import MASK, mask
from judge.store.rows import storable
from judge.store.states import MailKind
from judge.store.tables import Event, LetterRow, Mail

# The pause after each attempt; after the last of them, some three days in all, the mail has failed.
PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    *[timedelta(hours=6)] * 11,
)

# After so many attempts what is to come after a mail no longer waits for it.
PATIENCE = 2

# Of the secret in the address that a mail is sent from.
TAG_BYTES = 6

# The kinds of mails that answer a letter: somebody waits for them, so they go before all others.
ANSWERS: frozenset[MailKind] = frozenset(("reply", "confirm", "hint", "shunted", "token", "pause", "waited"))

_MAILS = SQLModel.metadata.tables["mail"]
# Of a mail that is neither sent nor given up.
WAITING = (col(Mail.sent_at).is_(None), col(Mail.failed_at).is_(None))
# Asks for the mail `id` as long as it waits and has been tried no more than so many times.
UNTRIED = select(Mail.id).where(Mail.id == bindparam("id"), Mail.attempts == bindparam("attempts"), *WAITING)
_BY_TIME = (col(Mail.next_try_at), col(Mail.id))
_NOW: BindParameter[datetime] = bindparam("now")
_WAS_DUE = and_(col(Mail.created_at) > _NOW, col(Mail.next_try_at) <= col(Mail.created_at))
# Mails wait by the thousand when many deadlines are at the same time: this reads nothing but the index of those that
# wait.
_DUE = (
    select(Mail.id)
    .where(*WAITING, or_(col(Mail.next_try_at) <= _NOW, _WAS_DUE))
    .order_by(*_BY_TIME)
    .limit(bindparam("most"))
)
# By what goes first; press only where not everything can go.
Rank = Literal["answers", "but press", "all", "limit"]
_DUE_IN = {
    "answers": _DUE.where(col(Mail.kind).in_(ANSWERS)),
    "but press": _DUE.where(col(Mail.kind) != "press"),
    "all": _DUE,
    "limit": _DUE.where(Mail.kind == "limit"),
}
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_SENT_SINCE = select(func.count()).select_from(Mail).where(col(Mail.sent_at) > bindparam("moment"))


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
    tokens in it, separated by blanks, masked once the mail was sent. `picture_id`: the picture in the mail. `press_id`:
    the message that it carries.
    """

    kind: MailKind
    game_id: int | None = None
    phase_id: int | None = None
    letter_id: int | None = None
    not_before: datetime | None = None
    secret: str | None = None
    picture_id: int | None = None
    press_id: int | None = None


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
    put = insert(_MAILS).returning(_MAILS.c.id)
    id: int = session.connection().execute(put, _row(composed, entry, now)).scalar_one()
    call(session)
    return id


def put_all(session: Session, mails: Sequence[tuple[Composed, Entry]], now: datetime) -> None:
    """Queue mails that are sent in this order."""
    rows = [_row(composed, entry, now) for composed, entry in mails]
    if rows:
        session.connection().execute(insert(_MAILS), rows)
        call(session)


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
        "press_id": entry.press_id,
        "return_tag": secrets.token_hex(TAG_BYTES),
        "created_at": now,
        "next_try_at": entry.not_before or now,
        "attempts": 0,
        "error": "",
    }


def gathering(session: Session, recipient: str, due: datetime) -> tuple[int | None, list[dict[str, str]]]:
    """The mail that brings news together to `recipient` at that moment, and these news; None: there is none yet."""
    asked = (Mail.recipient == recipient, Mail.kind == "digest", Mail.next_try_at == due, Mail.attempts == 0, *WAITING)
    found = session.exec(select(Mail.id, Mail.gathered).where(*asked)).first()
    return (found[0], list(found[1] or ())) if found else (None, [])


def gather(session: Session, mail: int, composed: Composed, news: Sequence[dict[str, str]]) -> None:
    """Give that mail, which brings news together, another form: `composed` of these news."""
    values = {"raw": composed.raw, "subject": composed.subject, "gathered": list(news)}
    session.connection().execute(update(_MAILS).where(_MAILS.c.id == mail).values(values))


def unanswered(session: Session, letter_id: int, recipient: str, kind: MailKind) -> str | None:
    """The fingerprint of the letter; None if a mail of this kind to `recipient` answers it already."""
    # By the letter alone: SQLite would look through all mails to the recipient.
    answers = select(LetterRow.fingerprint, Mail.recipient, Mail.kind).join(
        Mail, col(Mail.letter_id) == LetterRow.id, isouter=True
    )
    rows = session.exec(answers.where(LetterRow.id == letter_id)).all()
    return None if (recipient, kind) in [(to, what) for _, to, what in rows] else rows[0][0]


def due(
    session: Session, now: datetime, limit: int, *, beside: Collection[int] = (), rank: Rank = "all"
) -> list[Mail]:
    """Up to `limit` mails to try now, the longest due first; of mails due at the same time the one that was written
    first.

    `beside`: the ids of mails that are not meant. `rank`: only answers to letters, or all but press, or only the
    notice that there is a limit.

    A mail that was written in the future, and was due then, is due: the system's clock was set back since.
    """
    asked = {"now": now, "most": limit + len(beside)}
    due = session.connection().execute(_DUE_IN[rank], asked).scalars()
    return those(session, list(islice((number for number in due if number not in beside), limit)))


def put_off(session: Session, *, press: bool) -> dict[tuple[str, int | None], int]:
    """{reader and game: the first mail about it that the server has deferred, once or twice}, without answers; `press`:
    messages count.
    """
    # By the index of what was deferred, hence both words about the attempts.
    again = (*WAITING, col(Mail.attempts) > literal_column("0"), Mail.attempts <= PATIENCE)
    mails = select(Mail.recipient, Mail.game_id, Mail.kind, _MAILS.c.id).where(*again).order_by(col(Mail.id).desc())
    return {
        (reader, game): number
        for reader, game, kind, number in session.exec(mails)
        if kind not in ANSWERS and (press or kind != "press")
    }


def allowed(session: Session, now: datetime, per_hour: int, per_day: int) -> int | None:
    """How many mails may be sent now by limits for any hour and any day (0: no such limit); None if there is no limit.

    One of each is left for the mail that tells the keeper.
    """
    limits = [(most, span) for most, span in ((per_hour, _HOUR), (per_day, _DAY)) if most]
    left = [most - 1 - session.exec(_SENT_SINCE, params={"moment": now - span}).one() for most, span in limits]
    return max(0, min(left)) if left else None


def has_more_due(session: Session, now: datetime, than: int) -> bool:
    """Whether more mails than so many are due."""
    return len(session.connection().execute(_DUE, {"now": now, "most": than + 1}).all()) > than


def those(session: Session, numbers: Collection[int]) -> list[Mail]:
    """The mails with these ids that still wait, in the order in which they are due."""
    if not numbers:
        return []
    waiting = select(Mail).where(col(Mail.id).in_(numbers), *WAITING)
    return list(session.exec(waiting.order_by(*_BY_TIME)))


def next_due(session: Session) -> datetime | None:
    """When the mail that is due first is due, of those that wait; None if there are none."""
    return session.exec(select(Mail.next_try_at).where(*WAITING).order_by(*_BY_TIME).limit(1)).first()


def sent(session: Session, mail: Mail, *, now: datetime) -> None:
    """The mail server has taken it."""
    _settle(session, mail, sent_at=now, error="")


def deferred(session: Session, mail: Mail, *, now: datetime, error: str) -> datetime | None:
    """The mail could not be sent this time; returns when it is tried next, or None if that was the last attempt.

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


def cited(session: Session, message_ids: Collection[str], now: datetime) -> None:
    """A letter refers to these mails: they have arrived, and others may have seen their Message-IDs."""
    which = (_MAILS.c.message_id.in_(message_ids), _MAILS.c.cited_at.is_(None))
    session.connection().execute(update(_MAILS).where(*which).values(cited_at=now))


def readdressed(session: Session, mail: Mail, to: str) -> None:
    """The mail goes to another address of its reader."""
    _change(session, mail, recipient=to)


def withheld(session: Session, mail: Mail, *, now: datetime) -> None:
    """The mail is not sent, because mails to its reader come back; the keeper is not told of each."""
    values: dict[str, Any] = dict.fromkeys(("failed_at", "told_at", "dismissed_at", "withheld_at"), now)
    values["error"] = "not sent: mails to this address come back"
    if mail.secret:
        _settle(session, mail, **values)
    else:
        _change(session, mail, **values)


def backlog(session: Session) -> Backlog:
    """The state of the outbox."""
    retried = func.count().filter(col(Mail.attempts) > 0)
    # News that are gathered wait as they should.
    oldest = func.min(Mail.created_at).filter(col(Mail.kind) != "digest")
    waiting = select(func.count(), retried, oldest, func.min(Mail.next_try_at)).where(*WAITING)
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
