"""What orders would do: notes on a player's own orders that do not fit together."""

from judge.commands.core.context import CommandContext
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import Order, Unread
from judge.rules.phases.order_notes import order_notes
from judge.store.tables import Person


def point_out(context: CommandContext, book: FiledOrders) -> None:
    """Point out which of the player's orders do not fit together; no one else's are looked at."""
    if not context.session.get_one(Person, context.the_seat.person_id).checks:
        return
    orders = {power: book.orders_of(power) for power in book.variant.powers_of(context.the_power)}
    bids: list[Order] = []
    for bid in book.bids.given(context.the_power):
        bids += [] if isinstance(bid.order, Unread) else [bid.order]
    if notes := order_notes(book.variant, book.position, orders, bids):
        context.say("order_notes", notes=notes)
        context.answer.confirmed.append(context.answer.texts[-1])
