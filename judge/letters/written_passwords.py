"""How people write a password: in the dress that they put around it, or still as the placeholder of a form.

What opens a seat and what is masked ask here alone, so no word is a password for the one and not for the other.
"""

import re

# Of bold, italics and code. Quotes are marks too: some phones set them around what is copied.
MARKS = "*_`\""
# What people put around a password, such as the brackets of our forms; their typographic forms are folded before.
AROUND = MARKS + "'<>()[]{},;:.|~="
# The placeholders of forms and of HELP, <your password> and <new>, as a part of patterns; a line may end within one.
_BEFORE = "(?:your|my|the|a|own|new|old|secret)"
_WORDS = rf"<\s?(?:{_BEFORE}\s)*(?:{_BEFORE}$|(?:password|new)(?:\shere)?\s?(?:>|$))"
PLACEHOLDER = rf"(?:[*_`\"'(\[]{{0,4}}{_WORDS}|(?:\.{{2,}}|\*{{4}})(?!\S))"
_PLACEHOLDER = re.compile(PLACEHOLDER, re.IGNORECASE)
_CORE = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)


def spellings(written: str) -> tuple[str, ...]:
    """Return the passwords that a written word may be: as it was written, then without its dress."""
    core = _CORE.search(written)
    found = (written, bare(written), core[0] if core else written)
    return tuple(dict.fromkeys(found))


def bare(written: str) -> str:
    """Return the word without its dress; a word that is nothing else stays as it is."""
    return written.strip(AROUND) or written


def is_left_open(text: str) -> bool:
    """Return whether the text begins with the placeholder of a form: no password was put in its place."""
    return _PLACEHOLDER.match(text) is not None
