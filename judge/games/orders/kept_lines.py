"""Lines for a later phase: read when their letter comes, and kept in the form of their meaning.

Whether an order can be carried out, and for which of a player's powers it is, is decided when that phase opens.
In JSON, beside the text as it was written:

    {"power": "", "order": {"verb": "move", ...}, "times": 1}    an order; "power" where one was named, "times": waives,
                                                                  "others": true if it is for the units without one
    {"bid": "bid", "points": 2, "order": {"verb": "hold", ...}}   points for an order of a neutral
    {"bid": "clear"}, {"bid": "none"}                             DP CLEAR, DP NONE
    {"if": [{"when": ["unit", "", "F", "NTH"], "lines": [...]}]}  lines of which those of the first condition that is
                                                                  true count (judge/games/orders/conditions.py), "when"
                                                                  null: else; each line has its "text" too

Orders are as in judge/rules/board/order_json.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.games.orders.bid_lines import BidLine, may_be_bid, read_bid_line, understood
from judge.games.orders.conditions import Condition, holds
from judge.rules import OrderError, Position, Variant
from judge.rules.board.order_json import order_from_json, order_to_json
from judge.rules.board.phase import PhaseKind
from judge.rules.order_texts.notation import Reading, readings

Said = Reading | BidLine


@dataclass(frozen=True)
class Choice:
    """IF … ENDIF: each condition (None: else) with the lines that count if it is the first that is true."""

    text: str
    branches: Sequence[tuple[Condition | None, Sequence[Said]]]

    def taken(self, position: Position) -> Sequence[Said]:
        """The lines that count on that board."""
        return next((lines for when, lines in self.branches if when is None or holds(when, position)), ())


Kept = Said | Choice


def read_ahead(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Said | OrderError]:
    """What a line for a phase of that kind says, each order by itself, or why an order cannot be kept."""
    if not may_be_bid(variant, line):
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
    if isinstance(kept, Choice):
        said = [
            (when, [{"text": kept_text(one), **kept_to_json(one)} for one in lines]) for when, lines in kept.branches
        ]
        return {"if": [{"when": when, "lines": lines} for when, lines in said]}
    if isinstance(kept, Reading):
        others = {"others": True} if kept.others else {}
        return {"power": kept.power, "order": order_to_json(kept.order), "times": kept.times, **others}
    if kept.meaning is None:
        return {"bid": kept.verb}
    return {"bid": kept.verb, "points": kept.points, "order": order_to_json(kept.meaning)}


def kept_from_json(text: str, data: Mapping[str, Any]) -> Kept:
    """The line that `kept_to_json` has written; `text`: the text kept beside it."""
    if "if" in data:
        said = [(one["when"], [_said(line["text"], line) for line in one["lines"]]) for one in data["if"]]
        return Choice(text, said)
    return _said(text, data)


def _said(text: str, data: Mapping[str, Any]) -> Said:
    if "bid" not in data:
        order, others = order_from_json(data["order"]), data.get("others", False)
        return Reading(text, data["power"], order, data["times"], others=others)
    if "order" not in data:
        return BidLine(text, data["bid"])
    meaning = order_from_json(data["order"])
    return BidLine(text, data["bid"], data["points"], str(meaning), meaning)
