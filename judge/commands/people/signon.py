"""The commands that open a block: SIGNON (to play, to join), CREATE and OBSERVE."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial, wraps

from sqlmodel import Session

from judge.commands.core.command import GAME, PASSWORD, Call, Family, Place, Slip, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import AfterConfirmation, CommandError, PasswordRefused, PasswordsUsedUp, SignonRefused
from judge.commands.core.permissions import refuse_untimely
from judge.commands.core.proofs import Proof, Right
from judge.commands.people import passwordless, vacant_seat
from judge.commands.people.register import asked_before, elsewhere
from judge.commands.people.vacant_seat import Vacancy
from judge.games.core.board import needs_master, variant_of
from judge.games.core.settings import keep_settings, settings_of
from judge.games.core.who_is_meant import is_seat
from judge.games.life import applications, forming
from judge.games.life.applications import Entrant
from judge.games.notifications import game_mails
from judge.games.people import credentials, identity, open_seats, rate_limits
from judge.games.people.credentials import LoginAttempts
from judge.mails.templates import when
from judge.rules import UnknownVariant, VariantError, load_variant_to_play
from judge.rules.board.names import listed
from judge.rules.variant.registry import variant_called
from judge.store.games import game_and_phase, game_named, living_games
from judge.store.people import person_at
from judge.store.seats import created_by, seat_of_power, seats_ever, seats_of
from judge.store.states import Role
from judge.store.tables import Game, Person, Phase, Seat

# How often one person may leave a game that is forming, in a day, and join it again.
MOST_LEAVES = 3
_A_DAY = timedelta(days=1)
# What our forms have in place of a password, as a single word.
_PLACEHOLDER = r"<(?:(?!password)[^<>])*password[^<>]*>"
_LEFT_OPEN = re.compile(rf"{_PLACEHOLDER}|\.{{2}}.*", re.IGNORECASE)


# The words of a variant; no orders, which have signs between their words.
VARIANT_WORDS = r"(?:\s+(?P<words>[A-Za-z0-9][\w/&'.-]*(?:\s+[A-Za-z0-9][\w/&'.-]*){0,4}))?"

command = Family("registration", who=Who.REGISTERED, place=Place.OPENING)


def _whole(handler: Callable[..., None]) -> Callable[..., None]:
    """A handler whose work is undone if it raises a refusal; a handler that only reads needs no savepoint."""

    @wraps(handler)
    def carried_out(context: CommandContext, *arguments: object, **named: object) -> None:
        with context.session.begin_nested():
            handler(context, *arguments, **named)

    return carried_out


@command(
    "SIGNON",
    "SIGN ON",
    "LOGIN",
    arguments="<power's letter><game> [<password>]",
    pattern=rf"\s+(?P<target>[^\s@?]+@{GAME}|[A-Za-z0-9]{{2,21}})(?:\s+{PASSWORD})?",
    who=Who.ANYBODY,
    help="sign on to play: orders and commands for that game follow (M<game>: as its master; without a password: "
    "SET PASSWORDLESS)",
)
def signon(context: CommandContext, call: Call, target: str, password: str | None) -> None:
    """SIGNON <power><game> [<password>]: to the sender's own seat, or to a vacant one."""
    if _is_left_open(context, password):
        return
    who, name = split_target(target)
    found = game_and_phase(context.session, name)
    if not found and password and (found := _named_apart(context, target, password)):
        who, password = target, None
    game, phase = found or _game(context, name, target)
    seats = _meant(context, game, who)
    if not password:
        if passwordless.sign_on(context, game, phase, seats):
            return
        raise CommandError(f"The password is missing: write {context.letter_context.redact(call.line)} <password>.")
    vacancy = None if seats else vacant_seat.vacancy(context, game, phase, who)
    if vacancy:
        _take_over(context, call, vacancy, password)
    else:
        context.sign_on(game, phase, _opened_by(context, game, seats, password))


def _named_apart(context: CommandContext, power: str, word: str) -> tuple[Game, Phase | None] | None:
    """The game with its open phase where power and game are two words without a password behind them: "SIGNON France
    heron".
    """
    found = game_and_phase(context.session, word)
    return found if found and is_seat(variant_of(found[0]), power) else None


