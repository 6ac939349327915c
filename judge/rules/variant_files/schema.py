"""What the keys of a variant's files may hold, said once: a `Kind` reads a value and finds what is wrong with it."""

import re
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


class Lines:
    """The line of each table and key of a file, and the mistakes found in it.

    If several tables have one name, like `[[draws]]`, the second is called "draws.2".
    """

    def __init__(self, file: str, text: str, found: list[Mistake]):
        self.file = file
        self.found = found
        self.where: dict[tuple[str, str], int] = {}
        table = ""
        several: dict[str, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            header = re.match(r"\s*(\[)?\[([^\[\]]+)\]", line)
            key = re.match(r"\s*([\w.-]+|\"[^\"]+\")\s*=", line)
            if header:
                table = header.group(2).replace('"', "").strip()
                if header.group(1):
                    several[table] = several.get(table, 0) + 1
                    table = f"{table}.{several[table]}"
                self.where[table, ""] = number
            elif key:
                self.where[table, key.group(1).strip('"')] = number

    def mistake(self, text: str, table: str = "", key: str = "") -> None:
        """Note a mistake at a key of a table, or at the table if the key has no line of its own."""
        places = (table, key), (f"{table}.{key}", ""), (table, key.partition(".")[0])
        line = next(filter(None, map(self.where.get, places)), None)
        self.found.append(Mistake(self.file, line or self.where.get((table, ""), 1), text))


def pair_of(border: str) -> tuple[str, str]:
    """Return ("MID", "EGY") for "MID-EGY"."""
    one, _, other = border.partition("-")
    return one, other


def words_of(text: object) -> tuple[str, ...]:
    """Return the names in a text; none if the value is not a text."""
    return places(text) if isinstance(text, str) else ()


def units_of(text: str) -> tuple[Unit, ...]:
    """Return the units of "A PAR, F BRE"."""
    return tuple(Unit(*places(unit)) for unit in text.split(",") if unit.strip())


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

    `faults`: yields what is wrong with the value of a key, without the name of its table; it gets the check of the
    file, the key and the value. `read`: the value as the rules use it. `needed`: whether the key must be there.
    `each`: the kind of every entry, if the value is a table of names of any number; `keys`: the kinds of its keys, if
    it is a table of these.
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


def each(kind: Kind) -> Kind:
    """Make the kind of the tables in which every entry is of that kind."""
    table = that(lambda value: isinstance(value, dict), "a table")
    return table._replace(read=lambda table: {key: kind.read(value) for key, value in table.items()}, each=kind)


def record(kinds: Kinds, make: Callable[..., Any]) -> Kind:
    """Make the kind of the tables with these keys; `make` gets their values by name."""
    table = that(lambda value: isinstance(value, dict), "a table")
    return table._replace(read=lambda table: make(**read_keys(kinds, table)), keys=kinds)


def number(least: int, most: int = 10**9, words: str = "a number") -> Kind:
    """Make the kind of the whole numbers from `least` to `most`."""
    return that(lambda value: type(value) is int and least <= value <= most, words)


def one_of(values: Collection[str]) -> Kind:
    """Make the kind of these words."""
    return that(lambda value: value in values, f"one of {', '.join(values)}")


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


ANYTHING = Kind(lambda *_: ())
FLAG = that(lambda value: isinstance(value, bool), "true or false")
TEXT = that(lambda value: isinstance(value, str), "a text")
LINE = that(lambda value: isinstance(value, str) and value.isprintable(), "a line of text")
LIST, ALIASES = (that(_is_list, f"a list of {what}", tuple) for what in ("names", "words"))
COLOUR = that(lambda value: bool(re.fullmatch(r"#[0-9a-fA-F]{6}", str(value))), "like #5a9bd4")


def read_keys(kinds: Kinds, table: Mapping[str, Any]) -> Table:
    """Return the values of those keys that the table has, each as the rules use it."""
    return {key: kind.read(table[key]) for key, kind in kinds.items() if key in table}


def list_of(table: Table, key: str) -> tuple[str, ...]:
    """Return the texts in a list; none if it is not a list of texts."""
    return tuple(table[key]) if _is_list(table.get(key)) else ()


def check_keys(
    say: Callable[[str, str, str], None], checking: object, kinds: Kinds, table: Table, whose: tuple[str, str]
) -> None:
    """Note what is wrong with the keys of a table; `whose`: its name for people, and its name in the file."""
    name, where = whose
    for key in sorted(table.keys() - kinds.keys()):
        say(f"{name}: there is no key {key}", where, key)
    for key, kind in kinds.items():
        if key in table:
            faults = [*kind.faults(checking, key, table[key])]
            for fault in faults:
                say(f"{name}: {fault}", where, key)
            inside = kind.keys or (dict.fromkeys(table[key], kind.each) if kind.each and not faults else None)
            if inside and not faults:
                check_keys(say, checking, inside, table[key], (name, f"{where}.{key}"))
        elif kind.needed:
            say(f"{name}: {key} is missing", where, key)
