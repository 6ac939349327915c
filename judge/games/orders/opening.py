"""What a phase that opens asks of a seat, in a sentence: the points that it may spend, or that it has nothing to do."""

from judge.games.orders.filed_orders import FiledOrders
from judge.rules import NEUTRAL
from judge.rules.board.phase import kind


def points_at_hand(book: FiledOrders, seat: str, who: str = "You have") -> str:
    """`You have 3 Diplomacy Points for this phase, to spend on 31 neutrals.`; "" if there is nothing to spend.

    `who`: "You have", or "Blue has" for a reader with several seats.
    """
    neutrals, has = len(book.position.units.get(NEUTRAL, ())), book.bids.income(seat)
    if not (neutrals and has) or kind(book.phase.name) != "M":
        return ""
    return f"{who} {_counted(has, 'Diplomacy Point')} for this phase, to spend on {_counted(neutrals, 'neutral')}."


def told_at_opening(book: FiledOrders, seat: str, who: str = "You have") -> str:
    """What everybody reads with the results of the phase before; "" where the form says it all, and for who is out."""
    if seat in book.asked:
        return points_at_hand(book, seat, who)
    return f"{who} nothing to order in this phase." if seat in book.still_in else ""


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
