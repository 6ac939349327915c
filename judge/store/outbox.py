"""The outbox. Each mail is stored in the transaction of the event that it reports.

Each mail is sent at least once. It waits until it is `sent`, or until it has `failed`. It fails if the server refused
it, or deferred it for three days. Its Message-ID never changes, so mail programs recognize a mail that was sent twice
because of a crash. A password in a mail is masked as soon as the mail's bytes are no longer needed.

`taken_by` is the process that is sending the mail. It is set before the mail server gets the mail, and cleared when the
outcome is stored. `waiting_for` says why a mail has not been sent yet. An undeliverable mail is listed for the keeper,
who can send it again or dismiss it.
"""

import logging
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, and_, exists, func, insert, or_, text, update
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, SQLModel, col, select

from judge.store.rows import MASK, count, mask, mend, storable, unlocked
from judge.store.states import MailKind, WaitingFor
from judge.store.tables import Event, Mail

log = logging.getLogger(__name__)

# The pause after each attempt. After the last pause, about three days in all, the mail has failed.
PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    *[timedelta(hours=6)] * 11,
)
# Later mails to the same reader wait for a deferred mail until more attempts than this have failed.
PATIENCE = 2
# The kinds of mails that answer a letter. Someone is waiting for the answer, so these are sent before all others.
ANSWERS: frozenset[MailKind] = frozenset(("reply", "confirm", "hint", "shunted", "token", "pause", "waited"))
# The groups of mails to take. If the provider's limit is nearly reached, press comes last and the notice of the limit
# first.
Rank = Literal["answers", "all", "but press", "limit"]

_MAILS = SQLModel.metadata.tables["mail"]
_PUT = insert(_MAILS).returning(_MAILS.c.id)
# The conditions for a mail that is neither sent nor undeliverable.
WAITING = (col(Mail.sent_at).is_(None), col(Mail.failed_at).is_(None))
_GIVEN_UP = (col(Mail.failed_at).is_not(None), col(Mail.dismissed_at).is_(None))
# The columns that have a time only in mails that are not tried again.
_GIVEN_UP_AT = "failed_at", "told_at", "dismissed_at", "withheld_at"
# SQLite compares times as text, so an invalid time comes before all times or after this one.
_LAST = datetime(3000, 1, 1, tzinfo=UTC)
_BY_TIME = (col(Mail.next_try_at), col(Mail.id))
# The reasons for which a waiting mail delays later mails to the same reader about the same game.
_HOLDS_UP: tuple[WaitingFor, ...] = ("picture", "greylisting")
# Build the statement once, since building it takes as long as the query.
_OTHER = aliased(Mail)
# The condition that a mail to the same reader is being sent. An answer waits only for another answer, and a notice only
# for another notice.
_IS_BUSY = exists().where(
    col(_OTHER.recipient) == Mail.recipient, col(_OTHER.sent_at).is_(None), col(_OTHER.failed_at).is_(None),
    col(_OTHER.taken_by).is_not(None), col(_OTHER.kind).in_(ANSWERS) == col(Mail.kind).in_(ANSWERS),
)  # fmt: skip
# The values of a mail that no process is sending.
_FREE = {"taken_by": None, "taken_at": None}
_WITHOUT_BYTES = defer(cast(Any, Mail.raw), raiseload=True)
# PostgreSQL's channel to wake the workers, which send mails and draw pictures. Without such a call, they look for work
# once a second.
CALL = "judge"
# The key of PostgreSQL's advisory lock. It may be any number, as long as every process uses the same one.
_LIMITS_LOCK = 190_107


@dataclass(frozen=True)
class Composed:
    """A mail as bytes, ready for the outbox."""

    message_id: str
    recipient: str
    subject: str
    raw: bytes


def put(
    session: Session,
    composed: Composed,
    kind: MailKind,
    now: datetime,
    not_before: datetime | None = None,
    **about: Any,
) -> int:
    """Queue a mail, to be sent after the transaction is committed, and return its id.

    `about` has further columns of `Mail`, such as `game_id`, `letter_id` and `picture_id`. `secret` has the passwords
    and tokens in the mail, separated by blanks.
    """
    times = {"created_at": now, "next_try_at": not_before or now}
    row = {"return_tag": secrets.token_hex(10), **vars(composed), **times, "kind": kind, **about}
    session.flush()
    number: int = session.execute(_PUT, row).scalar_one()
    _call(session)
    return number


def _call(session: Session) -> None:
    """Wake the processes that send mails and draw pictures (judge/service/worker.py) after the commit."""
    if session.connection().dialect.name == "postgresql":
        session.execute(text(f"NOTIFY {CALL}"))


