"""Playing without a password, by SET PASSWORDLESS, SIGNON without a password, and replies without SIGNON.

A reply to an email of the judge needs no SIGNON line. It has orders for the seat to which the email was sent, or
answers press. The email must have been sent to the present player of the seat. The judge's Message-IDs cannot be
guessed, but a forwarded email discloses them. So the mail server must also verify the sender. Press that may be meant
for the judge, or may be another person's words, is never sent. In this case the letter has no effect, and the answer
quotes the text and explains how to send it.

A letter may arrive twice, for example by a mailing list that includes the judge, or by two aliases. On the way its
subject, footers and fields change, and so does its fingerprint. Its Message-ID and its Date stay the same. A copy of a
letter that was carried out has no effect, and gets no answer.

A letter may also be sent again by someone who has a copy, because its signature stays valid. Such a letter does not
prove who sent it (judge/commands/core/proofs.py), and the player is notified.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from sqlmodel import Session

from judge.commands.core.answer import echo
from judge.commands.core.answered_mail import filled_forms, mails_answered, was_to
from judge.commands.core.blocks import Block, calls_in
from judge.commands.core.command import CommandError, Family, Place, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import blocks_of, keep
from judge.commands.core.line_meaning import boards_of, meaning_of
from judge.commands.core.proofs import APART, Proof, Right
from judge.commands.core.reading import What
from judge.commands.core.secrets import secret_in
from judge.games.core import passwords
from judge.games.core.board import signon_of, variant_of
from judge.games.core.who_may_see import hides_people
from judge.games.core.work import Refusal
from judge.games.notifications import press
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.letters import Letter, Line
from judge.letters.machine_mail import is_automatic
from judge.letters.quotes import own_message, own_text
from judge.letters.text import fold
from judge.mails.blocks import wrapped
from judge.rules import Variant, format_order, listed
from judge.store import inbox
from judge.store.games import open_phase
from judge.store.people import addresses_of
from judge.store.seats import seats_with_power
from judge.store.sent_mails import mails_since
from judge.store.tables import Game, Mail, Phase, Press, Seat

command = Family("registration", who=Who.PLAYER, when=When.LIVING, of_seat=True, personal=True)


@command(
    "SET PASSWORDLESS [ON]",
    "SET PASSWORD LESS",
    lasting=True,
    help="play without your password, from your own address",
)
def switch_on(context: CommandContext) -> None:
    """Let the sender play without the password from now on."""
    letter = context.letter
    game, seat = context.seat.game, context.seat.row
    if not letter.is_from(seat):
        raise CommandError("Nothing has changed, because only the player can choose that, from their own address.")
    refusal = passwords.why_password_needed(context.work.settings, game)
    if refusal := refusal or letter.standing.refusal(Right.PLAY, context.zone):
        raise CommandError(f"Nothing has changed. {refusal}")
    keep(
        context,
        seat,
        "your orders and press no longer need your password, in emails that your mail provider confirms to be yours. "
        "SIGNON without the password is enough. Once the game has started, a reply to an email about the current "
        f"phase is enough too. {_HOW_TO_END}",
        passwordless=True,
    )


@command(
    "SET PASSWORDLESS OFF",
    "SET NO PASSWORDLESS",
    "SET NOPASSWORDLESS",
    when=When.ANY,
    passwordless=True,
    help="every SIGNON needs your password again",
)
def switch_off(context: CommandContext) -> None:
    """Require the password for every sign-on of the sender again. This command itself needs no password."""
    keep(context, context.seat.row, "every SIGNON needs your password from now on.", passwordless=False)


def sign_on(context: CommandContext, game: Game, phase: Phase | None, seats: Sequence[Seat]) -> bool:
    """Sign the sender on to their own seat among `seats`, if they have chosen to play without a password.

    Returns False if they have not chosen this. Raises CommandError if this letter or this game needs a password.
    """
    letter = context.letter
    own = next(filter(letter.is_from, seats), None)
    if not (own and own.passwordless):
        return False
    refusal = obstacle(context, game, own, phase)
    # In a reply without a sign-on, doubtful orders are not refused but ignored.
    quoted = [] if refusal or letter.by_reply else _doubtful_orders(variant_of(game), letter.parsed.lines)
    if quoted:
        refusal = f'"{quoted[0]}" may be yours or part of a quoted email: leave it out.'
    if refusal:
        raise CommandError(f"{refusal} Write the password after the SIGNON.")
    context.sign_on(game, phase, own)
    context.seat.passwordless = letter.signons.passwordless = True
    return True


def _doubtful_orders(variant: Variant, lines: Sequence[Line]) -> list[str]:
    """Return the lines that look like orders, but may belong to a quoted email."""
    return [line for line in own_text(lines).doubtful if kind_of(variant, line) in ORDERS]


def obstacle(context: CommandContext, game: Game, seat: Seat, phase: Phase | None) -> str:
    """Return why this letter needs a password for `seat` in `game`, as sentences, or "" if it needs none.

    `phase` is the open phase.
    """
    standing, date = context.letter.standing, context.letter.parsed.date
    refusal = passwords.why_password_needed(context.work.settings, game)
    refusal = refusal or standing.refusal(Right.PLAY, context.sender_zone)
    if not refusal and phase and date and date < phase.opened_at - APART:
        return f"According to its date, your email was written before {phase.name} opened."
    if standing.repeated and phase and seat.power:
        return f"{refusal} {_on_file(context.session, game, phase, seat.power)}"
    return refusal


def _on_file(session: Session, game: Game, phase: Phase, power: str) -> str:
    """Return a sentence that lists the power's orders and bids on file."""
    book = FiledOrders(session, game, phase)
    bids = [f"DP {bid.points}: {bid.text}" for bid in book.bids.given(power)]
    lines = [*map(format_order, book.given(power)), *bids]
    return f"On file for {phase.name}: {'; '.join(lines) or 'nothing'}."


