"""Enforce who may use a command, and when, according to the command table. No other module does so."""

from collections.abc import Callable

from judge.commands.core.command import (
    AfterConfirmation,
    Call,
    Command,
    CommandError,
    Doubt,
    MaybeSentence,
    NothingDone,
    Pattern,
    Place,
    When,
    Who,
    refused,
)
from judge.commands.core.context import REGISTER_FIRST, CommandContext, Seated
from judge.commands.core.handling import READERS, Setting, asked_game, look_again, refuse_for_one, seat_in
from judge.commands.core.proofs import Proof, Right
from judge.games.core import acts
from judge.games.core.acts import May
from judge.games.core.board import signon_of
from judge.games.core.passwords import TooManyPasswords
from judge.games.core.work import Refusal
from judge.games.life import lifecycle
from judge.games.notifications.notices import lost
from judge.games.orders.line_kinds import kind_of
from judge.letters.written_passwords import is_left_open
from judge.rules import PhaseError, listed
from judge.store.games import game_named
from judge.store.seats import masters_of
from judge.store.tables import Game, Person, Seat

_WORDS = {
    Who.ANYBODY: "anyone",
    Who.BEARER: "anyone who has the code",
    Who.REGISTERED: "registered people",
    Who.PLAYER: "players",
    Who.OBSERVER: "observers",
    Who.MASTER: "the master",
}
# Commands without effect in a game that one person plays, which has no deadlines, votes or press.
_TOPICS_OF_SEVERAL = {"deadlines", "draws", "press"}
_OF_SEVERAL = {
    "SET DEADLINE", "SET WAIT", "SET NOWAIT", "RESIGN", "SET APPROVE", "SET NOT APPROVE", "SET DISORDER", "SET IGNORE",
    "INVITE",
}  # fmt: skip
_ROLES = {"player": Who.PLAYER, "observer": Who.OBSERVER, "master": Who.MASTER}
_ARTICLES = {"player": "a", "observer": "an", "master": "the"}
# Commands with this `When` are refused in games in these states, with this reason.
_UNTIMELY = (
    ({When.FORMING}, {"active", "paused", "finished"}, "{game} has started, so it is too late for {name}."),
    ({When.OPEN, When.RUNNING}, {"forming"}, "{game} has not started."),
    (
        {When.RUNNING, When.UNPAUSED}, {"paused"},
        "{game} is paused. To restart it, send RESUME. RESUME Sat 21:00 also sets the deadline.",
    ),
    ({When.PAUSED}, {"forming", "active"}, "{game} is not paused."),
    ({When.ENDED}, {"forming", "active", "paused"}, "{game} has not ended."),
)  # fmt: skip


def users(command: Command) -> str:
    """Return who may use the command, in words such as "players and the master"."""
    return listed(_WORDS[who] for who in command.who)


def carry_out(context: CommandContext, call: Call) -> None:
    """Carry out the command, or raise CommandError if the sender may not use it, or if it fails."""
    context.call = call
    here, command = context.signed_on, call.command
    if here:
        here.has_word = False
    below_order = here is not None and kind_of(here.variant, call.above) != "prose"
    if Doubt.SENTENCE in call.doubt and not below_order:
        raise MaybeSentence
    if is_left_open(call.arguments.get("password") or ""):
        tell_left_open(context)
        return
    if isinstance(command, Command):
        _refuse(context, call, command)
    if command.handler:
        _handle(context, command.handler, command)


def _handle(context: CommandContext, handler: Callable[..., object], command: Pattern) -> None:
    """Run the handler of the command. Its result is the verdict on the line, or a `Setting` to be applied."""
    with refused(PhaseError, Refusal, TooManyPasswords):
        try:
            arguments = dict(context.call.arguments)
            for name, word in arguments.items():
                if word and name in READERS:
                    arguments[name] = READERS[name](context, word)
            done = handler(context, **arguments)
            if isinstance(done, Setting):
                done.apply(context)
        except NothingDone as why:
            done = str(why)
    here = context.signed_on
    if here and command.lasting:
        look_again(context)
    if isinstance(done, str):
        context.settle(done)
    if here and command.act:
        lifecycle.clear_votes(context.work, here.game)


