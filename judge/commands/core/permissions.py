"""Who may do what, and when: only this module enforces what the table says about a command."""

from judge.commands.core.command import Call, Command, CommandError, MaybeSentence, Place, When, Who, refused
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import Setting, asked_game, seat_in
from judge.commands.core.proofs import Right
from judge.games.core import acts
from judge.games.core.acts import May
from judge.games.core.passwords import TooManyPasswords
from judge.games.core.work import Refusal
from judge.games.life import lifecycle
from judge.games.notifications.notices import lost
from judge.games.orders.line_kinds import kind_of
from judge.letters.written_passwords import is_left_open
from judge.rules import PhaseError
from judge.rules.board.names import listed
from judge.store.seats import masters_of
from judge.store.tables import Game, Seat

_WORDS = {
    Who.ANYBODY: "anyone",
    Who.BEARER: "anyone who has the code",
    Who.REGISTERED: "registered people",
    Who.PLAYER: "players",
    Who.OBSERVER: "observers",
    Who.MASTER: "the master",
}
_ROLES = {"player": Who.PLAYER, "observer": Who.OBSERVER, "master": Who.MASTER}


def users(command: Command) -> str:
    """Who may use the command, in words: `players and the master`."""
    return listed(_WORDS[who] for who in command.who)


def carry_out(context: CommandContext, call: Call) -> None:
    """Carry out the command if the sender may use it; raises CommandError.

    What a handler returns is the verdict on its line, or a `Setting` to be made.
    """
    context.call, context.has_word = call, False
    if call.is_sentence and not (context.game and kind_of(context.variant, call.above) != "prose"):
        raise MaybeSentence
    if is_left_open(call.arguments.get("password") or ""):
        tell_left_open(context)
        return
    if isinstance(call.command, Command):
        _refuse(context, call, call.command)
    if call.command.handler:
        with refused(PhaseError, Refusal, TooManyPasswords):
            done = call.command.handler(context, **call.arguments)
        if context.game and call.command.lasting:
            context.look_again()
        if isinstance(done, Setting):
            done.apply(context)
        elif isinstance(done, str):
            context.settle(done)
        if context.game and isinstance(call.command, Command) and call.command.act:
            lifecycle.clear_votes(context.work, context.game)


def tell_left_open(context: CommandContext) -> None:
    """A form of the judge was sent back without a password: its sign-on does nothing, other commands are refused."""
    if context.call.command.place is not Place.OPENING:
        raise CommandError("Nothing has changed: the placeholder is not a password. Put yours in its place.")
    missing = "Your password is missing: put it in place of <your password>. Nothing has changed."
    context.answer.verdict = context.answer.verdict or missing
    context.answer.idle = True


def _refuse(context: CommandContext, call: Call, command: Command) -> None:
    """Raise CommandError if the table does not allow the command."""
    _refuse_writer(context, call, command)
    if command.who & (Who.ANYBODY | Who.BEARER):
        return
    if Who.REGISTERED in command.who:
        context.registered()
        return
    game, seat = _seat_meant(context, call)
    _refuse_seat(context, game, seat, command)
    refuse_untimely(game, command.when, command.word)
    if command.of_phase and context.is_early:
        _refuse_early(context, command)


def _refuse_writer(context: CommandContext, call: Call, command: Command) -> None:
    """Raise CommandError if what shows who wrote the line is not enough for the command."""
    if command.lasting:
        # Above all sign-ons nothing but the address shows who asks, or a code does.
        by_address = command.place is Place.LOBBY and not command.who & Who.BEARER
        context.require(Right.DATA if by_address else Right.LASTING)
    if context.passwordless and command.place is Place.GAME:
        if not command.passwordless:
            raise CommandError(context.needs_password)
        # In a letter without a sign-on it may not be meant.
        if context.by_reply and not call.ended:
            raise CommandError("Not sent: without SIGNON, a message must end with ENDPRESS on a line of its own.")
        if context.by_reply and call.is_prose:
            raise CommandError("This looks like ordinary text. If you meant the command, write it in capitals.")
    if command.personal and context.acting and context.acting.master.person_id != context.the_seat.person_id:
        power = context.the_seat.power
        of = f" of {power}" if power else ""
        instead = f" To remove the player, send EJECT {power or 'another'}." if command.word == "RESIGN" else ""
        raise CommandError(f"Only the player{of} can send {command.word}.{instead}")


def _seat_meant(context: CommandContext, call: Call) -> tuple[Game, Seat]:
    """Return the game that the command is about, and the seat of its sender there; raise CommandError without one."""
    if call.command.place is Place.GAME:
        return context.the_game, context.the_seat
    game, _ = asked_game(context, call.arguments["game"])
    seat = seat_in(context, game)
    if not seat:
        raise CommandError(
            f"{call.command.word} is for the people in {game.name}. Sign on first, or write from the address you "
            f"play from. LIST {game.name} shows what anyone can see."
        )
    return game, seat


def _refuse_early(context: CommandContext, command: Command) -> None:
    """Raise CommandError since the phase that is open now is not the one that the letter was about."""
    name, why = context.the_phase.name, "so this line was not carried out."
    if not context.has_opened:
        raise CommandError(f"{name} opened after you sent this email, {why} Please send it again.")
    # After PROCESS a master who moves or corrects something means the phase that it has opened.
    if command.who is not Who.MASTER or "PROCESS" in command.names:
        raise CommandError(f"This email opened {name} itself, {why} Send it in a new email.")


def _refuse_seat(context: CommandContext, game: Game, seat: Seat, command: Command) -> None:
    """Raise CommandError if the command is not for the holder of that seat."""
    name = command.word
    if seat.left_at:
        raise CommandError(f"{lost(game, seat)}.")
    if context.letter_context.by_keeper and not seat.id and (command.of_seat or Who.MASTER not in command.who):
        raise CommandError("The keeper has no place in the game. Write BECOME <power> first.")
    if command.when not in (When.ANY, When.PAUSED):
        refuse_ended(game)
    if _ROLES[seat.role] in command.who:
        return
    if command.act and acts.may(context.session, game, seat, command.act) is not May.NOT:
        return
    if Who.MASTER not in command.who or Who.PLAYER in command.who:
        article = "an" if seat.role == "observer" else "a" if seat.role == "player" else "the"
        raise CommandError(f"{name} is for {users(command)}; you are signed on as {article} {seat.role}.")
    if not masters_of(context.session, game):
        raise CommandError(f"{name} is for a master, and {game.name} has none.")
    raise CommandError(f"{name} is for the master of the game: sign on with SIGNON M{game.name} <password>.")


def refuse_ended(game: Game) -> None:
    """Raise CommandError if the game has ended."""
    if game.state == "finished":
        raise CommandError(f"{game.name} has ended.")


def refuse_untimely(game: Game, when: When, name: str) -> None:
    """Raise CommandError if the state of `game`, which has not ended, does not allow the command or setting `name`."""
    if when is When.FORMING and game.state != "forming":
        raise CommandError(f"{game.name} has started, so it is too late for {name}.")
    if when in (When.OPEN, When.RUNNING) and game.state == "forming":
        raise CommandError(f"{game.name} has not started.")
    if when is When.RUNNING and game.state == "paused":
        raise CommandError(
            f"{game.name} is paused. To restart it, send RESUME. RESUME Sat 21:00 also sets the deadline."
        )
    if when is When.PAUSED and game.state not in ("paused", "finished"):
        raise CommandError(f"{game.name} is not paused.")
