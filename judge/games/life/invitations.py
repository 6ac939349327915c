"""Invite people to a game, even people who do not know the judge.

A person can send few invitations. No one is invited to a game twice, or after refusing invitations. REMATCH invites all
players of an ended game by the same email, unless its sender has reached the limit before. Only digests of addresses
are kept, so a refusal lasts without naming anyone.
"""

from datetime import UTC, datetime, timedelta
from itertools import count
from string import digits

from judge.addresses import without_tag
from judge.games.core.board import needs_master, published_variant, variant_of
from judge.games.core.settings import change_settings, settings_of, settle_like
from judge.games.core.who_may_see import hides_people
from judge.games.core.work import Work
from judge.games.life import forming
from judge.games.life.applications import Entrant
from judge.games.notifications.gathering import MOST_TO_STRANGERS
from judge.games.people import rate_limits
from judge.games.people.identity import is_denied
from judge.store.games import game_named
from judge.store.people import invitations_by, invitations_to, person_at
from judge.store.seats import players_of, seats_in
from judge.store.sent_mails import last_mailed
from judge.store.tables import Game, Invitation, Person, Seat

# The maximum number of invitations that one person can send in 24 hours.
MOST = 3
ENOUGH = f"you can send {MOST} invitations a day"
_A_DAY = timedelta(days=1)
_LETTERS = 32
# The maximum length of the old name in a rematch's name, before the number. A name has at most 20 letters.
_STEM = 16


def invite(work: Work, game: Game, inviter: Seat, address: str) -> str:
    """Mail an invitation to that address. Return "", or the reason if it was not mailed.

    The reason does not reveal whether the invited person is in the game, or refuses invitations.
    """
    if has_invited_enough(work, inviter):
        return ENOUGH
    who = "The master" if inviter.role == "master" else "A player"
    text = f"{who} of {game.name} invites you to this game of Diplomacy, played by email."
    return _mail(work, game, inviter, address, text)


def has_invited_enough(work: Work, inviter: Seat) -> bool:
    """Return whether the person in the seat has sent as many invitations as they may send in 24 hours."""
    return len(invitations_by(work.session, inviter.person_id, work.now - _A_DAY)) >= MOST


def _mail(work: Work, game: Game, inviter: Seat, address: str, text: str) -> str:
    session, person = work.session, person_at(work.session, address)
    earlier = invitations_to(session, _digest(work, address))
    answered = last_mailed(session, address, "reply") or datetime.min.replace(tzinfo=UTC)
    unanswered = sum(one.at > answered for one in earlier)
    is_closed = any(one.person_id is None or one.game_id == game.id for one in earlier)
    is_closed = is_closed or is_denied(session, game, person, address)
    if is_closed or unanswered >= MOST_TO_STRANGERS or seats_in(session, game, person):
        return "they have had an invitation, or want none"
    if not rate_limits.admits(work, rate_limits.Reader(address, registered=False, proof="none")):
        return "many emails have gone there in the last hour"
    session.add(Invitation(digest=_digest(work, address), person_id=inviter.person_id, game_id=game.key, at=work.now))
    session.flush()
    context = {"game": game, "phase": None, "variant": variant_of(game), "text": text, "known": person}
    work.notify(address, work.settings.zone, "invitation", "Invitation", **context)
    return ""


def why_no_rematch(work: Work, game: Game, asker: Seat) -> str:
    """Return sentences on why the person in the seat cannot ask for a rematch, or "" if they can."""
    settings = settings_of(game)
    if settings.rematch:
        return f"The rematch of {game.name} is {settings.rematch}. To see it, send LIST {settings.rematch}."
    if settings.solo or not game.started_at:
        return f"{game.name} was not played by several people, so it has no rematch."
    if asker.role == "player" and (needs_master(game) or hides_people(game)):
        return f"The rematch of {game.name} needs a master, so only its master can send REMATCH."
    return f"No one was asked: {ENOUGH}, those of REMATCH too." if has_invited_enough(work, asker) else ""


def rematch(work: Work, game: Game, asker: Seat, by: str) -> tuple[Game, Seat]:
    """Create a game like the ended one, with the asker in it, and invite all who played to the end.

    `by` names the asker, as the beginning of a sentence.
    """
    players = players_of(work.session, game)
    stem = (game.name.rstrip(digits) or game.name)[:_STEM]
    name = next(name for number in count(2) if not game_named(work.session, name := f"{stem}{number}"))
    new = forming.create(work, name, published_variant(game), game.zone)
    settle_like(new, game, before={power: seat.person_id for power, seat in players.items()})
    change_settings(game, rematch=new.name)
    entrant = Entrant(work.session.get_one(Person, asker.person_id), asker.address, asker.password)
    seat = forming.sit(work, new, asker.role, entrant)
    text = f"{game.name} has ended. {by} asks all who played to the end for a rematch: {new.name}, with other powers."
    for one in players.values():
        _mail(work, new, seat, one.address, text)
    return new, seat


def refuse(work: Work, address: str) -> None:
    """Record that this address wants no more invitations."""
    digest = _digest(work, address)
    if all(one.person_id for one in invitations_to(work.session, digest)):
        work.session.add(Invitation(digest=digest, at=work.now))


def accept(work: Work, address: str) -> None:
    """Delete the record that this address wants no more invitations."""
    for one in invitations_to(work.session, _digest(work, address)):
        if one.person_id is None:
            work.session.delete(one)


def _digest(work: Work, address: str) -> str:
    return work.services.passwords.word_about(f"invitation {without_tag(address)}", _LETTERS)
