"""Mistakes in a variant's files, each with its line, and how the lines are found."""

import re
from dataclasses import dataclass
from typing import Any

from judge.rules.board.names import places

# A table of a TOML file, as tomllib reads it.
Table = dict[str, Any]


@dataclass(frozen=True, order=True)
class Mistake:
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class Lines:
    """Where each table and key stands in a file, and the mistakes found there. If several tables have one name, like
    `[[draws]]`, the second is called "draws.2".
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
        line = self.where.get((table, key)) or self.where.get((table, key.partition(".")[0]))
        self.found.append(Mistake(self.file, line or self.where.get((table, ""), 1), text))


def pair_of(border: str) -> tuple[str, str]:
    """("MID", "EGY") of "MID-EGY"."""
    one, _, other = border.partition("-")
    return one, other


def words_of(text: object) -> list[str]:
    """The names in a text; none if the value is not a text."""
    return list(places(text)) if isinstance(text, str) else []
