"""What people and their mail programs put around an order: bullets, marks of bold and code, comments, courtesies.

A line is read as it was written first, and without its trimmings only if it is no order so. Therefore they never change
what a line means that is an order already. Lines are those of a letter with single blanks.
"""

import re
from collections.abc import Callable

from judge.rules.board.names import fold
from judge.rules.parsing.vocabulary import CONDITIONAL, COURTESIES, OPENINGS, THANKS

_SIGNS = "*•·▪▫◦○●◉■□◆◇‣➢➣►▶▷✓✔☑★☆§–—"
# A sign, hyphens, "1." "1.)" "1:" "1 -", "(3)", "a)", "[x]", Outlook's "o".
_BULLETS = re.compile(
    rf"\s*(?:(?:[{_SIGNS}]|-{{1,3}}>?|o(?=\s)|\d{{1,2}}\s?(?:[.:)]{{1,2}}|-(?=\s))"
    r"|\(\d{1,2}\)|\(?[A-Za-z]\)|\[[xX]\])\s*){1,4}"
)
# A box that is not ticked, or crossed out: what stands behind it was not chosen.
_NOT_CHOSEN = re.compile(r"\s*(?:\[\s?\]|[☐☒✗✘❌❎🗷])\s*")
_MARKS = re.compile(r"[*`\"]+|_+")
_COMMENT = re.compile(r"(?:^|\s)(?://|#(?!\d)).*", re.DOTALL)
# In brackets, behind an order.
_REMARK = re.compile(r"(?<=\w) ?\(([^()]*)\)(?= ?(?:[.!] ?)?(?:[,;]|$))")


def unmarked(line: str) -> str:
    """The line without bullets, marks of bold, italics (`/A PAR H/`) and code, and comments."""
    return without_bullets(_MARKS.sub(_kept, without_bullets(_COMMENT.sub("", line)))).strip(" /")


def _kept(marks: re.Match[str]) -> str:
    """What stays of marks: an underscore inside a word is part of it."""
    text, start, end = marks.string, marks.start(), marks.end()
    inside = start > 0 and end < len(text) and text[start - 1].isalnum() and text[end].isalnum()
    return marks[0] if inside and marks[0][0] == "_" else ""


def without_bullets(line: str) -> str:
    """The line without its bullets: `- A PAR H`, `1.) A PAR H`, `[x] A PAR H`."""
    bullets = _BULLETS.match(line)
    return line[bullets.end() :] if bullets else line


def behind_open_box(line: str) -> str:
    """What stands behind a box that is not ticked, "" if there is none: "[ ] A PAR H", "☐ A PAR H"."""
    box = _NOT_CHOSEN.match(line)
    return line[box.end() :] if box else ""


def without_courtesies(line: str) -> str:
    """The line without words like "please" and "and" at its beginning, and thanks at its end."""
    words = line.split()
    first, last = 0, len(words)
    while first < last and _word(words[first]) in COURTESIES | OPENINGS:
        first += 1
    while first < last and _word(words[last - 1]) in COURTESIES | THANKS:
        last -= 1
    return " ".join(words[first:last]).rstrip(" ,") if last - first < len(words) else line


def without_remarks(line: str, may_order: Callable[[str], bool]) -> str:
    """The line without the remarks in brackets behind its orders. `may_order`: whether a text could be part of an
    order, so that it is no remark.

    A condition is none either, since an order with a condition must not be read as one without it.
    """
    return _REMARK.sub(lambda found: "" if _is_remark(found[1]) and not may_order(found[1]) else found[0], line)


def remarks(line: str, without: str) -> str:
    """What `without_remarks` has left out of the line, as it was written: "(as agreed), (sorry)"."""
    return ", ".join(f"({found[1]})" for found in _REMARK.finditer(line) if f"({found[1]})" not in without)


def _is_remark(text: str) -> bool:
    """Whether nothing in the text says that the order is not to be carried out, or not now, or not surely."""
    words = [word.strip(",;:!?'\"*") for word in fold(text.replace("/", " ").replace("-", " ")).split()]
    return bool(words) and text.strip()[0].isalpha() and "?" not in text and CONDITIONAL.isdisjoint(words)


def _word(text: str) -> str:
    return fold(text.strip(",.:;!"))
