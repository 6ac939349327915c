"""The master approves an application: the player joins a game that is forming, or takes over the seat of a power."""

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.who_may_see import may_have_seen
from judge.games.core.work import Work
from judge.games.life import forming, replace_player
from judge.games.life.applications import answer
from judge.games.life.open_deferred import on_file_view
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import open_seats
from judge.games.people.entrant import Entrant
from judge.store.games import open_phase
from judge.store.seats import seats_of
from judge.store.tables import Application, Game, Person


def approve(work: Work, game: Game, application: Application) -> str:
    """Let the applicant join, or take the power over; returns a sentence about the result."""
    person = work.session.get_one(Person, application.person_id)
    no_room = _no_room(work.session, game, application)
    work.session.delete(application)
    work.session.flush()
    if no_room:
        answer(work, game, application, person, f"You could not join: {no_room}")
        return f"{person.name} could not join, and is told so: {no_room}"
    if application.role == "observer":
        return _observe(work, game, application, person)
    if application.power:
        return _take_over(work, game, application, person)
    seat, phase = forming.join(work, game, _entrant(application, person))
    if not phase:
        text = f"The master has approved: you are in game {game.name}. {forming.what_is_missing(work.session, game)}"
        text += f"\n\n{forming.what_awaits(game)}"
        answer(work, game, application, person, text)
    return f"{person.name} is in game {game.name}. " + (
        "It begins." if phase else forming.what_is_missing(work.session, game)
    )


def _take_over(work: Work, game: Game, application: Application, person: Person) -> str:
    phase, power = open_phase(work.session, game), application.power or ""
    assert phase
    seat = replace_player.take_over(work, game, phase, power, _entrant(application, person))
    own = variant_of(game).seat_named[power].at(game.name)
    text = (
        f"The master has approved: you play {power} in game {game.name}. Sign on with SIGNON {own} and "
        "the password that you chose."
    )
    on_file = on_file_view(work, game, FiledOrders(work.session, game, phase), seat)
    answer(work, game, application, person, text, work.services.post.render("orders", person.zone, **on_file))
    return f"{person.name} plays {power} in game {game.name}."


def _observe(work: Work, game: Game, application: Application, person: Person) -> str:
    seat, phase = forming.sit(work, game, "observer", _entrant(application, person)), open_phase(work.session, game)
    text = f"The master has approved: you observe game {game.name}. Its results come to {seat.address}."
    answer(work, game, application, person, text)
    if phase:
        forming.show_position(work, game, phase, seat)
    return f"{person.name} observes game {game.name}."


def _entrant(application: Application, person: Person) -> Entrant:
    return Entrant(person, application.address, application.password)


def _no_room(session: Session, game: Game, application: Application) -> str:
    """Why the application is out of date; "" if it is not."""
    if game.state == "finished":
        return f"Game {game.name} has ended."
    mine = [seat for seat in seats_of(session, game) if seat.person_id == application.person_id]
    if any(application.role == "observer" or seat.role == "player" for seat in mine):
        return f"They are already in game {game.name}."
    phase = open_phase(session, game)
    if application.role == "observer":
        return ""
    if application.power:
        if phase is None or application.power not in open_seats.vacant(session, game, phase):
            return f"Nobody can take {application.power} in game {game.name} any more."
        if may_have_seen(session, game, phase, application.power, application.person_id):
            return f"They are a master of game {game.name}, and could see what others have on file for {phase.name}."
        return ""
    if phase:
        return f"Game {game.name} has begun."
    return "" if forming.missing_players(session, game) > 0 else f"Game {game.name} is full."
