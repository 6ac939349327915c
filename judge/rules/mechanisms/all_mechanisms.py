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
from typing import Any, Self

from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals, Religion
from judge.rules.mechanisms.build_places import BuildAnywhere, BuildSites, EmergencyMeasures, ExtraHomeCenters, Removals
from judge.rules.mechanisms.crossings import Canals, ClosedSeasons, DifficultBorders, HalfStrengthBorders
from judge.rules.mechanisms.diplomacy_points import Points, Sponsors, Vassals
from judge.rules.mechanisms.groups import Groups
from judge.rules.mechanisms.victory import UnanimousEnds, Victory
from judge.rules.variant_files.checking import Checking, MechanismInFile

# The keys of a reading that are not tables.
_WORDS = ("says", "replaces")


@dataclass(frozen=True)
class Reading:
    """Another way to read a rule.

    `says`: the rule as it is read then; `tables`: {table of variant.toml: {key: its value in this reading}};
    `replaces`: the rulings that do not hold in this reading, by title and number.
    """

    says: str
    tables: Mapping[str, Mapping[str, Any]]
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Readings(MechanismInFile):
    """`known`: the readings by name; `chosen`: the names of those that count in this game."""

    known: Mapping[str, Reading] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    TABLES = ("readings",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """Return it as the file describes it; None if it is not switched on."""
        found = {
            name: Reading(
                " ".join(table["says"].split()),
                {key: table[key] for key in table if key not in _WORDS},
                tuple(table.get("replaces", ())),
            )
            for name, table in file.get("readings", {}).items()
        }
        return cls(found) if found else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        """Note the mistakes in its tables."""
        for name, table in checking.tables_of("readings").items():
            if not isinstance(table.get("says"), str):
                checking.say(f"readings: {name} needs a sentence, says", f"readings.{name}", "says")
            if not all(isinstance(one, str) for one in table.get("replaces", ())):
                checking.say(f"readings: replaces of {name} must be a list of texts", f"readings.{name}", "replaces")
            for key, values in table.items():
                if key not in _WORDS and not isinstance(values, dict):
                    checking.say(f"readings: {key} of {name} must be a table", f"readings.{name}", key)

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
