"""Phase names and the calendar.

A phase has the name that Diplomacy judges use: season (S, F, W), year, kind (M movement, R retreats, A adjustments), so
"F1901R" is the retreats of Fall 1901. A year runs S…M, S…R, F…M, F…R, W…A; retreats and adjustments are left out when
no power has anything to do in them.
"""

import re
from typing import Literal, cast

PhaseKind = Literal["M", "R", "A"]

SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
KINDS: dict[PhaseKind, str] = {"M": "Movement", "R": "Retreats", "A": "Adjustments"}
_NAME = re.compile(r"([SF])(\d{1,4})([MR])|(W)(\d{1,4})(A)")
SPOKEN_SEASON = {
    "spring": "S", "spr": "S", "fall": "F", "autumn": "F", "aut": "F", "winter": "W", "s": "S", "f": "F", "w": "W",
}  # fmt: skip
_SPOKEN: dict[PhaseKind, str] = {
    "M": "movement movements move moves m",
    "R": "retreat retreats r",
    "A": "adjustment adjustments build builds removal removals disbands a b",
}
SPOKEN_KIND = {word: kind for kind, words in _SPOKEN.items() for word in words.split()}
# Pairs of a season and a kind of phase that the season does not have.
_NEVER = {("S", "A"), ("W", "M"), ("W", "R")}
# A pattern for a year, perhaps with a kind of phase before or after the year.
_YEAR = re.compile(r"(?:({0}) )?(\d{{1,4}})(?(1)|(?: ({0}))?)".format("|".join(SPOKEN_KIND)))


class PhaseError(ValueError):
    """The text does not name a phase; the message says how to write one."""


def split_phase(name: str) -> tuple[str, int, PhaseKind]:
    """Return ("F", 1901, "R") for "F1901R"."""
    match = _NAME.fullmatch(name)
    if not match:
        raise PhaseError(f'"{name}" is not a phase. Phases are named like S1901M, F1901R or W1901A.')
    season, year, kind = (part for part in match.groups() if part)
    return season, int(year), cast(PhaseKind, kind)


def season(name: str) -> str:
    """Return "Fall" for "F1901R"."""
    return SEASONS[name[0]]


def year(name: str) -> int:
    """Return 1901 for "F1901R"."""
    return int(name[1:-1])


def kind(name: str) -> PhaseKind:
    """Return the kind of a phase: the last letter of its name."""
    return cast(PhaseKind, name[-1])


def words(name: str) -> str:
    """Return "Movement for Fall of 1901" for "F1901M"."""
    return f"{KINDS[kind(name)]} for {season(name)} of {year(name)}"


def read_phase(text: str, now: str = "S1901M") -> str:
    """Return the phase that a player wrote: "f1901r", "Fall 1904 retreat", "F1901B", "W1901B" (the winter).

    A phase without a kind means the movement phase (in winter the adjustments). `now`: a phase of the game, whose year
    is used in the examples of the error.
    """
    if _NAME.fullmatch(text):
        return f"{text[0]}{year(text)}{text[-1]}"
    compact = re.fullmatch(r"([sfw])\s*(\d{1,4})\s*([mrab]?)", text.strip().lower())
    first, *others = compact.groups() if compact else text.lower().replace(",", " ").split() or [""]
    season = SPOKEN_SEASON.get(first)
    match = _YEAR.fullmatch(" ".join(word for word in others if word not in ("", "of", "for", "the")))
    if not season or not match:
        at = year(now)
        raise PhaseError(f'"{text.strip()}" is not a phase. Write it like S{at}M, F{at}R or W{at}A.')
    found = phase_of(season, int(match[2]), SPOKEN_KIND.get(match[1] or match[3]))
    if not found:
        raise PhaseError(f'"{text.strip()}" is not a phase: units are built and removed in the winter.')
    return found


def phase_of(season: str | None, year: int, what: PhaseKind | None) -> str:
    """Return the phase of that year and kind in that season, or in the kind's usual one; "" if there is none."""
    if (season, what) in _NEVER:
        return ""
    if season == "W" or what == "A":
        return f"W{year}A"
    return f"{season}{year}{what or 'M'}"


def following(name: str) -> str:
    """Return the next phase, if no phase of the year is left out."""
    if kind(name) == "M":
        return name[:-1] + "R"
    if kind(name) == "A":
        return f"S{year(name) + 1}M"
    return f"F{year(name)}M" if name[0] == "S" else f"W{year(name)}A"


def first_from(phase: str, what: PhaseKind, said: str = "") -> str:
    """Return the first phase from `phase` on that is of this kind and, if `said` names a season, in that season."""
    while kind(phase) != what or said and phase[0] != said:
        phase = following(phase)
    return phase
