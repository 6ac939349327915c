"""Names of phases, and the order of the phases in a year.

A phase has the name that Diplomacy judges use: season (S, F, W), year and kind (M, R, A). The kinds are movement,
retreats and adjustments. So "F1901R" means the retreats of Fall 1901. A year has the phases S…M, S…R, F…M, F…R, W…A.
Retreats and adjustments are left out if nothing happens in them.
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
# A pattern for a year, perhaps with a kind of phase before or after it.
_YEAR = re.compile(r"(?:({0}) )?(\d{{1,4}})(?(1)|(?: ({0}))?)".format("|".join(SPOKEN_KIND)))


class PhaseError(ValueError):
    """A text that does not name a phase. The message says how to write a phase."""


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
    """Return the kind of a phase: "R" for "F1901R"."""
    return cast(PhaseKind, name[-1])


def words(name: str) -> str:
    """Return "Movement for Fall of 1901" for "F1901M"."""
    return f"{KINDS[kind(name)]} for {season(name)} of {year(name)}"


def read_phase(text: str, now: str = "S1901M") -> str:
    """Return the phase that a player wrote: "f1901r", "Fall 1904 retreat", "F1901B", "W1901B" (the winter).

    Without a kind, the text means the movement phase, or in winter the adjustments. The PhaseError for other texts has
    examples from the year of `now`, a phase of the game.
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
    """Return the phase with a season, year and kind, or "" if the season has no phase of the kind.

    Adjustments need no season. If `what` is None, the phase is the movement, or in winter the adjustments.
    """
    if (season, what) in _NEVER:
        return ""
    if season == "W" or what == "A":
        return f"W{year}A"
    return f"{season}{year}{what or 'M'}"


def following(name: str) -> str:
    """Return the phase after this one if no phase is skipped."""
    if kind(name) == "M":
        return name[:-1] + "R"
    if kind(name) == "A":
        return f"S{year(name) + 1}M"
    return f"F{year(name)}M" if name[0] == "S" else f"W{year(name)}A"


def first_from(phase: str, what: PhaseKind, said: str = "") -> str:
    """Return the first phase of the kind `what`, from `phase` on, in the season `said`.

    If `said` is "", the season may be any.
    """
    while kind(phase) != what or said and phase[0] != said:
        phase = following(phase)
    return phase
