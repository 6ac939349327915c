"""Every mechanism that a variant can switch on, and other published readings of their rules.

The master of a game may choose among the readings before it begins.

    [readings.convoys]
    says = "An army that is convoyed to Egypt or Hejaz attacks at half strength, whatever its route."
    replaces = ["Borders of half strength 3"]
    detours = { every_convoy = true }

Besides `says` and `replaces` a reading has tables of this file, with the values that are different in it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals, Religion
from judge.rules.mechanisms.build_places import BuildAnywhere, BuildSites, EmergencyMeasures, ExtraHomeCenters, Removals
from judge.rules.mechanisms.crossings import Canals, ClosedSeasons, DifficultBorders, HalfStrengthBorders
from judge.rules.mechanisms.diplomacy_points import Points, Sponsors, Vassals
from judge.rules.mechanisms.groups import Groups
from judge.rules.mechanisms.victory import UnanimousEnds, Victory
from judge.rules.variant_files.checking import MechanismInFile, RulesFile
from judge.rules.variant_files.schema import SENTENCE, Table, list_of, needed, record


@dataclass(frozen=True)
class Reading:
    """Another way to read a rule.

    `says`: the rule as it is read then; `changes`: {a mechanism: {key of its table: the value in this reading}};
    `replaces`: the rulings that do not hold in this reading, by title and number.
    """

    says: str
    changes: Mapping[type[MechanismInFile], Table]
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Readings(MechanismInFile):
    """`known`: the readings by name; `chosen`: the names of those that count in this game."""

    known: Mapping[str, Reading] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    TABLES = ("readings",)

    @classmethod
    def read(cls, file: RulesFile) -> Self | None:
        """Return what the file describes; None if it is not switched on."""
        changeable = {
            one.TABLES[0]: record({key: kind._replace(needed=False) for key, kind in one.KEYS.items()}, dict)
            for one in MECHANISMS
        }
        kinds = {"says": needed(SENTENCE), "replaces": list_of("texts"), **changeable}
        found = {}
        for name, table in file.tables_of("readings").items():
            values = file.values(kinds, table, f"readings.{name}", f"readings.{name}")
            changes = {one: values[one.TABLES[0]] for one in MECHANISMS if one.TABLES[0] in values}
            found[name] = Reading(values.get("says", ""), changes, values.get("replaces", ()))
        return cls(found) if found else None

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules in words."""
        for name, reading in self.known.items():
            if name in self.chosen:
                yield f"In this game: {reading.says}"
            else:
                yield f"The master can choose before the start: SET READING {name.upper()}. {reading.says}"

    @property
    def replaced(self) -> frozenset[str]:
        """The rulings that do not hold in this game, by title and number."""
        return frozenset(one for name in self.chosen for one in self.known[name].replaces)


MECHANISMS: tuple[type[MechanismInFile], ...] = (
    Victory,
    UnanimousEnds,
    HalfStrengthBorders,
    DifficultBorders,
    EmergencyMeasures,
    Groups,
    ArmedNeutrals,
    Points,
    Vassals,
    Religion,
    Sponsors,
    ExtraHomeCenters,
    Canals,
    ClosedSeasons,
    BuildSites,
    BuildAnywhere,
    Removals,
    Readings,
)
