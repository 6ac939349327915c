"""SIGNON without a password, and the setting by which a player chooses that (judge/games/core/passwords.py).

Letters come again. By different ways: to the judge and to a list that it is on, or by two aliases. On its way a letter
gets other subjects, footers and fields, so that its fingerprint is another one; its Message-ID and its Date stay. A
copy of a letter that was carried out does nothing, and nothing answers it.

From somebody who has a copy: a signature stays good when the letter is sent once more. Where it is the only proof, a
letter counts once, and none counts that is older than what counted before; the player is told.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlmodel import Session

from judge.commands.core.changes import Setting
from judge.commands.core.command import Call, CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.letter_context import LetterContext
from judge.commands.core.proofs import Proof, Right
from judge.games.core import passwords
from judge.games.core.board import variant_of
from judge.games.orders.bid_lines import reads_as_order
from judge.games.orders.filed_orders import FiledOrders
from judge.letters import Letter, Line
from judge.letters.quotes import own_text, repeats_judge
from judge.rules import Variant, format_order
from judge.store import inbox
from judge.store.inbox import counted_before, note_counted
from judge.store.rows import id_of
from judge.store.tables import Game, Phase, Seat

command = Family("registration", who=Who.PLAYER, when=When.LIVING, of_seat=True, personal=True)


@command(
    "SET PASSWORDLESS",
    "SET PASSWORD LESS",
    arguments="[ON]",
    pattern=r"(?:\s+ON)?",
    lasting=True,
    help="play without your password, from your own address",
)
def switch_on(context: CommandContext, call: Call) -> Setting:
    """SET PASSWORDLESS [ON]: from now on the sender plays without the password."""
    game, seat = context.the_game, context.the_seat
    if not context.person or context.person.id != seat.person_id:
        raise CommandError("Nothing has changed: only the player can choose that, from their own address.")
    refusal = passwords.why_password_needed(context.services.settings, game) or _not_proved(context.letter_context)
    if refusal:
        raise CommandError(f"Nothing has changed. {refusal}")
    return Setting(
        {"passwordless": True},
        "your orders and press no longer need your password, in emails that your mail provider confirms to be yours. "
        "SIGNON without the password is enough; once the game has started, so is a reply to an email about the current "
        f"phase. {_HOW_TO_END}",
        seat,
    )


@command(
    "SET PASSWORDLESS OFF",
    "SET NO PASSWORDLESS",
    "SET NOPASSWORDLESS",
    when=When.ANY,
    passwordless=True,
    help="every SIGNON needs your password again",
)
def switch_off(context: CommandContext, call: Call) -> Setting:
    """SET PASSWORDLESS OFF: every sign-on of the sender needs the password again. Only this needs none."""
    return Setting({"passwordless": False}, "every SIGNON needs your password from now on.", context.the_seat)


def sign_on(context: CommandContext, game: Game, phase: Phase | None, seats: Sequence[Seat]) -> bool:
    """Sign the sender on to their own seat among `seats`, if they have chosen to need no password.

    False: they have not. Raises CommandError if they have, but this letter or this game needs one.
    """
    own = next((seat for seat in seats if context.person and seat.person_id == context.person.id), None)
    if not (own and own.passwordless):
        return False
    refusal = obstacle(context.letter_context, game, own, phase) or _quoted_order(context, game)
    if refusal:
        raise CommandError(f"{refusal} Write the password after the SIGNON.")
    context.sign_on(game, phase, own)
    context.passwordless = context.letter_context.signons.passwordless = True
    return True


def _quoted_order(context: CommandContext, game: Game) -> str:
    """Return why a letter with a sign-on does not take effect if an order in it may be quoted; "" if none may.

    From a reply without a sign-on such lines are left out.
    """
    found = [] if context.by_reply else doubtful_orders(variant_of(game), context.letter.lines)
    if not found:
        return ""
    return f'"{found[0]}" may be yours or part of a quoted email: leave it out.'


def doubtful_orders(variant: Variant, lines: Sequence[Line]) -> list[str]:
    """Return the lines that read like orders, but may belong to a quoted mail."""
    return [line for line in own_text(lines).doubtful if reads_as_order(variant, line)]


def obstacle(letter_context: LetterContext, game: Game, seat: Seat, phase: Phase | None) -> str:
    """Return why this letter may not go without a password for `seat` in `game`, as sentences; "" if it may.

    `phase`: the open phase.
    """
    letter = letter_context.letter
    refusal = passwords.why_password_needed(letter_context.services.settings, game) or _not_proved(letter_context)
    if not refusal and letter.damaged:
        return "Your email was damaged on its way, so it is not clear whose lines these are: send it again."
    if not refusal and repeats_judge(letter.lines):
        return "Your email repeats one from the judge, and its lines look like yours: leave them out."
    return refusal or _why_replayed(letter_context, game, seat, phase)


def suffices(letter_context: LetterContext, game: Game, seat: Seat) -> bool:
    """Return whether the player in `seat` could do without the password in such a letter."""
    return passwords.is_passwordless(letter_context.services.settings, game, seat) and not obstacle(
        letter_context, game, seat, None
    )


def _not_proved(letter_context: LetterContext) -> str:
    """Return why this letter does not prove that its sender wrote it to the judge, as a sentence; "" if it does.

    A signed letter stays valid if others send it on: so it must be a letter to the judge.
    """
    refusal = letter_context.standing.refusal(Right.PLAY, letter_context.zone)
    if not refusal and letter_context.letter.silent:
        # It may be an absence note that repeats a mail of ours, sign-on and all.
        return "An email that came through a mailing list, or looks as if it did, needs your password."
    if not refusal and not letter_context.letter.addressed:
        return f"An email that is not addressed to {letter_context.services.settings.address} needs your password."
    return refusal


def tell(context: CommandContext) -> None:
    """Say in the answer that no password was needed, and how to end that."""
    if context.passwordless and context.seat and context.seat.passwordless:
        context.answer.texts.append(f"This was done without your password. {_HOW_TO_END}")


_HOW_TO_END = "To turn this off, send SET PASSWORDLESS OFF (after SIGNON)."


# How far two clocks of one person may be apart, and by how much letters may overtake each other.
_APART = timedelta(hours=1)
# Characters of a Message-ID; a longer one names no letter, since it would not fit into an index.
_LONGEST_ID = 500


def came_before(session: Session, letter: Letter) -> bool:
    """Return whether this is a copy of a letter that was carried out. A list may replace the sender's address."""
    sender = "" if letter.silent else letter.sender
    return _is_named(letter) and inbox.acted_before(session, letter.message_id, sender, letter.date)


