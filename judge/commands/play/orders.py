"""Order lines and WAIT: what a signed-on player gives for the open phase, and the report that answers it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from judge.commands.core.answer import MOST_COMPLAINTS, NOT_STORED, TOO_LONG, Answer, Remark, counted
from judge.commands.core.command import Call, CommandError, Family, MaybeSentence, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.play import bids, orders_ahead, what_if
from judge.commands.play.own_orders import suggested
from judge.commands.play.stray_lines import note_stray
from judge.games.deadlines import schedule
from judge.games.gm_corrections import corrections
from judge.games.life import ending
from judge.games.notifications import pictures
from judge.games.orders.bid_lines import may_be_bid
from judge.games.orders.deferred_orders import drop, kept
from judge.games.orders.filed_orders import FiledOrders, Read
from judge.games.orders.forms import for_holder, form
from judge.games.orders.standing import standing
from judge.mails.pages import Form
from judge.rules import Order, OrderError, describe_order, filled_in, looks_like_order, parse_order
from judge.rules.board.names import fold
from judge.rules.board.orders import OutOfPlace, UnitOrder
from judge.rules.board.phase import kind
from judge.rules.describe import needless_via, wrong_letters
from judge.rules.parsing.decoration import LONGEST_LINE, in_pieces, is_heading
from judge.rules.parsing.lines import OwnOrder, Reading, is_about_the_rest, own_orders, readings, slot_named
from judge.rules.parsing.unfinished import joined
from judge.store.games import phases_since
from judge.store.sent_mails import phase_of_mail
from judge.store.tables import Game, Phase, Seat

# The limit for one letter, since each may hold a mistake: no player has a third as many units.
MOST_ORDERS = 1000
# So many characters count as an order, wherever commas are.
_AN_ORDER = 30
# Of so many more lines those count that are orders as they stand; that takes a tenth of the time of finding a mistake.
_MOST_PLAIN = 5000
LEFT_OPEN_LINE = "left open, so it was not read."
# In so many phases a player is new to a game, and sees the orders drawn.
_NEW = 2
NOT_READ = f"not read: a letter holds at most {MOST_ORDERS} orders of {_AN_ORDER} characters."


command = Family("orders", who=Who.PLAYER | Who.MASTER, when=When.OPEN, of_phase=True, passwordless=True)


def give(context: CommandContext, lines: list[str]) -> None:
    """File what `lines` order; each line that cannot be carried out is answered with the reason.

    Lines of a form that were left open are ignored.
    """
    lines = _short_enough(context, _within_measure(context, lines))
    if context.by_reply:
        context.answer.remarks += [Remark("stray", line, LEFT_OPEN_LINE) for line in lines if filled_in(line) != line]
    lines = list(filter(None, map(filled_in, lines)))
    if context.game:
        lines = [line for line in lines if not is_heading(context.variant, line)]
    if not lines:
        return
    if why_not := refusal(context):
        _refuse(context, lines, why_not)
        return
    if context.acting and not context.sees("bids", power=context.the_power):
        lines = bids.refuse_others(context, lines)
    if context.lines.ahead:
        orders_ahead.keep(context, lines)
        if kept(context.session, context.the_game, context.the_power):
            ending.wake(context.work, context.the_game, context.the_phase)
        return
    book, power = context.the_book, context.the_power
    before = {one: book.orders_of(one) for one in book.variant.powers_of(power)}
    own = {unit.province for unit in book.position.units.get(power, ())}
    if not context.by_reply:
        lines = joined(book.variant, kind(book.phase.name), lines, own)
    lines = bids.set_aside(context, lines)
    refused = len(context.answer.errors)
    read: list[Read] = []
    doubts = _Doubts()
    phase_kind, variant = kind(book.phase.name), book.variant
    found = {line: readings(variant, power, phase_kind, line) for line in lines if looks_like_order(variant, line)}
    # Orders for the other units come last, wherever they stand.
    for line in sorted(lines, key=lambda one: any(map(is_about_the_rest, found.get(one, ())))):
        if line in found:
            _read(context, book, line, found[line], read, doubts)
        else:
            note_stray(context, line)
    context.letter_context.orders.were_on_file |= {(one, order) for one, orders in before.items() for order in orders}
    _tell_given_twice(context, book, read)
    unused = book.give(read, context.row.id, context.now)
    context.answer.remarks += [Remark("error", line, why) for line, why in unused]
    if context.acting and context.is_blind:
        left = {line for line, _ in unused}
        filed = ((power, order) for line, power, order in read if line not in left)
        context.acting.ordered |= bool(read)
        context.acting.done.extend(
            f"{power}: {describe_order(book.variant, book.position, one)}" for power, one in filed
        )
    else:
        _tell_replaced(context, book, before, read, doubts)
    context.answer.doubted |= doubts.out_of_place or bool(doubts.lines) or len(context.answer.errors) > refused
    context.lines.ordered = context.lines.ordered or bool(read)


def _tell_given_twice(context: CommandContext, book: FiledOrders, read: Sequence[Read]) -> None:
    """Say first which order is on file if the letter gives two for one unit.

    In a winter the first builds are (DATC 4.D.4).
    """
    for _, power, order in read:
        key = book.phase.id, power, order.slot
        earlier, context.letter_context.orders.latest[key] = context.letter_context.orders.latest.get(key), order
        twice = earlier and earlier != order and kind(book.phase.name) != "A"
        if twice and isinstance(order, UnitOrder) and not context.is_blind:
            subject = f"{order.unit} has two orders in this email"
            told = [text for text in context.answer.foremost if not text.startswith(subject)]
            context.answer.foremost = [*told, f"{subject}: the last one, {order}, is on file."]


@dataclass
class _Doubts:
    """Return whether orders may be meant for another phase.

    `out_of_place`: some lines had no place in this one. `lines`: those in which a unit has the wrong letter.
    """

    out_of_place: bool = False
    lines: set[str] = field(default_factory=set)


def _tell_replaced(
    context: CommandContext,
    book: FiledOrders,
    before: Mapping[str, Sequence[Order]],
    read: Sequence[Read],
    doubts: _Doubts,
) -> None:
    """Tell which orders on file gave way to lines that may be meant for another phase."""
    told: set[str] = set()
    for line, power, order in read:
        if not (doubts.out_of_place or line in doubts.lines):
            continue
        stand = book.orders_of(power)
        gone = [old for old in before[power] if old not in stand and str(old) not in told]
        if kind(book.phase.name) != "A":
            gone = [old for old in gone if old.slot == order.slot]
        told |= set(map(str, gone))
        if gone:
            replaced = f"this replaces {', '.join(map(str, gone))}. Is it meant for {book.phase.name}?"
            _add_note(context.answer, line, replaced)


def _add_note(answer: Answer, line: str, text: str) -> None:
    """A note on the line, or one more sentence in the note that it has."""
    for at, remark in enumerate(answer.remarks):
        if remark.kind == "note" and remark.line == line:
            answer.remarks[at] = replace(remark, text=f"{remark.text} {text[0].upper()}{text[1:]}")
            return
    answer.remarks.append(Remark("note", line, text))


def _within_measure(context: CommandContext, lines: list[str]) -> list[str]:
    """Return the lines up to the last order that a letter may hold, and those behind it that are plain orders.

    Each other line gets a remark.
    """
    for number, line in enumerate(lines):
        context.letter_context.orders.number += 1 + max(line.count(",") + line.count(";"), len(line) // _AN_ORDER)
        if context.letter_context.orders.number > MOST_ORDERS:
            behind = lines[number:]
            count = [place < _MOST_PLAIN and _is_plain(context, one) for place, one in enumerate(behind)]
            unread = (one for one, counts in zip(behind, count, strict=True) if not counts)
            context.answer.remarks += [Remark("error", one, NOT_READ) for one in unread]
            return [*lines[:number], *compress(behind, count)]
    return lines


def _is_plain(context: CommandContext, line: str) -> bool:
    """Return whether a line is one order of the open phase, without anything around it."""
    if not context.book or len(line) > 2 * _AN_ORDER:
        return False
    try:
        parse_order(context.book.variant, kind(context.book.phase.name), line)
    except OrderError:
        return False
    return True


def _short_enough(context: CommandContext, lines: list[str]) -> list[str]:
    """The lines, with a very long one cut into its orders. A piece longer than any order gets a remark."""
    short: list[str] = []
    for line in lines:
        pieces = in_pieces(line)
        if len(line) > LONGEST_LINE and not (context.game and looks_like_order(context.variant, line)):
            context.answer.remarks.append(Remark("stray", line, TOO_LONG))
            continue
        context.answer.remarks += [Remark("error", piece, TOO_LONG) for piece in pieces if len(piece) > LONGEST_LINE]
        short += [piece for piece in pieces if len(piece) <= LONGEST_LINE]
    return short


def _read(
    context: CommandContext,
    book: FiledOrders,
    line: str,
    found: Sequence[Reading | OrderError],
    read: list[Read],
    doubts: _Doubts,
) -> None:
    """Add the orders `found` on a line to those that were `read`; what is not an order gets a remark."""
    power = context.the_power
    own: list[Read] = []
    whole = True
    # If a part cannot be read, it is not known what the others mean: "A PAR and A MAR H", "A PAR - BUR, if I can".
    garbled = any(isinstance(reading, OrderError) for reading in found)
    for reading in found:
        try:
            if isinstance(reading, OrderError):
                raise reading
            given = _given(book, power, read) if is_about_the_rest(reading) else ()
            orders = own_orders(book.variant, book.position, power, reading, given)
        except OrderError as mistake:
            doubts.out_of_place |= isinstance(mistake, OutOfPlace)
            context.letter_context.orders.mistakes += 1
            why = mistake.message
            # No suggestions are looked for if the reply has no room for them.
            if context.letter_context.orders.mistakes <= MOST_COMPLAINTS:
                why = str(mistake)
                if why == mistake.message and isinstance(reading, Reading):
                    powers = [one for one in book.variant.powers_of(power) if reading.power in ("", one)]
                    tried = (suggested(book.variant, book.position, one, reading.order) for one in powers)
                    why = f"{why} {next(filter(None, tried), '')}".rstrip()
            context.answer.remarks.append(Remark("error", line, why, understood=isinstance(reading, Reading)))
            whole = False
            continue
        if garbled:
            continue
        own += [(line, *order) for order in orders]
        if reading.remark:
            _add_note(context.answer, line, f'read without "{reading.remark}", which was taken for a remark.')
        wrong = wrong_letters(book.variant, reading.order, orders[0][1])
        if wrong:
            doubts.lines.add(line)
        for told in filter(None, (wrong, needless_via(reading.order, orders[0][1]))):
            _add_note(context.answer, line, told)
    if garbled and len(found) > 1:
        last = context.answer.remarks[-1]
        context.answer.remarks[-1] = replace(last, text=f"{last.text} Nothing on this line was filed.")
    if whole or not context.by_reply:
        read += own


def _given(book: FiledOrders, seat: str, read: Sequence[Read]) -> list[OwnOrder]:
    """Return what the seat's powers have been ordered, as far as it stands next to what was `read` of this letter.

    In a winter a letter replaces all that is on file.
    """
    powers = [] if kind(book.phase.name) == "A" else book.variant.powers_of(seat)
    on_file = [(power, order) for power in powers for order in book.orders_of(power)]
    return [*on_file, *((power, order) for _, power, order in read)]


def refusal(context: CommandContext) -> str:
    """Return why no order of this letter can be taken for the open phase; "" when it can."""
    game, seat, phase = context.the_game, context.the_seat, context.phase
    if seat.left_at:
        return f"You have left game {game.name}."
    if not seat.power:
        if game.state == "forming":
            return f"Game {game.name} has not begun, so there is nothing to order yet."
        instead = " Write BECOME and the power above its orders." if seat.role == "master" else ""
        return f"You are signed on as {seat.role}; only players give orders.{instead}"
    if not phase:
        return f"Game {game.name} has ended."
    if context.is_early:
        return f"Your email was sent before {phase.name} opened. Please send your orders for {phase.name} again."
    answered = phase_of_mail(context.session, context.letter.references[:1])
    if answered and answered.game_id == game.id and answered.processed_at:
        return (
            f"Your letter answers a mail about {answered.name}, which is over. Send your orders for {phase.name} in a "
            "new letter, or as an answer to the newest mail of the game."
        )
    return ""


def _refuse(context: CommandContext, lines: list[str], refusal: str) -> None:
    variant = context.variant
    refused = {line for line in lines if looks_like_order(variant, line) or may_be_bid(variant, line)}
    for line in lines:
        if line in refused:
            context.answer.remarks.append(Remark("error", line, NOT_STORED))
        else:
            note_stray(context, line)
    if refused:
        context.answer.settle(f"{counted(sum(line in refused for line in lines), 'order')} not stored. {refusal}")


@command(
    "CLEAR",
    arguments="[<unit> | <power>]",
    pattern=r"(?:\s+ALL|\s+(?P<unit>\S.*?))?",
    who=Who.PLAYER,
    help="take back all your orders for this phase, or only those of a unit or of one of your powers",
)
def clear(context: CommandContext, call: Call, unit: str | None) -> None:
    """CLEAR: take back all orders for this phase; CLEAR <unit>: only that unit's."""
    book, own = context.the_book, context.the_power
    if context.lines.gives_orders and not call.is_in_capitals:
        raise MaybeSentence("This email gives orders too, so they were left on file.")
    if later := context.lines.ahead:
        if unit:
            raise CommandError(f"Lines for {later} can only be taken back all together: write CLEAR alone.")
        gone = drop(context.session, context.the_game, own, later)
        if not _done_blindly(context, f"Whatever was kept for {later} is taken back."):
            _tell_taken_back(context, gone, f" for {later}")
        return
    power = _own_power(book, own, unit) if unit else ""
    try:
        slot = slot_named(book.variant, unit) if unit and not power else ""
    except OrderError as error:
        raise CommandError(str(error)) from None
    gone = book.withdraw(power or own, slot)
    if not unit and not context.is_blind and book.bids.given(own):
        context.answer.foremost.append("Your bids stay on file; DP CLEAR takes them back.")
    stand, given = book.given(own), context.letter_context.orders
    given.latest = {of: order for of, order in given.latest.items() if order in stand}
    context.lines.ordered = True
    if context.acting and _done_blindly(
        context, f"Whatever was on file{f' for {unit}' if unit else ''} is taken back."
    ):
        context.acting.ordered = True
        return
    if not gone:
        raise CommandError(f"There is no order for {unit} on file." if unit else "There are no orders on file.")
    _tell_taken_back(context, gone)


