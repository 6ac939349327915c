"""Joining a game whose master decides who may (APPROVAL): asked for, approved or refused, all by mail.

An application is no seat: nothing of the game reaches who made it. It keeps the password chosen, and bears a word
that stands in the mail to the master, so that an answer of one line decides.
"""

import hmac
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.core.settings import GameSettings
from judge.games.people import reliability
from judge.games.telling import notices
from judge.store import applications
from judge.store.ids import id_of
from judge.store.lookups import open_phase, seats_of
from judge.store.tables import Application, Event, Game, Person

_MAC_LETTERS = 12


def decided_by_master(session: Session, game: Game, person: Person) -> bool:
    """Whether `person` joins `game` only if its master says so; who is its master needs nobody's word."""
    masters = [seat.person_id for seat in seats_of(session, game) if seat.role == "master"]
    return GameSettings.from_json(game.settings).approval and bool(masters) and person.id not in masters


def apply(
    session: Session, office: Office, game: Game, person: Person, address: str, password: str, power: str | None,
    now: datetime,
) -> None:  # fmt: skip
    """`person` asks to play, `power` if the game has begun, under the hash `password`; a later wish replaces it."""
    known = applications.of_person(session, game, person)
    told = known and (known.address, known.power) == (address, power)
    application = known or Application(
        game_id=id_of(game), person_id=id_of(person), address="", password="", asked_at=now
    )
    application.address, application.password, application.power = address, password, power
    session.add(application)
    session.flush()
    session.add(Event(at=now, kind="application", game_id=game.id, text=f"{power or 'to join'} {address}"))
    if not told:
        tell_masters(session, office, game, application, person, now)


def tell_masters(
    session: Session, office: Office, game: Game, application: Application, person: Person, now: datetime
) -> None:
    """Who asks, how reliable they are, and the line that decides."""
    context = {
        "application": application,
        "name": person.name,
        "record": reliability.record_of(session, application.person_id, now),
        "word": word_of(office, game, application),
    }
    phase = open_phase(session, game)
    for seat in seats_of(session, game):
        if seat.role == "master":
            subject = f"{person.name} Asks to Join"
            notices.tell_seat(session, office, game, phase, "application", subject, seat, context, now)


def word_of(office: Office, game: Game, application: Application) -> str:
    """The word that stands for an application as long as it is open."""
    about = f"application {game.name} {application.address} {application.asked_at:%Y%m%d%H%M%S}"
    return office.passwords.keep_generated(about).rpartition("$")[2][:_MAC_LETTERS]


def by_word(session: Session, office: Office, word: str) -> Application | None:
    """The open application whose word this is."""
    for application, game in applications.all_open(session):
        if hmac.compare_digest(word_of(office, game, application), word.lower()):
            return application
    return None


def refuse(session: Session, office: Office, game: Game, application: Application, now: datetime) -> str:
    """Who asked is told that they cannot join; what came of it."""
    person = session.get_one(Person, application.person_id)
    session.delete(application)
    session.flush()
    text = f"The master of game {game.name} has not accepted you. LIST shows other games."
    answer(session, office, game, application, person, text, now)
    return f"{person.name} is not accepted in game {game.name}, and is told so."


def drop_all(session: Session, office: Office, game: Game, why: str, now: datetime) -> None:
    """Nobody can join any more: those who still wait for an answer are told `why`."""
    for application, person in applications.of_game(session, game):
        session.delete(application)
        answer(session, office, game, application, person, why, now)
    session.flush()


def answer(
    session: Session, office: Office, game: Game, application: Application, person: Person, text: str, now: datetime
) -> None:
    """Tell the player who asked what came of it."""
    variant = variant_of(game)
    body = office.post.render("news", person.zone, game=game, phase=None, variant=variant, text=text)
    office.post.notice(
        session, to=application.address, kind="application", subject="Joining", body=body, now=now, game=game
    )
