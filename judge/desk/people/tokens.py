"""Commands that use a word sent by mail: a forgotten password, another address, the end of an observer's mails."""

from datetime import timedelta
from typing import cast

from judge.addresses import address_in
from judge.desk.core.command import GAME, Call, Family, Place, Slip, Who
from judge.desk.core.proofs import Right
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.desk.people import confirming
from judge.games.people import addresses, tokens
from judge.mails.post import Notice
from judge.store.games import game_named
from judge.store.people import NewPassword, OtherAddress, TokenData, person_at
from judge.store.rows import id_of
from judge.store.seats import observed_by, seats_of
from judge.store.sent_mails import mails_since
from judge.store.states import TokenPurpose
from judge.store.tables import Game, Person, Seat, Token

# The limit for one address, for all senders who ask together.
MOST_MAILS = 3
_A_DAY = timedelta(days=1)
_HOW_OFTEN = "No address gets more than three such mails a day."


command = Family("registration", who=Who.ANYBODY, place=Place.LOBBY)


@command(
    "FORGOT", arguments="<game>", pattern=rf"\s+(?P<game>{GAME})",
    help="a new password, once you have confirmed by mail that it is you",
)
def forgot(visit: Visit, call: Call, game: str) -> None:
    """FORGOT <game>: a token goes to the address of the sender's seats; with it comes a new password.

    The answer is the same whether there is such a seat or not.
    """
    visit.require(Right.OWN)
    named = game_named(visit.session, game)
    for seat in seats_of(visit.session, named) if named and visit.person else ():
        if visit.person and seat.person_id == visit.person.id:
            _mail_token(visit, seat.address, "password", {"seat": seat.id}, named)
    visit.answer.settle(
        f"If you hold a seat in game {game.lower()}, a mail with a token is on its way to its address. {_HOW_OFTEN}"
    )


@command(
    "I AM ALSO", "IAMALSO", arguments="<address>", pattern=r"\s+(?P<address>[^\s@]+@\S+)", lasting=True,
    help="from a new address: add it to your registration, after the old address has confirmed",
)
def also(visit: Visit, call: Call, address: str) -> None:
    """I AM ALSO <address>, from a new address: the address that is already known has to agree."""
    old = address_in(address)
    if not old:
        raise CommandError(f"{address} is not an address. Write I AM ALSO and an address that you are registered with.")
    person = person_at(visit.session, old)
    if visit.person and visit.person.registered_at:
        raise CommandError(f"{visit.letter.sender} is registered already.")
    if person and person.registered_at and not addresses.is_new(visit.turn, person, old):
        data: OtherAddress = {"person": person.id, "address": visit.letter.sender}
        _mail_token(visit, old, "also", data, None)
    visit.answer.settle(f"If {old} is registered here, a mail with a token is on its way there. {_HOW_OFTEN}")


@command(
    "FORGET ADDRESS", "FORGETADDRESS", arguments="<address>", pattern=r"\s+(?P<address>[^\s@]+@\S+)", lasting=True,
    help="give up one of your addresses, from another one",
)
def forget(visit: Visit, call: Call, address: str) -> None:
    """FORGET ADDRESS <address>: it is no longer one of the sender's.

    A new address is only on trial, so no proof is needed against it; others may have been forgotten by a forger.
    """
    visit.require(Right.OWN)
    unwanted = address_in(address)
    if not visit.person:
        raise CommandError(f"{visit.letter.sender} is not registered here, so it has no other addresses.")
    if refusal := addresses.why_kept(visit.turn, visit.person, unwanted):
        raise CommandError(refusal)
    if visit.visitor.may(Right.DATA) or addresses.is_new(visit.turn, visit.person, unwanted):
        confirming.forget_address(visit, unwanted)
    else:
        visit.wait(f"give up the address {unwanted}", {"forget": unwanted})


@command(
    "CONFIRM", arguments="<token>", pattern=r"\s+(?P<token>[A-Za-z0-9]+)", who=Who.BEARER, lasting=True,
    help="confirm what the mail with this token asked",
)
def confirm(visit: Visit, call: Call, token: str) -> None:
    """CONFIRM <token>: do what the mail that brought the token said, if the letter agrees to that."""
    valid = tokens.valid(visit.turn, token)
    if valid is None:
        raise CommandError("That token is unknown, too old or already used. Ask for a new one.")
    confirming.refuse_others(visit, valid)
    if not confirming.is_agreed(visit, valid, token):
        return
    does = {"password": _new_password, "also": _link, "register": confirming.register, "change": confirming.change}
    does[valid.purpose](visit, valid)
    tokens.use_up(visit.turn, valid)
    if visit.person:
        visit.visitor.signed_on.add(id_of(visit.person))


