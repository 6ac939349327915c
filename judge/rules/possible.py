"""Check whether an order for a later phase can be valid in that phase, whatever happens until then.

The order is tried on positions made for it. They have the units that the order names, and a fleet in every other sea.
In a winter, the power has all centers, or all except one home, or for a removal none. An order that fails in all of
these positions fails in every position.
"""

from collections.abc import Iterator, Sequence

from judge.rules.board.orders import (
    Build,
    Convoy,
    Dislodged,
    Home,
    Order,
    OrderError,
    Position,
    Support,
    Unit,
    UnitOrder,
    Waive,
)
from judge.rules.board.phase import kind
from judge.rules.board.power import NEUTRAL
from judge.rules.mechanisms.auction import Bid, check_bid
from judge.rules.mechanisms.build_places import home_choices
from judge.rules.parsing.lines import check_order
from judge.rules.variant.variant import Variant


def check_possible(variant: Variant, powers: Sequence[str], phase: str, order: Order, points: int = 1) -> None:
    """Raise OrderError if none of the powers can ever carry out the order in the phase.

    For a bid of these `points`, the power is Neutral.
    """
    if isinstance(order, UnitOrder) and not order.unit.place:
        return  # an order for all units can always be valid
    mistakes = []
    # The power makes a difference only in a winter.
    for power in powers if kind(phase) == "A" else powers[:1]:
        for position in _boards(variant, power, phase, order):
            try:
                if power == NEUTRAL:
                    check_bid(variant, position, "", Bid(points, order))
                else:
                    check_order(variant, position, power, order)
            except OrderError as mistake:
                mistakes.append(mistake)
            else:
                return
    if mistakes:
        raise mistakes[0]


def _boards(variant: Variant, power: str, phase: str, order: Order) -> Iterator[Position]:
    match kind(phase):
        case "M":
            yield from _movements(variant, power, phase, order)
        case "R":
            for unit in _units(variant, order):
                yield Position(phase, {}, {}, {power: (Dislodged(unit, ""),)})
        case "A":
            yield from _winters(variant, power, phase, order)


def _movements(variant: Variant, power: str, phase: str, order: Order) -> Iterator[Position]:
    """Yield positions with the order's units, each as an army and as a fleet.

    Every other sea has a fleet.
    """
    afloat = [spot.unit for spot in variant.board.spots.values() if spot.afloat]
    other = order.helped if isinstance(order, Support | Convoy) else None
    for unit in _units(variant, order):
        for partner in _pieces(variant, other) if other else [unit]:
            named = {partner.province, unit.province}
            seas = {one.province: one for one in afloat if one.province not in named}
            whose = {power: (unit, *seas.values())}
            if partner.province != unit.province:
                # An order of a neutral may help a unit of any power.
                helped = variant.powers[0].name if power == NEUTRAL else power
                whose[helped] = (*whose.get(helped, ()), partner)
            yield Position(phase, whose, {})


def _winters(variant: Variant, power: str, phase: str, order: Order) -> Iterator[Position]:
    """Yield positions of winters in which the order might be valid.

    For a removal, the power has the unit and no center. For other orders, the power has all centers, or all except one
    home. For a build, each center that could become its additional home is one in the first of these positions.
    """
    if not isinstance(order, Build | Home | Waive):
        for unit in _units(variant, order):
            yield Position(phase, {power: (unit,)}, {})
        return
    everything = {power: variant.centers}
    won = home_choices(variant, everything, {}) if isinstance(order, Build) else {}
    yield Position(phase, {}, everything, homes=won)
    for home in variant.power_named[power].homes:
        yield Position(phase, {}, {power: tuple(one for one in variant.centers if one != home)})


def _units(variant: Variant, order: Order) -> list[Unit]:
    return _pieces(variant, order.unit) if isinstance(order, UnitOrder) else []


def _pieces(variant: Variant, named: Unit) -> list[Unit]:
    """Return the possible units in the province of a unit, first the units of the same kind."""
    places = [named.province, *variant.provinces[named.province].fleet_ways]
    texts = dict.fromkeys(f"{letter} {place}" for letter in "AF" for place in places)
    found = [variant.board.spots[text].unit for text in texts if text in variant.board.spots]
    return sorted(found, key=lambda one: (one.kind != named.kind, one.place != named.place))
