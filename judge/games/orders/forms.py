"""The form that a player has only to complete and send back, and how the bids for a phase ended.

A line left open in a form (`A PAR ...`) is never read as an order when it comes back; `//` begins a comment in it. Who
may see the bids of others (rulings, "Diplomacy Points" 8) is decided in judge/games/core/who_may_see.py.
"""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from judge.games.core.passwords import is_passwordless
from judge.games.core.work import Work
from judge.games.orders.filed_orders import FiledOrders
from judge.mails.pages import Form
from judge.rules import (
    LEFT_OPEN,
    NEUTRAL,
    Auction,
    Bid,
    BidResult,
    Hold,
    Home,
    Need,
    Order,
    Position,
    Retreat,
    Unread,
    Variant,
    Waive,
    describe_order,
    format_order,
    income,
)
from judge.rules.board.names import counted
from judge.rules.board.phase import kind
from judge.rules.describe import weakened
from judge.store.seats import seats_with_power
from judge.store.tables import Seat

# What fits into a mail that is 79 columns wide, indented by four.
_COLUMNS = 75


def form(book: FiledOrders, seat: str) -> Form | None:
    """The form for `seat` in the phase of `book`; None if the phase asks nothing of its powers."""
    if seat not in book.asked:
        return None
    asked = book.asked[seat]
    lines = [line for power in book.variant.powers_of(seat) if power in asked for line in _power(book, seat, power)]
    signon = book.variant.seat_named[seat].at(book.game.name)
    return Form(signon, book.phase.name, (*lines, *_bids(book, seat)), complete=not book.missing().get(seat))


def own_forms(work: Work, book: FiledOrders, mine: Iterable[Seat]) -> list[Form]:
    """The forms of the seats `mine`, as their player has to write them."""
    found = []
    for seat in mine:
        made, game = form(book, seat.power or ""), book.game
        if made and is_passwordless(work.services.settings, game, seat):
            by_reply = len(seats_with_power(work.session, game, seat.person_id)) == 1
            made = replace(made, passwordless=True, by_reply=by_reply)
        found += [made] if made else []
    return found


def _power(book: FiledOrders, seat: str, power: str) -> Iterator[str]:
    """The lines of one power; in a group the power's name stands above them."""
    need, given = book.asked[seat][power], book.orders_of(power)
    several = len(book.variant.powers_of(seat)) > 1
    if several:
        yield f"// {power}"
    if kind(book.phase.name) == "A":
        yield from _winter(need, given, f"WAIVE {power}" if several else "WAIVE")
    else:
        yield from _by_unit(book.variant, need, given)


def _by_unit(variant: Variant, need: Need, given: list[Order]) -> Iterator[str]:
    """Movement and retreats: a line for each unit; in retreats with the possible choices, weak ones marked."""
    by_slot = {order.slot: format_order(order) for order in given}
    for unit in need.units:
        places = need.retreats.get(unit, ())
        ways = ((place, weakened(variant, Retreat(unit, place))) for place in places)
        choice = ", ".join(f"- {place}{f' ({way})' if way else ''}" for place, way in ways)
        choice += " or D" if places else ""
        yield from _with_choice(by_slot.get(unit.province, f"{unit} {LEFT_OPEN}"), choice)


def _bids(book: FiledOrders, seat: str) -> Iterator[str]:
    """The bids on file, and if points are left a line for more bids, or one that repeats that they are not spent."""
    if kind(book.phase.name) != "M":
        return
    yield from (f"DP {bid.points}: {bid.text}" for bid in book.bids.given(seat))
    if book.bids.declined(seat):
        yield "DP NONE"
    elif book.bids.undecided(seat):
        neutrals = counted(len(book.position.units.get(NEUTRAL, ())), "neutral")
        left = f"{book.bids.undecided(seat)} of {counted(book.bids.income(seat), 'point')} left, {neutrals}"
        yield from _with_choice(f"DP 1: {LEFT_OPEN}", left)


