"""File the order lines of a signed-on player for the open phase, and bids of points for orders of neutrals.

Bids (HELP points) are filed at the end of their block, because their sum is checked (rulings, "Diplomacy Points" 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.commands.core.answer import MOST_COMPLAINTS, NOT_STORED, TOO_LONG, Answer, Remark
from judge.commands.core.command import Family, Who
from judge.commands.core.context import CommandContext, Heading, Seated
from judge.commands.core.handling import blind, sees
from judge.commands.core.permissions import is_early
from judge.commands.play import order_commands
from judge.commands.play.stray_lines import below_phase, checked, note_stray, suggested, why_changed
from judge.games.core.board import board
from judge.games.core.who_may_see import PLAYS_TOO
from judge.games.notifications.notices import lost
from judge.games.orders.bids import BidLine, Taken, apart, bids_in, most_points, read_bid_lines, understood
from judge.games.orders.filed_orders import Read
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.mails.templates import when
from judge.rules import NEUTRAL, Order, OrderError, counted, describe_order, filled_in, kind, parse_order
from judge.rules.board.orders import Hold, NotPlayed, OutOfPlace, UnitOrder
from judge.rules.describe import needless_via, wrong_letters
from judge.rules.mechanisms.auction import Bid
from judge.rules.parsing.decoration import LONGEST_LINE, heading_of, in_pieces
from judge.rules.parsing.lines import OwnOrder, Reading, is_about_the_rest, read_line, readings, under_heading
from judge.rules.parsing.recognition import joined
from judge.rules.suggestions import Board
from judge.store.games import last_moves, last_played
from judge.store.sent_mails import mails_named
from judge.store.tables import Phase

# The maximum number of orders in one letter, because explaining mistakes takes time. No player has a third as many
# units.
MOST_ORDERS = 1000
# A long line counts as one order for each stretch of this many characters.
_AN_ORDER = 30
# The maximum number of lines beyond MOST_ORDERS that are accepted if they are plain orders. Testing for a plain order
# takes a tenth of the time of explaining a mistake.
_MOST_PLAIN = 5000
# The maximum number of lines that are compared with an earlier phase. No player has as many units.
_MOST_LATE = 60
# What a refused line is if the judge has understood it.
_UNDERSTOOD = Reading | NotPlayed | OutOfPlace
LEFT_OPEN_LINE = "not filled in, so it was not read."
NOT_READ = f"not read: an email can have at most {MOST_ORDERS} orders of {_AN_ORDER} characters."


def give(context: CommandContext, lines: list[str]) -> None:
    """File the orders on `lines`. Each line that cannot be filed gets a remark with the reason.

    Headings, and lines of a form that the sender has not filled in, are ignored.
    """
    here = context.seat
    lines = _filled_in(context, _short_enough(context, _within_measure(context, lines)))
    if not lines:
        return
    if why_not := refusal(context):
        _refuse(context, lines, why_not)
        return
    if here.acting and not sees(context, "bids", power=here.power):
        lines = _without_bids(context, lines)
    if here.lines.ahead:
        order_commands.keep(context, lines)
    elif late := _phase_missed(context, lines):
        _refuse_late(context, lines, late)
    else:
        _file(context, lines)


def _filled_in(context: CommandContext, lines: Sequence[str]) -> list[str]:
    """Return the lines without the parts of a form that the sender has not filled in."""
    found = []
    for line in lines:
        filled = filled_in(line)
        if filled != line and context.letter.by_reply:
            context.remark(LEFT_OPEN_LINE, "stray", line)
        if filled and kind_of(context.seat.variant, filled) != "heading":
            found.append(filled)
    return found


def with_power(here: Seated, line: str) -> str:
    """Return a line with the name of the power above it, if the line does not say for which units it is.

    A line that is only a name becomes the heading of the lines after it. A line with a name of its own ends the effect
    of the heading.
    """
    name, _, _ = line.partition(":")
    if named := heading_of(here.variant, name):
        is_heading = bool(heading_of(here.variant, line))
        here.lines.heading = Heading(named) if is_heading else None
        return line
    opened = here.phase.name if here.phase else order_commands.UNKNOWN
    phase = here.lines.ahead or opened
    if not (here.lines.heading and here.row.power) or phase == order_commands.UNKNOWN:
        return line
    return under_heading(here.variant, here.power, kind(phase), here.lines.heading.text, line)


def _refuse(context: CommandContext, lines: Sequence[str], why_not: str) -> None:
    if refused := _refuse_each(context, lines):
        context.settle(f"{counted(refused, 'order')} not recorded. {why_not}")


def _refuse_each(context: CommandContext, lines: Sequence[str]) -> int:
    """Add a remark to each line, and return the number of orders and bids, which were not recorded."""
    refused = 0
    for line in lines:
        if kind_of(context.seat.variant, line) in ORDERS:
            context.remark(NOT_STORED, "error", line)
            refused += 1
        else:
            note_stray(context, line)
    return refused


def _phase_missed(context: CommandContext, lines: Sequence[str]) -> Phase | None:
    """Return the last phase or movement if all orders are for it, and none can be for the open phase; else None."""
    here, variant = context.seat, context.seat.variant
    orders = [line for line in lines if kind_of(variant, line) == "order"]
    if not 0 < len(orders) <= _MOST_LATE:
        return None
    if any(_may_be_for(context, here.open_phase, line) for line in orders):
        return None
    last = last_played(context.session, here.game), last_moves(context.session, here.game, here.open_phase.number)
    return next((phase for phase in last if phase and all(_is_for(context, phase, line) for line in orders)), None)


def _may_be_for(context: CommandContext, phase: Phase, line: str) -> bool:
    """Return whether a line is an order for the open phase, perhaps an illegal move of one of the sender's units."""
    variant, position = board(context.seat.game, phase)
    if position.kind == "M":
        found = readings(variant, context.seat.power, "M", line)
        slots = {one.order.slot for one in found if isinstance(one, Reading)}
        powers = variant.powers_of(context.seat.power)
        if any(unit.province in slots for power in powers for unit in position.units_of(power)):
            return True
    return any(not isinstance(one, OrderError) for one in _orders_for(context, phase, line))


