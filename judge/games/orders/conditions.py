"""Orders for a later phase under a condition: IF, ELSE IF, ELSE, ENDIF, decided once, when that phase opens.

A condition asks where units are: `[NOT] [power] [A or F] province`, joined by AND and OR, which count from left to
right, and brackets. As it is read:

    ["unit", "Germany", "A", "MUN"]     such a unit is there; "" for any power, any kind
    ["not", condition]
    ["and", condition, condition], ["or", condition, condition]
"""

import re
from collections.abc import Sequence
from typing import Any

from judge.rules import OrderError, Position, Variant
from judge.rules.board.names import fold
from judge.rules.board.position import occupants
from judge.rules.parsing.lines import slot_named
from judge.rules.parsing.vocabulary import KIND_WORDS

Condition = Sequence[Any]

_WORD = re.compile(r"[()]|[^\s()]+")
_HOW = "Write a condition like NOT German A MUN AND F NTH."

# Brackets and NOTs are read and decided by calling again, and names of provinces are tried from each word on: nobody's
# condition is longer, and a hostile one must not go deep.
MOST_CHARACTERS = 300


def read_condition(variant: Variant, text: str) -> Condition:
    """The condition that the text says; raises OrderError."""
    if len(text) > MOST_CHARACTERS:
        raise OrderError(f"A condition has at most {MOST_CHARACTERS} characters.", _HOW)
    words = _WORD.findall(text)[::-1]
    condition = _joined(variant, words)
    if words:
        raise OrderError("There is a bracket too many in the condition.", _HOW)
    return condition


def holds(condition: Condition, position: Position) -> bool:
    """Whether it is true on that board."""
    match condition:
        case ["not", inner]:
            return not holds(inner, position)
        case ["and", first, second]:
            return holds(first, position) and holds(second, position)
        case ["or", first, second]:
            return holds(first, position) or holds(second, position)
    _, power, kind, province = condition
    found = occupants(position).get(province)
    return found is not None and power in ("", found[0]) and kind in ("", found[1].kind)


def _joined(variant: Variant, words: list[str]) -> Condition:
    """Conditions joined by AND and OR, up to a closing bracket; takes them off the end of `words`."""
    condition = _single(variant, words)
    while words and words[-1].upper() in ("AND", "OR"):
        condition = [words.pop().lower(), condition, _single(variant, words)]
    return condition


def _single(variant: Variant, words: list[str]) -> Condition:
    word = words[-1].upper() if words else ""
    if word == "NOT":
        words.pop()
        return ["not", _single(variant, words)]
    if word == "(":
        words.pop()
        condition = _joined(variant, words)
        if not words or words.pop() != ")":
            raise OrderError("A bracket of the condition is not closed.", _HOW)
        return condition
    said: list[str] = []
    while words and words[-1].upper() not in ("AND", "OR", "NOT", "(", ")"):
        said.append(words.pop())
    if not said:
        raise OrderError("A part of the condition is missing.", _HOW)
    return _unit(variant, said)


def _unit(variant: Variant, said: list[str]) -> Condition:
    """A unit, perhaps of a power. A whole name of a province goes before a power's: "English Channel"."""
    first, *others = said
    if first.upper() in KIND_WORDS and others:
        return ["unit", "", KIND_WORDS[first.upper()], _province(variant, " ".join(others))]
    for at in range(len(others), 0, -1) if not _named(variant, " ".join(said)) else ():
        if power := _power(variant, " ".join(said[:at])):
            return ["unit", power, *_unit(variant, said[at:])[2:]]
    return ["unit", "", "", _province(variant, " ".join(said))]


def _province(variant: Variant, text: str) -> str:
    if found := _named(variant, text):
        return found
    slot_named(variant, text)
    raise OrderError(f'"{text}" is not a province.', _HOW)


def _named(variant: Variant, text: str) -> str:
    """The province of that name; its coast does not matter."""
    found = variant.names.find(fold(text.partition("/")[0]))
    return found[0] if len(found) == 1 else ""


def _power(variant: Variant, name: str) -> str:
    """The power that is called so; "" if none or several are."""
    try:
        return variant.power(name).name
    except KeyError:
        return ""
