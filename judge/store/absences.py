"""The times in which people cannot write, as they have told the judge."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlalchemy import select as select_columns
from sqlmodel import Session, SQLModel, col, select

from judge.store.states import Role
from judge.store.straight import Straight
from judge.store.tables import Absence, Game, Seat

_PENDING = (
    select(Absence, Seat)
    .join(Seat)
    .where(Seat.game_id == bindparam("game"), col(Seat.left_at).is_(None), Absence.ends_at > bindparam("now"))
    .order_by(col(Absence.starts_at), col(Absence.id))
)
_ABSENCES, _SEATS = SQLModel.metadata.tables["absence"], SQLModel.metadata.tables["seat"]
_AWAY = Straight(
    select_columns(_ABSENCES.c.starts_at, _ABSENCES.c.ends_at, _SEATS.c.role, _SEATS.c.power)
    .join_from(_ABSENCES, _SEATS)
    .where(_SEATS.c.game_id == bindparam("game"), _SEATS.c.left_at.is_(None), _ABSENCES.c.ends_at > bindparam("now"))
    .order_by(_ABSENCES.c.starts_at, _ABSENCES.c.id)
)


class Away(NamedTuple):
    """An absence, and whose it is."""

    starts_at: datetime
    ends_at: datetime
    role: Role
    power: str | None


def away(session: Session, game: Game, now: datetime) -> list[Away]:
    """The same as `pending`, for those who only read it."""
    return [Away(*row) for row in _AWAY.rows(session, game=game.id, now=now)]


def pending(session: Session, game: Game, now: datetime) -> Sequence[tuple[Absence, Seat]]:
    """The absences in `game` that are not over, of people who still have a seat in it; the earliest first."""
    rows = session.exec(_PENDING, params={"game": game.id, "now": now})
    return [(absence, seat) for absence, seat in rows]
