"""Wrong letters of units: "A BRE" where a fleet stands is the fleet (DATC 4.C.2), and its player is told so."""

from judge.rules.board.orders import Build, Order, Unit
from judge.rules.variant.variant import Variant

_NAMED = ("unit", "helped", "army")


def wrong_letters(variant: Variant, written: Order, meant: Order) -> str:
    """A sentence about the units that an order names with the wrong letter, without a capital; "" if there are none.

    `written`: the order as it was read; `meant`: the same order completed from the pieces on the board.
    """
    pairs = [(getattr(written, name, None), getattr(meant, name, None)) for name in _NAMED]
    wrong = [unit for said, unit in pairs if said and unit and said.kind not in ("", unit.kind)]
    if isinstance(meant, Build) or not wrong:
        return ""
    units = " and ".join(f"the unit in {variant.provinces[unit.province].name} is {_kind(unit)}" for unit in wrong)
    return f"{units}, so this is read as {meant}."


def _kind(unit: Unit) -> str:
    return "an army" if unit.kind == "A" else "a fleet"