def _winter(need: Need, given: list[Order], waive: str) -> Iterator[str]:
    """The orders on file and a line for each that is missing: a letter's lines replace all that were sent before.

    `waive`: how a build of the power is waived.
    """
    yield from (waive if isinstance(order, Waive) else format_order(order) for order in given)
    word = "BUILD" if need.builds > 0 else "REMOVE"
    taken = {order.slot for order in given}
    sites = [site for site in need.sites if site not in taken]
    if taken.isdisjoint(need.claims):
        sites += [f"{site} (as new home)" for site in need.claims]
    units = ", ".join(str(unit) for unit in need.units if unit.province not in taken)
    choice = f"in {', '.join(sites)}; or {waive}" if need.builds > 0 else units
    named = sum(isinstance(order, Home) for order in given)
    for _ in range(abs(need.builds) - (len(given) - named)):
        yield from _with_choice(f"{word} {LEFT_OPEN}", choice)
        choice = ""
    if need.homes and not named:
        yield from _with_choice(f"HOME {LEFT_OPEN}", " or ".join(need.homes))


def _with_choice(line: str, choice: str) -> list[str]:
    """A line with a comment that lists the possible choices; a long comment stands below the line."""
    if not choice:
        return [line]
    whole = f"{line}  // {choice}"
    if len(whole) <= _COLUMNS:
        return [whole]
    return [line, *textwrap.wrap(choice, _COLUMNS, initial_indent="// ", subsequent_indent="// ")]


def may_bid(variant: Variant, position: Position) -> bool:
    """Whether there are points to spend in the phase."""
    return variant.points is not None and kind(position.phase) == "M"


@dataclass(frozen=True)
class OwnBids:
    """The results of one power's bids."""

    power: str
    lines: list[str]
    spent: int
    income: int


@dataclass(frozen=True)
class FullReport:
    """All bids of a phase, power by power; the result of each order of a neutral; the points that each power left."""

    powers: list[OwnBids]
    lots: list[tuple[str, list[str]]]


def full_report(variant: Variant, position: Position, auction: Auction) -> FullReport:
    """For readers who may see all bids."""
    powers = [
        own for power in variant.seats if (own := own_bids(variant, position, auction, power.name, full=True)).income
    ]
    lots = []
    for province, lot in auction.lots.items():
        lines = [
            f"{value} for {describe_order(variant, position, order)}{'  (followed)' * (order == lot.order)}"
            for order, value in lot.tally
        ]
        level = [] if lot.order else ["no order has the most points, so it holds."]
        lots.append((variant.provinces[province].name, lines + level))
    return FullReport(powers, lots)


def own_bids(variant: Variant, position: Position, auction: Auction, power: str, full: bool = False) -> OwnBids:
    """For the player of the power; `full`: for the master, who may know why a bid did not win."""
    mine = [one for one in auction.bids if one.bidder == power]
    lines = [
        f"{one.bid.points}: {bid_words(variant, position, one.bid)}  ({_fate(one, auction, full)}"
        + (f", worth {one.value})" if one.value > one.bid.points else ")")
        for one in mine
    ]
    return OwnBids(power, lines, sum(one.bid.points for one in mine), income(variant, position, power))


def bid_words(variant: Variant, position: Position, bid: Bid) -> str:
    """The order of a bid in full words; an order that could not be read stands as written."""
    if isinstance(bid.order, Unread):
        return f'"{bid.text}"'
    return describe_order(variant, position, bid.order)


def _fate(one: BidResult, auction: Auction, reader_knows_all: bool) -> str:
    """The result of a bid; the bidder learns nothing beyond what the published orders show."""
    if one.why:
        return f"had no effect: {one.why.rstrip('.')}"
    if one.won or not reader_knows_all:
        return "won" if seems_won(one, auction) else "did not win"
    return "outbid" if auction.lots[one.bid.order.slot].order else "no order had the most points"


def bids_verdict(auction: Auction, power: str) -> str:
    """`2 of your 3 bids won.`; "" without bids. It says no more than the published orders show."""
    mine = [one for one in auction.bids if one.bidder == power]
    won = sum(seems_won(one, auction) for one in mine)
    if len(mine) == 1:
        return f"your bid {'won' if won else 'did not win'}."
    return f"{won or 'none'} of your {len(mine)} bids won." if mine else ""


def seems_won(one: BidResult, auction: Auction) -> bool:
    """Return whether the neutral did what the bid says.

    The results show that it held, not whether a bid told it to: only the master knows that others bid there.
    """
    held = not one.why and isinstance(one.bid.order, Hold) and auction.lots[one.bid.order.slot].order is None
    return one.won or held
