"""Which movement orders can be carried out at all, whatever the others order, given the pieces on the board.

`complete` is asked for every order, by mail and before adjudication alike. It fills in what the writer left out
(the unit's kind, the only possible coast) and forgives what is beside the point (a wrong unit letter, a
needless coast: DATC 4.B.5, 4.B.6, 4.C.2). An order that is impossible raises OrderError; the engine then
ignores it (DATC 4.E.1).
"""

from judge.rules.board import bits
from judge.rules.orders import Convoy, Hold, Move, Order, OrderError, Support, Unit
from judge.rules.table import Piece, Table


def complete(table: Table, power: str, order: Order) -> Order:
    """The order as the pieces on the board make it; raises OrderError when it can never be carried out."""
    if isinstance(order, Move):
        return _move(table, own_piece(table, power, order.unit), order)
    if isinstance(order, Support):
        return _support(table, own_piece(table, power, order.unit), order)
    if isinstance(order, Hold):
        piece = own_piece(table, power, order.unit)
        return order if order.unit is piece.unit else Hold(piece.unit)
    if isinstance(order, Convoy):
        return _convoy(table, own_piece(table, power, order.unit), order)
    raise OrderError(f'"{order}" is not an order for a movement phase.')


def own_piece(table: Table, power: str, unit: Unit) -> Piece:
    """The power's piece in the unit's province; raises OrderError."""
    piece = _piece(table, unit)
    if piece is None:
        raise OrderError(f"There is no unit in {table.name(unit.place)}.")
    if piece.power != power:
        owner = table.variant.power_named.get(piece.power)
        whose = owner.adjective if owner else piece.power
        raise OrderError(f"{table.called(piece.unit)} is {whose}, not yours.")
    return piece


def _piece(table: Table, unit: Unit) -> Piece | None:
    return table.at.get(table.board.place_number[unit.province])


def _target(table: Table, place: str) -> tuple[int, int]:
    """(place number, province number) of a destination."""
    number = table.board.place_number[place]
    return number, table.board.province_of[number]


def _move(table: Table, piece: Piece, order: Move) -> Move:
    place, province = _target(table, order.to)
    walks = piece.reach >> province & 1
    if walks and place == province and piece.army and not order.via and order.unit is piece.unit:
        return order
    if province == piece.province:
        raise OrderError(f"{table.called(piece.unit)} is there already; to stay, order it to HOLD.")
    if not piece.army:
        return Move(piece.unit, landing(table, piece, place, province))
    if not table.board.land >> province & 1:
        raise OrderError(f"An army cannot end in {table.name(order.to)}.")
    by_sea = order.via or not walks
    if by_sea and not table.board.connected(piece.province, province, table.fleets):
        called, goal = table.called(piece.unit), table.name(order.to)
        raise OrderError(
            f"There are no fleets that could convoy {called} to {goal}." if walks else f"{called} cannot get to {goal}."
        )
    return Move(piece.unit, table.board.places[province], order.via)


def landing(table: Table, fleet: Piece, place: int, province: int) -> str:
    """The place in the province that the fleet comes to, `place` being what was said (DATC 4.B.1 to 4.B.3)."""
    board = table.board
    landings = board.fleet_landings[fleet.place].get(province)
    name = table.name(board.places[province])
    if not landings:
        raise OrderError(f"{table.called(fleet.unit)} cannot get to {name}.")
    if not board.split >> province & 1:
        return board.places[province]
    if place != province:
        if place not in landings:
            raise OrderError(f"{table.called(fleet.unit)} cannot get to {board.places[place]}.")
        return board.places[place]
    if len(landings) > 1:
        raise OrderError(
            f"Which coast of {name}?", f"Write {' or '.join(board.places[number] for number in sorted(landings))}."
        )
    return board.places[landings[0]]


def _support(table: Table, piece: Piece, order: Support) -> Support:
    board = table.board
    helped = _piece(table, order.helped)
    if helped is None:
        raise OrderError(f"There is no unit in {table.name(order.helped.place)} to support.")
    if helped is piece:
        raise OrderError("A unit cannot support itself.")
    target = helped.province
    to = ""
    if order.to:
        place, target = _target(table, order.to)
        if target == piece.province:
            raise OrderError(f"{table.called(piece.unit)} cannot support an attack on its own province.")
        to = _supported_destination(table, piece, helped, place, target)
    if not piece.reach >> target & 1:
        raise OrderError(
            f"{table.called(piece.unit)} cannot reach {table.name(board.places[target])} to support there."
        )
    same = order.unit is piece.unit and order.helped is helped.unit and order.to == to
    return order if same else Support(piece.unit, helped.unit, to)


def _supported_destination(table: Table, piece: Piece, helped: Piece, place: int, target: int) -> str:
    """The destination as the support names it: a coast only if one was said and the helped unit is a fleet."""
    board = table.board
    reachable = helped.reach >> target & 1
    if not reachable and helped.army:
        # A fleet that supports cannot be one of those that convoy (DATC 6.D.31).
        others = table.fleets & ~(1 << piece.province)
        reachable = board.land >> target & 1 and board.connected(helped.province, target, others)
    if not reachable or target == helped.province:
        raise OrderError(f"{table.called(helped.unit)} cannot get to {table.name(board.places[target])}.")
    if helped.army or not board.split >> target & 1:
        return board.places[target]
    if place != target and place not in board.fleet_landings[helped.place][target]:
        raise OrderError(f"{table.called(helped.unit)} cannot get to {board.places[place]}.")
    return board.places[place]


def _convoy(table: Table, piece: Piece, order: Convoy) -> Convoy:
    board = table.board
    if piece.army:
        raise OrderError(f"{table.called(piece.unit)} is not a fleet: only fleets convoy.")
    if not board.seas >> piece.province & 1:
        raise OrderError(f"{table.called(piece.unit)} is not at sea: it cannot convoy.")
    army = _piece(table, order.army)
    if army is None:
        raise OrderError(f"There is no unit in {table.name(order.army.place)} to convoy.")
    if not army.army:
        raise OrderError(f"{table.called(army.unit)} is a fleet: only armies are convoyed.")
    _, goal = _target(table, order.to)
    if not board.land >> goal & 1 or goal == army.province:
        raise OrderError(f"An army cannot be convoyed to {table.name(order.to)}.")
    if not useful(table, piece.province, army.province, goal):
        raise OrderError(
            f"{table.called(piece.unit)} is on no route from {table.name(army.unit.place)} to {table.name(order.to)}."
        )
    return Convoy(piece.unit, army.unit, board.places[goal])


def useful(table: Table, fleet: int, start: int, goal: int) -> bool:
    """Whether the fleet is part of a route in which every fleet is needed (DATC 6.G.19).

    Such a route is a path without short cuts: only its first fleet touches the start, only its last one the
    goal, and each touches no other than its neighbours on the path.
    """
    board, fleets = table.board, table.fleets
    ends = board.shores[goal] & fleets
    starts = board.shores[start] & fleets

    def reaches(at: int, closed: int, passed: bool) -> bool:
        bit = 1 << at
        passed = passed or at == fleet
        if ends & bit:
            return passed
        closed |= bit
        onward = board.fleet_reach[at] & fleets & ~closed
        # Whatever touches this fleet may follow it, but nothing later on the path may.
        return any(reaches(step, closed | onward, passed) for step in bits(onward))

    return any(reaches(first, starts, False) for first in bits(starts))
