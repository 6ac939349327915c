"""Letters that answer a mail of the judge and need no SIGNON line: the mail that is answered says for which seat it is.

That mail must have gone to the person who holds the seat now, and be about the open phase. Our Message-IDs cannot be
guessed, but they are no secret: a forwarded mail tells them. So here, too, the mail server must verify who writes.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from judge.commands.core.answer import Remark
from judge.commands.core.command import Call, Command, Place
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.commands.core.letter_context import LetterContext
from judge.commands.core.reading import Block
from judge.commands.core.redaction import Redaction
from judge.commands.people.passwordless import doubtful_orders, obstacle
from judge.games.core import passwords
from judge.games.core.board import variant_of
from judge.games.orders.bid_lines import is_bid_line
from judge.letters import Line
from judge.letters.quotes import own_text
from judge.rules import Variant, looks_like_order
from judge.store.rows import id_of
from judge.store.sent_mails import mail_about
from judge.store.tables import Game, Phase, Seat

Reading = Callable[[Sequence[Line]], list[Block]]


def block_of_reply(letter_context: LetterContext, blocks: Sequence[Block], read: Reading) -> Block | None:
    """The letter as it is read below the sign-on that its sender did not have to write; None if it is no such letter.

    `blocks`: the letter as it stands; `read`: cuts lines into blocks. Raises CommandError if it would be such a letter
    but must not count; the message says why.
    """
    person, letter, settings = letter_context.person, letter_context.letter, letter_context.work.services.settings
    possible = settings.mailbox.authserv_id and settings.passwordless
    if not (possible and person and letter.references and _has_no_opening(blocks)):
        return None
    about = mail_about(letter_context.work.session, letter.references[0])
    if not about:
        return None
    game, phase, reader = about
    seats = passwords.seats_with_power(letter_context.work.session, game, id_of(person))
    seat = next((seat for seat in seats if seat.passwordless), None)
    if not seat:
        return None
    block = _below_signon(game, seat, letter.lines, read)
    if not any(_means_something(variant_of(game), item) for item in block.items):
        return None
    refusal = (
        _not_meant(phase, to_sender=reader == person.id, one_seat=len(seats) == 1)
        or _unread_password(block, letter_context.redact)
        or obstacle(letter_context, game, seat, phase)
    )
    if refusal:
        signon = variant_of(game).seat_named[seat.power or ""].at(game.name)
        raise CommandError(
            f"Without a SIGNON line this letter changes nothing in game {game.name}. {refusal} "
            f"With SIGNON {signon} <password> above your lines it counts."
        )
    return block


def _has_no_opening(blocks: Sequence[Block]) -> bool:
    """Whether the letter has no sign-on and no command that stands above all sign-ons."""
    calls = [item for block in blocks for item in block.items if isinstance(item, Call)]
    return len(blocks) == 1 and not any(call.command.place is Place.LOBBY for call in calls)


def _below_signon(game: Game, seat: Seat, lines: Sequence[Line], read: Reading) -> Block:
    signon = variant_of(game).seat_named[seat.power or ""].at(game.name)
    return replace(read([Line(f"SIGNON {signon}"), *own_text(lines).lines])[1], by_reply=True)


def _means_something(variant: Variant, item: Call | str) -> bool:
    """Whether the line is a command or is meant as an order."""
    if isinstance(item, Call):
        return isinstance(item.command, Command) and item.command.place is Place.GAME
    return looks_like_order(variant, item) or is_bid_line(variant, item)


def _not_meant(phase: Phase | None, *, to_sender: bool, one_seat: bool) -> str:
    """Why the mail that is answered does not say what is meant; "" if it does. `phase`: which one it is about."""
    if not to_sender:
        return "It answers a mail that was sent to another person."
    if not phase:
        return "It answers a mail that is not about the open phase."
    if phase.processed_at:
        return f"It answers a mail about {phase.name}, which is over."
    return "" if one_seat else "You have several seats there, so say which one you mean."


def _unread_password(block: Block, redact: Redaction) -> str:
    """Why the letter does not count if it has a sign-on that cannot be read: its password may be wrong. "" if not."""
    lines = [item for item in block.items if isinstance(item, str)]
    if any(map(redact.is_near_miss, lines)):
        return "A line of it looks like a sign-on with a password, but cannot be read."
    return ""


def tell_doubtful(context: CommandContext) -> None:
    """Say which lines were taken for the rest of a quoted mail, though they look like orders."""
    context.answer.remarks += [
        Remark("stray", line, "this may belong to a quoted mail, so it was not read.")
        for line in doubtful_orders(variant_of(context.the_game), context.letter.lines)
    ]