def _done_blindly(context: CommandContext, sentence: str) -> bool:
    """Say what was done if the sender may not see what is on file, whatever that is; return whether it was said."""
    if context.acting and context.is_blind:
        context.acting.done.append(sentence)
        return True
    return False


def _tell_taken_back(context: CommandContext, lines: Sequence[str], phase: str = "") -> None:
    """Tell which orders were taken back: CLEAR may have been the end of a sentence, and the orders meant to stand."""
    named = f": {', '.join(lines)}" if lines else ""
    context.answer.foremost.append(f"{counted(len(lines), 'order')}{phase} taken back{named}.")


def _own_power(book: FiledOrders, seat: str, name: str) -> str:
    """The power with that full name among the player's several powers; a province of that name takes precedence."""
    powers = book.variant.powers_of(seat)
    if len(powers) == 1 or fold(name) in book.variant.names.exact:
        return ""
    power = book.variant.power_names.whole(name)
    return power.name if power and power.name in powers else ""


@command("SET WAIT", "SET W", "WAIT", of_seat=True, help="do not process this phase before its deadline")
def wait(context: CommandContext, call: Call) -> None:
    """SET WAIT: do not process before the deadline. Forgotten when the phase is processed."""
    _set_wait(context, True)


@command(
    "SET NOWAIT",
    "SET NO WAIT",
    "SET NOW",
    "NOWAIT",
    "NO WAIT",
    of_seat=True,
    help="process as soon as all orders are in",
)
def nowait(context: CommandContext, call: Call) -> None:
    """SET NOWAIT: process as soon as all orders are in."""
    _set_wait(context, False)
    context.note(call, f"{context.the_phase.name} is processed as soon as all orders are in, if nobody else waits.")


