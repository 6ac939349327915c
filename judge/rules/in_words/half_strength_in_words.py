"""What a move over a border of half strength is told with: its orders are confirmed so, and its results."""

from collections.abc import Collection

from judge.rules.board.orders import Move, Order, Retreat
from judge.rules.variant.variant import Variant


def half_strength(variant: Variant, order: Order, carriers: Collection[str] | None = None) -> str:
    """`half strength, around the Cape of Good Hope`, or where a retreat leads; "" for any other order.

    `carriers`: the provinces of the fleets that convoyed the army; None while nobody knows them: then an army that can
    only come by sea is told on which condition it has half strength (1900, Suez Canal Rules 7).
    """
    board, way = variant.board, variant.detours.way
    if not isinstance(order, Move | Retreat):
        return ""
    source, target = order.slot, order.target
    if target in board.beyond.get(source, ()):
        return way if isinstance(order, Retreat) else f"half strength, {way}"
    if isinstance(order, Retreat) or order.unit.kind != "A" or target not in board.beyond:
        return ""
    if target in board.spots[str(order.unit)].reach and not order.via:
        return ""
    if carriers is None:
        return f"half strength if fleets land it {way}"
    landed = board.connected(source, target, carriers)
    return f"half strength, {way}" * (landed and not board.connected(source, target, carriers, short=True))
