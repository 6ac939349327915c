"""Orders that are quoted, or may be quoted. Some of them are filed, and the reply reports the others."""

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby, islice

from judge.commands.core.answered_mail import answered_lines, filled_forms
from judge.commands.core.command import Body, Place
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import blind
from judge.commands.core.reading import Said, What, one_line
from judge.commands.play import orders
from judge.commands.play.stray_lines import may_order, note_stray
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.letters import Line
from judge.letters.quotes import holds_judge, is_judge_worded, is_told_end, own_text, unquoted
from judge.rules import Order, OrderError, counted
from judge.rules.parsing.decoration import LONGEST_LINE
from judge.rules.parsing.lines import OwnOrder, read_line
from judge.store.seats import played_by

# The maximum number of quoted lines with orders, and of lines outside of sign-ons, that are examined.
_MOST_QUOTED = 100
# The maximum number of possibly quoted lines that are tried as orders, one at a time.
_MOST_DOUBTFUL = 200
_PERHAPS_QUOTED = "this may be part of a quoted email, so it was not read. If it is yours, write it above the quote."
_STRUCK = "This is struck out, so it was not read."
_QUOTED = "this is quoted, so it was not read. To give it as an order, write it without the quote mark."
_OUTSIDE = "this is not between SIGNON and SIGNOFF, so it was not read. Write it below your SIGNON line."
_OF_LOBBY = "this is below SIGNOFF, so it was not read. Write it before all SIGNON lines, or in a separate email."
_BELOW_SIGNATURE = "this is below your signature, so it was not read. Write your orders above it."


def give_doubtful(context: CommandContext, line: Line) -> None:
    """File a possibly quoted line if it is a complete order for the sender's units in the open phase.

    A line that is worded as the judge words orders in its emails must not replace another order. Nor must a line after
    a quoted line that breaks off. A line that is struck out only gets a remark.
    """
    lines = context.seat.lines
    if line.kind == "struck":
        note_stray(context, line.text, why=_STRUCK)
        return
    lines.doubtful_read += 1
    if lines.doubtful_read > _MOST_DOUBTFUL:
        return
    given = [] if lines.ahead or orders.refusal(context) else own_orders(context, line.text)
    if line.kind == "rest":
        _give_rest(context, line, given)
    elif line.doubtful and _replace(context, given, on_file=False):
        lines.left_out.append(line.text)
    else:
        orders.give(context, [line.text])


def _give_rest(context: CommandContext, line: Line, given: Sequence[OwnOrder]) -> None:
    """File the orders `given` on the line after a quoted line, unless they are probably a part of the quote."""
    lines, told = context.seat.lines, line.doubtful or is_told_end(line.text)
    if told and _replace(context, given, on_file=True):
        lines.left_out.append(line.text)
    elif given:
        orders.give(context, [line.text])
        lines.perhaps_quoted += [line.text] * line.doubtful
    elif not told and kind_of(context.seat.variant, line.text) in ORDERS:
        lines.left_out.append(line.text)


def tell_unread(context: CommandContext, outside: Sequence[Said]) -> None:
    """Report unread lines that are commands, or orders of the sender that are not on file.

    `outside` has the lines before the sign-on or after SIGNOFF.
    """
    read, told = context.letter.orders, dict[str, str]()
    for line, why in _unread(context, outside):
        if line not in read.unread:
            told.setdefault(line, why)
    read.unread |= told.keys()
    context.answer.foremost += _how_many([*told.values()])
    if taken := [line for line in context.seat.lines.perhaps_quoted if not is_missing(context, line)]:
        context.answer.foremost.append(f"Check {context.answer.some(taken)}: it may be part of a quoted email.")
    for line, why in told.items():
        context.remark(why, "stray", line)


def _how_many(reasons: Sequence[str]) -> Iterator[str]:
    """Yield sentences on the numbers of lines that were not read between SIGNON and SIGNOFF, and elsewhere."""
    within = [why for why in reasons if why not in (_OUTSIDE, _OF_LOBBY)]
    if within:
        look = "looks like an order was" if len(within) == 1 else "look like orders were"
        place = " in the quote" * ({*within} == {_QUOTED})
        yield f"{counted(len(within), 'line')}{place} that {look} left out."
    if beyond := len(reasons) - len(within):
        yield f"{counted(beyond, 'line')} above SIGNON or below SIGNOFF {'was' if beyond == 1 else 'were'} not read."


def _unread(context: CommandContext, outside: Sequence[Said]) -> Iterator[tuple[str, str]]:
    """Yield the unread lines that may be meant for the judge, each with the reason why it was not read."""
    here = context.seat
    plays = here.phase is not None and bool(here.row.power) and not here.phase.processed_at
    if plays:
        yield from ((line, _PERHAPS_QUOTED) for line in _perhaps_quoted(context))
    if plays and not orders.refusal(context):
        yield from _surely_quoted(context)
    yield from _beyond(context, outside, plays=plays)


def _perhaps_quoted(context: CommandContext) -> Iterator[str]:
    yield from context.seat.lines.left_out
    if context.letter.by_reply:
        doubtful = own_text(context.letter.parsed.lines).doubtful
        yield from (line for line in doubtful if kind_of(context.seat.variant, line) in ORDERS)


def _surely_quoted(context: CommandContext) -> Iterator[tuple[str, str]]:
    """Yield orders in quotes and signatures that are not repeated from an older email, each with a reason."""
    lines = sorted(context.letter.parsed.lines, key=lambda line: line.kind != "quote")
    ordering = (line for line in lines if _orders_in_quote(context, line))
    # The sender has filled in these lines of the judge's forms. Even invalid orders on them must be answered.
    filled = {text for form in filled_forms(context) for text in form.own}
    missing = [line for line in islice(ordering, _MOST_QUOTED) if _is_lacking(context, unquoted(line), filled)]
    for line in _not_repeated(context, missing):
        yield line.text, _BELOW_SIGNATURE if line.kind == "signature" else _QUOTED