def suffices(context: CommandContext, game: Game, seat: Seat) -> bool:
    """Return whether the player in `seat` needs no password in a letter like this one."""
    return passwords.is_passwordless(context.work.settings, game, seat) and not obstacle(context, game, seat, None)


def tell(context: CommandContext) -> None:
    """Add to the answer that no password was needed, and how to require it again."""
    if context.seat.passwordless and context.seat.row.passwordless:
        context.say(f"This was done without your password. {_HOW_TO_END}")


_HOW_TO_END = "To turn this off, send SET PASSWORDLESS OFF (after SIGNON)."


_TO_ANOTHER = "Your email replies to an email that was sent to someone else."
_WORD = re.compile(r"[^\W_]+")
# The maximum number of words on a line that ends with a signature, such as "Best regards to all, Fay". The last line of
# a text may be longer.
_MOST_SIGNED = 5
_TO_ALL = re.compile(r"\s{0,9}PRESS REPLY(?P<all> ALL)?\s{0,9}[.:]?\s{0,9}", re.IGNORECASE)


class _Answered(NamedTuple):
    """The emails that a letter may answer, the game of the first one, and the sender's seats in that game.

    Seats that need no password come first.
    """

    mails: Sequence[Mail]
    game: Game
    seats: Sequence[Seat]


def may_be_reply(context: CommandContext) -> bool:
    """Return whether the letter is a reply by a known sender, and the judge allows replies without a sign-on."""
    settings = context.work.settings
    allowed = settings.mailbox.authserv_id and settings.passwordless
    return bool(allowed and context.letter.person and context.letter.parsed.references)


def block_of_reply(context: CommandContext, blocks: Sequence[Block]) -> Block | None:
    """Return the block of a reply with orders or commands, as if its sender had signed on, or None.

    Call this function only if `may_be_reply` is true. `blocks` are the blocks of the letter. Raises CommandError with
    the reason if the letter is a reply that cannot be accepted.
    """
    # A reply has no sign-on, and no command that is accepted only before all sign-ons.
    if len(blocks) > 1 or any(call.command.place is Place.LOBBY for call in calls_in(blocks)):
        return None
    answered = _answered(context)
    if not answered:
        return None
    signon = signon_of(answered.game, answered.seats[0])
    read = blocks_of(context, [Line(f"SIGNON {signon}"), *own_text(context.letter.parsed.lines).lines])
    block = replace(read[1], by_reply=True)
    lines = [item.text for item in block.items if not item.call]
    if not _asks_something(context, answered.game, block, lines):
        return None
    if refusal := _why_not_read(context, answered, lines):
        raise CommandError(
            f"This email has no SIGNON line, so it changed nothing in {answered.game.name}. {refusal} Send it again "
            f"with SIGNON {signon} <password> above your lines."
        )
    return block


def _asks_something(context: CommandContext, game: Game, block: Block, lines: Sequence[str]) -> bool:
    """Return whether a reply has a command or an order, perhaps in a quoted form."""
    if any(call.is_command and call.command.place is Place.GAME for call in block.calls):
        return True
    return any(kind_of(variant_of(game), line) in ORDERS for line in lines) or any(filled_forms(context))


