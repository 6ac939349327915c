"""Leaving a game: the seat keeps its row, the power is open to others, everybody is told, and the old holder why."""

from judge.games.core.turn import Turn
from judge.games.deadlines import schedule
from judge.games.orders.orderbook import OrderBook
from judge.games.people import vacancies
from judge.games.telling import notices
from judge.store.games import open_phase
from judge.store.seats import leave_seat
from judge.store.tables import Game, Seat


def leave(turn: Turn, game: Game, seat: Seat, why: str) -> None:
    """Give up `seat` and tell everybody; its holder is told `why`, the end of a sentence ("": they need not be told).

    A player of a game that has not begun makes room for another. No one else is told of an observer or a master.
    """
    vacate(turn, game, seat)
    tell(turn, game, seat, why)


def vacate(turn: Turn, game: Game, seat: Seat) -> None:
    """Give up `seat` without telling anybody yet. Only players who lost a seat by being late can come back to it."""
    leave_seat(turn.session, seat, turn.now)
    turn.log("resigned", game, f"{seat.power or seat.role} {seat.address}")


def tell(turn: Turn, game: Game, seat: Seat, why: str) -> None:
    """Tell the holder of `seat` why they have lost it, and everybody if a player has left; ask the standby list for
    another.
    """
    if seat.role == "player":
        who = seat.power or "A player"
        then = f"{seat.power} is open to others." if seat.power else "One more player is needed."
        what = f"Resignation: {seat.power or 'a player'}"
        notices.tell_comings(turn, game, what, f"{who} has left game {game.name}. {then}")
    if why:
        notices.tell_left(turn, game, seat, why)
    phase = open_phase(turn.session, game)
    if phase:
        if seat.power in vacancies.vacant(turn.session, game, phase):
            vacancies.ask_standby(turn, game, phase, [seat.power])
        # The phase may no longer have to wait: for the power, or for a WAIT that was set.
        schedule.reckon(turn, game, OrderBook(turn.session, game, phase))
