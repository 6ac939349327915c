"""Incoming emails ("letters"): fetch them from a mailbox or a mail server, and read their bytes into lines and facts.

Reading a letter needs only the standard library and idna. Only code that uses IMAP imports `judge.letters.mailbox`.
"""

from judge.letters.letter import Letter, fingerprint, kept_letter, read_letter
from judge.letters.parsed import Part, parse_letter
from judge.letters.quotes import Line
from judge.letters.signon_lines import signon_words
