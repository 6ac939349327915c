"""The times in which people cannot write, as they have told the judge."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from judge.store.tables import Absence, Game, Seat

_PENDING = (
    select(Absence, Seat)
    .join(Seat)
    .where(Seat.game_id == bindparam("game"), col(Seat.left_at).is_(None), Absence.ends_at > bindparam("now"))
    .order_by(col(Absence.starts_at), col(Absence.id))
)


def pending(session: Session, game: Game, now: datetime) -> Sequence[tuple[Absence, Seat]]:
    """The absences in `game` that are not over, of people who still have a seat in it; the earliest first."""
    rows = session.exec(_PENDING, params={"game": game.id, "now": now})
    return [(absence, seat) for absence, seat in rows]
