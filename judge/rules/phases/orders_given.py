"""The orders of a phase as they count: completed, void ones with the reason, and of several for one unit only the last.

"The last" is the last one that can be carried out: a bad order does not replace a good one.
"""

from collections.abc import Callable, Iterable, Sequence

from judge.rules.board.board_state import BoardState
from judge.rules.board.legality import complete
from judge.rules.board.orders import Convoy, Hold, Move, Order, OrderError, Support

# (power, its orders) of each power.
Given = Iterable[tuple[str, Sequence[Order]]]
REPLACED = "A later order for the unit replaced this one."


class Taken:
    """The orders of a phase, and which of them are void.

    `orders`: all orders, completed, in the sequence in which they were given; `powers` and `slots`: for each order its
    power and its slot; `void`: {the index of an order (from 0): why it is void}.
    """

    def __init__(self) -> None:
        self.powers: list[str] = []
        self.slots: list[str] = []
        self.orders: list[Order] = []
        self.void: dict[int, str] = {}

    def good(self) -> list[int]:
        """The orders that are not void."""
        return [number for number in range(len(self.orders)) if number not in self.void]

    def complete(self, table: BoardState, number: int, completed: Callable[[BoardState, str, Order], Order]) -> None:
        """Completes one of the orders, or finds out why it is void."""
        try:
            self.orders[number] = completed(table, self.powers[number], self.orders[number])
        except OrderError as mistake:
            self.void[number] = str(mistake)

    def keep_the_last(self) -> None:
        """If there are several good orders for one slot, all but the last become void."""
        seen: set[str] = set()
        for number in reversed(self.good()):
            if self.slots[number] in seen:
                self.void[number] = REPLACED
            seen.add(self.slots[number])


def take(table: BoardState, given: Given, completed: Callable[[BoardState, str, Order], Order]) -> Taken:
    """The orders, each completed from the pieces on the board."""
    taken = Taken()
    for power, orders in given:
        for order in orders:
            taken.powers.append(power)
            taken.slots.append(order.slot)
            taken.orders.append(order)
            taken.complete(table, len(taken.orders) - 1, completed)
    taken.keep_the_last()
    return taken


class TakenMovement(Taken):
    """The orders of a movement phase, and the good ones by the province of the unit.

    `moves`, `supports` and `convoys`; moves by convoy are also in `by_sea`. A unit with none of these holds.
    """

    def __init__(self, table: BoardState, given: Given) -> None:
        super().__init__()
        self.moves: dict[str, Move] = {}
        self.supports: dict[str, Support] = {}
        self.convoys: dict[str, Convoy] = {}
        self.by_sea: set[str] = set()
        self._take(table, given)
        if len(set(self.slots)) < len(self.slots):
            self._file_the_last(table)

    def _take(self, table: BoardState, given: Given) -> None:
        """Most orders are in normal form and need no fleets.

        A quick check is enough for these, because `complete` would not change them. All other orders go through
        `complete`.
        """
        at, slots = table.at, self.slots
        for power, orders in given:
            self.powers += [power] * len(orders)
            self.orders += orders
            for order in orders:
                slot = order.slot
                slots.append(slot)
                piece = at.get(slot)
                if piece is not None and piece.power == power:
                    if isinstance(order, Move):
                        if order.to in piece.spot.places and order.unit is piece.unit and not order.via:
                            self.moves[slot] = order
                            continue
                    elif isinstance(order, Support):
                        helped = at.get(order.helped.province)
                        if (
                            order.target in piece.spot.support
                            and order.unit is piece.unit
                            and helped is not None
                            and helped is not piece
                            and order.helped is helped.unit
                            and (not order.to or order.to in helped.spot.places)
                        ):
                            self.supports[slot] = order
                            continue
                    elif isinstance(order, Hold) and order.unit is piece.unit:
                        continue
                self.complete(table, len(slots) - 1, complete)
                self._file(table, len(slots) - 1)

    def _file(self, table: BoardState, number: int) -> None:
        """Puts an order into the table for its kind, if it is good."""
        slot, order = self.slots[number], self.orders[number]
        if number in self.void:
            return
        if isinstance(order, Move):
            self.moves[slot] = order
            if order.via or order.to not in table.at[slot].spot.places:
                self.by_sea.add(slot)
        elif isinstance(order, Support):
            self.supports[slot] = order
        elif isinstance(order, Convoy):
            self.convoys[slot] = order

    def _file_the_last(self, table: BoardState) -> None:
        self.keep_the_last()
        for filed in (self.moves, self.supports, self.convoys, self.by_sea):
            filed.clear()
        for number in self.good():
            self._file(table, number)
