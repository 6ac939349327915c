"""Bids for the orders of armed neutrals, and the auction of a phase.

A bid is a number of points for an order. The bids of all players for the same order are added up. Two orders are the
same if their normal forms are equal. A neutral follows the order with the highest value. If several orders share the
highest value, the neutral holds. (1648, "Diplomacy Points"; Ambition & Empire, IV; Intercontinental, 11; rulings,
"Diplomacy Points" 1 to 8.) Each bidder is a power, or a group of powers where there are groups.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from judge.rules.board.board_state import BoardState, Piece, complete
from judge.rules.board.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    OrderError,
    Position,
    Support,
    Unit,
    province_of,
    verb_of,
)
from judge.rules.board.phase import kind
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals, refusal
from judge.rules.mechanisms.diplomacy_points import Points, Sponsors, Vassals

# The orders that any neutral can be given. A variant may allow fewer.
NeutralOrder = Hold | Support | Move | Convoy
# {province of a unit: where it is ordered to go, or why bids for it are void}.
ByProvince = Mapping[str, str]
NO_MOVES: ByProvince = {}
OVERRIDDEN = "The master ordered this neutral."
ATTACKED = "Players cannot order a neutral that their own units attack in this phase."


@dataclass(frozen=True)
class Unread:
    """A player's text for an order that could not be read. The points of such a bid are spent nevertheless."""

    text: str
    why: str
    slot: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Bid:
    """A number of points for one order to a neutral."""

    points: int
    order: Order | Unread

    @property
    def text(self) -> str:
        """Return the bid's order in normal form, or the text that could not be read."""
        return str(self.order)


@dataclass(frozen=True)
class BidResult:
    """The result of a bid: its value, with any bonus, and whether the neutral follows its order.

    `why` is the reason if the bid had no effect, else "". A bid without effect has the value 0, and its order as the
    player wrote it. Every other bid has its order in normal form.
    """

    bidder: str
    bid: Bid
    value: int = 0
    won: bool = False
    why: str = ""


@dataclass(frozen=True)
class Lot:
    """One neutral that got bids, with the total value of each order (highest first) and the order that it follows.

    If several orders share the highest value, `order` is None and the neutral holds.
    """

    unit: Unit
    tally: tuple[tuple[NeutralOrder, int], ...]
    order: NeutralOrder | None


@dataclass(frozen=True)
class Auction:
    """The results of all bids of a phase, in the sequence of the bids."""

    bids: tuple[BidResult, ...] = ()

    @cached_property
    def lots(self) -> dict[str, Lot]:
        """Return {province: the bids for its neutral}, sorted by province."""
        tallies: defaultdict[str, Counter[NeutralOrder]] = defaultdict(Counter)
        for result in self.bids:
            order = result.bid.order
            if not result.why and isinstance(order, NeutralOrder):
                tallies[order.slot][order] += result.value
        lots = {}
        for province in sorted(tallies):
            ranked = sorted(tallies[province].items(), key=lambda entry: (-entry[1], str(entry[0])))
            tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
            lots[province] = Lot(ranked[0][0].unit, tuple(ranked), None if tie else ranked[0][0])
        return lots

    def of(self, bidder: str) -> list[BidResult]:
        """Return the results of one bidder's bids."""
        return [one for one in self.bids if one.bidder == bidder]

    @property
    def orders(self) -> tuple[Order, ...]:
        """Return the orders that won."""
        return tuple(lot.order for lot in self.lots.values() if lot.order)


def income(ruleset: Ruleset, position: Position, bidder: str) -> int:
    """Return the points that the bidder has in this phase, or 0 without Diplomacy Points.

    The points of all the bidder's powers are added up.
    """
    points = ruleset.mechanism(Points)
    if bidder not in ruleset.seat_named or kind(position.phase) != "M":
        return 0
    has = 0
    for power in ruleset.powers_of(bidder):
        centers = len(position.centers_of(power))
        if points.per_center:
            has += min(points.per_center * centers, points.most)
        elif centers or position.units.get(power):
            has += points.incomes.get(power, points.income)
    return has


def most_income(ruleset: Ruleset, bidder: str) -> int:
    """Return the most points that the bidder can have in any phase, as a limit on bids for later phases."""
    points = ruleset.mechanism(Points)
    if bidder not in ruleset.seat_named:
        return 0
    each = (points.most if points.per_center else points.incomes.get(power, points.income)
            for power in ruleset.powers_of(bidder))  # fmt: skip
    return sum(each)


def check_bid(ruleset: Ruleset, position: Position, bidder: str, bid: Bid, earlier: Iterable[Bid] = ()) -> Bid:
    """Return the bid with its order in normal form, or raise OrderError if it can never be valid."""
    return _check(BoardState(ruleset, position), bidder, bid, tuple(earlier))


