"""Bytes → Letter: MIME, charsets, HTML, quoted text, trust; and the mailbox that the bytes come from.

`judge.letters.mailbox` is imported only where IMAP is needed; reading a letter needs nothing but the standard library.
"""

from judge.letters.body import attached_texts
from judge.letters.letter import Letter, fingerprint, kept_letter, read_letter
from judge.letters.parsed import Part, parse_letter
from judge.letters.quotes import Line
from judge.letters.signon_lines import signon_words

__all__ = [
    "Letter", "Line", "Part", "attached_texts", "fingerprint", "kept_letter", "parse_letter", "read_letter",
    "signon_words",
]  # fmt: skip
