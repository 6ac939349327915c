"""Lines of a mail, each marked with its kind, so that text and HTML come from one template.

A filter of a template marks a line with its kind. Examples are a `row` of a table with its cells, a `section` and the
`title`. Control characters separate the mark and the cells, since no letter can contain them (judge/letters/text.py).
This module renders the lines as text. judge/mails/pages.py makes an HTML page of the same lines.

Lines without a mark are the sentences of a template. Adjacent sentences form one paragraph. A line that begins with
four blanks is for readers to copy. A line that begins with `- ` is an item of a list. A line that begins with `:: ` is
for programs.
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
# A marked line consists of _MARK, its kind and options, _END, and its cells. _CELL separates options and cells.
_MARK, _END, _CELL = "\x02", "\x03", "\x04"
_MARK_WITHIN = re.compile(rf"(?<=[^\n]){_MARK}")
# The maximum length of a margin (indentation and quote marks). A line that is broken repeats its margin.
_MARGIN = 36
# Lines with an order, or with the counts of a power, must not be broken, since programs read them. A list of units may
# be broken.
_ORDER = re.compile(r"[^\s:>][^:]{0,40}: +(?:Army|Fleet|Builds|Removes|Defaults|\d+ Supply)\b(?!.*, (?:Army|Fleet) )")
# An order, a unit or a bid in short form, such as A VIE S A BUD or DP CLEAR. It is not broken, since a reader may copy
# it. Nor is a line broken after a dash.
_SHORT_ORDER = re.compile(
    r"\bDP (?:CLEAR|NONE)\b|(?<![^\s(])- (?=\w)|(?:\bDP \d+: |\b(?:BUILD|REMOVE) )?\b[AF] [^\W\d_]\w{2,3}\b(?:/\w\w)?"
    r"(?: [SC] [AF] \w{3,4}(?:/\w\w)?(?: - \w{3,4}(?:/\w\w)?)?| - \w{3,4}(?:/\w\w)?(?: VIA\b)?)?"
)
# This character replaces a blank at which a line must not be broken.
_TIE = "\x1f"
# Beginnings and ends of lines that readers and programs take for the judge's own words.
_HEADING = re.compile(
    r" ?(?:::|(?:Press|Broadcast)(?::| \(sent| from\b| to\b(?:.{50,}|.*:\s*$))"
    r"|(?:Movement|Retreat|Adjustment|Build)s? (?:results|orders) (?:for|of|in)\b"
    r"|Ownership of supply centers:|The following units were dislodged:|The next phase of\b|You have been selected as\b"
    r"|Starting position for\b|Status of the \w{1,20} phase\b)"
    r"|.*\(\w{1,20}\.\d{3}\)\s*$",
    re.IGNORECASE,
)
# Delete invisible fillers, and replace blank Braille patterns and letters that look like Latin ones.
_LOOKS = {**LOOKALIKES, ord("\u115f"): "", ord("\u1160"): "", ord("\u2800"): " "}
# The Unicode categories of invisible characters, and of combining marks.
_UNSEEN = {"Cc", "Cf", "Mn"}
_GAP = re.compile(r"(?<=\S)\s+")
_MAIL_HEADER = re.compile(r".{0,9}?(?:date|subject):", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line of a mail, with its kind, the options of that kind (`how`) and its cells."""

    kind: str
    how: tuple[str, ...] = ()
    cells: tuple[str, ...] = ("",)

    def __str__(self) -> str:
        return f"{_MARK}{_CELL.join([self.kind, *self.how])}{_END}{_CELL.join(self.cells)}"

    @property
    def text(self) -> str:
        """The first cell of the line, which is the only one in most kinds."""
        return self.cells[0]


class Written(str):
    """The text of a mail, with the marked lines that it was rendered from."""

    marked: str

    def __new__(cls, marked: str) -> "Written":
        """Render the marked lines as text.

        A mark begins a new line, even if the template has no line break before the mark.
        """
        marked = _MARK_WITHIN.sub(f"\n{_MARK}", marked)
        lines = (text for line in marked.split("\n") if (text := _as_text(line)) is not None)
        written = super().__new__(cls, "\n".join(lines))
        written.marked = marked
        return written


def read(line: str) -> Line:
    """Parse a line of a rendered template, whose mark or beginning decides its kind."""
    if line.startswith(_MARK):
        found = _parse_marked(line)
        if found.kind != "text":
            return found
        kind, text = "text", found.text
    else:
        kind, text = "plain", line
    for beginning, begun in (("    ", "code"), ("- ", "point"), (":: ", "programs")):
        if text.startswith(beginning):
            return Line(begun, (), (text,))
    return Line(kind if text.strip() else "gap", (), (text,))


def _parse_marked(line: str) -> Line:
    head, _, cells = line[1:].partition(_END)
    kind, *how = head.split(_CELL)
    return Line(kind, tuple(how), tuple(cells.split(_CELL)))


