"""The files of a variant, read and checked together. The values that a key can have are defined once, as a `Kind`.

variant.toml has the powers, and tables that switch mechanisms on. A mechanism names its table and the kinds of its keys
(`MechanismInFile`). Both reading and checking follow from these.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from judge.rules.board.names import fold, places
from judge.rules.board.orders import Unit, Units, province_of
from judge.rules.board.province import Province
from judge.rules.board.ruleset import Mechanism

# A table of a TOML file, as tomllib reads it.
Table = dict[str, Any]
# Mistakes, each as (the end of a sentence, the key in the table).
Faults = Iterator[tuple[str, str]]


class Mistake(NamedTuple):
    """A mistake in a file or a folder. `line` is 0 if the mistake is not in a single line."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}" if self.line else f"{self.path}: {self.text}"


class VariantFile:
    """A TOML file: its tables, the line of each table and key, and the mistakes `found` in it.

    If several tables have one name, like `[[draws]]`, the second is called "draws.2".
    """

    def __init__(self, path: Path, text: str, found: list[Mistake]):
        self.path = path
        self.found = found
        self.tables: Table = {}
        try:
            self.tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"at line (\d+)", str(error))
            line = int(at.group(1)) if at else text.count("\n") + 1
            found.append(Mistake(path, line, f"not TOML: {str(error).partition(' (at')[0]}"))
        self.where: dict[tuple[str, str], int] = {}
        table = ""
        several: dict[str, int] = {}
        for number, line_of_text in enumerate(text.splitlines(), 1):
            header = re.match(r"\s*(\[)?\[([^\[\]]+)\]", line_of_text)
            key = re.match(r"\s*([\w.-]+|\"[^\"]+\")\s*=", line_of_text)
            if header:
                table = header.group(2).replace('"', "").strip()
                if header.group(1):
                    several[table] = several.get(table, 0) + 1
                    table = f"{table}.{several[table]}"
                self.where[table, ""] = number
            elif key:
                self.where[table, key.group(1).strip('"')] = number

    def say(self, text: str, table: str = "", key: str = "") -> None:
        """Note a mistake at a key of a table, or at the table if no key is given."""
        parent, _, inline = table.rpartition(".")
        own = (table, key), (f"{table}.{key}", ""), (table, key.partition(".")[0])
        line = next(filter(None, map(self.where.get, (*own, (table, ""), (parent, inline)))), 1)
        self.found.append(Mistake(self.path, line, text))

    def values(self, kinds: "Kinds", table: Table, whose: str, where: str) -> Table:
        """Return the good values of a table, as the rules use them, and note the mistakes in the others.

        `whose` is the table's name for people. `where` is its name in the file.
        """
        for key in sorted(table.keys() - kinds.keys()):
            self.say(f"{whose}: there is no key {key}", where, key)
        found = {}
        for key, kind in kinds.items():
            if key not in table:
                if kind.needed:
                    self.say(f"{whose}: {key} is missing", where, key)
                continue
            value = table[key]
            faults = [*kind.faults(self, key, value)]
            for fault in faults:
                self.say(f"{whose}: {fault}", where, key)
            if not faults:
                inside = kind.keys or (dict.fromkeys(value, kind.each) if kind.each else None)
                found[key] = kind.read(self.values(inside, value, whose, f"{where}.{key}") if inside else value)
        return found


def pair_of(border: str) -> tuple[str, str]:
    """Return ("MID", "EGY") for "MID-EGY"."""
    one, _, other = border.partition("-")
    return one, other


def words_of(text: object) -> tuple[str, ...]:
    """Return the names in a text, or none if the value is not a text."""
    return places(text) if isinstance(text, str) else ()


def units_of(text: str) -> Units:
    """Return the units of "A PAR, F BRE"."""
    return tuple(Unit(*words) for words in map(places, text.split(",")) if len(words) == 2)


