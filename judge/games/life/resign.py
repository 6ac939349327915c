"""Leaving a game: the seat keeps its row, the power is open to others, everybody is told, and the old holder why."""

from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.notifications import notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import open_seats
from judge.store.games import open_phase
from judge.store.seats import leave_seat
from judge.store.tables import Game, Seat


def leave(work: Work, game: Game, seat: Seat, why: str) -> None:
    """Give up `seat` and tell everybody; its holder is told `why`, the end of a sentence ("": they need not be told).

    A player of a game that has not begun makes room for another. No one else is told of an observer or a master.
    """
    vacate(work, game, seat)
    tell(work, game, seat, why)


def vacate(work: Work, game: Game, seat: Seat) -> None:
    """Give up `seat` without telling anybody yet. Only players who lost a seat by being late can come back to it."""
    leave_seat(work.session, seat, work.now)
    work.log("resigned", game, f"{seat.power or seat.role} {seat.address}")


def tell(work: Work, game: Game, seat: Seat, why: str) -> None:
    """Tell the holder of `seat` why they have lost it, and everybody if a player has left; ask the standby list for
    another.
    """
    if seat.role == "player":
        who = seat.power or "A player"
        then = f"{seat.power} is open to others." if seat.power else "One more player is needed."
        what = f"Resignation: {seat.power or 'a player'}"
        notices.tell_comings(work, game, what, f"{who} has left game {game.name}. {then}")
    if why:
        notices.tell_left(work, game, seat, why)
    phase = open_phase(work.session, game)
    if phase:
        if seat.power in open_seats.vacant(work.session, game, phase):
            open_seats.ask_standby(work, game, phase, [seat.power])
        # The phase may no longer have to wait: for the power, or for a WAIT that was set.
        schedule.reckon(work, game, FiledOrders(work.session, game, phase))
