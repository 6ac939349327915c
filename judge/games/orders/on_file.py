"""The orders on file for a seat, as they are told to its holder."""

from judge.games.orders.filed_orders import FiledOrders
from judge.mails.views import order_lines


def filed_lines(book: FiledOrders, seat: str) -> list[tuple[str, str]]:
    """(power, one of its orders in full words), power by power; for units without an order what they will do."""
    return [
        (power, line)
        for power in book.variant.powers_of(seat)
        for line in order_lines(book.variant, book.position, power, book.orders_of(power))
    ]
