"""The check of variant.toml against the map, its powers, and the mechanisms that the file can switch on.

A mechanism names its table and the kinds of its keys (`MechanismInFile`); reading and checking follow from these.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any, ClassVar, Self

from judge.rules.board.names import fold, places
from judge.rules.board.power import MOST_LETTERS, Power
from judge.rules.board.ruleset import Mechanism
from judge.rules.variant_files.provinces import ProvincesCheck
from judge.rules.variant_files.schema import (
    ALIASES,
    ANYTHING,
    COLOUR,
    TEXT,
    Kind,
    Kinds,
    Lines,
    Table,
    check_keys,
    each,
    list_of,
    needed,
    pair_of,
    read_keys,
    twice,
    units_of,
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

    def tables_of(self, name: str) -> Table:
        """Return the table of that name, whose entries are all tables; empty if they are not."""
        table = self.file.get(name, {})
        if not isinstance(table, dict) or not all(isinstance(entry, dict) for entry in table.values()):
            self.say(f"{name} must be a table of tables", name)
            return {}
        return table

    def listed(self, name: str, form: str) -> list[Table]:
        """Return the tables of `[[name]]`, none if there is something else; `form`: how these are written."""
        tables = self.file.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            self.say(f"{name} must be tables{form}", "", name)
            return []
        return tables

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
                self.say(f"{province} has a unit of {self.standing[province]} and one of {name}", where, "units")
            self.standing[province] = name
            yield province


def names(what: str, wrong: Callable[[Checking, str], str]) -> Kind:
    """Make the kind of the texts that list names; `wrong`: what is wrong with one of them, or ""."""

    def faults(checking: Checking, key: str, value: object) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"{key} must be text: {what}"
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


def of_powers(kind: Kind) -> Kind:
    """Make the kind of the tables that have a value of that kind for some of the powers."""

    def faults(checking: Checking, key: str, value: object) -> Iterator[str]:
        yield from _unknown_powers(checking, key, key)
        yield from kind.faults(checking, key, value)

    return each(kind._replace(faults=faults))


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
    named like the fields of the class; `SWITCH`: the key among these that must be true, if there is one; `WHOLE`: the
    kind of the first table, if that is the value of the only field.
    """

    TABLES: ClassVar[tuple[str, ...]]
    KEYS: ClassVar[Kinds] = {}
    SWITCH: ClassVar[str] = ""
    WHOLE: ClassVar[Kind | None] = None

    @classmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """Return the mechanism that a file describes which passes `check`; None if it is not switched on.

        `file` is all of variant.toml. May raise KeyError, TypeError, AttributeError for a file that does not pass.
        """
        table = file.get(cls.TABLES[0])
        if not table or cls.SWITCH and not table.get(cls.SWITCH):
            return None
        return cls(cls.WHOLE.read(table)) if cls.WHOLE else cls(**read_keys(cls.KEYS, table))  # type: ignore[call-arg]

    @classmethod
    def check(cls, checking: Checking) -> None:
        """Note the mistakes in its tables; a file without these tables is correct."""
        name = cls.TABLES[0]
        table = checking.table(name)
        if isinstance(checking.file.get(name), dict):
            kinds = dict.fromkeys(table, cls.WHOLE.each) if cls.WHOLE and cls.WHOLE.each else cls.KEYS
            checking.keys(kinds, table, name, name)
            for fault, key in cls.faults(checking, table):
                checking.say(f"{name}{fault}", name, key)

    @classmethod
    def faults(cls, checking: Checking, table: Table) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the table though each of its keys is good: a sentence behind its name, and a key."""
        return iter(())


# --- powers: letters, homes, units and colours -----------------------------------------------------------------------


KINDS = {
    "adjective": needed(TEXT),
    "letter": needed(TEXT),
    "colour": ANYTHING,
    "theatre": TEXT,
    "homes": needed(CENTERS),
    "owns": CENTERS,
    "units": needed(TEXT._replace(read=units_of)),
    "aliases": ALIASES,
}
UNGROUPED = "#8c8c8c"  # of a power that gets its colour from its group, while it has no group
FORBIDDEN_LETTERS = {"M": "the master", "O": "an observer"}
ALIKE = 60.0  # if two colours are closer than this, people confuse them


def read_power(name: str, table: Table) -> Power:
    """Return the power that a table without mistakes describes."""
    values = read_keys(KINDS, table)
    return Power(name=name, **{"colour": UNGROUPED, "owns": values["homes"], **values})


def check_powers(checking: Checking) -> None:
    """Note the mistakes of each power, and values that two powers must not share."""
    if not checking.powers:
        checking.say("there are no powers")
    for name, table in checking.powers.items():
        _check_power(checking, name, table)
    _check_words(checking)
    _check_colours(checking)


def words_of_power(name: str, table: Table) -> list[str]:
    """Return all words that name a power, including its letters."""
    named = (name, table.get("letter", ""), table.get("adjective", ""), *list_of(table, "aliases"))
    return [word for word in map(str, named) if word]


def _check_power(checking: Checking, name: str, table: Table) -> None:
    where, letter = f"powers.{name}", str(table.get("letter", ""))
    checking.keys(KINDS, table, name, where)
    if checking.grouped and "colour" not in table:
        if "theatre" not in table:
            checking.say(f"{name}: theatre is missing", where, "theatre")
    elif any(COLOUR.faults(checking, "", table.get("colour", ""))):
        checking.say(f"{name}: the colour must be like #5a9bd4", where, "colour")
    if not checking.grouped and len(checking.powers) <= MOST_LETTERS:
        check_seat_letter(checking, name, where, letter)
    elif not re.fullmatch(r"[A-Z]{2}", letter):
        whose = "in a group" if checking.grouped else f"among more than {MOST_LETTERS}"
        checking.say(f"{name}: the letter of a power {whose} is two capital letters", where, "letter")
    key = "owns" if "owns" in table else "homes"
    for center in dict.fromkeys(words_of(table.get(key))):
        checking.own(center, name, where, key)
    checking.units += len([*checking.stand(table.get("units", ""), name, where)])


def check_seat_letter(checking: Checking, name: str, where: str, letter: str) -> None:
    """Check the one letter of a seat. A power of a group is not a seat, and has two."""
    if not re.fullmatch(r"[A-Z]", letter):
        checking.say(f"{name}: the letter must be one capital letter", where, "letter")
    if letter in FORBIDDEN_LETTERS:
        checking.say(f"{name}: the letter {letter} means {FORBIDDEN_LETTERS[letter]}", where, "letter")


def _check_words(checking: Checking) -> None:
    """Check that no word means two powers."""
    seen: dict[str, str] = {}
    for name, table in checking.powers.items():
        where = f"powers.{name}"
        words = [(key, str(table.get(key, ""))) for key in ("letter", "adjective")]
        for key, text in [*words, ("", name), *(("aliases", alias) for alias in list_of(table, "aliases"))]:
            if not text.isprintable():
                checking.say(f"{name}: {text!r} has a character that cannot be printed", where, key)
            word = fold(text)
            other = seen.setdefault(word, name)
            if word and other != name:
                checking.say(f'{name}: "{word}" is {other} already', where, key)


def _check_colours(checking: Checking) -> None:
    """Check that people can tell the colours of the seats apart."""
    groups = checking.file.get("groups", {})
    kind, played = ("groups", groups) if checking.grouped else ("powers", checking.powers)
    known = {
        name: table["colour"]
        for name, table in (played.items() if isinstance(played, dict) else ())
        if isinstance(table, dict) and not any(COLOUR.faults(checking, "", table.get("colour", "")))
    }
    for (name, colour), (other, another) in combinations(known.items(), 2):
        if colour_distance(colour, another) < ALIKE:
            checking.say(f"{other}: its colour is too close to that of {name}", f"{kind}.{other}", "colour")


def colour_distance(one: str, other: str) -> float:
    """Return how far two colours (#rrggbb) are apart for the eye, 0 to 765.

    That is the distance in RGB, weighted by the mean red ("redmean").
    """
    first, second = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other))
    red, green, blue = (a - b for a, b in zip(first, second, strict=True))
    mean = (first[0] + second[0]) / 2
    return math.sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)
