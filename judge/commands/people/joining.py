"""Commands to enter a game, which are SIGNON ?<game> and SIGNON ? to join, CREATE, OBSERVE, and their other forms.

The other forms are "SIGNON France heron hush", and HELLO, JOIN, TAKEOVER and RESIGN of other judges. These four words
also begin sentences. So each word needs a game and a password. A line in lowercase is accepted only before all
sign-ons, or with a ? or @ that no sentence has.
"""

from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from datetime import timedelta

from sqlmodel import Session

from judge.commands.core.command import (
    AfterConfirmation,
    CommandError,
    Family,
    Place,
    Slip,
    Who,
    refused,
)
from judge.commands.core.context import CommandContext
from judge.commands.core.line_forms import BETWEEN
from judge.commands.core.permissions import refuse_ended, registered, require
from judge.commands.core.proofs import Right
from judge.commands.core.secrets import ROLES
from judge.commands.core.usage import pattern_of
from judge.commands.people import own_settings, passwordless, signon
from judge.commands.people.own_settings import new_password
from judge.commands.people.register import asked_before
from judge.games.core.board import needs_master, signon_of, vacant, variant_of
from judge.games.core.settings import change_settings, settings_of
from judge.games.core.who_is_meant import is_seat
from judge.games.core.who_may_see import hides_people, shown_to
from judge.games.life import applications, forming
from judge.games.life.applications import Entrant
from judge.games.notifications import game_mails
from judge.games.people import identity, rate_limits
from judge.letters.written_passwords import AROUND
from judge.rules import UnknownVariant, VariantError, load_variant_to_play
from judge.rules.variant.registry import variant_called
from judge.store.games import game_and_phase, game_named, living_games
from judge.store.seats import created_by, players_of, seats_ever, seats_in
from judge.store.states import Role
from judge.store.tables import Game, Person, Phase, Seat

# The number of times in a day that a person may leave a forming game and join it again.
MOST_LEAVES = 3
_A_DAY = timedelta(days=1)
# Options that may be next to the name of a variant.
_OPTIONS = {"GUNBOAT", "SOLO"}

command = Family("registration", who=Who.REGISTERED, place=Place.OPENING)


@command(
    "SIGNON ?<game> [<password> [<variant>]]",
    "SIGN ON",
    "LOGIN",
    reads="?<game to join> [<password> [<variant>]]",
    help="join a forming game; without a password you are given one; with a variant, only if the game has that variant",
)
def join(context: CommandContext, game: str, password: str | None, words: str | None) -> None:
    """Join a forming game with SIGNON ?<game>, or sign on to the sender's seat in it.

    Raises CommandError if the variant and options after the password are not those of the game.
    """
    found, phase = signon.find_game(context, game.lower(), game)
    if words:
        # The sender may have expected a different variant from the game's.
        board, options = without_options(words)
        variant, gunboat, hidden = variant_of(found), hides_people(found), "GUNBOAT" in options
        same = not board
        with suppress(VariantError):
            same = same or variant_called(board) in (variant.name, variant.edition)
        if not same or hidden != gunboat:
            option, said = " Gunboat" if gunboat else "", context.reply.redact(words)
            raise CommandError(
                f"{found.name} is {variant.label}{option}, not {said}, so you have not joined it. If you want to play "
                f"it, send SIGNON ?{found.name} <password> {variant.name}{option}."
            )
    _join(context, found, phase, password)


@command(
    "SIGNON ? [<password>]",
    "SIGN ON",
    "LOGIN",
    help="join the first forming game in LIST",
)
def join_any(context: CommandContext, password: str | None) -> None:
    """Join the first forming game with SIGNON ?, or sign on to the forming game that the sender has joined."""
    person, session = registered(context), context.session
    if named := game_and_phase(session, (password or "").lower()):
        # Read SIGNON ? heron like SIGNON ?heron.
        _join(context, *named, None)
        return
    forms = (game for game, _ in living_games(session) if game.state == "forming")
    own = next((game for game in forms if seats_in(session, game, person, "player")), None)
    joined = own or forming.first_to_join(session)
    if not joined:
        opening, line = first_opening(session)
        offer = f"To join {opening}, send {line}. " if opening else ""
        raise CommandError(
            f"No listed game is forming. {offer}To get an email when a game needs a player, send STANDBY. To create a "
            "game, send CREATE ?<game> <password>."
        )
    _join(context, joined, None, password)


