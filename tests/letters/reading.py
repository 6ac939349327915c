"""What a letter's bytes say, for tests that have bytes in hand."""

from typing import Any

from judge.letters import Letter, open_letter
from judge.letters import read_letter as read


def read_letter(raw: bytes, **how: Any) -> Letter:
    """The letter as it is read; `how`: as judge.letters.read_letter has it."""
    return read(open_letter(raw).root, **how)


def fingerprint(raw: bytes) -> str:
    return open_letter(raw).fingerprint


def mask_passwords(raw: bytes) -> bytes:
    return open_letter(raw).masked
