"""Replies to mails of the judge that need no SIGNON line: orders for the seat the mail went to, or an answer to press.

Only for players who play without a password, under all the conditions of that. The mail that is answered must have
gone to the person who holds the seat now. Our Message-IDs cannot be guessed, but a forwarded mail discloses them, so
the mail server must verify the sender as well. Press that may be meant for the judge, or may be someone else's words,
is never sent: then nothing is done, and the sender sees the text and how to send it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from judge.commands.core.answer import echo
from judge.commands.core.command import Call, Command, CommandError, Place
from judge.commands.core.context import CommandContext
from judge.commands.core.letter_context import LetterContext
from judge.commands.core.reading import Block, Reader, calls_in
from judge.commands.core.redaction import Redaction
from judge.commands.people import passwordless
from judge.commands.people.passwordless import doubtful_orders, obstacle
from judge.commands.people.passwordless import tell as tell_passwordless
from judge.games.core.board import signon_of, variant_of
from judge.games.notifications import press
from judge.games.orders.bid_lines import reads_as_order
from judge.letters import Letter, Line
from judge.letters.auto_reply import is_automatic
from judge.letters.quotes import own_message, own_text
from judge.rules import Variant
from judge.rules.board.names import listed
from judge.store.games import open_phase
from judge.store.rows import id_of
from judge.store.seats import seats_with_power
from judge.store.sent_mails import mail_about, press_in
from judge.store.tables import Game, Phase, Press, Seat

# The password on such a line may be wrong.
_UNREAD = "One of its lines looks like a sign-on with a password, but cannot be read."
Reading = Callable[[Sequence[Line]], list[Block]]


def may_be_reply(letter_context: LetterContext) -> bool:
    """Return whether the letter answers a mail, and this judge takes answers without a sign-on from its sender."""
    settings = letter_context.services.settings
    allowed = settings.mailbox.authserv_id and settings.passwordless
    return bool(allowed and letter_context.person and letter_context.letter.references)


def block_of_reply(letter_context: LetterContext, blocks: Sequence[Block], read: Reading) -> Block | None:
    """The letter as it is read below the sign-on that its sender did not have to write; None if it is no such letter.

    Only of a letter that `may_be_reply`. `blocks`: the letter as it stands; `read`: cuts lines into blocks. Raises
    CommandError if it would be such a letter but must not count; the message says why.
    """
    letter = letter_context.letter
    # No sign-on, and no command that is read only above all sign-ons.
    plain = len(blocks) == 1 and not any(call.command.place is Place.LOBBY for call in calls_in(blocks))
    answered = mail_about(letter_context.session, letter.references[0]) if plain else None
    if not answered:
        return None
    game, phase, reader = answered
    seats = _seats(letter_context, game)
    if not seats:
        return None
    seat = seats[0]
    signon = signon_of(game, seat)
    block = replace(read([Line(f"SIGNON {signon}"), *own_text(letter.lines).lines])[1], by_reply=True)
    if not any(_means_something(variant_of(game), item) for item in block.items):
        return None
    refusal = (
        _not_meant(phase, to_sender=reader == seat.person_id, one_seat=len(seats) == 1)
        or _UNREAD * any(letter_context.redact.is_near_miss(item) for item in block.items if isinstance(item, str))
        or obstacle(letter_context, game, seat, phase)
    )
    if refusal:
        raise CommandError(
            f"This email has no SIGNON line, so it changed nothing in {game.name}. {refusal} Send it again with "
            f"SIGNON {signon} <password> above your lines."
        )
    return block


def _seats(letter_context: LetterContext, game: Game) -> list[Seat]:
    """Return the sender's seats in `game`, one that needs no password first; none if there is no such seat."""
    assert letter_context.person
    seats = seats_with_power(letter_context.session, game, id_of(letter_context.person))
    seats.sort(key=lambda seat: not seat.passwordless)
    return seats if seats and seats[0].passwordless else []


