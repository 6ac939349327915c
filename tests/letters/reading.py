"""What a letter's bytes say, for tests that have bytes in hand."""

from typing import Any

from judge import letters
from judge.commands.command_table import READER
from judge.commands.core.blocks import calls_in, read_blocks
from judge.commands.core.redaction import Redaction, redaction_of
from judge.letters import Letter, Line, kept_letter, parse_letter

GAMES = {"heron", "egret", "swan"}


def read_letter(raw: bytes, **how: Any) -> Letter:
    """The letter as it is read; `how`: as judge.letters.read_letter has it."""
    return letters.read_letter(parse_letter(raw), **how)


def fingerprint(raw: bytes) -> str:
    return letters.fingerprint(parse_letter(raw))


def redaction(raw: bytes) -> Redaction:
    """What takes the passwords of a letter out of texts, at a judge with GAMES."""
    return _redaction(read_letter(raw))


def _redaction(letter: Letter) -> Redaction:
    games = frozenset(GAMES.intersection(READER.names_in([Line(letter.subject), *letter.lines])))
    return redaction_of(letter, calls_in(read_blocks(READER, letter.lines, games)), games)


def as_kept(raw: bytes) -> bytes:
    """What the judge keeps of a letter that was answered."""
    root = parse_letter(raw)
    letter = letters.read_letter(root)
    return kept_letter(root, letter, _redaction(letter))


def kept_text(raw: bytes) -> str:
    """The text of that."""
    return as_kept(raw).decode().partition("\n\n")[2]
