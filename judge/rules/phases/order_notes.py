"""Find orders of a player that look like mistakes, before the phase is processed.

Such an order is valid, but does not go together with the player's other orders or the position. Nothing else is
considered, since other players' orders are unknown. The only note on help for their units is about a support against a
unit of one's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judge.rules.board.board_state import BoardState, TakenMovement
from judge.rules.board.orders import Convoy, Move, Order, Position, Retreat, Support, Unit
from judge.rules.board.phase import kind
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals
from judge.rules.mechanisms.auction import Auction
from judge.rules.mechanisms.diplomacy_points import Points
from judge.rules.phases.movement import Movement

Doubt = Literal[
    "no convoy",
    "unmatched",
    "bid",
    "crowd",
    "retreats",
    "stays",
    "swap",
    "own unit",
    "own support",
    "paid support",
    "neutral",
    "tie",
]
Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True)
class OrderNote:
    """A doubt about `orders`.

    `unit` is another unit of the player that the doubt is about. `instead` has the order of that unit, or is empty if
    the unit has no order. For an army without a convoy, `instead` has the convoys that the player's own fleets could
    give. For a support that was bid for and is cut, `instead` has the bid.
    """

    doubt: Doubt
    orders: tuple[Order, ...]
    unit: Unit | None = None
    instead: tuple[Order, ...] = ()


def order_notes(ruleset: Ruleset, position: Position, orders: Orders, bids: Sequence[Order] = ()) -> list[OrderNote]:
    """Return notes on likely mistakes in the orders of one player, {each of the player's powers: its orders}.

    `bids` has the orders that the player bids for neutrals.
    """
    if kind(position.phase) == "R":
        return _crowds("retreats", [one for given in orders.values() for one in given if isinstance(one, Retreat)])
    if kind(position.phase) != "M":
        return []
    table = BoardState(ruleset, position)
    player = _Player(table, orders, bids)
    return [*player.notes(), *player.bid_notes()]


def tied_bids(own: Auction) -> list[OrderNote]:
    """Return a note for each neutral on which one player's bids tie. `own` has only that player's bids."""
    tied = [lot.tally for lot in own.lots.values() if lot.order is None]
    return [OrderNote("tie", tuple(order for order, value in tally if value == tally[0][1])) for tally in tied]


def _crowds(doubt: Doubt, moves: Sequence[Move | Retreat]) -> list[OrderNote]:
    """Return a note for each province that several of the player's units go to."""
    comers: dict[str, list[Order]] = {}
    for move in moves:
        comers.setdefault(move.target, []).append(move)
    return [OrderNote(doubt, tuple(together)) for together in comers.values() if len(together) > 1]


class _Player:
    """The orders of one player, matched with each other. All other units on the board are assumed to hold."""

    def __init__(self, table: BoardState, orders: Orders, bids: Sequence[Order]) -> None:
        self._table, self._orders, self._bids = table, orders, bids
        self._given = {order.slot: order for given in orders.values() for order in given}
        self._known = _matched(table, [*orders.items(), (NEUTRAL, bids)])

    def _owner(self, province: str) -> str:
        """Return the player's power that has a unit in the province, or ""."""
        piece = self._table.at.get(province)
        return piece.power if piece and piece.power in self._orders else ""

    def _stays(self, province: str) -> bool:
        return not isinstance(self._given.get(province), Move)

    def _about(self, doubt: Doubt, province: str, *orders: Order) -> OrderNote:
        given = self._given.get(province)
        return OrderNote(doubt, orders, self._table.at[province].unit, (given,) if given else ())

    def notes(self) -> Iterator[OrderNote]:
        """Yield the notes on the orders, in their sequence, then the notes on units that go to the same place."""
        for power, given in self._orders.items():
            for order in given:
                if isinstance(order, Move):
                    yield from self._of_move(power, order)
                elif isinstance(order, Convoy | Support):
                    yield from self._of_help(power, order)
        moves = [one for one in self._given.values() if isinstance(one, Move)]
        yield from _crowds("crowd", [one for one in moves if not (self._owner(one.target) and self._stays(one.target))])

    def _of_move(self, power: str, move: Move) -> Iterator[OrderNote]:
        source, target = move.slot, move.target
        if source in self._known.convoyed and not self._known.path(source):
            table = self._table
            # The convoys that the player's own fleets could give without help.
            route = table.board.route(source, target, list(filter(self._owner, table.fleets)))
            convoys = (Convoy(table.at[fleet].unit, move.unit, target) for fleet in route)
            yield OrderNote("no convoy", (move,), instead=tuple(convoys))
        there, given = self._owner(target), self._given.get(target)
        if there == power:
            if self._stays(target):
                yield self._about("stays", target, move)
            elif self._known.opponents.get(source) == target and source < target:
                yield OrderNote("swap", (move, self._given[target]))
        elif there and source not in self._known.weakened:
            if isinstance(given, Support) and given.target != source:
                yield self._about("own support", target, move)

    def _of_help(self, power: str, order: Convoy | Support) -> Iterator[OrderNote]:
        helped = order.helped.province
        owner, given = self._owner(helped), self._given.get(helped)
        table = self._table
        if isinstance(order, Support) and order.to and table.at[helped].power == NEUTRAL:
            if not table.ruleset.mechanism(ArmedNeutrals).may_move:
                yield OrderNote("neutral", (order,))
        walks = isinstance(order, Convoy) and isinstance(given, Move) and given.target == order.target
        if owner and not walks and order.slot not in (*self._known.carried, *self._known.helping):
            yield self._about("unmatched", helped, order)
        elif isinstance(order, Support) and order.to and owner != power == self._owner(order.target):
            if self._stays(order.target):
                yield self._about("own unit", order.target, order)

    def bid_notes(self) -> Iterator[OrderNote]:
        """Yield notes on bids for help to a move that was not ordered, and on moves that cut such help."""
        for bid in self._bids:
            if not isinstance(bid, Convoy | Support):
                continue
            helped = bid.helped.province
            known = _matched(self._table, [*self._orders.items(), (NEUTRAL, [bid])])
            if self._owner(helped) and bid.slot not in (*known.carried, *known.helping):
                yield self._about("bid", helped, bid)
            elif isinstance(bid, Support):
                yield from self._cutting(bid)

    def _cutting(self, bid: Support) -> Iterator[OrderNote]:
        """Yield a note on each move, by an own unit or a bid, that cuts a support that the player bid for.

        If the variant voids the bids of an attacker, only moves that the player bid for are checked. Another note
        reports void bids.
        """
        points = self._table.ruleset.rule(Points)
        own = () if points and points.attack_voids else self._given.values()
        for move in (*own, *self._bids):
            if isinstance(move, Move) and move.target == bid.slot and move.slot != bid.target:
                yield OrderNote("paid support", (move,), instead=(bid,))


def _matched(table: BoardState, given: Sequence[tuple[str, Sequence[Order]]]) -> Movement:
    return Movement(table, TakenMovement(table, given))
