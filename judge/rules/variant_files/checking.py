"""The check of variant.toml against the map, and the mechanisms that the file can switch on.

A mechanism names its table and the kinds of its keys (`MechanismInFile`); reading and checking follow from these.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self

from judge.rules.board.names import places
from judge.rules.board.ruleset import Mechanism
from judge.rules.variant_files.provinces import ProvincesCheck
from judge.rules.variant_files.schema import (
    Kind,
    Kinds,
    Lines,
    Table,
    check_keys,
    needed,
    pair_of,
    read_keys,
    twice,
    words_of,
)


class Checking:
    """The check of one variant.toml.

    It fills `neutrals` with the centers of armed neutrals, `owned` with the owner of each center at the start, and
    `standing` with the owner of the unit in each province.
    """

    def __init__(self, file: Table, board: ProvincesCheck, lines: Lines):
        self.file = file
        self.board = board
        self.say = lines.mistake
        powers = file.get("powers", {})
        self.powers: dict[str, Table] = powers if isinstance(powers, dict) else {}
        self.grouped = bool(file.get("groups"))
        self.units = 0
        self.standing: dict[str, str] = {}
        self.owned: dict[str, str] = {}
        self.neutrals: set[str] = set()

    def keys(self, kinds: Kinds, table: Table, whose: str, where: str) -> None:
        """Note what is wrong with the keys of a table: unknown and missing ones, and wrong values."""
        check_keys(self.say, self, kinds, table, (whose, where))

    def table(self, name: str) -> Table:
        """Return the table of that name; empty if there is none, or something else."""
        table = self.file.get(name, {})
        if not isinstance(table, dict):
            self.say(f"{name} must be a table", "", name)
        return table if isinstance(table, dict) else {}

    def tables_of(self, name: str, kind: type = dict, words: str = "tables") -> Table:
        """Return the table of that name, whose entries are all of one kind; empty if they are not."""
        table = self.file.get(name, {})
        if not isinstance(table, dict) or not all(type(entry) is kind for entry in table.values()):
            self.say(f"{name} must be a table of {words}", name)
            return {}
        return table

    def listed(self, name: str, form: str) -> list[Table]:
        """Return the tables of `[[name]]`, none if there is something else; `form`: how these are written."""
        tables = self.file.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            self.say(f"{name} must be tables{form}", "", name)
            return []
        return tables

    def each_power(self, kind: Kind, table: Table, whose: str, where: str) -> None:
        """Check a table that has a value of that kind for each of some powers."""
        for power, value in table.items():
            if power not in self.powers:
                self.say(f"{whose}: there is no power {power}", where, power)
            for fault in kind.faults(self, power, value):
                self.say(f"{whose}: {fault}", where, power)

    def own(self, center: str, name: str, where: str, key: str) -> None:
        """Note that a power owns the center at the start; no other may."""
        if center in self.owned:
            self.say(f"{center} is owned by {self.owned[center]} and {name}", where, key)
        self.owned[center] = name

    def stand(self, text: object, name: str, where: str) -> Iterator[str]:
        """Check the units of a power, whose table is `where`; yields the province of each."""
        for unit in filter(None, map(words_of, str(text).split(","))):
            province = unit[-1].partition("/")[0]
            if fault := self.board.unit_fault(unit):
                self.say(f"{name}: {fault}", where, "units")
            if province in self.standing:
                self.say(f"{province} holds a unit of {self.standing[province]} and one of {name}", where, "units")
            self.standing[province] = name
            yield province


def names(what: str, wrong: Callable[[Checking, str], str]) -> Kind:
    """Make the kind of the texts that list names; `wrong`: what is wrong with one of them, or ""."""

    def faults(checking: Checking, key: str, value: object) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"{key} must be a text of {what}"
        yield from filter(None, (wrong(checking, name) for name in words_of(value)))

    return Kind(faults, places)


def _borders(checking: Checking, key: str, value: object) -> Iterator[str]:
    pairs = words_of(value)
    if not pairs:
        yield f"{key} is missing"
    yield from twice(pairs)
    yield from (f"{pair} is not a border like MID-EGY" for pair in pairs if not checking.board.borders(*pair_of(pair)))


def _unknown_powers(checking: Checking, key: str, value: Any) -> Iterator[str]:
    for power in value if isinstance(value, list) else [value]:
        if power not in checking.powers:
            yield f"there is no power {power}"


POWERS = Kind(_unknown_powers, tuple)
CENTERS = names(
    "names", lambda checking, name: "" if checking.board.is_center(name) else f"{name} is not a supply center"
)
NEUTRALS = names(
    "centers", lambda checking, name: "" if name in checking.neutrals else f"{name} is not the center of a neutral"
)
BORDERS = needed(Kind(_borders, lambda text: tuple(map(pair_of, words_of(text)))))


class MechanismInFile(Mechanism):
    """A mechanism that a variant's file can switch on.

    `TABLES`: the keys of variant.toml that do so; `KEYS`: the kinds of the keys in the first of these tables, which are
    named like the fields of the class; `SWITCH`: the key among these that must be true, if there is one.
    """

    TABLES: ClassVar[tuple[str, ...]]
    KEYS: ClassVar[Kinds] = {}
    SWITCH: ClassVar[str] = ""

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """Return the mechanism that a file describes which passes `check`; None if it is not switched on.

        `file` is all of variant.toml. May raise KeyError, TypeError, AttributeError for a file that does not pass.
        """
        table = file.get(cls.TABLES[0])
        return cls(**read_keys(cls.KEYS, table)) if table and (not cls.SWITCH or table.get(cls.SWITCH)) else None

    @classmethod
    def check(cls, checking: Checking) -> None:
        """Note the mistakes in its tables; a file without these tables is correct."""
        name = cls.TABLES[0]
        table = checking.table(name)
        if isinstance(checking.file.get(name), dict):
            checking.keys(cls.KEYS, table, name, name)
            for fault, key in cls.faults(checking, table):
                checking.say(f"{name}{fault}", name, key)

    @classmethod
    def faults(cls, checking: Checking, table: Table) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the table though each of its keys is good: a sentence behind its name, and a key."""
        return iter(())
