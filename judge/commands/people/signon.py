"""SIGNON, to sign on to the sender's seat, or take over a vacant power (HELP registration)."""

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from functools import wraps

from sqlmodel import Session

from judge.commands.core.command import (
    AfterConfirmation,
    CommandError,
    Family,
    PasswordRefused,
    Place,
    SignonRefused,
    Slip,
    Who,
)
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import NO_GAME
from judge.commands.core.permissions import registered, require, tell_left_open
from judge.commands.core.proofs import Right
from judge.commands.core.secrets import ROLES
from judge.commands.people import passwordless
from judge.commands.people.own_settings import new_password
from judge.games.core.board import signon_of, vacant, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_is_meant import NotMeant, People, is_seat, read_seat
from judge.games.core.who_may_see import limits_told, may_have_seen, shown_to
from judge.games.life import applications, membership
from judge.games.life.applications import Entrant
from judge.games.notifications.notices import lost
from judge.games.people import credentials, identity, reliability
from judge.games.people.credentials import LoginAttempts
from judge.letters.written_passwords import PLACEHOLDER, spellings
from judge.mails.templates import when
from judge.rules import listed
from judge.store.games import WithPhase, game_and_phase, game_named, open_phase
from judge.store.people import person_at
from judge.store.seats import by_power, left_seat, masters_of, of_role, players_of, seats_in, seats_of, seats_with_power
from judge.store.sent_mails import mails_since
from judge.store.states import Role
from judge.store.tables import Game, Person, Phase, Seat

command = Family("registration", who=Who.REGISTERED, place=Place.OPENING)


def whole(handler: Callable[..., None]) -> Callable[..., None]:
    """Return a handler that undoes its changes to the database if it raises an error."""

    @wraps(handler)
    def carried_out(context: CommandContext, *arguments: object, **named: object) -> None:
        # Do not write `or []`, because an empty `gathered` must stay the same list, which other functions fill.
        gathered = [] if context.work.gathered is None else context.work.gathered
        told = len(gathered)
        try:
            with context.session.begin_nested():
                handler(context, *arguments, **named)
        except BaseException:
            del gathered[told:]
            raise

    return carried_out


@command(
    "SIGNON <power's letter><game> [<password>]",
    "SIGN ON",
    "LOGIN",
    who=Who.ANYBODY,
    help="sign on to play: orders and commands for that game follow (M<game>: as its master; without a password: "
    "SET PASSWORDLESS)",
)
def signon(context: CommandContext, target: str, password: str | None) -> None:
    """Sign on to the sender's own seat, or to a power that has no player."""
    who, (game, phase), password = _place_meant(context, target, password)
    sitting = seats_of(context.session, game)
    power, seats = _meant(context, game, who, sitting)
    if not password:
        if passwordless.sign_on(context, game, phase, seats):
            context.seat.seats = sitting
            return
        shown = context.reply.redact(context.call.line)
        raise CommandError(f"The password is missing: write {shown} <password>.")
    if phase and power and not seats:
        if power in settings_of(game).disorder:
            raise CommandError(f"{power} is in permanent civil disorder in {game.name}: no one can play it.")
        if power in vacant(game, phase, by_power(sitting)):
            _take_over(context, game, phase, power, password)
            return
    context.sign_on(game, phase, opened_by(context, game, seats, password))
    context.seat.seats = sitting


def _place_meant(context: CommandContext, target: str, password: str | None) -> tuple[str, WithPhase, str | None]:
    """Return the power, the game with its open phase and the password of a sign-on.

    Raises CommandError if there is no such game.
    """
    # The target is one word, such as Fheron or france@heron.
    who, _, name = target.partition("@") if "@" in target else (target[0], "", target[1:])
    name = name.strip().lower()
    is_first = len(context.reply.answers) == 1 and name in context.letter.named
    found = context.letter.named[name] if is_first else game_and_phase(context.session, name)
    apart = game_and_phase(context.session, password) if password and not found else None
    if apart and is_seat(variant_of(apart[0]), target):
        # In "SIGNON France heron", power and game are two words, and the password is missing.
        return target, apart, None
    return who.strip(), found or find_game(context, name, target), password