def _means_something(variant: Variant, item: Call | str) -> bool:
    """Return whether the line is a command or is meant as an order."""
    if isinstance(item, Call):
        return isinstance(item.command, Command) and item.command.place is Place.GAME
    return reads_as_order(variant, item)


def _not_meant(phase: Phase | None, *, to_sender: bool, one_seat: bool) -> str:
    """Why the mail that is answered does not say what is meant; "" if it does. `phase`: which one it is about."""
    if not to_sender:
        return "It replies to an email that was sent to someone else."
    if not phase:
        return "It replies to an email that is not about the current phase."
    if phase.processed_at:
        return f"It replies to an email about {phase.name}, which has already been processed."
    return "" if one_seat else "You have several roles in that game, so say which one you mean."


def tell_doubtful(context: CommandContext) -> None:
    """Say which lines were taken for the rest of a quoted mail, though they look like orders."""
    for line in doubtful_orders(context.variant, context.letter.lines):
        context.remark("stray", line, "this may be part of a quoted email, so it was not read.")


_TO_ALL = re.compile(r"\s{0,9}PRESS REPLY(?P<all> ALL)?\s{0,9}[.:]?\s{0,9}", re.IGNORECASE)


def answer_press(letter_context: LetterContext, blocks: Sequence[Block], reader: Reader) -> bool:
    """Return whether the letter answers a mail with press; if so, its text is sent, or the sender is told why not.

    Only of a letter that `may_be_reply`. `blocks`: the letter as it stands; `reader`: recognises commands.
    """
    letter, session = letter_context.letter, letter_context.session
    if any(block.opening for block in blocks):
        return False
    found = press_in(session, letter.references[0])
    seats = _seats(letter_context, found[1]) if found else []
    if not (found and seats):
        return False
    message, game, reader_id = found
    seat = seats[0]
    lines = own_message(letter.lines)
    to_all = _TO_ALL.fullmatch(lines[0]) if lines else None
    # Press with its own address counts as it always does.
    if lines and not to_all and reader.begins_press(Line(lines[0])):
        return False
    text = "\n".join(lines[1:] if to_all else lines).strip("\n").replace("\xa0", " ")
    context = CommandContext(letter_context, letter, letter_context.row, by_reply=True)
    refusal = (
        _not_theirs(message, seat, one_seat=len(seats) == 1, to_sender=reader_id == seat.person_id)
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
    return "" if one_seat else "You have several roles in this game, and it is not clear which one you are writing for."


def _not_press(variant: Variant, letter: Letter, text: str, reader: Reader, redact: Redaction) -> str:
    """Return why the text may not be meant for a player; "" if nothing speaks against it."""
    if not text.strip():
        return "There is no text of yours above the quoted email."
    if is_automatic(letter.subject, text.split("\n")):
        return "It looks like an automatic reply."
    if any(map(redact.is_near_miss, text.split("\n"))):
        return "One of its lines looks like a sign-on with a password."
    for line in [*text.split("\n"), *doubtful_orders(variant, letter.lines)]:
        if reads_as_order(variant, line):
            return f'"{line.strip()[:60]}" reads as an order.'
        if reader.is_command(line):
            return f'"{line.strip()[:60]}" reads as a command.'
    return ""


def _refuse(context: CommandContext, seat: Seat, refusal: str, text: str) -> None:
    game = context.answer.game
    assert game
    signon = f"SIGNON {signon_of(game, seat)}"
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
        received = press.carry(context.work, game, phase, seat, answer)
    except press.PressRefused as refused:
        context.answer.game, context.answer.phase = game, phase
        _refuse(context, seat, str(refused), text)
        return
    context.sign_on(game, phase, seat)
    context.passwordless = context.letter_context.signons.passwordless = True
    passwordless.note_counted_letter(context)
    context.answer.settle(f"Your reply in {game.name} was sent to {listed(received)}.")
    context.answer.texts.append(echo(text))
    tell_passwordless(context)