def _is_for(context: CommandContext, phase: Phase, line: str) -> bool:
    return not any(isinstance(one, OrderError) for one in _orders_for(context, phase, line))


def _orders_for(context: CommandContext, phase: Phase, line: str) -> Sequence[OwnOrder | OrderError]:
    return read_line(*board(context.seat.game, phase), context.seat.power, line)


def _refuse_late(context: CommandContext, lines: Sequence[str], late: Phase) -> None:
    """Say once that the orders came after their phase was processed, and which phase is open."""
    here, refused = context.seat, _refuse_each(context, lines)
    assert late.processed_at
    at, were = when(late.processed_at, context.zone), "was" if refused == 1 else "were"
    now = f" The open phase is {here.open_phase.name}." * (here.power in here.book.asked)
    if kind(late.name) == "M" and here.book.kind == "A":
        now += f" For the next movement, write PHASE {order_commands.later(context)} above them."
    told = (
        f"{late.name} was already processed, on {at}, so {counted(refused, 'order')} for it {were} NOT recorded.{now}"
    )
    context.answer.foremost.append(told)


def _without_bids(context: CommandContext, lines: Sequence[str]) -> list[str]:
    """Refuse the bids on the lines, since the sender is a master who also plays, and return the other lines."""
    others = []
    for line in lines:
        if kind_of(context.seat.variant, line) == "bid":
            context.remark(f"{PLAYS_TOO}, so you cannot bid for others.", "error", line)
        else:
            others.append(line)
    return others


def _file(context: CommandContext, lines: Sequence[str]) -> None:
    here = context.seat
    book = here.book
    on_file = book.of_seat(here.power)
    errors = len(context.answer.errors)
    read, doubted = _read_lines(context, lines)
    context.letter.orders.were_on_file.update(on_file)
    _tell_given_twice(context, read)
    unused = book.give(read, context.letter.row.id, context.work.now)
    for line, why in unused:
        context.remark(why, "error", line)
    if master := blind(context):
        master.ordered |= bool(read)
        left = {line for line, _ in unused}
        filed = ((power, order) for line, power, order in read if line not in left)
        master.done += [f"{one}: {describe_order(book.variant, book.position, order)}" for one, order in filed]
    else:
        _tell_replaced(context, on_file, doubted)
    context.answer.doubted |= bool(doubted) or len(context.answer.errors) > errors
    here.lines.ordered |= bool(read)