@signon.whole
def _join(context: CommandContext, game: Game, phase: Phase | None, password: str | None) -> None:
    session, letter, work = context.session, context.letter, context.work
    person = registered(context)
    if mine := seats_in(session, game, person, "player"):
        _join_again(context, game, mine[0], password)
        return
    identity.refuse_denied(session, game, person, letter.sender)
    if _is_full(context, game, phase):
        require(context, Right.JOIN)
        place = applications.stand_in_line(work, game, person, letter.sender)
        context.settle(
            f"{game.name} is full. You are number {place} in line: when a player leaves, the first in line is asked. "
            f"To watch it until then, send OBSERVE {game.name}. To leave the line, send NO STANDBY."
        )
        return
    if closed := why_closed(context, game, phase):
        raise CommandError(closed)
    # All people in the game are notified each time that someone joins, so the number of times is limited.
    left = [seat.left_at for seat in seats_ever(session, game, person) if seat.left_at]
    if sum(at + _A_DAY > work.now for at in left) >= MOST_LEAVES:
        raise CommandError(
            f"You have joined and left {game.name} {MOST_LEAVES} times within a day, so you cannot join it again today."
        )
    signon.refuse_unreliable(context, game, person)
    if applications.decided_by_master(session, game, person):
        require(context, Right.LASTING)
        signon.ask(context, game, person, new_password(context, password))
        return
    kept = new_password(context, password)
    seat = forming.enter(work, game, Entrant(person, letter.sender, kept))
    context.sign_on(game, None, seat)
    context.seat.joined = True
    signon.tell_limits(context, game, seat.person_id)
    if not forming.can_begin(work, game):
        context.say(forming.what_awaits(game))
        context.settle(f"You are in {game.name}. {forming.what_is_missing(session, game)}")


def _join_again(context: CommandContext, game: Game, mine: Seat, password: str | None) -> None:
    """Sign on to the seat of a player who asks to join a game again."""
    if mine.power:
        own = signon_of(game, mine)
        raise CommandError(f"{game.name} has started. You play {mine.power}: write SIGNON {own} <password>.")
    already = f"You are already in {game.name}"
    if context.letter.waited:
        raise CommandError(f"{already}.")
    if password:
        signon.opened_by(context, game, [mine], password, f"{already}, with another password.")
        context.sign_on(game, None, mine)
    elif not passwordless.sign_on(context, game, None, [mine]):
        raise CommandError(f"{already}: write SIGNON ?{game.name} <password>.")
    context.settle(f"{already}. {forming.what_is_missing(context.session, game)}")


def _is_full(context: CommandContext, game: Game, phase: Phase | None) -> bool:
    """Return whether a game is full. A quiet game is never full, because it hides the powers that have no player."""
    if settings_of(game).solo:
        return False
    if game.state == "forming":
        return forming.missing_players(context.session, game) <= 0
    if not phase or not shown_to(None, game).changes:
        return False
    return not vacant(game, phase, players_of(context.session, game))


def why_closed(context: CommandContext, game: Game, phase: Phase | None) -> str:
    """Return why no one can join the game, and which powers are open, or "" if the game needs players."""
    if game.state == "forming":
        is_full = forming.missing_players(context.session, game) <= 0
        return forming.what_is_missing(context.session, game) if is_full else ""
    if not phase:
        return f"{game.name} has ended."
    return f"{game.name} has started. {signon.openings(context, game, phase)}"


def first_opening(session: Session) -> tuple[str, str]:
    """Describe the first listed game that needs a replacement, and return the sign-on for it.

    Both are "" if there is none.
    """
    for game, phase in living_games(session):
        free = signon.open_powers(session, game, phase) if phase and settings_of(game).listed else {}
        for power, line in free.items():
            return f"{game.name} ({variant_of(game).label}; no one plays {power})", line
    return "", ""


