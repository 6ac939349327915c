"""Diplomacy Points: powers bid in secret for the orders of armed neutrals.

A bid names points and an order. Bids for the same order add up, whoever makes them; two orders are the same when
they are alike in normal form. A neutral follows the order that has strictly more value behind it than every other
one, and holds where there is none such. (1648, "Diplomacy Points"; Ambition & Empire, IV; Intercontinental, 11;
rulings, "DP auction".) Who bids is a seat: a power, or a group of powers where there are groups.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.rules.board.orders import Convoy, Hold, Move, Order, OrderError, Support, Unit
from judge.rules.board.phase import kind
from judge.rules.board.position import Position
from judge.rules.mechanisms.religion import refusal
from judge.rules.mechanisms.terms import Points
from judge.rules.pieces.layout import Piece, Table
from judge.rules.pieces.legality import complete
from judge.rules.variant.variant import NEUTRAL, Variant

# What a neutral can be ordered at all; a variant may allow less.
NeutralOrder = Hold | Support | Move | Convoy
VERBS: dict[type, str] = {Hold: "hold", Support: "support", Move: "move", Convoy: "convoy"}
OVERRIDDEN = "The master gave this neutral its order."
ATTACKED = "Nobody orders a neutral that his own units attack in this phase (Attacking & Allocating)."


@dataclass(frozen=True)
class Unread:
    """What was written in place of an order and could not be read: it costs its points like any other."""

    text: str
    why: str
    slot: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Bid:
    """So many points for an order of a neutral."""

    points: int
    order: Order | Unread

    @property
    def text(self) -> str:
        """What the points are for: the order in normal form, or what was written in place of one."""
        return str(self.order)


@dataclass(frozen=True)
class BidResult:
    """What became of a bid: its value, bonus included, and whether its order is the one that is followed.

    `why` it counted nothing (then `value` is 0), "" where it counted. The bid's order is in normal form if it
    counted, else as it was given.
    """

    bidder: str
    bid: Bid
    value: int = 0
    won: bool = False
    why: str = ""


@dataclass(frozen=True)
class Lot:
    """One neutral that was bid for: what each order came to, the highest first, and the one it follows.

    `order` is None where no order has more than every other: then the neutral holds.
    """

    unit: Unit
    tally: tuple[tuple[NeutralOrder, int], ...]
    order: NeutralOrder | None


@dataclass(frozen=True)
class Auction:
    """`bids`: a result for each bid, in the order in which they were given."""

    bids: tuple[BidResult, ...] = ()

    @property
    def lots(self) -> dict[str, Lot]:
        """{province: its neutral's lot}, sorted."""
        return _lots(self.bids)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that won."""
        return tuple(lot.order for lot in self.lots.values() if lot.order)


def income(variant: Variant, position: Position, bidder: str) -> int:
    """The points that the bidder has in this phase: those of its powers together; none where the variant has none."""
    if variant.points is None or bidder not in variant.seat_named or kind(position.phase) != "M":
        return 0
    return sum(_income(variant.points, position, power) for power in variant.powers_of(bidder))


def _income(points: Points, position: Position, power: str) -> int:
    """What one power adds; nothing once it is eliminated."""
    centers = len(position.centers.get(power, ()))
    if not centers and not position.units.get(power):
        return 0
    if points.per_center:
        return min(points.per_center * centers, points.most)
    return points.incomes.get(power, points.income)


def check_bid(variant: Variant, position: Position, bidder: str, bid: Bid, earlier: Iterable[Bid] = ()) -> Bid:
    """The bid with its order in normal form; raises OrderError with the reason when it can never count.

    `earlier` are the bidder's other bids of this phase that stand. Whether all of them together are more than its
    income is not asked here.
    """
    return _check(Table(variant, position), bidder, bid, tuple(earlier))


def _check(table: Table, bidder: str, bid: Bid, earlier: Sequence[Bid]) -> Bid:
    variant, order = table.variant, bid.order
    if variant.points is None:
        raise OrderError(f"There are no Diplomacy Points in {variant.title}.")
    if kind(table.position.phase) != "M":
        raise OrderError("Diplomacy Points are spent in movement phases only.")
    if bid.points < 1:
        raise OrderError("A bid needs one point or more.")
    if isinstance(order, Unread):
        raise OrderError(order.why)
    piece = _neutral(table, bidder, order)
    completed = _ordered(table, piece, order)
    _check_limits(table, piece, bid.points, earlier)
    _check_order_limit(variant.points, bid.points, completed, earlier)
    return Bid(bid.points, completed)


def check_neutral_order(variant: Variant, position: Position, order: Order) -> Order:
    """What a master orders a neutral, in normal form; raises OrderError with the reason when no neutral could do it."""
    if kind(position.phase) != "M":
        raise OrderError("Neutrals are ordered in movement phases only.")
    table = Table(variant, position)
    return _ordered(table, _neutral(table, "", order), order)


def _ordered(table: Table, piece: Piece, order: Order) -> Order:
    """The order of the neutral `piece` in normal form; raises OrderError where the rules do not let it do that."""
    _check_verb(table, piece, order)
    completed = _normal(table, complete(table, NEUTRAL, order))
    reason = refusal(table, completed)
    if reason:
        raise OrderError(reason)
    return completed


def _neutral(table: Table, bidder: str, order: Order) -> Piece:
    """The neutral unit that the order is for."""
    piece = table.at.get(order.slot)
    if piece is None:
        place = table.name(order.slot) if order.slot in table.board.province_of else f'"{order}"'
        raise OrderError(f"There is no neutral unit in {place}.")
    if piece.power in table.variant.powers_of(bidder):
        raise OrderError(f"{table.called(piece.unit)} is your own.", "Order it without points.")
    if piece.power != NEUTRAL:
        owner = table.variant.power_named[piece.power]
        raise OrderError(f"{table.called(piece.unit)} is {owner.adjective}, not a neutral.")
    return piece


def _check_verb(table: Table, piece: Piece, order: Order) -> None:
    """A neutral is ordered nothing but what the variant lets it do, and helps no neutral to what that cannot do."""
    allowed = table.variant.neutrals.orders
    if VERBS.get(type(order)) not in allowed:
        raise OrderError(f"{table.called(piece.unit)} is neutral: it can only {' or '.join(allowed)}.")
    if isinstance(order, Support) and order.to and "move" not in allowed:
        helped = table.at.get(order.helped.province)
        if helped and helped.power == NEUTRAL:
            raise OrderError(f"{table.called(helped.unit)} is neutral: it never moves.")


def _normal(table: Table, order: Order) -> Order:
    """A completed order without a coast that says nothing: the fleet comes to no other one there."""
    if not isinstance(order, Support) or order.to == order.target:
        return order
    helped = table.at[order.helped.province]
    single = order.to and len(helped.spot.landings[order.target]) == 1
    return Support(order.unit, order.helped, order.target) if single else order


def _check_limits(table: Table, piece: Piece, points: int, earlier: Sequence[Bid]) -> None:
    """So much on one neutral (1648: two points), and that much on so many neutrals (1648: two; only France, which
    has six points, ever meets this limit).
    """
    terms, here = table.variant.points, piece.unit.province
    assert terms is not None
    if not terms.per_neutral:
        return
    spent: dict[str, int] = {}
    for bid in earlier:
        spent[bid.order.slot] = spent.get(bid.order.slot, 0) + bid.points
    spent[here] = spent.get(here, 0) + points
    if spent[here] > terms.per_neutral:
        raise OrderError(
            f"At most {terms.per_neutral} of a power's points may be on one neutral; "
            f"{table.name(here)} would have {spent[here]}."
        )
    full = [name for name, sum_there in spent.items() if sum_there == terms.per_neutral]
    if terms.full and here in full and len(full) > terms.full:
        raise OrderError(
            f"At most {terms.full} neutrals may have {terms.per_neutral} of a power's points; "
            f"{table.name(here)} would be one more."
        )


def _check_order_limit(points: Points, more: int, order: Order, earlier: Sequence[Bid]) -> None:
    """So much on one order (Intercontinental, 11.3: two points)."""
    there = more + sum(bid.points for bid in earlier if bid.order == order)
    if points.per_order and there > points.per_order:
        raise OrderError(f"At most {points.per_order} of a player's points may be on one order; this is {there}.")


# --- the auction ----------------------------------------------------------------------------------------------


def auction(
    variant: Variant,
    position: Position,
    bids: Mapping[str, Sequence[Bid]],
    orders: Mapping[str, Sequence[Order]] | None = None,
) -> Auction:
    """Who bid what, what of it counted, and which order each neutral follows.

    `bids` are {bidder: its bids in the order given}; a bid that breaks a limit or can never be carried out is void by
    itself, and a bidder that wrote down more points than it has loses all its bids. `orders` are the orders of the
    phase: a neutral with an order under "Neutral" has it from the master, and bids for it count nothing.
    """
    table = Table(variant, position)
    orders = orders or {}
    barred = dict.fromkeys((order.slot for order in orders.get(NEUTRAL, ())), OVERRIDDEN)
    results = []
    for bidder, own in bids.items():
        attacked = dict.fromkeys(attacked_by(table, bidder, orders), ATTACKED) if _attack_voids(variant) else {}
        results += _values(table, bidder, own, attacked | barred)
    winning = set(Auction(tuple(results)).orders)
    return Auction(tuple(replace(one, won=not one.why and one.bid.order in winning) for one in results))


def _attack_voids(variant: Variant) -> bool:
    return variant.points is not None and variant.points.attack_voids


def attacked_by(table: Table, bidder: str, orders: Mapping[str, Sequence[Order]]) -> set[str]:
    """The provinces of neutrals that the bidder attacks, or supports an attack on, with any unit of its powers.

    Orders that can never be carried out do not count, and of several for a unit only the last; a convoying fleet does
    not attack. (Intercontinental, 11.2; rulings, "Intercontinental" 6.)
    """
    attacked = set()
    for power in table.variant.powers_of(bidder):
        for order in _final(table, power, orders.get(power, ())):
            target = order.target if isinstance(order, Move) or (isinstance(order, Support) and order.to) else ""
            if target in table.at and table.at[target].power == NEUTRAL:
                attacked.add(target)
    return attacked


def _final(table: Table, power: str, orders: Sequence[Order]) -> Iterable[Order]:
    """The orders that the power's units follow."""
    final = {}
    for order in orders:
        try:
            final[order.slot] = complete(table, power, order)
        except OrderError:
            continue
    return final.values()


def _values(table: Table, bidder: str, bids: Sequence[Bid], barred: Mapping[str, str]) -> list[BidResult]:
    """What each of one bidder's bids is worth; `barred`, {province: why bids for its neutral count nothing}."""
    has, written = income(table.variant, table.position, bidder), sum(max(bid.points, 0) for bid in bids)
    if written > has and table.variant.points and kind(table.position.phase) == "M":
        why = f"All its bids are forfeited: {written} points were written down, and it has {has}."
        return [BidResult(bidder, bid, why=why) for bid in bids]
    standing: list[Bid] = []
    results: list[BidResult] = []
    for bid in bids:
        try:
            checked = _check(table, bidder, bid, standing)
        except OrderError as mistake:
            results.append(BidResult(bidder, bid, why=str(mistake)))
            continue
        if bid.order.slot in barred:
            results.append(BidResult(bidder, bid, why=barred[bid.order.slot]))
            continue
        standing.append(checked)
        results.append(BidResult(bidder, checked, checked.points * _factor(table.variant, bidder, bid.order.slot)))
    return _with_bonus(table.variant, bidder, results)


def _factor(variant: Variant, bidder: str, center: str) -> int:
    """How many times a point of the bidder counts there (Intercontinental, 11.3)."""
    return variant.points.sponsor_factor if variant.points and variant.sponsor(center) == bidder else 1


def _with_bonus(variant: Variant, bidder: str, results: list[BidResult]) -> list[BidResult]:
    """A suzerain's points on its vassal are worth more, once: on its bid with most points there, else on the
    first.
    """
    bonus = variant.points.vassal_bonus if variant.points else 0
    for vassal in variant.vassals.get(bidder, ()) if bonus else ():
        here = [at for at, result in enumerate(results) if result.value and result.bid.order.slot == vassal]
        if here:
            best = max(here, key=lambda at: results[at].value)
            results[best] = replace(results[best], value=results[best].value + bonus)
    return results


def _lots(results: Iterable[BidResult]) -> dict[str, Lot]:
    tallies: dict[str, dict[NeutralOrder, int]] = {}
    for result in results:
        order = result.bid.order
        if not result.why and isinstance(order, NeutralOrder):
            tally = tallies.setdefault(order.slot, {})
            tally[order] = tally.get(order, 0) + result.value
    return {province: _lot(tallies[province]) for province in sorted(tallies)}


def _lot(tally: Mapping[NeutralOrder, int]) -> Lot:
    """The order with strictly more value than every other one, if there is one."""
    ranked = sorted(tally.items(), key=lambda entry: (-entry[1], str(entry[0])))
    tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return Lot(ranked[0][0].unit, tuple(ranked), None if tie else ranked[0][0])
