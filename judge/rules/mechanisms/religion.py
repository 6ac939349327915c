"""The units that a neutral may support, depending on its faith (Ambition & Empire, V.3).

    [religion]
    muslim_powers = ["Turkey"]
    muslim_neutrals = "ALG CRI MOR TUN"
    catholic_powers = ["Austria", "France"]
    catholic_neutrals = "BAV LOR PAP"
    for_catholics_only = "PAP"

A unit has the faith of its power; a neutral has the faith of its center. Support for a unit where it stands is not an
attack on anyone.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from judge.rules.board.listing import listed
from judge.rules.board.names import places
from judge.rules.board.orders import Order, Support
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.pieces.board_state import BoardState, Piece
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.mechanism_in_file import MechanismInFile

POWER_KEYS = {"muslim_powers", "catholic_powers"}
NEUTRAL_KEYS = {"muslim_neutrals", "catholic_neutrals", "for_catholics_only"}


@dataclass(frozen=True)
class Religion(MechanismInFile):
    """Powers and neutrals that are not Muslim are Christian. Powers are listed by name, neutrals by their center."""

    muslims: frozenset[str] = frozenset()
    catholics: frozenset[str] = frozenset()
    for_catholics_only: frozenset[str] = frozenset()  # neutrals that support only Catholics

    TABLES = ("religion",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        table = file.get("religion")
        if table is None:
            return None
        return cls(
            muslims=frozenset((*table["muslim_powers"], *places(table["muslim_neutrals"]))),
            catholics=frozenset((*table["catholic_powers"], *places(table["catholic_neutrals"]))),
            for_catholics_only=frozenset(places(table["for_catholics_only"])),
        )

    @classmethod
    def check(cls, checking: Checking) -> None:
        table = checking.table("religion", POWER_KEYS | NEUTRAL_KEYS)
        for key in sorted(POWER_KEYS | NEUTRAL_KEYS) if table is not None else ():
            if table is None or key not in table:
                checking.say(f"religion: {key} is missing", "religion")
            elif key in POWER_KEYS:
                checking.known_powers(table[key], "religion", key)
            else:
                checking.known_neutrals(table[key], "religion", key)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        yield (
            f"{_faithful(ruleset, self.muslims)} are Muslim, all others Christian: new neutrals too, unless their "
            "center is a Muslim one. A neutral may not support a power of the other faith in an attack on a province "
            "in which a unit of its own faith stands."
        )
        if self.for_catholics_only:
            only, catholics = (_faithful(ruleset, people) for people in (self.for_catholics_only, self.catholics))
            yield f"{only} may support units of Catholics only: {catholics}."


def _faithful(ruleset: Ruleset, people: Iterable[str]) -> str:
    """The powers and the neutrals of a faith."""
    powers = [power.name for power in ruleset.powers if power.name in people]
    return listed([*powers, *ruleset.named(sorted(set(people) - set(powers)))])


def refusal(table: BoardState, order: Order) -> str:
    """A sentence that says why the neutral's (complete) order offends its religion; "" if it does not."""
    religion = table.ruleset.rule(Religion)
    if religion is None or not isinstance(order, Support):
        return ""
    neutral, helped, there = table.at[order.slot], table.at[order.helped.province], table.at.get(order.target)
    called = table.called(neutral.unit)
    if _named(neutral) in religion.for_catholics_only and _named(helped) not in religion.catholics:
        return f"{called} may support Catholic units only (the Religious Rule)."
    if not order.to or there is None:
        return ""
    attacker = _muslim(religion, helped)
    if _muslim(religion, neutral) == attacker or _muslim(religion, there) == attacker:
        return ""
    faith, other = ("Christian", "Muslim") if attacker else ("Muslim", "Christian")
    return (
        f"{called} is {faith}: it may not support a {other} attack on {table.name(order.target)}, "
        f"where a {faith} unit stands (the Religious Rule)."
    )


def _named(piece: Piece) -> str:
    return piece.unit.province if piece.power == NEUTRAL else piece.power


def _muslim(religion: Religion, piece: Piece) -> bool:
    return _named(piece) in religion.muslims
