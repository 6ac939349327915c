"""A letter whose bytes are parsed once: its fingerprint, its text and its masked bytes all come from the same parse."""

from dataclasses import dataclass, field
from functools import cached_property

from judge.letters.letter import fingerprint
from judge.letters.mime import Part, parse
from judge.letters.password_masking import mask_passwords


@dataclass(frozen=True)
class Opened:
    """The bytes of a letter, and the tree of its parts."""

    raw: bytes = field(repr=False)
    root: Part

    @cached_property
    def fingerprint(self) -> str:
        """The same value for every copy of the letter."""
        return fingerprint(self.root)

    @cached_property
    def masked(self) -> bytes:
        """The bytes with **** in place of every password."""
        return mask_passwords(self.raw, self.root)


def open_letter(raw: bytes) -> Opened:
    """Parse a letter; never raises."""
    return Opened(raw, parse(raw))
