"""Absences: spans in which a player cannot write, and which the deadlines of later phases avoid (judge-commands 4.5).

njudge lets an absence count for the master, and for a player with a move due; so do we. The open phase keeps its
deadline. It is told to all when a deadline was put off for it, not before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.settings import GameSettings
from judge.games.core.timing import Span
from judge.games.orders.orderbook import by_seat
from judge.rules import Position, needs
from judge.store.absences import pending
from judge.store.ids import id_of
from judge.store.tables import Absence, Event, Game, Seat

MOST_PENDING = 3


class AbsenceRefused(Exception):
    """This absence cannot be had; the sentence says why."""


def counting(session: Session, game: Game, position: Position, now: datetime) -> Sequence[tuple[Span, Seat]]:
    """The absences that a deadline for `position` avoids: the master's, and those of players who have to order."""
    waiting = pending(session, game, now)
    if not waiting:
        return []
    variant = variant_of(game).at(position.phase)
    asked = by_seat(variant, needs(variant, position))
    return [
        ((absence.starts_at, absence.ends_at), seat)
        for absence, seat in waiting
        if seat.role == "master" or seat.power in asked
    ]


def pending_of(session: Session, game: Game, seat: Seat, now: datetime) -> list[Absence]:
    """The absences of one seat that are not over."""
    return [absence for absence, whose in pending(session, game, now) if whose.id == seat.id]


def grant(session: Session, game: Game, seat: Seat, start: datetime, end: datetime, now: datetime) -> None:
    """`seat` is away from `start` to `end`. Raises AbsenceRefused."""
    longest = GameSettings.from_json(game.settings).max_absence
    mine = pending_of(session, game, seat, now)
    if end <= start:
        raise AbsenceRefused("An absence ends after it begins.")
    if end <= now:
        raise AbsenceRefused("That absence is already over.")
    if seat.role != "master" and end - start > timedelta(days=longest):
        raise AbsenceRefused(f"In this game an absence is {longest} days at most; ask the master for more.")
    if any(absence.starts_at < end and start < absence.ends_at for absence in mine):
        raise AbsenceRefused("That overlaps an absence of yours. SET NO ABSENCE and a date in it cancels one.")
    if len(mine) >= MOST_PENDING:
        raise AbsenceRefused(f"You have {MOST_PENDING} absences set. SET NO ABSENCE and a date in it cancels one.")
    session.add(Absence(seat_id=id_of(seat), starts_at=start, ends_at=end))
    session.add(Event(at=now, kind="absence", game_id=game.id, text=f"{seat.power or seat.role} {start} to {end}"))
    session.flush()


def cancel(session: Session, game: Game, seat: Seat, day: Span, now: datetime) -> Absence | None:
    """Forget the absence of `seat` that has part in `day`; the one it was, None where there is none."""
    mine = pending_of(session, game, seat, now)
    found = next((absence for absence in mine if absence.starts_at <= day[1] and day[0] <= absence.ends_at), None)
    if found:
        session.delete(found)
        session.add(Event(at=now, kind="absence", game_id=game.id, text=f"{seat.power or seat.role} cancelled"))
        session.flush()
    return found
