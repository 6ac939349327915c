"""The lines of a mail as blocks: a template has each line once, and the line is rendered twice, as text and as HTML.

A template's filter marks a line with its kind: a `row` of a table with its cells, a `section`, the `title`. Control
characters, which no letter can contain (judge/letters/text.py), separate the mark and the cells. This module renders
the lines as text; judge/mails/pages.py makes a page of the same lines.

Lines without a mark are the sentences of a template. Adjacent ones are one paragraph, lines after four blanks are to be
copied, a line after `- ` is an item of a list, and a line after `:: ` is for programs.
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
# The characters before the kind of a marked line, after it, and between its cells.
_MARK, _END, _CELL = "\x02", "\x03", "\x04"
_MARK_WITHIN = re.compile(rf"(?<=[^\n]){_MARK}")
# The longest margin of a line, in characters. If the line is broken, its margin (indentation and quote marks) is
# repeated.
_MARGIN = 36
# Do not break an order, however long, or the numbers of a power, since programs read only one line. A list of units may
# be broken.
_ORDER = re.compile(r"[^\s:>][^:]{0,40}: +(?:Army|Fleet|Builds|Removes|Defaults|\d+ Supply)\b(?!.*, (?:Army|Fleet) )")
# A bid, an order or a unit in short form within a sentence, which a reader may copy: A VIE S A BUD - RUM.
_SHORT_ORDER = re.compile(
    r"(?:\bDP \d+: )?\b[AF] [^\W\d_]\w{2,3}\b(?:/\w\w)?"
    r"(?: [SC] [AF] \w{3,4}(?:/\w\w)?(?: - \w{3,4}(?:/\w\w)?)?| - \w{3,4}(?:/\w\w)?(?: VIA\b)?)?"
)
# A blank at which the line must not be broken is replaced with this character.
_TIE = "\x1f"
# How lines begin or end that readers and their programs take for the judge's own words.
_HEADING = re.compile(
    r" ?(?:::|(?:Press|Broadcast)(?::| \(sent| from\b| to\b(?:.{50,}|.*:\s*$))"
    r"|(?:Movement|Retreat|Adjustment|Build)s? (?:results|orders) (?:for|of|in)\b"
    r"|Ownership of supply centers:|The following units were dislodged:|The next phase of\b|You have been selected as\b"
    r"|Starting position for\b|Status of the \w{1,20} phase\b)"
    r"|.*\(\w{1,20}\.\d{3}\)\s*$",
    re.IGNORECASE,
)
# Invisible fillers, blank Braille patterns, and letters of other alphabets that look like Latin ones.
_LOOKS = {**LOOKALIKES, ord("\u115f"): "", ord("\u1160"): "", ord("\u2800"): " "}
# The Unicode categories of characters that are invisible, or only marks on another letter.
_UNSEEN = {"Cc", "Cf", "Mn"}
_GAP = re.compile(r"(?<=\S)\s+")
_MAIL_HEADER = re.compile(r".{0,9}?(?:date|subject):", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line of a mail: its kind, options of that kind (`how`), and its cells (one, for most kinds)."""

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
    """The text of a mail, and the `marked` lines from which it was rendered."""

    marked: str

    def __new__(cls, marked: str) -> "Written":
        """Render the marked lines as text; a mark begins a line, also where a template has no line break before it."""
        marked = _MARK_WITHIN.sub(f"\n{_MARK}", marked)
        lines = (text for line in marked.split("\n") if (text := _as_text(line)) is not None)
        written = super().__new__(cls, "\n".join(lines))
        written.marked = marked
        return written


def read(line: str) -> Line:
    """Return a line of a template, with the kind that its mark or its beginning gives it."""
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
    """Return the lines of a text with their marks; in a text without marks, each line is a separate paragraph."""
    if isinstance(text, Written):
        return text.marked
    return _each("text", text)


def together(*texts: str, between: str = "\n\n") -> Written:
    """Join texts, and keep the marks of their lines."""
    return Written(between.join(map(marked, texts)))


def titled(title: str, text: str) -> Written:
    """Return the text with the title above it."""
    return Written(f"{_each('lead', title)}\n\n{marked(text)}".rstrip())


# --- kinds of lines: the filters of templates ---


