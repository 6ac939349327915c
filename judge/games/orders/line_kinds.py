"""Classify the lines of emails. No other module decides whether a line is an order."""

from functools import lru_cache
from typing import Literal

from judge.games.orders.bids import may_be_bid
from judge.rules import Position, Variant, filled_in, looks_like_order
from judge.rules.board.orders import owners
from judge.rules.parsing.decoration import LONGEST_LINE, is_heading
from judge.rules.parsing.lines import Reading, readings

# The kinds of lines. "order" and "bid" are orders and bids, however badly written. "heading" is the name of a power.
# "open" is a line of a form that was left without an order.
LineKind = Literal["order", "bid", "heading", "open", "prose"]
ORDERS: frozenset[LineKind] = frozenset(("order", "bid"))
# The slots of orders for all units, and of waives.
_ANYONES = ("", "WAIVE")
Whose = Literal["own", "anyone's", "another's", "unread", ""]


def kind_of(variant: Variant, text: str) -> LineKind:
    """Return the kind of a line in a game of that variant. Only the beginning of a long line is examined."""
    return _kind_of(variant, text[:LONGEST_LINE])


@lru_cache(maxsize=4096)
def _kind_of(variant: Variant, text: str) -> LineKind:
    """Return the kind of a line, cached since each line is classified several times while an email is handled."""
    if is_heading(variant, text):
        return "heading"
    if may_be_bid(variant, text):
        return "bid"
    if looks_like_order(variant, text):
        return "order"
    return "prose" if filled_in(text) == text else "open"


def whose(variant: Variant, position: Position, seat: str, text: str) -> Whose:
    """Return whose units a line orders, or "" if the line is not an order.

    Bids, waives and orders for all units are "anyone's". A seat's own units include dislodged units, and a winter order
    for one of its centers is its own. An order for a unit that is not on the board is "unread".
    """
    what = kind_of(variant, text)
    if what == "bid":
        return "anyone's"
    found = readings(variant, seat, position.kind, text) if what == "order" else []
    slots = {one.order.slot for one in found if isinstance(one, Reading)}
    for power in variant.powers_of(seat):
        own = {unit.province for unit in position.all_units_of(power)}
        if not slots.isdisjoint(own | {*position.centers_of(power)}):
            return "own"
    if not slots.isdisjoint(_ANYONES):
        return "anyone's"
    there = {unit.province for power in position.units for unit in position.all_units_of(power)}
    if not slots.isdisjoint(there | owners(position).keys()):
        return "another's"
    return "unread" if found else ""
