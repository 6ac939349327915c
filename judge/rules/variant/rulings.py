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

KEYS = {"number", "says", "because", "cases", "mailed"}


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
    """The rulings in the tables of a file; raises KeyError if one lacks a part."""
    return tuple(
        Ruling(
            number=table["number"],
            says=_in_a_line(table["says"]),
            because=_in_a_line(table["because"]),
            cases=table.get("cases", ""),
            mailed=table.get("mailed", True),
        )
        for table in tables
    )


def _in_a_line(text: str) -> str:
    """A text on one line that the file has on several lines."""
    return " ".join(text.split())


def check_rulings(checking: Checking) -> None:
    """Notes the mistakes in the rulings of variant.toml; a file without rulings is correct."""
    tables = checking.file.get("rulings", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        checking.say("rulings must be tables, [[rulings]]", "", "rulings")
        return
    numbers = set()
    for place, table in enumerate(tables, 1):
        where = f"rulings.{place}"
        checking.keys(table, KEYS, "rulings", where)
        number = table.get("number")
        if type(number) is not int or number < 1:
            checking.say("rulings: number must be a number, 1 or more", where, "number")
        elif number in numbers:
            checking.say(f"rulings: {number} is there twice", where, "number")
        numbers.add(number)
        for key in ("says", "because"):
            if not isinstance(table.get(key), str) or not table[key].strip():
                checking.say(f"rulings: {key} must be a text", where, key)
        if not isinstance(table.get("cases", ""), str):
            checking.say("rulings: cases must be a text", where, "cases")
        if not isinstance(table.get("mailed", True), bool):
            checking.say("rulings: mailed must be true or false", where, "mailed")
