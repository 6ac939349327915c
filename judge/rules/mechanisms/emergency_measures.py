"""Emergency measures: extra rights of a power while it owns some but not all of its home centers.

    [emergency.Russia]
    extra_units = 1
    sites = "SIB"

This is the Russian Emergency Measures Rule of 1900. The condition is tested in the winter, after ownership has changed.
Nothing is remembered: when the emergency is over, a surplus unit is removed in that winter like any other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from judge.rules.board.listing import listed
from judge.rules.board.position import Position
from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.variant_files.checking import Checking, MechanismInFile, names
from judge.rules.variant_files.schema import number, read_keys


@dataclass(frozen=True)
class Emergency:
    """`extra_units`: how many units the power may have beyond its centers; `sites`: the other provinces in which it may
    build.
    """

    extra_units: int = 0
    sites: tuple[str, ...] = ()


NONE = Emergency()
_KEYS = {
    "extra_units": number(0),
    "sites": names(
        "provinces",
        lambda checking, site: "" if checking.board.kind(site) in ("land", "coast") else f"nobody can build in {site}",
    ),
}


@dataclass(frozen=True)
class EmergencyMeasures(MechanismInFile):
    """`of`: the measures of each power that has any."""

    of: Mapping[str, Emergency] = field(default_factory=dict)

    TABLES = ("emergency",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        of = {power: Emergency(**read_keys(_KEYS, table)) for power, table in file.get("emergency", {}).items()}
        return cls(of) if of else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        for power, table in checking.table("emergency").items():
            where = f"emergency.{power}"
            if power not in checking.powers:
                checking.say(f"emergency: there is no power {power}", where)
            if isinstance(table, dict):
                checking.keys(_KEYS, table, "emergency", where)
            else:
                checking.say(f"{where} must be a table", "", where)

    def in_force(self, ruleset: Ruleset, position: Position, power: str) -> Emergency:
        """The measures that are in force for the power in this winter."""
        rule = self.of.get(power)
        if rule:
            homes, owned = ruleset.power_named[power].homes, position.centers.get(power, ())
            if 0 < sum(home in owned for home in homes) < len(homes):
                return rule
        return NONE

    def extra_units(self, ruleset: Ruleset, position: Position, power: str) -> int:
        return self.in_force(ruleset, position, power).extra_units

    def sites(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        return self.in_force(ruleset, position, power).sites

    def why_no_build(self, ruleset: Ruleset, power: str, center: str) -> str:
        if center not in self.of.get(power, NONE).sites:
            return ""
        name = ruleset.provinces[center].name
        return f"You may build in {name} only while you own some but not all of your home centers."

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        for power, rule in self.of.items():
            homes = ruleset.named(ruleset.power_named[power].homes)
            gains = []
            if rule.extra_units:
                units = "unit" if rule.extra_units == 1 else "units"
                gains.append(f"have {rule.extra_units} {units} more than it has centers")
            if rule.sites:
                gains.append(f"build in {listed(ruleset.named(rule.sites))} too")
            yield f"While {power} owns some but not all of {', '.join(homes)}, it may {' and '.join(gains)}."
            yield "This is tested each winter, after centers have changed hands; a unit too many is then removed."


def measures(ruleset: Ruleset, position: Position, power: str) -> Emergency:
    """The measures that are in force for the power in this winter."""
    rule = ruleset.rule(EmergencyMeasures)
    return rule.in_force(ruleset, position, power) if rule else NONE
