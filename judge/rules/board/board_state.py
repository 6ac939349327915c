"""The units of one position on the board, and the movement orders that each could carry out.

Whether orders succeed together with those of other units is decided elsewhere.

`complete` is called for every order when its email arrives, and again before adjudication. It adds what the player has
left out: the unit's kind, or the coast if only one is possible. It ignores small mistakes: a wrong unit letter, or a
needless coast (DATC 4.B.5, 4.B.6, 4.C.2). It raises OrderError for an impossible order, and the adjudicator then
ignores the order (DATC 4.E.1).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from judge.rules.board.orders import (
    Convoy,
    Hold,
    Home,
    Move,
    Order,
    OrderError,
    OutOfPlace,
    Places,
    Position,
    Support,
    Unit,
    Waive,
)
from judge.rules.board.power import NEUTRAL
from judge.rules.board.province import Board, Landing, Spot
from judge.rules.board.ruleset import Ruleset


@dataclass(eq=False)
class Piece:
    """A unit on the board. `side` is the power that it fights for. Each neutral is a side of its own."""

    power: str
    side: str
    unit: Unit
    spot: Spot


class BoardState:
    """The units of a position and the board under them. `at` is {province: the piece in it}."""

    def __init__(self, ruleset: Ruleset, position: Position):
        self.ruleset = ruleset
        self.board = ruleset.board
        self.position = position
        self.routes: dict[tuple[str, str], Collection[str]] = {}  # convoy routes that `useful_fleets` has found
        self.at: dict[str, Piece] = {}
        for power, units in position.units.items():
            for unit in units:
                spot = self.board.spots[unit.text]
                self.at[unit.province] = Piece(power, unit.text if power == NEUTRAL else power, spot.unit, spot)

    @cached_property
    def fleets(self) -> set[str]:
        """Return the provinces that have a fleet and in which fleets may convoy."""
        return {province for province, piece in self.at.items() if piece.spot.afloat}

    def afloat_from(self, start: str) -> set[str]:
        """Return the provinces of the fleets that a chain of fleets connects with the province `start`."""
        lanes = self.board.lanes
        found: set[str] = set()
        front = lanes[start] & self.fleets
        while front:
            found |= front
            front = frozenset(sea for fleet in front for sea in lanes[fleet] & self.fleets) - found
        return found

    @cached_property
    def shores(self) -> dict[str, list[str]]:
        """Return {province of an army: the provinces to which the fleets on the board could convoy it}."""
        found = {}
        for start, piece in self.at.items():
            if piece.spot.army:
                reached = {shore for fleet in self.afloat_from(start) for shore in self.board.steps[fleet]}
                found[start] = sorted((reached & self.board.land) - {start})
        return found

    def name(self, place: str) -> str:
        """Return the full name of a place's province."""
        return self.ruleset.provinces[self.board.province_of[place]].name

    def called(self, unit: Unit) -> str:
        """Return "Army Paris" or "Fleet Spain (north coast)"."""
        return self.ruleset.called(unit)


# --- valid orders ----------------------------------------------------------------------------------------------------


MOST_STEPS = 1000


def complete(table: BoardState, power: str, order: Order) -> Order:
    """Return the order, completed from the units on the board, or raise OrderError if it can never be carried out."""
    piece = table.at.get(order.slot)
    if piece is None or piece.power != power:
        raise _not_yours(table, piece, order)
    if isinstance(order, Move):
        return _move(table, piece, order)
    if isinstance(order, Support):
        return _support(table, piece, order)
    if isinstance(order, Hold):
        return Hold(piece.unit)
    if isinstance(order, Convoy):
        return _convoy(table, piece, order)
    raise OrderError(f'"{order}" is not an order for a movement phase.')


def _not_yours(table: BoardState, piece: Piece | None, order: Order) -> OrderError:
    if isinstance(order, Waive):
        return OrderError("You cannot build in a movement phase.")
    if isinstance(order, Home):
        return OrderError("You cannot name a home center in a movement phase.")
    if piece is None:
        return OutOfPlace(f"There is no unit in {table.name(order.unit.place)}.")
    owner = table.ruleset.power_named.get(piece.power)
    bids = [one.bid_in_place_of(order) for one in table.ruleset.mechanisms] if owner is None else []
    if any(bids):
        return OrderError(f"{table.called(piece.unit)} is neutral: bid for it.", ways=[line for line in bids if line])
    return OrderError(f"{table.called(piece.unit)} is {owner.adjective if owner else piece.power}, not yours.")


