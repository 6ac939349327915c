"""Lines that bid Diplomacy Points, as people write them (HELP points).

    DP 2: A SWI S A MAR - SAV     two points behind that order; also DP2 A SWI S A MAR - SAV and 2: A SWI S A MAR - SAV,
                                  2 DP: A SWI S A MAR - SAV and BID 2: A SWI S A MAR - SAV
    DP: F TUN H                   one point; also DP F TUN H
    DP 0: A SWI                   nothing for Switzerland any more
    DP CLEAR                      nothing for anybody
    DP NONE                       the points that are left are not spent
"""

import re
from dataclasses import dataclass, replace

from judge.rules import Order, OrderError, Variant, looks_like_order, parse_order
from judge.rules.board.phase import PhaseKind
from judge.rules.order_texts.notation import filled_in, is_heading, split_orders
from judge.rules.order_texts.unfinished import refuse_bare_unit

EXAMPLE = "Write DP 2: and the order of the neutral unit."
_BULLET = r"\s*(?:[-*•·]\s+|\d{1,2}[.)]\s+)?"
# Words that people also write in a sentence: then an order must follow.
_OTHER = r"(?P<other>DPS|BIDS?|DIPLOMACY\s+POINTS?)"
_BID = re.compile(
    rf"{_BULLET}(?:(?:DP|{_OTHER})\s*(?P<points>\d+)\s*(?:DPS?\b|POINTS?\b)?\s*:?"
    r"|(?P<number>\d+)\s*(?::|(?:DPS?|BIDS?|POINTS?)\b\s*:?)"
    r"|DP(?:\s+(?P<odd>[^\s:]+))?\s*(?P<mark>:)|(?:DPS?|BIDS?)(?=[\s:])\s*:?)"
    r"\s*(?P<order>.*)",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = {"CLEAR": "clear", "CLEAR ALL": "clear", "NONE": "none"}


@dataclass(frozen=True)
class BidLine:
    """What a line says. `verb`: bid, clear or none; for a bid also its points and its order as written; `meaning`: the
    order itself, once it is read.
    """

    line: str
    verb: str
    points: int = 0
    order: str = ""
    meaning: Order | None = None


def is_bid_line(variant: Variant, text: str) -> bool:
    """Whether a line bids points (even if it is badly written) and is not prose."""
    found = _BID.fullmatch(text)
    if not found:
        return False
    order = found["order"]
    if found["number"] or found["other"]:
        # Where there are no points, "2:" only numbers the order.
        return variant.points is not None and looks_like_order(variant, order)
    return bool(found["points"] or found["mark"] or _word(order) or looks_like_order(variant, order))


def is_order_line(variant: Variant, text: str) -> bool:
    """Whether a line is meant as an order or a bid, is the heading of orders, or a line of a form that is left open."""
    filled = filled_in(text)
    meant = filled != text or is_heading(variant, text)
    return meant or looks_like_order(variant, filled) or is_bid_line(variant, filled)


def read_bid_line(text: str) -> BidLine:
    """What a line says for which `is_bid_line` is true; raises OrderError."""
    found = _BID.fullmatch(text)
    assert found
    order, points = found["order"].rstrip(), found["points"] or found["number"]
    if found["odd"]:
        raise OrderError("Points are a whole number.", EXAMPLE)
    if not points and (verb := _word(order)):
        return BidLine(text, verb)
    if not order:
        raise OrderError("There is no order here.", EXAMPLE)
    if len(split_orders(order)) > 1:
        raise OrderError("Each order of a neutral needs a line of its own.", EXAMPLE)
    if points and len(points) > 3:
        raise OrderError(f"{points} points are more than anybody has.")
    return BidLine(text, "bid", int(points) if points else 1, order)


def understood(variant: Variant, phase_kind: PhaseKind, line: BidLine) -> BidLine:
    """The line with its order read; raises OrderError if the order makes no sense in a phase of that kind."""
    if variant.points is None:
        raise OrderError(f"There are no Diplomacy Points in {variant.title}.")
    if phase_kind != "M":
        raise OrderError("Diplomacy Points are spent in movement phases only.")
    if line.verb != "bid" or line.meaning:
        return line
    order = parse_order(variant, "M", line.order)
    if line.points:
        refuse_bare_unit(variant, "M", line.order, order, "S …")
    return replace(line, meaning=order)


def _word(order: str) -> str:
    return _WORDS.get(" ".join(order.upper().rstrip(" .;").split()), "")
