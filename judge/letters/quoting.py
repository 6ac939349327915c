"""The kind of each line of a letter: written to us, quoted, history (an older mail below the new one) or signature.

`> ` lines are quotes wherever they are. A line such as "On Monday … wrote:" opens the history when unquoted text
follows it; when quoted lines follow, only the heading itself is history, so that orders written below a quote are read
too.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal

from judge.letters.quote_headings import LONGEST, above_block, heading, opens_block
from judge.letters.text import fold
from judge.letters.vendor_lines import is_link, is_vendor_line

Kind = Literal["text", "quote", "signature", "history"]

# A program that strips blanks at line ends turns "-- " into "--". People also write "--" as a rule, so it counts only
# if few lines follow.
LONGEST_STRIPPED_SIGNATURE = 8
# How far below a heading the quote may begin.
_NEXT = 10
# Quote marks that count only below a heading: the initials of The Bat! ("J> "), S-nail's bar.
_OTHER_MARK = re.compile(r"\s{0,2}(\w{1,3}>|\|)")
# A quick first test, which nearly every line of orders and press passes.
_CUE = re.compile(r"\s*(?:[-_*=]{2}|\*{0,2}[^\W\d_][^:\n]{0,20}:|\[?Original )|.*:\s*$")
_ARMOUR = "-----BEGIN PGP SIGNATURE-----"
_ARMOUR_ENDS = "-----END PGP SIGNATURE-----"


def kinds(lines: Sequence[str]) -> list[Kind]:
    """The kind of each line, in order."""
    # Lines in the form in which they are matched; longer lines are not headings. An ASCII line keeps the blank at the
    # end of "-- ".
    shown = [line if line.isascii() else fold(line[: LONGEST + 1]) for line in lines]
    result: list[Kind] = ["text"] * len(lines)
    marks: set[str] = set()
    cues = [number for number, line in enumerate(shown) if _note_simple_cue(line, number, result) and _CUE.match(line)]
    for number in cues:
        if result[number] == "text":
            mark = _quote_mark(shown, number)
            begin = heading(shown, number, mark is not None)
            if begin is not None:
                closes = len(lines) if mark is None else number + 1
                result[begin:closes] = ["history"] * (closes - begin)
                marks |= {mark} if mark else set()
            elif opens_block(shown, number):
                begin = above_block(shown, number)
                result[begin:] = ["history"] * (len(lines) - begin)
                break
    _mark_quotes(shown, marks - {">"}, result)
    _mark_links(shown, result)
    _mark_armour(shown, result)
    _mark_signature(shown, result)
    return result


def _note_simple_cue(line: str, number: int, result: list[Kind]) -> bool:
    """Mark the line if its kind is clear from the line alone; True if its neighbours must be looked at."""
    if line.lstrip()[:1] == ">":
        result[number] = "quote"
        return False
    if is_vendor_line(line):
        result[number] = "signature"
        return False
    return len(line) <= LONGEST


def _quote_mark(lines: Sequence[str], number: int) -> str | None:
    """The mark of the quoted line that follows line `number`; None if no quoted line follows."""
    following = next((line for line in lines[number + 1 : number + _NEXT] if line.strip()), "")
    if following.lstrip()[:1] == ">":
        return ">"
    other = _OTHER_MARK.match(following)
    return other[1] if other else None


def _mark_quotes(lines: Sequence[str], marks: set[str], result: list[Kind]) -> None:
    """Mark as quotes the lines that begin with the quote marks found below headings."""
    for number, line in enumerate(lines) if marks else ():
        found = _OTHER_MARK.match(line)
        if found and found[1] in marks and result[number] == "text":
            result[number] = "quote"


def _mark_links(lines: Sequence[str], result: list[Kind]) -> None:
    """A vendor's text also includes the next line if that is a web address."""
    for number in range(1, len(lines)):
        if result[number - 1] == "signature" and result[number] == "text" and is_link(lines[number]):
            result[number] = "signature"


def _mark_armour(lines: Sequence[str], result: list[Kind]) -> None:
    """A signature of OpenPGP inside the text."""
    inside = False
    for number, line in enumerate(lines):
        inside = inside or line.startswith(_ARMOUR)
        if inside and result[number] == "text":
            result[number] = "signature"
        inside = inside and not line.startswith(_ARMOUR_ENDS)


def _mark_signature(lines: Sequence[str], result: list[Kind]) -> None:
    """From the first "-- " on, the rest of the text is signature (RFC 3676 §4.3)."""
    for number, line in enumerate(lines):
        if line[:2] == "--" and line.rstrip() == "--" and result[number] == "text":
            below = (n for n in range(number + 1, len(lines)) if result[n] == "text" and lines[n].strip())
            if line == "-- " or len(list(islice(below, LONGEST_STRIPPED_SIGNATURE + 1))) <= LONGEST_STRIPPED_SIGNATURE:
                result[number:] = ["signature" if kind == "text" else kind for kind in result[number:]]
                return
