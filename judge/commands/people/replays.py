"""Letters that come again.

By different ways: to the judge and to a list that it is on, or by two aliases. On its way a letter gets other subjects,
footers and fields, so that its fingerprint is another one; its Message-ID and its Date stay. A copy of a letter that
was carried out does nothing, and nothing answers it.

From somebody who has a copy: a signature stays good when the letter is sent once more. Where it is the only proof, a
letter counts once, and none counts that is older than what counted before; the player is told.
"""

from datetime import timedelta

from sqlmodel import Session

from judge.commands.core.context import CommandContext
from judge.commands.core.letter_context import LetterContext
from judge.commands.core.proofs import Proof
from judge.games.orders.filed_orders import FiledOrders
from judge.letters import Letter
from judge.rules import format_order
from judge.store import inbox
from judge.store.inbox import counted_before, note_counted
from judge.store.rows import id_of
from judge.store.tables import Game, Phase, Seat

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


def why_not(letter_context: LetterContext, game: Game, seat: Seat, phase: Phase | None) -> str:
    """Why this letter may be one that was sent before, as sentences that end with what is on file; "" if it is not."""
    letter = letter_context.letter
    if letter.not_covered:
        return letter.not_covered
    if phase and letter.date and letter.date < phase.opened_at - _APART:
        return f"By its date your email was written before {phase.name} opened."
    before = counted_before(
        letter_context.session,
        seat,
        id_of(letter_context.row),
        letter.message_id,
        letter.digest if letter.date else "",
    )
    if before.known:
        return f"This email has taken effect before. {_on_file(letter_context.session, game, seat, phase)}"
    if before.newest and letter.date and letter.date < before.newest - _APART:
        why = "By its date your email is older than one that has taken effect since."
        return f"{why} {_on_file(letter_context.session, game, seat, phase)}"
    return ""


def note(context: CommandContext) -> None:
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
