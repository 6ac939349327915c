"""A file of a variant, read and checked in one go: what its keys may hold, each said once as a `Kind`."""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from judge.rules.board.names import places
from judge.rules.board.orders import Unit

# A table of a TOML file, as tomllib reads it.
Table = dict[str, Any]


@dataclass(frozen=True, order=True)
class Mistake:
    """A mistake in a line of a file."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class VariantFile:
    """A TOML file: its tables, the line of each table and key, and the mistakes `found` in it.

    If several tables have one name, like `[[draws]]`, the second is called "draws.2".
    """

    def __init__(self, file: str, text: str, found: list[Mistake]):
        self.name = file
        self.found = found
        self.tables: Table = {}
        try:
            self.tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"at line (\d+)", str(error))
            line = int(at.group(1)) if at else text.count("\n") + 1
            found.append(Mistake(file, line, f"not TOML: {str(error).partition(' (at')[0]}"))
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
        """Note a mistake at a key of a table, or at the table if the key has no line of its own."""
        parent, _, inline = table.rpartition(".")
        own = (table, key), (f"{table}.{key}", ""), (table, key.partition(".")[0])
        line = next(filter(None, map(self.where.get, (*own, (table, ""), (parent, inline)))), 1)
        self.found.append(Mistake(self.name, line, text))

    def values(self, kinds: "Kinds", table: Table, whose: str, where: str) -> Table:
        """Return the good values of a table as the rules use them, and note what is wrong with the others.

        `whose`: the table's name for people; `where`: its name in the file.
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
    """Return the names in a text; none if the value is not a text."""
    return places(text) if isinstance(text, str) else ()


def units_of(text: str) -> tuple[Unit, ...]:
    """Return the units of "A PAR, F BRE"."""
    return tuple(Unit(*words) for words in map(places, text.split(",")) if len(words) == 2)


def twice(places: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each province or border, in either direction, that is listed a second time."""
    seen: set[frozenset[str]] = set()
    for place in places:
        ends = frozenset(place.split("-"))
        if ends in seen:
            yield f"{place} is there twice"
        seen.add(ends)


# --- kinds of values ------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of value.

    `faults`: yields what is wrong with the value of a key, without the name of its table; it gets the file, the key and
    the value. `read`: a good value as the rules use it. `needed`: whether the key must be there. `each`: the kind of
    every entry, if the value is a table of names of any number; `keys`: the kinds of its keys, if it is a table of
    these; `read` then gets a table of values as the rules use them.
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
    """Make the kind of the values that are good; `otherwise`: what such a value must be."""
    return Kind(lambda _, key, value: () if good(value) else (f"{key} must be {otherwise}",), read)


TABLE = that(lambda value: isinstance(value, dict), "a table")


def each(kind: Kind) -> Kind:
    """Make the kind of the tables in which every entry is of that kind."""
    return TABLE._replace(each=kind)


def record(kinds: Kinds, make: Callable[..., Any]) -> Kind:
    """Make the kind of the tables with these keys; `make` gets their values by name."""
    return TABLE._replace(read=lambda values: make(**values), keys=kinds)


def number(least: int, most: int = 10**9, words: str = "a number") -> Kind:
    """Make the kind of the whole numbers from `least` to `most`."""
    return that(lambda value: type(value) is int and least <= value <= most, words)


def one_of(values: Collection[str]) -> Kind:
    """Make the kind of these words."""
    return that(lambda value: value in values, f"one of {', '.join(values)}")


def list_of(what: str) -> Kind:
    """Make the kind of the lists of texts."""
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
