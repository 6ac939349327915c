"""What a move over a border that weakens it is told with: its orders are confirmed so, and its results."""

from collections.abc import Collection

from judge.rules.board.orders import Move, Order, Retreat
from judge.rules.board.reach import Landing
from judge.rules.variant.variant import Variant


def weakened(variant: Variant, order: Order, carriers: Collection[str] | None = None) -> str:
    """`half strength, around the Cape of Good Hope`, or where a retreat leads; "" for any other order.

    `carriers`: the provinces of the fleets that convoyed the army; None while nobody knows them: then an army that can
    only come by sea is told on which condition it is weakened (1900, Suez Canal Rules 7).
    """
    board, crossing = variant.board, variant.board.crossing
    if not isinstance(order, Move | Retreat):
        return ""
    source, target, told = order.slot, order.target, f"{crossing.strength}, {crossing.way}"
    crosses = target in board.beyond.get(source, ())
    if isinstance(order, Retreat):
        return crossing.way if crosses else ""
    if crossing.landing is Landing.NEVER:
        return told if crosses and not order.via and not carriers else ""
    if crosses:
        return told
    if order.unit.kind != "A" or target not in board.beyond:
        return ""
    if target in board.spots[str(order.unit)].reach and not order.via:
        return ""
    if carriers is None:
        return f"{crossing.strength} if fleets land it {crossing.way}"
    landed = board.connected(source, target, carriers)
    return told * (landed and not board.connected(source, target, carriers, short=True))
