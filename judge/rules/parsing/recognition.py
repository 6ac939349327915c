"""Whether a line of a letter may be meant as an order, well written or not, rather than as prose."""

import re
from functools import lru_cache, partial

from judge.rules.board.names import fold
from judge.rules.board.orders import OrderError
from judge.rules.board.phase import KINDS
from judge.rules.parsing.decoration import (
    LONGEST_LINE,
    behind_open_box,
    name_before,
    split_orders,
    unmarked,
    without_bullets,
    without_courtesies,
    without_remarks,
)
from judge.rules.parsing.grammar import collective_order, parse_order
from judge.rules.parsing.order_tokens import said_words, with_arrows
from judge.rules.parsing.vocabulary import HOME, KIND_WORDS, ORDER_WORDS, SENTENCE_WORDS, TO, WAIVE
from judge.rules.variant.variant import Variant

# What may follow a province in an order, but hardly ever in a sentence: a hyphen and one word, or a single letter.
_GOES_ON_AS_ORDER = re.compile(r"\w+(?: - \S+\s*|\s+[HSCMRD]\b.*)", re.IGNORECASE)


def looks_like_order(variant: Variant, text: str) -> bool:
    """Return whether a line may be meant as an order, well written or not, rather than as prose.

    It begins with a unit, a province, a power or a word of an order, and more of an order follows. After a province
    whose abbreviation can also begin a sentence there must be a whole order, or text that hardly ever stands in a
    sentence. Of a long line only the beginning counts.
    """
    return _may_be_order(variant, " ".join(text[:LONGEST_LINE].split()))


@lru_cache(maxsize=4096)
def _may_be_order(variant: Variant, line: str) -> bool:
    """The same of a line with single blanks; remembered, since players write the same lines."""
    line = behind_open_box(line) or line
    bare = unmarked(line)
    if any(_looks_like_order(variant, text) for text in dict.fromkeys((without_bullets(line), bare))):
        return True
    if "(" in bare and _looks_like_order(variant, without_remarks(bare, partial(may_order, variant))):
        return True
    polite = without_courtesies(bare)
    return polite != bare and _looks_like_order(variant, polite) and _begins_with_unit(variant, polite)


def _begins_with_unit(variant: Variant, line: str) -> bool:
    """Return whether a line that began with "please" or the like goes on like an order.

    It may well be a sentence: it must go on with a unit, after a verb perhaps, or have a whole order.
    """
    words = said_words(line)
    unit = words[1:] if words[0] in ORDER_WORDS else words
    named = unit[:1] and unit[0] in KIND_WORDS and 1 in _names_in(variant, unit[:3])
    return bool(named) or any(_is_readable(variant, part) for part in split_orders(line))


def _looks_like_order(variant: Variant, line: str) -> bool:
    words = said_words(line.removeprefix("+"))
    if not words:
        return False
    if words[0] in WAIVE:
        return len(words) <= 4 or bool(variant.groups and len(words) <= 6)
    if any(collective_order(phase_kind, line) for phase_kind in KINDS):
        return True
    named = _names_in(variant, words)
    if words[0] in HOME:
        return named[:1] == [1] and len(words) < 5
    if words[1:2] and words[1] in WAIVE and name_before(variant, line)[0]:
        return True
    if 0 in named and words[0] in SENTENCE_WORDS and not _begins_with_longer_name(variant, words):
        others = [at for at in named if words[at] not in SENTENCE_WORDS]
        readable = len(others) > 1 or any(_is_readable(variant, part) for part in split_orders(line))
        return readable or bool(_GOES_ON_AS_ORDER.fullmatch(with_arrows(line)))
    begins = 0 in named or words[0] in KIND_WORDS or words[0] in ORDER_WORDS
    if not begins and not _begins_with_power(variant, words, line):
        return False
    said = any(word in ORDER_WORDS or word in KIND_WORDS for word in words[1:])
    # "A Paris to Burgundi": a unit that goes to a place whose name is miswritten.
    said = said or bool(named) and words[0] in KIND_WORDS and len(words) <= 6 and not TO.isdisjoint(words[2:])
    return len(named) > 1 or said or bool(re.search(r"\w\s*-+>?\s*\w", line)) or bool(named and len(words) < 4)


def may_order(variant: Variant, text: str) -> bool:
    """Whether the text could be an order or part of one: "BUR", "to BUR", "hold"."""
    words = fold(with_arrows(text)).split()
    begins = words[0] in ORDER_WORDS | TO | KIND_WORDS.keys()
    named = bool(_names_in(variant, words))
    return fold(text) in variant.names.exact or begins and (named or len(words) == 1) or looks_like_order(variant, text)


def _begins_with_longer_name(variant: Variant, words: list[str]) -> bool:
    """Whether the first word is only the beginning of a longer province name: "Red Sea"."""
    lengths = range(2, min(variant.names.most_words, len(words)) + 1)
    return any(variant.names.whole(" ".join(words[:length])) for length in lengths)


def _two_names(variant: Variant, words: list[str]) -> bool:
    """Whether the words are the names of two provinces and nothing else: "WAR GAL"."""
    whole, most = variant.names.whole, variant.names.most_words
    splits = range(1, min(len(words), most + 1))
    return any(whole(" ".join(words[:at])) and whole(" ".join(words[at:])) for at in splits)


def _is_readable(variant: Variant, text: str) -> bool:
    """Whether the text is an order of any phase: one with a word for it, or a move of two names only."""
    words = fold(with_arrows(text, " TO ")).split()
    if not any(word in ORDER_WORDS or word in TO for word in words[1:]):
        return _two_names(variant, words)
    for phase_kind in KINDS:
        try:
            parse_order(variant, phase_kind, text)
            return True
        except OrderError:
            continue
    return False


def _begins_with_power(variant: Variant, words: list[str], line: str) -> bool:
    """Whether the text begins with a power's name or adjective, or with the beginning of one before a colon."""
    powers = [word.split() for side in variant.sides for word in side.words]
    if any(words[: len(name)] == name for name in powers):
        return True
    heading, colon, _ = line.partition(":")
    try:
        return bool(colon and variant.seat(heading))
    except KeyError:
        return False


def _names_in(variant: Variant, words: list[str]) -> list[int]:
    """The positions among the words at which names of provinces begin."""
    whole, most = variant.names.whole, variant.names.most_words
    return [
        at
        for at in range(len(words))
        if any(whole(" ".join(words[at : at + length])) for length in range(1, most + 1))
    ]
