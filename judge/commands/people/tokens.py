"""Commands that use a word sent by mail: a forgotten password, another address, the end of an observer's mails."""

from datetime import timedelta
from typing import cast

from judge.addresses import address_in
from judge.commands.core.command import GAME, CommandError, Family, Place, Slip, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.proofs import Right, is_registered
from judge.commands.people import register
from judge.games.people import credentials, identity
from judge.store.games import game_named
from judge.store.people import NewPassword, OtherAddress, TokenData, person_at
from judge.store.rows import id_of
from judge.store.seats import observed_by, seats_in
from judge.store.sent_mails import mails_since
from judge.store.states import TokenPurpose
from judge.store.tables import Game, Person, Seat

# The limit for one address, for all senders who ask together.
MOST_MAILS = 3
_A_DAY = timedelta(days=1)
_HOW_OFTEN = "You can ask for at most three of these a day."


standby = Family("registration", who=Who.REGISTERED, place=Place.LOBBY, lasting=True)


@standby("STANDBY", "STAND BY", "SET STANDBY", help="get an email when a game needs a player")
def stand_by(context: CommandContext) -> None:
    """STANDBY: be asked by mail when a seat is open."""
    register.set_standby(context, True)


@standby("NO STANDBY", "NOSTANDBY", "SET NO STANDBY", who=Who.ANYBODY, help="stop these emails")
def stand_down(context: CommandContext) -> None:
    """NO STANDBY: be asked no more."""
    if context.person and context.person.standby_since and not context.letter_context.may(Right.DATA):
        context.wait("leave the standby list", {"standby": False})
    else:
        register.set_standby(context, False)


command = Family("registration", who=Who.ANYBODY, place=Place.LOBBY)


@command(
    "FORGOT",
    arguments="<game>",
    pattern=rf"\s+(?P<game>{GAME})",
    help="get a new password, once you have confirmed by email that it is you",
)
def forgot(context: CommandContext, game: str) -> str:
    """FORGOT <game>: a token goes to the address of the sender's seats; with it comes a new password.

    The answer is the same whether there is such a seat or not.
    """
    context.require(Right.OWN)
    named = game_named(context.session, game)
    for seat in seats_in(context.session, named, context.person) if named else ():
        _mail_token(context, seat.address, "password", {"seat": seat.id}, named)
    return (
        f"If you play in {game.lower()}, a confirmation code is on its way to the address you play from. {_HOW_OFTEN}"
    )


@command(
    "I AM ALSO",
    "IAMALSO",
    arguments="<address>",
    pattern=r"\s+(?P<address>[^\s@]+@\S+)",
    lasting=True,
    help="add the address you write from to your registration, after the old address has confirmed",
)
def also(context: CommandContext, address: str) -> str:
    """I AM ALSO <address>, from a new address: the address that is already known has to agree."""
    old = address_in(address)
    if not old:
        raise CommandError(f"{address} is not an address. Write I AM ALSO and an address you have registered.")
    person = person_at(context.session, old)
    if is_registered(context.person):
        raise CommandError(f"{context.letter.sender} is registered already.")
    if person and person.registered_at and not identity.is_new_address(context.work, person, old):
        data: OtherAddress = {"person": person.id, "address": context.letter.sender}
        _mail_token(context, old, "also", data)
    return f"If {old} is registered here, a confirmation code is on its way there. {_HOW_OFTEN}"


@command(
    "FORGET ADDRESS",
    "FORGETADDRESS",
    arguments="<address>",
    pattern=r"\s+(?P<address>[^\s@]+@\S+)",
    lasting=True,
    help="remove one of your addresses; send this from another",
)
def forget(context: CommandContext, address: str) -> None:
    """FORGET ADDRESS <address>: it is no longer one of the sender's.

    A new address is only on trial, so no proof is needed against it; others may have been forgotten by a forger.
    """
    unwanted = address_in(address)
    if not context.person:
        raise CommandError(f"{context.letter.sender} is not registered here, so it has no other addresses.")
    if refusal := identity.why_address_kept(context.work, context.person, unwanted):
        raise CommandError(refusal)
    if context.letter_context.may(Right.DATA) or identity.is_new_address(context.work, context.person, unwanted):
        register.forget_address(context, unwanted)
    else:
        context.wait(f"give up the address {unwanted}", {"forget": unwanted})


