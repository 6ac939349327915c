"""The inbox. Each letter is stored raw before anything reads it, and takes effect once.

`keep` runs in a transaction of its own. When this transaction commits, the letter has been received. A letter is then
taken with `in_turn`, and `done` belongs to the same transaction as everything that the letter changed. A letter that
fails is tried again. When it fails the third time, it is quarantined ("shunted") with its traceback, so that other
letters can be handled.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import bindparam, func, insert, text, update
from sqlalchemy.orm import defer
from sqlmodel import Session, SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from judge.store.locks import take_turn
from judge.store.rows import count, storable
from judge.store.states import LetterState
from judge.store.tables import ACTED, IGNORED, KnownLetter, LetterRow, Watch

MAX_ATTEMPTS = 3
# The maximum length of a stored traceback. Only the end is stored, which says what went wrong.
MAX_ERROR = 10_000
# The minimum time between two recorded checks of the mailbox. A check that finds nothing should cost almost nothing.
SWEEP_PRECISION = timedelta(minutes=1)

_NEW: LetterState = "new"
_SHUNTED: LetterState = "shunted"

# Sort by id too, so that two letters of the same second stay in the order of the mailbox. The times of a mail server
# have no fractions of a second.
_BY_ARRIVAL = (col(LetterRow.received_at), col(LetterRow.id))
_WITHOUT_RAW = defer(cast(Any, LetterRow.raw))
_LETTERS = SQLModel.metadata.tables["letter"]
# These queries run all the time. They are built only once, since building a statement takes longer than executing it.
_KNOWN = select(_LETTERS.c.id).where(_LETTERS.c.fingerprint == bindparam("fingerprint"))
_KEEP = insert(_LETTERS).returning(_LETTERS.c.id)


@dataclass(frozen=True)
class Masked:
    """The form in which a handled letter is kept, without passwords.

    `raw` has its headers and text. `message_id` and `written_at` (its Date) are given only if copies of the letter must
    do nothing.
    """

    raw: bytes
    sender: str = ""
    subject: str = ""
    message_id: str = ""
    written_at: datetime | None = None


def keep(session: Session, fetched: Iterable[Any], fingerprint_of: Callable[[Any], str], *, now: datetime) -> list[int]:
    """Store the new letters of a mailbox (judge/letters/imap.py), and return their ids in the same order.

    Two letters with the same fingerprint are the same letter, whichever way they came.
    """
    take_turn(session)  # no other process may store the same letters meanwhile
    ids = []
    for letter in fetched:
        row = {name: getattr(letter, name) for name in ("received_at", "raw", "cut")}
        row |= {"fingerprint": fingerprint_of(letter), "kept_at": now}
        if session.scalar(_KNOWN, row) is None:
            ids.append(session.scalar(_KEEP, row))  # store one by one, so that the ids follow the order
    return ids


def _letters_in(state: LetterState, *which: Any) -> SelectOfScalar[LetterRow]:
    # Write the state into the statement. With a bound value, SQLite could not use the partial index of unfinished
    # letters.
    return select(LetterRow).where(text(f"letter.state = '{state}'"), *which).order_by(*_BY_ARRIVAL)


def in_turn(session: Session, *, beside: Collection[int] = ()) -> Sequence[LetterRow]:
    """Return the waiting letter that reached the mail server first, as a list of at most one letter.

    Letters with ids in `beside` are skipped.
    """
    return session.exec(_letters_in(_NEW, col(LetterRow.id).not_in(beside)).limit(1)).all()


def those(session: Session, letter_ids: Collection[int]) -> Sequence[LetterRow]:
    """Return the existing letters among those with these ids."""
    return session.exec(select(LetterRow).where(col(LetterRow.id).in_(letter_ids)).order_by(*_BY_ARRIVAL)).all()


def done(
    session: Session, row: LetterRow, kept: Masked, *, now: datetime, state: LetterState = "done", reason: str = ""
) -> None:
    """Note that the letter has been handled.

    `state` is "ignored" if the letter has no effect. `state` is "held" if a part of the letter waits for the sender's
    confirmation. The bytes of a held letter are kept as they came. `reason` says why a letter was ignored or not
    answered, if the keeper should know.
    """
    became = vars(kept) | {"state": state, "error": reason, "done_at": now}
    session.execute(update(_LETTERS).where(_LETTERS.c.id == row.id).values(became))


def acted_before(session: Session, message_id: str, sender: str, written_at: datetime | None) -> bool:
    """Return whether a letter from `sender` with this Message-ID and Date was carried out.

    If `sender` is "", a letter from anyone is meant.
    """
    if not message_id:
        return False
    of_name = (text(f"letter.{ACTED}"), _LETTERS.c.message_id == message_id)
    found = session.execute(select(_LETTERS.c.sender, _LETTERS.c.written_at).where(*of_name))
    return any(date == written_at and sender in ("", writer) for writer, date in found)


def count_ignored(session: Session, since: datetime | None = None) -> int:
    """Return the number of ignored letters from known people that are still kept."""
    # Always compare the time too, since SQLite would otherwise read the whole index.
    when = col(LetterRow.done_at) > since if since else col(LetterRow.done_at).is_not(None)
    return count(session, LetterRow, text(IGNORED), when)


def latest_ignored(session: Session, most: int) -> Sequence[LetterRow]:
    """Return at most `most` ignored letters from known people, newest first, without their bytes."""
    found = select(LetterRow).where(text(IGNORED), col(LetterRow.done_at).is_not(None))
    return session.exec(found.order_by(col(LetterRow.done_at).desc()).limit(most).options(_WITHOUT_RAW)).all()


def letters(
    session: Session, state: LetterState, *, sender: str | None = None, before: datetime | None = None
) -> Sequence[LetterRow]:
    """Return the letters in that state, oldest first.

    Their bytes are loaded on access. If `sender` is given, return only letters from this address. If `before` is given,
    return only letters that have been in this state since before that moment.
    """
    which = [] if sender is None else [LetterRow.sender == sender]
    since = [col(LetterRow.done_at) < before] if before else []
    return session.exec(_letters_in(state, *which, *since).options(_WITHOUT_RAW)).all()


def failed(session: Session, letter_id: int, error: str, *, for_good: bool = False) -> bool:
    """Record that handling the letter raised `error`, and return whether the letter has been put into quarantine.

    `error` is a traceback. If `for_good` is true, the letter is not tried again, since that would only delay other
    letters. Call this in a new transaction, since the one that failed was rolled back.
    """
    row = session.get_one(LetterRow, letter_id, with_for_update=True)
    row.attempts += 1
    row.error = storable(error)[-MAX_ERROR:]
    if for_good or row.attempts >= MAX_ATTEMPTS:
        row.state = _SHUNTED
    return row.state == _SHUNTED


def requeue(row: LetterRow) -> bool:
    """Let a quarantined letter be tried again, as if it had never failed.

    Returns False if the letter is not quarantined.
    """
    if row.state != _SHUNTED:
        return False
    row.state, row.attempts, row.error = _NEW, 0, ""
    return True


def waiting(session: Session) -> int:
    """Return the number of letters that are waiting to be handled."""
    return count(session, LetterRow, text("letter.state = 'new'"))


def oldest(session: Session) -> datetime | None:
    """Return the time at which the longest waiting letter was stored, or None."""
    return session.exec(select(func.min(LetterRow.kept_at)).where(text("letter.state = 'new'"))).one()


def latest(session: Session) -> LetterRow | None:
    """Return the letter that was stored last, without its bytes, or None."""
    newest_first = select(LetterRow).order_by(col(LetterRow.id).desc())
    return session.exec(newest_first.options(_WITHOUT_RAW).limit(1)).first()


def is_known(session: Session, person_id: int, message_id: str, digest: str, written_at: datetime | None) -> bool:
    """Return whether a letter with this Date and Message-ID, or digest, was noted for the person.

    A Message-ID or digest of "" is not compared.
    """
    of_date = (KnownLetter.person_id == person_id, col(KnownLetter.written_at) == written_at)
    rows = session.exec(select(KnownLetter).where(*of_date)).all()
    return any(message_id and row.message_id == message_id or digest and row.digest == digest for row in rows)


def newest_written(session: Session, person_id: int, until: datetime) -> datetime | None:
    """Return the latest Date up to `until` among the letters noted for the person, or None."""
    dates = select(func.max(KnownLetter.written_at)).where(KnownLetter.person_id == person_id)
    return session.exec(dates.where(col(KnownLetter.written_at) <= until)).one()


def note_known(session: Session, person_id: int, message_id: str, digest: str, written_at: datetime | None) -> None:
    """Note that a verified letter of this person was answered."""
    session.add(KnownLetter(person_id=person_id, message_id=message_id, digest=digest, written_at=written_at))


# --- checks of the mailbox ---


def note_sweep(session: Session, swept_at: datetime, limit: timedelta) -> timedelta | None:
    """Record a check of the mailbox that began at `swept_at`.

    Returns the length of the outage that the check ended, if that is longer than `limit`. The caller must run this
    function before it processes a phase or does a task that is due. An outage is noted in the transaction that ends it.
    If the judge crashes before that, the next start finds the same outage.
    """
    watch = session.exec(select(Watch)).first()
    if watch is None:
        session.add(Watch(swept_at=swept_at))
        return None
    silence = swept_at - watch.swept_at
    if silence > limit:
        # If no check was recorded since the last outage, that outage has not ended.
        begun = watch.outage_from if watch.outage_from and watch.outage_to == watch.swept_at else watch.swept_at
        watch.outage_from, watch.outage_to = begun, swept_at
    watch.swept_at = swept_at
    session.add(watch)
    return silence if silence > limit else None


def last_sweep(session: Session) -> datetime | None:
    """Return the recorded time of the last check of the mailbox (see SWEEP_PRECISION), or None."""
    return session.exec(select(Watch.swept_at)).first()


def last_outage(session: Session) -> tuple[datetime, datetime] | None:
    """Return the beginning and end of the last long outage of the mailbox, or None."""
    outage = session.exec(select(Watch.outage_from, Watch.outage_to)).first()
    return (outage[0], outage[1]) if outage and outage[0] and outage[1] else None
