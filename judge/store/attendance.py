"""Who was on time in which phase: one row per seat and phase; a later result replaces an earlier one."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import delete, func, insert
from sqlmodel import Session, col, select

from judge.store.rows import id_of
from judge.store.states import Met
from judge.store.tables import Attendance, Game, Phase, Seat

_GIVEN_UP: Met = "abandoned"


def of_phase(session: Session, phase: Phase) -> dict[int, Attendance]:
    """{seat: its result for `phase`, as known so far}."""
    return {row.seat_id: row for row in session.exec(select(Attendance).where(Attendance.phase_id == phase.id))}


def noted(session: Session, phase: Phase) -> set[int]:
    """The seats whose result for `phase` is known."""
    return set(session.exec(select(Attendance.seat_id).where(Attendance.phase_id == phase.id)))


def of_person(session: Session, person_id: int) -> Sequence[tuple[Met, datetime, int]]:
    """Every phase in which a person owed orders: the result, when it was known, and the game; the oldest first."""
    owed = select(Attendance.result, Attendance.at, Phase.game_id).join(Phase).where(Attendance.person_id == person_id)
    rows = session.exec(owed.order_by(col(Attendance.at), col(Attendance.id)))
    # To mypy a column that is selected by itself is just any text.
    return [(cast(Met, result), at, game) for result, at, game in rows]


def games_met(session: Session, person_id: int) -> Sequence[Game]:
    """The games in which a person has owed orders for a phase."""
    games = select(Phase.game_id).join(Attendance).where(Attendance.person_id == person_id)
    return session.exec(select(Game).where(col(Game.id).in_(games))).all()


def forget(session: Session, phases: Sequence[Phase]) -> None:
    """`phases` are played again: their results no longer count, except for seats that were given up in them."""
    undone = col(Attendance.phase_id).in_([phase.id for phase in phases])
    session.execute(delete(Attendance).where(undone, col(Attendance.result) != _GIVEN_UP))


def late_counts(session: Session, game: Game) -> dict[int, int]:
    """{seat: in how many phases of the game its player was late, or gave no orders}."""
    late = select(Attendance.seat_id, func.count()).join(Phase)
    late = late.where(Phase.game_id == game.id, Attendance.result != "on time").group_by(col(Attendance.seat_id))
    return dict(session.exec(late).all())


def note(session: Session, phase: Phase, seats: Iterable[Seat], result: Met, now: datetime) -> None:
    """Record the first `result` of each of these seats for `phase`."""
    rows = [
        {"phase_id": id_of(phase), "seat_id": id_of(seat), "person_id": seat.person_id, "result": result, "at": now}
        for seat in seats
    ]
    if rows:
        session.execute(insert(Attendance), rows)