def _read_lines(context: CommandContext, lines: Sequence[str]) -> tuple[list[Read], list[Read]]:
    """Return the orders of the lines, and a second list with the orders that may be meant for another phase.

    Bids are stored until the end of the block (`file_bids`). A line that is neither an order nor a bid gets a remark.
    """
    here = context.seat
    book, power = here.book, here.power
    variant = book.variant
    if not context.letter.by_reply:
        lines = joined(variant, book.kind, lines, {unit.province for unit in book.position.units_of(power)})
    lines = [one for line in lines for one in apart(variant, line)]
    kinds = {line: kind_of(variant, line) for line in lines}
    found = {line: readings(variant, power, book.kind, line) for line in lines if kinds[line] == "order"}
    read: list[Read] = []
    doubted: set[str] = set()
    # Lines that order "all others" are read last, wherever they are in the letter.
    for line in sorted(lines, key=lambda one: any(map(is_about_the_rest, found.get(one, ())))):
        if line in found:
            read += _read(context, line, found, read, doubted)
        elif kinds[line] == "bid":
            here.lines.bid_lines += bids_in(line)
        else:
            note_stray(context, line)
    return read, [one for one in read if one[0] in doubted]


def _tell_given_twice(context: CommandContext, read: Sequence[Read]) -> None:
    """If the letter has two orders for a unit, begin the answer with the order on file.

    Winters have no such sentence, because the first builds of a letter are on file, not the last (DATC 4.D.4).
    """
    book, latest = context.seat.book, context.letter.orders.latest
    for _, power, order in read:
        key = book.phase.id, power, order.slot
        earlier, latest[key] = latest.get(key), order
        twice = earlier and earlier != order and book.kind != "A"
        if twice and isinstance(order, UnitOrder) and not blind(context):
            subject = f"{order.unit} has two orders in this email"
            told = [text for text in context.answer.foremost if not text.startswith(subject)]
            context.answer.foremost = [*told, f"{subject}: the last one, {order}, is on file."]


def _tell_replaced(context: CommandContext, before: Sequence[OwnOrder], doubted: Sequence[Read]) -> None:
    """Add a note to each line that may be meant for another phase, with the orders that it replaced."""
    book = context.seat.book
    told = set()
    for line, power, order in doubted:
        stand = book.orders_of(power)
        gone = [old for one, old in before if one == power and old not in stand and str(old) not in told]
        if book.kind != "A":
            gone = [old for old in gone if old.slot == order.slot]
        told |= set(map(str, gone))
        if gone:
            replaced = f"this replaces {', '.join(map(str, gone))}. Did you mean it for {book.phase.name}?"
            _add_note(context.answer, line, replaced)


def _add_note(answer: Answer, line: str, text: str) -> None:
    """Add a note on the line, or add the text to a note that the line already has."""
    for at, remark in enumerate(answer.remarks):
        if remark.kind == "note" and remark.line == line:
            answer.remarks[at] = replace(remark, text=f"{remark.text} {text[0].upper()}{text[1:]}")
            return
    answer.remarks.append(Remark("note", line, text))