def gathering(session: Session, recipient: str, due: datetime) -> Mail | None:
    """Return the unsent digest that collects news for `recipient` until `due`, if there is one."""
    those = (Mail.recipient == recipient, Mail.kind == "digest", Mail.next_try_at == due, Mail.attempts == 0)
    return session.exec(select(Mail).where(*those, *WAITING)).first()


# --- due mails ---


def clock_was_set_back(session: Session, now: datetime) -> None:
    """Make mails due whose time of writing is in the future, since the system's clock was set back.

    Digests, mails that wait for a picture, and mails that were tried before keep their times.
    """
    first_try = (Mail.kind != "digest", Mail.attempts == 0, Mail.waiting_for != "picture")
    written = (col(Mail.next_try_at) > now, col(Mail.created_at) > now, *first_try)
    session.execute(update(Mail).where(unlocked(Mail, *WAITING, *written)).values(next_try_at=now))


def due(session: Session, now: datetime, most: int, rank: Rank = "all", beside: Collection[int] = ()) -> Sequence[Mail]:
    """Return at most `most` mails of that rank to send now, the longest due first.

    Mails in `beside` are skipped. Each reader gets the notices of a game in order, and so learns of a new deadline
    after the results. An answer to a letter does not wait for notices. While one answer and one notice to a reader are
    being sent, the next ones wait. So a reader whose server is slow does not delay others. On PostgreSQL the rows are
    locked, and rows that another process has just locked are skipped. A mail whose row cannot be read is set aside.
    """
    those = select(Mail).where(*WAITING, _is_due(now), col(Mail.taken_by).is_(None), ~_IS_BUSY)
    those = those.where(col(Mail.id).not_in(beside)) if beside else those
    match rank:
        case "answers":
            those = those.where(col(Mail.kind).in_(ANSWERS))
        case "all":
            those = those.where(~_held_up(now))
        case "but press":
            those = those.where(Mail.kind != "press", ~_held_up(now, by_press=False))
        case "limit":
            those = those.where(Mail.kind == "limit")
    locked = those.order_by(*_BY_TIME).limit(most).with_for_update(of=_MAILS, key_share=True, skip_locked=True)
    while True:
        try:
            # Read the rows again, since the session has the old state of rows that were just set aside.
            return session.exec(locked, execution_options={"populate_existing": True}).all()
        except Exception:
            if not _set_aside_unreadable(
                session, session.execute(locked.with_only_columns(col(Mail.id))).scalars().all(), now
            ):
                raise


def _set_aside_unreadable(session: Session, numbers: Sequence[int | None], now: datetime) -> int:
    unreadable = 0
    for number in numbers:
        try:
            session.get_one(Mail, number, populate_existing=True)
        except Exception:
            set_aside(session, number, now)
            unreadable += 1
    return unreadable


def set_aside(session: Session, number: int | None, now: datetime) -> None:
    """Give up a mail whose row cannot be read, so that other mails are sent and the keeper is notified."""
    columns = mend(session, Mail, number, now)
    error = f"its row in the database could not be read ({', '.join(columns) or 'the reason is in the log'})"
    log.error("mail=%d is set aside: %s", number, error, exc_info=True)
    failed(session, session.get_one(Mail, number, populate_existing=True), now=now, error=error)


def _is_due(now: datetime) -> ColumnElement[bool]:
    return or_(col(Mail.next_try_at) <= now, col(Mail.next_try_at) >= _LAST)


def _held_up(now: datetime, *, by_press: bool = True) -> ColumnElement[bool]:
    """Return the condition that an earlier mail to the same reader about the same game is waiting.

    `by_press` is false if waiting press does not matter.
    """
    earlier = _OTHER
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


def has_due(session: Session, now: datetime, most: int = 0, *, but_press: bool = False, me: str = "") -> bool:
    """Return whether more than `most` mails are due that no process is sending.

    If `but_press` is true, press does not count. `me` is the name of this process. If `me` is given, mails that other
    processes are sending also count, since these processes may have ended.
    """
    in_hand = col(Mail.taken_by)
    free = in_hand.is_distinct_from(me) if me else in_hand.is_(None)
    those = select(Mail.id).where(*WAITING, _is_due(now), free)
    those = those.where(Mail.kind != "press") if but_press else those
    return len(session.exec(those.limit(most + 1)).all()) > most


