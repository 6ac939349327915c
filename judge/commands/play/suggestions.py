"""What to write instead of an order that can never be carried out: only what is legal in this position."""

from collections.abc import Iterable, Iterator

from judge.rules import Move, Order, OrderError, Position, Support, Unit, Variant, check_order, format_order
from judge.rules.board.names import listed
from judge.rules.board.phase import kind
from judge.rules.board.position import occupants

# So many orders are named, and so many places.
_MOST, _MOST_PLACES = 3, 8


def suggested(variant: Variant, position: Position, power: str, order: Order) -> str:
    """`Did you mean A SER S A TRI - BUD?`, `Legal: A VIE - BOH, BUD or GAL.`; "" if nothing similar is legal."""
    if kind(position.phase) != "M" or not isinstance(order, Move | Support):
        return ""
    owner, unit = occupants(position).get(order.slot, ("", None))
    if unit is None or owner != power:
        return ""
    if isinstance(order, Move):
        moves = _legal(variant, position, power, (Move(unit, place) for place in _beside(variant, unit)))
        places = list(dict.fromkeys(move.to for move in moves if isinstance(move, Move)))
        return f"Legal: {unit} - {listed(places[:_MOST_PLACES], 'or')}." if places else ""
    legal = _legal(variant, position, power, _supports(variant, position, unit, order))
    found = list(dict.fromkeys(map(format_order, legal)))[:_MOST]
    return f"Did you mean {listed(found, 'or')}?" if found else ""


def _supports(variant: Variant, position: Position, unit: Unit, order: Support) -> Iterator[Order]:
    """Supports of the same unit in another move; if there is no such unit, of any that goes there, the own ones first.
    """
    at = occupants(position)
    mine = at[unit.province][0]
    _, helped = at.get(order.helped.province, ("", None))
    if helped:
        yield Support(unit, helped)
        yield from (Support(unit, helped, place) for place in _beside(variant, unit))
        return
    others = sorted(at.values(), key=lambda entry: entry[0] != mine)
    yield from (Support(unit, other, order.target) for _, other in others if other != unit)


def _beside(variant: Variant, unit: Unit) -> list[str]:
    """The places to which a unit of that kind goes from its province."""
    province = variant.provinces[unit.province]
    if unit.kind == "A":
        return sorted(province.army)
    coast = unit.place.partition("/")[2]
    return sorted(province.fleet.get(coast, ()))


def _legal(variant: Variant, position: Position, power: str, orders: Iterable[Order]) -> Iterator[Order]:
    for order in orders:
        try:
            yield check_order(variant, position, power, order)
        except OrderError:
            continue