def _set_wait(context: CommandContext, waits: bool) -> None:
    if context.lines.ahead:
        raise CommandError("WAIT is for the open phase only, and the PHASE above it names another.")
    seat = context.the_seat
    unasked = seat.power and seat.power not in context.the_book.asked
    if waits and unasked and context.settings.strict_wait:
        raise CommandError("In this game only those who have something to order may set WAIT (StrictWait).")
    seat.waits = waits
    context.session.add(seat)
    context.lines.ordered = True
    _done_blindly(context, f"WAIT is {'set' if waits else 'not set'} now.")
    if not seat.power:
        held = "is not processed before its deadline" if waits else "is processed once all orders are in"
        context.answer.settle(f"{context.the_phase.name} {held}.")


def conclude(context: CommandContext) -> None:
    """Conclude a block: file its bids, update the deadline, and report what the player has still to do."""
    if not (context.game and context.seat):
        return
    if not context.phase:
        _count_refusals(context.answer)
        return
    overspent = bids.file(context)
    if context.lines.ordered:
        assert context.book
        if context.on_file():
            ending.wake(context.work, context.game, context.phase)
        schedule.reckon(context.work, context.game, context.book)
        _tell_acted(context, context.game, context.book.phase)
    if not context.seat.power:
        _count_refusals(context.answer)
        return
    if context.is_blind:
        # What the letter has done for the power, and nothing of what is on file.
        _count_refusals(context.answer)
        if context.acting and context.acting.done:
            context.answer.texts.append("\n".join(context.acting.done))
            context.answer.confirmed.append(context.answer.texts[-1])
    elif context.lines.asks_status or not context.answer.settled:
        _report(context)
    context.answer.verdict = f"{overspent} {context.answer.verdict}".lstrip()
    if context.game.state == "active" and not (context.seat.left_at or context.acting):
        assert context.book
        blank = form(context.book, context.game.name, context.seat.power)
        by_holder = context.person and context.person.id == context.seat.person_id
        _show_form(context, for_holder(context.work, context.game, context.seat, blank) if by_holder else blank)


