"""A variant: the map and the rules of one game of the Diplomacy family.

A loaded variant never changes.

A ruling decides how the judge reads the rules where they leave a choice. Each ruling is written once, as data, with its
reason:

    [[rulings]]
    number = 1
    says = "Gibraltar is a sea like any other."
    because = "Section VIII: it has no land."

The rulings of one board are in its variant.toml. The rulings for every board, and for each mechanism, are in
variants/rulings.toml, which explains the format. GET RULES shows rulings, docs/rulings.md lists them, and comments cite
them by title and number.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals, Religion
from judge.rules.mechanisms.build_places import BuildAnywhere, BuildSites, EmergencyMeasures, ExtraHomeCenters, Removals
from judge.rules.mechanisms.crossings import Canals, ClosedSeasons, DifficultBorders, HalfStrengthBorders
from judge.rules.mechanisms.diplomacy_points import Points, Sponsors, Vassals
from judge.rules.mechanisms.files import (
    FLAG,
    SENTENCE,
    TEXT,
    MechanismInFile,
    RulesFile,
    Table,
    VariantFile,
    list_of,
    needed,
    number,
    record,
)
from judge.rules.mechanisms.groups import Draw, Group, Groups, grouped
from judge.rules.mechanisms.victory import UnanimousEnds, Victory

# --- rulings ---------------------------------------------------------------------------------------------------------


_KEYS = {
    "number": needed(number(1, words="a number, 1 or more")),
    "says": needed(SENTENCE),
    "because": needed(SENTENCE),
    "cases": TEXT,
    "mailed": FLAG,
}


@dataclass(frozen=True)
class Ruling:
    """A ruling with its reason.

    `says` is the ruling, for players. `because` is the reason, for readers who doubt the ruling. `cases` names the
    DATC's test cases for it. `mailed` is true if GET RULES shows the ruling.
    """

    number: int
    says: str
    because: str
    cases: str = ""
    mailed: bool = True


@dataclass(frozen=True)
class Rulings:
    """Rulings that share a title.

    If `table` is not empty, the rulings concern the boards with this table in variant.toml. If `table` is empty, the
    rulings concern all boards, or one board.
    """

    title: str
    rulings: tuple[Ruling, ...]
    table: str = ""

    @property
    def mailed(self) -> tuple[Ruling, ...]:
        """Return the rulings that GET RULES shows."""
        return tuple(ruling for ruling in self.rulings if ruling.mailed)

    def without(self, replaced: Collection[str]) -> "Rulings":
        """Return the rulings without those in `replaced`, which has their titles and numbers."""
        kept = (ruling for ruling in self.rulings if f"{self.title} {ruling.number}" not in replaced)
        return replace(self, rulings=tuple(kept))


def read_rulings(file: VariantFile, tables: Sequence[Table]) -> tuple[Ruling, ...]:
    """Return the rulings in the tables `[[rulings]]` of a file, and note mistakes in them."""
    found: dict[int, Ruling] = {}
    for place, table in enumerate(tables, 1):
        values = file.values(_KEYS, table, "rulings", f"rulings.{place}")
        if values.get("number") in found:
            file.say(f"rulings: {values['number']} is there twice", f"rulings.{place}", "number")
        elif {"number", "says", "because"} <= values.keys():
            found[values["number"]] = Ruling(**values)
    return tuple(found.values())


def variants_folder() -> Path:
    """Return the folder of the variants: inside the installed package, or next to it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "variants"
    return inside if inside.is_dir() else package.parent / "variants"


@lru_cache(maxsize=1)
def general_rulings() -> tuple[Rulings, ...]:
    """Return the rulings of variants/rulings.toml, in the sequence of the file."""
    path = variants_folder() / "rulings.toml"
    file = VariantFile(path, path.read_text(encoding="utf-8"), [])
    return tuple(
        Rulings(one["title"], read_rulings(file, one["rulings"]), one.get("table", "")) for one in file.tables.values()
    )


def rulings_of_every_board() -> list[Rulings]:
    """Return the rulings for every board."""
    return [one for one in general_rulings() if not one.table]


# --- a variant -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Variant(Ruleset):
    """A ruleset with the values that emails, maps and commands need.

    If a mechanism is not switched on, its property here is empty or None. `rulings` has the rulings in the variant's
    own file.
    """

    rulings: tuple[Ruling, ...] = ()

    @property
    def victory(self) -> int:
        """Return the number of centers that wins the game."""
        return self.mechanism(Victory).centers

    @property
    def year_cap(self) -> int | None:
        """Return the last year, or None. After its Fall, a game without a winner is drawn."""
        return self.mechanism(Victory).year_cap

    @property
    def ends_by_unanimity(self) -> bool:
        """Return whether the players may end the game in any way that all of them want."""
        return self.rule(UnanimousEnds) is not None

    @property
    def neutrals(self) -> ArmedNeutrals:
        """Return the armed neutrals, or none if the variant has no such rule."""
        return self.mechanism(ArmedNeutrals)

    @property
    def points(self) -> Points | None:
        """Return the rule about Diplomacy Points, or None."""
        return self.rule(Points)

    @property
    def build_sites(self) -> BuildSites:
        """Return the places where powers build in addition to their homes."""
        return self.mechanism(BuildSites)

    @property
    def canals(self) -> Mapping[str, int]:
        """Return {province: the year in which its canal opens}."""
        return self.mechanism(Canals).opens

    # --- groups -----------------------------------------------------------------------------------------------

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return the groups that players play instead of single powers."""
        return self.mechanism(Groups).groups

    @property
    def draws(self) -> tuple[Draw, ...]:
        """Return the draws that put powers into groups."""
        return self.mechanism(Groups).draws

    grouped = grouped

    @property
    def sponsors(self) -> Mapping[str, str]:
        """Return {center of a neutral: its sponsor}. The sponsor is a group, or a power that stands for its group."""
        return self.mechanism(Sponsors).of

    def sponsor(self, center: str) -> str:
        """Return the seat that sponsors the neutral in the center, or "" if the neutral has no sponsor."""
        return self.mechanism(Sponsors).sponsor(self, center)


# --- all mechanisms, and other readings of their rules ----------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """Another way to read a rule.

    `says` is the rule in this reading. `changes` is {a mechanism: {key of its table: the value in this reading}}.
    `replaces` names the rulings that do not apply in this reading, by title and number.
    """

    says: str
    changes: Mapping[type[MechanismInFile], Table]
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Readings(MechanismInFile):
    """Other published readings of the rules of mechanisms. The master of a game may choose among them before it begins.

        [readings.convoys]
        says = "An army that is convoyed to Egypt or Hejaz attacks at half strength, whatever its route."
        replaces = ["Borders of half strength 3"]
        detours = { every_convoy = true }

    Besides `says` and `replaces`, a reading has tables of variant.toml with the values that it changes.

    `known` has the readings by name. `chosen` has the names of the readings that are used in this game.
    """

    known: Mapping[str, Reading] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()

    TABLES = ("readings",)

    @classmethod
    def read(cls, file: RulesFile) -> Self | None:
        """Return the readings that the file describes, or None if the file has none."""
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
        """Yield the other readings of rules in sentences for players, with the command that chooses each."""
        for name, reading in self.known.items():
            if name in self.chosen:
                yield f"In this game: {reading.says}"
            else:
                yield f"The master can choose before the start: SET READING {name.upper()}. {reading.says}"

    @property
    def replaced(self) -> frozenset[str]:
        """Return the rulings that do not apply in this game, by title and number."""
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