def twice(places: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each province or border (in either direction) that is listed twice."""
    seen = set()
    for place in places:
        ends = frozenset(place.split("-"))
        if ends in seen:
            yield f"{place} is there twice"
        seen.add(ends)


# --- kinds of values ------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of value that a key in a TOML file can have.

    `faults` gets the file, the key and the value, and yields what is wrong with the value. `read` returns a good value
    in the form that the rules use. If `needed` is true, the key must be there.

    For a table with any names as keys, `each` is the kind of every entry. For a table with fixed keys, `keys` has their
    kinds. In both cases, `read` gets a table whose values already have the form that the rules use.
    """

    faults: Callable[[Any, str, Any], Iterable[str]]
    read: Callable[[Any], Any] = lambda value: value
    needed: bool = False
    each: "Kind | None" = None
    keys: "Mapping[str, Kind] | None" = None


Kinds = Mapping[str, Kind]


def needed(kind: Kind) -> Kind:
    """Return the kind for a key that must be there."""
    return kind._replace(needed=True)


def that(good: Callable[[Any], bool], otherwise: str, read: Callable[[Any], Any] = lambda value: value) -> Kind:
    """Return the kind of values for which `good` is true. The error for other values says `otherwise`."""
    return Kind(lambda _, key, value: () if good(value) else (f"{key} must be {otherwise}",), read)


TABLE = that(lambda value: isinstance(value, dict), "a table")


def each(kind: Kind) -> Kind:
    """Return the kind of a table in which every value is of the given kind."""
    return TABLE._replace(each=kind)


def record(kinds: Kinds, make: Callable[..., Any]) -> Kind:
    """Return the kind of a table with fixed keys. `make` is called with their values, by name."""
    return TABLE._replace(read=lambda values: make(**values), keys=kinds)


def number(least: int, most: int = 10**9, words: str = "a number") -> Kind:
    """Return the kind of whole numbers from `least` to `most`."""
    return that(lambda value: type(value) is int and least <= value <= most, words)


def one_of(values: Collection[str]) -> Kind:
    """Return the kind of values that must be one of `values`."""
    return that(lambda value: value in values, f"one of {', '.join(values)}")


def list_of(what: str) -> Kind:
    """Return the kind of lists of texts."""
    good = lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value)  # noqa: E731
    return that(good, f"a list of {what}", tuple)


FLAG = that(lambda value: isinstance(value, bool), "true or false")
TEXT = that(lambda value: isinstance(value, str), "a text")
LINE = that(lambda value: isinstance(value, str) and value.isprintable(), "a line of text")
PLACES = TEXT._replace(read=places)
SENTENCE = that(
    lambda value: isinstance(value, str) and bool(value.strip()), "a text", lambda text: " ".join(text.split())
)
LIST, ALIASES = map(list_of, ("names", "words"))
COLOUR = that(lambda value: bool(re.fullmatch(r"#[0-9a-fA-F]{6}", str(value))), "like #5a9bd4")

# --- variant.toml ----------------------------------------------------------------------------------------------------


_NOWHERE = Province("", "", "")


class RulesFile(VariantFile):
    """variant.toml while it is being read.

    `provinces` has the variant's map. `powers` has the values of each power. `words` is {a word that names a power or
    group: its table in the file}. `neutrals` has the centers of armed neutrals. `owned` is {center: its owner at the
    start}. `standing` is {province: the owner of its unit}.
    """

    def __init__(self, path: Path, text: str, found: list[Mistake]):
        super().__init__(path, text, found)
        self.provinces: Mapping[str, Province] = {}
        self.powers: dict[str, Table] = {}
        self.grouped = bool(self.tables.get("groups"))
        self.words: dict[str, str] = {}
        self.standing: dict[str, str] = {}
        self.owned: dict[str, str] = {}
        self.neutrals: set[str] = set()

    def province(self, name: str) -> Province:
        """Return the province of that name, or an empty province if there is none."""
        return self.provinces.get(name, _NOWHERE)

    def table(self, name: str) -> Table | None:
        """Return the table of that name, or None if there is none, or if the value is not a table."""
        table = self.tables.get(name)
        if table is not None and not isinstance(table, dict):
            self.say(f"{name} must be a table", "", name)
        return table if isinstance(table, dict) else None

    def tables_of(self, name: str) -> dict[str, Table]:
        """Return the table of that name if all its entries are tables, else an empty table."""
        table = self.tables.get(name, {})
        if not isinstance(table, dict) or not all(isinstance(entry, dict) for entry in table.values()):
            self.say(f"{name} must be a table of tables", name)
            return {}
        return table

    def listed(self, name: str, form: str) -> list[Table]:
        """Return the tables of `[[name]]`, or none if the value is something else.

        `form` says in the error how such tables are written.
        """
        tables = self.tables.get(name, [])
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            self.say(f"{name} must be tables{form}", "", name)
            return []
        return tables

    def call(self, word: str, name: str, where: str, key: str) -> None:
        """Note that a word names the power or group whose table is `where`.

        No other power or group may have the word.
        """
        if not word.isprintable():
            self.say(f"{name}: {word!r} has a character that cannot be printed", where, key)
        other = self.words.setdefault(fold(word), where)
        if fold(word) and other != where:
            self.say(f'{name}: "{word}" is {other.partition(".")[2]} already', where, key)

    def stand(self, text: object, name: str, where: str) -> Iterator[str]:
        """Check the units of a power or of the neutrals in the table `where`, and yield the province of each."""
        for unit in filter(None, map(words_of, str(text).split(","))):
            province = province_of(unit[-1])
            if fault := self._unit_fault(unit):
                self.say(f"{name}: {fault}", where, "units")
            if province in self.standing:
                self.say(f"{province} has a unit of {self.standing[province]} and one of {name}", where, "units")
            self.standing[province] = name
            yield province

    def _unit_fault(self, unit: tuple[str, ...]) -> str:
        """Return the mistake in a unit, ("A", "PAR"), or "" if there is none."""
        text = " ".join(unit)
        if len(unit) != 2 or unit[0] not in ("A", "F"):
            return f"{text} is not a unit like A PAR"
        army, (abbr, slash, coast) = unit[0] == "A", unit[1].partition("/")
        there = self.province(abbr)
        if there is _NOWHERE:
            return f"there is no province {abbr}"
        what, is_taken = ("army", there.takes_armies) if army else ("fleet", there.takes_fleets)
        if not is_taken:
            return f"{text}: no {what} can be there"
        if not army and there.coasts:
            return "" if coast in there.coasts else f"{text}: which coast?"
        return f"{text}: it is not on a coast" if slash else ""


