"""What is told of the bids, in words: a player's own, or all of them (rulings, "Diplomacy Points" 8). Who may see all
is decided in judge/games/core/who_may_see.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.games.core.services import Services
from judge.games.core.who_may_see import Viewer, may_see, viewer
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import Auction, Bid, BidResult, Hold, Outcome, Position, Unread, Variant, describe_order, income
from judge.rules.board.board_state import BoardState
from judge.rules.board.phase import kind
from judge.rules.mechanisms.auction import attacked_by
from judge.store.seats import by_address
from judge.store.tables import Game, Seat


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
    lines = [_bid_line(variant, position, one, auction, full) for one in mine]
    return OwnBids(power, lines, sum(one.bid.points for one in mine), income(variant, position, power))


def _bid_line(variant: Variant, position: Position, one: BidResult, auction: Auction, full: bool) -> str:
    """`2: Army Swabia HOLD.  (won)`."""
    worth = f", worth {one.value}" if one.value > one.bid.points else ""
    return f"{one.bid.points}: {_said(variant, position, one.bid)}  ({_fate(one, auction, full)}{worth})"


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
        return "won" if _seems_won(one, auction) else "did not win"
    return "outbid" if auction.lots[one.bid.order.slot].order else "no order had the most points"


def _seems_won(one: BidResult, auction: Auction) -> bool:
    """Whether the neutral did what the bid says. The results show that it held, not whether a bid told it to: only the
    master knows that others bid there.
    """
    held = not one.why and isinstance(one.bid.order, Hold) and auction.lots[one.bid.order.slot].order is None
    return one.won or held


def bids_told(game: Game, auction: Auction, reader: Viewer) -> tuple[BidResult, ...]:
    """The bids that results tell the reader: all, or their own without what only those know who see all."""
    if may_see(reader, game, "bids", "processed"):
        return auction.bids
    own = [one for one in auction.bids if may_see(reader, game, "bids", "processed", one.bidder)]
    return tuple(replace(one, won=_seems_won(one, auction)) for one in own)


def endings(services: Services, book: FiledOrders, outcome: Outcome, seats: Sequence[Seat]) -> dict[str, str]:
    """{address: how its copy of the results ends}: the full report if it may be seen, a player's own bids."""
    variant, position = book.variant, book.position
    if not may_bid(variant, position):
        return {}
    found: dict[str, str] = {}
    for address, mine in by_address(seats).items():
        sees_all = may_see(viewer(mine, seats), book.game, "bids", "processed")
        own = [own_bids(variant, position, outcome.bids, seat.power) for seat in mine if seat.power]
        own = [bids for bids in own if bids.income]
        if sees_all or own:
            full = full_report(variant, position, outcome.bids) if sees_all else None
            found[address] = services.post.render("bids", services.settings.zone, full=full, own=own)
    return found
