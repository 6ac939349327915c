"""Orders for later phases, when their phase opens: they are read, filed, and their players are told."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from judge.games.core.work import Work
from judge.games.notifications import notices
from judge.games.orders.bid_lines import BidLine
from judge.games.orders.deferred_orders import order_of, read_kept, shown, text_of
from judge.games.orders.filed_orders import FiledOrders, Read
from judge.games.orders.forms import own_forms
from judge.games.orders.standing import on_file
from judge.rules import OrderError
from judge.rules.parsing.lines import Reading, is_about_the_rest, own_orders
from judge.store.orders import future_lines
from judge.store.seats import seat_of_power
from judge.store.tables import FutureLine, Game


def take_up(work: Work, game: Game, book: FiledOrders) -> None:
    """File what was kept for the book's phase, which has opened, and mail each player the result.

    Lines of past phases are deleted.
    """
    phase = book.phase
    due = [line for line in future_lines(work.session, game) if order_of(line.phase_name) <= order_of(phase.name)]
    for power in dict.fromkeys(line.power for line in due):
        lines = [line for line in due if line.power == power and line.phase_name == phase.name]
        if lines:
            _file(work, game, book, power, lines)
    for line in due:
        work.session.delete(line)


def _file(work: Work, game: Game, book: FiledOrders, power: str, lines: Sequence[FutureLine]) -> None:
    phase = book.phase
    read: list[Read] = []
    refused: list[tuple[str, str]] = []
    said = [
        (line, kept) for line in lines for kept in read_kept(book.variant, power, book.position, line.text)
    ]
    bidding = [(line.letter_id, kept) for line, kept in said if isinstance(kept, BidLine)]
    for letter_id, letter in groupby(bidding, key=lambda bid: bid[0]):
        refused += _bid(book, power, [bid for _, bid in letter], letter_id, work.now)
    for line, kept in sorted(said, key=lambda one: is_about_the_rest(one[1])):
        try:
            if isinstance(kept, OrderError):
                raise kept
            if isinstance(kept, Reading):
                given = [(whose, order) for _, whose, order in read] if is_about_the_rest(kept) else ()
                read += [(kept.text, *own) for own in own_orders(book.variant, book.position, power, kept, given)]
        except OrderError as mistake:
            refused.append((shown(line.text) if isinstance(kept, OrderError) else text_of(kept), str(mistake)))
    refused += book.give(read, lines[-1].letter_id, work.now)
    seat = seat_of_power(work.session, game, power)
    if seat:
        context = {
            **on_file(book, power),
            "refused": refused,
            "missing": book.missing().get(power, []),
            "forms": own_forms(work, book, [seat]),
        }
        pending = notices.Announcement(game, phase, "pending", f"{phase.name} Pending Orders", context)
        notices.tell_seat(work, seat, pending)


def _bid(
    book: FiledOrders, power: str, lines: Sequence[BidLine], letter_id: int | None, now: datetime
) -> list[tuple[str, str]]:
    """File the bids of one letter; returns the refused ones, with the reason."""
    taken = book.bids.give(power, lines, letter_id, now)
    if taken.stored:
        return taken.refused
    why = f"Not recorded: with these bids you would spend {taken.spend} points, but you have {book.bids.income(power)}."
    own = dict(taken.refused)
    return [(bid.line, own.get(bid.line, why)) for bid in lines]
