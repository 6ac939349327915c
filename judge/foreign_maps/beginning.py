"""When the game of a foreign map begins: its own words for a phase, and years before Christ.

The years of this judge count upwards from 1. A game that begins in 273 B.C. is played from year 1 on.
"""

import re
from typing import NamedTuple

from judge.rules.board.phase import kind, read_phase

_YEAR_BEFORE_CHRIST = re.compile(
    r"\bB\.?C\.?E?\.?\s*(?P<after>\d{1,4})\b|\b(?P<before>\d{1,4})\s*B\.?C\.?E?\.?(?!\w)|(?<!\w)-(?P<minus>\d{1,4})\b",
    re.IGNORECASE,
)


class Beginning(NamedTuple):
    """The first phase of a game; `special`: what players must know about it, or ""."""

    phase: str
    special: str = ""


def read_beginning(text: str) -> Beginning:
    """The beginning that a file writes like "SPRING 1901 MOVEMENT", "Fall, 1900, Adjustment" or "Spring, B.C. 273".

    Raises PhaseError, and ValueError if a game cannot begin with that phase.
    """
    words = re.sub(r"[(),]", " ", text)
    ancient = _YEAR_BEFORE_CHRIST.search(words)
    phase = read_phase(words[: ancient.start()] + " 1 " + words[ancient.end() :] if ancient else words)
    if kind(phase) == "R":
        raise ValueError(f'a game cannot begin with retreats ("{text.strip()}")')
    if not ancient:
        return Beginning(phase)
    year = next(filter(None, ancient.groups()))
    return Beginning(phase, f"The years are counted from the beginning of the game: year 1 is {int(year)} B.C.")
