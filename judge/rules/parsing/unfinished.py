"""Orders that are broken over several lines of a letter, and units in a letter without an order.

Mail programs wrap long lines, and each cell of a pasted table arrives on its own line: "Fleet Brest" and below it "-
Mid-Atlantic Ocean". Such lines are joined if the result is an order. If only the bare name of a unit is left, the
player did not mean to write just that, so it is never read as HOLD in a letter.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from judge.rules.board.names import fold
from judge.rules.board.orders import Hold, Order, OrderError, Support
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.grammar import SUPPORTED, Reader
from judge.rules.parsing.order_tokens import with_arrows
from judge.rules.parsing.vocabulary import BUILD, CONVOY, HOLD, KIND_WORDS, MOVE, ORDER_WORDS, REMOVE, SUPPORT, TO
from judge.rules.variant.variant import Variant

# A table has at most one column for each word of "F NTH C A LON - NWY"; longer lines are prose.
MOST_LINES = 8
_LONGEST = 100
# Words that something must follow, and words that the name of a unit must follow.
_OPEN = TO | MOVE | SUPPORT | CONVOY | BUILD | REMOVE | {"VIA"}
_BEFORE_UNIT = SUPPORT | CONVOY | BUILD | REMOVE
_POINTS = re.compile(r"\s{0,50}(?:(?:DP|BID) ?\d{0,3}|\d{1,3} ?(?:DP|BID))(?=[\s:])", re.IGNORECASE)
_BULLET = re.compile(r"\s{0,50}(?:[*•·]|\d{1,2}[.)](?=\s)|-(?=\s))\s{0,50}")


def is_bare_unit(variant: Variant, phase_kind: PhaseKind, text: str) -> bool:
    """Whether `text` names only a unit, or the place of one, and does not say what the unit should do."""
    reader = Reader(variant, phase_kind, text)
    try:
        reader.unit()
    except OrderError:
        return False
    return reader.at == len(reader.words)


def refuse_bare_unit(
    variant: Variant, phase_kind: PhaseKind, text: str, order: object, instead: str = "- …"
) -> None:
    """Raises OrderError if the order is a hold only because a bare unit is read as one.

    `instead`: another order that such a unit may be given.
    """
    if not isinstance(order, Hold) or not is_bare_unit(variant, phase_kind, text):
        return
    ways = f"{order.unit} - … or {order.unit} D." if phase_kind == "R" else f"{order.unit} H or {order.unit} {instead}"
    raise OrderError(f'"{text.strip()}" names a unit but no order.', f"Write {ways}")


def joined(
    variant: Variant, phase_kind: PhaseKind, lines: Sequence[str], own: Collection[str] = ()
) -> list[str]:
    """The lines of a letter; lines that together make one order of a phase of that kind are joined.

    `own`: the provinces of the player's own units; the bare name of such a province means another unit, not the target
    of the unit above.
    """
    whole: list[str] = []
    at = 0
    while at < len(lines):
        count = _how_many(variant, phase_kind, lines[at : at + MOST_LINES], own)
        whole.append(lines[at] if count == 1 else " ".join(line.strip() for line in lines[at : at + count]))
        at += count
    return whole


def _how_many(variant: Variant, phase_kind: PhaseKind, lines: Sequence[str], own: Collection[str]) -> int:
    """How many of `lines`, from the first on, make one order; 1 if the first line stands alone."""
    text = _last_order(lines[0]) if len(lines[0]) <= _LONGEST else ""
    if not (_may_go_on(variant, phase_kind, text) or text and _is_way(lines[1:2])):
        return 1
    found = 1
    for count, line in enumerate(lines[1:], start=2):
        if len(line) > _LONGEST or ":" in line or _is_item(line) and _is_item(lines[0]):
            break
        first, *others = re.split(r"[;,]", line)
        below = _words(lines[count])[:1] if count < len(lines) else []
        # Whether what is below it says what a unit there does.
        of_another = variant.names.exact.get(fold(first)) in own or below and below[0] in TO | ORDER_WORDS
        named = not of_another and _is_second_cell(variant, phase_kind, text, first)
        if not (named or _belongs(text, first)):
            break
        text = f"{text} {first.strip()}"
        if _order(variant, phase_kind, text):
            found = count
        if others:
            break
    return found


@lru_cache(maxsize=4096)
def _may_go_on(variant: Variant, phase_kind: PhaseKind, text: str) -> bool:
    """Whether an order may go on below the line.

    It ends with a unit, or with a word that needs another word after it. Remembered, since players write the same
    lines.
    """
    words = _words(text)
    if not words:
        return False
    if len(words) == 1 and (words[0] in KIND_WORDS or words[0] in BUILD | REMOVE):
        return True
    if len(words) > 1 and words[-1] in _OPEN:
        return True
    return is_bare_unit(variant, phase_kind, text) or _is_support_in_place(variant, phase_kind, text)


def _is_support_in_place(variant: Variant, phase_kind: PhaseKind, text: str) -> bool:
    if SUPPORTED.isdisjoint(Reader(variant, phase_kind, text).upper):
        return False
    order = _order(variant, phase_kind, text)
    return isinstance(order, Support) and not order.to and _words(text)[-1] not in HOLD


def _belongs(above: str, line: str) -> bool:
    """Whether the line may continue the order that has begun above it, and is not a new order."""
    words, before = _words(line), _words(above)
    if not words:
        return False
    if words[0] in TO or _is_way([line]):
        return True
    if before[-1] in _BEFORE_UNIT:
        return words[0] not in ORDER_WORDS
    if before[-1] in _OPEN or before[-1] in KIND_WORDS:
        return words[0] not in ORDER_WORDS | KIND_WORDS.keys()
    # "S A PAR - BUR" continues the line above, "BUILD A PAR" does not.
    return words[0] in ORDER_WORDS and (len(words) == 1 or words[0] not in BUILD | REMOVE)


def _is_second_cell(variant: Variant, phase_kind: PhaseKind, above: str, line: str) -> bool:
    """Whether "BUR" is below "A PAR"; several names below each other are only a list."""
    kinds = _words(above)[0] in KIND_WORDS
    return kinds and fold(line) in variant.names.exact and is_bare_unit(variant, phase_kind, above)


def _is_way(lines: Sequence[str]) -> bool:
    """Whether the first of the lines says that the move in the line above is by convoy."""
    return any(_words(line)[:1] in (["VIA"], ["(VIA"]) for line in lines[:1])


def _is_item(line: str) -> bool:
    return bool(_BULLET.match(line))


def _order(variant: Variant, phase_kind: PhaseKind, text: str) -> Order | None:
    """The order in `text`, if it is complete."""
    try:
        order = Reader(variant, phase_kind, text).whole_order()
    except OrderError:
        return None
    return None if is_bare_unit(variant, phase_kind, text) else order


def _last_order(line: str) -> str:
    """The text after the last comma or semicolon, without a bullet, points or a power's name before it."""
    part = re.split(r"[;,]", line)[-1]
    mark = _BULLET.match(part) or _POINTS.match(part)
    return part[mark.end() if mark else 0 :].rpartition(":")[2].strip()


def _words(text: str) -> list[str]:
    """The words, with "-" for an arrow."""
    return [fold(word) or word for word in with_arrows(text).split()]