def names(what: str, wrong: Callable[[RulesFile, str], str]) -> Kind:
    """Return the kind of texts that list names. `wrong` returns the mistake in one name, or ""."""

    def faults(file: RulesFile, key: str, value: object) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"{key} must be text: {what}"
        yield from filter(None, (wrong(file, name) for name in words_of(value)))

    return Kind(faults, places)


def _borders(file: RulesFile, key: str, value: object) -> Iterator[str]:
    pairs = words_of(value)
    if not pairs:
        yield f"{key} is missing"
    yield from twice(pairs)
    for pair in pairs:
        one, other = pair_of(pair)
        if other not in file.province(one).neighbours:
            yield f"{pair} is not a border like MID-EGY"


def _unknown_powers(file: RulesFile, key: str, value: Any) -> Iterator[str]:
    unknown = (f"there is no power {power}" for power in value if power not in file.powers)
    yield from LIST.faults(file, key, value) or unknown


POWERS = Kind(_unknown_powers, tuple)


def of_powers(kind: Kind) -> Kind:
    """Return the kind of tables that have a value of the given kind for some of the powers."""

    def faults(file: RulesFile, key: str, value: object) -> Iterator[str]:
        yield from _unknown_powers(file, key, [key])
        yield from kind.faults(file, key, value)

    return each(kind._replace(faults=faults))


CENTERS = names("names", lambda file, name: "" if file.province(name).center else f"{name} is not a supply center")
NEUTRALS = names(
    "centers", lambda file, name: "" if name in file.neutrals else f"{name} is not the center of a neutral"
)
BORDERS = needed(Kind(_borders, lambda text: tuple(map(pair_of, words_of(text)))))
UNITS = TEXT._replace(read=units_of)


class MechanismInFile(Mechanism):
    """A mechanism that a variant's file can switch on.

    `TABLES` has the tables in variant.toml that switch it on. `KEYS` has the kinds of the keys in the first of these
    tables. The keys are named like the fields of the class. `SWITCH` is a key that must be true, if there is one.
    `WHOLE` is the kind of the first table, if the whole table is the value of the only field.
    """

    TABLES: ClassVar[tuple[str, ...]]
    KEYS: ClassVar[Kinds] = {}
    SWITCH: ClassVar[str] = ""
    WHOLE: ClassVar[Kind | None] = None

    @classmethod
    def read(cls, file: RulesFile) -> Self | None:
        """Return the mechanism that a file describes, and note the mistakes in its tables.

        Returns None if the mechanism is not switched on, or if a needed key is missing.
        """
        name = cls.TABLES[0]
        table = file.table(name)
        if table is None:
            return None
        kinds = dict.fromkeys(table, cls.WHOLE.each) if cls.WHOLE and cls.WHOLE.each else cls.KEYS
        values = file.values(kinds, table, name, name)
        for fault, key in cls.faults(file, table):
            file.say(f"{name}{fault}", name, key)
        if not table or cls.SWITCH and not values.get(cls.SWITCH):
            return None
        try:
            return cls.of_table(values)
        except TypeError:
            return None

    @classmethod
    def of_table(cls, values: Table) -> Self | None:
        """Return the mechanism with the values of its table."""
        return cls(values) if cls.WHOLE else cls(**values)  # type: ignore[call-arg]

    @classmethod
    def faults(cls, file: RulesFile, table: Table) -> Faults:
        """Yield (a mistake as the end of a sentence, its key) for mistakes that checks of single values cannot find."""
        return iter(())
