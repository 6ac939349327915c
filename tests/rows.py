"""Rows that a test knows to be there: as in judge/store, but one that is missing is an AssertionError."""

from datetime import datetime

from sqlmodel import Session, col, func, select

from judge.store import games, people, seats
from judge.store.tables import Game, Pause, Person, Phase, Seat


def game_named(session: Session, name: str) -> Game:
    game = games.game_named(session, name)
    assert game, f"there is no game {name}"
    return game


def open_phase(session: Session, game: Game) -> Phase:
    phase = games.open_phase(session, game)
    assert phase, f"no phase of {game.name} is open"
    return phase


def person_at(session: Session, address: str) -> Person:
    person = people.person_at(session, address)
    assert person, f"nobody is registered at {address}"
    return person


def seat_of_power(session: Session, game: Game, power: str) -> Seat:
    seat = seats.players_of(session, game).get(power)
    assert seat, f"nobody plays {power} in {game.name}"
    return seat


def first_end(session: Session) -> datetime | None:
    """When the first of the open pauses ends in which answers wait."""
    return session.exec(select(func.min(Pause.ends_at)).where(col(Pause.ended_at).is_(None))).one()
