"""Replies to mails of the judge that need no SIGNON line: orders for the seat the mail went to, or an answer to press.

Only for players who play without a password, under all the conditions of that. The mail that is answered must have
gone to the person who holds the seat now. Our Message-IDs cannot be guessed, but a forwarded mail discloses them, so
the mail server must verify the sender as well. Press that may be meant for the judge, or may be someone else's words,
is never sent: then nothing is done, and the sender sees the text and how to send it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from judge.commands.core.answer import Remark, echo
from judge.commands.core.command import Call, Command, CommandError, Place
from judge.commands.core.context import CommandContext
from judge.commands.core.letter_context import LetterContext
from judge.commands.core.reading import Block, Reader, calls_in
from judge.commands.core.redaction import Redaction
from judge.commands.people import replays
from judge.commands.people.passwordless import doubtful_orders, obstacle
from judge.commands.people.passwordless import tell as tell_passwordless
from judge.games.core import passwords
from judge.games.core.board import variant_of
from judge.games.notifications import press
from judge.games.notifications.press import untimely
from judge.games.orders.bid_lines import is_bid_line
from judge.letters import Letter, Line
from judge.letters.auto_reply import is_automatic
from judge.letters.quotes import own_message, own_text
from judge.rules import Variant, looks_like_order
from judge.rules.board.names import listed
from judge.store.games import open_phase
from judge.store.rows import id_of
from judge.store.sent_mails import mail_about, press_in
from judge.store.tables import Game, Phase, Press, Seat

# The password on such a line may be wrong.
_UNREAD = "One of its lines looks like a sign-on with a password, but cannot be read."
Reading = Callable[[Sequence[Line]], list[Block]]


def block_of_reply(letter_context: LetterContext, blocks: Sequence[Block], read: Reading) -> Block | None:
    """The letter as it is read below the sign-on that its sender did not have to write; None if it is no such letter.

    `blocks`: the letter as it stands; `read`: cuts lines into blocks. Raises CommandError if it would be such a letter
    but must not count; the message says why.
    """
    person, letter, settings = letter_context.person, letter_context.letter, letter_context.services.settings
    possible = settings.mailbox.authserv_id and settings.passwordless
    # No sign-on, and no command that is read only above all sign-ons.
    plain = len(blocks) == 1 and not any(call.command.place is Place.LOBBY for call in calls_in(blocks))
    if not (possible and person and letter.references and plain):
        return None
    about = mail_about(letter_context.session, letter.references[0])
    if not about:
        return None
    game, phase, reader = about
    seats = passwords.seats_with_power(letter_context.session, game, id_of(person))
    seat = next((seat for seat in seats if seat.passwordless), None)
    if not seat:
        return None
    signon = variant_of(game).seat_named[seat.power or ""].at(game.name)
    block = replace(read([Line(f"SIGNON {signon}"), *own_text(letter.lines).lines])[1], by_reply=True)
    if not any(_means_something(variant_of(game), item) for item in block.items):
        return None
    refusal = (
        _not_meant(phase, to_sender=reader == person.id, one_seat=len(seats) == 1)
        or _UNREAD * any(letter_context.redact.is_near_miss(item) for item in block.items if isinstance(item, str))
        or obstacle(letter_context, game, seat, phase)
    )
    if refusal:
        raise CommandError(
            f"Without a SIGNON line this email changes nothing in {game.name}. {refusal} With SIGNON {signon} "
            "<password> above your lines it takes effect."
        )
    return block


def _means_something(variant: Variant, item: Call | str) -> bool:
    """Return whether the line is a command or is meant as an order."""
    if isinstance(item, Call):
        return isinstance(item.command, Command) and item.command.place is Place.GAME
    return looks_like_order(variant, item) or is_bid_line(variant, item)


def _not_meant(phase: Phase | None, *, to_sender: bool, one_seat: bool) -> str:
    """Why the mail that is answered does not say what is meant; "" if it does. `phase`: which one it is about."""
    if not to_sender:
        return "It replies to an email that was sent to someone else."
    if not phase:
        return "It replies to an email that is not about the current phase."
    if phase.processed_at:
        return f"It replies to an email about {phase.name}, which has already been processed."
    return "" if one_seat else "You have several places in that game, so say which one you mean."


def tell_doubtful(context: CommandContext) -> None:
    """Say which lines were taken for the rest of a quoted mail, though they look like orders."""
    context.answer.remarks += [
        Remark("stray", line, "this may belong to a quoted email, so it was not read.")
        for line in doubtful_orders(context.variant, context.letter.lines)
    ]


_TO_ALL = re.compile(r"\s{0,9}PRESS REPLY(?P<all> ALL)?\s{0,9}[.:]?\s{0,9}", re.IGNORECASE)


def answer_press(letter_context: LetterContext, blocks: Sequence[Block], reader: Reader) -> bool:
    """Return whether the letter answers a mail with press; if so, its text is sent, or the sender is told why not.

    `blocks`: the letter as it stands; `reader`: recognises commands.
    """
    letter, person, session = letter_context.letter, letter_context.person, letter_context.session
    settings = letter_context.services.settings
    possible = settings.mailbox.authserv_id and settings.passwordless
    if not (possible and person and letter.references) or any(block.opening for block in blocks):
        return False
    found = press_in(session, letter.references[0])
    if not found:
        return False
    message, game, reader_id = found
    seats = passwords.seats_with_power(session, game, id_of(person))
    seat = next((seat for seat in seats if seat.passwordless), None)
    lines = own_message(letter.lines)
    to_all = _TO_ALL.fullmatch(lines[0]) if lines else None
    # Press with its own address counts as it always does.
    if not seat or lines and not to_all and reader.begins_press(Line(lines[0])):
        return False
    text = "\n".join(lines[1:] if to_all else lines).strip("\n").replace("\xa0", " ")
    context = CommandContext(letter_context, letter, letter_context.row, by_reply=True)
    refusal = (
        _not_theirs(message, seat, one_seat=len(seats) == 1, to_sender=reader_id == person.id)
        or obstacle(letter_context, game, seat, open_phase(session, game))
        or _not_press(variant_of(game), letter, text, reader, letter_context.redact)
    )
    if refusal:
        context.answer.game, context.answer.phase = game, open_phase(session, game)
        _refuse(context, seat, refusal, text)
    else:
        _send(context, game, seat, message, text, to_all=bool(to_all and to_all["all"]))
    letter_context.answers += context.answers
    return True


def _not_theirs(message: Press, seat: Seat, *, one_seat: bool, to_sender: bool) -> str:
    """Return why the mail that is answered does not say whose press this is; "" if it does."""
    if not to_sender or seat.id not in message.readers:
        return "It replies to an email that was sent to someone else."
    return "" if one_seat else "You have several places in this game, and it is not clear for which one you write."


def _not_press(variant: Variant, letter: Letter, text: str, reader: Reader, redact: Redaction) -> str:
    """Return why the text may not be meant for a player; "" if nothing speaks against it."""
    if not text.strip():
        return "It has no text of your own above the quoted email."
    if is_automatic(letter.subject, text.split("\n")):
        return "It looks like an automatic reply."
    if any(map(redact.is_near_miss, text.split("\n"))):
        return "One of its lines looks like a sign-on with a password."
    for line in [*text.split("\n"), *doubtful_orders(variant, letter.lines)]:
        if looks_like_order(variant, line) or is_bid_line(variant, line):
            return f'"{line.strip()[:60]}" reads as an order.'
        if reader.is_command(line):
            return f'"{line.strip()[:60]}" reads as a command.'
    return ""


def _refuse(context: CommandContext, seat: Seat, refusal: str, text: str) -> None:
    game = context.answer.game
    assert game
    signon = f"SIGNON {variant_of(game).seat_named[seat.power or ''].at(game.name)}"
    context.answer.verdict = (
        f"Your reply to press in {game.name} was not sent, and nothing else was done. {refusal}"
    )
    context.answer.texts.append(
        "If it is press, send it again after PRESS TO and the powers it is for, with ENDPRESS at the end; if it "
        f"is\nfor the judge, after {signon}. Your text:\n\n{echo(context.letter_context.redact(text))}"
    )


def _send(context: CommandContext, game: Game, seat: Seat, message: Press, text: str, *, to_all: bool) -> None:
    phase = open_phase(context.session, game)
    writer = context.session.get(Seat, message.seat_id) if message.seat_id else None
    try:
        answer = press.answer(variant_of(game), message, writer, seat, text, to_all=to_all)
        if refusal := untimely(context.work, game, phase, seat, answer):
            raise press.PressRefused(refusal)
        received = press.carry(context.work, game, phase, seat, answer)
    except press.PressRefused as refused:
        context.answer.game, context.answer.phase = game, phase
        _refuse(context, seat, str(refused), text)
        return
    context.sign_on(game, phase, seat)
    context.passwordless = context.letter_context.signons.passwordless = True
    replays.note(context)
    context.answer.settle(f"Your reply in {game.name} was sent to {listed(received)}.")
    context.answer.texts.append(echo(text))
    tell_passwordless(context)