def find_game(context: CommandContext, name: str, written: str) -> WithPhase:
    """Return the game called `name` and its open phase, or raise CommandError if there is none."""
    found = game_and_phase(context.session, name)
    if found:
        return found
    whole = game_named(context.session, written)
    if whole:
        raise CommandError(
            f"Put the letter of your power before the name of the game: SIGNON F{whole.name} <password> for "
            f"France, or SIGNON ?{whole.name} <password> to join."
        )
    raise CommandError(NO_GAME.format(name or written))


def is_of_opponent(context: CommandContext) -> bool:
    """Return whether a player has signed on to another player's seat, and was not yet asked about it.

    The sender may have quoted a letter that the seat's player wrote to them. In games with groups, a person may play
    several powers.
    """
    letter = context.letter
    game, seat, sender = context.seat.game, context.seat.row, letter.person or letter.standing.owner
    if letter.waited or sender is None or sender.id == seat.person_id or variant_of(game).groups:
        return False
    roles = {own.role for own in seats_in(context.session, game, sender)}
    return seat.role == "player" and "player" in roles and "master" not in roles


@whole
def _take_over(context: CommandContext, game: Game, phase: Phase, power: str, password: str) -> None:
    """Sign on to a power without a player, as its old player (by the password) or a new one."""
    session = context.session
    door = credentials.door_of(game, (), power)
    refuse_guesser(context, door)
    require(context, Right.LASTING)
    seat = left_seat(session, game, power)
    if seat and _fitting(context, [seat], password):
        identity.refuse_denied(session, game, session.get_one(Person, seat.person_id), seat.address)
        _refuse_who_saw(context, game, phase, power, seat.person_id)
        membership.come_back(context.work, game, seat, context.letter.sender)
        told = f"Welcome back: you play {power} in {game.name} again."
    else:
        try:
            seat = _newcomer(context, game, phase, power, password)
        except AfterConfirmation:
            raise
        except CommandError as refusal:
            raise PasswordRefused(str(refusal), door) from None
        how = "" if context.letter.waited else ", with this password"
        told = f"Welcome: you now play {power} in {game.name}{how}."
        told += " WAIT is set for you." if seat and seat.waits else ""
    if seat:
        context.sign_on(game, phase, seat)
        context.answer.foremost.append(told)
        tell_limits(context, game, seat.person_id)


def _newcomer(context: CommandContext, game: Game, phase: Phase, power: str, password: str) -> Seat | None:
    """Return the seat of the sender as the new player of `power`, with this password.

    Returns None if the game's master must decide first. Raises CommandError for a person who plays another power, or
    who was the last player of `power` and resigned. If powers are played in groups, one person may have several powers
    (rulings, "Several powers in one hand" 3).
    """
    session, person = context.session, registered(context)
    identity.refuse_denied(session, game, person, context.letter.sender)
    mine = seats_with_power(session, game, person.key)
    if mine and not variant_of(game).groups:
        raise CommandError(
            f"You play {mine[0].power} in {game.name}: write SIGNON {signon_of(game, mine[0])} <password>. "
            f"{power} has no player at the moment."
        )
    left = left_seat(session, game, power)
    if left and left.person_id == person.id and not left.password:
        raise CommandError(f"{lost(game, left)}. Another player can now take over.")
    _refuse_who_saw(context, game, phase, power, person.key)
    refuse_unreliable(context, game, person)
    kept = new_password(context, password)
    if applications.decided_by_master(session, game, person):
        ask(context, game, person, kept, power)
        return None
    return membership.take_over(context.work, game, phase, power, Entrant(person, context.letter.sender, kept))