def _each(kind: str, text: object, *how: object) -> str:
    """Mark each line of a text; the blank lines between its paragraphs get no mark."""
    known = tuple(map(str, how))
    return "\n".join(
        str(Line(kind, known, (line,))) if line or kind != "text" else "" for line in str(text).split("\n")
    )


def hang(line: str, indent: int) -> str:
    """Mark a line as one that is broken at spaces if it is too long, with all lines but the first indented."""
    return _each("item", line, indent)


def code(line: str, indent: int) -> str:
    """Mark a line that readers copy, after four blanks; it is broken like other lines."""
    return _each("code", f"    {line}", indent)


def row(cells: Sequence[object], *widths: int, hang: int = 0) -> str:
    """Mark the row of a table; all its cells but the last are padded to these widths.

    `hang`: how much further than the last cell a broken line is indented.
    """
    told = tuple(str(cell).replace("\n", " ") for cell in cells)
    return str(Line("row", tuple(map(str, (hang, *widths))), told))


def columns(text: str, width: int) -> str:
    """Mark lines that are laid out by hand as rows of a table with a first cell of that width."""
    return "\n".join(str(Line("laid", (), (line[:width], line[width:]))) if line else "" for line in text.split("\n"))


def chart(lines: Iterable[str]) -> str:
    """Mark lines in which each character must be exactly below the one above."""
    return _each("chart", "\n".join(lines))


def title(text: str) -> str:
    """Mark the first line of a mail: its verdict, or the title of an answer."""
    first, line_end, more = text.partition("\n")
    return f"{_each('title', first)}{line_end}{_each('text', more)}"


def quoted(line: str) -> str:
    """Mark a line quoted from a letter, which the judge's comments follow."""
    return _each("quoted", f"> {line}")


def said_of_it(text: str, kind: str = "error") -> str:
    """Mark the judge's comment on a line of a letter: a refusal or a note."""
    return _each("said", f"  {'' if kind == 'error' else 'note: '}{text}", kind)


def as_said(text: str, is_broken: bool = False) -> str:
    """Mark the lines of another author; long ones are not broken unless `is_broken`."""
    return _each("press", text, *["broken"] * is_broken)


def aside(text: str, kind: str = "text") -> str:
    """Mark a line for the page only: a heading, or a sentence that the text has at another place."""
    return _each("aside", text, kind)


def colors(variant: Variant, own: Iterable[str] = ()) -> str:
    """Mark a line that gives a page's tables the colors of all powers and says which powers are the reader's."""
    of = {one.name: one.colour for one in (*variant.powers, *variant.seats)}
    return str(Line("colors", tuple(own), tuple(f"{name}={colour}" for name, colour in of.items())))


# By their names in templates: `wrap` is a paragraph, `section` a heading and `part` a smaller one, `lead` what a reader
# must see first, `alarm` what is wrong, `rule` a line below the heads of columns, in the text only.
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
    """Break longer lines at spaces, but not within orders; the new lines keep the margin. No lines are joined."""
    return "\n".join(broken(line, line[: len(line) - len(line.lstrip(" >"))][:_MARGIN]) for line in text.split("\n"))


def broken(line: str, margin: str) -> str:
    """Break a line at spaces, but not within an order, whose second half would look like a separate line."""
    if len(line) <= COLUMNS or _ORDER.match(line):
        return line
    tied = _SHORT_ORDER.sub(lambda order: order[0].replace(" ", _TIE), line)
    filled = textwrap.fill(tied, COLUMNS, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)
    return filled.replace(_TIE, " ")


def indented(text: str) -> str:
    """Indent lines of another author's text that look like the judge's own words. Break long lines first.

    Lines that look like a heading of the judge are indented by two blanks. Lines that look like the header of a mail in
    a HISTORY are indented by ten, so that no program takes them for one.
    """
    lines = []
    for line in text.split("\n"):
        plain = line
        if not line.isascii():  # compare the Latin letters for which a reader would take these
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
    """Return the cells in their columns; a cell that is too long gets a separate line."""
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
    """Return a line of a template as text; None if it is for the page only."""
    if not line.startswith(_MARK):
        return line
    parsed = _parsed(line)
    as_text = _TEXTS.get(parsed.kind)
    return as_text(parsed) if as_text else None
