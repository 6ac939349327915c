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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.rules.board.listing import listed
from judge.rules.board.orders import Order, Support
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.pieces.board_state import BoardState, Piece
from judge.rules.variant_files.checking import NEUTRALS, POWERS, MechanismInFile
from judge.rules.variant_files.schema import needed


@dataclass(frozen=True)
class Religion(MechanismInFile):
    """Powers and neutrals that are not Muslim are Christian. Powers are listed by name, neutrals by their center."""

    muslim_powers: tuple[str, ...]
    muslim_neutrals: tuple[str, ...]
    catholic_powers: tuple[str, ...]
    catholic_neutrals: tuple[str, ...]
    for_catholics_only: tuple[str, ...]  # neutrals that support only Catholics

    TABLES = ("religion",)
    KEYS = {
        "muslim_powers": needed(POWERS),
        "muslim_neutrals": needed(NEUTRALS),
        "catholic_powers": needed(POWERS),
        "catholic_neutrals": needed(NEUTRALS),
        "for_catholics_only": needed(NEUTRALS),
    }

    @property
    def muslims(self) -> frozenset[str]:
        return frozenset((*self.muslim_powers, *self.muslim_neutrals))

    @property
    def catholics(self) -> frozenset[str]:
        return frozenset((*self.catholic_powers, *self.catholic_neutrals))

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
