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
from judge.games.orders.bids import before_bids, read_bid_line, understood
from judge.games.orders.line_kinds import ORDERS, Whose, kind_of, whose
from judge.letters import Letter, signon_words
from judge.letters.words import is_plea, without_prefixes
from judge.rules import OrderError, is_only_orders
from judge.rules.board.names import fold


def own_subject(letter: Letter) -> str:
    """Return the subject if the sender wrote it for this letter, or "" if a mail program copied it."""
    return letter.subject if without_prefixes(letter.subject) == letter.subject else ""


def ordering_subject(context: CommandContext) -> list[Said]:
    """Return the lines of the subject for the block, if it has orders or bids and the text has none."""
    if not _orders(context):
        return []
    letter, variant = context.letter.parsed, context.seat.variant
    signons = sum(map(context.letter.reader.signs_on, letter.texts))
    if signons > 1 or any(kind_of(variant, text) in ORDERS for text in letter.texts):
        return []
    context.letter.reads_subject = True
    said = map(context.letter.said, before_bids(own_subject(letter)))
    return [one if one.call else Said(one.line, What.ORDER) for one in said]


def tell_ordering_subject(context: CommandContext) -> None:
    """Say at the beginning of the answer that orders in the subject, with or without other words, were not read."""
    subject, meant = own_subject(context.letter.parsed), _orders(context)
    if not subject or ordering_subject(context) or _repeats(context.letter.parsed, subject):
        return
    if context.letter.said(subject).call:
        return  # `unread_beside` reports this subject
    lines = before_bids(subject) if meant else [order_within(context, subject)]
    if meant == "unread" or any(line and _is_missing(context, line) for line in lines):
        context.answer.foremost.append(_not_read(context, subject))


def _is_missing(context: CommandContext, line: str) -> bool:
    return kind_of(context.seat.variant, line) == "bid" or is_missing(context, line)


def _orders(context: CommandContext) -> Whose:
    """Return whose units the subject orders, or "" if it has other words.

    The result is "unread" if the orders are misspelled or for another phase, and "anyone's" if there are only bids.
    """
    subject, seat = own_subject(context.letter.parsed), context.seat
    if not (subject and seat.row.power and seat.phase):
        return ""
    found = [_meant(context, line) for line in before_bids(subject)]
    if "" in found:
        return ""
    return "own" if "own" in found else found[0]


def _meant(context: CommandContext, line: str) -> Whose:
    """Return whose units a line of the subject orders, or "" if it has other words."""
    variant, position = board(context.seat.game, context.seat.open_phase)
    what = kind_of(variant, line)
    if what == "bid":
        try:
            understood(variant, position.kind, read_bid_line(line))
        except OrderError:
            return "unread" if line.upper().startswith("DP") else ""
        return "anyone's"
    if what != "order":
        return ""
    meant = whose(variant, position, context.seat.row.power or "", line)
    names_place = any(variant.names.whole(fold(word)) for word in line.split())
    is_meant = names_place if meant == "unread" else meant == "anyone's"
    return meant if meant == "own" or is_meant and is_only_orders(variant, line) else ""


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
        is_known = signon_words(signon)[:1] in {signon_words(text)[:1] for text in texts}
        return "" if is_known or not texts else _not_read(context, signon)
    is_read = context.letter.reads_subject or _repeats(letter, subject)
    if not texts or is_read or is_plea(subject) or context.letter.said(subject).call is None:
        return ""
    return _not_read(context, subject)


def _not_read(context: CommandContext, subject: str) -> str:
    shown = shortened(context.reply.redact(subject), LONGEST_SHOWN)
    return f'Your subject "{shown}" was not read, because your email has a text: write it there.'
