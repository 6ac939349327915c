"""The pages of mails: what they have beside their texts, and the texts that have no template of a page, as HTML.

A page says what its text says; what a template has of its own are colours, times to go, marks as signs, links that
write a letter. Other texts are 78 columns wide and laid out with blanks. On a phone lines must flow, and columns be a
table whose labels a screen reader announces: so paragraphs, lists and tables are made of them. Every word of the text
is there, in its order; nothing that a text says is HTML.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from urllib.parse import quote

from markupsafe import Markup, escape

from judge.rules import Variant
from judge.rules.board.names import counted

# The colour of neutrals, and of whatever has none.
_GREY = "#8c8c8c"
_TITLE = Markup('<h2 style="font-size:17px;margin:20px 0 6px">{}</h2>\n')
# The characters of the verdict above the reader's orders.
_HEADLINES = 320
# The longest link that mail programs take: some of those that start them cut what is longer than 2,048 characters.
LONGEST_LINK = 1900

COLUMNS = 78
# What is longer is a paragraph, not a heading.
_HEADING = 48
# A longer line is not the heading of a page as a whole.
_VERDICT = 160
# Not behind "St."
_SENTENCE_END = re.compile(r"(?<=\w{3}[.?!]) ")
# Lines that are this long, and end within a sentence, go on in the next one.
_NEARLY_FULL = 50
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_MARKS = re.compile(r"  \(\*([^*]+)\*\)$")
_LABEL = re.compile(r"\s*\S+(?: \S+)*?  +(?=\S)")
_BELOW = re.compile(r" {2,4}\S")
_CELLS = re.compile(r"(?<=\S)  +(?=\S)")
_NUMBER = re.compile(r"[\d.,]+")
_FAILED = Markup(' <b class="f" style="color:#a3140a;white-space:nowrap">\N{BALLOT X} {}</b>')
_SMALL = Markup('<p class="g" style="color:#5a5f68;font-size:12px;margin:14px 0 4px;white-space:pre-line">{}</p>\n')
_CHART = Markup('<div style="overflow-x:auto"><pre style="font:13px/1.4 monospace;margin:4px 0 10px">{}</pre></div>\n')
_CODE = Markup('<pre style="white-space:pre-wrap;font:14px/1.4 monospace;margin:4px 0 10px 16px">{}</pre>\n')
_HEAD = Markup('<h2 style="font-size:16px;margin:14px 0 4px">{}</h2>\n')
_PARAGRAPH = Markup('<p style="margin:8px 0;white-space:pre-wrap">{}</p>\n')
_LIST = Markup('<ul style="margin:8px 0;padding-left:22px">\n{}</ul>\n')
_POINT = Markup("<li>{}</li>\n")
_TABLE = Markup(
    '<table cellpadding="4" cellspacing="0" border="0" style="border-collapse:collapse;font-size:inherit;'
    'margin:0 0 10px">\n{}</table>\n'
)
_ROW = Markup('<tr><th scope="row" align="left" valign="top" style="{}">{}</th><td valign="top">{}</td></tr>\n')
# A label is broken between its words alone, a short one (`* BUD`) not at all.
_NAME, _SHORT_NAME = "word-break:normal;overflow-wrap:normal", "white-space:nowrap"
_SHORT = 14
_WRITTEN = f"{_NAME};font:14px/1.6 monospace"
_COUNTS = Markup('<tr><th scope="row" align="left">{}</th>{}</tr>\n')
_YEARS = Markup('<th scope="col" align="right">{}</th>')
_COUNT = Markup('<td align="right">{}</td>')


@dataclass(frozen=True)
class Form:
    """An email that its reader has only to complete.

    `signon`: the sign-on, like `Fheron`, with the password left open; `phase`: the one that it is for, so that it does
    nothing in a later one; `lines`: the orders; `complete`: none is left open. `passwordless`: its reader needs no
    password; `by_reply`: nor a sign-on, in a reply.
    """

    signon: str
    phase: str
    lines: tuple[str, ...]
    complete: bool
    passwordless: bool = False
    by_reply: bool = False


def arrows(text: str) -> str:
    """`->` as an arrow."""
    return text.replace("->", "\N{RIGHTWARDS ARROW}")


def colour_of(name: str, variant: Variant) -> str:
    """The colour of the power or group of that name."""
    owner = variant.power_named.get(name) or variant.seat_named.get(name)
    return owner.colour if owner else _GREY


def within(moment: datetime, now: datetime) -> str:
    """`in 2 days 3 hours`; "" if the moment has passed."""
    return f"in {time_left(now, moment)}" if moment > now else ""


def time_left(now: datetime, until: datetime) -> str:
    """Return what is left in words, by its two largest parts: `1 day 4 hours`."""
    seconds = max(0, int((until - now).total_seconds()))
    if seconds < 60:
        return counted(seconds, "second")
    parts = [(seconds // 86400, "day"), (seconds // 3600 % 24, "hour"), (seconds // 60 % 60, "minute")]
    return " ".join([counted(number, noun) for number, noun in parts if number][:2])


def in_ascii(page: str) -> str:
    """A page whose characters beyond ASCII are written as HTML knows them."""
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _letter(address: str, subject: str, lines: Iterable[str]) -> str:
    """A link that writes a letter to `address` with these lines (RFC 6068)."""
    body = "".join(f"{quote(line, safe='')}%0D%0A" for line in lines)
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={body}"


def letters_of(form: Form, address: str) -> list[tuple[str, str]]:
    """(link, what it is called) of the letters that one tap writes for the reader of a form.

    None holds a password, and none does what cannot be taken back.
    """
    game, phase = form.signon[1:], f"PHASE {form.phase}"

    def signed(subject: str, *lines: str) -> str:
        return _letter(address, f"{game} {subject}", [signed_on(form), *lines, "SIGNOFF"])

    whole = signed("orders", phase, *form.lines)
    if len(whole) > LONGEST_LINK:
        whole = signed("orders", phase, "")
    return [
        (whole, "Change orders" if form.complete else "Write orders"),
        (signed("wait", phase, "SET WAIT"), "Wait for the deadline"),
        (signed("absence", "SET ABSENCE <day> TO <day>"), "Absence"),
        (_letter(address, f"{game} map", [f"MAP {game}"]), "Map"),
    ]


def signed_on(form: Form) -> str:
    """The first line of a form."""
    return f"SIGNON {form.signon}{'' if form.passwordless else ' <your password>'}"


def headlines(summary: Iterable[tuple[str, Sequence[str]]]) -> tuple[list[str], list[str]]:
    """Return paragraphs for the head of a page, and for its section of the reader's own orders, of {power: sentences}.

    The first sentences of all powers come first; what would push the orders off the screen of a phone is left for them.
    """
    room = _HEADLINES
    above: list[str] = []
    below: list[str] = []
    for power, sentences in summary:
        taken = 0
        for sentence in sentences:
            if len(sentence) > room:
                break
            room, taken = room - len(sentence), taken + 1
        label = f"{power}: " if power else ""
        if taken:
            above.append(label + " ".join(sentences[:taken]))
            label = ""
        if taken < len(sentences):
            below.append(label + " ".join(sentences[taken:]))
    return above, below


class Written(str):
    """A text that a template has made, and its `page`, made of the same; "" if it has none."""

    page: Markup = Markup()

    @classmethod
    def of(cls, text: str, page: Markup) -> "Written":
        """The text with its page."""
        written = cls(text)
        written.page = page
        return written


def titled(title: str, text: str) -> str:
    """The text below its title."""
    whole, page = f"{title}\n\n{text}".rstrip(), page_of(text)
    return Written.of(whole, _TITLE.format(title) + page) if page else whole


def page_of(text: str) -> Markup:
    """The page of a text, if there is one."""
    return text.page if isinstance(text, Written) else Markup()


# --- texts as pages ---


def laid_out(text: str) -> Markup:
    """Return the text as HTML."""
    blocks = [block.split("\n") for block in _BLANK_LINES.split(text.strip("\n")) if block.strip()]
    return Markup().join(_block(block, is_last=number == len(blocks)) for number, block in enumerate(blocks, 1))


def parted(text: str) -> tuple[str, str, str, str]:
    """Return a mail's verdict, the rest of its first paragraph, the other ones, and the lines for programs.

    The verdict is the first line, of a long one the first sentence; the lines for programs come last on a page.
    """
    lines = text.strip("\n").split("\n")
    first, _, rest = "\n".join(line for line in lines if not line.startswith(":: ")).strip("\n").partition("\n\n")
    verdict, *more = _unwrapped(first.split("\n"))
    if len(verdict) > _VERDICT:
        verdict, *sentences = _SENTENCE_END.split(verdict, maxsplit=1)
        more = sentences + more
    return verdict, "\n".join(more), rest, "\n".join(line for line in lines if line.startswith(":: "))


def _block(lines: Sequence[str], *, is_last: bool) -> Markup:
    """Return lines between blank ones as HTML; a short one above others is their heading."""
    if lines[0].startswith(":: "):
        return _SMALL.format("\n".join(lines))
    first, rest = lines[0], lines[1:]
    if len(first) <= _HEADING and first[0] != " ":
        if rest and all(map(_BELOW.match, rest)):
            return _HEAD.format(first) + _block(rest, is_last=is_last)
        if not rest and first.endswith(":") and not is_last:
            return _HEAD.format(first)
    for form in (_counts, _table, _chart, _code):
        if found := form(lines):
            return found
    start = next((number for number, line in enumerate(lines) if line.startswith("- ")), len(lines))
    paragraph = _PARAGRAPH.format(Markup("\n").join(map(_said, _unwrapped(lines[:start])))) if start else Markup()
    return paragraph + _bullets(lines[start:])


def _said(line: str) -> Markup:
    """Return a line with its arrows, and with its marks of failure as a sign."""
    marks = _MARKS.search(line)
    told = escape(arrows(line[: marks.start()] if marks else line))
    return told + _FAILED.format(marks[1]) if marks else told


def _unwrapped(lines: Iterable[str]) -> list[str]:
    """Join the lines that were broken because they were full."""
    joined: list[str] = []
    for last, line in pairwise(["", *lines]):
        if last and _goes_on(last, line):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line)
    return joined


def _goes_on(line: str, after: str) -> bool:
    """Whether the second line had no room in the first, or goes on with its sentence."""
    is_within = len(line) > _NEARLY_FULL and (line[-1].isalnum() or line[-1] == ",") and after.lstrip()[:1].islower()
    return is_within or len(line) + 1 + len(after.lstrip().partition(" ")[0]) > COLUMNS


def _bullets(lines: Sequence[str]) -> Markup:
    """Return lines of which the first begins with a dash as a list; "" if there are none."""
    points: list[str] = []
    for line in lines:
        if line.startswith("- "):
            points.append(line[2:])
        else:
            points[-1] += f" {line.strip()}"
    return _LIST.format(Markup().join(_POINT.format(_said(point)) for point in points)) if points else Markup()


def _table(lines: Sequence[str]) -> Markup:
    """Return lines of labels and texts, the texts all in one column, as a table; "" if these are none."""
    bare = [_MARKS.sub("", line) for line in lines]
    gaps = [found.end() for line in bare if (found := _LABEL.match(line))]
    column = min(gaps, default=_same_label(lines))
    labels = [line[:column].strip() for line in lines]
    if not column or not labels[0]:
        return Markup()
    is_even = all(len(line) > column and line[column - 1] == " " != line[column] for line in lines)
    is_meant = gaps.count(column) > 1 or all(label.endswith(":") for label in labels if label)
    if not is_even or not is_meant:
        return Markup()
    style = _NAME
    if lines[0].startswith("    "):
        style = _WRITTEN
    elif max(map(len, labels)) <= _SHORT:
        style = _SHORT_NAME
    told = (_ROW.format(style, label, _cells(label, texts)) for label, texts in _rows(labels, lines, column))
    return _TABLE.format(Markup().join(told))


def _rows(labels: Sequence[str], lines: Sequence[str], column: int) -> list[tuple[str, list[str]]]:
    """Return the texts behind each label; what has no label, or the same one, belongs to the label above."""
    rows: list[tuple[str, list[str]]] = []
    last = ""
    for label, line in zip(labels, lines, strict=True):
        text = line[column:]
        if label and not (rows and label == rows[-1][0]):
            rows.append((label, [text]))
        elif not label and _goes_on(last, line):
            rows[-1][1][-1] += f" {text}"
        else:
            rows[-1][1].append(text)
        last = line
    return rows


def _same_label(lines: Sequence[str]) -> int:
    """Return where the text begins if all of these lines have one label, as the orders of a power have; else 0."""
    name, colon, _ = lines[0].partition(": ")
    return len(name + colon) if len(lines) > 1 and colon and all(one.startswith(name + colon) for one in lines) else 0


def _cells(label: str, texts: Sequence[str]) -> Markup:
    """Return the texts behind a label as a cell, or as several where it is no name with a colon (INFO, MAP)."""
    if len(texts) == 1 and not label.endswith(":"):
        return Markup('</td><td valign="top">').join(map(_said, _CELLS.split(texts[0])))
    return Markup("<br>").join(map(_said, texts))


def _counts(lines: Sequence[str]) -> Markup:
    """Return numbers below the years, or whatever their columns are called, as a table; "" if these are none."""
    head, *rows = (line.split() for line in lines)
    if not rows or len(head) < 2 or len({len(row) for row in (head, *rows)}) > 1:
        return Markup()
    if not all(map(_NUMBER.fullmatch, (cell for row in rows for cell in row[1:]))):
        return Markup()
    told = [_COUNTS.format(head[0], Markup().join(map(_YEARS.format, head[1:])))]
    told += [_COUNTS.format(row[0], Markup().join(map(_COUNT.format, row[1:]))) for row in rows]
    return Markup('<div style="overflow-x:auto">{}</div>').format(_TABLE.format(Markup().join(told)))


def _chart(lines: Sequence[str]) -> Markup:
    """Return lines of many short words below each other (the owners by year) as they are; "" if these are none."""
    rows = [line.split() for line in lines]
    if len(rows) < 3 or any(len(row) < 8 or sum(map(len, row)) > 4 * len(row) for row in rows):
        return Markup()
    return _CHART.format("\n".join(lines))


def _code(lines: Sequence[str]) -> Markup:
    """Return indented lines, which readers copy, as they are; "" if these are none."""
    if not all(line.startswith("    ") for line in lines) or len(_unwrapped(lines)) < len(lines):
        return Markup()
    return _CODE.format("\n".join(line[4:] for line in lines))


PAGE_FILTERS = (
    headlines, arrows, colour_of, within, letters_of, signed_on, page_of, laid_out, parted,
)  # fmt: skip
