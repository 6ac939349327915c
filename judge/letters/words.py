"""The words with which people greet, agree, refuse and answer, in many languages: words.toml has them, a row each.

How machines write is in machine_mail.toml. What is not of one room is asked of this module: is a word one of a
greeting, and which beginning of a subject did a mail program write?
"""

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any


def tables(file: str) -> dict[str, Any]:
    """Return the tables of phrases in this file, which is next to this module."""
    return tomllib.loads(files(__package__).joinpath(file).read_text(encoding="utf-8"))


def any_of(rows: Iterable[str]) -> str:
    """Return the pattern of what any of the rows matches."""
    return f"(?:{'|'.join(rows)})"


WORDS: dict[str, list[str]] = tables("words.toml")
GREETINGS = frozenset(WORDS["greetings"])
# With the words that follow such a word.
WORDS_OF_GREETINGS = GREETINGS.union(WORDS["with_greetings"])
# Whole pieces of a letter, as `str.casefold` writes them.
YES, COURTESIES = (frozenset(map(str.casefold, WORDS[name])) for name in ("yes", "courtesies"))
PREFIXES = frozenset(WORDS["prefixes"])
# One of these before a subject: "Re: ", "Aw:", "RE :", "Re[2]:".
PREFIX = rf"{any_of(WORDS['prefixes'])}(?:\[\d{{1,3}}\])?\s?[:：]"