def _check(table: BoardState, bidder: str, bid: Bid, earlier: Sequence[Bid], moves: ByProvince = NO_MOVES) -> Bid:
    points, order = table.ruleset.rule(Points), bid.order
    if points is None:
        raise OrderError(f"There are no Diplomacy Points in {table.ruleset.label}.")
    if kind(table.position.phase) != "M":
        raise OrderError("Diplomacy Points can only be spent in movement phases.")
    if bid.points < 1:
        raise OrderError("A bid needs at least one point.")
    if isinstance(order, Unread):
        raise OrderError(order.why)
    piece = _neutral(table, bidder, order)
    completed = _with_coast_of_move(neutral_order(table, piece, order), moves)
    _check_limits(table, points, piece, bid.points, earlier)
    # Intercontinental, 11.3 allows at most two points on one order.
    there = bid.points + sum(one.points for one in earlier if _may_be_same(one.order, completed))
    if points.per_order and there > points.per_order:
        raise OrderError(f"A player can put at most {points.per_order} points on one order. This is {there}.")
    return Bid(bid.points, completed)


def check_neutral_order(ruleset: Ruleset, position: Position, order: Order) -> Order:
    """Return a master's order to a neutral, in normal form, or raise OrderError if no neutral could carry it out."""
    if kind(position.phase) != "M":
        raise OrderError("Neutrals can only be ordered in movement phases.")
    table = BoardState(ruleset, position)
    return neutral_order(table, _neutral(table, "", order), order)


def neutral_order(table: BoardState, piece: Piece, order: Order) -> Order:
    """Return the order of the neutral `piece` in normal form, or raise OrderError if the rules forbid it."""
    neutrals = table.ruleset.mechanism(ArmedNeutrals)
    if verb_of(order) not in neutrals.orders:
        raise OrderError(f"{table.called(piece.unit)} is neutral: it can only {' or '.join(neutrals.orders)}.")
    # A neutral may not support the move of another neutral if neutrals cannot be ordered to move.
    helped = table.at.get(order.helped.province) if isinstance(order, Support) and order.to else None
    if helped and helped.power == NEUTRAL and not neutrals.may_move:
        raise OrderError(f"{table.called(helped.unit)} is neutral: it never moves.")
    completed = _normal(table, complete(table, NEUTRAL, order))
    if reason := refusal(table, completed):
        raise OrderError(reason)
    return completed


def _neutral(table: BoardState, bidder: str, order: Order) -> Piece:
    """Return the neutral unit that the order is for, or raise OrderError for any other unit."""
    piece = table.at.get(order.slot)
    if piece is None:
        place = table.name(order.slot) if order.slot in table.board.province_of else f'"{order}"'
        raise OrderError(f"There is no neutral unit in {place}.")
    if piece.power in table.ruleset.powers_of(bidder):
        raise OrderError(f"{table.called(piece.unit)} is your own.", "Order it without points.")
    if piece.power != NEUTRAL:
        owner = table.ruleset.power_named[piece.power]
        raise OrderError(f"{table.called(piece.unit)} is {owner.adjective}, not a neutral.")
    return piece


def _normal(table: BoardState, order: Order) -> Order:
    """Return a completed order without redundant parts.

    A coast is redundant if the fleet can reach no other coast of the province. The mark of a convoy is redundant if the
    army cannot go by land.
    """
    if isinstance(order, Move) and order.via and order.target not in table.at[order.slot].spot.reach:
        return Move(order.unit, order.to)
    if not isinstance(order, Support) or order.to == order.target:
        return order
    helped = table.at[order.helped.province]
    single = order.to and len(helped.spot.landings[order.target]) == 1
    return Support(order.unit, order.helped, order.target) if single else order


def _with_coast_of_move(order: Order, moves: ByProvince) -> Order:
    """Return a support with the coast to which the supported move was ordered, if the support names none.

    `moves` is {province of a unit: where it is ordered to go}.
    """
    if not isinstance(order, Support) or order.to != order.target:
        return order
    to = moves.get(order.helped.province, "")
    return Support(order.unit, order.helped, to) if province_of(to) == order.target else order


def _may_be_same(one: Order | Unread, other: Order | Unread) -> bool:
    """Return whether two bids may be for the same order. One support may name the coast that the other leaves out."""
    if not (isinstance(one, Support) and isinstance(other, Support)):
        return one == other
    same = (one.unit, one.helped, one.target) == (other.unit, other.helped, other.target)
    return same and bool(one.to) == bool(other.to) and (one.to == other.to or one.target in (one.to, other.to))


def _check_limits(table: BoardState, terms: Points, piece: Piece, points: int, earlier: Sequence[Bid]) -> None:
    """Check the limits on points for one neutral, and on the number of neutrals that may get the most points.

    In 1648, a power may put two points each on two neutrals. Only France, which has six points there, can ever reach
    the second limit.
    """
    here = piece.unit.province
    if not terms.per_neutral:
        return
    spent = Counter({here: points})
    for bid in earlier:
        spent[bid.order.slot] += bid.points
    if spent[here] > terms.per_neutral:
        raise OrderError(
            f"A power can put at most {terms.per_neutral} points on one neutral. "
            f"{table.name(here)} would have {spent[here]}."
        )
    full = [name for name, sum_there in spent.items() if sum_there == terms.per_neutral]
    if 0 < terms.full < len(full) and here in full:
        raise OrderError(
            f"A power can put {terms.per_neutral} points on at most {terms.full} neutrals. "
            f"{table.name(here)} would be one more."
        )