def _move(table: BoardState, piece: Piece, order: Move) -> Move:
    unit, spot, target = piece.unit, piece.spot, order.target
    walks = target in spot.reach
    if target == unit.province:
        raise OrderError(f"{table.called(unit)} is already there. To stay, order it to HOLD.")
    if not spot.army:
        return Move(unit, landing(table, spot, order.to, target))
    _check_open(table, target)
    if target not in table.board.land:
        raise OrderError(f"An army cannot end in {table.name(target)}.")
    if (order.via or not walks) and not table.board.connected(unit.province, target, table.fleets):
        called, goal = table.called(unit), table.name(target)
        if not walks:
            raise OrderError(cannot_get(table, unit, target, table.fleets))
        reason = _why_closed(table, lambda whole: whole.connected(unit.province, target, table.fleets))
        raise OrderError(f"There are no fleets that could convoy {called} to {goal}{reason}.")
    return Move(unit, target, order.via)


def _check_open(table: BoardState, target: str) -> None:
    if not table.ruleset.provinces[target].armies:
        raise OrderError(f"{table.name(target)} is closed to armies, even by convoy. Only fleets can go there.")


def cannot_get(table: BoardState, unit: Unit, target: str, fleets: Collection[str] = ()) -> str:
    """Return a sentence that the unit cannot reach `target`, even if the `fleets` convoy it."""
    reason = _why_closed(table, lambda whole: _gets(whole, unit, target, fleets))
    return f"{table.called(unit)} cannot reach {table.name(target)}{reason}."


def _gets(board: Board, unit: Unit, target: str, fleets: Collection[str] = ()) -> bool:
    spot = board.spots.get(unit.text)
    if spot is None or target in spot.reach:
        return spot is not None
    by_sea = spot.army and target in board.land and target != unit.province
    return by_sea and board.connected(unit.province, target, fleets)


def _why_closed(table: BoardState, opens: Callable[[Board], bool]) -> str:
    """Return a text like ` in Fall: ice closes the way`, or "" unless only this phase closes the way.

    `opens` says whether the way is open on a given board. `opens` is called with the board that has no closures.
    """
    whole = table.ruleset.undated
    return table.ruleset.why_closed if whole and opens(whole.board) else ""


def landing(table: BoardState, fleet: Spot, place: str, target: str) -> str:
    """Return the place in `target` that the unit enters if its order names `place` (DATC 4.B.1 to 4.B.3)."""
    if fleet.army:
        return target
    landings = fleet.landings.get(target)
    if not landings:
        raise OrderError(cannot_get(table, fleet.unit, target))
    if target not in table.board.split:
        return target
    if place != target and place not in landings:
        raise OrderError(f"{table.called(fleet.unit)} cannot reach {place}.")
    if place == target and len(landings) > 1:
        ways = [f"{fleet.unit} - {one}" for one in sorted(landings)]
        raise OrderError(f"Which coast of {table.name(target)}?", ways=ways)
    return place if place != target else landings[0]


def _support(table: BoardState, piece: Piece, order: Support) -> Support:
    helped = table.at.get(order.helped.province)
    if helped is None:
        raise OrderError(f"There is no unit in {table.name(order.helped.place)} to support.")
    if helped is piece:
        raise OrderError("A unit cannot support itself.")
    target, to = order.target, order.to
    if to:
        if target == piece.unit.province:
            raise OrderError(f"{table.called(piece.unit)} cannot support an attack on its own province.")
        to = _supported_destination(table, piece, helped, order)
    if target not in piece.spot.support:
        called, goal = table.called(piece.unit), table.name(target)
        if target in piece.spot.reach:
            way = table.board.crossing.way
            raise OrderError(f"{called} cannot support {way}: it can move to {goal}, but not support there.")
        reason = _why_closed(table, lambda whole: _gets(whole, piece.unit, target))
        raise OrderError(f"{called} cannot reach {goal} to support there{reason}.")
    return Support(piece.unit, helped.unit, to)


def _supported_destination(table: BoardState, piece: Piece, helped: Piece, order: Support) -> str:
    """Return the destination of a support, with a coast only if the player wrote one for a fleet."""
    board, target = table.board, order.target
    if helped.spot.army:
        _check_open(table, target)
    if target not in helped.spot.reach:
        # A fleet cannot support and convoy at the same time (DATC 6.D.31).
        fleets = table.fleets - {piece.unit.province}
        if not _gets(board, helped.unit, target, fleets):
            raise OrderError(cannot_get(table, helped.unit, target, fleets))
    if helped.spot.army or target not in board.split:
        return target
    if order.to != target and order.to not in helped.spot.landings[target]:
        raise OrderError(f"{table.called(helped.unit)} cannot reach {order.to}.")
    return order.to


