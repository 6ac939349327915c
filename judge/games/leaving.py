"""Leaving a game: the seat keeps its row, the power is open to others, everybody is told."""

from datetime import datetime

from sqlmodel import Session

from judge.games import notices
from judge.games.office import Office
from judge.store.tables import Event, Game, Seat


def leave(session: Session, office: Office, game: Game, seat: Seat, now: datetime) -> None:
    """`seat` is given up. A player of a game that has not begun makes room for another; an observer leaves quietly."""
    seat.left_at, seat.waits = now, False
    session.add(seat)
    session.flush()
    session.add(Event(at=now, kind="resigned", game_id=game.id, text=f"{seat.power or seat.role} {seat.address}"))
    if seat.role == "player":
        who = seat.power or "A player"
        then = f"{seat.power} is open to others." if seat.power else "One more player is needed."
        what = f"Resignation: {seat.power or 'a player'}"
        notices.tell_news(session, office, game, what, f"{who} has left game {game.name}. {then}", now)