@command(
    "SIGNON",
    "SIGN ON",
    "LOGIN",
    arguments="?<game> [<password> [<variant>]]",
    pattern=rf"\s+\?(?:\s(?={GAME}\s+\S))?(?P<game>{GAME})(?:\s+{PASSWORD}{VARIANT_WORDS})?",
    help="join a game that is forming; without a password you are given one; with a variant behind it only if it "
    "is that of the game",
)
def join(context: CommandContext, call: Call, game: str, password: str | None, words: str | None) -> None:
    """SIGNON ?<game> [<password> [<variant>]]: join a game that is forming, or sign on to it again."""
    if _is_left_open(context, password):
        return
    found, phase = _game(context, game.lower(), game)
    if words:
        _refuse_other(found, words)
    assert context.person
    _join(context, found, phase, context.person, password)


def _is_proved(context: CommandContext) -> bool:
    """Whether the letter proves who creates a game: forged ones use up nothing of what their victim may create."""
    return context.letter_context.standing.proof is Proof.VERIFIED or context.letter_context.has_proved_it


def _refuse_many(context: CommandContext, person: Person) -> None:
    """Raise CommandError if `person` already has as many unfinished games as one person may create."""
    settings = context.services.settings
    if created_by(context.session, person, proved=_is_proved(context)) >= settings.open_games:
        raise CommandError(
            f"You have created {settings.open_games} games that have not ended, the most that one person may have. "
            "End one that nobody needs (SIGNON M<game> <password>, below it TERMINATE), or write to the keeper of "
            f"this judge: {settings.keeper}."
        )


@command(
    "SIGNON",
    "SIGN ON",
    "LOGIN",
    arguments="? [<password>]",
    pattern=rf"\s+\?(?:\s+{PASSWORD})?",
    help="join the first game of LIST that is forming",
)
def join_any(context: CommandContext, call: Call, password: str | None) -> None:
    """SIGNON ? [<password>]: join the first game that is forming; again, sign on to it."""
    if _is_left_open(context, password):
        return
    person, session = context.person, context.session
    assert person
    if named := game_and_phase(session, (password or "").lower()):
        # SIGNON ? heron
        _join(context, *named, person, None)
        return
    forms = [game for game, _ in living_games(session) if game.state == "forming"]
    mine = [game for game in forms if _mine(session, game, person)]
    others = [game for game in forms if settings_of(game).listed and forming.missing_players(session, game) > 0]
    if not (mine or others):
        raise CommandError(
            "No game is forming that LIST shows. STANDBY brings you a mail when a seat is open, and CREATE ?<game> "
            "<password> begins a game."
        )
    _join(context, (mine or others)[0], None, person, password)


def _wait_for_stranger(context: CommandContext) -> None:
    """Raise AfterConfirmation if the sender is not registered, and nothing proves that they wrote the letter: anybody
    could have results mailed to a stranger. They are asked once a letter, and once a day.
    """
    letter_context = context.letter_context
    if context.waited or letter_context.registered or letter_context.has_proved_it or letter_context.may(Right.JOIN):
        return
    if not letter_context.deferred and not letter_context.newcomer and (asked := asked_before(context)):
        raise CommandError(f"{asked} first. {elsewhere(context, 'OBSERVE')}")
    raise AfterConfirmation


def miswritten(context: CommandContext, call: Call, password: str | None, *, usage: str) -> None:
    """Answer a sign-on that cannot be read: the lines below it are meant for another game than those above."""
    raise CommandError(f"{usage} Nothing below this line was read.")


def not_filled_in(context: CommandContext, call: Call) -> None:
    """The form that ends the judge's mails, sent back without a password: it signs on to nothing and does nothing."""
    _tell_left_open(context)


def _tell_left_open(context: CommandContext) -> None:
    context.title("Your password is missing: write it in place of <your password>. Nothing has changed.")
    context.answer.idle = True


def _is_left_open(context: CommandContext, password: str | None) -> bool:
    """Whether the placeholder of our forms stands in place of the password; then the answer says so."""
    left_open = password is not None and _LEFT_OPEN.fullmatch(password) is not None
    if left_open:
        _tell_left_open(context)
    return left_open


def split_target(target: str) -> tuple[str, str]:
    """Who (a letter, a power's name) and which game `Fheron` or `france@heron` names."""
    if "@" in target:
        who, _, name = target.partition("@")
    else:
        who, name = target[0], target[1:]
    return who.strip(), name.strip().lower()


def _game(context: CommandContext, name: str, written: str) -> tuple[Game, Phase | None]:
    found = game_and_phase(context.session, name)
    if found:
        return found
    whole = game_named(context.session, written)
    if whole:
        raise CommandError(
            f"Put the letter of your power before the name of the game: SIGNON F{whole.name} <password> for "
            f"France, or SIGNON ?{whole.name} <password> to join."
        )
    raise CommandError(f'There is no game "{name or written}" here. LIST shows the games.')