def allowed(session: Session, now: datetime, per_hour: int, per_day: int) -> int | None:
    """Return how many mails the provider's limits allow now, or None if there is no limit.

    A limit of 0 is no limit. Mails that are being sent count. One mail is reserved for the notice to the keeper. Other
    processes cannot run this function until the transaction ends.
    """
    spans = ((per_hour, timedelta(hours=1)), (per_day, timedelta(days=1)))
    if not per_hour and not per_day:
        return None
    if session.connection().dialect.name == "postgresql":
        session.execute(text(f"SELECT pg_advisory_xact_lock({_LIMITS_LOCK})"))
    left = min(most - count(session, Mail, col(Mail.sent_at) > now - span) for most, span in spans if most)
    return max(0, left - 1 - count(session, Mail, col(Mail.taken_by).is_not(None)))


def next_due(session: Session) -> datetime | None:
    """Return when the first waiting mail is due, or None if none is waiting."""
    with suppress(ValueError):  # the time is invalid, so the next process that sends mails sets this one aside
        return session.exec(select(Mail.next_try_at).where(*WAITING).order_by(*_BY_TIME).limit(1)).first()
    return None


def oldest_due(session: Session) -> datetime | None:
    """Return the earliest due time of a mail that waits for no earlier mail and no limit, or None."""
    free = col(Mail.waiting_for).not_in(("earlier mail", "limit"))
    return session.exec(select(Mail.next_try_at).where(*WAITING, free).order_by(*_BY_TIME).limit(1)).first()


# --- the outcome of a mail ---


def take(session: Session, mails: Sequence[Mail], by: str, now: datetime) -> None:
    """Note that the process `by` is about to send the mails."""
    ids = [one.key for one in mails]
    session.execute(update(Mail).where(col(Mail.id).in_(ids)).values(taken_by=by, taken_at=now, waiting_for=""))


def wait_for_picture(session: Session, mail: Mail, until: datetime) -> None:
    """Let the mail wait until its picture is drawn, or be sent without the picture at `until`."""
    change(session, mail, waiting_for="picture", next_try_at=until)
    _call(session)


def picture_is_settled(session: Session, picture_id: int | None, now: datetime) -> None:
    """Make the mails due that wait for this picture, since it has been drawn or cannot be drawn."""
    those = (col(Mail.picture_id) == picture_id, col(Mail.waiting_for) == "picture", *WAITING)
    session.execute(update(Mail).where(*those).values(next_try_at=now))
    _call(session)


def note_held_up(session: Session, now: datetime, *, by_limit: bool) -> None:
    """Note why due mails have not been taken.

    The reason is the provider's limit, or an earlier mail to the same reader.
    """
    unknown = col(Mail.waiting_for).in_(("", "server"))
    due = [*WAITING, col(Mail.next_try_at) <= now, col(Mail.taken_by).is_(None), unknown]
    why = "limit"
    if not by_limit:
        due.append(_held_up(now))
        why = "earlier mail"
    session.execute(update(Mail).where(unlocked(Mail, *due)).values(waiting_for=why))


def sent(session: Session, mail: Mail, *, now: datetime) -> None:
    """Note that the mail server has accepted the mail."""
    _settle(session, mail, sent_at=now, error="")


def deferred(session: Session, mail: Mail, *, now: datetime, error: str) -> datetime | None:
    """Note that the mail could not be sent this time.

    Returns the time of the next attempt, or None if there is none. `error` is the mail server's error message. Many
    servers defer the first mail of an unknown sender (greylisting). So later mails to that reader about that game wait
    until it is sent, or its third attempt has failed.
    """
    if mail.attempts >= len(PAUSES):
        failed(session, mail, now=now, error=f"given up after {mail.attempts + 1} attempts: {error}")
        return None
    next_try_at, attempts = now + PAUSES[mail.attempts], mail.attempts + 1
    why: WaitingFor = "greylisting" if attempts <= PATIENCE else "server"
    change(session, mail, attempts=attempts, next_try_at=next_try_at, error=storable(error), waiting_for=why)
    return next_try_at


def failed(session: Session, mail: Mail, *, now: datetime, error: str) -> None:
    """Give up the mail, and log the event."""
    error = storable(error)
    _settle(session, mail, failed_at=now, error=error)
    about = {"game_id": mail.game_id, "phase_id": mail.phase_id, "letter_id": mail.letter_id}
    what = f"{mail.kind} mail {mail.id} to {mail.recipient}: {error}"
    session.add(Event(at=now, kind="mail failed", text=what, **about))


def cited(session: Session, message_ids: Collection[str], now: datetime) -> None:
    """Note that a letter refers to these mails.

    So the mails have arrived, and others may know their Message-IDs.
    """
    which = (_MAILS.c.message_id.in_(message_ids), _MAILS.c.cited_at.is_(None))
    session.execute(update(_MAILS).where(*which).values(cited_at=now))