# --- the auction ----------------------------------------------------------------------------------------------


def auction(
    ruleset: Ruleset,
    position: Position,
    bids: Mapping[str, Sequence[Bid]],
    orders: Mapping[str, Sequence[Order]] | None = None,
) -> Auction:
    """Return the result of each bid, and the order that each neutral follows.

    `bids` is {bidder: its bids in the order given}. A bid that breaks a limit or can never be carried out is void,
    without effect on other bids. But a bidder who spends more points than it has loses all its bids.

    `orders` has the orders of the phase. An order under "Neutral" is the master's, and bids for that neutral have no
    effect.
    """
    table, orders = BoardState(ruleset, position), orders or {}
    barred = dict.fromkeys((order.slot for order in orders.get(NEUTRAL, ())), OVERRIDDEN)
    lost = dict.fromkeys(bids, barred)
    if ruleset.mechanism(Points).attack_voids:
        lost = {bidder: dict.fromkeys(attacked_by(table, bidder, orders), ATTACKED) | barred for bidder in bids}
    moves: dict[str, str] = {}
    for power, given in orders.items():
        moves |= _to_coasts(_final(table, power, given))
    held = _held(table, bids, lost, moves)
    # A move that wins for one neutral may be the move that another neutral supports.
    won = _to_coasts(held.orders)
    return _held(table, bids, lost, moves | won) if won else held


def _to_coasts(orders: Iterable[Order]) -> dict[str, str]:
    """Return {the province of a fleet: the coast to which it is ordered}."""
    return {order.slot: order.to for order in orders if isinstance(order, Move) and "/" in order.to}


def _held(
    table: BoardState,
    bids: Mapping[str, Sequence[Bid]],
    lost: Mapping[str, ByProvince],
    moves: ByProvince,
) -> Auction:
    """Return the results of the auction. `lost` is {bidder: {province: why its bids are void}}.

    `moves` is {province of a fleet: the coast to which it is ordered}.
    """
    results = [one for bidder, own in bids.items() for one in _values(table, bidder, own, lost[bidder], moves)]
    winning = set(Auction(tuple(results)).orders)
    return Auction(tuple(replace(one, won=not one.why and one.bid.order in winning) for one in results))


def attacked_by(table: BoardState, bidder: str, orders: Mapping[str, Sequence[Order]]) -> set[str]:
    """Return the provinces of neutrals that the bidder's units attack, or support an attack on."""
    attacked = set()
    for power in table.ruleset.powers_of(bidder):
        for order in _final(table, power, orders.get(power, ())):
            target = order.target if isinstance(order, Move) or (isinstance(order, Support) and order.to) else ""
            if target in table.at and table.at[target].power == NEUTRAL:
                attacked.add(target)
    return attacked


def _final(table: BoardState, power: str, orders: Sequence[Order]) -> Iterable[Order]:
    """Return the orders that the power's units will follow."""
    final = {}
    for order in orders:
        try:
            final[order.slot] = complete(table, power, order)
        except OrderError:
            continue
    return final.values()


def _values(
    table: BoardState, bidder: str, bids: Sequence[Bid], barred: ByProvince, moves: ByProvince
) -> list[BidResult]:
    """Return the value of each bid of one bidder.

    A sponsor's points are multiplied. A suzerain's points for its vassal get a bonus in only one bid. The bonus goes to
    the bid with the most points, or to the first of several such bids.

    `barred` is {province: why bids for its neutral have no effect}. `moves` is {province of a fleet: the coast to which
    it is ordered}.
    """
    ruleset, points = table.ruleset, table.ruleset.mechanism(Points)
    has, written = income(ruleset, table.position, bidder), sum(max(bid.points, 0) for bid in bids)
    if ruleset.rule(Points) and written > has and kind(table.position.phase) == "M":
        why = f"All its bids are forfeited: they spend {written} points, but it has {has}."
        return [BidResult(bidder, bid, why=why) for bid in bids]
    standing: list[Bid] = []
    results = []
    for bid in bids:
        slot = bid.order.slot
        try:
            checked = _check(table, bidder, bid, standing, moves)
            if slot in barred:
                raise OrderError(barred[slot])
        except OrderError as mistake:
            results.append(BidResult(bidder, bid, why=str(mistake)))
            continue
        standing.append(checked)
        factor = points.sponsor_factor if ruleset.mechanism(Sponsors).sponsor(ruleset, slot) == bidder else 1
        results.append(BidResult(bidder, checked, checked.points * factor))
    _add_for_vassals(results, ruleset.mechanism(Vassals).of.get(bidder, ()), points.vassal_bonus)
    return results


def _add_for_vassals(results: list[BidResult], vassals: Iterable[str], bonus: int) -> None:
    """Add the bonus to the highest bid for each vassal, or to the first of several equal bids."""
    for vassal in vassals:
        here = [at for at, result in enumerate(results) if result.value and result.bid.order.slot == vassal]
        if here:
            best = max(here, key=lambda at: results[at].value)
            results[best] = replace(results[best], value=results[best].value + bonus)