def tell_left_open(context: CommandContext) -> None:
    """Answer a sign-on whose password is still a placeholder, and refuse any other command with a placeholder."""
    if context.call.command.place is not Place.OPENING:
        raise CommandError("Nothing has changed, because the placeholder is not a password. Put yours in its place.")
    missing = "Your password is missing: put it in place of <your password>. Nothing has changed."
    context.answer.verdict = context.answer.verdict or missing
    context.answer.idle = True


def _refuse(context: CommandContext, call: Call, command: Command) -> None:
    _refuse_writer(context, call, command)
    if command.who & (Who.ANYBODY | Who.BEARER):
        return
    if Who.REGISTERED in command.who:
        registered(context)
        return
    game, seat = _seat_meant(context, call)
    _refuse_seat(context, game, seat, command)
    refuse_untimely(game, command.when, command.word)
    if command.word in _OF_SEVERAL or not _TOPICS_OF_SEVERAL.isdisjoint(command.topics):
        refuse_for_one(game, command.word)
    if command.of_phase:
        refuse_early(context)


def _refuse_writer(context: CommandContext, call: Call, command: Command) -> None:
    """Raise CommandError if the sender's proof is not enough for the command, or if it is meant for another game."""
    if command.lasting:
        # Before all sign-ons, the only proof of the sender is the address, or a code in the command.
        by_address = command.place is Place.LOBBY and not command.who & Who.BEARER
        require(context, Right.DATA if by_address else Right.LASTING)
    here = context.signed_on
    if not here:
        return
    unmeant = here.lines.unmeant
    if unmeant and unmeant.of_another_game:
        raise CommandError(f"not done, because this is after the name of another game. {unmeant.instead}")
    if here.passwordless and command.place is Place.GAME:
        if not command.passwordless:
            raise CommandError(needs_password(here))
        if context.letter.by_reply:
            _refuse_unmeant(call)
    if command.personal:
        _refuse_other(here, command)


def _refuse_other(here: Seated, command: Command) -> None:
    """Raise CommandError if a master, acting for a player, uses a command reserved for the player."""
    power = here.row.power
    if here.signed_on.person_id == here.row.person_id:
        return
    of = f" of {power}" if power else ""
    instead = f" To remove the player, send EJECT {power or 'another'}." if command.word == "RESIGN" else ""
    raise CommandError(f"Only the player{of} can send {command.word}.{instead}")


def _refuse_unmeant(call: Call) -> None:
    """Raise CommandError if a line of a letter without a sign-on may not be meant as a command."""
    if not call.ended:
        raise CommandError("Not sent: without SIGNON, a message must end with ENDPRESS on a line of its own.")
    if Doubt.WORD in call.doubt:
        raise CommandError("This looks like ordinary text. If you meant the command, write it in capitals.")


def needs_password(here: Seated) -> str:
    """Return the refusal for a player who signed on without the password, with the line to write."""
    return f"This needs your password: write SIGNON {signon_of(here.game, here.row)} <password> above it."


def require(context: CommandContext, right: Right) -> None:
    """Raise CommandError if the letter does not have this right, and would not get it by a confirmation email."""
    if refusal := context.letter.standing.refusal(right, context.zone):
        raise CommandError(refusal)


def registered(context: CommandContext) -> Person:
    """Return the sender, or raise CommandError if the sender is not registered."""
    person, waits = context.letter.person, context.reply.confirmation
    if person and person.registered_at:
        return person
    if context.letter.standing.proof is Proof.NEW:
        require(context, Right.OWN)
    first = "Confirm your registration first, then send this again."
    if waits.newcomer:
        raise AfterConfirmation(first)
    if waits.asked_before:
        raise CommandError(first)
    raise CommandError(f"You are not registered yet. {REGISTER_FIRST}")


def _seat_meant(context: CommandContext, call: Call) -> tuple[Game, Seat]:
    """Return the game that the command is about, and the sender's seat in it.

    Raises CommandError if the sender has no seat in the game.
    """
    if call.command.place is Place.GAME:
        return context.seat.game, context.seat.row
    game, _ = asked_game(context, call.arguments["game"])
    seat = seat_in(context, game)
    if not seat:
        raise CommandError(
            f"{call.command.word} is for the people in {game.name}. Sign on first, or write from the address you "
            f"play from. LIST {game.name} shows what anyone can see."
        )
    return game, seat


