"""Commands that use a code sent by email, such as those for a forgotten password or a new address.

A code works only from an address of the person to whom it was mailed. The letter with the code must also agree
(agreement.py).
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, cast

from judge.commands.core.command import CommandError, Family, Place, Slip, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.permissions import require
from judge.commands.core.proofs import Right, is_registered
from judge.commands.people import register
from judge.commands.people.agreement import Reading
from judge.commands.people.own_settings import new_password
from judge.games.core.board import is_signed_on_to
from judge.games.life import membership
from judge.games.people import credentials, identity
from judge.store.games import game_named
from judge.store.people import Change, OtherAddress, Registration, TokenData, person_at
from judge.store.seats import leave_line, seats_in, seats_in_living_games
from judge.store.sent_mails import mails_since
from judge.store.states import TokenPurpose
from judge.store.tables import Game, Person, Seat, Token

# The maximum number of emails with codes to one address in a day, no matter who asks for them. Codes for new passwords
# are counted for each game.
MOST_MAILS = 3
_A_DAY = timedelta(days=1)
_HOW_OFTEN = "You can ask for at most three such emails a day."


standby = Family("registration", who=Who.REGISTERED, place=Place.LOBBY, lasting=True)


@standby("STANDBY", "STAND BY", "SET STANDBY", help="get an email when a game needs a player")
def stand_by(context: CommandContext) -> None:
    """Add the sender to the standby list, so that they get an email when a game needs a player."""
    letter = context.letter
    if letter.person and not letter.person.standby_since and not letter.proves_sender:
        register.wait(context, "join the standby list", {"standby": True})
    else:
        _set_standby(context, True)


@standby("NO STANDBY", "NOSTANDBY", "SET NO STANDBY", who=Who.ANYBODY, help="stop these emails")
def stand_down(context: CommandContext) -> None:
    """Remove the sender from the standby list."""
    letter = context.letter
    if letter.person and letter.person.standby_since and not letter.standing.may(Right.DATA):
        register.wait(context, "leave the standby list", {"standby": False})
    else:
        _set_standby(context, False)


command = Family("registration", who=Who.ANYBODY, place=Place.LOBBY)


@command(
    "FORGOT <game>",
    help="get a new password, once you have confirmed by email that it is you",
)
def forgot(context: CommandContext, game: str) -> str:
    """Mail a code for a new password to the address of the sender's seats in the game.

    The answer is the same for senders who have no seat in the game.
    """
    require(context, Right.OWN)
    named = game_named(context.session, game)
    for seat in seats_in(context.session, named, context.letter.person) if named else ():
        if named and is_signed_on_to(named, seat):
            _mail_token(context, seat.address, "password", {"seat": seat.id}, named)
    return (
        f"If you play in {game.lower()}, a confirmation code is on its way to the address you play from. {_HOW_OFTEN}"
    )


@command(
    "I AM ALSO <address>",
    "IAMALSO",
    lasting=True,
    help="add the address you write from to your registration, after the old address has confirmed",
)
def also(context: CommandContext, address: str) -> str:
    """Add the address that I AM ALSO was sent from, if the person at the given `address` agrees."""
    letter = context.letter
    person = person_at(context.session, address)
    if is_registered(letter.person):
        raise CommandError(f"{letter.sender} is registered already.")
    if letter.sender == context.work.settings.keeper and not letter.standing.may(Right.DATA):
        raise CommandError("This is the address of the judge's keeper. First register it: send REGISTER.")
    if person and person.registered_at and not identity.is_new_address(context.work, address):
        data: OtherAddress = {"person": person.id, "address": letter.sender}
        _mail_token(context, address, "also", data)
    return f"If {address} is registered here, a confirmation code is on its way there. {_HOW_OFTEN}"


@command(
    "FORGET ADDRESS <address>",
    "FORGETADDRESS",
    lasting=True,
    help="remove one of your addresses; send this from another",
)
def forget(context: CommandContext, address: str) -> None:
    """Remove this address from the sender's addresses.

    A recently added address has few rights, so its removal needs no proof. For other addresses the sender must be
    proved, because a forger could have sent the command.
    """
    letter = context.letter
    if not letter.person:
        raise CommandError(f"{letter.sender} is not registered here, so it has no other addresses.")
    if refusal := identity.why_address_kept(context.work, letter.person, address):
        raise CommandError(refusal)
    if letter.standing.may(Right.DATA) or identity.is_new_address(context.work, address):
        _forget_address(context, address)
    else:
        register.wait(context, f"give up the address {address}", {"forget": address})


@command(
    "CONFIRM <code>",
    reads="<any code>",
    who=Who.BEARER,
    lasting=True,
    help="confirm what the email with this code asks",
)
def confirm(context: CommandContext, code: str) -> None:
    """Carry out the request in the email with this code, if the letter agrees to the request."""
    letter, work = context.letter, context.work
    valid = credentials.valid(work, code)
    if valid is None:
        raise CommandError(
            "That code is not valid. It has expired, has been used, or was mistyped. Send your request again for a new "
            "one."
        )
    _refuse_others(context, valid)
    if not _is_agreed(context, valid, code):
        return
    asked = valid.data
    if valid.purpose in _DONE:
        _DONE[valid.purpose](context, asked)
    if asked.get("blocks"):
        context.reply.confirmation.confirmed.append(cast(Registration, asked))
    # Tokens of older versions of the judge have no "changes".
    for change in asked.get("changes", ()):
        _change(context, change)
    credentials.use_up(work, valid)
    if letter.person:
        letter.signons.people.add(letter.person.key)


def _renew_password(context: CommandContext, asked: Mapping[str, Any]) -> None:
    session, sender = context.session, context.letter.sender
    seat = session.get_one(Seat, asked["seat"])
    game, seat.password = session.get_one(Game, seat.game_id), new_password(context, None)
    session.add(seat)
    context.answer.game = game
    context.answer.copy_to = seat.address if seat.address != sender else ""
    context.settle(f"You have a new password in {game.name}.")


def _add_address(context: CommandContext, asked: Mapping[str, Any]) -> None:
    person, address = context.session.get_one(Person, asked["person"]), asked["address"]
    if is_registered(person_at(context.session, address)):
        raise CommandError(f"{address} is registered already.")
    identity.add_address(context.work, person, address)
    context.settle(f"{address} is now one of your addresses, {person.name}.")


def _register(context: CommandContext, asked: Mapping[str, Any]) -> None:
    """Register the sender, if the token has a name. Other tokens only confirm a letter's waiting blocks."""
    if asked["name"]:
        person = register.enrol(context, asked["name"], asked["zone"])
        context.settle(f"You are registered, {person.name}.")
    else:
        context.answer.idle = True


