"""Which powers go to which colours: a master writes them in one line, in either order, also several at a time.

`Mexico Red`, `Mexico = Red, Peru Teal`, `Teal: Mexico, Iran; Red: Peru` and `Mexico, Peru Red` are all understood.
"""

import re
from dataclasses import dataclass

from judge.rules import Variant

# For the colour of a power that is left to the draw.
RANDOM = "RANDOM"
_MARKS = re.compile(r"[-:=>]+")
_BETWEEN = re.compile(r" ?[,;] ?| and ", re.IGNORECASE)
_LINKS = ("TO", "IN")
_MOST_WORDS = 5  # of a power's name, and one more


@dataclass(frozen=True)
class Assignment:
    """`power` goes to `group`, or to none if it is to be drawn. `text`: as written."""

    text: str
    power: str
    group: str


@dataclass(frozen=True)
class Mistake:
    """What was written, and what is wrong with it."""

    text: str
    why: str


def read_assignments(variant: Variant, text: str) -> list[Assignment | Mistake]:
    """What a line says about each power; at the end the powers without a colour.

    A colour before a power also counts for the powers after it; a colour after a power also counts for the powers
    before it that have none yet.
    """
    read: list[Assignment | Mistake] = []
    heading: str | None = None
    waiting: list[tuple[str, str]] = []
    idle = ""
    for item in filter(None, _BETWEEN.split(" ".join(text.split()))):
        try:
            before, named, behind = _parts(variant, item)
            if not named and waiting:
                before, behind = None, before
            heading = before if before is not None else heading
            if named:
                waiting.append((item, named))
            elif not waiting:
                idle = heading or RANDOM
        except KeyError as unknown:
            read.append(Mistake(item, unknown.args[0]))
            continue
        colour = behind if behind is not None else heading
        if colour is not None and waiting:
            read += [_assignment(variant, *one, colour) for one in waiting]
            waiting, idle = [], ""
    if idle:
        read.append(Mistake(idle, f"Which powers go there? Write SET GROUP {idle}: <power>, <power>."))
    return read + [_assignment(variant, *one, None) for one in waiting]


def _assignment(variant: Variant, item: str, named: str, colour: str | None) -> Assignment | Mistake:
    """The assignment that `item` makes for the power that it calls `named`."""
    try:
        power = variant.power(named).name
    except KeyError as unknown:
        return Mistake(item, unknown.args[0])
    if colour is None:
        return Mistake(item, f"Which colour gets {power}? Write SET GROUP {power} <colour>.")
    return Assignment(item, power, colour)


def _parts(variant: Variant, item: str) -> tuple[str | None, str, str | None]:
    """(the colour before the power, the power as it is written, the colour behind it) of one part of a line; None for
    a colour and "" for a power that is not there. Raises KeyError where a colour is none, or there are two.
    """
    words = _plain(item).split()
    if not words or _is_power(variant, " ".join(words)):
        return None, " ".join(words) or item, None
    before, behind = (_colour(variant, words[at]) for at in (0, -1))
    rest, most = _without_links(words[1:]), _without_links(words[:-1])
    if len(words) > 1 and before is not None and behind is not None:
        raise KeyError("One colour for each power, please.")
    if before is not None:
        return before, _one_power(variant, rest), None
    if behind is not None:
        return (None, _one_power(variant, most), behind) if most else (behind, "", None)
    if _is_power(variant, most):
        _one_power(variant, " ".join(words))
        return None, most, variant.seat(words[-1]).name
    if _is_power(variant, rest):
        return variant.seat(words[0]).name, rest, None
    return None, " ".join(words), None


def _one_power(variant: Variant, text: str) -> str:
    """The text; raises KeyError if it names two powers that should be separated by a comma."""
    words = text.split()
    for at in range(1, min(len(words), _MOST_WORDS)):
        one, other = " ".join(words[:at]), " ".join(words[at:])
        if not _is_power(variant, text) and _is_power(variant, one) and _is_power(variant, other):
            raise KeyError(f"Write a comma between {variant.power(one).name} and {variant.power(other).name}.")
    return text


def _plain(item: str) -> str:
    """The words alone."""
    return " ".join(_MARKS.sub(" ", item).split())


def _is_power(variant: Variant, text: str) -> bool:
    try:
        return bool(variant.power(text))
    except KeyError:
        return False


def _colour(variant: Variant, word: str) -> str | None:
    """The group with that name, "" for RANDOM; None if there is none, or if the word is a power's name."""
    if word.upper() == RANDOM:
        return ""
    try:
        return None if _is_power(variant, word) else variant.seat(word).name
    except KeyError:
        return None


def _without_links(words: list[str]) -> str:
    """The words without the TO or IN between a power and its colour."""
    start, end = (bool(words) and words[at].upper() in _LINKS for at in (0, -1))
    return " ".join(words[start : len(words) - end])