@_whole
def _take_over(context: CommandContext, call: Call, vacancy: Vacancy, password: str) -> None:
    """Sign on to a power that nobody plays: as its old player, else as its new one."""
    door = credentials.door_of(vacancy.game, (), vacancy.power)
    _refuse_guesser(context, door)
    context.require(Right.LASTING)
    if vacant_seat.returning(context, call, vacancy, password):
        return
    try:
        vacant_seat.newcomer(context, call, vacancy, context.registered(), password)
    except (AfterConfirmation, PasswordsUsedUp):
        raise
    except CommandError as refusal:
        raise PasswordRefused(str(refusal), door) from None


def _opened_by(context: CommandContext, game: Game, seats: Sequence[Seat], password: str) -> Seat:
    """The seat among `seats` that has this password; the sender's own seats are tried before guesses are counted."""
    own = [seat for seat in seats if context.person and seat.person_id == context.person.id]
    found = _own(context, own, password)
    door = LoginAttempts(game) if own else credentials.door_of(game, seats)
    if not found:
        _refuse_guesser(context, door)
        found = _fitting(context, seats, password)
    if not found:
        raise PasswordRefused(
            f"The power and the password do not match in game {game.name}. Nothing below this line was read.",
            door,
        )
    return found


def _own(context: CommandContext, seats: Sequence[Seat], password: str) -> Seat | None:
    """The sender's own seat that has this password, unless the letter has too many wrong passwords."""
    if not seats or context.letter_context.wrong_passwords >= credentials.MOST:
        return None
    found = _fitting(context, seats, password)
    context.letter_context.wrong_passwords += not found
    return found


def _fitting(context: CommandContext, seats: Iterable[Seat], password: str) -> Seat | None:
    return next((seat for seat in seats if context.fits(password, seat)), None)


def _refuse_guesser(context: CommandContext, door: LoginAttempts) -> None:
    """Raise CommandError if too many wrong passwords came before this one, and the seat is not the sender's."""
    shut = credentials.shut_until(context.work, door, context.letter.sender)
    if not shut:
        return
    name = door.game.name
    seat = f" for {door.seat} in game {name}" if shut.of_seat else f" for game {name}"
    recourse = f"FORGOT {name} brings you a new password."
    if shut.of_seat:
        recourse = f"If the seat is yours, sign on from the address that its mails go to; from there {recourse}"
    raise SignonRefused(
        f"{shut.count} wrong passwords{seat} came from {shut.origin} within an hour, so no more are tried from there "
        f"until {when(shut.until, context.zone)}. {recourse} Nothing below this line was read.",
        door,
    )


def _meant(context: CommandContext, game: Game, who: str) -> Sequence[Seat]:
    """The seats that `who` may name: several masters, one player, the sender's own as an observer; raises CommandError.

    A game may have any number of observers, and one sign-on must not try the passwords of all of them.
    """
    session, word = context.session, who.lower()
    if word in ("m", "master"):
        return [seat for seat in seats_of(session, game) if seat.role == "master"]
    if word in ("o", "observer"):
        return [_observing(context, game)]
    if game.state == "forming":
        raise CommandError(
            f"Game {game.name} has not begun: nobody has a power yet. Sign on with SIGNON ?{game.name} <password>."
        )
    seat = seat_of_power(session, game, vacant_seat.named_power(context, game, who))
    return [seat] if seat else []


def _observing(context: CommandContext, game: Game) -> Seat:
    """The sender's seat as an observer, found by address; only the password then proves that it is theirs."""
    person = person_at(context.session, context.letter.sender)
    for seat in seats_of(context.session, game):
        if seat.role == "observer" and person and seat.person_id == person.id:
            return seat
    raise CommandError(
        f"{context.letter.sender} does not observe game {game.name}. Write from the address that gets its results, or "
        f"write OBSERVE {game.name} to get them here too."
    )


def _mine(session: Session, game: Game, person: Person) -> Seat | None:
    """The player's seat that `person` holds."""
    seats = seats_of(session, game)
    return next((seat for seat in seats if seat.role == "player" and seat.person_id == person.id), None)


