"""The words with which people greet, agree, refuse and answer, in many languages, from words.toml.

The phrases of machines are in machine_mail.toml. Code in several packages asks this module for words of greetings, and
for prefixes of subjects like "Re:".
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from importlib.resources import files
from typing import Any


def tables(file: str) -> dict[str, Any]:
    """Return the tables of phrases in a TOML file next to this module."""
    return tomllib.loads(files(__package__).joinpath(file).read_text(encoding="utf-8"))


def any_of(rows: Iterable[str]) -> str:
    """Return a regular expression that matches any of the rows."""
    return f"(?:{'|'.join(rows)})"


WORDS: dict[str, list[str]] = tables("words.toml")
GREETINGS = frozenset(WORDS["greetings"])
# Words of greetings: "hi" and the like, and words that follow them.
WORDS_OF_GREETINGS = GREETINGS.union(WORDS["with_greetings"])
# Texts that as a whole mean "yes", or only greet or thank, in the form of `str.casefold`.
YES, COURTESIES = (frozenset(map(str.casefold, WORDS[name])) for name in ("yes", "courtesies"))
_PLEAS = frozenset(WORDS["pleas"])
_WORD = re.compile(r"[^\W_]+")
_ASKING = re.compile(rf"{any_of(WORDS['asking'])}[ ,:]+", re.IGNORECASE)
PREFIXES = frozenset([*WORDS["answering"], *WORDS["forwarding"]])
# The characters that may follow the prefix in a subject: "Re: ", "RE :", "Re[2]:", "Re^3:".
_MARK = r"(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s?[:：]\s*"
PREFIX = f"{any_of(PREFIXES)}{_MARK}"
_PREFIXES = re.compile(rf"\s*(?:{PREFIX})+", re.IGNORECASE)
_FORWARDING = re.compile(rf"\s*{any_of(WORDS['forwarding'])}{_MARK}", re.IGNORECASE)


def without_prefixes(subject: str) -> str:
    """Return a subject without the prefixes that mail programs add when they answer or forward."""
    found = _PREFIXES.match(subject)
    return subject[found.end() :] if found else subject


def is_forwarded(subject: str) -> bool:
    """Return whether a mail program has marked the subject as that of a forwarded letter."""
    return _FORWARDING.match(subject) is not None


def asked_for(line: str) -> str:
    """Return the command that "Please set wait." or "Status?" asks for, without politeness, or "" for other lines."""
    begins = _ASKING.match(line)
    if begins:
        return line[begins.end() :].rstrip(" .!?")
    is_short = line.count(" ") <= 1
    return line.rstrip(" ?") if is_short and line.endswith("?") else ""


def without_courtesy(words: Sequence[str], names: Collection[str]) -> Sequence[str]:
    """Return the words of a piece of a letter, without its writer's `names`.

    Return none if the piece only greets or thanks.
    """
    said = [word for word in words if word not in names]
    return () if " ".join(said) in COURTESIES else said


def is_plea(text: str) -> bool:
    """Return whether the text, perhaps a subject with "Re:", says "Help me!" or the like, and nothing else."""
    return " ".join(_WORD.findall(without_prefixes(text[:100]).casefold())) in _PLEAS