def marked(text: str) -> str:
    """Return the lines of a text, each with the mark of its kind.

    If the text has no such marks, each line becomes a separate paragraph.
    """
    if isinstance(text, Written):
        return text.marked
    return _each("text", text)


def together(*texts: str, between: str = "\n\n") -> Written:
    """Join texts, whose lines keep the marks of their kinds."""
    return Written(between.join(map(marked, texts)))


def titled(title: str, text: str) -> Written:
    """Return the text with this title above it."""
    return Written(f"{_each('lead', title)}\n\n{marked(text)}".rstrip())


# --- kinds of lines: the filters of templates ---


def _each(kind: str, text: object, *how: object) -> str:
    """Mark each line of a text with this kind, except blank lines of the kind `text`."""
    known = tuple(map(str, how))
    return "\n".join(
        str(Line(kind, known, (line,))) if line or kind != "text" else "" for line in str(text).split("\n")
    )


def hang(line: str, indent: int) -> str:
    """Mark a line whose continuation is indented if the line has to be broken."""
    return _each("item", line, indent)


def code(line: str, indent: int) -> str:
    """Mark a line for readers to copy, and put four blanks before it.

    If the line is broken, its continuation is indented by `indent` blanks.
    """
    return _each("code", f"    {line}", indent)


def row(cells: Sequence[object], *widths: int, hang: int = 0) -> str:
    """Mark a row of a table, whose cells except the last are padded to these widths.

    If the last cell is broken, its continuation is indented by `hang` more blanks than the cell.
    """
    told = tuple(str(cell).replace("\n", " ") for cell in cells)
    return str(Line("row", tuple(map(str, (hang, *widths))), told))


def columns(text: str, width: int) -> str:
    """Mark lines that were laid out by hand as rows of a table, whose first cell has this width."""
    return "\n".join(str(Line("laid", (), (line[:width], line[width:]))) if line else "" for line in text.split("\n"))


def chart(lines: Iterable[str]) -> str:
    """Mark lines in which each character must be exactly below the one above."""
    return _each("chart", "\n".join(lines))


def title(text: str) -> str:
    """Mark the first line of a text as the title of the mail."""
    first, line_end, more = text.partition("\n")
    return f"{_each('title', first)}{line_end}{_each('text', more)}"


def quoted(line: str) -> str:
    """Mark a line of a letter that the judge quotes in order to comment on it."""
    return _each("quoted", f"> {line}")


def said_of_it(text: str, kind: str = "error") -> str:
    """Mark the judge's comment on a line of a letter, which is an error or a note."""
    return _each("said", f"  {'' if kind == 'error' else 'note: '}{text}", kind)


def as_said(text: str, is_broken: bool = False) -> str:
    """Mark the lines of another author, such as press.

    Long lines are broken only if `is_broken` is true.
    """
    return _each("press", text, *["broken"] * is_broken)


def aside(text: str, kind: str = "text") -> str:
    """Mark a line that is only on the HTML page, such as a heading."""
    return _each("aside", text, kind)


def colors(variant: Variant, own: Iterable[str] = ()) -> str:
    """Mark a line with the colors of all powers, and the names of the reader's own powers."""
    of = {one.name: one.colour for one in (*variant.powers, *variant.seats)}
    return str(Line("colors", tuple(own), tuple(f"{name}={colour}" for name, colour in of.items())))


# The filters by their names in templates. `wrap` marks a paragraph, `section` a heading, and `part` a smaller heading.
# `rule` marks a line that only the text has, below the heads of columns. `lead` marks what a reader must see first, and
# `alarm` what is wrong.
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
    """Break long lines at spaces, but not within orders, and repeat their margin.

    Lines are never joined.
    """
    return "\n".join(broken(line, line[: len(line) - len(line.lstrip(" >"))][:_MARGIN]) for line in text.split("\n"))


def broken(line: str, margin: str) -> str:
    """Break a line at spaces, but not within an order.

    The second half of an order would look like a separate line. `margin` is put before the continuation.
    """
    if len(line) <= COLUMNS or _ORDER.match(line):
        return line
    tied = _SHORT_ORDER.sub(lambda order: order[0].replace(" ", _TIE), line)
    filled = textwrap.fill(tied, COLUMNS, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)
    return filled.replace(_TIE, " ")


def indented(text: str) -> str:
    """Indent lines of another author's text that look like the judge's own words.

    Break long lines before this call. Lines that look like a heading of the judge are indented by two blanks. Lines
    that look like the header of an email in a HISTORY are indented by ten. Otherwise a program might take them for such
    a heading or header.
    """
    lines = []
    for line in text.split("\n"):
        plain = line
        if not line.isascii():  # compare the Latin letters that other letters look like
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
    """Return the cells in their columns, with a line break after a cell that is too long."""
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
    """Return a line of a template as text, or None if it is for the HTML page only."""
    if not line.startswith(_MARK):
        return line
    parsed = _parse_marked(line)
    as_text = _TEXTS.get(parsed.kind)
    return as_text(parsed) if as_text else None
