"""Lines for a later phase: their form is checked when the letter comes, and they are read when that phase opens.

What is kept is their text: an order, a bid, or a whole block from IF to ENDIF. Whether an order can be carried out, for
which of a player's powers it is, and which lines of a block count is decided on the board of that phase.
"""

import re
from collections.abc import Sequence

from judge.games.orders.bid_lines import BidLine, may_be_bid, read_bid_line, understood
from judge.games.orders.conditions import Condition, holds, read_condition
from judge.rules import OrderError, Position, Variant, looks_like_order
from judge.rules.board.phase import PhaseKind, kind
from judge.rules.parsing.lines import Reading, readings

# The limit for one phase and one block: more than any power has units.
MOST_LINES = 300
Said = Reading | BidLine
# Conditions, None for ELSE, each with the lines that count if it is the first that is true.
Branches = Sequence[tuple[Condition | None, Sequence[Said]]]
_BRANCH = re.compile(r"(?P<other>ELSE)? ?(?:IF (?P<rest>.+))?", re.IGNORECASE)
_THEN = re.compile(r" THEN\b ?", re.IGNORECASE)
_END = "ENDIF"


def read_ahead(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Said | OrderError]:
    """What a line for a phase of that kind says, each order by itself, or why an order cannot be kept."""
    if not may_be_bid(variant, line):
        return list(readings(variant, seat, phase_kind, line))
    try:
        return [understood(variant, phase_kind, read_bid_line(line))]
    except OrderError as mistake:
        return [mistake]


def text_of(said: Said) -> str:
    """The text of one order or bid, as it is kept."""
    return said.line if isinstance(said, BidLine) else said.text


def block(lines: Sequence[str]) -> str:
    """A block of conditions as it is kept: from IF to ENDIF."""
    return "\n".join([*lines, _END])


def shown(text: str) -> str:
    """What stands for a kept text in mails: the line, or the IF that begins a block."""
    return text.partition("\n")[0]


def read_kept(variant: Variant, seat: str, position: Position, text: str) -> Sequence[Said | OrderError]:
    """What a kept text says on the board of its phase; of a block the lines that count."""
    phase_kind = kind(position.phase)
    *lines, end = text.splitlines() or [""]
    if not lines or end != _END:
        return read_ahead(variant, seat, phase_kind, text)
    try:
        branches = read_branches(variant, seat, phase_kind, lines)
    except OrderError as mistake:
        return [mistake]
    return next((said for when, said in branches if when is None or holds(when, position)), ())


def read_branches(variant: Variant, seat: str, phase_kind: PhaseKind, lines: Sequence[str]) -> Branches:
    """The conditions of IF, ELSE IF and ELSE, each with the lines below it.

    Raises OrderError for anything that is neither a condition nor an order or a bid.
    """
    if len(lines) > MOST_LINES:
        raise OrderError(f"A condition has at most {MOST_LINES} lines.")
    branches: list[tuple[Condition | None, list[Said]]] = []
    for line in lines:
        words = " ".join(line.split())
        found = _BRANCH.fullmatch(words) if words else None
        if not found:
            branches[-1][1].extend(_said(variant, seat, phase_kind, line))
            continue
        asked, *order = _THEN.split(found["rest"] or "", maxsplit=1)
        if bool(branches) != bool(found["other"]) or (branches and branches[-1][0] is None):
            raise OrderError(f'"{line}" cannot stand here: after IF come ELSE IF, then one ELSE, then ENDIF.')
        branches.append((read_condition(variant, asked) if asked else None, []))
        if any(order):
            branches[-1][1].extend(_said(variant, seat, phase_kind, *order))
    return branches


def _said(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Said]:
    if not (may_be_bid(variant, line) or looks_like_order(variant, line)):
        raise OrderError(f'"{line}" is not an order, and only orders stand below IF.')
    said = read_ahead(variant, seat, phase_kind, line)
    for one in said:
        if isinstance(one, OrderError):
            raise OrderError(f'"{line}": {one}')
    return [one for one in said if not isinstance(one, OrderError)]
