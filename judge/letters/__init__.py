"""Letters: their bytes become lines and facts; and the mailbox or the mail server that they come from.

Reading a letter needs only the standard library; `judge.letters.mailbox` is imported where IMAP is needed.
"""

from judge.letters.letter import Letter, fingerprint, kept_letter, read_letter
from judge.letters.parsed import Part, parse_letter
from judge.letters.quotes import Line
from judge.letters.signon_lines import signon_words

__all__ = [
    "Letter", "Line", "Part", "fingerprint", "kept_letter", "parse_letter", "read_letter",
    "signon_words",
]  # fmt: skip
