"""CLEAR and WAIT: a player takes orders back, or wants the phase not to be processed before its deadline."""

from collections.abc import Sequence

from judge.commands.core.command import CommandError, Family, MaybeSentence, When, Who, refused
from judge.commands.core.context import CommandContext
from judge.games.orders.deferred_orders import drop
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import OrderError
from judge.rules.board.names import counted, fold
from judge.rules.parsing.lines import slot_named

command = Family("orders", who=Who.PLAYER | Who.MASTER, when=When.OPEN, of_phase=True, passwordless=True)


@command(
    "CLEAR",
    arguments="[<unit> | <power>]",
    pattern=r"(?:\s+ALL|\s+(?P<unit>\S.*?))?",
    who=Who.PLAYER,
    help="take back all your orders for this phase, or only those of a unit or of one of your powers",
)
def clear(context: CommandContext, unit: str | None) -> None:
    """CLEAR: take back all orders for this phase; CLEAR <unit>: only that unit's."""
    book, own = context.the_book, context.the_power
    if context.lines.gives_orders and not context.call.is_in_capitals:
        raise MaybeSentence("This email also gives orders, so they were kept.")
    if later := context.lines.ahead:
        if unit:
            raise CommandError(f"Lines for {later} can only be taken back all together: write CLEAR on its own.")
        gone = drop(context.session, context.the_game, own, later)
        if not _done_blindly(context, f"Any lines for {later} have been taken back."):
            _tell_taken_back(context, gone, f" for {later}")
        return
    power = _own_power(book, own, unit) if unit else ""
    with refused(OrderError):
        slot = slot_named(book.variant, unit) if unit and not power else ""
    gone = book.withdraw(power or own, slot)
    if not unit and not context.is_blind and book.bids.given(own):
        context.answer.foremost.append("Your bids stay on file; DP CLEAR takes them back.")
    stand, given = book.given(own), context.letter_context.orders
    given.latest = {of: order for of, order in given.latest.items() if order in stand}
    context.lines.ordered = True
    if context.acting and _done_blindly(
        context, f"Any orders on file{f' for {unit}' if unit else ''} have been taken back."
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


@command("SET WAIT", "SET W", "WAIT", of_seat=True, help="don't process this phase before its deadline")
def wait(context: CommandContext) -> None:
    """SET WAIT: do not process before the deadline. Forgotten when the phase is processed."""
    _set_wait(context, True)


@command(
    "SET NOWAIT",
    "SET NO WAIT",
    "SET NOW",
    "NOWAIT",
    "NO WAIT",
    of_seat=True,
    help="let the phase be processed as soon as all orders are in",
)
def nowait(context: CommandContext) -> None:
    """SET NOWAIT: process as soon as all orders are in."""
    _set_wait(context, False)
    context.note(f"{context.the_phase.name} will be processed as soon as all orders are in, unless someone "
    "else has set WAIT.")


def _set_wait(context: CommandContext, waits: bool) -> None:
    if context.lines.ahead:
        raise CommandError("WAIT is for the current phase only, and the PHASE line above it names another.")
    seat = context.the_seat
    unasked = seat.power and seat.power not in context.the_book.asked
    if waits and unasked and context.settings.strict_wait:
        raise CommandError("In this game only players who have something to order can set WAIT (StrictWait).")
    seat.waits = waits
    context.session.add(seat)
    context.lines.ordered = True
    _done_blindly(context, f"WAIT is {'set' if waits else 'not set'} now.")
    if not seat.power:
        held = "won't be processed before its deadline" if waits else "will be processed once all orders are in"
        context.answer.settle(f"{context.the_phase.name} {held}.")
