"""Lines that bid Diplomacy Points, as people write them (HELP points).

    DP 2: A SWI S A MAR - SAV     two points behind that order; the number, the word for points and the order may stand
                                  in any order and dress: 2 DP on A SWI H, DP(2) A SWI H, I bid 2: A SWI H, 2: A SWI H,
                                  A SWI H (2 DP)
    DP: F TUN H                   one point; also DP F TUN H
    DP 0: A SWI                   nothing for Switzerland any more
    DP CLEAR                      nothing for anybody
    DP NONE, NO DP                the points that are left are not spent

Anything else with a word for points and an order on it is a bid that cannot be read, and never prose.
"""

import re
from dataclasses import dataclass, replace

from judge.rules import Order, OrderError, Variant, looks_like_order, parse_order
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.decoration import filled_in, is_heading, split_orders
from judge.rules.parsing.grammar import BareUnit
from judge.rules.parsing.vocabulary import KIND_WORDS

EXAMPLE = "Write DP 2: and the order of the neutral unit."
_BULLET = re.compile(r"\A\s*(?:[-*•·–—]+\s*|\d{1,2}[.)]\s+)?")
_MARKS = re.compile(r"[*`\"]+|//.*", re.DOTALL)
_ODD = re.compile(r"[-+.,]\d")
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\s\w]|_")
_POINTS = {"DP", "DPS", "POINT", "POINTS", "BID", "BIDS"}
# Only these are no words of prose.
_OWN = {"DP", "DPS"}
_BESIDE = {"I", "ALLOCATE", "SPEND", "PUT", "ON", "FOR", "DIPLOMACY"}
_NUMBERS = {"ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "BOTH", "HALF", "ALL", "EACH", "EVERY"}
_SIGNS = set(":=-()[]#+,;>.!")
_WORDS = {"CLEAR": "clear", "CLEAR ALL": "clear", "NONE": "none"}
# A bid with some words around it; more are prose.
_LONGEST = 200


@dataclass(frozen=True)
class BidLine:
    """What a line says: its `verb` (bid, clear or none), and of a bid its points and its order as written.

    `meaning`: the order itself, once it is read.
    """

    text: str
    verb: str
    points: int = 0
    order: str = ""
    meaning: Order | None = None


@dataclass(frozen=True)
class _Parts:
    """The pieces of a line around its `order`.

    The `numbers`; `own`: DP; `word`: any word for points; `marked`: the line begins with a number and a colon, or has a
    colon after DP; `odd`: a sign or a word makes a number another one.
    """

    order: str
    numbers: tuple[str, ...]
    own: bool
    word: bool
    marked: bool
    odd: bool


def is_bid_line(variant: Variant, text: str) -> bool:
    """Whether a line bids points (even if it is badly written) and is not prose."""
    said = _parts(text)
    if _no_points(text):
        return variant.points is not None
    if not (said.word or said.marked):
        return False
    if not said.own:
        # Where there are no points, "2:" only numbers the order.
        return variant.points is not None and bool(said.numbers) and looks_like_order(variant, said.order)
    return bool(said.numbers or said.marked or _word(said.order) or looks_like_order(variant, said.order))


def may_be_bid(variant: Variant, text: str) -> bool:
    """Whether a line is a bid, or has the parts of one among other words."""
    if is_bid_line(variant, text):
        return True
    if variant.points is None or len(text) > _LONGEST:
        return False
    words = [word.upper() for word in _TOKEN.findall(_bare(text))]
    named = not _POINTS.isdisjoint(words) or bool(words) and words[0].isdecimal()
    return named and looks_like_order(variant, _order_in(text))


def _parts(text: str) -> _Parts:
    bare = _bare(text)
    tokens = list(_TOKEN.finditer(bare))
    first, last = 0, len(tokens)
    while first < last and _is_beside(tokens[first][0]):
        first += 1
    while first < last and _is_beside(tokens[last - 1][0]):
        last -= 1
    before, behind = [one[0].upper() for one in tokens[:first]], [one[0].upper() for one in tokens[last:]]
    if _POINTS.isdisjoint(behind) and any(map(str.isdecimal, behind)):
        # A number alone belongs to the order, in which it is not understood.
        last, behind = len(tokens), []
    order = bare[tokens[first].start() : tokens[last - 1].end()] if first < last else ""
    around = [*before, "", *behind]
    numbers = tuple(filter(str.isdecimal, around))
    return _Parts(
        order,
        numbers,
        own=not _OWN.isdisjoint(around),
        word=not _POINTS.isdisjoint(around),
        marked=before[1:] == [":"] and before[0].isdecimal() or before[:1] == ["DP"] and ":" in before,
        odd=not _NUMBERS.isdisjoint(around) or _ODD.search(bare.removesuffix(order)) is not None,
    )


def _bare(text: str) -> str:
    """The line without bullets and bold; a number with a colon is no bullet here."""
    return _BULLET.sub("", _MARKS.sub("", text), count=1).strip()


def _is_beside(token: str) -> bool:
    return token.isdecimal() or token in _SIGNS or token.upper() in _POINTS | _BESIDE | _NUMBERS


def _no_points(text: str) -> bool:
    """Whether a line says that no points are spent: "NO DP"."""
    words = _bare(text).upper().rstrip(".!").split()
    return len(words) == 2 and words[0] == "NO" and words[1] in _POINTS


def _order_in(text: str) -> str:
    """What stands on the line from its first unit on; "" if it names none."""
    bare = _bare(text)
    begins = (one.start() for one in _TOKEN.finditer(bare) if one[0].upper() in KIND_WORDS)
    return bare[next(begins, len(bare)) :]


def reads_as_order(variant: Variant, text: str) -> bool:
    """Whether a line may be an order or a bid, however badly it is written."""
    return looks_like_order(variant, text) or may_be_bid(variant, text)


def is_order_line(variant: Variant, text: str) -> bool:
    """Whether a line is meant as an order or a bid, is the heading of orders, or a line of a form that is left open."""
    filled = filled_in(text)
    meant = filled != text or is_heading(variant, text)
    return meant or reads_as_order(variant, filled)


def read_bid_line(text: str) -> BidLine:
    """What a line says for which `may_be_bid` is true; raises OrderError."""
    said = _parts(text)
    order = said.order.rstrip()
    if _no_points(text):
        return BidLine(text, "none")
    if said.odd or len(said.numbers) > 1 or not (said.word or said.marked) or not said.numbers and not said.own:
        number = said.numbers[0] if len(said.numbers) == 1 and not said.odd else "2"
        whole = _order_in(text).rstrip(" .!)]")
        why = "Points must be a whole number." if said.odd else "It is not clear how many points go to which order."
        raise OrderError(why, f"Write DP {number}: {whole}" if whole else EXAMPLE)
    points = said.numbers[0] if said.numbers else ""
    if not points and (verb := _word(order)):
        return BidLine(text, verb)
    if not order:
        raise OrderError("There is no order here.", EXAMPLE)
    if len(split_orders(order)) > 1:
        raise OrderError("Put each order for a neutral on a line of its own.", EXAMPLE)
    if points and len(points) > 3:
        raise OrderError(f"No one has {points} points.")
    return BidLine(text, "bid", int(points) if points else 1, order)


def understood(variant: Variant, phase_kind: PhaseKind, line: BidLine) -> BidLine:
    """The line with its order read; raises OrderError if the order makes no sense in a phase of that kind."""
    if variant.points is None:
        raise OrderError(f"There are no Diplomacy Points in {variant.title}.")
    if phase_kind != "M":
        raise OrderError("Diplomacy Points can only be spent in movement phases.")
    if line.verb != "bid" or line.meaning:
        return line
    try:
        return replace(line, meaning=parse_order(variant, "M", line.order, in_letter=bool(line.points)))
    except BareUnit as bare:
        raise OrderError(bare.message, f"Write {bare.unit} H or {bare.unit} S …") from None


def _word(order: str) -> str:
    return _WORDS.get(" ".join(order.upper().rstrip(" .;").split()), "")
