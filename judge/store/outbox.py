"""The mails to send. Each is written in the same transaction as the event it tells of, and sent afterwards, at least
once.

A mail waits until it is `sent`, or until it has `failed` for good: refused, or deferred for three days. Its Message-ID
never changes, so that mail programs recognise a mail that was sent twice because of a crash. A password in a mail is
masked as soon as the mail's bytes are no longer needed.

`taken_by` is the process that has the mail in hand, from before it is given to the mail server until what became of it
is noted. `waiting_for` says why a mail that is written is not sent yet.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, cast

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, text, update
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, SQLModel, col, select

from judge.store.masking import MASK, mask
from judge.store.rows import id_of, storable
from judge.store.states import MailKind, WaitingFor
from judge.store.tables import Event, LetterRow, Mail
from judge.store.workers import call

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
# What goes first; and if not everything can go, press waits for all else, but not the notice of that to the keeper.
Rank = Literal["answers", "all", "but press", "press", "limit"]

_MAILS = SQLModel.metadata.tables["mail"]
# Of a mail that is neither sent nor given up.
WAITING = (col(Mail.sent_at).is_(None), col(Mail.failed_at).is_(None))
_BY_TIME = (col(Mail.next_try_at), col(Mail.id))
# Of a mail that what comes after it, for the same reader and game, waits for, even if it is not due.
_HOLDS_UP: tuple[WaitingFor, ...] = ("picture", "greylisting")
_WITHOUT_BYTES = defer(cast(Any, Mail.raw))
# Any number, as long as every process uses the same one.
_LIMITS_LOCK = 190_107
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


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
    """Queue a mail, behind those that were queued before; returns its id."""
    about = {name: value for name, value in vars(entry).items() if name != "not_before"}
    mail = Mail(
        **vars(composed), **about, return_tag=secrets.token_hex(TAG_BYTES), created_at=now,
        next_try_at=entry.not_before or now,
    )  # fmt: skip
    session.add(mail)
    session.flush()
    call(session)
    return id_of(mail)


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


# --- what is due ---


def clock_was_set_back(session: Session, now: datetime) -> None:
    """What was written in the future, and was due then, is due now."""
    written = (col(Mail.next_try_at) > now, col(Mail.created_at) > now, col(Mail.next_try_at) <= Mail.created_at)
    session.execute(update(Mail).where(*WAITING, *written).values(next_try_at=now))


def due(session: Session, now: datetime, most: int, rank: Rank = "all") -> Sequence[Mail]:
    """Up to so many mails of that rank to send now, the longest due first; on PostgreSQL their rows are locked, and
    what another process has just locked is left out.

    Each reader gets the notices of a game in order: no reader learns of a new deadline before the results that come
    first. An answer to a letter waits for no other mail.
    """
    those = select(Mail).where(*WAITING, col(Mail.next_try_at) <= now, col(Mail.taken_by).is_(None))
    match rank:
        case "answers":
            those = those.where(col(Mail.kind).in_(ANSWERS))
        case "all" | "press":
            those = those.where(~_held_up(now))
        case "but press":
            those = those.where(Mail.kind != "press", ~_held_up(now, by_press=False))
        case "limit":
            those = those.where(Mail.kind == "limit")
    locked = those.order_by(*_BY_TIME).limit(most).with_for_update(of=_MAILS, key_share=True, skip_locked=True)
    # As they are now: those that were put aside a moment ago are known to the session as they were.
    return session.exec(locked, execution_options={"populate_existing": True}).all() if most > 0 else []


def _held_up(now: datetime, *, by_press: bool = True) -> ColumnElement[bool]:
    """Whether an earlier mail to the same reader about the same game waits."""
    earlier = aliased(Mail)
    before = (
        col(earlier.recipient) == Mail.recipient,
        col(earlier.game_id).is_not_distinct_from(Mail.game_id),
        col(earlier.id) < Mail.id,
        col(earlier.sent_at).is_(None),
        col(earlier.failed_at).is_(None),
        col(earlier.kind).not_in(ANSWERS if by_press else {*ANSWERS, "press"}),
        or_(col(earlier.waiting_for).in_(_HOLDS_UP), col(earlier.next_try_at) <= now),
    )
    return and_(col(Mail.kind).not_in(ANSWERS), exists().where(*before))


def has_due(session: Session, now: datetime, most: int = 0, *, but_press: bool = False) -> bool:
    """Whether more mails than so many are due, in whose hand ever; `but_press`: that are not press."""
    those = select(Mail.id).where(*WAITING, col(Mail.next_try_at) <= now)
    those = those.where(Mail.kind != "press") if but_press else those
    return len(session.exec(those.limit(most + 1)).all()) > most


def allowed(session: Session, now: datetime, per_hour: int, per_day: int) -> int | None:
    """How many mails may be sent now by limits for any hour and any day (0: no such limit); None if there is no limit.
    What is being sent counts. One of each is left for the mail that tells the keeper.
    """
    limits = [(most, span) for most, span in ((per_hour, _HOUR), (per_day, _DAY)) if most]
    if not limits:
        return None
    in_hand = session.exec(select(func.count()).where(col(Mail.taken_by).is_not(None))).one()
    sent = [session.exec(select(func.count()).where(col(Mail.sent_at) > now - span)).one() for _, span in limits]
    return max(0, min(most - 1 - in_hand - count for (most, _), count in zip(limits, sent, strict=True)))


def one_counts_at_a_time(session: Session) -> None:
    """Wait until no other process counts what it may send by the limits; until the end of the transaction."""
    if session.connection().dialect.name == "postgresql":
        session.execute(text(f"SELECT pg_advisory_xact_lock({_LIMITS_LOCK})"))


def next_due(session: Session) -> datetime | None:
    """When the mail that is due first is due, of those that wait; None if there are none."""
    return session.exec(select(Mail.next_try_at).where(*WAITING).order_by(*_BY_TIME).limit(1)).first()


# --- what becomes of a mail ---


def take(session: Session, mails: Sequence[Mail], by: str) -> None:
    """The process of that name has the mails in hand."""
    ids = [id_of(mail) for mail in mails]
    session.execute(update(Mail).where(col(Mail.id).in_(ids)).values(taken_by=by, waiting_for=""))


def put_back(session: Session, mail: Mail) -> None:
    """The mail was not tried: the mail server is out of reach, or the process ends."""
    _change(session, mail, waiting_for="server")


def wait_for_picture(session: Session, mail: Mail, until: datetime) -> None:
    """The mail goes when its picture is drawn, or at that moment without it."""
    _change(session, mail, waiting_for="picture", next_try_at=until)
    call(session)


def picture_is_settled(session: Session, picture_id: int, now: datetime) -> None:
    """The mails that wait for the picture go now: it is drawn, or cannot be drawn."""
    those = (col(Mail.picture_id) == picture_id, col(Mail.waiting_for) == "picture", *WAITING)
    session.execute(update(Mail).where(*those).values(next_try_at=now))
    call(session)


def note_held_up(session: Session, now: datetime, *, by_limit: bool) -> None:
    """Note why mails that are due are still here: the limit, or an earlier mail to the same reader."""
    why = "limit" if by_limit else case((_held_up(now), "earlier mail"), else_=Mail.waiting_for)
    here = (*WAITING, col(Mail.next_try_at) <= now, col(Mail.taken_by).is_(None))
    untold = col(Mail.waiting_for).in_(("", "server"))
    session.connection().execute(update(_MAILS).where(*here, untold).values(waiting_for=why))


def sent(session: Session, mail: Mail, *, now: datetime) -> None:
    """The mail server has taken it."""
    _settle(session, mail, sent_at=now, error="")


def deferred(session: Session, mail: Mail, *, now: datetime, error: str) -> datetime | None:
    """The mail could not be sent this time; returns when it is tried next, or None if that was the last attempt.

    `error`: what the mail server said. Servers that do not know a sender yet defer the first mail alone (greylisting):
    what comes after it for that reader and game waits for it, until its second attempt.
    """
    if mail.attempts >= len(PAUSES):
        failed(session, mail, now=now, error=f"given up after {mail.attempts + 1} attempts: {error}")
        return None
    next_try_at, attempts = now + PAUSES[mail.attempts], mail.attempts + 1
    why: WaitingFor = "greylisting" if attempts <= PATIENCE else "server"
    _change(session, mail, attempts=attempts, next_try_at=next_try_at, error=storable(error), waiting_for=why)
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
    values |= {"error": "not sent: mails to this address come back", "waiting_for": "bounce"}
    if mail.secret:
        _settle(session, mail, **values)
    else:
        _change(session, mail, **values)


def _settle(session: Session, mail: Mail, **values: Any) -> None:
    """Record the final state of a mail."""
    if mail.secret:
        raw, subject = mail.raw, mail.subject
        for secret in mail.secret.split():
            raw, subject = mask(raw, secret), subject.replace(secret, MASK.decode())
        values |= {"raw": raw, "subject": subject, "secret": None, "masked": True}
    _change(session, mail, attempts=mail.attempts + 1, **values)


def _change(session: Session, mail: Mail, **values: Any) -> None:
    """Change a mail that still waits, which is in nobody's hand then if not said otherwise; a mail that another run has
    sent or given up stays as it is.
    """
    waiting = (_MAILS.c.id == mail.id, _MAILS.c.sent_at.is_(None), _MAILS.c.failed_at.is_(None))
    session.connection().execute(update(_MAILS).where(*waiting).values({"taken_by": None, "waiting_for": "", **values}))


# --- what is told of the outbox ---


def backlog(session: Session) -> Backlog:
    """The state of the outbox."""
    retried = func.count().filter(col(Mail.attempts) > 0)
    # News that are gathered wait as they should.
    oldest = func.min(Mail.created_at).filter(col(Mail.kind) != "digest")
    waiting = select(func.count(), retried, oldest, func.min(Mail.next_try_at)).where(*WAITING)
    failures = select(func.count()).where(col(Mail.failed_at).is_not(None), col(Mail.dismissed_at).is_(None))
    return Backlog(*session.exec(waiting).one(), failed=session.exec(failures).one())


def reasons(session: Session) -> dict[WaitingFor, int]:
    """How many mails that are not sent yet wait for what; those whose moment has not come, or is now, are not here."""
    why = select(Mail.waiting_for, func.count()).where(*WAITING, Mail.waiting_for != "").group_by(Mail.waiting_for)
    return {cast(WaitingFor, reason): count for reason, count in session.exec(why.order_by(Mail.waiting_for))}


def unsent(session: Session) -> Sequence[Mail]:
    """The mails that wait, without their bytes, in the order of their next attempt; then those that are withheld."""
    withheld = and_(col(Mail.waiting_for) == "bounce", col(Mail.withheld_at).is_not(None))
    those = select(Mail).where(or_(and_(*WAITING), withheld)).options(_WITHOUT_BYTES)
    return session.exec(those.order_by(col(Mail.withheld_at).is_not(None), *_BY_TIME)).all()
