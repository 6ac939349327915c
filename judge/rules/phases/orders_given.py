"""The orders of a phase as they count: completed, void ones with the reason, and of several for one unit only the last.

"The last" is the last one that can be carried out: a bad order does not replace a good one.
"""

from collections.abc import Callable, Iterable, Sequence

from judge.rules.board.board_state import BoardState, complete
from judge.rules.board.orders import Convoy, Move, Order, OrderError, Support

# (power, its orders) of each power.
Given = Iterable[tuple[str, Sequence[Order]]]
REPLACED = "A later order for the unit replaced this one."


class Taken:
    """The orders of a phase, and which of them are void.

    `orders`: all orders, completed, in the sequence in which they were given; `powers` and `slots`: for each order its
    power and its slot; `void`: {the index of an order (from 0): why it is void}.
    """

    def __init__(self, table: BoardState, given: Given, completed: Callable[[BoardState, str, Order], Order]) -> None:
        """Complete each order from the pieces on the board; of several good ones for one slot, the last counts."""
        self.powers: list[str] = []
        self.slots: list[str] = []
        self.orders: list[Order] = []
        self.void: dict[int, str] = {}
        for number, (power, order) in enumerate((power, order) for power, orders in given for order in orders):
            self.powers.append(power)
            self.slots.append(order.slot)
            try:
                order = completed(table, power, order)
            except OrderError as mistake:
                self.void[number] = str(mistake)
            self.orders.append(order)
        seen: set[str] = set()
        for number in reversed(self.good()):
            if self.slots[number] in seen:
                self.void[number] = REPLACED
            seen.add(self.slots[number])

    def good(self) -> list[int]:
        """The orders that are not void."""
        return [number for number in range(len(self.orders)) if number not in self.void]


class TakenMovement(Taken):
    """The orders of a movement phase, and the good ones by the province of the unit.

    `moves`, `supports` and `convoys`; moves by convoy are also in `by_sea`. A unit with none of these holds.
    """

    def __init__(self, table: BoardState, given: Given) -> None:
        super().__init__(table, given, complete)
        self.moves: dict[str, Move] = {}
        self.supports: dict[str, Support] = {}
        self.convoys: dict[str, Convoy] = {}
        self.by_sea: set[str] = set()
        for slot, order in ((self.slots[number], self.orders[number]) for number in self.good()):
            if isinstance(order, Move):
                self.moves[slot] = order
                if order.via or order.to not in table.at[slot].spot.places:
                    self.by_sea.add(slot)
            elif isinstance(order, Support):
                self.supports[slot] = order
            elif isinstance(order, Convoy):
                self.convoys[slot] = order