def opened_by(context: CommandContext, game: Game, seats: Sequence[Seat], password: str, wrong: str = "") -> Seat:
    """Return the seat among `seats` that has this password, trying the sender's own seats first.

    Wrong guesses by others do not block the sender's own seats. Too many wrong passwords in the same letter do. `wrong`
    is the error for a wrong password.
    """
    letter = context.letter
    own = [*filter(letter.is_from, seats)]
    signons = letter.signons
    if own and signons.wrong_passwords < credentials.MOST:
        if found := _fitting(context, own, password):
            return found
        signons.wrong_passwords += 1
    door = LoginAttempts(game) if own else credentials.door_of(game, seats)
    refuse_guesser(context, door)
    if found := _fitting(context, seats, password):
        return found
    wrong = wrong or f"Wrong password for {_in_words(seats)} {game.name}."
    raise PasswordRefused(f"{wrong} {_why_too_late(context, game, seats)}".rstrip(), door)


def _why_too_late(context: CommandContext, game: Game, seats: Sequence[Seat]) -> str:
    """Return sentences for a person who may have wanted to take over a power, but came too late, or "" for others.

    In a quiet game, no one is told which powers have a player.
    """
    session, person = context.session, context.letter.person
    phase, powers = open_phase(session, game), [seat.power for seat in seats if seat.power]
    is_secret = not shown_to(None, game).changes
    if not (phase and powers and person) or is_secret or seats_in(session, game, person):
        return ""
    (power,) = powers
    return f"Another person plays {power}. {openings(context, game, phase)}"


def openings(context: CommandContext, game: Game, phase: Phase) -> str:
    """Return a sentence on the powers of a started game that can be taken over, or on OBSERVE if there are none."""
    free = open_powers(context.session, game, phase)
    lines = [f"{line} for {power}" for power, line in free.items()]
    if not lines:
        return f"For the results, send OBSERVE {game.name}."
    return f"No one plays {listed(free)}: write {listed(lines, 'or')}."


def open_powers(session: Session, game: Game, phase: Phase) -> dict[str, str]:
    """Return {power: the sign-on that takes it over} for powers of a started game that have no player.

    A quiet game hides which powers have no player.
    """
    free = vacant(game, phase, players_of(session, game)) if shown_to(None, game).changes else []
    return {power: f"SIGNON {variant_of(game).seat_named[power].at(game.name)} <password>" for power in free}


def _in_words(seats: Sequence[Seat]) -> str:
    """Return the role of these seats in words, such as "France in", or "a place in" if they differ."""
    named = {"master": "the master of", "observer": "an observer of"}
    who = {f"{seat.power} in" if seat.power else named.get(seat.role, "") for seat in seats}
    return who.pop() if len(who) == 1 else "a place in"


def _fitting(context: CommandContext, seats: Iterable[Seat], password: str) -> Seat | None:
    """Return the first of the seats that has this password, or None. Raises TooManyPasswords or SlowWork.

    The password is tried as it was written, and also without the characters around it. These may mark bold text, or be
    brackets of forms or a comma.
    """
    written, fits = spellings(password), context.work.services.passwords.matches
    return next(
        (seat for seat in seats if any(fits(seat.password, word, context.letter.row.id) for word in written)), None
    )


def refuse_guesser(context: CommandContext, door: LoginAttempts) -> None:
    """Raise SignonRefused if there were too many wrong passwords for the seats in `door`."""
    shut = credentials.shut_until(context.work, door, context.letter.sender)
    if not shut:
        return
    name = door.game.name
    seat = f" for {door.seat} in {name}" if shut.of_seat else f" for {name}"
    recourse = f"For a new password, send FORGOT {name}."
    if shut.of_seat:
        recourse = f"If you play it, sign on from your own address. {recourse}"
    raise SignonRefused(
        f"There were {shut.count} wrong passwords{seat} from {shut.origin} within an hour, so no password from there "
        f"is accepted until {when(shut.until, context.zone)}. {recourse}",
        door,
    )