@command(
    "CREATE",
    arguments="?<game> [<password> [<variant>]]",
    pattern=rf"\s+\?\s?(?P<game>{GAME})(?:\s+{PASSWORD})?(?:\s+(?P<variant>\S+(?:\s+\S+){{0,4}}?))?",
    help="begin a new game; without a password you are given one",
)
@_whole
def create(context: CommandContext, call: Call, game: str, password: str | None, variant: str | None) -> None:
    """CREATE ?<game> [<password> [<variant>]]: a new game, its creator signed on."""
    name, person = game.lower(), context.person
    assert person
    title, gunboat = without_options(variant or "")
    try:
        board = load_variant_to_play(title or "standard")
    except (UnknownVariant, VariantError) as refusal:
        raise CommandError(str(refusal)) from None
    # In a game with points a master must know who bid what, in a gunboat game who plays what.
    role: Role = "master" if context.services.settings.creator_is_master or board.points or gunboat else "player"
    words = [name for command in context.letter_context.commands for name in command.names]
    if identity.is_reserved(name, words, board):
        raise CommandError(f'A game cannot be called "{name}", which is a word of commands or a power; choose another.')
    if game_named(context.session, name):
        raise CommandError(f'A game named "{name}" already exists; choose another name.')
    _refuse_many(context, person)
    created = forming.create(context.work, name, board, person.zone)
    created.proved = _is_proved(context)
    keep_settings(created, replace(settings_of(created), gunboat=gunboat))
    kept = context.new_password(password)
    seat = forming.sit(context.work, created, role, Entrant(person, context.letter.sender, kept))
    context.sign_on(created, None, seat)
    if role == "master":
        context.answer.settle(f"{'Gunboat game' if gunboat else 'Game'} {name} is created; you are its master (GM).")
        context.answer.texts.append(
            f"Players join with SIGNON ?{name} <password>.\nSign on with SIGNON M{name} <password>.\n"
            f"To play in it as well, write SIGNON ?{name} <password> too."
            + " Everybody can see that you play, and you then do not see what others order and bid for the open phase."
            * needs_master(created)
        )
    else:
        context.answer.settle(
            f"Game {name} is created; you are in it. {forming.what_is_missing(context.session, created)}"
        )


@command(
    "OBSERVE",
    "WATCH",
    "MONITOR",
    arguments="<game> [<password>]",
    pattern=rf"\s+(?:[^\s@]+@)?(?P<game>{GAME})(?:\s+{PASSWORD})?",
    topics=("registration", "observers"),
    who=Who.ANYBODY,
    prose=("WATCH", "MONITOR"),
    help="get the results of a game without playing",
)
@_whole
def observe(context: CommandContext, call: Call, game: str, password: str | None) -> None:
    """OBSERVE <game> [<password>]: results by mail, no registration needed."""
    watched, phase = _game(context, game.lower(), game)
    person = context.person
    seats = seats_of(context.session, watched)
    seat = next((s for s in seats if s.role == "observer" and person and s.person_id == person.id), None)
    if seat:
        context.sign_on(watched, phase, seat, proved=False)
        context.answer.settle(f"You already observe game {watched.name}.")
        return
    refuse_untimely(watched, When.LIVING, "OBSERVE")
    context.require(Right.JOIN)
    _wait_for_stranger(context)
    # An observer is known by address; a password is only for signing on from elsewhere.
    kept = context.new_password(password) if password else ""
    decided = applications.observing_decided_by_master(context.session, watched, person)
    person = person or forming.stranger(context.work, context.letter)
    if decided:
        vacant_seat.ask(context, watched, person, kept, role="observer")
        return
    # From here on nothing may be refused: a stranger is now known for the rest of the letter.
    context.letter_context.person = person
    seat = forming.sit(context.work, watched, "observer", Entrant(person, context.letter.sender, kept))
    context.sign_on(watched, phase, seat)
    context.answer.settle(f"You observe game {watched.name} from now on: its results come to {seat.address}.")
    if context.phase and rate_limits.admits(context.work, context.letter_context.reader(seat.address)):
        game_mails.tell_position(context.work, watched, context.phase, seat)
    elif context.phase:
        context.answer.texts.append(
            "You have had many mails within an hour, so the first one comes with its next phase."
        )


def _refuse_other(game: Game, words: str) -> None:
    """Raise CommandError if the variant and the options behind the password are not those of the game: so nobody joins
    another kind of game than they mean.
    """
    board, hidden = without_options(words)
    variant, gunboat = variant_of(game), settings_of(game).gunboat
    try:
        same = not board or variant_called(board) in (variant.name, variant.edition)
    except VariantError:
        same = False
    if same and hidden == gunboat:
        return
    option = " Gunboat" if gunboat else ""
    raise CommandError(
        f"Game {game.name} is {variant.title}{option}, not {words}, so you have not joined it. If it is what you want "
        f"to play, write SIGNON ?{game.name} <password> {variant.name}{option}."
    )


def without_options(words: str) -> tuple[str, bool]:
    """The name of a variant without the option Gunboat, and whether that is there."""
    said = [word for word in words.split() if word.upper() != "GUNBOAT"]
    return " ".join(said), len(said) < len(words.split())