# The function that carries out each purpose of a code, except changes to the sender's own data.
_DONE: Mapping[str, Callable[[CommandContext, Mapping[str, Any]], None]] = {
    "password": _renew_password,
    "also": _add_address,
    "register": _register,
}


@command(
    "UNSUBSCRIBE <game>",
    "UNOBSERVE",
    reads="<game or code>",
    topics=("registration", "observers"),
    help="stop observing a game",
)
def unsubscribe(context: CommandContext, word: str) -> None:
    """Stop observing a game, by its name or by the code in the header of the results.

    The code is enough proof from any address, because a mail program's button may send it from another one. The name of
    the game needs a verified address or a confirmation.
    """
    session, letter = context.session, context.letter
    of_word = credentials.unsubscribed(context.work, word)
    if not of_word:
        require(context, Right.DATA)
    named = game_named(session, word)
    own = seats_in(session, named, letter.person) if named else ()
    seat = of_word or min(own, key=lambda one: one.role != "observer", default=None)
    if seat is None:
        raise CommandError(f"{letter.sender} is not observing {word}.")
    game = session.get_one(Game, seat.game_id)
    if seat.role != "observer":
        raise CommandError(f"You are {seat.power or seat.role} in {game.name}. To leave, send RESIGN {game.name}.")
    if of_word or letter.standing.may(Right.DATA):
        _stop_observing(context, seat)
    else:
        register.wait(context, f"stop observing {game.name}", {"leave": seat.key})