@command(
    "UNSUBSCRIBE", "UNOBSERVE", arguments="<game>", pattern=r"\s+(?P<word>[A-Za-z0-9-]+)",
    topics=("registration", "observers"),
    help="stop observing a game",
)
def unsubscribe(visit: Visit, call: Call, word: str) -> None:
    """UNSUBSCRIBE <game>, from the address that gets the mails, or UNSUBSCRIBE <word>, as in their header.

    The word is enough proof, from whatever address a mail program's button sends it; the address alone is not.
    """
    of_word = tokens.unsubscribed(visit.turn, word)
    if not of_word:
        visit.require(Right.DATA)
    seat = of_word or _observer_seat(visit, word)
    if seat is None:
        raise CommandError(f"{visit.letter.sender} does not observe {word}.")
    game = visit.session.get_one(Game, seat.game_id)
    if seat.role != "observer":
        raise CommandError(f"You are {seat.power or seat.role} in game {game.name}: RESIGN {game.name} leaves it.")
    if of_word or visit.visitor.may(Right.DATA):
        confirming.stop_observing(visit, seat)
    else:
        visit.wait(f"no longer observe game {game.name}", {"leave": id_of(seat)})


def unsubscribe_alone(visit: Visit, call: Call) -> None:
    """UNSUBSCRIBE or STOP without a game: of the one game that the sender observes."""
    found = observed_by(visit.session, visit.person) if visit.person else []
    if len(found) == 1:
        unsubscribe(visit, call, found[0].name)
        return
    several = "; ".join(f"UNSUBSCRIBE {game.name}" for game in found)
    raise CommandError(f"Of which game? Write {several}." if found else f"{visit.letter.sender} observes no game.")


def _observer_seat(visit: Visit, name: str) -> Seat | None:
    game = game_named(visit.session, name)
    seats = seats_of(visit.session, game) if game and visit.person else ()
    mine = [seat for seat in seats if visit.person and seat.person_id == visit.person.id]
    return next((seat for seat in mine if seat.role == "observer"), mine[0] if mine else None)


def _mail_token(visit: Visit, to: str, purpose: TokenPurpose, data: TokenData, game: Game | None) -> None:
    """Mail a token to `to`, but not too often: anybody can ask in another person's name."""
    if mails_since(visit.session, to, "token", visit.now - _A_DAY, game) >= MOST_MAILS:
        return
    word = tokens.issue_again(visit.turn, purpose, data)
    context = {"purpose": purpose, "token": word, "game": game, "sender": visit.letter.sender, "life": tokens.LIFE}
    body = visit.office.post.render("token", visit.zone, **context)
    visit.turn.mail(Notice(to=to, kind="token", subject="Is this you?", body=body, game=game, secret=word))


def _new_password(visit: Visit, token: Token) -> None:
    seat = visit.session.get_one(Seat, cast(NewPassword, token.data)["seat"])
    game = visit.session.get_one(Game, seat.game_id)
    seat.password = visit.new_password(None)
    visit.session.add(seat)
    visit.answer.game = game
    visit.answer.copy_to = seat.address if seat.address != visit.letter.sender else ""
    visit.answer.settle(f"You have a new password in game {game.name}.")


def _link(visit: Visit, token: Token) -> None:
    asked = cast(OtherAddress, token.data)
    person = visit.session.get_one(Person, asked["person"])
    address = asked["address"]
    known = person_at(visit.session, address)
    if known and known.registered_at:
        raise CommandError(f"{address} is registered already.")
    addresses.add(visit.turn, person, address)
    visit.answer.settle(f"{address} is now one of your addresses, {person.name}.")


SLIPS = (
    Slip(
        names=("UNSUBSCRIBE", "UNOBSERVE", "STOP", "STOP MAILS", "STOP SENDING ME MAILS", "REMOVE ME"),
        place=Place.LOBBY,
        handler=unsubscribe_alone,
    ),
)
