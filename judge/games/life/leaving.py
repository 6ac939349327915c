"""Leaving a game: the seat keeps its row, the power is open to others, everybody is told, the old holder first."""

from datetime import datetime

from sqlmodel import Session

from judge.games.core.office import Office
from judge.games.deadlines import schedule
from judge.games.orders.orderbook import OrderBook
from judge.games.people import vacancies
from judge.games.telling import notices
from judge.store.lookups import open_phase
from judge.store.tables import Event, Game, Seat


def leave(session: Session, office: Office, game: Game, seat: Seat, now: datetime) -> None:
    """`seat` is given up. A player of a game that has not begun makes room for another; an observer leaves quietly.

    The password goes with it: who comes back to a seat is one who lost it by being late.
    """
    seat.left_at, seat.waits, seat.password = now, False, ""
    session.add(seat)
    session.flush()
    session.add(Event(at=now, kind="resigned", game_id=game.id, text=f"{seat.power or seat.role} {seat.address}"))
    if seat.role == "player":
        who = seat.power or "A player"
        then = f"{seat.power} is open to others." if seat.power else "One more player is needed."
        what = f"Resignation: {seat.power or 'a player'}"
        notices.tell_comings(session, office, game, what, f"{who} has left game {game.name}. {then}", now)
        notices.tell_left(session, office, game, seat, now)
        _offer(session, office, game, seat, now)


def _offer(session: Session, office: Office, game: Game, seat: Seat, now: datetime) -> None:
    """A power that is still in the game is offered to the standby list, and may not be waited for any more."""
    phase = open_phase(session, game)
    if phase and seat.power in vacancies.vacant(session, game, phase):
        vacancies.ask_standby(session, office, game, phase, [seat.power], now)
        schedule.reckon(session, office, game, OrderBook(session, game, phase), now)
