"""The times in which people cannot write, as they have told the judge."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, select

from judge.store.states import Role
from judge.store.tables import Absence, Game, Seat


class Away(NamedTuple):
    """An absence, and whose it is."""

    starts_at: datetime
    ends_at: datetime
    role: Role
    power: str | None


def away(session: Session, game: Game, now: datetime) -> list[Away]:
    """The same as `pending`, for those who only read it."""
    return [Away(row.starts_at, row.ends_at, seat.role, seat.power) for row, seat in pending(session, game, now)]


def pending(session: Session, game: Game, now: datetime) -> Sequence[tuple[Absence, Seat]]:
    """The absences in `game` that are not over, of people who still have a seat in it; the earliest first."""
    theirs = (Seat.game_id == game.id, col(Seat.left_at).is_(None), Absence.ends_at > now)
    absences = select(Absence, Seat).join(Seat).where(*theirs).order_by(col(Absence.starts_at), col(Absence.id))
    return session.exec(absences).all()