def without_options(words: str) -> tuple[str, set[str]]:
    """Return a variant's name without the options Gunboat and Solo, and these options in capitals."""
    written = [word for word in (word.strip(AROUND) for word in words.split()) if word]
    said = [word for word in written if word.upper() not in _OPTIONS]
    return " ".join(said), {word.upper() for word in written} & _OPTIONS


def begin_game(context: CommandContext) -> None:
    """Begin a game that this block has filled, at the end of the block.

    Until then, the last player can send a preference in the same block.
    """
    here = context.seat
    game = here.game
    if here.joined and game.state == "forming" and forming.can_begin(context.work, game):
        here.phase = context.answer.phase = forming.start(context.work, game)
        context.settle(
            f"You have joined {game.name}, which starts now. You play {here.power}. Details are in the next email."
        )


@command(
    "CREATE ?<game> [<password> [<variant> [SOLO]]]",
    reads="?<new game> [<password> [<board>]]",
    help="create a new game; without a password you are given one; SOLO: a game for one, who orders for all powers",
)
@signon.whole
def create(context: CommandContext, game: str, password: str | None, variant: str | None) -> None:
    """Create a game, and sign its creator on."""
    session, letter, work = context.session, context.letter, context.work
    name, person = game.lower(), registered(context)
    title, options = without_options(variant or "")
    with refused(UnknownVariant, VariantError):
        board = load_variant_to_play(title or "standard")
    # In a game with points the master knows all bids, and in a gunboat game the players' powers. A player may know
    # neither.
    role: Role = "master" if work.settings.creator_is_master or board.points or options else "player"
    if identity.is_reserved(name, letter.reader.names, board):
        raise CommandError(
            f'A game cannot be called "{name}", because that is a power or part of a command. Choose another name.'
        )
    if game_named(session, name):
        raise CommandError(f'There is already a game called "{name}". Choose another name.')
    refuse_more_games(context, person)
    created = forming.create(work, name, board, person.zone)
    created.proved = letter.proves_sender
    change_settings(created, gunboat="GUNBOAT" in options)
    entrant = Entrant(person, letter.sender, new_password(context, password))
    seat = forming.sit(work, created, role, entrant)
    phase = forming.begin_for_one(work, created, entrant) if "SOLO" in options else None
    context.sign_on(created, phase, seat)
    _tell_created(context, created, role, options)


def _tell_created(context: CommandContext, created: Game, role: Role, options: Set[str]) -> None:
    name = created.name
    if "SOLO" in options:
        context.settle(
            f"{name} has started as a game for one. You order for all powers, each line after its name, and send "
            "PROCESS. The next email has the form."
        )
    elif role == "master":
        kind = "Gunboat game " * ("GUNBOAT" in options)
        context.settle(f"{kind}{name} has been created. You are its master (GM).")
        context.say(
            f"Players join with SIGNON ?{name} <password>.\nSign on with SIGNON M{name} <password>.\nTo play as well, "
            f"send SIGNON ?{name} <password>."
            + " Everyone can then see that you play, and you can't see others' orders and bids for the current phase."
            * needs_master(created)
        )
    else:
        context.settle(f"{name} has been created. You are in it. {forming.what_is_missing(context.session, created)}")


def refuse_more_games(context: CommandContext, person: Person) -> None:
    """Raise CommandError if the person has created too many games.

    Games of letters that proved their sender, and games of other letters, are counted separately.
    """
    settings = context.work.settings
    if created_by(context.session, person, proved=context.letter.proves_sender) >= settings.open_games:
        raise CommandError(
            f"You have created {settings.open_games} games that are still running, which is the limit. End one (SIGNON "
            "M<game> <password>, then TERMINATE on the next line), or write to the keeper of this judge: "
            f"{settings.keeper}."
        )


