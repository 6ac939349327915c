"""What an order says that the board contradicts, and that its player is told: "A BRE" where a fleet stands is the fleet
(DATC 4.C.2), and a fleet goes by itself.
"""

from judge.rules.board.orders import Build, Move, Order, Unit
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


def needless_via(written: Order, meant: Order) -> str:
    """A sentence about a fleet that was ordered to go by convoy, without a capital; "" about any other order."""
    if isinstance(written, Move) and isinstance(meant, Move) and written.via and not meant.via:
        return f"a fleet is never convoyed, so this is read as {meant}."
    return ""


def _kind(unit: Unit) -> str:
    return "an army" if unit.kind == "A" else "a fleet"