def _is_lacking(context: CommandContext, text: str, filled: Set[str]) -> bool:
    """Return whether a quoted line has an order not on file, or an invalid one that the sender filled in."""
    if is_missing(context, text):
        return True
    is_faulty = kind_of(context.seat.variant, text) == "order" and not own_orders(context, text)
    return is_faulty and text.strip() in filled


def _orders_in_quote(context: CommandContext, line: Line) -> bool:
    text = unquoted(line)
    if line.kind not in ("quote", "history", "signature") or is_judge_worded(text):
        return False
    is_marked = line.kind != "quote" or text != line.text
    return is_marked and kind_of(context.seat.variant, text) in ORDERS


def _beyond(context: CommandContext, outside: Sequence[Said], *, plays: bool) -> Iterator[tuple[str, str]]:
    """Yield the lines before the sign-on or after SIGNOFF that are meant for the judge, each with a reason."""
    for said in islice(outside, _MOST_QUOTED):
        text, call = said.line.text, said.call
        if call and not call.command.is_order:
            if call.command.body is Body.PRESS:
                context.answer.unsent.append(call.line)
            yield call.line, _OF_LOBBY if call.command.place is Place.LOBBY else _OUTSIDE
        elif plays and not is_judge_worded(text) and is_missing(context, text):
            yield text, _OUTSIDE


def meant_outside(context: CommandContext) -> Iterator[str]:
    """Yield the lines outside of all sign-ons that need a sign-on, which are commands for a game and likely orders.

    An order may be in full words, so each line is read for the boards of the player's games.
    """
    outside = context.letter.outside[:_MOST_QUOTED]
    seats = played_by(context.session, context.letter.person) if outside else []
    for said in outside:
        if is_judge_worded(said.text):
            continue
        is_command = said.call is not None and said.call.command.place is not Place.LOBBY
        in_words = any(may_order(context.session, game, seat, [said.text]) for seat, game in seats)
        if is_command or in_words or said.what is What.ORDER:
            yield said.text


def is_missing(context: CommandContext, line: str) -> bool:
    """Return whether the line has an order of the sender that is and was not on file.

    For a master who may not see the orders on file, any order is treated as missing.
    """
    if blind(context):
        return bool(own_orders(context, line))
    now = context.seat.book.of_seat(context.seat.power)
    return not context.letter.orders.were_on_file.union(now).issuperset(own_orders(context, line))


def _not_repeated(context: CommandContext, lines: Sequence[Line]) -> list[Line]:
    """Return the lines that are not repeated from an older email.

    If the judge still has the answered email, leave out that email's lines. Otherwise leave out any quoted email that
    has a heading or is from the judge. But keep its lines for units without orders, since the player may have filled in
    a form.
    """
    ours = answered_lines(context.session, context.letter.parsed)
    if ours is not None:
        return [line for line in lines if one_line(unquoted(line)) not in ours]
    alone = _without_heading(context.letter.parsed.lines)
    return [line for line in lines if id(line) in alone or _is_for_idle(context, line)]


def _without_heading(lines: Iterable[Line]) -> set[int]:
    """Return the ids of the lines in quotes that have no heading and are not from the judge's emails."""
    alone = set()
    # Unread lines with only blank lines between them belong to one quote.
    texts = (line for line in lines if line.text.strip())
    for is_read, stretch in groupby(texts, lambda line: line.kind == "text"):
        block = list(stretch)
        if not is_read and not holds_judge(block) and all(line.kind != "history" for line in block):
            alone |= set(map(id, block))
    return alone


def _is_for_idle(context: CommandContext, line: Line) -> bool:
    """Return whether a quoted line orders only units with no order on file, but never for signatures and builds."""
    book, power = context.seat.book, context.seat.power
    if line.kind == "signature" or book.kind == "A":
        return False
    busy = {(one, order.slot) for one, order in book.of_seat(power)}
    return all((one, order.slot) not in busy for one, order in own_orders(context, unquoted(line)))


def own_orders(context: CommandContext, line: str) -> list[OwnOrder]:
    """Return the orders of a line if all are for the sender's powers in the open phase, else none."""
    book = context.seat.book
    if len(line) > LONGEST_LINE or kind_of(book.variant, line) not in ORDERS:
        return []
    read = read_line(book.variant, book.position, context.seat.power, line)
    found = [one for one in read if not isinstance(one, OrderError)]
    return found if len(found) == len(read) else []


def _replace(context: CommandContext, given: Sequence[OwnOrder], *, on_file: bool) -> bool:
    return any(_replaces(context, power, order, on_file=on_file) for power, order in given)


def _replaces(context: CommandContext, power: str, order: Order, *, on_file: bool) -> bool:
    """Return whether the order would replace another order of the same letter or, if `on_file`, any order on file.

    If the letter repeats an email of the judge, orders on file are included even without `on_file`. For a master who
    may not see the orders on file, the result is True.
    """
    if blind(context):
        return True
    book, latest = context.seat.book, context.letter.orders.latest
    winter = book.kind == "A"
    rivals = [other for other in book.orders_of(power) if winter or other.slot == order.slot]
    if not rivals or order in rivals:
        return False
    in_letter = any(latest.get((book.phase.id, power, other.slot)) == other for other in rivals)
    return in_letter or on_file or context.letter.repeats_judge