@command(
    "OBSERVE <game> [<password>]",
    "WATCH",
    "MONITOR",
    reads="<observed game> [<password>]",
    topics=("registration", "observers"),
    who=Who.ANYBODY,
    prose=("WATCH", "MONITOR"),
    help="watch a game and get its results",
)
@signon.whole
def observe(context: CommandContext, game: str, password: str | None) -> None:
    """Let the sender observe the game, without a registration, and mail them the results."""
    session, letter, work = context.session, context.letter, context.work
    watched, phase = signon.find_game(context, game.lower(), game)
    person = letter.person
    if observed := seats_in(session, watched, person, "observer"):
        context.sign_on(watched, phase, observed[0], proved=False)
        context.settle(f"You are already observing {watched.name}.")
        return
    refuse_ended(watched)
    if seats_in(session, watched, person):
        raise CommandError(f"You are already in {watched.name}, so you get its results.")
    identity.refuse_denied(session, watched, person, letter.sender)
    require(context, Right.JOIN)
    _wait_for_stranger(context)
    # An observer is recognized by address. A password is needed only to sign on from another address.
    kept = new_password(context, password) if password else ""
    decided = applications.decided_by_master(session, watched, person, "observer")
    person = person or forming.stranger(work, letter.parsed)
    if decided:
        signon.ask(context, watched, person, kept, role="observer")
        return
    # After this statement no error may be raised, because the rest of the letter treats a stranger as known.
    letter.person = person
    seat = forming.sit(work, watched, "observer", Entrant(person, letter.sender, kept))
    context.sign_on(watched, phase, seat)
    context.settle(f"You are now observing {watched.name}. Its results will be sent to {seat.address}.")
    if phase and rate_limits.admits(work, letter.asker(seat.address)):
        game_mails.tell_position(work, watched, phase, seat)
    elif phase:
        context.say("You have had many emails in the last hour, so your first results will be those of the next phase.")


def _wait_for_stranger(context: CommandContext) -> None:
    """Raise AfterConfirmation if the sender is not registered, and nothing proves that they wrote the letter.

    Otherwise anyone could have results mailed to a stranger. A stranger is asked to confirm at most once in a letter
    and once in a day.
    """
    if (
        context.letter.waited
        or context.letter.registered
        or context.letter.has_proved_it
        or context.letter.standing.may(Right.JOIN)
    ):
        return
    waits = context.reply.confirmation
    asked, elsewhere = asked_before(context, "OBSERVE")
    if asked and not (waits.deferred or waits.newcomer):
        raise CommandError(f"{asked} first. {elsewhere}")
    raise AfterConfirmation


def sign_on(context: CommandContext, password: str | None) -> None:
    """Sign on with SIGNON and its words in another form, such as "SIGNON France heron hush"."""
    *words, last = (password or "").split() or [""]
    secret: str | None = last
    target = named_seat(context, words)
    if not target and words and (target := named_seat(context, [*words, last])):
        secret = None  # SIGNON F heron, from a player who needs no password
    if not target:
        raise CommandError(
            "Write SIGNON F<game> <password>: the letter of your power and the game as one word, then your password as "
            "another."
        )
    signon.signon(context, target, secret)


def named_seat(context: CommandContext, words: Sequence[str]) -> str:
    """Return the words in the form for a sign-on (`Fheron`, `France@heron`), or "" if they name no seat."""
    apart = (word.strip(AROUND) for word in " ".join(words).replace("@", " ").split())
    said = [word for word in apart if word and word.lower() not in BETWEEN - {"and"}]
    return _target(context, said) or _target(context, [word for word in said if word.lower() != "and"])


def _target(context: CommandContext, words: list[str]) -> str:
    if len(words) < 2:
        who, name = "".join(words)[:1], "".join(words)[1:].lstrip("-._")
        return f"{who}{name}" if who.isalpha() and game_named(context.session, name.lower()) else ""
    for *power, name in (words, words[::-1]):
        game = game_named(context.session, name.lower())
        who = " ".join(power if power == words[:-1] else power[::-1])
        if game and (who.lower() in ROLES or is_seat(variant_of(game), who)):
            return f"{who}@{name}"
    return ""


# These handlers accept commands of other judges. Their argument `target` is the power and the game, or only the game.
# `words` is the text after the password.


