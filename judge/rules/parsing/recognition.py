"""Decide which lines of an email are meant as orders, and which lines together make one order.

Mail programs wrap long lines. Each cell of a pasted table arrives on a separate line, such as "Fleet Brest" and then "-
Mid-Atlantic Ocean". Such lines are joined if the result is an order. If only the name of a unit is left, it is never
read as HOLD in an email. The player has probably forgotten the rest of the order.
"""

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import takewhile

from judge.rules.board.names import fold
from judge.rules.board.orders import Order, OrderError, Support
from judge.rules.board.phase import KINDS, PhaseKind
from judge.rules.parsing.decoration import (
    LONGEST_LINE,
    behind_open_box,
    is_heading,
    name_before,
    split_orders,
    unmarked,
    without_bullets,
    without_courtesies,
)
from judge.rules.parsing.grammar import BareUnit, Reader, parse_order
from judge.rules.parsing.order_tokens import collective_order, said_words, with_arrows
from judge.rules.parsing.vocabulary import (
    BUILD,
    BY_WAY_OF,
    CONDITIONAL,
    CONVOY,
    CONVOYED,
    HOME,
    KIND_WORDS,
    MOVE,
    ORDER_WORDS,
    REMOVE,
    SAYS_WHAT,
    SENTENCE_WORDS,
    SUPPORT,
    TO,
    WAIVE,
)
from judge.rules.variant.variant import Variant

_BY_FLEET = BY_WAY_OF | {"THROUGH", "USING"}
_UNIT_OR_ORDER = KIND_WORDS.keys() | ORDER_WORDS
_OF_ORDERS = _UNIT_OR_ORDER | TO | CONVOYED | _BY_FLEET
# A line like "**A PAR - BUR**: secures the border". Bold text before a colon or a dash is an order, the rest a remark.
_EXPLAINED = re.compile(r"^[*_`]*(?P<order>[^:*_`]+)(?:[*_`]{1,2} ?(?::|[-–—]{1,2})|:[*_`]{1,2}) (?P<why>[^()]+)$")
# A remark in brackets, after an order.
_REMARK = re.compile(r"(?<=\w) ?\(([^()]*)\)(?= ?(?:[.!] ?)?(?:[,;]|$))")
_ARROW = re.compile(r"\w\s*-+>?\s*\w")
# Text that may follow a province in an order, but hardly ever in prose: " - BUR" or a letter like H.
_GOES_ON_AS_ORDER = re.compile(r"\w+(?: - \S+\s*|\s+[HSCMRD]\b.*)", re.IGNORECASE)


def looks_like_order(variant: Variant, text: str) -> bool:
    """Return whether a line may be meant as an order, well written or not, rather than as prose.

    Such a line begins with a unit, a province, a power or a word of orders. The rest is like an order too. A province
    whose abbreviation can also begin a sentence needs more after it. There must be a whole order, or text that is
    hardly ever in a sentence. Only the beginning of a long line is examined.
    """
    line = " ".join(text[:LONGEST_LINE].split())
    line = behind_open_box(line) or line
    bare = unmarked(line)
    texts = (without_bullets(line), bare, _without_remarks(variant, bare))
    if any(_weigh(variant, text) for text in dict.fromkeys(texts)):
        return True
    polite = without_courtesies(bare)
    if polite == bare or not _weigh(variant, polite):
        return False
    # The line may be a sentence. So it must contain a whole order, or continue with a unit, perhaps after a verb.
    words = said_words(polite)
    unit = words[1:] if words[0] in ORDER_WORDS else words
    if unit[:1] and unit[0] in KIND_WORDS and 1 in _names_in(variant, unit[:3]):
        return True
    return bool(collective_order("M", polite)) or holds_order(variant, polite)


def _weigh(variant: Variant, line: str) -> bool:
    words = said_words(line.removeprefix("+"))
    if not words:
        return False
    is_winters = _is_winters(variant, line, words)
    if is_winters is not None:
        return is_winters
    named = _names_in(variant, words)
    if 0 in named and _may_begin_sentence(variant, words):
        is_of_names = sum(words[at] not in SENTENCE_WORDS for at in named) > 1
        return is_of_names or holds_order(variant, line) or bool(_GOES_ON_AS_ORDER.fullmatch(with_arrows(line)))
    return _begins_order(variant, line, words, named) and _goes_on(line, words, named)