def _why_not_read(context: CommandContext, answered: _Answered, lines: Sequence[str]) -> str:
    """Return sentences on why the lines of a reply need a sign-on, or "" if they need none."""
    session, mail, game, seat = context.session, answered.mails[0], answered.game, answered.seats[0]
    if not was_to(session, mail, seat.person_id):
        return _TO_ANOTHER
    if {one.game_id for one in answered.mails} - {game.id, None}:
        return "Your email replies to emails about several games, so say which one you mean."
    phase = session.get(Phase, mail.phase_id) if mail.phase_id else None
    if not phase:
        return "Your email replies to an email that is not about the current phase."
    if phase.processed_at:
        return f"Your email replies to an email about {phase.name}, which has already been processed."
    if len(answered.seats) > 1:
        return "You have several roles in that game, so say which one you mean."
    if any(secret_in(fold(line), context.letter.games) for line in lines):
        # The player may have meant to sign on, and the password on the line may be wrong.
        return "One of its lines looks like a sign-on with a password, but cannot be read."
    return obstacle(context, game, seat, phase)


def _answered(context: CommandContext) -> _Answered | None:
    """Return the emails that the letter may answer, or None if all its sender's seats need a password."""
    session, person, mails = context.session, context.letter.person, mails_answered(context)
    game = session.get(Game, mails[0].game_id) if mails and mails[0].game_id else None
    seats = seats_with_power(session, game, person.key) if game and person else []
    seats.sort(key=lambda seat: not seat.passwordless)
    return _Answered(mails, game, seats) if game and seats and seats[0].passwordless else None


def answer_press(context: CommandContext, blocks: Sequence[Block]) -> bool:
    """Return whether the letter answers press. If so, send its text, or explain why it is not sent.

    A mail program may write replies, such as absence notes. They are answered at most once an hour. Call this function
    only if `may_be_reply` is true. `blocks` are the blocks of the letter.
    """
    letter, session = context.letter.parsed, context.session
    answered = None if any(block.opening for block in blocks) else _answered(context)
    if not answered or not answered.mails[0].press_id:
        return False
    message = session.get_one(Press, answered.mails[0].press_id)
    first, *others = own_message(letter.lines) or [""]
    to_all = _TO_ALL.fullmatch(first)
    # A text that begins with PRESS TO or BROADCAST is handled like other letters.
    if not to_all and context.letter.reader.press(Line(first)):
        return False
    text = "\n".join(others if to_all else [first, *others]).strip("\n").replace("\xa0", " ")
    refusal = _why_not_sent(context, answered, message, text)
    if refusal == _NOTE:
        context.reply.kind = "hint"
        if mails_since(session, letter.sender, "hint", context.work.now - _AN_HOUR):
            return True
    to_all_said = to_all is not None and bool(to_all["all"])
    _send_reply(context.begin(), answered, message, text, to_all=to_all_said, refusal=refusal)
    return True


def _send_reply(
    context: CommandContext, answered: _Answered, message: Press, text: str, *, to_all: bool, refusal: str
) -> None:
    """Send the text as an answer to the message, or reply with the `refusal` if there is one."""
    session, game, seat = context.session, answered.game, answered.seats[0]
    phase = open_phase(session, game)
    writer = session.get(Seat, message.seat_id) if message.seat_id else None
    try:
        if refusal:
            raise Refusal(refusal)
        answer = press.answer(game, message, writer, seat, text, to_all=to_all)
        received = press.carry(context.work, game, phase, seat, answer)
    except Refusal as why:
        _say_not_sent(context, game, phase, seat, str(why), text)
        return
    context.sign_on(game, phase, seat)
    context.seat.passwordless = context.letter.signons.passwordless = True
    context.settle(f"Your reply in {game.name} was sent to {listed(received)}.")
    context.say(echo(text))
    tell(context)


def _say_not_sent(context: CommandContext, game: Game, phase: Phase | None, seat: Seat, why: str, text: str) -> None:
    context.answer.game, context.answer.phase = game, phase
    context.answer.verdict = f"Your reply to press in {game.name} was not sent, and nothing else was done. {why}"
    shown = echo(context.reply.redact(text))
    again = (
        "If it is press, send it again after PRESS TO and the powers it is for, with ENDPRESS at the end. If it is for "
        f"the judge, send it after SIGNON {signon_of(game, seat)}. Your text:"
    )
    context.say(f"{wrapped(again)}\n\n{shown}")


