"""A letter whose bytes are parsed once: its fingerprint and its text come from the same parse."""

from dataclasses import dataclass, field
from functools import cached_property

from judge.letters.letter import fingerprint
from judge.letters.mime import Part, parse


@dataclass(frozen=True)
class Opened:
    """The bytes of a letter, and the tree of its parts."""

    raw: bytes = field(repr=False)
    root: Part

    @cached_property
    def fingerprint(self) -> str:
        """The same value for every copy of the letter."""
        return fingerprint(self.root)


def open_letter(raw: bytes) -> Opened:
    """Parse a letter; never raises."""
    return Opened(raw, parse(raw))
