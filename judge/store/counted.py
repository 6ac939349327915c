"""The verified letters that have taken effect for players without a password (judge/desk/people/replays.py)."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, or_, select

from judge.store.ids import id_of
from judge.store.tables import CountedLetter, Seat


class Before(NamedTuple):
    """What other letters have taken effect. `known`: one of them is the same letter; `newest`: the latest Date."""

    known: bool
    newest: datetime | None


def before(session: Session, seat: Seat, letter_id: int, message_id: str, digest: str) -> Before:
    """What has taken effect for `seat` beside that letter; a Message-ID or digest of "" is not looked for."""
    others = CountedLetter.seat_id == id_of(seat), CountedLetter.letter_id != letter_id
    same = [col(column) == value for column, value in (
        (CountedLetter.message_id, message_id), (CountedLetter.digest, digest)) if value]  # fmt: skip
    found = session.exec(select(CountedLetter.id).where(*others, or_(*same)).limit(1)).first() if same else None
    newest = session.exec(select(func.max(CountedLetter.written_at)).where(*others)).one()
    return Before(found is not None, newest)


def note(
    session: Session, seat: Seat, letter_id: int, message_id: str, digest: str, written_at: datetime | None
) -> None:
    """A letter has taken effect for `seat`; it is noted once, however often it signs on."""
    mine = CountedLetter.seat_id == id_of(seat), CountedLetter.letter_id == letter_id
    if session.exec(select(CountedLetter.id).where(*mine).limit(1)).first() is None:
        session.add(
            CountedLetter(
                seat_id=id_of(seat),
                letter_id=letter_id,
                message_id=message_id,
                digest=digest,
                written_at=written_at,
            )
        )
        session.flush()
