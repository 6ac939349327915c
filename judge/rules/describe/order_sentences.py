"""Orders in the full words of a judge's mails: "Fleet English Channel CONVOY Army London -> Belgium."."""

from collections.abc import Sequence

from judge.rules.board.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Home,
    Move,
    Order,
    Remove,
    Retreat,
    Support,
    Unit,
)
from judge.rules.board.position import Position, occupants
from judge.rules.board.province import COASTS
from judge.rules.variant.variant import Variant

_KINDS = {"A": "army", "F": "fleet"}


def describe_place(variant: Variant, place: str) -> str:
    """ "St. Petersburg (north coast)"."""
    abbr, _, coast = place.partition("/")
    name = variant.provinces[abbr].name
    return f"{name} ({COASTS.get(coast, coast)})" if coast else name


def describe_unit(variant: Variant, unit: Unit) -> str:
    """ "Fleet St. Petersburg (south coast)"."""
    kind = {"A": "Army ", "F": "Fleet "}.get(unit.kind, "")
    return kind + describe_place(variant, unit.place)


def describe_order(variant: Variant, position: Position, order: Order, route: Sequence[str] = ()) -> str:
    """One sentence, without the name of the power that gives the order. A unit of another power has that power's
    adjective before it. `route`: the seas over which an army is convoyed, if they are known: "Army Yorkshire -> North
    Sea -> Norway."
    """

    def other(helped: Unit) -> str:
        at = occupants(position)
        mine = at.get(order.slot, ("", None))[0]
        owner = at.get(helped.province, ("", None))[0]
        power = variant.power_named.get(owner)
        foreign = f"{power.adjective} " if power and owner != mine else ""
        return foreign + describe_unit(variant, helped)

    if isinstance(order, Build | Remove):
        return _adjustment(variant, order)
    unit = describe_unit(variant, order.unit) if hasattr(order, "unit") else ""
    match order:
        case Hold():
            return f"{unit} HOLD."
        case Move() | Retreat():
            over = "".join(f" -> {describe_place(variant, sea)}" for sea in route)
            via = " via convoy" if isinstance(order, Move) and order.via and not route else ""
            return f"{unit}{over} -> {describe_place(variant, order.to)}{via}."
        case Support():
            to = f" -> {describe_place(variant, order.to)}" if order.to else ""
            return f"{unit} SUPPORT {other(order.helped)}{to}."
        case Convoy():
            return f"{unit} CONVOY {other(order.army)} -> {describe_place(variant, order.to)}."
        case Disband():
            return f"{unit} DISBAND."
        case Home():
            return f"Names {describe_place(variant, order.center)} as a home center."
    return "Build waived."


def _adjustment(variant: Variant, order: Build | Remove) -> str:
    if isinstance(order, Remove):
        return f"Removes {describe_removal(variant, order.unit)}."
    kind = _KINDS.get(order.unit.kind, "unit")
    return f"Builds {'an' if kind == 'army' else 'a'} {kind} in {describe_place(variant, order.unit.place)}."


def describe_removal(variant: Variant, unit: Unit) -> str:
    """ "the fleet in the North Sea"."""
    the = "the " if variant.provinces[unit.province].kind == "sea" else ""
    return f"the {_KINDS.get(unit.kind, 'unit')} in {the}{describe_place(variant, unit.place)}"