@_whole
def _join(context: CommandContext, game: Game, phase: Phase | None, person: Person, password: str | None) -> None:
    mine = _mine(context.session, game, person)
    if mine and mine.power:
        own = variant_of(game).seat_named[mine.power].at(game.name)
        raise CommandError(f"Game {game.name} has begun; you play {mine.power}: write SIGNON {own} <password>.")
    if mine and context.waited:
        raise CommandError(f"You are already in game {game.name}.")
    if mine:
        if not password and not passwordless.sign_on(context, game, None, [mine]):
            raise CommandError(f"You are already in game {game.name}: write SIGNON ?{game.name} <password>.")
        if password and not _own(context, [mine], password):
            door = LoginAttempts(game)
            _refuse_guesser(context, door)
            raise PasswordRefused(f"You are already in game {game.name}, with another password.", door)
        context.sign_on(game, None, mine)
        missing = forming.what_is_missing(context.session, game)
        context.answer.settle(f"You are already in game {game.name}. {missing}")
        return
    if game.state != "forming":
        raise CommandError(_begun(context, game, phase))
    if forming.missing_players(context.session, game) <= 0:
        raise CommandError(f"Game {game.name} is full; it begins when its master starts it.")
    _refuse_wavering(context, game, person)
    if applications.decided_by_master(context.session, game, person):
        context.require(Right.LASTING)
        vacant_seat.ask(context, game, person, context.new_password(password))
        return
    kept = context.new_password(password)
    seat = forming.enter(context.work, game, Entrant(person, context.letter.sender, kept))
    context.sign_on(game, None, seat)
    context.joined = True
    vacant_seat.tell_limits(context, game, seat.person_id)
    if not forming.can_begin(context.session, game):
        context.answer.texts.append(forming.what_awaits(game))
        context.answer.settle(f"You are in game {game.name}. {forming.what_is_missing(context.session, game)}")


def _begun(context: CommandContext, game: Game, phase: Phase | None) -> str:
    """Why nobody can join the game any more, and what to write instead: which of its powers are open to others."""
    told = f"Game {game.name} has {'begun' if phase else 'ended'}."
    free = open_seats.vacant(context.session, game, phase) if phase and not settings_of(game).quiet else []
    letters = {seat.name: seat.letter for seat in variant_of(game).seats}
    if free:
        lines = [f"SIGNON {letters[power]}{game.name} <password> for {power}" for power in free]
        return f"{told} Nobody plays {listed(free)}: write {listed(lines, 'or')}."
    return f"{told} OBSERVE {game.name} sends you its results." if phase else told


def _refuse_wavering(context: CommandContext, game: Game, person: Person) -> None:
    """Raise CommandError if `person` has left the game too often today: everybody in it is told each time."""
    left = [seat.left_at for seat in seats_ever(context.session, game, person) if seat.left_at]
    if sum(at + _A_DAY > context.now for at in left) >= MOST_LEAVES:
        raise CommandError(
            f"You have left game {game.name} {MOST_LEAVES} times within a day, so you cannot join it today. Everybody "
            "in it is told each time."
        )


def begin_game(context: CommandContext) -> None:
    """Begin the game that the block has filled, at the end of the block: so the last player can still set a
    preference.
    """
    game, seat = context.game, context.seat
    if (
        not (context.joined and game and seat)
        or game.state != "forming"
        or not forming.can_begin(context.session, game)
    ):
        return
    context.phase = context.answer.phase = forming.start(context.work, game)
    context.answer.settle(
        f"You are in game {game.name}, and it begins: you play {seat.power}. The start mail tells more."
    )


# More words than these behind the names of commands are prose.
SLIPS = (
    Slip(
        names=("SIGNON", "SIGN ON", "LOGIN"),
        place=Place.OPENING,
        handler=not_filled_in,
        pattern=rf"\s+\S+\s+(?:{_PLACEHOLDER}|\.{{3}}).*",
    ),
    Slip(
        names=("CREATE",),
        place=Place.LOBBY,
        handler=partial(
            miswritten,
            usage="Write CREATE ?<game> <password> <variant>: write the ? too; names have letters and digits only.",
        ),
        pattern=r"(?:\s+(?P<password>\S+(?:\s+\S+){0,3}))?",
    ),
    Slip(
        names=("OBSERVE",),
        place=Place.LOBBY,
        handler=partial(miswritten, usage="Write OBSERVE <game>: its name has up to 20 letters and digits."),
        pattern=r"(?:\s+(?P<password>\S+(?:\s+\S+){0,3}))?",
    ),
)
