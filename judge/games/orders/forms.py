"""What a player reads of the orders and bids for a phase: those on file, what is missing, a form, how bids ended.

A line left open in a form (`A PAR ...`) is never read as an order when it comes back; `//` begins a comment in it. Who
may see the bids of others (rulings, "Diplomacy Points" 8) is decided in judge/games/core/who_may_see.py.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.games.core import passwords
from judge.games.core.work import Work
from judge.games.orders.filed_orders import FiledOrders
from judge.mails.pages import Form
from judge.mails.views import order_lines
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
    Unread,
    Variant,
    Waive,
    describe_order,
    format_order,
    income,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.phase import kind
from judge.rules.describe import describe_place, describe_unit
from judge.rules.mechanisms.auction import attacked_by
from judge.store.tables import Game, Seat

# What fits into a mail that is 79 columns wide, indented by four.
_COLUMNS = 75


def form(book: FiledOrders, game: str, seat: str) -> Form | None:
    """The form for `seat` in the phase of `book`; None if the phase asks nothing of its powers."""
    if seat not in book.asked:
        return None
    asked = book.asked[seat]
    lines = [line for power in book.variant.powers_of(seat) if power in asked for line in _power(book, seat, power)]
    signon = book.variant.seat_named[seat].at(game)
    return Form(signon, book.phase.name, (*lines, *_bids(book, seat)), complete=not book.missing().get(seat))


def for_holder(work: Work, game: Game, seat: Seat, blank: Form | None) -> Form | None:
    """The form as the player in `seat` has to write it."""
    if not blank or not passwords.is_passwordless(work.services.settings, game, seat):
        return blank
    return replace(blank, passwordless=True, by_reply=passwords.is_only_seat(work.session, game, seat))


def forms(book: FiledOrders, game: str) -> dict[str, Form]:
    """{seat: its form} for every seat of which the phase asks something."""
    made = {seat.name: form(book, game, seat.name) for seat in book.variant.seats}
    return {seat: one for seat, one in made.items() if one}


def _power(book: FiledOrders, seat: str, power: str) -> Iterator[str]:
    """The lines of one power; in a group the power's name stands above them."""
    need, given = book.asked[seat][power], book.orders_of(power)
    several = len(book.variant.powers_of(seat)) > 1
    if several:
        yield f"// {power}"
    if kind(book.phase.name) == "A":
        yield from _winter(need, given, f"WAIVE {power}" if several else "WAIVE")
    else:
        yield from _by_unit(need, given)


def _by_unit(need: Need, given: list[Order]) -> Iterator[str]:
    """Movement and retreats: a line for each unit; in retreats with the possible choices."""
    by_slot = {order.slot: format_order(order) for order in given}
    for unit in need.units:
        places = need.retreats.get(unit, ())
        choice = f"{', '.join(f'- {place}' for place in places)} or D" if places else ""
        yield from _with_choice(by_slot.get(unit.province, f"{unit} {LEFT_OPEN}"), choice)


def _bids(book: FiledOrders, seat: str) -> Iterator[str]:
    """The bids on file, and if points are left a line for more bids, or one that repeats that they are not spent."""
    if kind(book.phase.name) != "M":
        return
    yield from (f"DP {bid.points}: {bid.text}" for bid in book.bids.given(seat))
    if book.bids.declined(seat):
        yield "DP NONE"
    elif book.bids.undecided(seat):
        neutrals = len(book.position.units.get(NEUTRAL, ()))
        left = f"{book.bids.undecided(seat)} of {book.bids.income(seat)} points left, {neutrals} neutrals"
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
    choice = f"in {', '.join(sites)}; or {waive}" if need.builds > 0 else ""
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


def filed_lines(book: FiledOrders, seat: str) -> list[tuple[str, str]]:
    """(power, one of its orders in full words), power by power; for units without an order what they will do."""
    return [
        (power, line)
        for power in book.variant.powers_of(seat)
        for line in order_lines(book.variant, book.position, power, book.orders_of(power))
    ]


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


def wanting(book: FiledOrders, seat: str) -> list[str]:
    """What the powers of `seat` owe in the phase of `book`, a line for each thing."""
    asked = book.asked.get(seat, {})
    lines = [(power, line) for power, need in asked.items() for line in _wanting(book, power, need)]
    return [f"{power}: {line}" if len(asked) > 1 else line for power, line in lines]


