"""Orders and commands where they are not read, or may not be: which count all the same, and how the writer is told."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice

from judge.commands.core.command import Body, Call, Command, Place
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import one_line
from judge.commands.play import orders
from judge.games.orders.bid_lines import reads_as_order
from judge.letters import Line, parse_letter, read_letter
from judge.letters.quotes import Doubtful, holds_judge, is_judge_worded, is_told_end, unquoted
from judge.rules import Order, OrderError
from judge.rules.board.names import counted
from judge.rules.board.phase import kind
from judge.rules.parsing.decoration import LONGEST_LINE
from judge.rules.parsing.lines import OwnOrder, read_line
from judge.store.sent_mails import raw_of_mail

# So many quoted lines that look like orders are read, to say that they do not count.
_MOST_QUOTED = 100
# Of so many lines that may be quoted orders are taken: each is read by itself.
_MOST_DOUBTFUL = 200
_MOST_MAILS = 3
_PERHAPS_QUOTED = "this may be part of a quoted email, so it was not read. If it is yours, write it above the quote."
_QUOTED = "this is quoted, so it was not read. To give it as an order, write it without the quote mark."
_OUTSIDE = "this is not between SIGNON and SIGNOFF, so it was not read. Write it below your SIGNON line."
_OF_LOBBY = "this is below SIGNOFF, so it was not read. Write it above all SIGNON lines, or in a separate email."
_BELOW_SIGNATURE = "this is below your signature, so it was not read. Write your orders above it."


def give_doubtful(context: CommandContext, line: Doubtful) -> None:
    """File the line if it is a whole order of the writer's own for the open phase.

    In the judge's own words it must not replace another order: our mails speak of orders in the same words.
    """
    context.lines.doubtful_read += 1
    if context.lines.doubtful_read > _MOST_DOUBTFUL:
        return
    given = [] if context.lines.ahead or orders.refusal(context) else _own_orders(context, line)
    told = is_told_end(line) if line.is_rest else is_judge_worded(line)
    replaces = told and any(_stands_against(context, power, order, on_file=line.is_rest) for power, order in given)
    if replaces or line.is_rest and not given:
        if replaces or not told and _may_be_order(context, line):
            context.lines.left_out.append(line)
    else:
        orders.give(context, [str(line)])


def tell_unread(context: CommandContext) -> None:
    """Say which lines were not read that read like orders of the writer and are not on file."""
    if not (context.seat and context.seat.power and context.phase and context.phase.processed_at is None):
        return
    told = dict.fromkeys(map(str, context.lines.left_out), _PERHAPS_QUOTED)
    for line in _differing(context):
        told.setdefault(line.text, _BELOW_SIGNATURE if line.kind == "signature" else _QUOTED)
    told = {line: why for line, why in told.items() if line not in context.letter_context.orders.unread}
    context.letter_context.orders.unread |= told.keys()
    if told:
        look = "looks like an order was" if len(told) == 1 else "look like orders were"
        context.answer.foremost.append(f"{counted(len(told), 'line')} that {look} left out.")
        for text, why in told.items():
            context.remark("stray", text, why)


def tell_outside(context: CommandContext, outside: Sequence[Call | str]) -> None:
    """Say which lines above the sign-on or below SIGNOFF are commands, or orders of the writer that are not on file."""
    is_open = context.seat and context.seat.power and context.phase and context.phase.processed_at is None
    told: dict[str, Place] = {}
    for item in islice(outside, _MOST_QUOTED):
        if isinstance(item, Call) and not (isinstance(item.command, Command) and item.command.is_order):
            told[item.line] = item.command.place
            context.answer.unsent += [item.line] if item.command.body is Body.PRESS else []
        else:
            line = item.line if isinstance(item, Call) else item
            if is_open and not is_judge_worded(line) and set(_own_orders(context, line)) - _on_file(context):
                told[line] = Place.GAME
    if told:
        were = "was" if len(told) == 1 else "were"
        context.answer.foremost.append(f"{counted(len(told), 'line')} above SIGNON or below SIGNOFF {were} not read.")
        for line, place in told.items():
            context.remark("stray", line, _OF_LOBBY if place is Place.LOBBY else _OUTSIDE)


def _on_file(context: CommandContext) -> set[tuple[str, Order]]:
    """Return the orders of the writer's powers, with those that were on file before the letter."""
    book = context.the_book
    powers = book.variant.powers_of(context.the_power)
    return {(power, order) for power in powers for order in book.orders_of(power)} | (
        context.letter_context.orders.were_on_file
    )


def _differing(context: CommandContext) -> list[Line]:
    """Return the lines that were not read, though each holds an order that was not on file before and is not now.

    Lines that a mail program has repeated are left out.
    """
    on_file = _on_file(context)
    marked = (line for line in context.letter.lines if line.kind == "quote" and unquoted(line) != line.text)
    unread = chain(marked, (line for line in context.letter.lines if line.kind in ("history", "signature")))
    ordering = (
        line for line in unread if not is_judge_worded(unquoted(line)) and _may_be_order(context, unquoted(line))
    )
    meant = [
        line for line in islice(ordering, _MOST_QUOTED) if set(_own_orders(context, unquoted(line))) - on_file
    ]
    return _not_repeated(context, meant) if meant and not orders.refusal(context) else []


def _not_repeated(context: CommandContext, lines: Sequence[Line]) -> list[Line]:
    """Return those of the lines that are not from an older mail.

    That is the one that the letter answers, if the judge still has it; else any that has a heading, or is the
    judge's.
    """
    if answered := raw_of_mail(context.session, context.letter.references[:_MOST_MAILS]):
        ours = {one_line(unquoted(line)) for line in read_letter(parse_letter(answered)).lines}
        return [line for line in lines if one_line(unquoted(line)) not in ours]
    alone: set[int] = set()
    for block in _unread_blocks(context.letter.lines):
        if not holds_judge(block) and all(line.kind != "history" for line in block):
            alone |= set(map(id, block))
    return [line for line in lines if id(line) in alone]


def _unread_blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The stretches of lines that are not read; blank lines do not part them."""
    for is_read, stretch in groupby((line for line in lines if line.text.strip()), lambda line: line.kind == "text"):
        if not is_read:
            yield list(stretch)


def _own_orders(context: CommandContext, line: str) -> list[OwnOrder]:
    """The orders of a line in which each is one of the writer's own for the open phase; none of any other line."""
    book = context.the_book
    read = read_line(book.variant, book.position, context.the_power, line) if _may_be_order(context, line) else []
    found = [one for one in read if not isinstance(one, OrderError)]
    return found if len(found) == len(read) else []


def _may_be_order(context: CommandContext, line: str) -> bool:
    variant = context.the_book.variant
    return len(line) <= LONGEST_LINE and reads_as_order(variant, line)


def _stands_against(context: CommandContext, power: str, order: Order, *, on_file: bool) -> bool:
    """Return whether another order would give way to this one: one of the same letter, or `on_file`, any on file.

    If a mail of the judge is repeated in the letter, any order on file counts as well.
    """
    book = context.the_book
    winter = kind(book.phase.name) == "A"
    rivals = [other for other in book.orders_of(power) if winter or other.slot == order.slot]
    if not rivals or order in rivals:
        return False
    latest = context.letter_context.orders.latest
    in_letter = any(latest.get((book.phase.id, power, other.slot)) == other for other in rivals)
    return in_letter or on_file or context.repeats_judge
