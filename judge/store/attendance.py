"""Who was on time in which phase: one row per seat and phase; a later result replaces an earlier one."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import bindparam, delete, insert
from sqlalchemy import select as select_columns
from sqlalchemy.sql.functions import count
from sqlmodel import Session, SQLModel, col, select

from judge.store.ids import id_of
from judge.store.states import Met
from judge.store.straight import Objects, Straight
from judge.store.tables import Attendance, Game, Phase, Seat

_OF_PHASE = Objects[Attendance](select(Attendance).where(Attendance.phase_id == bindparam("phase")))
_OF_PERSON = (
    select(Attendance.result, Attendance.at, Phase.game_id)
    .join(Phase)
    .where(Attendance.person_id == bindparam("person"))
    .order_by(col(Attendance.at), col(Attendance.id))
)
_GAMES_MET = select(Game).where(
    col(Game.id).in_(select(Phase.game_id).join(Attendance).where(Attendance.person_id == bindparam("person")))
)
_ATTENDANCE = SQLModel.metadata.tables["attendance"]
_NOTED = Straight(select_columns(_ATTENDANCE.c.seat_id).where(_ATTENDANCE.c.phase_id == bindparam("phase")))
_NOTE = Straight(insert(_ATTENDANCE))
_GIVEN_UP: Met = "abandoned"
_LATE = (
    select_columns(_ATTENDANCE.c.seat_id, count().label("phases"))
    .join(Phase, col(Phase.id) == _ATTENDANCE.c.phase_id)
    .where(col(Phase.game_id) == bindparam("game"), _ATTENDANCE.c.result != "on time")
    .group_by(_ATTENDANCE.c.seat_id)
)


def of_phase(session: Session, phase: Phase) -> dict[int, Attendance]:
    """{seat: its result for `phase`, as known so far}."""
    return {row.seat_id: row for row in _OF_PHASE.all(session, phase=phase.id)}


def noted(session: Session, phase: Phase) -> set[int]:
    """The seats whose result for `phase` is known."""
    return {seat for (seat,) in _NOTED.rows(session, phase=phase.id)}


def of_person(session: Session, person_id: int) -> Sequence[tuple[Met, datetime, int]]:
    """Every phase in which a person owed orders: the result, when it was known, and the game; the oldest first."""
    rows = session.exec(_OF_PERSON, params={"person": person_id})
    # To mypy a column that is selected by itself is just any text.
    return [(cast(Met, result), at, game) for result, at, game in rows]


def games_met(session: Session, person_id: int) -> Sequence[Game]:
    """The games in which a person has owed orders for a phase."""
    return session.exec(_GAMES_MET, params={"person": person_id}).all()


def forget(session: Session, phases: Sequence[Phase]) -> None:
    """`phases` are played again: their results no longer count, except for seats that were given up in them."""
    undone = col(Attendance.phase_id).in_([phase.id for phase in phases])
    session.execute(delete(Attendance).where(undone, col(Attendance.result) != _GIVEN_UP))


def late_counts(session: Session, game: Game) -> dict[int, int]:
    """{seat: in how many phases of the game its player was late, or gave no orders}."""
    rows = session.connection().execute(_LATE, {"game": game.id})
    return {row.seat_id: row.phases for row in rows}


def note(session: Session, phase: Phase, seats: Iterable[Seat], result: Met, now: datetime) -> None:
    """Record the first `result` of each of these seats for `phase`."""
    rows = [
        {"phase_id": id_of(phase), "seat_id": id_of(seat), "person_id": seat.person_id, "result": result, "at": now}
        for seat in seats
    ]
    if rows:
        _NOTE.many(session, rows)
