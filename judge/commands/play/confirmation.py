"""The end of a block of orders: what is filed with it, the report that answers it, and the orders that were not read.

Orders that stand in a quote, or may: some are given all the same, and the writer learns of the rest.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice

from judge.commands.core.answer import NOT_STORED, STRAY, Answer
from judge.commands.core.answered_mail import answered_lines
from judge.commands.core.command import Body, Call, Place
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import one_line
from judge.commands.play import orders
from judge.commands.play.stray_lines import note_stray
from judge.games.deadlines import schedule
from judge.games.life import corrections, lifecycle
from judge.games.notifications import pictures
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.games.orders.standing import form, own_forms, standing
from judge.letters import Line
from judge.letters.quotes import Doubtful, holds_judge, is_judge_worded, is_told_end, own_text, unquoted
from judge.rules import Order, OrderError
from judge.rules.board.names import counted
from judge.rules.mechanisms.auction import Unread
from judge.rules.parsing.decoration import LONGEST_LINE
from judge.rules.parsing.lines import OwnOrder, read_line
from judge.rules.phases.order_notes import order_notes
from judge.store.games import phases_since
from judge.store.tables import Person

# In so many phases a player is new to a game, and sees the orders drawn.
_NEW = 2


def conclude(context: CommandContext) -> None:
    """Conclude a block: file its bids, update the deadline, and report what the player has still to do."""
    answer, game, seat, acting = context.answer, context.the_game, context.the_seat, context.acting
    overspent = orders.file_bids(context) if context.phase else ""
    if context.phase and (context.lines.kept_for or context.lines.ordered and context.on_file()):
        lifecycle.wake(context.work, game, context.phase)
    if context.phase and context.lines.ordered:
        schedule.reckon(context.work, context.the_book)
        # It is no secret that a master has given orders as a player. If they may not see what was on file, they do not
        # learn by this mail whether it was the same.
        if acting and (acting.ordered if context.is_blind else context.on_file() != acting.before):
            corrections.orders_corrected(
                context.work, context.the_book, [context.the_power], context.master, copied=True
            )
    plays = context.phase is not None and bool(seat.power)
    if not plays or context.is_blind:
        answer.verdict = f"{_failed(answer)} {answer.verdict}".lstrip()
    elif context.lines.asks_status or not answer.settled:
        _report(context)
    if not plays:
        return
    if acting and acting.done:
        # What the letter has done for the power, and nothing of what is on file.
        answer.texts.append("\n".join(acting.done))
        answer.confirmed.append(answer.texts[-1])
    answer.verdict = f"{overspent} {answer.verdict}".lstrip()
    if game.state == "active" and not (seat.left_at or acting):
        by_holder = context.person and context.person.id == seat.person_id
        mine = own_forms(context.work, context.the_book, [seat]) if by_holder else []
        last = mine[0] if mine else form(context.the_book, context.the_power)
        # Once for a power that signs on several times in a letter.
        for one in context.all_answers:
            if one.form and last and one.form.signon == last.signon:
                one.form = None
        answer.form = last


def _failed(answer: Answer) -> str:
    """`2 lines refused. 1 line ignored.`: the lines that failed each for a reason of its own, and sentences.

    A word alone is mostly a name.
    """
    first = {*answer.unsent, *answer.unfiled, *answer.undone}
    told = [one for one in answer.errors if one.text != NOT_STORED and one.line not in first and not one.more]
    garbled = sum(not remark.understood for remark in told)
    ignored = sum(one.text == STRAY and len(one.line.split()) > 1 for one in answer.remarks)
    counts = ((len(told) - garbled, "refused"), (garbled, "not understood"), (ignored, "ignored"))
    return " ".join(f"{counted(count, 'line')} {what}." for count, what in counts if count)


def _report(context: CommandContext) -> None:
    """The confirmation: the verdict, all orders on file in full words, and what may be wrong with them."""
    game, seat, phase, answer = context.the_game, context.the_seat, context.the_phase, context.answer
    book, power, lines = context.the_book, context.the_power, context.lines
    if not answer.settled:
        answer.verdict = f"{_failed(answer)} {_whether_done(book, power)}".lstrip()
    votes = context.acting is None or context.sees("votes", power=power)
    now = standing(context.work, book, seat, whole=lines.asks_status, votes=votes, just_kept=lines.kept_for)
    context.say(context.written("orders", **now))
    answer.confirmed.append(answer.texts[-1])
    # What follows is about the player's own orders; no one else's are looked at.
    given = {one: book.orders_of(one) for one in book.variant.powers_of(power)}
    bids: list[Order] = [bid.order for bid in book.bids.given(power) if not isinstance(bid.order, Unread)]
    holder = context.session.get_one(Person, seat.person_id)
    if holder.checks and (notes := order_notes(book.variant, book.position, given, bids)):
        context.say(context.written("order_notes", notes=notes))
        answer.confirmed.append(answer.texts[-1])
    # Newcomers, and who may have made a mistake, see their orders drawn. A picture that was asked for takes the place.
    wanted = (lines.ordered or answer.doubted) and (bids or any(given.values())) and votes and seat.maps != "off"
    if not wanted or any(one.picture_id for one in context.all_answers):
        return
    came_later = game.started_at is not None and seat.joined_at > game.started_at
    is_new = phase.number <= _NEW or came_later and phases_since(context.session, game, seat.joined_at) <= _NEW
    if answer.doubted or seat.maps == "orders" or is_new:
        shown = pictures.own_orders(game, book.position, given, bids)
        answer.picture_id, answer.shows_orders = pictures.with_confirmation(context.work, shown), True


def _whether_done(book: FiledOrders, power: str) -> str:
    """Return whether the player is done, as the first line of a confirmation says it."""
    wanting = book.missing().get(power, [])
    if power not in book.asked:
        return f"You have nothing to order in {book.phase.name}."
    if not wanting:
        return "Orders complete."
    if book.kind != "A":
        return f"{counted(len(wanting), 'unit')} without orders: {', '.join(wanting)}."
    due = [counted(wanting.count(thing), thing) for thing in ("build", "removal") if thing in wanting]
    ordered = f"{' and '.join(due)} not ordered." if due else ""
    named = "Your new home center is not named: write HOME and one of them." if "home center" in wanting else ""
    return f"{ordered} {named}".strip()


# So many quoted lines that look like orders are read, to say that they do not count.
_MOST_QUOTED = 100
# Of so many lines that may be quoted orders are taken: each is read by itself.
_MOST_DOUBTFUL = 200
_PERHAPS_QUOTED = "this may be part of a quoted email, so it was not read. If it is yours, write it above the quote."
_STRUCK = "This is struck out, so it was not read."
_QUOTED = "this is quoted, so it was not read. To give it as an order, write it without the quote mark."
_OUTSIDE = "this is not between SIGNON and SIGNOFF, so it was not read. Write it below your SIGNON line."
_OF_LOBBY = "this is below SIGNOFF, so it was not read. Write it above all SIGNON lines, or in a separate email."
_BELOW_SIGNATURE = "this is below your signature, so it was not read. Write your orders above it."


def give_doubtful(context: CommandContext, line: Doubtful) -> None:
    """File the line if it is a whole order of the writer's own for the open phase.

    In the judge's own words it must not replace another order: our mails speak of orders in the same words. A line that
    is struck out is only named.
    """
    if line.kind == "struck":
        note_stray(context, line, why=_STRUCK)
        return
    context.lines.doubtful_read += 1
    if context.lines.doubtful_read > _MOST_DOUBTFUL:
        return
    given = [] if context.lines.ahead or orders.refusal(context) else _own_orders(context, line)
    is_rest = line.kind == "rest"
    told = line.is_broken or (is_told_end(line) if is_rest else is_judge_worded(line))
    replaces = told and any(_replaces(context, power, order, on_file=is_rest) for power, order in given)
    if replaces or is_rest and not given:
        if replaces or not told and kind_of(context.variant, line) in ORDERS:
            context.lines.left_out.append(str(line))
    else:
        orders.give(context, [str(line)])
        context.lines.perhaps_quoted += [str(line)] if line.is_broken else []


def tell_unread(context: CommandContext, outside: Sequence[Call | str]) -> None:
    """Say which lines were not read that are commands, or orders of the writer that are not on file.

    `outside`: the lines above the sign-on or below SIGNOFF.
    """
    read, told = context.letter_context.orders, dict[str, str]()
    for line, why in _unread(context, outside):
        if line not in read.unread:
            told.setdefault(line, why)
    read.unread |= told.keys()
    beyond = sum(why in (_OUTSIDE, _OF_LOBBY) for why in told.values())
    if quoted := len(told) - beyond:
        look = "looks like an order was" if quoted == 1 else "look like orders were"
        context.answer.foremost.append(f"{counted(quoted, 'line')} that {look} left out.")
    if beyond:
        were = "was" if beyond == 1 else "were"
        context.answer.foremost.append(f"{counted(beyond, 'line')} above SIGNON or below SIGNOFF {were} not read.")
    if taken := [line for line in context.lines.perhaps_quoted if not _is_missing(context, line)]:
        context.answer.foremost.append(f"Check {context.answer.some(taken)}: it may be part of a quoted email.")
    for line, why in told.items():
        context.remark(why, "stray", line)


def _unread(context: CommandContext, outside: Sequence[Call | str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that were not read and may be meant for the judge, each with the reason."""
    plays = context.phase and context.the_seat.power and not context.phase.processed_at
    if plays:
        doubtful = own_text(context.letter.lines).doubtful if context.by_reply else ()
        left_out = [*context.lines.left_out, *(line for line in doubtful if kind_of(context.variant, line) in ORDERS)]
        yield from ((line, _PERHAPS_QUOTED) for line in left_out)
    if plays and not orders.refusal(context):
        marked = (line for line in context.letter.lines if line.kind == "quote" and unquoted(line) != line.text)
        below = (line for line in context.letter.lines if line.kind in ("history", "signature"))
        own = (line for line in chain(marked, below) if not is_judge_worded(unquoted(line)))
        ordering = (line for line in own if kind_of(context.variant, unquoted(line)) in ORDERS)
        missing = [line for line in islice(ordering, _MOST_QUOTED) if _is_missing(context, unquoted(line))]
        for line in _not_repeated(context, missing):
            yield line.text, _BELOW_SIGNATURE if line.kind == "signature" else _QUOTED
    for item in islice(outside, _MOST_QUOTED):
        text = item.line if isinstance(item, Call) else item
        if isinstance(item, Call) and not item.command.is_order:
            context.answer.unsent += [text] if item.command.body is Body.PRESS else []
            yield text, _OF_LOBBY if item.command.place is Place.LOBBY else _OUTSIDE
        elif plays and not is_judge_worded(text) and _is_missing(context, text):
            yield text, _OUTSIDE


