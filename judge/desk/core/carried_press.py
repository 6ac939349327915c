"""Which of the lines below PRESS are carried to the readers: those that the sender wrote, and nothing that a mail
program has put below them.

A mail program repeats the mail that is answered, and that may be the confirmation of a player's orders. So quoted
lines, and everything from a heading on, are carried only if ENDPRESS stands below them, which no mail program writes.
The judge's own mails are never carried, since most of them are for one reader only.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.letters import Line

# How quoted lines begin: "> ", "| ", "» ", "FR> ".
_QUOTED = re.compile(r"\s{0,20}(?:[>|»›]|\w{1,3}>)")
# A line that only the judge writes: its headings, its forms, its words about orders on file and passwords.
OF_JUDGE = re.compile(
    r"::\s{0,9}(?:Judge|Deadline)\s{0,9}:"
    r"|SIGN ?ON \S{1,60} <your"
    r"|\bTo (?:order|change your orders), write to \S"
    r"|\b(?:will HOLD|will be disbanded)\)"
    r"|:\s{1,9}(?:Army|Fleet) [^.:]{1,60}, no order\b"
    r"|\bYour password is \S{1,60}: keep this mail"
    r"|\b(?:Movement|Retreat|Adjustment) orders for \S{1,20} (?:of|in) \d{4}"
    r"|\bDP: \d{1,4} of \d{1,4} used"
    r"|\bTime to the deadline: \d"
    r"|\bOrders complete\.\s{0,9}$|\b\d{1,3} units? without orders: ",
    re.IGNORECASE,
)
# How it tells of an order: "France: Army Paris -> Burgundy."
_ORDER = re.compile(r"\s{0,9}[^\s:][^:]{0,40}:\s{1,30}(?:Army|Fleet)\b")
# "-----Original Message-----", in any language.
_TITLED_RULE = re.compile(r"\s{0,20}[-_]{4,20}\s{0,9}[^\s_-][^_-]{0,60}[-_]{4,20}\s{0,9}")
_RULE = re.compile(r"\s{0,20}[-_=*]{5,200}\s{0,9}")
_FIELD = re.compile(r"\s{0,20}\*{0,2}[^\W\d_][^:：]{0,30}[:：]\*{0,2}\s{0,9}\S")
_ADDRESS = re.compile(r"\S@\S")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_TIME = re.compile(r"\d[:.：]\d\d")
_COLON = (":", "：")
# At most so many lines for a wrapped heading; also the lines of the block of fields that Outlook writes.
_LONGEST_HEADING = 3
_FIELDS = 3
# A mail program may have wrapped a quoted line of this length and put its rest on the next line.
_FULL_LINE = 60


@dataclass(frozen=True)
class Carried:
    """The lines that are carried, and how many were left out."""

    lines: tuple[str, ...]
    left_out: int


def carried(lines: Sequence[Line], *, ended: bool) -> Carried:
    """The part of `lines`, the lines below PRESS, that is carried; `ended`: ENDPRESS followed them."""
    texts = [line.text for line in lines]
    quoted = quoted_lines(lines)
    own = {number for number, text in enumerate(texts) if OF_JUDGE.search(text)}
    end = len(lines) if ended else _heading(texts, quoted)
    plain = [number for number in own if not quoted[number] and number < end]
    if plain:
        end = _first_of_judge(texts, min(plain))
    # If the sender comments a confirmation line by line, it becomes several quotes, and not all of them have its marks.
    judged = any(quoted[number] for number in own)
    kept = [number for number in range(end) if not (quoted[number] and (judged or not ended))]
    if judged:
        kept = [number for number in kept if not (is_rest(texts, quoted, number) or _is_torn(texts, quoted, number))]
    said = sum(bool(text.strip()) for text in texts)
    return Carried(
        tuple(lines[number].verbatim.rstrip() for number in kept),
        said - sum(bool(texts[number].strip()) for number in kept),
    )


def quoted_lines(lines: Sequence[Line]) -> list[bool]:
    """Which lines are quoted; a wrapped line between two quoted ones counts too."""
    quoted = [line.kind == "quote" or bool(_QUOTED.match(line.text)) for line in lines]
    between = [
        bool(lines[number].text.strip()) and quoted[number - 1] and quoted[number + 1]
        and len(lines[number - 1].text) >= _FULL_LINE
        for number in range(1, len(lines) - 1)
    ]
    return [is_quoted or inside for is_quoted, inside in zip(quoted, [False, *between, False], strict=False)]


def is_rest(texts: Sequence[str], quoted: Sequence[bool], number: int) -> bool:
    """Whether the line is the wrapped end of the quoted one above it."""
    return number > 0 and quoted[number - 1] and len(texts[number - 1]) >= _FULL_LINE


def _is_torn(texts: Sequence[str], quoted: Sequence[bool], number: int) -> bool:
    """Whether the line tells of an order as the judge does, right beside its quoted lines: its quote mark was lost."""
    beside = quoted[max(0, number - 1) : number + 2]
    return any(beside) and _ORDER.match(texts[number]) is not None


def _heading(texts: Sequence[str], quoted: Sequence[bool]) -> int:
    """The number of the first line of the heading above an older mail; if there is none, the number of lines."""
    for number in range(len(texts)):
        if quoted[number] and not (number and quoted[number - 1]):
            begin = _attribution(texts, number)
            if begin is not None:
                return begin
        elif opens_older_mail(texts, number):
            above = _last_said(texts, number)
            return above if above is not None and _RULE.fullmatch(texts[above]) else number
    return len(texts)


def opens_older_mail(texts: Sequence[str], number: int) -> bool:
    """Whether an older mail that has no quote marks begins in this line."""
    return bool(_TITLED_RULE.fullmatch(texts[number])) or _is_block_of_fields(texts[number : number + _FIELDS])


def _attribution(texts: Sequence[str], quote: int) -> int | None:
    """The line where the "… wrote:" above the quote begins, in any language; None if nothing there ends with a
    colon.
    """
    last = _last_said(texts, quote)
    if last is None or not texts[last].rstrip().endswith(_COLON):
        return None
    for first in range(last, max(-1, last - _LONGEST_HEADING), -1):
        if not texts[first].strip():
            break
        if _ADDRESS.search(texts[first]) or any(map(str.isdigit, texts[first])):
            return first
    return last


def _is_block_of_fields(texts: Sequence[str]) -> bool:
    """Outlook's From:, Sent:, To:, in any language: lines of "word: value", with an address or a time among them."""
    told = " ".join(texts)
    telling = _ADDRESS.search(told) or _YEAR.search(told) and _TIME.search(told)
    return len(texts) == _FIELDS and bool(telling) and all(_FIELD.match(text) for text in texts)


def _first_of_judge(texts: Sequence[str], mark: int) -> int:
    """The first line of the judge's mail that has its first mark in line `mark`: its verdict, or a heading above
    that.
    """
    first = _paragraph(texts, mark)
    verdict = _last_said(texts, first) if "::" in texts[mark] else None
    if verdict is not None:
        first = _paragraph(texts, verdict)
    above = _last_said(texts, first)
    if above is not None and all(map(_ORDER.match, texts[_paragraph(texts, above) : above + 1])):
        first = _paragraph(texts, above)
    heading = _attribution(texts, first)
    return first if heading is None else heading


def _paragraph(texts: Sequence[str], number: int) -> int:
    """The first line of the paragraph in which line `number` stands."""
    while number > 0 and texts[number - 1].strip():
        number -= 1
    return number


def _last_said(texts: Sequence[str], number: int) -> int | None:
    """The last line above `number` that is not blank."""
    return next((above for above in range(number - 1, -1, -1) if texts[above].strip()), None)
