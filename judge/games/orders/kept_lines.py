"""Lines for a later phase: read when their letter comes, and kept in the form of their meaning.

Whether an order can be carried out, and for which of a player's powers it is, is decided when that phase opens.
In JSON, beside the text as it was written:

    {"power": "", "order": {"verb": "move", ...}, "times": 1}    an order; "power" where one was named, "times": waives
    {"bid": "bid", "points": 2, "order": {"verb": "hold", ...}}   points for an order of a neutral
    {"bid": "clear"}, {"bid": "none"}                             DP CLEAR, DP NONE

Orders are as in judge/rules/board/order_json.py.
"""

from collections.abc import Mapping
from typing import Any

from judge.games.orders.bid_lines import BidLine, is_bid_line, read_bid_line, understood
from judge.rules import OrderError, Variant
from judge.rules.board.order_json import order_from_json, order_to_json
from judge.rules.board.phase import PhaseKind
from judge.rules.order_texts.notation import Reading, readings

Kept = Reading | BidLine


def read_ahead(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Kept | OrderError]:
    """What a line for a phase of that kind says, each order by itself, or why an order cannot be kept."""
    if not is_bid_line(variant, line):
        return list(readings(variant, seat, phase_kind, line))
    try:
        return [understood(variant, phase_kind, read_bid_line(line))]
    except OrderError as mistake:
        return [mistake]


def kept_text(kept: Kept) -> str:
    """The text that is kept beside its meaning."""
    return kept.line if isinstance(kept, BidLine) else kept.text


def kept_to_json(kept: Kept) -> dict[str, Any]:
    """The meaning of a line as plain data."""
    if isinstance(kept, Reading):
        return {"power": kept.power, "order": order_to_json(kept.order), "times": kept.times}
    if kept.meaning is None:
        return {"bid": kept.verb}
    return {"bid": kept.verb, "points": kept.points, "order": order_to_json(kept.meaning)}


def kept_from_json(text: str, data: Mapping[str, Any]) -> Kept:
    """The line that `kept_to_json` has written; `text`: the text kept beside it."""
    if "bid" not in data:
        return Reading(text, data["power"], order_from_json(data["order"]), data["times"])
    if "order" not in data:
        return BidLine(text, data["bid"])
    meaning = order_from_json(data["order"])
    return BidLine(text, data["bid"], data["points"], str(meaning), meaning)