def _is_missing(context: CommandContext, line: str) -> bool:
    """Return whether the line orders what is not on file for the writer's powers, nor was before this letter.

    A master who may not see what is on file is told of any order.
    """
    if context.is_blind:
        return bool(_own_orders(context, line))
    book, power = context.the_book, context.the_power
    now = {(one, order) for one in book.variant.powers_of(power) for order in book.orders_of(one)}
    return bool(set(_own_orders(context, line)) - now - context.letter_context.orders.were_on_file)


def _not_repeated(context: CommandContext, lines: Sequence[Line]) -> list[Line]:
    """Return those of the lines that are not from an older mail.

    That is the one that the letter answers, if the judge still has it; else any that has a heading, or is the
    judge's.
    """
    ours = answered_lines(context.session, context.letter)
    if ours is not None:
        return [line for line in lines if one_line(unquoted(line)) not in ours]
    alone: set[int] = set()
    # Blank lines do not part the stretches of lines that are not read.
    texts = (line for line in context.letter.lines if line.text.strip())
    for is_read, stretch in groupby(texts, lambda line: line.kind == "text"):
        block = list(stretch)
        if not is_read and not holds_judge(block) and all(line.kind != "history" for line in block):
            alone |= set(map(id, block))
    return [line for line in lines if id(line) in alone]


def _own_orders(context: CommandContext, line: str) -> list[OwnOrder]:
    """The orders of a line in which each is one of the writer's own for the open phase; none of any other line."""
    book = context.the_book
    if len(line) > LONGEST_LINE or kind_of(book.variant, line) not in ORDERS:
        return []
    read = read_line(book.variant, book.position, context.the_power, line)
    found = [one for one in read if not isinstance(one, OrderError)]
    return found if len(found) == len(read) else []


def _replaces(context: CommandContext, power: str, order: Order, *, on_file: bool) -> bool:
    """Return whether another order would give way to this one: one of the same letter, or `on_file`, any on file.

    If a mail of the judge is repeated in the letter, any order on file counts as well. A master who may not see what is
    on file is told that it would.
    """
    if context.is_blind:
        return True
    book, latest = context.the_book, context.letter_context.orders.latest
    winter = book.kind == "A"
    rivals = [other for other in book.orders_of(power) if winter or other.slot == order.slot]
    if not rivals or order in rivals:
        return False
    in_letter = any(latest.get((book.phase.id, power, other.slot)) == other for other in rivals)
    return in_letter or on_file or context.repeats_judge
