"""Pumped input: for a pattern, texts that begin as it wants and then repeat what one of its parts may swallow.

Every repetition in a pattern is pumped behind the shortest text that reaches it, with what it repeats and with the
signs that people and attackers repeat; at the end stands a sign that lets nothing match.
"""

import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SIZES = (500, 1000, 2000, 4000)
# Seconds of processor time: what takes less is no harm, and its measure is noise; half a kilobyte never takes so long.
FLOOR = 0.002
CEILING = 0.06
FAILING = "\x01"
_REPEATED = [" ", "\t\n", "x", "x,", ",", "-", "=", "<", "a ", "&", "& a", "1,", "(", "(*", '"', "\\", ":", "["]
_REPEATED += ["class=", "<a@", "a@", ";a", "> ", "*", "schrieb "]
_SIGNS = "aA1 -_.,:;<\"'(@=?\t\n*&/"
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


def pumps(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """(beginning, what to repeat behind it), each pair once."""
    tree = parser.parse(pattern.pattern, pattern.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL))
    pairs = {(before, sign) for before, body in _reached(tree) for sign in {*_REPEATED, *_swallowed(body)}}
    yield from sorted(pairs | {("", sign) for sign in _REPEATED})


def grows_too_fast(work: Callable[[str], object], beginning: str, repeated: str) -> bool:
    """Whether twice the text takes much more than twice the time, each time that it is tried."""
    return all(_grows_too_fast(work, beginning, repeated) for _ in range(3))


def _grows_too_fast(work: Callable[[str], object], beginning: str, repeated: str) -> bool:
    def text(size: int) -> str:
        return beginning + repeated * (size // len(repeated)) + FAILING

    if _least(work, text(SIZES[0])) > CEILING:
        return True
    # Four times the text would take 64 times as long at the worst, short of what the first has shown.
    if _seconds(work, text(SIZES[1])) < FLOOR / 64 or (longest := _seconds(work, text(SIZES[-1]))) < FLOOR:
        return False
    before = max(_least(work, text(SIZES[0])), FLOOR / 8)
    for size in SIZES[1:-1]:
        now = _least(work, text(size))
        if now > max(FLOOR, 3.2 * before):
            return True
        before = max(now, FLOOR / 8)
    most = max(FLOOR, 3.2 * before)
    # What is no longer than it may be the first time need not be tried again: nothing is compared with it.
    return longest > most and _least(work, text(SIZES[-1])) > most


def _least(work: Callable[[str], object], text: str) -> float:
    best = _seconds(work, text)
    return best if best < FLOOR else min([best, *(_seconds(work, text) for _ in range(2))])


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began


def _reached(tree: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """(the shortest text up to it, what it repeats) of every repetition without a small end."""
    for code, what in tree:
        if code in _REPEATS:
            least, most, body = what
            if most is codes.MAXREPEAT or most > 50:
                yield before, body
            yield from _reached(body, before)
            if not least and most is not codes.MAXREPEAT:
                yield before + _shortest(body), []
        elif code is codes.SUBPATTERN:
            yield from _reached(what[3], before)
        elif code is codes.ATOMIC_GROUP:
            yield from _reached(what, before)
        elif code is codes.BRANCH:
            for branch in what[1]:
                yield from _reached(branch, before)
        before += _shortest([(code, what)])


def _shortest(tree: Any) -> str:
    """A short text that these parts of a pattern match."""
    said = ""
    for code, what in tree:
        if code in _REPEATS:
            said += _shortest(what[2]) * what[0]
        elif code is codes.SUBPATTERN:
            said += _shortest(what[3])
        elif code is codes.ATOMIC_GROUP:
            said += _shortest(what)
        elif code is codes.BRANCH:
            said += _shortest(what[1][0])
        elif code is codes.LITERAL:
            said += chr(what)
        elif code in (codes.IN, codes.NOT_LITERAL, codes.ANY):
            said += next(iter(_members(code, what)), "")
    return said


def _swallowed(body: Any) -> set[str]:
    """What a repetition takes in one turn, in several ways."""
    texts = {_shortest(body)}
    for code, what in body:
        if code in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            texts |= set(_members(code, what))
        elif code is codes.BRANCH:
            texts |= {_shortest(branch) for branch in what[1]}
        elif code is codes.SUBPATTERN:
            texts |= _swallowed(what[3])
    return texts - {""}


def _members(code: Any, what: Any) -> list[str]:
    """Signs that a set holds."""
    if code is codes.ANY:
        return ["a", " ", "-", ","]
    if code is codes.NOT_LITERAL:
        return [sign for sign in "ab " if ord(sign) != what]
    named = "".join(chr(part if kind is codes.LITERAL else part[0]) for kind, part in what
                    if kind in (codes.LITERAL, codes.RANGE))
    return [sign for sign in dict.fromkeys(_SIGNS + named) if _holds(what, sign)]


@cache
def _in_category(part: Any, sign: str) -> bool:
    return re.match(_CATEGORIES[part], sign) is not None


_CATEGORIES = {codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
               codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W"}


def _holds(what: Any, sign: str) -> bool:
    negated = what[0][0] is codes.NEGATE
    for kind, part in what:
        there = (
            (kind is codes.LITERAL and part == ord(sign))
            or (kind is codes.RANGE and part[0] <= ord(sign) <= part[1])
            or (kind is codes.CATEGORY and _in_category(part, sign))
        )
        if there:
            return not negated
    return negated