def withheld(session: Session, mail: Mail, *, now: datetime) -> None:
    """Withhold the mail, because mails to its reader bounce.

    The keeper is not notified of each withheld mail.
    """
    marks = dict.fromkeys(_GIVEN_UP_AT, now)
    _settle(session, mail, **marks, error="not sent: emails to this address bounce", waiting_for="bounce")


def _settle(session: Session, mail: Mail, **values: Any) -> None:
    """Store the final state of a mail, and mask the passwords in it."""
    if mail.secret:
        raw, subject = mail.raw, mail.subject
        for secret in mail.secret.split():
            raw, subject = mask(raw, secret), subject.replace(secret, MASK.decode())
        values |= {"raw": raw, "subject": subject, "secret": None, "masked": True}
    change(session, mail, attempts=mail.attempts + 1, **values)


def change(session: Session, mail: Mail, **values: Any) -> None:
    """Change the columns of a waiting mail, and free the mail unless `values` have its process.

    A mail that another process has sent or given up is not changed.
    """
    waiting = (_MAILS.c.id == mail.id, _MAILS.c.sent_at.is_(None), _MAILS.c.failed_at.is_(None))
    session.execute(update(_MAILS).where(*waiting).values({**_FREE, "waiting_for": "", **values}))


# --- reports about the outbox ---


def backlog(session: Session) -> tuple[int, int, datetime | None]:
    """Return the numbers of waiting mails and of those tried before, and when the oldest waiting one was written."""
    retried = func.count().filter(col(Mail.attempts) > 0)
    # Leave out digests, which are meant to wait.
    oldest = func.min(Mail.created_at).filter(col(Mail.kind) != "digest")
    return session.exec(select(func.count(), retried, oldest).where(*WAITING)).one()


def reasons(session: Session) -> dict[WaitingFor, int]:
    """Return the number of waiting mails by reason.

    Mails that are not due yet, or only just due, have no reason and are left out.
    """
    why = select(Mail.waiting_for, func.count()).where(*WAITING, Mail.waiting_for != "").group_by(Mail.waiting_for)
    return {cast(WaitingFor, reason): count for reason, count in session.exec(why.order_by(Mail.waiting_for))}


def in_hand(session: Session) -> Sequence[tuple[str, int, datetime, datetime]]:
    """Return, for each sending process, its name, number of mails, earliest due time and last sign of life."""
    found = select(Mail.taken_by, func.count(), func.min(Mail.next_try_at), func.max(Mail.taken_at))
    taken = found.where(col(Mail.taken_by).is_not(None)).group_by(col(Mail.taken_by))
    rows = session.exec(taken.order_by(col(Mail.taken_by)))
    return [(name or "", many, due, said or due) for name, many, due, said in rows]


def unsent(session: Session) -> Sequence[Mail]:
    """Return the waiting mails by next attempt, and after them the withheld mails, without their bytes."""
    withheld = and_(col(Mail.waiting_for) == "bounce", col(Mail.withheld_at).is_not(None))
    those = select(Mail).where(or_(and_(*WAITING), withheld)).options(_WITHOUT_BYTES)
    return session.exec(those.order_by(col(Mail.withheld_at).is_not(None), *_BY_TIME)).all()


# --- undeliverable mails ---


def given_up(session: Session, *which: ColumnElement[bool] | bool) -> Sequence[Mail]:
    """Return the failed mails that the keeper has not dismissed, without their bytes, in order of failure."""
    those = select(Mail).where(*_GIVEN_UP, *which).order_by(col(Mail.failed_at), col(Mail.id))
    return session.exec(those.options(_WITHOUT_BYTES)).all()


def untold(session: Session, keeper: str) -> Sequence[Mail]:
    """Return the failed mails that were not reported to the keeper.

    Mails to the `keeper`, who cannot be reached, are left out.
    """
    return given_up(session, col(Mail.told_at).is_(None), Mail.recipient != keeper)


def send_again(session: Session, numbers: Collection[int | None], now: datetime, **values: str) -> None:
    """Put the mails with these ids back into the outbox as new.

    `values` has new values of columns.
    """
    again = dict.fromkeys(_GIVEN_UP_AT, None)
    # Change only undeliverable or withheld mails, since another process may just have put one of them back.
    those = update(Mail).where(col(Mail.id).in_(numbers), col(Mail.failed_at).is_not(None))
    session.execute(those.values(**again, **values, attempts=0, next_try_at=now, error="", waiting_for=""))
    _call(session)
