"""What a mail says, as blocks: a template says each line once, and it is rendered twice, as text and as a page.

A filter of a template marks a line with what it is: a `row` of a table with its cells, a `section`, the `title`. The
mark and the cells are kept apart by control characters, which no letter can contain (judge/letters/text.py). Here the
lines are rendered as text; judge/mails/pages.py makes a page of the same lines.

Lines without a mark are the sentences of a template: adjacent ones are one paragraph, lines after four blanks are to be
copied, a line after `- ` is a point of a list, and one after `:: ` is for programs.
"""

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from judge.rules import Variant
from judge.rules.board.names import LOOKALIKES

COLUMNS = 78
# Before the kind of a marked line, after it, and between its cells.
_MARK, _END, _CELL = "\x02", "\x03", "\x04"
# The most characters of a line's margin, which is repeated when the line is broken: indentation and quote marks.
_MARGIN = 36
# Keep an order on one line, however long, and a power's numbers: programs read no further. A list of units may be
# broken.
_ORDER = re.compile(r"[^\s:>][^:]{0,40}: +(?:Army|Fleet|Builds|Removes|Defaults|\d+ Supply)\b(?!.*, (?:Army|Fleet) )")
# An order or a unit in short form within a sentence, as a reader may copy it: A VIE S A BUD - RUM.
_SHORT_ORDER = re.compile(
    r"\b[AF] [^\W\d_]\w{2,3}\b(?:/\w\w)?"
    r"(?: [SC] [AF] \w{3,4}(?:/\w\w)?(?: - \w{3,4}(?:/\w\w)?)?| - \w{3,4}(?:/\w\w)?(?: VIA\b)?)?"
)
# Stands for a blank at which no line is broken.
_TIE = "\x1f"
# Beginnings and ends of lines by which readers and their programs recognize the judge's own words.
_HEADING = re.compile(
    r" ?(?:::|(?:Press|Broadcast)(?::| \(sent| from\b| to\b(?:.{50,}|.*:\s*$))"
    r"|(?:Movement|Retreat|Adjustment|Build)s? (?:results|orders) (?:for|of|in)\b"
    r"|Ownership of supply centers:|The following units were dislodged:|The next phase of\b|You have been selected as\b"
    r"|Starting position for\b|Status of the \w{1,20} phase\b)"
    r"|.*\(\w{1,20}\.\d{3}\)\s*$",
    re.IGNORECASE,
)
# Invisible fillers, Braille without dots, and letters of other alphabets that look like Latin ones.
_LOOKS = {**LOOKALIKES, ord("\u115f"): "", ord("\u1160"): "", ord("\u2800"): " "}
# Categories of characters that are invisible, or only a mark on another letter.
_UNSEEN = {"Cc", "Cf", "Mn"}
_GAP = re.compile(r"(?<=\S)\s+")
_MAIL_HEADER = re.compile(r".{0,9}?(?:date|subject):", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line of a mail: its kind, what its kind needs to know (`how`), and its cells, of most kinds one."""

    kind: str
    how: tuple[str, ...] = ()
    cells: tuple[str, ...] = ("",)

    def __str__(self) -> str:
        return f"{_MARK}{_CELL.join([self.kind, *self.how])}{_END}{_CELL.join(self.cells)}"

    @property
    def text(self) -> str:
        """The first cell."""
        return self.cells[0]


class Written(str):
    """A text as mails have it, and the `marked` lines it was made of."""

    marked: str

    def __new__(cls, marked: str) -> "Written":
        """Render the marked lines as text."""
        lines = (text for line in marked.split("\n") if (text := _as_text(line)) is not None)
        written = super().__new__(cls, "\n".join(lines))
        written.marked = marked
        return written


def read(line: str) -> Line:
    """Return a line of a template as what its mark, or its beginning, says."""
    if line.startswith(_MARK):
        found = _parsed(line)
        if found.kind != "text":
            return found
        kind, text = "text", found.text
    else:
        kind, text = "plain", line
    for beginning, begun in (("    ", "code"), ("- ", "point"), (":: ", "programs")):
        if text.startswith(beginning):
            return Line(begun, (), (text,))
    return Line(kind if text.strip() else "gap", (), (text,))


def _parsed(line: str) -> Line:
    """Return a marked line."""
    head, _, cells = line[1:].partition(_END)
    kind, *how = head.split(_CELL)
    return Line(kind, tuple(how), tuple(cells.split(_CELL)))


def marked(text: str) -> str:
    """Return the lines of a text with their marks; each line of a text that has none is a paragraph of its own."""
    if isinstance(text, Written):
        return text.marked
    return _each("text", text)


def together(*texts: str, between: str = "\n\n") -> Written:
    """Join texts without losing what their lines are."""
    return Written(between.join(map(marked, texts)))


def titled(title: str, text: str) -> Written:
    """Return the text below its title."""
    return Written(f"{_each('lead', title)}\n\n{marked(text)}".rstrip())


# --- what lines are: the filters of templates ---


def _each(kind: str, text: object, *how: object) -> str:
    """Mark each line of a text; between its paragraphs are lines without a mark."""
    known = tuple(map(str, how))
    return "\n".join(
        str(Line(kind, known, (line,))) if line or kind != "text" else "" for line in str(text).split("\n")
    )


def hang(line: str, indent: int) -> str:
    """Mark a line that is broken at spaces if it is too long; all lines but the first are indented by `indent`."""
    return _each("item", line, indent)


def code(line: str, indent: int) -> str:
    """Mark a line that readers copy, after four blanks; it is broken like others."""
    return _each("code", f"    {line}", indent)


def row(cells: Sequence[object], *widths: int, hang: int = 0) -> str:
    """Mark the row of a table: all its cells but the last are filled up to these widths.

    `hang`: how much more a broken line is indented than the last cell.
    """
    told = tuple(str(cell).replace("\n", " ") for cell in cells)
    return str(Line("row", tuple(map(str, (hang, *widths))), told))


def columns(text: str, width: int) -> str:
    """Mark lines that are laid out by hand as rows of a table, whose first cell is so wide."""
    return "\n".join(str(Line("laid", (), (line[:width], line[width:]))) if line else "" for line in text.split("\n"))


def chart(lines: Iterable[str]) -> str:
    """Mark lines whose characters are one below the other."""
    return _each("chart", "\n".join(lines))


def title(text: str) -> str:
    """Mark what a mail is about: its verdict, or the title of an answer, which is the first line."""
    first, line_end, more = text.partition("\n")
    return f"{_each('title', first)}{line_end}{_each('text', more)}"


def quoted(line: str) -> str:
    """Mark a line of a letter, above what is said of it."""
    return _each("quoted", f"> {line}")


def said_of_it(text: str, kind: str = "error") -> str:
    """Mark what is said of a line of a letter: that it was refused, or a note."""
    return _each("said", f"  {'' if kind == 'error' else 'note: '}{text}", kind)


def as_said(text: str, is_broken: bool = False) -> str:
    """Mark the lines of another author; long ones stay as they are unless `is_broken`."""
    return _each("press", text, *["broken"] * is_broken)


def aside(text: str, kind: str = "text") -> str:
    """Say something on the page alone: what its text says at another place, or a heading."""
    return _each("aside", text, kind)


def colors(variant: Variant, own: Iterable[str] = ()) -> str:
    """Say the colors of all powers, and which of them are the reader's own, for the tables of a page."""
    of = {one.name: one.colour for one in (*variant.powers, *variant.seats)}
    return str(Line("colors", tuple(own), tuple(f"{name}={colour}" for name, colour in of.items())))


# By the names that they have in templates: `wrap` is a paragraph, `section` a heading and `part` one below it, `lead`
# what a reader must see first, `alarm` what is wrong, `rule` a line below the heads of columns, in a text alone.
FILTERS: Mapping[str, Callable[..., str]] = {
    "wrap": marked,
    **{kind: partial(_each, kind) for kind in ("section", "part", "lead", "alarm", "rule")},
    **{
        one.__name__: one
        for one in (title, hang, code, row, columns, chart, quoted, said_of_it, as_said, aside, colors)
    },
}

# --- as text ---


def wrapped(text: str) -> str:
    """Break longer lines at spaces, except orders; the new lines keep the margin. No lines are joined."""
    return "\n".join(broken(line, line[: len(line) - len(line.lstrip(" >"))][:_MARGIN]) for line in text.split("\n"))


def broken(line: str, margin: str) -> str:
    """Break a line at spaces, but not within an order: its second half would look like a line of its own."""
    if len(line) <= COLUMNS or _ORDER.match(line):
        return line
    tied = _SHORT_ORDER.sub(lambda order: order[0].replace(" ", _TIE), line)
    filled = textwrap.fill(tied, COLUMNS, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)
    return filled.replace(_TIE, " ")


def indented(text: str) -> str:
    """Indent lines of a text from another author that would pass for the judge's own words. Break long lines before.

    Lines that look like a heading of the judge are indented by two blanks; those that look like the header of a mail in
    a HISTORY by ten, so that no program takes them for one.
    """
    lines = []
    for line in text.split("\n"):
        plain = line
        if not line.isascii():  # in the Latin letters for which a reader takes it
            plain = unicodedata.normalize("NFKC", line).translate(_LOOKS)
            plain = "".join(sign for sign in plain if unicodedata.category(sign) not in _UNSEEN)
        plain = _GAP.sub(" ", plain)
        if _MAIL_HEADER.match(plain):
            line = " " * 10 + line
        elif _HEADING.match(plain):
            line = "  " + line
        lines.append(line)
    return "\n".join(lines)


def _row(line: Line) -> str:
    """Return the cells in their columns; a cell that is too long has a line of its own."""
    hang, *widths = map(int, line.how)
    text, begins = "", 0
    for cell, width in zip(line.cells, widths, strict=False):
        begins += width
        text += cell
        is_full = 0 < begins <= len(text.rstrip())
        text = f"{text}\n{' ' * begins}" if is_full else text.ljust(begins)
    *above, last = f"{text}{''.join(line.cells[len(widths) :])}".rstrip().split("\n")
    return "\n".join([*above, broken(last, " " * (begins + hang))])


_TEXTS: Mapping[str, Callable[[Line], str]] = {
    "row": _row,
    **dict.fromkeys(("item", "code"), lambda line: broken(line.text, " " * int(line.how[0]))),
    "laid": lambda line: "".join(line.cells),
    "chart": lambda line: line.text,
    "rule": lambda line: line.text,
    "press": lambda line: indented(wrapped(line.text) if line.how else line.text),
    **dict.fromkeys(
        ("text", "title", "section", "part", "lead", "alarm", "quoted", "said"), lambda line: wrapped(line.text)
    ),
}


def _as_text(line: str) -> str | None:
    """Return a line of a template as text; None if it is on the page alone."""
    if not line.startswith(_MARK):
        return line
    parsed = _parsed(line)
    as_text = _TEXTS.get(parsed.kind)
    return as_text(parsed) if as_text else None
