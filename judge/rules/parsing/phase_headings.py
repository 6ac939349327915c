"""Lines that are nothing but a phase, in any form, above the orders for it: "Fall 1901:", "F01", "Builds:", "*for next
turn*". They say for which phase the orders below them are, as PHASE does.
"""

import re

from judge.rules.board.phase import SPOKEN_KIND, SPOKEN_SEASON, PhaseKind, following, kind, season, year
from judge.rules.parsing.decoration import unmarked

# What cannot be placed: two phases, "1902".
UNPLACED = "?"

# Single letters stand in orders.
_SEASONS = {word: season for word, season in SPOKEN_SEASON.items() if len(word) > 1}
_KINDS = {word: what for word, what in SPOKEN_KIND.items() if len(word) > 1}
_TIMES = {"turn", "phase", "season", "year", "round", "orders", "order"}
_NEXT = {"next", "following", "coming"}
_WHICH = _NEXT | {"this", "current", "same"}
_BESIDE = _TIMES | _WHICH | {
    "the", "a", "of", "for", "in", "my", "our", "these", "are", "and", "here", "to", "now", "follow", "as", "please",
    "open",
}  # fmt: skip
_COMPACT = re.compile(r"([sfw])(\d{1,4})([mrab]?)")
_APART = re.compile(r"\b([sfw]) ['\u2019]?(?=\d)")
_WORD = re.compile(r"[a-z]+\d*[a-z]?|\d+")
_BRACKETS = re.compile(r"\([^()]{0,40}\)")
_LONGEST = 60


def phase_heading(line: str, now: str) -> str:
    """The phase that a line names, if it is nothing but a phase: "" for any other, UNPLACED if it cannot be told which.

    `now`: the open phase. A season or a kind without a year means the next one, the open phase included.
    """
    text = _BRACKETS.sub(" ", unmarked(line[: _LONGEST + 1])).lower()
    if len(line) > _LONGEST or not re.fullmatch(r"[\w\s:;.,'\u2019=/~#\[\]{}&+-]*", text):
        return ""
    said = _WORD.findall(_APART.sub(r"\1", text))
    compact = [found for word in said if (found := _COMPACT.fullmatch(word))]
    words = [word for word in said if not _COMPACT.fullmatch(word)]
    numbers = [word for word in words if word.isdecimal()]
    seasons = [_SEASONS[word] for word in words if word in _SEASONS] + [found[1].upper() for found in compact]
    kinds = [_KINDS[word] for word in words if word in _KINDS]
    kinds += [SPOKEN_KIND[found[3]] for found in compact if found[3]]
    years = [_year(number, now) for number in [*numbers, *(found[2] for found in compact)]]
    known = all(word in _SEASONS or word in _KINDS or word in _BESIDE or word.isdecimal() for word in words)
    if not known or not _is_heading(line, words, bool(seasons)):
        return ""
    if len({*seasons}) > 1 or len({*years}) > 1 or len({*kinds}) > 1 or 0 in years:
        return UNPLACED
    return _placed(now, words, next(iter(seasons), None), next(iter(years), None), next(iter(kinds), None))


def _is_heading(line: str, words: list[str], season_said: bool) -> bool:
    """Whether words that may all stand in a heading are one: "Fall", "Builds:", "1902", "next turn", but not "move"."""
    kinds = [word for word in words if word in _KINDS]
    year_said = any(word.isdecimal() and len(word) == 4 for word in words)
    timed = not _WHICH.isdisjoint(words) and not _TIMES.isdisjoint(words)
    ends = line.rstrip(" *_`").endswith((":", "="))
    return season_said or year_said or timed or bool(kinds) and (ends or any(word.endswith("s") for word in kinds))


def _year(number: str, now: str) -> int:
    """The year that is meant; 0 if the number is none. Of two digits: of the century of the open phase."""
    if len(number) == 2:
        return year(now) // 100 * 100 + int(number)
    return int(number) if len(number) == 4 else 0


def _placed(now: str, words: list[str], said: str | None, when: int | None, what: PhaseKind | None) -> str:
    if not _NEXT.isdisjoint(words):
        if said or when or "phase" in words or "year" in words:
            return UNPLACED
        return _next(following(now), what or "M")
    if said == "W" or what == "A":
        if said == "S" or what in ("M", "R"):
            return UNPLACED
        return f"W{when or year(now)}A"
    if said is None and when is None:
        return now if what in (None, "M", kind(now)) else _next(now, what)
    if said is None:
        return now if when == year(now) and what in (None, kind(now)) else UNPLACED
    if season(now) == season(f"{said}{year(now)}M") and when in (None, year(now)):
        return f"{said}{year(now)}{what or kind(now)}"
    if when is None:
        return _next(now, what or "M", said)
    return f"{said}{when}{what or 'M'}"


def _next(phase: str, what: PhaseKind, said: str = "") -> str:
    """The first phase of that kind, and of that season, from `phase` on."""
    while kind(phase) != what or said and phase[0] != said:
        phase = following(phase)
    return phase
