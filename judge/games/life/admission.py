"""The master says yes: who asked joins a game that is forming, or takes the seat of a power over."""

from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.life import forming, takeovers
from judge.games.life.applications import answer
from judge.games.people import vacancies
from judge.store.lookups import open_phase, seats_of
from judge.store.tables import Application, Game, Person


def approve(session: Session, office: Office, game: Game, application: Application, now: datetime) -> str:
    """Who asked joins, or takes the power over; what came of it."""
    person = session.get_one(Person, application.person_id)
    no_room = _no_room(session, game, application)
    session.delete(application)
    session.flush()
    if no_room:
        answer(session, office, game, application, person, f"You could not join: {no_room}", now)
        return f"{person.name} could not join, and is told so: {no_room}"
    if application.power:
        return _take_over(session, office, game, application, person, now)
    seat, phase = forming.join(
        session, office, game, person, application.address, application.password, now
    )
    if not phase:
        text = f"The master has approved: you are in game {game.name}. {forming.what_is_missing(session, game)}"
        answer(session, office, game, application, person, text, now)
    return f"{person.name} is in game {game.name}. " + (
        "It begins." if phase else forming.what_is_missing(session, game)
    )


def _take_over(
    session: Session, office: Office, game: Game, application: Application, person: Person, now: datetime
) -> str:
    phase, power = open_phase(session, game), application.power or ""
    assert phase
    takeovers.take_over(
        session, office, game, phase, power, person, application.address, application.password, now
    )
    letter = variant_of(game).seat_named[power].letter
    text = (
        f"The master has approved: you play {power} in game {game.name}. Sign on with SIGNON {letter}{game.name} and "
        "the password that you chose."
    )
    answer(session, office, game, application, person, text, now)
    return f"{person.name} plays {power} in game {game.name}."


def _no_room(session: Session, game: Game, application: Application) -> str:
    """Why the application is out of date; "" when it is not."""
    if game.state == "finished":
        return f"Game {game.name} has ended."
    mine = [seat for seat in seats_of(session, game) if seat.person_id == application.person_id]
    if any(seat.role == "player" for seat in mine):
        return f"They are already in game {game.name}."
    phase = open_phase(session, game)
    if application.power:
        free = phase is not None and application.power in vacancies.vacant(session, game, phase)
        return "" if free else f"Nobody can take {application.power} in game {game.name} any more."
    if phase:
        return f"Game {game.name} has begun."
    return "" if forming.missing_players(session, game) > 0 else f"Game {game.name} is full."