@command(
    "CONFIRM",
    arguments="<code>",
    pattern=r"\s+(?P<token>[A-Za-z0-9]+)",
    who=Who.BEARER,
    lasting=True,
    help="confirm what the email with this code asks",
)
def confirm(context: CommandContext, token: str) -> None:
    """CONFIRM <token>: do what the mail that brought the token said, if the letter agrees to that."""
    valid = credentials.valid(context.work, token)
    if valid is None:
        raise CommandError("That code is not valid: it has expired, been used, or was mistyped. Ask for a new one.")
    register.refuse_others(context, valid)
    if not register.is_agreed(context, valid, token):
        return
    if valid.purpose == "password":
        seat = context.session.get_one(Seat, cast(NewPassword, valid.data)["seat"])
        game, seat.password = context.session.get_one(Game, seat.game_id), context.new_password(None)
        context.session.add(seat)
        context.answer.game = game
        context.answer.copy_to = seat.address if seat.address != context.letter.sender else ""
        context.settle(f"You have a new password in {game.name}.")
    elif valid.purpose == "also":
        asked = cast(OtherAddress, valid.data)
        person, address = context.session.get_one(Person, asked["person"]), asked["address"]
        if is_registered(person_at(context.session, address)):
            raise CommandError(f"{address} is registered already.")
        identity.add_address(context.work, person, address)
        context.settle(f"{address} is now one of your addresses, {person.name}.")
    elif valid.purpose == "register":
        register.confirmed(context, valid)
    else:
        register.change(context, valid)
    credentials.use_up(context.work, valid)
    if context.person:
        context.letter_context.signons.people.add(id_of(context.person))


@command(
    "UNSUBSCRIBE",
    "UNOBSERVE",
    arguments="<game>",
    pattern=r"\s+(?P<word>[A-Za-z0-9-]+)",
    topics=("registration", "observers"),
    help="stop observing a game",
)
def unsubscribe(context: CommandContext, word: str) -> None:
    """UNSUBSCRIBE <game>, from the address that gets the mails, or UNSUBSCRIBE <word>, as in their header.

    The word is enough proof, from whatever address a mail program's button sends it; the address alone is not.
    """
    of_word = credentials.unsubscribed(context.work, word)
    if not of_word:
        context.require(Right.DATA)
    named = game_named(context.session, word)
    own = seats_in(context.session, named, context.person) if named else ()
    seat = of_word or min(own, key=lambda one: one.role != "observer", default=None)
    if seat is None:
        raise CommandError(f"{context.letter.sender} is not observing {word}.")
    game = context.session.get_one(Game, seat.game_id)
    if seat.role != "observer":
        raise CommandError(f"You are {seat.power or seat.role} in {game.name}. To leave, send RESIGN {game.name}.")
    if of_word or context.letter_context.may(Right.DATA):
        register.stop_observing(context, seat)
    else:
        context.wait(f"stop observing {game.name}", {"leave": id_of(seat)})


def unsubscribe_alone(context: CommandContext) -> None:
    """UNSUBSCRIBE or STOP without a game: of the one game that the sender observes."""
    found = observed_by(context.session, context.person)
    if len(found) == 1:
        unsubscribe(context, found[0].name)
        return
    several = "; ".join(f"UNSUBSCRIBE {game.name}" for game in found)
    observes_none = f"{context.letter.sender} is not observing any game."
    raise CommandError(f"Which game? Write {several}." if found else observes_none)


def _mail_token(
    context: CommandContext, to: str, purpose: TokenPurpose, data: TokenData, game: Game | None = None
) -> None:
    """Mail a token to `to`, but not too often: anybody can ask in another person's name."""
    if mails_since(context.session, to, "token", context.now - _A_DAY, game) >= MOST_MAILS:
        return
    word = credentials.issue_again(context.work, purpose, data)
    context.work.notify(
        to, context.zone, "token", "Is this you?", word,
        purpose=purpose, token=word, game=game, sender=context.letter.sender, life=credentials.LIFE,
    )  # fmt: skip


SLIPS = (
    Slip(
        names=("UNSUBSCRIBE", "UNOBSERVE", "STOP", "STOP MAILS", "STOP SENDING ME MAILS", "REMOVE ME"),
        place=Place.LOBBY,
        handler=unsubscribe_alone,
    ),
)
