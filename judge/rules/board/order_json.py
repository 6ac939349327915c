"""The JSON form of an order: its meaning, which is stored beside the text that the player wrote.

    {"verb": "hold", "unit": "F LON"}
    {"verb": "move", "unit": "A PAR", "to": "BUR", "via": false}
    {"verb": "support", "unit": "A MAR", "helped": "A PAR", "to": "BUR"}
    {"verb": "convoy", "unit": "F NTH", "army": "A LON", "to": "NWY"}
    {"verb": "retreat", "unit": "A MUN", "to": "TYR"}
    {"verb": "disband", "unit": "A MUN"}
    {"verb": "build", "unit": "F STP/NC"}
    {"verb": "remove", "unit": "F LON"}
    {"verb": "waive"}
    {"verb": "home", "center": "MEC"}

Places and units are as in `orders`: the variant's own names, a coast after a slash, and if the kind of a unit was not
named, only its place ("PAR"). `to` is "" if a unit is supported where it stands. No key is left out, and no other
spellings are accepted. Whether the order can be carried out is not checked here.
"""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

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
    UnitOrder,
    Waive,
)

Verb = Literal["hold", "move", "support", "convoy", "retreat", "disband", "build", "remove", "waive", "home"]
_WITH_UNIT_ALONE: dict[Verb, type[Hold | Disband | Build | Remove]] = {
    "hold": Hold, "disband": Disband, "build": Build, "remove": Remove
}  # fmt: skip
_VERBS: dict[type[UnitOrder], Verb] = {order: verb for verb, order in _WITH_UNIT_ALONE.items()}


class OrderJson(TypedDict):
    """The list above shows which keys stand beside `verb`."""

    verb: Verb
    unit: NotRequired[str]
    to: NotRequired[str]
    via: NotRequired[bool]
    helped: NotRequired[str]
    army: NotRequired[str]
    center: NotRequired[str]


def order_to_json(order: Order) -> OrderJson:
    """The order as plain data."""
    match order:
        case Move(unit, to, via):
            return {"verb": "move", "unit": str(unit), "to": to, "via": via}
        case Support(unit, helped, to):
            return {"verb": "support", "unit": str(unit), "helped": str(helped), "to": to}
        case Convoy(unit, army, to):
            return {"verb": "convoy", "unit": str(unit), "army": str(army), "to": to}
        case Retreat(unit, to):
            return {"verb": "retreat", "unit": str(unit), "to": to}
        case Waive():
            return {"verb": "waive"}
        case Home(center):
            return {"verb": "home", "center": center}
    return {"verb": _VERBS[type(order)], "unit": str(order.unit)}


def order_from_json(data: Mapping[str, Any]) -> Order:
    """The order that `order_to_json` wrote."""
    match data["verb"]:
        case "waive":
            return Waive()
        case "home":
            return Home(data["center"])
        case "move":
            return Move(_unit(data["unit"]), data["to"], data["via"])
        case "support":
            return Support(_unit(data["unit"]), _unit(data["helped"]), data["to"])
        case "convoy":
            return Convoy(_unit(data["unit"]), _unit(data["army"]), data["to"])
        case "retreat":
            return Retreat(_unit(data["unit"]), data["to"])
    return _WITH_UNIT_ALONE[data["verb"]](_unit(data["unit"]))


def _unit(text: str) -> Unit:
    kind, _, place = text.rpartition(" ")
    return Unit(kind, place)
