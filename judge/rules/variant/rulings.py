"""Rulings: how the judge reads the rules where they leave a choice, each written once, as data, with its reason.

    [[rulings]]
    number = 1
    says = "Gibraltar is a sea like any other."
    because = "Section VIII: it has no land."

Those of one board stand in its variant.toml; those of every board, and of each mechanism, in variants/rulings.toml,
which says how they are written. GET RULES tells them, docs/rulings.md lists them, and comments cite them by title and
number.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.toml_text import toml_text

KEYS = {"number", "says", "because", "cases", "mailed"}


@dataclass(frozen=True)
class Ruling:
    """`says`: what holds, for players; `because`: why, for whoever doubts it; `cases`: test cases of the DATC that show
    it; `mailed`: whether GET RULES tells it.
    """

    number: int
    says: str
    because: str
    cases: str = ""
    mailed: bool = True


@dataclass(frozen=True)
class Rulings:
    """Rulings under one title; `table`: the table of variant.toml whose boards they concern, "" where all, or one."""

    title: str
    rulings: tuple[Ruling, ...]
    table: str = ""

    @property
    def mailed(self) -> tuple[Ruling, ...]:
        """Those that GET RULES tells."""
        return tuple(ruling for ruling in self.rulings if ruling.mailed)


def read_rulings(tables: Iterable[Mapping[str, Any]]) -> tuple[Ruling, ...]:
    """The rulings in the tables of a file; raises KeyError where one lacks a part."""
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
    """A text that the file has on several lines."""
    return " ".join(text.split())


def check_rulings(checking: Checking) -> None:
    """Notes what is wrong with the rulings of variant.toml, which need not be there."""
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


def written_rulings(rulings: Iterable[Ruling]) -> Iterator[str]:
    """Lines of variant.toml that are read as these."""
    for ruling in rulings:
        yield f"\n[[rulings]]\nnumber = {ruling.number}"
        yield f"says = {toml_text(ruling.says)}\nbecause = {toml_text(ruling.because)}"
        if ruling.cases:
            yield f"cases = {toml_text(ruling.cases)}"
        if not ruling.mailed:
            yield "mailed = false"