def unsubscribe_alone(context: CommandContext) -> None:
    """Stop observing the only game that the sender observes, if UNSUBSCRIBE or STOP names no game."""
    found = [game for _, game in seats_in_living_games(context.session, context.letter.person, "observer")]
    if len(found) == 1:
        unsubscribe(context, found[0].name)
        return
    several = "; ".join(f"UNSUBSCRIBE {game.name}" for game in found)
    observes_none = f"{context.letter.sender} is not observing any game."
    raise CommandError(f"Which game? Write {several}." if found else observes_none)


# Requests that give rights to another address or change a password. To confirm them, the sender must write CONFIRM and
# the code.
_RIGHTS = ("also", "password")


def _refuse_others(context: CommandContext, token: Token) -> None:
    """Raise CommandError if the letter with a token is not from the person to whom the token was mailed.

    So a token is worthless to another person who has found it. A token for a registration works only from the address
    to which it was mailed.
    """
    letter = context.letter
    require(context, Right.OWN)
    if token.purpose == "register":
        if letter.sender != token.data["address"]:
            raise CommandError("That code was sent to another address. Send it from there.")
        return
    if token.purpose == "password":
        owner = context.session.get_one(Seat, token.data["seat"]).person_id
    else:
        owner = token.data["person"]
    if not letter.person or letter.person.id != owner:
        raise CommandError("That code works only from an address of the person it was sent to. Send it from there.")


def _is_agreed(context: CommandContext, token: Token, word: str) -> bool:
    """Return whether the letter agrees to the request in the email with this token. If not, explain how to agree."""
    named = [
        token.data,
        *token.data.get("changes", ()),
        {"name": context.letter.person.name if context.letter.person else ""},
    ]
    reading = Reading(context, token, word, [data.get("name", "") for data in named])
    rights = token.purpose in _RIGHTS
    if reading.grants if rights else reading.agrees:
        return True
    context.reply.token = word
    context.settle("Nothing has changed, because your email does not clearly say yes.")
    yes = "" if rights else "reply with YES and nothing else, or "
    context.say(
        f"If you agree, {yes}send an email that starts with this line:\n\n    CONFIRM {word}\n\nIf you don't "
        "agree, ignore this email: nothing will change."
    )
    return False


def _change(context: CommandContext, change: Change) -> None:
    """Carry out a change to a person's own data that the person has confirmed."""
    if "name" in change:
        person = register.enrol(context, change["name"], change["zone"])
        context.settle(f"Your registration has been changed, {person.name}.")
    if "leave" in change:
        _stop_observing(context, context.session.get_one(Seat, change["leave"]))
    if "standby" in change:
        _set_standby(context, change["standby"])
    if "forget" in change:
        _forget_address(context, change["forget"])


def _forget_address(context: CommandContext, address: str) -> None:
    """Remove the address from the sender's addresses, or raise CommandError if it is not one of them, or must stay."""
    letter = context.letter
    assert letter.person
    if refusal := identity.why_address_kept(context.work, letter.person, address):
        raise CommandError(refusal)
    identity.forget_address(context.work, letter.person, address, letter.sender)
    context.settle(f"{address} is no longer one of your addresses.")


def _stop_observing(context: CommandContext, seat: Seat) -> None:
    """Remove an observer from the game, if they have not left it already."""
    game = context.session.get_one(Game, seat.game_id)
    if not seat.left_at:
        membership.leave(context.work, game, membership.Left(seat, ""))
    context.settle(f"You no longer observe {game.name}.")


def _set_standby(context: CommandContext, stands: bool) -> None:
    letter = context.letter
    if letter.person and not stands:
        leave_line(context.session, letter.person)
    if letter.person:
        letter.person.standby_since = (letter.person.standby_since or context.work.now) if stands else None
        context.session.add(letter.person)
    on_list = "You are on the standby list. You will get an email when a game needs a player."
    context.answer.verdict = context.answer.verdict or (on_list if stands else "You are not on the standby list.")


def _mail_token(
    context: CommandContext, to: str, purpose: TokenPurpose, data: TokenData, game: Game | None = None
) -> None:
    """Mail a token to `to`, at most MOST_MAILS times in a day, because anyone can ask in another person's name."""
    work = context.work
    if mails_since(context.session, to, "token", work.now - _A_DAY, game) >= MOST_MAILS:
        return
    word = credentials.issue_again(work, purpose, data)
    work.notify(
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
