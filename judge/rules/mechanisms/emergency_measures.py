"""Emergency measures: what a power may do more while it owns some but not all of its home centers.

    [emergency.Russia]
    extra_units = 1
    sites = "SIB"

This is the Russian Emergency Measures Rule of 1900. It is tested in the winter, after ownership has changed. Nothing
of it is remembered: when the emergency is over, a unit too many is removed in that winter like any other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.rules.checking.lines import Lines, words_of

if TYPE_CHECKING:
    from judge.rules.board.position import Position
    from judge.rules.checking.provinces import MapCheck
    from judge.rules.variant.variant import Variant

KEYS = {"extra_units", "sites"}


@dataclass(frozen=True)
class Emergency:
    """`extra_units`: how many the power may have beyond its centers; `sites`: where else it may build."""

    extra_units: int = 0
    sites: tuple[str, ...] = ()


NONE = Emergency()


def measures(variant: "Variant", position: "Position", power: str) -> Emergency:
    """The measures that are in force for the power in this winter."""
    rule = variant.emergencies.get(power)
    if rule:
        homes, owned = variant.power_named[power].homes, position.centers.get(power, ())
        if 0 < sum(home in owned for home in homes) < len(homes):
            return rule
    return NONE


def read_emergencies(tables: Mapping) -> dict[str, Emergency]:
    """The tables [emergency.POWER], by power."""
    return {
        power: Emergency(table.get("extra_units", 0), tuple(words_of(table.get("sites"))))
        for power, table in tables.items()
    }


def check_emergencies(tables: object, powers: Mapping, board: "MapCheck", lines: Lines) -> None:
    """Notes the mistakes of the tables [emergency.POWER]."""
    if not isinstance(tables, dict):
        lines.mistake("emergency must be a table", "", "emergency")
        return
    for power, table in tables.items():
        where = f"emergency.{power}"
        if power not in powers:
            lines.mistake(f"emergency: there is no power {power}", where)
        if not isinstance(table, dict):
            lines.mistake(f"{where} must be a table", "", where)
            continue
        for key in sorted(table.keys() - KEYS):
            lines.mistake(f"emergency: there is no key {key}", where, key)
        extra = table.get("extra_units", 0)
        if not isinstance(extra, int) or extra < 0:
            lines.mistake("emergency: extra_units must be a number", where, "extra_units")
        for site in words_of(table.get("sites")):
            if board.kind(site) not in ("land", "coast"):
                lines.mistake(f"emergency: nobody can build in {site}", where, "sites")


def emergencies_in_words(variant: "Variant") -> Iterator[str]:
    """The rules of the emergencies, a sentence or two each."""
    for power, rule in variant.emergencies.items():
        homes = [variant.provinces[home].name for home in variant.power_named[power].homes]
        gains = []
        if rule.extra_units:
            units = "unit" if rule.extra_units == 1 else "units"
            gains.append(f"have {rule.extra_units} {units} more than it has centers")
        if rule.sites:
            gains.append(f"build in {' and '.join(variant.provinces[site].name for site in rule.sites)} too")
        yield f"While {power} owns some but not all of {', '.join(homes)}, it may {' and '.join(gains)}."
        yield "This is tested each winter, after centers have changed hands; a unit too many is then removed."

