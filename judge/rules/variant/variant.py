"""A variant: the map and the rules of one game of the Diplomacy family, with the mechanisms of this judge by name.

A loaded variant never changes. Values computed from a variant and kept for reuse are stored elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, cast

from judge.rules.board.power import Power
from judge.rules.board.power_names import SHORTEST_HEADING
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import NO_NEUTRALS, ArmedNeutrals
from judge.rules.mechanisms.build_sites import BuildSites
from judge.rules.mechanisms.canals import Canals
from judge.rules.mechanisms.diplomacy_points import Points
from judge.rules.mechanisms.groups import Draw, Group, Groups, grouped
from judge.rules.mechanisms.sponsors import Sponsors
from judge.rules.mechanisms.victory import UnanimousEnds, Victory
from judge.rules.variant.rulings import Ruling

NO_BUILD_SITES = BuildSites()


@dataclass(frozen=True, eq=False)
class Variant(Ruleset):
    """The ruleset with the values that mails, maps and letters need; a mechanism that is not switched on gives an empty
    value or None. `rulings`: how its file reads the rules of this board if they leave a choice.
    """

    rulings: tuple[Ruling, ...] = ()

    @property
    def victory(self) -> int:
        """The number of centers that wins the game."""
        return self._victory.centers

    @property
    def year_cap(self) -> int | None:
        """The year after whose Fall the game is drawn."""
        return self._victory.year_cap

    @property
    def ends_by_unanimity(self) -> bool:
        """Whether the players may end the game in any way that all of them want."""
        return self.rule(UnanimousEnds) is not None

    @property
    def _victory(self) -> Victory:
        terms = self.rule(Victory)
        assert terms is not None, "every variant has victory terms"
        return terms

    @property
    def neutrals(self) -> ArmedNeutrals:
        return self.rule(ArmedNeutrals) or NO_NEUTRALS

    @property
    def points(self) -> Points | None:
        return self.rule(Points)

    @property
    def build_sites(self) -> BuildSites:
        return self.rule(BuildSites) or NO_BUILD_SITES

    @property
    def canals(self) -> Mapping[str, int]:
        """{province: the year in which its canal opens}."""
        rule = self.rule(Canals)
        return rule.opens if rule else {}

    # --- groups -----------------------------------------------------------------------------------------------

    @property
    def groups(self) -> tuple[Group, ...]:
        rule = self.rule(Groups)
        return rule.groups if rule else ()

    @property
    def draws(self) -> tuple[Draw, ...]:
        rule = self.rule(Groups)
        return rule.draws if rule else ()

    @property
    def seats(self) -> tuple[Power | Group, ...]:
        return self.groups or self.powers

    @property
    def sides(self) -> tuple[Power | Group, ...]:
        return (*self.powers, *self.groups)

    def seat(self, text: str, shortest: int = SHORTEST_HEADING) -> Power | Group:
        return cast(Power | Group, super().seat(text, shortest))

    def grouped(self, holders: Mapping[str, str]) -> Self:
        """The variant with more of its powers in groups, {power: group}, each in its shade of the group's colour."""
        return grouped(self, holders)

    @property
    def sponsors(self) -> Mapping[str, str]:
        """{center of a neutral: the group that sponsors it, or a power whose group sponsors it}."""
        rule = self.rule(Sponsors)
        return rule.of if rule else {}

    def sponsor(self, center: str) -> str:
        """The seat whose points count more for the neutral there; "" if there is none."""
        rule = self.rule(Sponsors)
        return rule.sponsor(self, center) if rule else ""
