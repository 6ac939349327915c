"""Bytes → Letter: MIME, charsets, HTML, quoted text, trust; and the mailbox that the bytes come from.

`judge.letters.mailbox` is imported only where IMAP is needed; reading a letter needs nothing but the standard library.
"""

from judge.letters.body import attached_texts
from judge.letters.kept import kept_letter
from judge.letters.letter import Letter, read_letter
from judge.letters.opened import Opened, open_letter
from judge.letters.quotes import Line
from judge.letters.signon_lines import signon_words

__all__ = ["Letter", "Line", "Opened", "attached_texts", "kept_letter", "open_letter", "read_letter", "signon_words"]
