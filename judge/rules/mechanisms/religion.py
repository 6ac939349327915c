"""Whom a neutral may be asked to help, by its faith (Ambition & Empire, V.3).

A unit has the faith of its power; a neutral that of its center. Supports of a unit where it stands are nobody's
attack.
"""

from judge.rules.board.orders import Order, Support
from judge.rules.mechanisms.terms import Religion
from judge.rules.pieces.layout import Piece, Table
from judge.rules.variant.variant import NEUTRAL


def refusal(table: Table, order: Order) -> str:
    """Why the neutral's (complete) order offends its religion, in a sentence; "" where it does not."""
    religion = table.variant.religion
    if religion is None or not isinstance(order, Support):
        return ""
    neutral, helped, there = table.at[order.slot], table.at[order.helped.province], table.at.get(order.target)
    called = table.called(neutral.unit)
    if _named(neutral) in religion.for_catholics_only and _named(helped) not in religion.catholics:
        return f"{called} may support Catholic units only (the Religious Rule)."
    if not order.to or there is None:
        return ""
    attacker = _muslim(religion, helped)
    if _muslim(religion, neutral) == attacker or _muslim(religion, there) == attacker:
        return ""
    faith, other = ("Christian", "Muslim") if attacker else ("Muslim", "Christian")
    return (
        f"{called} is {faith}: it may not support a {other} attack on {table.name(order.target)}, "
        f"where a {faith} unit stands (the Religious Rule)."
    )


def _named(piece: Piece) -> str:
    return piece.unit.province if piece.power == NEUTRAL else piece.power


def _muslim(religion: Religion, piece: Piece) -> bool:
    return _named(piece) in religion.muslims
