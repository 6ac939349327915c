"""The text of one order to what it means: `parse_order` knows only the map and the kind of phase, not the pieces."""

from judge.rules.board.orders import Order, OrderError, read_normal
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.reader import Reader
from judge.rules.variant.variant import Variant

# Players and programs write the same few thousand lines: each is read once.
REMEMBERED = 50_000
_ORDERS_READ: dict[tuple[Variant, str, str], Order] = {}


def parse_order(variant: Variant, phase_kind: PhaseKind, text: str) -> Order:
    """The order in the text, as written: a unit may lack its kind, a coast may be needless or missing.

    `phase_kind` is "M", "R" or "A". Raises OrderError, which says what is wrong and what to write instead.
    """
    asked = variant, phase_kind, text
    try:
        return _ORDERS_READ[asked]
    except KeyError:
        if len(_ORDERS_READ) >= REMEMBERED:
            _ORDERS_READ.clear()
    order = _ORDERS_READ[asked] = _read(variant, phase_kind, text)
    return order


def _read(variant: Variant, phase_kind: PhaseKind, text: str) -> Order:
    order = read_normal(variant.board.province_of, phase_kind, text)
    if order:
        return order
    try:
        return Reader(variant, phase_kind, text).whole_order()
    except OrderError:
        order = Reader(variant, phase_kind, text, loosely=True).whole_loose_order()
        if order is None:
            raise
        return order