def _meant(context: CommandContext, game: Game, who: str, sitting: Sequence[Seat]) -> tuple[str, Sequence[Seat]]:
    """Return the power named in a sign-on, and the seats that may be meant.

    The seats that may be meant are those of all masters, of one player, or of the sender as an observer. A game may
    have any number of observers, and one sign-on must not try the passwords of all of them. So an observer's seat is
    found by the sender's address, and the password then proves the sender. `sitting` are the seats with people. Raises
    CommandError if the sign-on names no power, or if the sender does not observe the game.
    """
    session, sender = context.session, context.letter.sender
    masters = of_role(sitting, "master")
    if who.lower() in ("m", "master"):
        return "", masters
    if who.lower() not in ROLES:
        if game.state == "forming":
            raise CommandError(
                f"{game.name} has not started: no one has a power yet. Sign on with SIGNON ?{game.name} <password>."
            )
        try:
            power = read_seat(variant_of(game), who, People(session, game, None))
        except NotMeant as unread:
            unread.instead = [variant_of(game).seat(one).at(game.name) for one in unread.instead]
            raise CommandError(unread.told("SIGNON {} <password>")) from None
        if settings_of(game).solo:
            return power, masters
        seat = by_power(sitting).get(power)
        return power, [seat] if seat else []
    observing = seats_in(session, game, person_at(session, sender), "observer")[:1]
    if not observing:
        raise CommandError(
            f"{sender} is not observing {game.name}. Write from the address that gets its results, or "
            f"send OBSERVE {game.name} to get them here too."
        )
    return "", observing


# The maximum number of requests to join that one master gets by email in an hour.
MOST_REQUESTS = 20
_HOUR = timedelta(hours=1)


def refuse_unreliable(context: CommandContext, game: Game, person: Person) -> None:
    """Raise CommandError if `person` is less reliable than the game requires."""
    if why := reliability.refusal(context.work, person.key, settings_of(game).reliability):
        raise CommandError(f"You have not joined {game.name}. {why}")


def tell_limits(context: CommandContext, game: Game, person_id: int) -> None:
    """When a master begins to play, show which facts are hidden from them from now on."""
    if told := limits_told(game, seats_of(context.session, game), person_id):
        context.say(told)


def ask(
    context: CommandContext, game: Game, person: Person, password: str, power: str | None = None, role: Role = "player"
) -> None:
    """Ask the master to let `person` observe the game, or play it (as `power`, if it has begun).

    Raises CommandError if the master has been asked too often, by anyone.
    """
    asked = [seat.address for seat in masters_of(context.session, game)]
    since = context.work.now - _HOUR
    if any(mails_since(context.session, to, "application", since) >= MOST_REQUESTS for to in asked):
        raise CommandError(f"Many people have asked to join {game.name} in the last hour. Please try again in an hour.")
    entrant = Entrant(person, context.letter.sender, password)
    context.application = applications.apply(context.work, game, entrant, power, role)
    context.answer.game = game
    wish, what = (f"play {power} in" if power else "join"), "joins"
    if role == "observer":
        wish, what = "observe", "observes it"
    context.settle(
        f"The master of {game.name} decides who {what}, and has your request to {wish} it. You will get an email "
        "with the answer."
    )


def _refuse_who_saw(context: CommandContext, game: Game, phase: Phase, power: str, person_id: int) -> None:
    """Raise CommandError for a master who did not play until now, and may have seen the orders of others."""
    if may_have_seen(context.session, game, phase, power, person_id):
        raise CommandError(
            f"You are the master of {game.name} and could see others' orders for {phase.name}, so you cannot "
            f"start to play {power} in this phase. Sign on when the next phase has opened, before others have ordered. "
            f"Until then, give its orders with CORRECT ORDERS {power}: <order>."
        )


# A line with more words before the placeholder is prose.
SLIPS = (
    Slip(
        names=("SIGNON", "SIGN ON", "LOGIN", "LOGON"),
        place=Place.OPENING,
        handler=tell_left_open,
        pattern=rf"(?:\s+\S+){{1,3}}?\s+{PLACEHOLDER}.*",
    ),
)