def has_acted(letter_context: LetterContext) -> bool:
    """Return whether a copy of this letter, which was answered, is to do nothing.

    What a relay has damaged, or a forger has sent, must not stand in the way of the letter itself.
    """
    answered = (
        bool(letter_context.answers)
        and not letter_context.signons.refused
        and letter_context.standing.proof is not Proof.FORGED
    )
    return (
        _is_named(letter_context.letter)
        and not letter_context.signons.passwordless
        and (letter_context.signons.has_signed_on or answered)
    )


def writer_of(letter_context: LetterContext) -> str:
    """Return whom a letter that was carried out is kept as being from.

    A list that is its sender has put its own address in place of the player's.
    """
    players = [answer.copy_to for answer in letter_context.answers if answer.copy_to]
    return players[0] if players and letter_context.letter.silent else letter_context.letter.sender


def _is_named(letter: Letter) -> bool:
    name = letter.message_id
    return name.startswith("<") and name.endswith(">") and len("<>") < len(name) <= _LONGEST_ID


def _why_replayed(letter_context: LetterContext, game: Game, seat: Seat, phase: Phase | None) -> str:
    """Why this letter may be one that was sent before, as sentences that end with what is on file; "" if it is not."""
    letter = letter_context.letter
    if letter.not_covered:
        return letter.not_covered
    if phase and letter.date and letter.date < phase.opened_at - _APART:
        return f"According to its date, your email was written before {phase.name} opened."
    before = counted_before(
        letter_context.session,
        seat,
        id_of(letter_context.row),
        letter.message_id,
        letter.digest if letter.date else "",
    )
    if before.known:
        return f"This email has already taken effect. {_on_file(letter_context.session, game, seat, phase)}"
    if before.newest and letter.date and letter.date < before.newest - _APART:
        why = "According to its date, your email is older than one that has already taken effect."
        return f"{why} {_on_file(letter_context.session, game, seat, phase)}"
    return ""


def note_counted_letter(context: CommandContext) -> None:
    """Remember the letter that has counted for its seat, if that needs no password."""
    seat, letter, number = context.seat, context.letter, id_of(context.row)
    if not (seat and seat.passwordless and context.letter_context.standing.proof is Proof.VERIFIED):
        return
    written_at = min(letter.date, context.received_at) if letter.date else None
    note_counted(context.session, seat, number, letter.message_id, letter.digest, written_at)


def _on_file(session: Session, game: Game, seat: Seat, phase: Phase | None) -> str:
    """What is on file for the open phase, as a sentence."""
    if not (phase and seat.power):
        return ""
    book = FiledOrders(session, game, phase)
    bids = [f"DP {bid.points}: {bid.text}" for bid in book.bids.given(seat.power)]
    lines = [*map(format_order, book.given(seat.power)), *bids]
    return f"On file for {phase.name}: {'; '.join(lines) or 'nothing'}."