def _show_form(context: CommandContext, last: Form | None) -> None:
    """Show the form with the orders after this block, once for a power that signs on several times in a letter."""
    for answer in context.all_answers:
        if answer.form and last and answer.form.signon == last.signon:
            answer.form = None
    context.answer.form = last


def _tell_acted(context: CommandContext, game: Game, phase: Phase) -> None:
    """Notify all players that a master has given orders as a player: that is no secret.

    A master who may not see what was on file does not learn from this mail whether it was the same.
    """
    power = context.seat.power if context.seat else None
    if not (context.acting and power):
        return
    if context.acting.ordered if context.is_blind else context.on_file() != context.acting.before:
        corrections.acted_for(context.work, game, phase, power, context.master)


def _count_refusals(answer: Answer) -> None:
    if failed := _failed(answer):
        answer.verdict = f"{failed} {answer.verdict}"


def _failed(answer: Answer) -> str:
    """`2 lines refused. 1 line not understood.`: the lines that failed each for a reason of its own."""
    told = [one for one in answer.errors if one.text != NOT_STORED and one.line not in answer.told_first]
    garbled = sum(not remark.understood for remark in told)
    counts = ((len(told) - garbled, "refused"), (garbled, "not understood"))
    return " ".join(f"{counted(count, 'line')} {what}." for count, what in counts if count)


