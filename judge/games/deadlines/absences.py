"""Absences: spans in which a player cannot write. The deadlines of later phases avoid them (HELP deadlines).

As in njudge, an absence counts for the master, and for a player who has a move due. The open phase keeps its
deadline. An absence is told to all only when a deadline was put off because of it, not before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.timing import Span
from judge.games.core.work import Work
from judge.rules import Position, seats_asked
from judge.store.rows import id_of
from judge.store.seats import pending
from judge.store.tables import Absence, Game, Seat

MOST_PENDING = 3


class AbsenceRefused(Exception):
    """This absence is refused; the sentence says why."""


def counting(work: Work, game: Game, position: Position) -> Sequence[tuple[Absence, Seat]]:
    """The absences that a deadline for `position` avoids: the master's, and those of players who have to order; with
    their seats.
    """
    waiting = pending(work.session, game, work.now)
    if not waiting:
        return []
    variant = variant_of(game).at(position.phase)
    asked = seats_asked(variant, position)
    return [(absence, seat) for absence, seat in waiting if seat.role == "master" or seat.power in asked]


def pending_of(work: Work, game: Game, seat: Seat) -> list[Absence]:
    """The absences of one seat that are not over yet."""
    return [absence for absence, whose in pending(work.session, game, work.now) if whose.id == seat.id]


def grant(work: Work, game: Game, seat: Seat, start: datetime, end: datetime) -> None:
    """`seat` is away from `start` to `end`. Raises AbsenceRefused."""
    longest = settings_of(game).max_absence
    mine = pending_of(work, game, seat)
    if end <= start:
        raise AbsenceRefused("An absence ends after it begins.")
    if end <= work.now:
        raise AbsenceRefused("That absence is already over.")
    if seat.role != "master" and end - start > timedelta(days=longest):
        raise AbsenceRefused(f"In this game an absence is {longest} days at most; ask the master for more.")
    if any(absence.starts_at < end and start < absence.ends_at for absence in mine):
        raise AbsenceRefused("That overlaps an absence of yours. SET NO ABSENCE and a date in it cancels one.")
    if len(mine) >= MOST_PENDING:
        raise AbsenceRefused(f"You have {MOST_PENDING} absences set. SET NO ABSENCE and a date in it cancels one.")
    work.session.add(Absence(seat_id=id_of(seat), starts_at=start, ends_at=end))
    work.log("absence", game, f"{seat.power or seat.role} {start} to {end}")
    work.session.flush()


def cancel(work: Work, game: Game, seat: Seat, day: Span) -> Absence | None:
    """Delete the absence of `seat` that overlaps `day` and return it; None if there is none."""
    mine = pending_of(work, game, seat)
    found = next((absence for absence in mine if absence.starts_at <= day[1] and day[0] <= absence.ends_at), None)
    if found:
        work.session.delete(found)
        work.log("absence", game, f"{seat.power or seat.role} cancelled")
        work.session.flush()
    return found
