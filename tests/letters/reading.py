"""What a letter's bytes say, for tests that have bytes in hand."""

from collections.abc import Collection
from typing import Any

from judge.desk.command_table import COMMANDS, SLIPS
from judge.desk.core.command import Call
from judge.desk.core.reading import Reader
from judge.desk.core.redaction import Redaction, redaction_of
from judge.letters import Letter, kept_letter, open_letter
from judge.letters import read_letter as read

READER = Reader([*COMMANDS, *SLIPS])
GAMES = {"heron", "egret", "swan"}


def read_letter(raw: bytes, **how: Any) -> Letter:
    """The letter as it is read; `how`: as judge.letters.read_letter has it."""
    return read(open_letter(raw).root, **how)


def fingerprint(raw: bytes) -> str:
    return open_letter(raw).fingerprint


def redaction(raw: bytes) -> Redaction:
    """What takes the passwords of a letter out of texts, at a judge with GAMES."""
    letter = read_letter(raw)
    calls = [item for block in READER.blocks(letter.lines) for item in (block.opening, *block.items)]
    return redaction_of(letter, [call for call in calls if isinstance(call, Call)], _existing)


def as_kept(raw: bytes) -> bytes:
    """What the judge keeps of a letter that was answered."""
    return kept_letter(open_letter(raw).root, read_letter(raw), redaction(raw))


def kept_text(raw: bytes) -> str:
    """The text of that."""
    return as_kept(raw).decode().partition("\n\n")[2]


def _existing(names: Collection[str]) -> set[str]:
    return GAMES.intersection(names)
