"""How people write a password: in the dress that they put around it, or still as the placeholder of a form.

What opens a seat and what is masked ask here alone, so no word is a password for the one and not for the other.
"""

import re
from html import unescape

# Of bold, italics and code. Quotes are marks too: some phones set them around what is copied.
MARKS = '*_`"'
# What people put around a password, such as the brackets of our forms; their typographic forms are folded before.
AROUND = MARKS + "'<>()[]{},;:.|~="
# The placeholders of forms and of HELP, <your password> and <new>, as a part of patterns; a line may end within one.
_BEFORE = "(?:your|my|the|a|own|new|old|secret)"
_WORDS = rf"<\s?(?:{_BEFORE}\s)*(?:{_BEFORE}$|(?:password|new)(?:\shere|\sof\syour\s(?:own|choice))?\s?(?:>|$))"
PLACEHOLDER = rf"(?:[*_`\"'(\[]{{0,4}}{_WORDS}|(?:\.{{2,}}|\*{{4}})(?!\S))"
_PLACEHOLDER = re.compile(PLACEHOLDER, re.IGNORECASE)
# HTML that a program left in plain text, and what people write before a password without a blank: pw=hush.
_TAG = re.compile(r"<[a-z]\w{0,9}>([^<>]{1,99})</[a-z]\w{0,9}>", re.IGNORECASE)
_LABEL = re.compile(r"[a-z]{1,12}[=:]++(?=.)", re.IGNORECASE)
# Behind a blank a comment begins; some write it right behind.
_COMMENT = re.compile(r"(?<=\w)//.*")


def spellings(written: str) -> tuple[str, ...]:
    """Return the passwords that a written word may be: as it was written, then without its dress."""
    letters = [at for at, sign in enumerate(written) if sign.isalnum()]
    core = written[letters[0] : letters[-1] + 1] if letters else written
    plain = bare(_COMMENT.sub("", _TAG.sub(r"\1", unescape(written))))
    found = (written, bare(written), core, plain, bare(_LABEL.sub("", plain, count=1)))
    return tuple(dict.fromkeys(found))


def bare(written: str) -> str:
    """Return the word without its dress; a word that is nothing else stays as it is."""
    return written.strip(AROUND) or written


def is_left_open(text: str) -> bool:
    """Return whether the text begins with the placeholder of a form: no password was put in its place."""
    return _PLACEHOLDER.match(text) is not None
