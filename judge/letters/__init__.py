"""Bytes → Letter: MIME, charsets, HTML, quoted text, trust; and the mailbox that the bytes come from.

`judge.letters.mailbox` is imported only where IMAP is needed; reading a letter needs nothing but the standard library.
"""

from judge.letters.body import attached_texts
from judge.letters.letter import Letter, read_letter
from judge.letters.opened import Opened, open_letter
from judge.letters.password_lines import mask_plain as without_passwords
from judge.letters.password_lines import without_those_of
from judge.letters.quotes import Line

__all__ = [
    "Letter", "Line", "Opened", "attached_texts", "open_letter", "read_letter", "without_passwords", "without_those_of"
]  # fmt: skip
