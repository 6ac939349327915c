"""Other published readings of the rules, among which the master of a game may choose before it begins.

    [readings.convoys]
    says = "An army that is convoyed to Egypt or Hejaz attacks at half strength, whatever its route."
    detours = { every_convoy = true }

Beside `says` a reading has tables of this file, with the values that are different in it. One table is needed only by a
reading: which centers count when units are removed without an order, those that a power owns or those it began with.

    [removals]
    near = "start"
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.variant_files.checking import Checking, MechanismInFile
from judge.rules.variant_files.schema import needed, that

_NEAR = needed(that(lambda value: value == "start", "start"))


@dataclass(frozen=True)
class Removals(MechanismInFile):
    """`near`: "start", the unit farthest from all centers with which the power began goes, whoever owns them now."""

    near: str = "start"

    TABLES = ("removals",)
    KEYS = {"near": _NEAR}

    def removal_centers(self, ruleset: Ruleset, power: str) -> Places | None:
        began = ruleset.power_named.get(power)
        return began.owns or began.homes if began else None

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        yield "A unit that is removed without an order is the one farthest from the centers with which its power began."


@dataclass(frozen=True)
class Reading:
    """`says`: the rule as it is read then; `tables`: {table of variant.toml: {key: its value in this reading}}."""

    says: str
    tables: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Readings(MechanismInFile):
    """`known`: the readings by name; `chosen`: the names of those that count in this game."""

    known: Mapping[str, Reading] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    TABLES = ("readings",)

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        found = {
            name: Reading(" ".join(table["says"].split()), {key: table[key] for key in table if key != "says"})
            for name, table in file.get("readings", {}).items()
        }
        return cls(found) if found else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        for name, table in checking.tables_of("readings").items():
            if not isinstance(table.get("says"), str):
                checking.say(f"readings: {name} needs a sentence, says", f"readings.{name}", "says")
            for key, values in table.items():
                if key != "says" and not isinstance(values, dict):
                    checking.say(f"readings: {key} of {name} must be a table", f"readings.{name}", key)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        for name, reading in self.known.items():
            if name in self.chosen:
                yield f"In this game: {reading.says}"
            else:
                yield f"The master may choose before the start, SET READING {name.upper()}: {reading.says}"
