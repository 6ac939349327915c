"""A text of ours as HTML, for mails and answers that have no template of a page: its paragraphs, lists and tables.

Texts are 78 columns wide and laid out with blanks. On a phone lines must flow, and columns be a table whose labels a
screen reader announces. Every word of the text is there, in its order; nothing that the text says is HTML.
"""

import re
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from judge.mails.pages import arrows

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
    for form in (_counts, _table, _chart, _code, _bullets):
        if found := form(lines):
            return found
    start = next((number for number, line in enumerate(lines) if line.startswith("- ")), len(lines))
    return _PARAGRAPH.format(Markup("\n").join(map(_said, _unwrapped(lines[:start])))) + _bullets(lines[start:])


def _said(line: str) -> Markup:
    """Return a line with its arrows, and with its marks of failure as a sign."""
    marks = _MARKS.search(line)
    told = escape(arrows(line[: marks.start()] if marks else line))
    return told + _FAILED.format(marks[1]) if marks else told


def _unwrapped(lines: Iterable[str]) -> list[str]:
    """Join the lines that were broken because they were full."""
    joined: list[str] = []
    last = ""
    for line in lines:
        if last and _goes_on(last, line):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line)
        last = line
    return joined


def _goes_on(line: str, after: str) -> bool:
    """Whether the second line had no room in the first, or goes on with its sentence."""
    is_within = len(line) > _NEARLY_FULL and (line[-1].isalnum() or line[-1] == ",") and after.lstrip()[:1].islower()
    return is_within or len(line) + 1 + len(after.lstrip().partition(" ")[0]) > COLUMNS


def _bullets(lines: Sequence[str]) -> Markup:
    """Return lines that begin with a dash as a list; "" if these do not."""
    if not lines or not lines[0].startswith("- "):
        return Markup()
    points: list[str] = []
    for line in lines:
        if line.startswith("- "):
            points.append(line[2:])
        else:
            points[-1] += f" {line.strip()}"
    return _LIST.format(Markup().join(_POINT.format(_said(point)) for point in points))


def _table(lines: Sequence[str]) -> Markup:
    """Return lines of labels and texts, the texts all in one column, as a table; "" if these are none."""
    bare = [_MARKS.sub("", line) for line in lines]
    gaps = [found.end() for line in bare if (found := _LABEL.match(line))]
    column = min(gaps, default=_same_label(lines))
    labels = [line[:column].strip() for line in lines]
    is_even = all(len(line) > column and line[column - 1] == " " != line[column] for line in lines)
    is_meant = all(label.endswith(":") for label in labels if label) or gaps.count(column) > 1
    if not column or not is_even or not is_meant or not labels[0]:
        return Markup()
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
    style = _WRITTEN if lines[0].startswith("    ") else _SHORT_NAME if max(map(len, labels)) <= _SHORT else _NAME
    told = (_ROW.format(style, label, _cells(label, texts)) for label, texts in rows)
    return _TABLE.format(Markup().join(told))


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