def _is_winters(variant: Variant, line: str, words: list[str]) -> bool | None:
    """Return whether the line is an order that has no verb after a unit: "+F STPNC", "WAIVE 2", "HOME PAR".

    Returns None if the line does not begin like such an order.
    """
    first, *others = words
    if line.startswith("+") and first in KIND_WORDS and len(words) < 4:
        return True
    if first in WAIVE:
        return len(words) <= (6 if variant.groups else 4)
    if any(collective_order(phase_kind, line) for phase_kind in KINDS):
        return True
    if first in HOME:
        return _names_in(variant, words)[:1] == [1] and len(words) < 5
    names_power = not WAIVE.isdisjoint(others[:1]) and name_before(variant, line)[0]
    return True if names_power else None


def _may_begin_sentence(variant: Variant, words: list[str]) -> bool:
    """Return whether the line begins with a province that is also a word of prose.

    A longer name that begins with such a word, like "Red Sea", does not count.
    """
    lengths = range(2, min(variant.names.most_words, len(words)) + 1)
    return words[0] in SENTENCE_WORDS and not any(variant.names.whole(" ".join(words[:length])) for length in lengths)


def _begins_order(variant: Variant, line: str, words: list[str], named: list[int]) -> bool:
    """Return whether the line begins with a unit, a province, a word of orders, or a power."""
    if 0 in named or words[0] in _UNIT_OR_ORDER:
        return True
    said = [word.removesuffix("'S") for word in words]
    powers = (word.split() for side in variant.sides for word in side.words)
    if any(said[: len(name)] == name for name in powers):
        return True
    # The letters of a power are often words of a sentence too: "So a fleet ...".
    is_lettered = line.split()[0].isupper() and variant.power_names.has_letters(words[0])
    if is_lettered and not (KIND_WORDS.keys() | BUILD | REMOVE).isdisjoint(words[1:2]):
        return True
    # A shortened name of a power is enough if a colon follows it.
    heading, colon, _ = line.partition(":")
    with suppress(KeyError):
        return bool(colon and variant.seat(heading))
    return False


def _goes_on(line: str, words: list[str], named: list[int]) -> bool:
    """Return whether a line that begins like an order also continues like an order."""
    if len(named) > 1 or not _UNIT_OR_ORDER.isdisjoint(words[1:]):
        return True
    if not named:
        return bool(_ARROW.search(line))
    # A unit that goes to a place with a misspelled name: "A Paris to Burgundi".
    is_move = words[0] in KIND_WORDS and len(words) <= 6 and not TO.isdisjoint(words[2:])
    return is_move or len(words) < 4 or bool(_ARROW.search(line))


def holds_order(variant: Variant, line: str) -> bool:
    """Return whether the line contains a whole order of any phase."""
    return any(_is_readable(variant, part) for part in split_orders(line))


def _may_order(variant: Variant, text: str) -> bool:
    """Return whether the text could be an order or part of an order: "BUR", "to BUR", "hold"."""
    words = fold(with_arrows(text)).split()
    begins = words[0] in _OF_ORDERS
    named = bool(_names_in(variant, words)) or not CONVOY.isdisjoint(words)
    return fold(text) in variant.names.exact or begins and (named or len(words) == 1) or looks_like_order(variant, text)


def is_remark(text: str) -> bool:
    """Return whether a text in brackets is only a remark, and not a condition, a question or a retraction."""
    words = [word.strip(",;:!?'\"*") for word in fold(text.replace("/", " ").replace("-", " ")).split()]
    return bool(words) and text.strip()[0].isalpha() and "?" not in text and CONDITIONAL.isdisjoint(words)


