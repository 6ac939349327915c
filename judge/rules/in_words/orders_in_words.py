"""Orders in the full words of a judge's mails: "Fleet English Channel CONVOY Army London -> Belgium."."""

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


def describe_place(variant: Variant, place: str) -> str:
    """ "St. Petersburg (north coast)"."""
    abbr, _, coast = place.partition("/")
    name = variant.provinces[abbr].name
    return f"{name} ({COASTS.get(coast, coast)})" if coast else name


def describe_unit(variant: Variant, unit: Unit) -> str:
    """ "Fleet St. Petersburg (south coast)"."""
    kind = {"A": "Army ", "F": "Fleet "}.get(unit.kind, "")
    return kind + describe_place(variant, unit.place)


def describe_order(variant: Variant, position: Position, order: Order) -> str:
    """One sentence, without the name of the power that gives the order. A unit of another power has that power's
    adjective before it.
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
            via = " via convoy" if isinstance(order, Move) and order.via else ""
            return f"{unit} -> {describe_place(variant, order.to)}{via}."
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
    kind = {"A": "army", "F": "fleet"}.get(order.unit.kind, "unit")
    place = describe_place(variant, order.unit.place)
    if isinstance(order, Build):
        return f"Builds {'an' if kind == 'army' else 'a'} {kind} in {place}."
    the = "the " if variant.provinces[order.unit.province].kind == "sea" else ""
    return f"Removes the {kind} in {the}{place}."
