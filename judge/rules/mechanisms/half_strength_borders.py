"""Borders that are so long a way around that a unit crosses them only at half strength.

    [detours]
    way = "around the Cape of Good Hope"
    borders = "MID-EGY MID-HEJ"

The rules are the Suez Canal Rules of 1900: a move over such a border counts half for the unit itself, it cuts support
only by dislodging, no unit gives support over it, an army that is convoyed ashore over it attacks at half strength, and
a retreat over it gives way to a retreat by a shorter way. `movement`, `legality` and `retreats` apply these rules; they
find the borders in `Board.beyond`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from judge.rules.board.listing import listed
from judge.rules.board.ruleset import Ruleset
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.lines import words_of
from judge.rules.variant_files.mechanism_in_file import MechanismInFile
from judge.rules.variant_files.toml_text import toml_text, toml_words


@dataclass(frozen=True)
class HalfStrengthBorders(MechanismInFile):
    """`way`: where these borders lead, as the end of a sentence; `borders`: pairs of provinces; `every_convoy`: an army
    that is convoyed to where such a border leads attacks at half strength on every route.
    """

    way: str = ""
    borders: tuple[tuple[str, str], ...] = ()
    every_convoy: bool = False

    TABLES = ("detours",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        table = file.get("detours")
        if not table:
            return None
        pairs = (pair.partition("-") for pair in words_of(table["borders"]))
        return cls(table["way"], tuple((one, other) for one, _, other in pairs), table.get("every_convoy", False))

    @classmethod
    def check(cls, checking: Checking) -> None:
        table, say = checking.table("detours", {"way", "borders", "every_convoy"}), checking.say
        if table is None:
            return
        checking.flag(table, "detours", "every_convoy")
        if not isinstance(table.get("way"), str):
            say("detours: way is missing", "detours", "way")
        pairs = words_of(table.get("borders"))
        if not pairs:
            say("detours: borders is missing", "detours", "borders")
        for pair in pairs:
            one, _, other = pair.partition("-")
            if one not in checking.board.tables or other not in checking.board.neighbours(one):
                say(f"detours: {pair} is not a border like MID-EGY", "detours", "borders")

    def written(self, ruleset: Ruleset) -> Iterator[str]:
        yield f"\n[detours]\nway = {toml_text(self.way)}"
        yield f"borders = {toml_words('-'.join(pair) for pair in self.borders)}"
        if self.every_convoy:
            yield "every_convoy = true"

    @property
    def half_borders(self) -> tuple[tuple[str, str], ...]:
        return self.borders

    @property
    def halves_convoys(self) -> bool:
        return self.every_convoy

    @property
    def way_around(self) -> str:
        return self.way

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        beyond: dict[str, list[str]] = {}
        for one, other in self.borders:
            the = "the " if ruleset.provinces[one].kind == "sea" else ""
            beyond.setdefault(the + ruleset.provinces[one].name, []).append(ruleset.provinces[other].name)
        for name, others in beyond.items():
            yield f"{self.way[:1].upper()}{self.way[1:]}, {name} borders on {' and '.join(others)}."
        if not beyond:
            return
        yield "A move over such a border has half strength; each support for it counts in full."
        yield "It cuts support only if it dislodges the unit that gives it."
        yield "Nobody supports over such a border, neither a move nor a unit that holds."
        if self.every_convoy:
            lands = listed(dict.fromkeys(other for others in beyond.values() for other in others), "or")
            yield f"An army that is convoyed to {lands} attacks at half strength, but cuts support like any other."
        else:
            yield self._convoys
        yield "If two units retreat to one province, and one of them over such a border, only the other gets there."

    @property
    def _convoys(self) -> str:
        return (
            "A convoyed army that lands over such a border attacks at half strength, but cuts support like any other. "
            "It attacks in full if it lands elsewhere, or if fleets that nobody dislodges also give it a route "
            "without such a border."
        )