def _without_remarks(variant: Variant, line: str) -> str:
    """Return the line without the remarks in brackets after its orders.

    A text that could be part of an order is not a remark. Neither is a condition, since an order with a condition must
    not be read without it.
    """

    def kept(found: re.Match[str]) -> str:
        is_name = is_heading(variant, found[1]) and fold(found[1]) not in variant.names.exact
        return "" if is_name or is_remark(found[1]) and not _may_order(variant, found[1]) else found[0]

    return _REMARK.sub(kept, line)


def bare(variant: Variant, line: str) -> tuple[str, str]:
    """Return the line without what people put around orders: punctuation, remarks and courtesies.

    Also return the remarks, as they were written: "(as agreed), (sorry)".
    """
    explained = _EXPLAINED.match(line)
    if explained and holds_order(variant, explained["order"]) and not holds_order(variant, explained["why"]):
        line = f"{explained['order']} ({explained['why']})"
    marked = unmarked(line)
    without = _without_remarks(variant, marked)
    remarks = (f"({found[1]})" for found in _REMARK.finditer(marked))
    return without_courtesies(without), ", ".join(remark for remark in remarks if remark not in without)


def _is_readable(variant: Variant, text: str) -> bool:
    """Return whether the text is an order of any phase, with its verb or as a move of two names."""
    words = fold(with_arrows(text, " TO ")).split()
    if SAYS_WHAT.isdisjoint(words[1:]):
        whole, splits = variant.names.whole, range(1, min(len(words), variant.names.most_words + 1))
        return any(whole(" ".join(words[:at])) and whole(" ".join(words[at:])) for at in splits)
    for phase_kind in KINDS:
        try:
            parse_order(variant, phase_kind, text)
            return True
        except OrderError:
            continue
    return False


def is_miswritten_order(variant: Variant, text: str) -> bool:
    """Return whether the text is an order with one misspelled place: "A PAR - BURGANDY".

    The order may also break off: "A PAR", "A PAR -".
    """
    words = fold(with_arrows(text, " TO ")).split()
    unit = words[1:] if words[:1] and words[0] in ORDER_WORDS else words
    if text.rstrip().endswith("?") or not (unit and unit[0] in KIND_WORDS):
        return False
    known = _known(variant, words)
    says_what = not SAYS_WHAT.isdisjoint(words[1:])
    return len(known) > 1 and len(words) - len(known) <= says_what


def _known(variant: Variant, words: list[str]) -> set[int]:
    """Return the positions of the words that belong to orders, or to the name of a province."""
    known = {at for at, word in enumerate(words) if word in _OF_ORDERS}
    for at in _names_in(variant, words):
        lengths = range(variant.names.most_words, 0, -1)
        longest = next(length for length in lengths if variant.names.whole(" ".join(words[at : at + length])))
        known |= {*range(at, min(at + longest, len(words)))}
    return known


def _names_in(variant: Variant, words: list[str]) -> list[int]:
    """Return the positions among the words at which names of provinces begin."""
    whole, most = variant.names.whole, variant.names.most_words
    lengths = range(1, most + 1)
    return [at for at in range(len(words)) if any(whole(" ".join(words[at : at + length])) for length in lengths)]


# --- orders over several lines, and units without an order -----------------------------------------------------------


# The maximum number of lines of a pasted table that form one order. Each of its words may be on a separate line.
MOST_LINES = 8
_LONGEST = 100
# Words that cannot end an order, and words that a unit must follow.
_OPEN = TO | MOVE | SUPPORT | CONVOY | BUILD | REMOVE | {"VIA"}
_BEFORE_UNIT = SUPPORT | CONVOY | BUILD | REMOVE
_POINTS = re.compile(r"^\s{0,50}(?:(?:DP|BID) ?\d{0,3}|\d{1,3} ?(?:DP|BID))(?=[\s:])", re.IGNORECASE)


def is_bare_unit(variant: Variant, phase_kind: PhaseKind, text: str) -> bool:
    """Return whether `text` names only a unit, or its place, and not what the unit should do."""
    return isinstance(_read(variant, phase_kind, text), BareUnit)


