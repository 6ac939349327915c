"""Rulings: how the judge reads the rules if they leave a choice. Each is written once, as data, with its reason.

    [[rulings]]
    number = 1
    says = "Gibraltar is a sea like any other."
    because = "Section VIII: it has no land."

The rulings of one board stand in its variant.toml; those of every board and of each mechanism stand in
variants/rulings.toml, which explains the format. GET RULES shows them, docs/rulings.md lists them, and comments cite
them by title and number.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.schema import FLAG, TEXT, number, read_keys, that

_IN_A_LINE = that(
    lambda value: isinstance(value, str) and bool(value.strip()), "a text", lambda text: " ".join(text.split())
)
_KEYS = {
    "number": number(1, words="a number, 1 or more"),
    "says": _IN_A_LINE,
    "because": _IN_A_LINE,
    "cases": TEXT,
    "mailed": FLAG,
}


@dataclass(frozen=True)
class Ruling:
    """`says`: the ruling, for players; `because`: the reason, for readers who doubt it; `cases`: test cases of the DATC
    that show it; `mailed`: whether GET RULES shows it.
    """

    number: int
    says: str
    because: str
    cases: str = ""
    mailed: bool = True


@dataclass(frozen=True)
class Rulings:
    """Rulings under one title; `table`: the rulings concern boards with this table in variant.toml; "" if they concern
    all boards, or one board.
    """

    title: str
    rulings: tuple[Ruling, ...]
    table: str = ""

    @property
    def mailed(self) -> tuple[Ruling, ...]:
        """The rulings that GET RULES shows."""
        return tuple(ruling for ruling in self.rulings if ruling.mailed)


def read_rulings(tables: Iterable[Mapping[str, Any]]) -> tuple[Ruling, ...]:
    """Return the rulings in the tables of a file; raises TypeError if one lacks a part."""
    return tuple(Ruling(**read_keys(_KEYS, table)) for table in tables)


def check_rulings(checking: Checking) -> None:
    """Note the mistakes in the rulings of variant.toml; a file without rulings is correct."""
    numbers: set[object] = set()
    for place, table in enumerate(checking.listed("rulings", ", [[rulings]]"), 1):
        where, given = f"rulings.{place}", table.get("number")
        checking.keys(_KEYS, {"number": None, "says": None, "because": None, **table}, "rulings", where)
        if type(given) is int and given in numbers:
            checking.say(f"rulings: {given} is there twice", where, "number")
        numbers.add(given)
