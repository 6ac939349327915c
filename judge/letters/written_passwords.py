"""A password as people write it: in decoration such as quotes or brackets, or still as a form's placeholder.

The code that checks passwords and the code that masks passwords both use this module. So both agree on which word is
the password.
"""

import re
from html import unescape

# The characters around bold, italics and code. Quotes are also included, since some phones put them around copied text.
MARKS = '*_`"'
# Characters that people put around a password, such as the brackets of our forms. Typographic variants are normalized
# first.
AROUND = MARKS + "'<>()[]{},;:.|~="
# A pattern for the placeholders of forms and HELP, <your password> and <new>. A line may end within a placeholder.
_BEFORE = "(?:your|my|the|a|own|new|old|secret)"
_WORDS = rf"<\s?(?:{_BEFORE}\s)*(?:{_BEFORE}$|(?:password|new)(?:\shere|\sof\syour\s(?:own|choice))?\s?(?:>|$))"
PLACEHOLDER = rf"(?:[*_`\"'(\[]{{0,4}}{_WORDS}|(?:\.{{2,}}|\*{{4}})(?!\S))"
_PLACEHOLDER = re.compile(PLACEHOLDER, re.IGNORECASE)
# HTML that a program left in plain text, and words that people write before a password without a blank: pw=hush.
_TAG = re.compile(r"<[a-z]\w{0,9}>([^<>]{1,99})</[a-z]\w{0,9}>", re.IGNORECASE)
_LABEL = re.compile(r"[a-z]{1,12}[=:]++(?=.)", re.IGNORECASE)
# A comment right after the password, without the blank that should be before it.
_COMMENT = re.compile(r"(?<=\w)//.*")


def spellings(written: str) -> tuple[str, ...]:
    """Return the passwords that a written word may be: as it was written, then without its decoration."""
    letters = [at for at, sign in enumerate(written) if sign.isalnum()]
    core = written[letters[0] : letters[-1] + 1] if letters else written
    plain = bare(_COMMENT.sub("", _TAG.sub(r"\1", unescape(written))))
    found = (written, bare(written), core, plain, bare(_LABEL.sub("", plain, count=1)))
    return tuple(dict.fromkeys(found))


def bare(written: str) -> str:
    """Return the word without its decoration. A word that is only decoration is returned unchanged."""
    return written.strip(AROUND) or written


def is_left_open(text: str) -> bool:
    """Return whether the text begins with a form's placeholder, so that no password was filled in."""
    return _PLACEHOLDER.match(text) is not None
