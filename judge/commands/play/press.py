"""PRESS and BROADCAST, to find a message's recipients, check whether it may be sent, and send it.

A message is sent word for word or not at all. It is not sent if one of its lines would reveal a password. A message
without an end word may include lines that are meant for the judge. It is sent only if no line looks like an order or a
command. Only a signature and the answered email may follow its text.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice

from judge.commands.core.answer import echo, shortened
from judge.commands.core.answered_mail import is_answered, own_lines_below
from judge.commands.core.command import SEATED, Body, CommandError, EndMissing, Family, Place, Who, refused
from judge.commands.core.context import REGISTER_FIRST, CommandContext
from judge.commands.core.handling import keep, recipients_meant, shown_in
from judge.commands.core.line_meaning import boards_of, meaning_of
from judge.commands.core.proofs import is_registered
from judge.commands.core.reading import What, one_line
from judge.commands.core.usage import GREY
from judge.games.core.who_is_meant import Audience, NotMeant, everybody, read_recipients
from judge.games.core.work import Refusal
from judge.games.notifications import press
from judge.games.notifications.press import Message
from judge.games.people.identity import is_reserved
from judge.letters.quotes import of_judge
from judge.rules import counted, listed
from judge.rules.board.names import fold
from judge.store.seats import players_of, seats_of
from judge.store.tables import Person

_LONGEST_QUOTED = 60
_COLORS = {"GREY", "GRAY", "WHITE"}
_DAMAGED = (
    "Your email was damaged on its way, and it is not clear where the quoted email begins, so nothing was sent. Please "
    "send it again."
)


command = Family("press", who=SEATED)


@command(
    "PRESS [WHITE|GREY] TO [ALL BUT] <powers>",
    reads="[<color>] <readers>[:]",
    body=Body.PRESS,
    passwordless=True,
    help="a message to some powers, by name or letter (M: master, O: observers); its text on the next lines, then "
    "ENDPRESS",
)
def send_press(context: CommandContext, grey: str | None, white: str | None, but: str | None, powers: str) -> None:
    """Send the text on the next lines, up to ENDPRESS, to these powers.

    After ALL BUT, send it to all other people in the game.
    """
    try:
        named = recipients_meant(context, powers)
    except NotMeant as unread:
        others, _, color = powers.rpartition(" ")
        if color.upper() in _COLORS:
            raise CommandError(f"Nothing was sent: write PRESS {color.upper()} TO {others.rstrip(',')}.") from None
        how = f"PRESS {'GREY ' * bool(grey)}TO{' ALL BUT' * bool(but)} {{}}"
        raise CommandError(unread.told(how, "nothing was sent", " (M is the master, O the observers)")) from None
    if but:
        _send(context, everybody(context.seat.variant).without(named), grey, white)
    else:
        _send(context, named, grey, white, named.powers)


@command(
    "BROADCAST [WHITE|GREY]",
    "PRESS TO ALL",
    reads="[<color>] [:]",
    body=Body.PRESS,
    passwordless=True,
    help="a message to everyone in the game: its text on the next lines, then ENDBROADCAST",
)
def broadcast(context: CommandContext, grey: str | None, white: str | None) -> None:
    """Send the text on the next lines, up to ENDBROADCAST, to all people in the game."""
    _send(context, everybody(context.seat.variant), grey, white)


@command(
    "OFFICIAL [<subject>]",
    capitals=True,
    who=Who.MASTER,
    body=Body.PRESS,
    lasting=True,
    help="the same, from the master",
)
def official(context: CommandContext, subject: str | None) -> None:
    """Send a broadcast of the master, with the subject in front of its text."""
    if subject:
        context.call = replace(context.call, body=(subject, "", *context.call.body))
    broadcast(context, None, "WHITE")


def _send(
    context: CommandContext, audience: Audience, grey: str | None, white: str | None, named: Collection[str] = ()
) -> None:
    """Send the text after the command to this audience.

    `grey` and `white` are these words in the command, and `named` has the powers that it names.
    """
    here, call = context.seat, context.call
    if call.ended:
        # An order in the message needs no report as an unread order, even if a quote repeats it.
        context.letter.orders.unread.update(call.body)
    _refuse_stranger(context, audience)
    _refuse_text(context)
    # HTML editors insert non-breaking spaces, which would hint at the writer's mail program.
    text = "\n".join(call.body).strip("\n").replace("\xa0", " ")
    turned = not (white or grey) and press.must_be_grey(here.game, here.row, audience)
    message = Message(audience, bool(grey) or turned, text)
    with refused(Refusal, after=" Nothing was sent."):
        received = press.carry(context.work, here.game, here.phase, here.row, message)
    said = " ".join([f"sent to {listed(received)}.", *_besides(context, named, turned)])
    if cut := sum(bool(line.text.strip()) for line in call.older if line.kind != "signature"):
        said += f"\n  The email that you answered was left out: {counted(cut, 'line')} below your text."
    context.remark(f"{said}\n{echo(text)}")


def _refuse_stranger(context: CommandContext, audience: Audience) -> None:
    """Raise CommandError if an observer who is not registered writes to anyone but the master."""
    row = context.seat.row
    if row.role != "observer" or audience.masters_alone or is_registered(context.session.get(Person, row.person_id)):
        return
    only = "until they register, observers can write press only to the master (PRESS TO M)"
    raise CommandError(f"Nothing was sent: {only}. {REGISTER_FIRST}")


def _refuse_text(context: CommandContext) -> None:
    """Raise CommandError if the text must not be sent, or may include lines outside of a message."""
    here, call, redact = context.seat, context.call, context.reply.redact
    if context.letter.parsed.damaged:
        raise CommandError(_DAMAGED)
    if begun := _another_message(context, call.body):
        end = "ENDBROADCAST" if call.command.word == "BROADCAST" else "ENDPRESS"
        within = f'"{begun}" starts another message inside this one'
        raise CommandError(f"{within}, so nothing was sent. Write {end} above it.")
    if line := redact.giving_away("\n".join(call.body), here.game.name, partial(_is_of_game, context)):
        why = "contains a password. Send the message without it."
        raise CommandError(f'Its line "{_shown(context, line)}" {why}')
    if line := of_judge(call.body):
        why = "is from an email of the judge, which is never passed on. Leave it out."
        raise CommandError(f'Its line "{_shown(context, line)}" {why}')
    if not call.ended:
        _refuse_doubtful(context)


def _besides(context: CommandContext, named: Collection[str], turned: bool) -> Iterator[str]:
    """Yield sentences on unexpected effects, for the writer of a message to the powers `named`.

    `turned` is true if the judge has made the message grey.
    """
    game, session = context.seat.game, context.session
    played = players_of(session, game)
    gaps = [one.name for one in context.seat.variant.seats if one.name in named and one.name not in played]
    # In a quiet game, players may not know which powers have no player.
    if gaps and shown_in(context, game).changes:
        yet = "" if game.started_at else " yet"
        yield f"No one plays {listed(gaps, 'or')}{yet}."
    if turned:
        yield "The message does not name you, because this game has grey press only."
    if context.call.name == "PRESS TO ALL" and any(seat.role == "observer" for seat in seats_of(session, game)):
        yield "To leave observers out, write PRESS TO ALL BUT O."
    for line in islice(_commands_in(context), 1):
        shown = _shown(context, line)
        yield f'The line "{shown}" was sent, not carried out. To have it carried out, write it outside of the message.'


def _shown(context: CommandContext, line: str) -> str:
    return shortened(context.reply.redact(line.strip()), _LONGEST_QUOTED)


def _is_of_game(context: CommandContext, word: str) -> bool:
    """Return whether a word names a power or a province of the game, or is a word of a command."""
    here = context.seat
    is_province = bool(here.variant.names.whole(fold(word)))
    is_named = is_province or word.lower() == here.game.name
    return is_named or is_reserved(word, context.letter.reader.names, here.variant)


def _commands_in(context: CommandContext) -> Iterator[str]:
    """Yield the lines of the message that are commands in capitals."""
    for line in context.call.body:
        first = line.split()[:1]
        said = context.letter.said(line) if first and first[0].isupper() else None
        if said and said.what is not What.PROSE:
            yield line


def _another_message(context: CommandContext, text: Iterable[str]) -> str:
    """Return the line of the text that begins another message, or "" if no line does."""
    for line in text:
        call = context.letter.reader.command(one_line(line), (Place.GAME,))
        if not call or call.command.handler not in (send_press, broadcast):
            continue
        with suppress(NotMeant):
            read_recipients(context.seat.variant, call.arguments.get("powers") or "ALL")
            return line.strip()
    return ""


def _refuse_doubtful(context: CommandContext) -> None:
    """Raise EndMissing if a message without an end word may include lines that are not part of it."""
    here, older = context.seat, context.call.older
    below = own_lines_below(older)
    boards = boards_of(context, here.game, here.row)
    for line in [*context.call.body, *(one.text for one in below)]:
        if meaning_of(context, boards, line).surely:
            raise EndMissing(f'its line "{_shown(context, line)}" may be meant for the judge')
    if below:
        raise EndMissing("it has lines of yours below quoted ones")
    others = [line for line in older if line.kind != "signature"]
    if others and not is_answered(context, context.letter.parsed, others):
        raise EndMissing("another email follows your text")


wishes = Family("press", who=Who.PLAYER | Who.OBSERVER, of_seat=True, personal=True)


@wishes(
    "SET IGNORE [<powers>]",
    help="don't mail me press from these powers (O: observers, GREY: grey press); they do not learn of this; without "
    "names: show whom you ignore",
)
def ignore(context: CommandContext, powers: str | None) -> None:
    """Store press from these senders in the history, but do not mail it to this player any longer."""
    seat = context.seat.row
    ignored = sorted({*seat.ignores, *_ignorable(context, powers)} if powers else seat.ignores)
    told = f"you ignore {listed(ignored)}. To undo this, send SET NO IGNORE." if ignored else "you ignore no one."
    keep(context, seat, told, told, ignores=ignored)


@wishes(
    "SET NO IGNORE [<powers>]", "SET NOIGNORE",
    help="mail me press from these powers again, or from all",
)  # fmt: skip
def ignore_no_more(context: CommandContext, powers: str | None) -> None:
    """Mail later press from these senders to this player again."""
    seat = context.seat.row
    heard = _ignorable(context, powers) if powers else seat.ignores
    left = [name for name in seat.ignores if name not in heard]
    keep(context, seat, f"you ignore {listed(left) if left else 'no one'}.", ignores=left)


def _ignorable(context: CommandContext, text: str) -> list[str]:
    """Return the senders that `text` names, such as powers or grey press. Raises CommandError for other names."""
    if re.fullmatch(rf"(?:{GREY})(?:\s+PRESS)?", text, re.IGNORECASE):
        return [press.GREY]
    try:
        named = recipients_meant(context, text)
    except NotMeant as unread:
        raise CommandError(unread.told(f"{context.call.command.word} {{}}")) from None
    if named.masters:
        raise CommandError("The master's press always comes. Name the powers whose press you do not want.")
    return [*named.powers, *[press.OF_OBSERVERS] * named.observers]
