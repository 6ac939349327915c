"""Headings above orders. They name the phase of the orders, or say whether the orders are meant."""

from collections.abc import Collection, Sequence

from judge.rules.board.names import fold, word_set
from judge.rules.parsing.decoration import LONGEST_HEADING, may_be_beside, phase_heading, unmarked, without_brackets
from judge.rules.parsing.vocabulary import (
    CHOICE,
    CONDITIONS,
    EARLIER,
    NEW,
    NOT_MEANT,
    OF_ORDERS,
    OLD,
    OLD_TIMES,
    TAKEN_BACK,
    WITH_LETTER,
)

# The results for a heading such as "Cancelled:" or "If Italy attacks:", and for one such as "New orders:".
UNMEANT, MEANT = "-", "+"
# Words after a condition that say that the orders are meant: "When you get this, please use these:".
_SAYS_MEANT = word_set("MY PLEASE THESE")
# A condition is among this number of words at the beginning of a heading: "But only if Italy attacks:".
_MOST_BEFORE_CONDITION = 3
# The maximum number of words of a heading that ends without a colon, such as "Old orders".
_MOST_WORDS = 3
_PUNCTUATION = ".,;:!()[]*=-–—\"'"


def heading(line: str, now: str, names: Collection[str] = ()) -> str:
    """Return what a heading says of the orders below it: a phase, UNPLACED, UNMEANT or MEANT. Return "" otherwise.

    `now` is the open phase. `names` has the words of the game and its powers, in small letters.
    """
    if len(line) > LONGEST_HEADING:
        return ""
    text = unmarked(line.lstrip("# ")).strip("()=-–— ")
    # One word with marks around it is a heading too, such as "[NEW]".
    if " " not in text and text != line.strip() and not text.endswith(":"):
        text = f"{text}:"
    if _is_unmeant(text, names) or _is_unmeant(without_brackets(text), names):
        return UNMEANT
    if phase := phase_heading(line, now, names):
        return phase
    words = words_of(text)
    is_meant = _is_title(text, words) and not NEW.isdisjoint(words)
    if text.endswith(":"):
        is_meant = not (NEW | OF_ORDERS).isdisjoint(words)
    return MEANT if is_meant and all(word in NEW | OF_ORDERS or _is_beside(word) for word in words) else ""


def words_of(text: str) -> list[str]:
    """Return the normalized words of a heading, without punctuation."""
    return [bare for word in fold(text).split() if (bare := word.strip(_PUNCTUATION))]


def _is_unmeant(text: str, names: Collection[str]) -> bool:
    """Return whether a heading says that the orders below it are old, taken back, only possible or conditional."""
    words = words_of(text)
    if not words:
        return False
    if _is_about_before(words):
        return False
    is_headed = text.endswith(":")
    if is_headed and _begins_condition(words):
        return True
    reasons = _reasons(words) if is_headed or _is_title(text, words) else frozenset()
    others = {word for word in words if word not in reasons and word.lower() not in names}
    return bool(reasons) and NEW.isdisjoint(others) and all(map(_is_beside, others - OF_ORDERS))


def _is_about_before(words: Sequence[str]) -> bool:
    """Return whether a heading takes back what was written before: "Ignore my previous email:", "Scratch that:"."""
    is_back = not TAKEN_BACK.isdisjoint(words) or "INSTEAD" in words
    return is_back and not (EARLIER | {"LAST", "THAT"}).isdisjoint(words)


def _is_title(text: str, words: Sequence[str]) -> bool:
    """Return whether a line without a colon is a title, such as "Old orders", and not the end of a sentence."""
    if not 0 < len(words) <= _MOST_WORDS or not text[-1].isalnum():
        return False
    return words[0] in CHOICE or len(words) > 1 and text[0].isupper()


def _begins_condition(words: Sequence[str]) -> bool:
    begins = words[:_MOST_BEFORE_CONDITION]
    if len(words) == 1 or not _SAYS_MEANT.isdisjoint(words):
        return False
    return "IN CASE" in " ".join(begins) or not CONDITIONS.isdisjoint(begins)


def _reasons(words: Sequence[str]) -> frozenset[str]:
    """Return the words that say that orders are not meant. Some need another word next to them, such as "Plan B"."""
    pairs = dict(zip(words, [*words[1:], ""], strict=True))
    reasons = (NOT_MEANT | OLD).intersection(words)
    reasons |= {word for word in WITH_LETTER & pairs.keys() if len(pairs[word]) == 1}
    if pairs.get("INSTEAD") == "OF":
        reasons |= {"INSTEAD"}
    if pairs.get("NO") == "LONGER":
        reasons |= {"NO", "LONGER"}
    if pairs.get("NOT") in NEW:
        reasons |= {pairs["NOT"]}
    if "LAST" in pairs and not OLD_TIMES.isdisjoint(words):
        reasons |= {"LAST", *OLD_TIMES}
    return reasons


def _is_beside(word: str) -> bool:
    return len(word) == 1 or may_be_beside(word.lower())