def is_early(context: CommandContext) -> bool:
    """Return whether the letter was sent before anyone could know of the open phase, or has opened it by PROCESS.

    A letter that arrived in the same second as the phase's first emails is not early. Nor is a letter whose transaction
    has opened the phase without PROCESS.
    """
    phase = context.seat.phase
    if not phase or phase.id in context.letter.opened:
        return phase is not None
    known_at = phase.known_at or phase.opened_at
    return context.letter.row.received_at < known_at and phase.id not in context.work.opened


def refuse_early(context: CommandContext) -> None:
    """Raise CommandError if the command may be meant for an earlier phase than the open one."""
    if not is_early(context):
        return
    command = context.call.command
    phase, why = context.seat.open_phase, "so this line was not carried out."
    if phase.id not in context.letter.opened:
        raise CommandError(f"{phase.name} opened after you sent this email, {why} Please send it again.")
    # After PROCESS, a master's commands, such as CORRECT, are meant for the phase that PROCESS has opened.
    is_for_master = isinstance(command, Command) and command.who is Who.MASTER
    if not is_for_master or "PROCESS" in command.names:
        raise CommandError(f"This email opened {phase.name} itself, {why} Send it in a new email.")


def _refuse_seat(context: CommandContext, game: Game, seat: Seat, command: Command) -> None:
    if seat.left_at:
        raise CommandError(f"{lost(game, seat)}.")
    is_of_keeper = context.letter.by_keeper and not seat.id
    if is_of_keeper and (command.of_seat or Who.MASTER not in command.who):
        raise CommandError("The keeper has no place in the game. Write BECOME <power> first.")
    if command.when not in (When.ANY, When.PAUSED, When.ENDED):
        refuse_ended(game)
    if _ROLES[seat.role] in command.who:
        return
    if not command.act or acts.may(context.session, game, seat, command.act) is May.NOT:
        raise CommandError(_for_others(context, game, seat, command))


def _for_others(context: CommandContext, game: Game, seat: Seat, command: Command) -> str:
    """Return the refusal for a person whose seat may not use the command, with the people who may."""
    name = command.word
    if Who.MASTER not in command.who or Who.PLAYER in command.who:
        return f"{name} is for {users(command)}. You are signed on as {_ARTICLES[seat.role]} {seat.role}."
    if not masters_of(context.session, game):
        return f"{name} is for a master, and {game.name} has none."
    return f"{name} is for the master of the game: sign on with SIGNON M{game.name} <password>."


def refuse_ended(game: Game) -> None:
    """Raise CommandError if the game has ended."""
    if game.state == "finished":
        raise CommandError(f"{game.name} has ended.")


def refuse_untimely(game: Game, when: When, name: str) -> None:
    """Raise CommandError if the state of `game` does not allow the command or setting `name`."""
    for whens, states, why in _UNTIMELY:
        if when in whens and game.state in states:
            raise CommandError(why.format(game=game.name, name=name))


def refuse_unnamed(context: CommandContext, named: str | None) -> None:
    """Raise CommandError unless `named`, the game that a command names, is the game signed on to.

    Before the game has started, the command needs no name. Later a single word may be the end of a sentence that a mail
    program has wrapped.
    """
    if context.letter.by_keeper:
        return
    game, word = context.seat.game, context.call.command.word
    asked = (named or "").lower()
    under_way = game.state in ("active", "paused")
    if asked == game.name.lower() or not under_way and (not asked or asked.endswith(game.name.lower())):
        return
    if under_way and not game_named(context.session, asked):
        raise CommandError(
            f"Nothing has changed. {word} has to name the game: send {word} {game.name} on a line of its own."
        )
    raise CommandError(
        f"Nothing has changed, because you are signed on to {game.name}, not {named}. For {game.name}, write {word} "
        f"{game.name}. For {named}, sign on to {named} first."
    )