def _wanting(book: FiledOrders, power: str, need: Need) -> list[str]:
    missing = book.missing_of(power)
    if kind(book.phase.name) == "A":
        homes = [_homes(book, need)] if "home center" in missing else []
        due = len(missing) - len(homes)
        return [_adjustments(book, need, due)] * bool(due) + homes
    lines = []
    for unit in need.units:
        if str(unit) in missing:
            places = [describe_place(book.variant, place) for place in need.retreats.get(unit, ())]
            choice = f" (to {' or '.join(places)}, or disband)" if places else ""
            lines.append(f"{describe_unit(book.variant, unit)}{choice}")
    return lines


def _homes(book: FiledOrders, need: Need) -> str:
    """The home center that the player has to name, and the one that is taken by default."""
    names = [f"{describe_place(book.variant, center)} ({center})" for center in need.homes]
    return f"your new home center: HOME {' or '.join(names)}; else it is {book.variant.provinces[need.homes[0]].name}"


def _adjustments(book: FiledOrders, need: Need, count: int) -> str:
    if need.builds < 0:
        return f"{count} removal{'s' if count > 1 else ''}"
    places = [describe_place(book.variant, site.partition("/")[0]) for site in need.sites]
    if need.claims:
        named = ", ".join(describe_place(book.variant, site) for site in need.claims)
        places.append(f"one of these, which makes it your additional home center: {named}")
    return f"{count} build{'s' if count > 1 else ''} (in {' or '.join(dict.fromkeys(places))}), or WAIVE"


@dataclass(frozen=True)
class BidView:
    """A power's bids on file: `lines` in full words; the points it has, and how many are spent.

    `declined`: points are left, and the player has said that they are not spent; `held`: the phase waits because of
    them; `attacked`: the neutrals that the power attacks, so that its bids for them do not count.
    """

    lines: list[str]
    spent: int
    income: int
    declined: bool
    held: bool
    attacked: list[str]


def may_bid(variant: Variant, position: Position) -> bool:
    """Whether there are points to spend in the phase."""
    return variant.points is not None and kind(position.phase) == "M"


def bid_view(book: FiledOrders, power: str) -> BidView | None:
    """What the confirmation shows; None if the power (or group) has no points."""
    bids = book.bids
    has = bids.income(power)
    if not has:
        return None
    lines = [f"DP {bid.points}: {_said(book.variant, book.position, bid)}" for bid in bids.given(power)]
    spent, declined = bids.spent(power), bids.declined(power)
    return BidView(lines, spent, has, declined and spent < has, bool(bids.undecided(power)), _attacked(book, power))


def _attacked(book: FiledOrders, power: str) -> list[str]:
    """The neutrals for which the power bids in vain, since its units attack them (Intercontinental, 11.2)."""
    points, given = book.variant.points, book.bids.given(power)
    if not (points and points.attack_voids and given):
        return []
    orders = {own: book.orders_of(own) for own in book.variant.powers_of(power)}
    attacked = attacked_by(BoardState(book.variant, book.position), power, orders)
    slots = dict.fromkeys(bid.order.slot for bid in given)
    return [book.variant.provinces[slot].name for slot in slots if slot in attacked]


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
        f"{one.bid.points}: {_said(variant, position, one.bid)}  ({_fate(one, auction, full)}"
        + (f", worth {one.value})" if one.value > one.bid.points else ")")
        for one in mine
    ]
    return OwnBids(power, lines, sum(one.bid.points for one in mine), income(variant, position, power))


def _said(variant: Variant, position: Position, bid: Bid) -> str:
    """The order of a bid in full words; an order that could not be read stands as written."""
    if isinstance(bid.order, Unread):
        return f'"{bid.text}"'
    return describe_order(variant, position, bid.order)


def _fate(one: BidResult, auction: Auction, reader_knows_all: bool) -> str:
    """The result of a bid; the bidder learns nothing beyond what the published orders show."""
    if one.why:
        return f"did not count: {one.why.rstrip('.')}"
    if one.won or not reader_knows_all:
        return "won" if seems_won(one, auction) else "did not win"
    return "outbid" if auction.lots[one.bid.order.slot].order else "no order had the most points"


def seems_won(one: BidResult, auction: Auction) -> bool:
    """Return whether the neutral did what the bid says.

    The results show that it held, not whether a bid told it to: only the master knows that others bid there.
    """
    held = not one.why and isinstance(one.bid.order, Hold) and auction.lots[one.bid.order.slot].order is None
    return one.won or held