def hello(context: CommandContext, target: str, password: str, words: str | None = None) -> None:
    """Sign on or join in the words of njudge, such as HELLO Fheron <password> or HELLO ?heron <password>."""
    if target.startswith("?"):
        _join_named(context, target[1:].strip(), password, words)
    else:
        take_over(context, target, password, words)


def join_or_take(context: CommandContext, target: str, password: str, words: str | None = None) -> None:
    """Join a game or take over a power with DPjudge's command JOIN, such as JOIN heron <password>."""
    target, password, words = _apart(context, target, password, words)
    power, _, name = target.lstrip("? ").rpartition("@")
    game = game_named(context.session, name.lower())
    if game and (game.state == "forming" or not power):
        _join_named(context, name, password, words)
        if power and context.signed_on and context.seat.joined:
            own_settings.set_preference(context, power)
    else:
        take_over(context, target, password, words)


def take_over(context: CommandContext, target: str, password: str, words: str | None = None) -> None:
    """Take over an open power with DPjudge's command TAKEOVER Fheron <password>."""
    target, password, words = _apart(context, target, password, words)
    if words:
        shown = context.reply.redact(target)
        raise CommandError(f"Write SIGNON {shown} <password>, and nothing after it.")
    signon.signon(context, target, password)


def resign(context: CommandContext, target: str, password: str, words: str | None = None) -> None:
    """Sign on with RESIGN Fheron <password>, and leave the game at the end of the block.

    If a line of the block is refused, the player stays in the game.
    """
    require(context, Right.LASTING)
    take_over(context, target, password, words)
    if context.signed_on:
        context.seat.resigns = True


def _apart(context: CommandContext, target: str, password: str, words: str | None) -> tuple[str, str, str | None]:
    """Return the arguments of a handler, with a power and a game that are two words joined as the target.

    Then the third word is the password.
    """
    if words and len(words.split()) == 1 and (seat := named_seat(context, [target, password])):
        return seat, words, None
    return target, password, words


def _join_named(context: CommandContext, game: str, password: str, words: str | None) -> None:
    registered(context)
    if game:
        join(context, game, password, words)
    else:
        join_any(context, password)


# A word such as JOIN is part of a sentence if one of these words follows it.
_PROSE = (
    r"(?!\s+(?:US|ME|MY|THE|THIS|THAT|THEM|THERE|THEIR|IT|HIM|HER|YOUR|YOU|OUR|IN|AT|A|AN|ALL|AS|IF|OR|AND|TO|FROM|FOR|"
    r"ON|OUT|NOW|WITH|FORCES|HANDS|PLEASE|DEAR|JUDGE|AGAIN|EVERYBODY|EVERYONE|FOLKS|FRIENDS?|SIR|I|WE)\b)"
)


def _opening(*names: str, handler: Callable[..., None]) -> list[Slip]:
    """Return the patterns of lines that begin with a word such as JOIN.

    In lowercase and without ? or @, the word is recognized only before all sign-ons.
    """
    forms: tuple[tuple[str, bool, tuple[str, ...]], ...] = (
        ("<place> <password> [<variant>]", True, ()),
        ("<signed place> <password> [<variant>]", False, ()),
        ("<plain place> <password>", False, names),
    )
    return [
        Slip(
            names=names, place=Place.OPENING, handler=handler, capitals=capitals, prose=prose,
            pattern=_PROSE + pattern_of(arguments),
        )
        for arguments, capitals, prose in forms
    ]  # fmt: skip


SLIPS = (
    Slip(
        names=("SIGNON", "LOGIN", "LOGON"),
        place=Place.OPENING,
        handler=sign_on,
        # A line with more words is prose.
        pattern=r"(?:\s+(?P<password>\S+(?:\s+\S+){0,4}))?",
    ),
    # HELLO in lowercase is a greeting, unless a ? or @ follows.
    *_opening("HELLO", handler=hello)[:2],
    *_opening("JOIN", handler=join_or_take),
    *_opening("TAKEOVER", "TAKE OVER", handler=take_over),
    *_opening("RESIGN", "WITHDRAW", handler=resign),
)
