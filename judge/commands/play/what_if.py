"""The sandbox between WHATIF and ENDWHATIF: what orders would do.

Nothing in a sandbox is filed, and no one else is notified. It begins with the player's own orders on file; all others'
are what the player guesses there, and a unit without a guess has no order. So its answer holds nothing that the player
does not know.
"""

from collections.abc import Sequence

from judge.commands.core.command import Body, Call, Family, Place, Slip, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.message_ends import ends_sandbox
from judge.commands.core.queries import show, tell
from judge.games.notifications import pictures
from judge.games.orders.bids import is_bid_line
from judge.games.orders.filed_orders import FiledOrders
from judge.mails.results import results_of
from judge.rules import NEUTRAL, Order, OrderError, adjudicate
from judge.rules.board.phase import kind
from judge.rules.mechanisms.auction import check_neutral_order
from judge.rules.parsing.decoration import is_heading
from judge.rules.parsing.lines import OwnOrder, own_orders, readings, whose_slot

_NO_BIDS = "Bids are ignored here: write what the neutral would do, without DP."
command = Family("orders", "whatif", who=Who.PLAYER, when=When.OPEN, of_phase=True, of_seat=True, personal=True)


def tell_stopped(context: CommandContext, call: Call) -> None:
    """Say first that reading has stopped at a sandbox that has no end, or at a line that is like WHATIF."""
    context.answer.foremost.insert(0, _stopped(context, call))


def _stopped(context: CommandContext, call: Call) -> str:
    end = "ENDWHATIF on a line of its own below your guesses"
    if call.name:
        return f"Nothing from WHATIF on was read or recorded, because it has no end. Send it again with {end}."
    line = context.answer.some([call.line])
    if ends_sandbox(call.line):
        return (
            f'"{line}" has no WHATIF above it, so no order in this part of your email was read or recorded. Send it '
            f"again with WHATIF on a line of its own above your guesses, and {end}."
        )
    return (
        f'Nothing from "{line}" on was read or recorded: send it again with WHATIF on a line of its own, and {end}.'
    )


@command(
    "WHATIF", body=Body.SANDBOX, passwordless=True,
    help="what would happen with your orders on file and those on the next lines, up to ENDWHATIF; these are not "
    "recorded",
)
def what_if(context: CommandContext) -> None:
    """WHATIF, orders of any powers, ENDWHATIF: the outcome in words and as a picture; nothing of it is filed."""
    game, book = context.the_game, context.the_book
    orders = _orders(context, book, context.call.body)
    outcome = adjudicate(book.variant, book.position, orders)
    title = (
        f"What if, in {game.name}: these results are only a guess. Nothing after WHATIF was recorded, and no one was "
        "notified. The guess uses your orders on file and the orders you gave there; other units have no orders."
    )
    result = results_of(book.variant, book.position, outcome)
    tell(context, title, "prediction", result=result, game=game, turn=book.phase.number, full=None)
    show(context, game, pictures.scene(game, book.position, outcome, "what if"))


def refuse_above_signon(context: CommandContext) -> None:
    """Refuse WHATIF above all sign-ons."""
    stopped = "" if context.call.ended else f"{_stopped(context, context.call)} "
    context.settle(f"{stopped}WHATIF comes after SIGNON: sign on above it.")


def _orders(context: CommandContext, book: FiledOrders, lines: Sequence[str]) -> dict[str, list[Order]]:
    """Return {power: its orders}: the player's own as on file, replaced by what the lines order, and the guesses."""
    own = book.variant.powers_of(context.the_power)
    given: dict[str, dict[str, Order]] = {}
    heading = ""
    for line in lines:
        if is_heading(book.variant, line) or line.endswith(":"):
            heading = line.rstrip(" :")
            continue
        try:
            earlier = [(power, order) for power, orders in given.items() for order in orders.values()]
            for number, (power, order) in enumerate(_read(context, book, heading, line, earlier)):
                key = f"{order.slot} {line} {number}" if order.slot == "WAIVE" else order.slot
                given.setdefault(power, {})[key] = order
        except OrderError as mistake:
            context.remark("stray", line, f"{mistake} This line was left out of WHATIF.")
    for power in own:
        if not (book.kind == "A" and power in given):
            on_file = {f"{number}": order for number, order in enumerate(book.orders_of(power))}
            new = given.get(power, {})
            kept = {key: order for key, order in on_file.items() if order.slot not in new}
            given[power] = {**kept, **new}
    return {power: [*orders.values()] for power, orders in given.items()}


def _read(
    context: CommandContext, book: FiledOrders, heading: str, line: str, earlier: Sequence[OwnOrder]
) -> list[OwnOrder]:
    """Return the orders of a line, each with its power; raise OrderError if one of them cannot be read.

    `earlier`: the orders of the lines above, which are not those of "all others".
    """
    variant, position = book.variant, book.position
    if is_bid_line(variant, line):
        raise OrderError(_NO_BIDS)
    named, colon, rest = line.partition(":")
    whose, text = (named.strip(), rest) if colon else (heading, line)
    if whose.casefold() == NEUTRAL.casefold():
        whose = ""
    seat = context.the_power
    if whose:
        try:
            seat = variant.seat(whose).name
        except KeyError as unknown:
            raise OrderError(unknown.args[0]) from None
    found: list[OwnOrder] = []
    for reading in readings(variant, seat, kind(position.phase), f"{whose}: {text}" if whose else text):
        if isinstance(reading, OrderError):
            raise reading
        # Without a name it is for the unit or center that is there.
        there = "" if whose else whose_slot(position, reading.order)
        owner = there if there == NEUTRAL else variant.seat_of(there) if there else seat
        if owner == NEUTRAL:
            found.append((NEUTRAL, check_neutral_order(variant, position, reading.order)))
        else:
            found += own_orders(variant, position, owner, reading, [*earlier, *found])
    return found


SLIPS = (Slip(names=("WHATIF",), place=Place.LOBBY, handler=refuse_above_signon, body=Body.SANDBOX),)
