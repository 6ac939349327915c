"""Leaving a game: the seat keeps its row, the power is open to others, everybody is told, the old holder first."""

from judge.games.core.turn import Turn
from judge.games.deadlines import schedule
from judge.games.orders.orderbook import OrderBook
from judge.games.people import vacancies
from judge.games.telling import notices
from judge.store.lookups import open_phase
from judge.store.tables import Game, Seat


def leave(turn: Turn, game: Game, seat: Seat) -> None:
    """Give up `seat` and tell everybody. A player of a game that has not begun makes room for another; of an observer
    nobody is told.
    """
    vacate(turn, game, seat)
    tell(turn, game, seat)


def vacate(turn: Turn, game: Game, seat: Seat) -> None:
    """Give up `seat` without telling anybody yet.

    The password is deleted too: only players who lost a seat by being late can come back to it.
    """
    seat.left_at, seat.waits, seat.password = turn.now, False, ""
    turn.session.add(seat)
    turn.session.flush()
    turn.log("resigned", game, f"{seat.power or seat.role} {seat.address}")


def tell(turn: Turn, game: Game, seat: Seat) -> None:
    """Tell everybody that a player has left, and ask the standby list for another."""
    if seat.role == "player":
        who = seat.power or "A player"
        then = f"{seat.power} is open to others." if seat.power else "One more player is needed."
        what = f"Resignation: {seat.power or 'a player'}"
        notices.tell_comings(turn, game, what, f"{who} has left game {game.name}. {then}")
        notices.tell_left(turn, game, seat)
        _offer(turn, game, seat)


def _offer(turn: Turn, game: Game, seat: Seat) -> None:
    """Offer a power that is still in the game to the standby list; the phase may no longer have to wait for it."""
    phase = open_phase(turn.session, game)
    if phase and seat.power in vacancies.vacant(turn.session, game, phase):
        vacancies.ask_standby(turn, game, phase, [seat.power])
        schedule.reckon(turn, game, OrderBook(turn.session, game, phase))
