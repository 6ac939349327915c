"""Detours: borders that lead such a long way around that a unit comes over them at half strength.

    [detours]
    way = "around the Cape of Good Hope"
    borders = "MID-EGY MID-HEJ"

The rules are the Suez Canal Rules of 1900: a move over such a border counts half for the unit itself, it cuts
support only by dislodging, nobody supports over it, an army that is convoyed ashore over it attacks at half
strength, and a retreat over it yields to one that takes a shorter way. `movement`, `legality` and `retreats` carry
them out; `Board.beyond` is where they look the borders up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.rules.checking.lines import Lines, words_of

if TYPE_CHECKING:
    from judge.rules.checking.provinces import MapCheck
    from judge.rules.variant.variant import Province

KEYS = {"way", "borders"}


@dataclass(frozen=True)
class Detours:
    """`way`: where these borders lead, as the end of a sentence; `borders`: pairs of provinces."""

    way: str = ""
    borders: tuple[tuple[str, str], ...] = ()


def read_detours(table: Mapping) -> Detours:
    """The table [detours]; raises KeyError when something is missing."""
    if not table:
        return Detours()
    pairs = (pair.partition("-") for pair in words_of(table["borders"]))
    return Detours(table["way"], tuple((one, other) for one, _, other in pairs))


def check_detours(table: object, board: "MapCheck", lines: Lines) -> None:
    """Notes the mistakes of the table [detours], which need not be there."""
    if not isinstance(table, dict):
        if table is not None:
            lines.mistake("detours must be a table", "", "detours")
        return
    for key in sorted(table.keys() - KEYS):
        lines.mistake(f"detours: there is no key {key}", "detours", key)
    if not isinstance(table.get("way"), str):
        lines.mistake("detours: way is missing", "detours", "way")
    pairs = words_of(table.get("borders"))
    if not pairs:
        lines.mistake("detours: borders is missing", "detours", "borders")
    for pair in pairs:
        one, _, other = pair.partition("-")
        if one not in board.tables or other not in board.neighbours(one):
            lines.mistake(f"detours: {pair} is not a border like MID-EGY", "detours", "borders")


def detours_in_words(detours: Detours, provinces: Mapping[str, "Province"]) -> Iterator[str]:
    """The rules of the detours, a sentence each."""
    beyond: dict[str, list[str]] = {}
    for one, other in detours.borders:
        the = "the " if provinces[one].kind == "sea" else ""
        beyond.setdefault(the + provinces[one].name, []).append(provinces[other].name)
    for name, others in beyond.items():
        yield f"{detours.way[:1].upper()}{detours.way[1:]}, {name} borders on {' and '.join(others)}."
    if beyond:
        yield "A move over such a border has half strength; each support for it counts in full."
        yield "It cuts support only if it dislodges the unit that gives it."
        yield "Nobody supports over such a border, neither a move nor a unit that holds."
        yield "An army convoyed ashore over such a border attacks at half strength, one that leaves over it in full."
        yield "Of two units that retreat to one province, one of them over such a border, only the other gets there."