def _report(context: CommandContext) -> None:
    """The confirmation: the verdict, then all orders on file in full words."""
    game, seat, phase = context.the_game, context.the_seat, context.the_phase
    book, power = context.the_book, context.the_power
    wanting = book.missing().get(power, [])
    if not context.answer.settled:
        context.answer.verdict = verdict(phase.name, power in book.asked, wanting, context.answer)
    votes = context.acting is None or context.sees("votes", power=power)
    now = standing(
        context.work, book, seat, whole=context.lines.asks_status, votes=votes, just_kept=context.lines.kept_for
    )
    context.say("orders", **vars(now))
    context.answer.confirmed.append(context.answer.texts[-1])
    what_if.point_out(context, book)
    _draw(context, game, seat, phase, book)


def _draw(context: CommandContext, game: Game, seat: Seat, phase: Phase, book: FiledOrders) -> None:
    """Show the player's orders as a picture, so that a mistake is seen before the deadline.

    For newcomers, and if a line was refused or may not be meant. No one else's orders are in it. A picture that was
    asked for takes its place.
    """
    orders = {power: book.orders_of(power) for power in book.variant.powers_of(context.the_power)}
    unsure = context.answer.doubted
    wanted = (context.lines.ordered or unsure) and any(orders.values()) and not context.acting and seat.maps != "off"
    if not wanted or any(answer.picture_id for answer in context.all_answers):
        return
    came_later = game.started_at is not None and seat.joined_at > game.started_at
    is_new = phase.number <= _NEW or came_later and phases_since(context.session, game, seat.joined_at) <= _NEW
    if unsure or seat.maps == "orders" or is_new:
        shown = pictures.own_orders(game, book.position, orders)
        context.answer.picture_id = pictures.with_confirmation(context.work, shown)
        context.answer.shows_orders = True


def verdict(phase: str, asked: bool, wanting: list[str], answer: Answer) -> str:
    """Return the first line of a confirmation: whether the player is done, and every order was understood."""
    done = _complete(phase, wanting) if asked else f"You have nothing to order in {phase}."
    return f"{_failed(answer)} {done}".lstrip()


def _complete(phase: str, wanting: list[str]) -> str:
    if not wanting:
        return "Orders complete."
    if kind(phase) == "A":
        due = [counted(wanting.count(thing), thing) for thing in ("build", "removal") if thing in wanting]
        ordered = f"{' and '.join(due)} not ordered." if due else ""
        named = "Your new home center is not named: write HOME and one of them." if "home center" in wanting else ""
        return f"{ordered} {named}".strip()
    return f"{counted(len(wanting), 'unit')} without orders: {', '.join(wanting)}."