def _convoy(table: BoardState, piece: Piece, order: Convoy) -> Convoy:
    if piece.spot.army:
        raise OrderError(f"{table.called(piece.unit)} is not a fleet: only fleets convoy.")
    if not piece.spot.afloat:
        raise OrderError(f"{table.called(piece.unit)} is not at sea, so it cannot convoy.")
    army = table.at.get(order.army.province)
    if army is None:
        raise OrderError(f"There is no unit in {table.name(order.army.place)} to convoy.")
    if not army.spot.army:
        raise OrderError(f"{table.called(army.unit)} is a fleet: only armies can be convoyed.")
    fleet, start, goal = piece.unit.province, army.unit.province, order.target
    _check_open(table, goal)
    if goal not in table.board.land or goal == start:
        raise OrderError(f"An army cannot be convoyed to {table.name(goal)}.")
    if fleet not in useful_fleets(table, start, goal):
        reason = _why_closed(table, lambda whole: fleet in _on_routes(table, whole.lanes, start, goal))
        raise OrderError(
            f"{table.called(piece.unit)} is on no convoy route from {table.name(start)} to {table.name(goal)}{reason}."
        )
    return Convoy(piece.unit, army.unit, goal)


def useful_fleets(table: BoardState, start: str, goal: str) -> Collection[str]:
    """Return the fleets of all routes from `start` to `goal` in which every fleet is needed (DATC 6.G.19).

    A longer route is needed too if every shorter one halves the army's strength (1900, Suez Canal Rules 7). In variants
    where an army lands with the same strength on every route, the longer route is not needed.
    """
    known = table.routes.get((start, goal))
    if known is None:
        known = _on_routes(table, table.board.lanes, start, goal)
        if goal in table.board.beyond and table.board.crossing.landing is Landing.BY_ROUTE:
            known = {*known, *_on_routes(table, table.board.short_lanes, start, goal)}
        table.routes[start, goal] = known
    return known


def _on_routes(table: BoardState, lanes: Mapping[str, Set[str]], start: str, goal: str) -> Collection[str]:
    """Return the fleets of all convoy routes in which every fleet is needed.

    `lanes` is {province: the seas next to it}. Such a route has no short cuts. Only its first fleet is next to the
    start, and only its last fleet is next to the goal. Each fleet is next only to its neighbors on the route. If the
    search takes MOST_STEPS steps, it stops, and the result is every fleet connected with the start.
    """
    fleets = table.fleets
    starts, ends = lanes[start] & fleets, lanes[goal] & fleets
    useful: set[str] = set()
    # The incomplete routes, each with the fleets that may not come next.
    paths: list[tuple[Places, Set[str]]] = [((first,), starts) for first in starts] if ends else []
    steps = 0
    while paths and steps < MOST_STEPS:
        path, closed = paths.pop()
        steps += 1
        if path[-1] in ends:
            useful.update(path)
        else:
            # A fleet next to the last fleet of a route may come next, but not later on the route.
            onward = (lanes[path[-1]] & fleets) - closed
            closed |= onward
            paths.extend(((*path, step), closed) for step in onward)
    return useful if steps < MOST_STEPS else table.afloat_from(start)


# --- the valid orders of a phase -------------------------------------------------------------------------------------

# The type of the orders of several powers: pairs (power, its orders).
Given = Iterable[tuple[str, Sequence[Order]]]
REPLACED = "A later order for the unit replaced this one."


class Taken:
    """The orders of a phase, and which of them are void.

    An order is void if it is impossible, or if a later possible order for the same unit replaced it. `orders` has all
    orders, completed, each with its power, in the sequence in which they were given. `void` is {index of an order, from
    0: why the order is void}.
    """

    def __init__(self, table: BoardState, given: Given, completed: Callable[[BoardState, str, Order], Order]) -> None:
        self.orders: list[tuple[str, Order]] = []
        self.void: dict[int, str] = {}
        for power, orders in given:
            for order in orders:
                try:
                    order = completed(table, power, order)
                except OrderError as mistake:
                    self.void[len(self.orders)] = str(mistake)
                self.orders.append((power, order))
        seen = set()
        for number, (_, order) in reversed([*enumerate(self.orders)]):
            if number in self.void:
                continue
            if order.slot in seen:
                self.void[number] = REPLACED
            seen.add(order.slot)

    def good(self) -> list[tuple[str, Order]]:
        """Return the orders that are not void, each with its power."""
        return [one for number, one in enumerate(self.orders) if number not in self.void]


class TakenMovement(Taken):
    """The orders of a movement phase. The valid orders are also sorted by kind.

    `moves`, `supports` and `convoys` are {province of the unit: its order}. `by_sea` has the provinces of armies that
    move by convoy. A unit without any of these orders holds.
    """

    def __init__(self, table: BoardState, given: Given) -> None:
        super().__init__(table, given, complete)
        self.moves: dict[str, Move] = {}
        self.supports: dict[str, Support] = {}
        self.convoys: dict[str, Convoy] = {}
        self.by_sea: set[str] = set()
        for _, order in self.good():
            slot = order.slot
            if isinstance(order, Move):
                self.moves[slot] = order
                if order.via or order.to not in table.at[slot].spot.places:
                    self.by_sea.add(slot)
            elif isinstance(order, Support):
                self.supports[slot] = order
            elif isinstance(order, Convoy):
                self.convoys[slot] = order