def joined(variant: Variant, phase_kind: PhaseKind, lines: Sequence[str], own: Collection[str] = ()) -> list[str]:
    """Return the lines of an email, with lines joined that together make one order of a phase of that kind.

    `own` has the provinces of the player's own units. If such a province is alone on a line, it means another unit, not
    the target of the line above.
    """
    whole = []
    at = 0
    while at < len(lines):
        count = _how_many(variant, phase_kind, lines[at : at + MOST_LINES], own)
        whole.append(lines[at] if count == 1 else " ".join(line.strip() for line in lines[at : at + count]))
        at += count
    return whole


def _how_many(variant: Variant, phase_kind: PhaseKind, lines: Sequence[str], own: Collection[str]) -> int:
    """Return how many of `lines`, from the first on, make one order, or 1 if the first line is complete."""
    text, found = _begun(lines[0]), 1
    if not _words(text):
        return 1
    for count, line in enumerate(takewhile(partial(_may_follow, lines[0]), lines[1:]), start=2):
        first, *others = re.split(r"[;,]", line)
        below = "".join(lines[count : count + 1])
        if not (_names_target(variant, phase_kind, text, first, below, own) or _belongs(text, first)):
            break
        if count == 2 and _is_whole(variant, phase_kind, text) and not _is_way(line):
            break
        text = f"{text} {first.strip()}"
        if not isinstance(_read(variant, phase_kind, text), OrderError):
            found = count
        if others:
            break
    return found


def _may_follow(above: str, line: str) -> bool:
    """Return whether a line may continue an order in the lines `above`.

    Such a line must be short, and not a new item of a list.
    """
    if len(line) > _LONGEST or ":" in line:
        return False
    return not (_is_item(line) and _is_item(above))


def _begun(line: str) -> str:
    """Return the part of a line that may continue on the next: after the last comma, without bullet and power."""
    if len(line) > _LONGEST:
        return ""
    last = re.split(r"[;,]", line)[-1]
    return _POINTS.sub("", without_bullets(last), 1).rpartition(":")[2].strip()


def _names_target(
    variant: Variant, phase_kind: PhaseKind, text: str, first: str, below: str, own: Collection[str]
) -> bool:
    """Return whether a line names the target of the unit above it: "BUR" after a line "A PAR".

    Several names on successive lines are only a list. The next line may also say what a unit in that place does.
    """
    place = variant.names.exact.get(fold(first))
    if place is None or place in own or _words(text)[0] not in KIND_WORDS:
        return False
    return SAYS_WHAT.isdisjoint(_words(below)[:1]) and is_bare_unit(variant, phase_kind, text)


def _is_whole(variant: Variant, phase_kind: PhaseKind, text: str) -> bool:
    order = _read(variant, phase_kind, text)
    return not isinstance(order, OrderError) and not (isinstance(order, Support) and not order.to)


def _belongs(above: str, line: str) -> bool:
    """Return whether the line may continue the order begun above it, and is not a new order."""
    words, before = _words(line), _words(above)
    if not words:
        return False
    if words[0] in TO or _is_way(line):
        return True
    if before[-1] in _BEFORE_UNIT:
        return words[0] not in ORDER_WORDS
    if before[-1] in _OPEN or before[-1] in KIND_WORDS:
        return words[0] not in _UNIT_OR_ORDER
    # "S A PAR - BUR" continues the line above, but "BUILD A PAR" does not.
    return words[0] in ORDER_WORDS and (len(words) == 1 or words[0] not in BUILD | REMOVE)


def _is_way(line: str) -> bool:
    """Return whether the line says that the move in the line above is by convoy."""
    return _words(line)[:1] in (["VIA"], ["(VIA"])


def _is_item(line: str) -> bool:
    return without_bullets(line) != line


@lru_cache(maxsize=4096)
def _read(variant: Variant, phase_kind: PhaseKind, text: str) -> Order | OrderError:
    """Return the order in `text`, or the error. The result is cached, since each line is tried together with others."""
    try:
        return Reader(variant, phase_kind, text).whole_order()
    except OrderError as mistake:
        return mistake.with_traceback(None)


def _words(text: str) -> list[str]:
    """Return the normalized words, with "-" for an arrow."""
    return [fold(word) or word for word in with_arrows(text).split()]
