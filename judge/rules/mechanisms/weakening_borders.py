"""Borders that weaken who crosses them: of half strength, or difficult.

    [detours]
    way = "around the Cape of Good Hope"
    borders = "MID-EGY MID-HEJ"

So long a way around that a unit crosses only at half strength. The rules are the Suez Canal Rules of 1900: a move over
such a border counts half for the unit itself, it cuts support only by dislodging, no unit gives support over it, an
army that is convoyed ashore over it attacks at half strength, and a retreat over it gives way to a retreat by a shorter
way.

    [difficult]
    borders = "NAP-SIC COR-NAF"

So hard to pass that a unit has no strength of its own on the way. The rules are those of Loeb9, as section 10 of DATC
2.4 has them ("difficult passable borders"): only supports give such a move any strength; it cuts support only if it is
supported; nobody supports over such a border; a retreat over it gives way to one that is not; a convoy passes by it.

`movement`, `legality` and `retreats` apply these rules; they find the borders in `Board.beyond`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from judge.rules.board.names import listed
from judge.rules.board.reach import Crossing, Landing
from judge.rules.board.ruleset import Ruleset
from judge.rules.variant_files.checking import BORDERS, Checking, MechanismInFile
from judge.rules.variant_files.schema import FLAG, LINE, Table, needed


@dataclass(frozen=True)
class HalfStrengthBorders(MechanismInFile):
    """Borders that a unit crosses at half strength.

    `way`: where these borders lead, as the end of a sentence; `borders`: pairs of provinces; `every_convoy`: an army
    that is convoyed to where such a border leads attacks at half strength on every route.
    """

    way: str = ""
    borders: tuple[tuple[str, str], ...] = ()
    every_convoy: bool = False

    TABLES = ("detours",)
    KEYS = {"way": needed(LINE), "borders": BORDERS, "every_convoy": FLAG}

    @property
    def crossing(self) -> Crossing:
        """The borders, and what a unit loses that crosses one."""
        return Crossing(self.borders, self.way, landing=Landing.ALWAYS if self.every_convoy else Landing.BY_ROUTE)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules in words."""
        beyond: dict[str, list[str]] = {}
        for one, other in self.borders:
            the = "the " if ruleset.provinces[one].kind == "sea" else ""
            beyond.setdefault(the + ruleset.provinces[one].name, []).append(ruleset.provinces[other].name)
        for name, others in beyond.items():
            yield f"{self.way[:1].upper()}{self.way[1:]}, {name} borders on {listed(others)}."
        if not beyond:
            return
        yield "A move over such a border has half strength; each support for it counts in full."
        yield "It cuts support only if it dislodges the unit that gives it."
        yield "Nobody supports over such a border, neither a move nor a unit that holds."
        yield "It counts as one border for the distance of a unit from its centers, if removals are not ordered."
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


@dataclass(frozen=True)
class DifficultBorders(MechanismInFile):
    """`borders`: pairs of provinces."""

    borders: tuple[tuple[str, str], ...] = ()

    TABLES = ("difficult",)
    KEYS = {"borders": BORDERS}

    @classmethod
    def faults(cls, checking: Checking, table: Table) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the table as a whole."""
        if "detours" in checking.file:
            yield ": a board with detours cannot have difficult borders too", "borders"

    @property
    def crossing(self) -> Crossing:
        """The borders, and what a unit loses that crosses one."""
        return Crossing(self.borders, "over a difficult border", lost=2, landing=Landing.NEVER)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules in words."""
        pairs = [" and ".join(ruleset.named(pair)) for pair in self.borders]
        are = "These borders are" if len(pairs) > 1 else "One border is"
        yield f"{are} difficult to cross: {listed(f'between {pair}' for pair in pairs)}."
        yield "A move over such a border has no strength of its own, only that of its supports."
        yield "Without support it still gets into an empty province, if no other move goes there."
        yield "It cuts support only if it is supported itself."
        yield "Nobody supports over such a border, neither a move nor a unit that holds."
        yield "If two units retreat to one province, and one of them over such a border, only the other gets there."
        yield "An army that is convoyed passes by it, and has its full strength."
