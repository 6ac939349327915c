"""Join a game whose master approves its players (APPROVAL): applications, approval and refusal, all by email.

An applicant is not in the game yet, and gets none of its emails. The application keeps the hash of the chosen password.
The email to the master has a code for the application. So the master can decide with a reply of one line.
"""

import hmac
from dataclasses import dataclass

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Services, Work
from judge.games.notifications import notices
from judge.games.people import reliability
from judge.mails.blocks import together
from judge.mails.mail_writer import Draft
from judge.store.games import open_phase
from judge.store.seats import applications_of, in_line, masters_of, open_applications
from judge.store.states import Role
from judge.store.tables import Application, Game, Person


@dataclass(frozen=True)
class Entrant:
    """A person who joins a game or asks to join it.

    Emails about the game go to `address`. `password` is the hash of the password. `preference` is the list of powers
    that the person would like.
    """

    person: Person
    address: str
    password: str
    preference: str = ""


_MAC_LETTERS = 12


def decided_by_master(session: Session, game: Game, person: Person | None, role: Role = "player") -> bool:
    """Return whether `person`, who is not a master of `game`, needs its master's approval to join.

    If LIST does not show the game (SET NO LIST), observers need approval.
    """
    settings, masters = settings_of(game), {seat.person_id for seat in masters_of(session, game)}
    if role == "observer":
        needed = not settings.listed
    else:
        needed = settings.approval and (person is None or person.id not in masters)
    return needed and bool(masters)


def apply(work: Work, game: Game, entrant: Entrant, power: str | None = None, role: Role = "player") -> Application:
    """Record an application of `entrant` to play or to observe, and notify the masters.

    If the game has begun, `power` is the power to play. The application replaces an earlier one of `entrant`.
    """
    person, address = entrant.person, entrant.address
    application = _application(work, game, person)
    before = (application.queued, application.address, application.power, application.role)
    told = before == (False, address, power, role)
    application.queued, application.address, application.password = False, address, entrant.password
    application.power, application.role = power, role
    work.log("application", game, f"{power or ('to observe' if role == 'observer' else 'to join')} {address}")
    work.session.flush()
    if not told:
        tell_masters(work, game, application, person)
    return application


def stand_in_line(work: Work, game: Game, person: Person, address: str) -> int:
    """Put the person at the end of the line for a place in the game, and return their position.

    A person who is already in the line keeps their position. The place in line replaces an earlier application to the
    master.
    """
    people = [one.id for _, one in in_line(work.session, game)]
    if person.id not in people:
        entry = _application(work, game, person)
        entry.queued, entry.address, entry.password, entry.asked_at = True, address, "", work.now
        entry.power, entry.role = None, "player"
        work.session.flush()
        people.append(person.id)
    return people.index(person.id) + 1


def _application(work: Work, game: Game, person: Person) -> Application:
    """Return the person's only application to the game, or a new one."""
    mine = (one for one in applications_of(work.session, person) if one.game_id == game.id)
    new = Application(game_id=game.key, person_id=person.key, address="", password="", asked_at=work.now)
    found = next(mine, new)
    work.session.add(found)
    return found


def tell_masters(work: Work, game: Game, application: Application, person: Person) -> None:
    """Notify the masters of an application, with the applicant's reliability and the lines to approve or refuse it."""
    context = {
        "application": application,
        "name": person.name,
        "record": reliability.record_shown(work, application.person_id),
        "word": word_of(work.services, game, application),
    }
    phase = open_phase(work.session, game)
    asks = "Observe" if application.role == "observer" else "Join"
    subject, about = f"{person.name} Asks to {asks}", f"application {application.id}"
    announcement = notices.Announcement(game, phase, "application", subject, context, about=about)
    for master in masters_of(work.session, game):
        notices.tell_seat(work, master, announcement)


def word_of(services: Services, game: Game, application: Application) -> str:
    """Return the code with which a master approves or refuses an open application."""
    about = f"application {game.name} {application.address} {application.asked_at:%Y%m%d%H%M%S}"
    return services.passwords.word_about(about, _MAC_LETTERS)


def by_word(work: Work, word: str) -> Application | None:
    """Return the open application with this code, or None if there is none."""
    for application, _, game in open_applications(work.session):
        if hmac.compare_digest(word_of(work.services, game, application), word.lower()):
            return application
    return None


def refuse(work: Work, game: Game, application: Application, by: str) -> str:
    """Delete the application, and notify the applicant that `by` has refused it.

    Returns the reply to the master.
    """
    person = work.session.get_one(Person, application.person_id)
    work.session.delete(application)
    text = f"{by} has not accepted you in {game.name}. LIST shows other games."
    answer(work, game, application, person, text)
    return f"{person.name} was not accepted in {game.name}, and has been notified."


def drop_all(work: Work, game: Game, why: str, *, players: bool = False) -> None:
    """Delete all applications and the line for places in the game, and notify these people of `why`, a sentence.

    If `players` is true, only applications to play are deleted.
    """
    for application, person, _ in open_applications(work.session, game):
        if not players or application.role == "player":
            work.session.delete(application)
            answer(work, game, application, person, why)
    if not players:
        for entry, person in in_line(work.session, game):
            work.session.delete(entry)
            answer(work, game, entry, person, f"{why} You are no longer in line for it.")


def answer(
    work: Work, game: Game, application: Application, person: Person, text: str, below: str | None = None
) -> None:
    """Mail the decision, `text`, to the applicant, with `below`, a part of another email, after it."""
    variant = variant_of(game)
    body = work.services.post.render("news", person.zone, game=game, phase=None, variant=variant, text=text)
    body = together(body, below) if below else body
    work.mail(Draft(to=application.address, kind="application", subject="Joining", body=body, game=game))