def _why_not_sent(context: CommandContext, answered: _Answered, message: Press, text: str) -> str:
    """Return sentences on why the text of a reply to the message is not sent, or ""."""
    game, seat = answered.game, answered.seats[0]
    if not was_to(context.session, answered.mails[0], seat.person_id) or seat.id not in message.readers:
        return _TO_ANOTHER
    if len({mail.press_id for mail in answered.mails} - {None}) > 1:
        return "Your email replies to several messages, so it is not clear which message you are answering."
    if len(answered.seats) > 1:
        return "You have several roles in this game, so it is not clear for which role you are writing."
    phase = open_phase(context.session, game)
    return obstacle(context, game, seat, phase) or _not_press(context, game, seat, text)


_NOTE = "Your email looks like an automatic reply, or like a note of your mail program."
_AN_HOUR = timedelta(hours=1)
_MEANT = {
    What.SIGNON: "One of its lines looks like a sign-on with a password.",
    What.ORDER: '"{}" reads as an order.',
    What.COMMAND: '"{}" reads as a command.',
}


def _not_press(context: CommandContext, game: Game, seat: Seat, text: str) -> str:
    """Return a sentence on why the text cannot be sent to a player as a reply, or ""."""
    letter, lines = context.letter.parsed, text.split("\n")
    if not text.strip():
        return "There is no text of yours above the quoted email."
    boards = boards_of(context, game, seat)
    for line in [*lines, *_doubtful_orders(boards[0], letter.lines)]:
        what = meaning_of(context, boards, line).what
        if what is not What.PROSE:
            return _MEANT[what].format(context.reply.redact(line.strip())[:60])
    if is_automatic(letter.subject, lines):
        return _NOTE
    if hides_people(game) and _names_writer(context, boards[0], text):
        return "Your text names you. To send the text all the same, write PRESS TO and the recipients above it."
    return ""


def _names_writer(context: CommandContext, variant: Variant, text: str) -> bool:
    """Return whether the text reveals its writer by an address, a full name, or a single name as a signature."""
    person, letter = context.letter.person, context.letter.parsed
    known = [row.address for row in addresses_of(context.session, person)] if person else []
    if any(address in text.casefold() for address in [letter.sender, *known]):
        return True
    said = f" {' '.join(_WORD.findall(text.casefold()))} "
    # Some players go by the name of their power.
    signed = _signed(text) - {*map(str.casefold, variant.power_words)}
    for name in (person.name if person else "", letter.sender_name):
        words = _WORD.findall(name.casefold())
        is_whole = len(words) > 1 and f" {' '.join(words)} " in said
        if is_whole or not signed.isdisjoint(words):
            return True
    return False


def _signed(text: str) -> set[str]:
    """Return the words that may be a signature: a whole line, or the end of a short line or the text."""
    lines = [words for line in text.split("\n") if (words := _WORD.findall(line))]
    found = {words[0].casefold() for words in lines if len(words) == 1}
    last = [words[-1] for words in lines if len(words) <= _MOST_SIGNED or words is lines[-1]]
    return found | {word.casefold() for word in last if word[0].isupper()}


# The maximum length of a Message-ID to look up. A longer Message-ID would not fit into the index.
_LONGEST_ID = 500


def came_before(session: Session, letter: Letter) -> bool:
    """Return whether the letter is a copy of one that was carried out.

    A copy from a mailing list may have another sender than the first letter.
    """
    sender = "" if letter.silent else letter.sender
    return _is_named(letter) and inbox.acted_before(session, letter.message_id, sender, letter.date)


def has_acted(context: CommandContext) -> bool:
    """Return whether later copies of this letter must have no effect.

    A letter that is forged, or was damaged on its way, must not block the genuine letter.
    """
    letter = context.letter
    answered = bool(context.reply.answers) and not letter.signons.refused and letter.standing.proof is not Proof.FORGED
    return _is_named(letter.parsed) and not letter.signons.passwordless and (letter.signons.has_signed_on or answered)


def writer_of(context: CommandContext) -> str:
    """Return the sender's address to store for a letter that was carried out.

    If a mailing list has put its own address in place of the player's, the player's address is returned.
    """
    players = [answer.copy_to for answer in context.reply.answers if answer.copy_to]
    return players[0] if players and context.letter.parsed.silent else context.letter.sender


def _is_named(letter: Letter) -> bool:
    name = letter.message_id
    return name.startswith("<") and name.endswith(">") and len("<>") < len(name) <= _LONGEST_ID
