"""Sponsors: neutrals for which the points of one group, or of the group that has a certain power, count more.

    [sponsors]
    Red = "Krak Veni"
    Mexico = "Chih Oaxa"

The setting `sponsor_factor` of the points says how many times they count. (Intercontinental, 11.3.)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from judge.rules.board.listing import listed
from judge.rules.board.names import places
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.diplomacy_points import Points
from judge.rules.variant_files.checking import NEUTRALS, Checking, MechanismInFile
from judge.rules.variant_files.schema import words_of


@dataclass(frozen=True)
class Sponsors(MechanismInFile):
    """`of`: {center of a neutral: the group that sponsors it, or a power whose group sponsors it}."""

    of: Mapping[str, str] = field(default_factory=dict)

    TABLES = ("sponsors",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        of = {center: sponsor for sponsor, text in file.get("sponsors", {}).items() for center in places(text)}
        return cls(of) if of else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        groups = checking.file.get("groups")
        known = {*checking.powers, *(groups if isinstance(groups, dict) else ())}
        sponsored: dict[str, str] = {}
        for sponsor, centers in checking.tables_of("sponsors", str, "texts").items():
            others = ((center, sponsored.setdefault(center, sponsor)) for center in words_of(centers))
            faults = [] if sponsor in known else [f"there is no group or power {sponsor}"]
            faults += NEUTRALS.faults(checking, sponsor, centers)
            faults += [f"{center} has {other} already" for center, other in others if other != sponsor]
            for fault in faults:
                checking.say(f"sponsors: {fault}", "sponsors", sponsor)

    def sponsor(self, ruleset: Ruleset, center: str) -> str:
        """The seat whose points count more for the neutral there; "" if there is none."""
        return ruleset.seat_of(self.of[center]) if center in self.of else ""

    def bid_factor(self, ruleset: Ruleset, bidder: str, center: str) -> int:
        points = ruleset.rule(Points)
        return points.sponsor_factor if points and self.sponsor(ruleset, center) == bidder else 1

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """A sponsor may be the group of a power that is still to be drawn."""
        points = ruleset.rule(Points)
        if not points:
            return
        by_sponsor: dict[str, list[str]] = {}
        for center in self.of:
            sponsor = self.sponsor(ruleset, center)
            open_yet = ruleset.grouped_seats and sponsor in ruleset.power_named
            by_sponsor.setdefault(f"the player who has {sponsor}" if open_yet else sponsor, []).append(center)
        told = (f"{sponsor}: {listed(ruleset.named(centers))}" for sponsor, centers in by_sponsor.items())
        factor = {2: "double"}.get(points.sponsor_factor, f"{points.sponsor_factor} times")
        yield f"A sponsor's points on its affiliates count {factor}. {'; '.join(told)}."
