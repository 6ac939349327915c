"""Read the subject of a letter, and report a subject or attached files that were not read.

Orders in the subject are read if the text has no orders. The subject of a reply is a copy of the answered email's
subject, so it is not read.
"""

from judge.commands.core.answer import LONGEST_SHOWN, shortened
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import Said, What
from judge.commands.play.stray_lines import order_within
from judge.commands.play.unread_lines import is_missing
from judge.games.core.board import board
from judge.games.orders.line_kinds import ORDERS, Whose, kind_of, whose
from judge.letters import Letter, Line, signon_words
from judge.letters.words import is_plea, without_prefixes
from judge.rules import is_only_orders
from judge.rules.board.names import fold


def own_subject(letter: Letter) -> str:
    """Return the subject if the sender has written it for this letter; "" if a mail program has copied it."""
    return letter.subject if without_prefixes(letter.subject) == letter.subject else ""


def ordering_subject(context: CommandContext) -> list[Said]:
    """Return the subject as a line of the block if it has orders and the text has none; otherwise return no lines."""
    if not _orders(context):
        return []
    letter, variant = context.letter.parsed, context.seat.variant
    signons = sum(map(context.letter.reader.signs_on, letter.texts))
    ordered = any(kind_of(variant, text) in ORDERS for text in letter.texts)
    return [Said(Line(own_subject(letter)), What.ORDER)] if signons < 2 and not ordered else []


def tell_ordering_subject(context: CommandContext) -> None:
    """Say at the beginning of the answer that orders in the subject, with or without other words, were not read."""
    subject, meant = own_subject(context.letter.parsed), _orders(context)
    if ordering_subject(context) or _repeats(context.letter.parsed, subject):
        return
    order = subject if meant else order_within(context, subject)
    if order and (meant == "unread" or is_missing(context, order)):
        context.answer.foremost.append(_not_read(context, subject))


def _orders(context: CommandContext) -> Whose:
    """Return whose units the subject orders, or "" if the subject is not orders.

    The result is "unread" if the orders are misspelled or for another phase.
    """
    subject, seat = own_subject(context.letter.parsed), context.seat
    if not (subject and seat.row.power and seat.phase) or kind_of(seat.variant, subject) not in ORDERS:
        return ""
    variant, position = board(seat.game, seat.phase)
    meant = whose(variant, position, seat.row.power, subject)
    names_place = any(variant.names.whole(fold(word)) for word in subject.split())
    is_meant = names_place if meant == "unread" else meant == "anyone's"
    return meant if meant == "own" or is_meant and is_only_orders(variant, subject) else ""


def _repeats(letter: Letter, subject: str) -> bool:
    return subject.casefold() in (text.strip().casefold() for text in letter.texts)


def unread_beside(context: CommandContext) -> str:
    """Return sentences on unread files of the letter, and on an unread subject that is a sign-on or a command.

    Most pictures in HTML are logos, so they are mentioned only if orders may be missing.
    """
    letter, answers = context.letter.parsed, context.reply.answers
    wanting = not answers or any(answer.form and not answer.form.complete for answer in answers)
    may_order = wanting and not any(answer.settled for answer in answers)
    files = context.reply.redact(f"{letter.unread} {letter.pictures * may_order}".strip())
    return f"{files} {_unread_subject(context)}".strip()


def _unread_subject(context: CommandContext) -> str:
    letter, reader = context.letter.parsed, context.letter.reader
    texts = [*filter(None, map(str.strip, letter.texts))]
    signon, subject = without_prefixes(letter.subject), own_subject(letter)
    if reader.signs_on(signon):
        is_read = signon_words(signon)[:1] in {signon_words(text)[:1] for text in texts}
        return "" if is_read or not texts else _not_read(context, signon)
    if not texts or _repeats(letter, subject) or is_plea(subject) or context.letter.said(subject).call is None:
        return ""
    return _not_read(context, subject)


def _not_read(context: CommandContext, subject: str) -> str:
    shown = shortened(context.reply.redact(subject), LONGEST_SHOWN)
    return f'Your subject "{shown}" was not read, because your email has a text: write it there.'
