"""Vassals: neutrals in which a power builds while it owns them, and for which its points are worth more.

    [vassals]
    Turkey = "ALG CRI"

The setting `vassal_bonus` of the points says how much more. (1648, "Vassals".)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from judge.rules.board.listing import listed
from judge.rules.board.position import Position
from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.mechanisms.diplomacy_points import Points
from judge.rules.variant_files.checking import NEUTRALS, Checking, MechanismInFile


@dataclass(frozen=True)
class Vassals(MechanismInFile):
    """`of`: {power: the centers of its vassals}."""

    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    TABLES = ("vassals",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        of = {power: NEUTRALS.read(centers) for power, centers in file.get("vassals", {}).items()}
        return cls(of) if of else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        checking.each_power(NEUTRALS, checking.table("vassals"), "vassals", "vassals")

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        return self.of.get(power, ())

    def bonus_centers(self, bidder: str) -> Places:
        return self.of.get(bidder, ())

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        whose = "; ".join(f"{power}: {listed(ruleset.named(centers))}" for power, centers in self.of.items())
        yield (
            f"Vassals of {whose}. A power builds in the centers of its own vassals too, while it owns them; nobody "
            "else builds there."
        )
        points = ruleset.rule(Points)
        if points and points.vassal_bonus:
            yield (
                f"A power's points on its vassal are worth {points.vassal_bonus} more: once, on its bid with most "
                "points there, else on its first."
            )