def _within_measure(context: CommandContext, lines: list[str]) -> list[str]:
    """Return the lines up to the limit of orders in a letter.

    Beyond it, keep only lines that are one plain order each, up to a second limit. Each other line gets a remark.
    """
    for number, line in enumerate(lines):
        context.letter.orders.number += 1 + max(line.count(",") + line.count(";"), len(line) // _AN_ORDER)
        if context.letter.orders.number > MOST_ORDERS:
            taken = lines[:number]
            for place, one in enumerate(lines[number:]):
                if place < _MOST_PLAIN and _is_plain(context, one):
                    taken.append(one)
                else:
                    context.remark(NOT_READ, "error", one)
            return taken
    return lines


def _is_plain(context: CommandContext, line: str) -> bool:
    """Return whether a line is exactly one order of the open phase, without other words."""
    here = context.seat
    if not here.phase or len(line) > 2 * _AN_ORDER:
        return False
    try:
        parse_order(here.book.variant, here.book.kind, line)
    except OrderError:
        return False
    return True


def _short_enough(context: CommandContext, lines: list[str]) -> list[str]:
    """Return the lines, with very long lines cut into their orders. A piece longer than any order gets a remark."""
    short = []
    for line in lines:
        pieces = in_pieces(line)
        if len(line) > LONGEST_LINE and kind_of(context.seat.variant, line) != "order":
            context.remark(TOO_LONG, "stray", line)
            continue
        for piece in pieces:
            if len(piece) > LONGEST_LINE:
                context.remark(TOO_LONG, "error", piece)
        short += [piece for piece in pieces if len(piece) <= LONGEST_LINE]
    return short


def _read(
    context: CommandContext,
    line: str,
    found: Mapping[str, Sequence[Reading | OrderError]],
    read: Sequence[Read],
    doubted: set[str],
) -> list[Read]:
    """Return the orders `found` on a line. A part of the line that is not an order gets a remark.

    `read` has the orders on earlier lines. Lines that may be meant for another phase are added to `doubted`. If a unit
    has the wrong letter (A or F), only this line is added. If an order cannot be for the open phase, all lines are
    added.
    """
    book, answer = context.seat.book, context.answer
    own: list[Read] = []
    told: set[str] = set()
    errors = len(answer.errors)
    # If one part of the line is unreadable, the others are uncertain: "A PAR - BUR, if I can".
    garbled = any(isinstance(reading, OrderError) for reading in found[line])
    for reading in sorted(found[line], key=is_about_the_rest):
        try:
            orders = book.understood(context.seat.power, reading, [*read, *own])
        except OrderError as mistake:
            if isinstance(mistake, OutOfPlace):
                doubted.update(found)
            why = below_phase(context, line) or _why_refused(context, line, reading, mistake)
            more = len(answer.errors) > errors
            context.remark(why, "error", line, understood=isinstance(reading, _UNDERSTOOD), more=more)
            continue
        if isinstance(reading, Reading) and not garbled:
            own += [(line, *order) for order in orders]
            if _note(context, line, reading, orders[0][1], told):
                doubted.add(line)
    if garbled and len(found[line]) > 1:
        last = answer.remarks[-1]
        answer.remarks[-1] = replace(last, text=f"{last.text} Nothing on this line was recorded.")
    return [] if context.letter.by_reply and len(answer.errors) > errors else own


def _note(context: CommandContext, line: str, reading: Reading, order: Order, told: set[str]) -> bool:
    """Add notes on how an order was read, unless they are in `told`. Return whether its unit has a wrong letter."""
    wrong = wrong_letters(context.seat.variant, reading.order, order)
    passed = f'"{reading.remark}" was taken for a comment and ignored.' if reading.remark else ""
    for note in (passed, wrong, needless_via(reading.order, order)):
        if note and note not in told:
            _add_note(context.answer, line, note)
            told.add(note)
    return bool(wrong)


def _why_refused(context: CommandContext, line: str, reading: Reading | OrderError, mistake: OrderError) -> str:
    """Return why an order is refused, with a suggestion unless the reply already has many suggestions."""
    book, given = context.seat.book, context.letter.orders
    given.mistakes += 1
    if given.mistakes > MOST_COMPLAINTS:
        return mistake.message
    if isinstance(reading, OrderError) and (changed := why_changed(context, line)):
        return changed
    told = Board(book.variant, book.position, context.seat.power).corrected(mistake)
    if told != mistake.message or not isinstance(reading, Reading):
        return told
    powers = [one for one in book.variant.powers_of(context.seat.power) if reading.power in ("", one)]
    tried = (suggested(book.variant, book.position, one, reading.order) for one in powers)
    return f"{mistake.message} {next(filter(None, tried), '')}".rstrip()


def refusal(context: CommandContext) -> str:
    """Return why no order of this letter can be accepted for the open phase, or ""."""
    here = context.seat
    game, seat, phase = here.game, here.row, here.phase
    if seat.left_at:
        return f"{lost(game, seat)}."
    if not seat.power:
        if game.state == "forming":
            return f"{game.name} has not started, so there is nothing to order yet."
        instead = " To give orders for a power, write BECOME and its name above them." if seat.role == "master" else ""
        return f"You are signed on as {seat.role}. Only players can give orders.{instead}"
    if not phase:
        return f"{game.name} has ended."
    if is_early(context):
        return f"Your email was sent before {phase.name} opened. Please send your orders for {phase.name} again."
    answered = _phase_answered(context)
    if answered and answered.game_id == game.id and answered.processed_at:
        return (
            f"You replied to an email about {answered.name}, which has already been processed. Send your orders for "
            f"{phase.name} in a new email, or reply to the newest email about the game."
        )
    return ""


def _phase_answered(context: CommandContext) -> Phase | None:
    """Return the phase of the email that the letter's header names as answered, or None if it is unknown."""
    mails = mails_named(context.session, context.letter.parsed.references[:1])
    return context.session.get(Phase, mails[0].phase_id) if mails and mails[0].phase_id else None


def file_bids(context: CommandContext) -> str:
    """File the bids of the block and return "".

    If they exceed the power's points, file none and return a sentence.
    """
    here = context.seat
    if not here.lines.bid_lines:
        return ""
    lines, unread = read_bid_lines(here.lines.bid_lines)
    taken = here.book.bids.give(here.power, lines, context.letter.row.id, context.work.now)
    # Suggestions depend on the points that are left, so they come after the readable bids.
    for line, mistake in unread:
        _tell_unread(context, line, mistake)
    for line, why in taken.refused:
        instead = next((_instead(context, bid) for bid in lines if bid.text == line), "")
        context.remark(f"{why} {instead}".rstrip(), "error", line)
    for line, what in taken.notes:
        context.remark(what, line=line)
    if not taken.stored:
        return _none_stored(context, lines, taken)
    here.lines.ordered = True
    return ""


def _none_stored(context: CommandContext, lines: Sequence[BidLine], taken: Taken) -> str:
    """Add a remark to each bid if together they exceed the power's points, and return a sentence on that."""
    power, bids = context.seat.power, context.seat.book.bids
    refused = {line for line, _ in taken.refused}
    for bid in lines:
        if bid.text not in refused:
            context.remark(NOT_STORED, "error", bid.text)
    stand = " Your earlier bids are unchanged." if bids.given(power) else ""
    stand += " To replace all of them, write DP CLEAR above your DP lines." if stand and taken.fit_alone else ""
    if not (has := bids.income(power)):
        return "Your DP lines were not recorded: you have no points to spend in this phase."
    return (
        f"Your DP lines were NOT recorded: with them you would spend {counted(taken.spend, 'point')}, and you have "
        f"{has}.{stand}"
    )


def _instead(context: CommandContext, bid: BidLine) -> str:
    """Return a suggestion if the order of a refused bid is impossible, or "" if only its points are."""
    here = context.seat
    variant, position = here.book.variant, here.book.position
    order: Order | None = None
    try:
        order = understood(variant, position.kind, bid).meaning
        if order:
            checked(variant, position, NEUTRAL, order)
    except OrderError:
        if not isinstance(order, UnitOrder):
            return ""
        held = Bid(bid.points, Hold(order.unit))
        points = most_points(variant, position, here.power, held, here.book.bids.given(here.power))
        return suggested(variant, position, NEUTRAL, order, f"DP {points}: ") if points else ""
    return ""


def _tell_unread(context: CommandContext, line: str, mistake: OrderError) -> None:
    """Add a remark on an unreadable bid, and a sentence at the beginning of the answer."""
    here = context.seat
    told = here.book.bids.board(here.power).corrected(mistake)
    context.remark(told, "error", line)
    instead = told.removeprefix(mistake.message).strip() or told
    context.answer.foremost.append(f'The bid "{context.reply.redact(line)}" was not recorded. {instead}')


command = Family("points", who=Who.PLAYER, is_order=True, passwordless=True)
command.add("DP CLEAR", reads="[ALL]", help="take back all your bids for this phase")
command.add("DP NONE", help="decline your remaining points, so the phase won't wait for them")
command.add(
    "DP [<points>:] <order>", reads="<bid>",
    help="bid points (1 without a number) for an order of a neutral: DP 2: A SWI S A MAR - SAV; DP 0: A SWI takes "
         "your bids for A SWI back",
)  # fmt: skip
