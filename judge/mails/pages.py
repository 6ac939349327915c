"""Make the HTML page of a mail from the lines of its text, in the same order.

Lines flow, so that they fit a phone. Columns become a table, whose labels a screen reader announces. A page also has
the colors of powers, signs for failed orders, links that write emails, and the pictures. The lines for programs come
last, unless they separate the games that a mail is about. The styles are in templates/html/_page.html.j2.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from markupsafe import Markup

from judge.mails.blocks import Line, marked, read
from judge.mails.templates import PAGE_SUFFIX, PAGES, environment

# The mark in a page that pictures replace.
PLACE = "<!--pictures-->"
# The maximum size of a page as it is sent, in bytes, since mail programs cut longer pages.
LONGEST_PAGE = 100_000

# The maximum length of a line that becomes the heading of a page as a whole.
_VERDICT = 160
# The end of a sentence, except after abbreviations such as "St."
_SENTENCE_END = re.compile(r"(?:(?<=\w{3}[.?!])|(?<=\w{3}\)[.?!])) ")
# The maximum length of a label that is never broken, and of one that is an order or a command.
_SHORT, _ONE_ORDER = 14, 25
# Adjacent lines of a kind on the left form one block of the kind on the right.
_BLOCKS = {"plain": "text", "said": "quoted", "row": "table", "laid": "table", "rule": "table"}


@dataclass(frozen=True)
class Block:
    """Consecutive lines of one kind.

    `is_beside` is true if the lines are only on the page. `level` is the level of a heading.
    """

    kind: str
    lines: Sequence[Line]
    is_beside: bool
    level: int


@dataclass(frozen=True)
class Row:
    """A row of a table.

    `span` is the number of rows that its label spans, or 0 if the label is in a row above. `is_own` is true if the row
    is about the reader's own power.
    """

    label: str
    span: int
    cells: Sequence[str]
    color: str
    is_own: bool
    is_code: bool

    @property
    def is_kept(self) -> bool:
        """Whether the label must not be broken: a word next to its color swatch, or a short line to copy."""
        if self.color:
            return not re.search(r"[ -]", self.label)
        return self.is_code and len(self.label) <= _ONE_ORDER


@dataclass(frozen=True)
class Table(Block):
    """A block whose lines are the rows of a table."""

    rows: Sequence[Row]

    @property
    def across(self) -> int:
        """The number of cells after the label in the widest row."""
        return max((len(row.cells) for row in self.rows), default=0)

    @property
    def is_narrow(self) -> bool:
        """Whether all labels fit without being broken."""
        return all(len(row.label) <= _SHORT for row in self.rows)

    @property
    def is_of_powers(self) -> bool:
        """Whether the rows are about powers.

        Such tables have equal widths, so that their columns line up.
        """
        return any(row.color for row in self.rows)


def page_of(text: str) -> str:
    """Return the HTML page of a text, or "" if mail programs would cut the page.

    The title of the page is empty.
    """
    layout = environment().get_template(f"{PAGES}_page{PAGE_SUFFIX}")
    page = layout.render(blocks=[*_blocks(_lines(text))], below=0)
    return page if len(in_ascii(page)) <= LONGEST_PAGE else ""


def fragment_of(text: str) -> Markup:
    """Return a text as HTML for a part of another page, below that page's title."""
    layout = environment().get_template(f"{PAGES}_blocks{PAGE_SUFFIX}")
    return Markup(layout.render(blocks=[*_blocks(_read(text))], below=1))


def in_ascii(page: str) -> str:
    """Return the page with character references for all characters that are not ASCII."""
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _lines(text: str) -> list[Line]:
    """Return the lines of a page, with a title, a place for the pictures, and lines for programs last."""
    lines = _read(text)
    kinds = {line.kind for line in lines}
    if "title" not in kinds:
        lines = [*_with_title(lines)]
    if "pictures" not in kinds:
        titles = [number for number, line in enumerate(lines) if line.kind == "title"]
        lines.insert(max(titles, default=-1) + 1, Line("pictures"))
    return _programs_last(lines)


def _programs_last(lines: list[Line]) -> list[Line]:
    """Move the lines for programs to the end, without repetitions.

    If these lines separate several games, all lines stay where they are.
    """
    programs = [*dict.fromkeys(line for line in lines if line.kind == "programs")]
    if sum(line.text.startswith(":: Judge") for line in programs) > 1:
        return lines
    return [line for line in lines if line.kind != "programs"] + programs


def _read(text: str) -> list[Line]:
    return [*_continued(map(read, marked(text).split("\n")))]


def _continued(lines: Iterable[Line]) -> Iterator[Line]:
    """Join the lines of a paragraph, or of a list item, that were broken in a template."""
    last = Line("gap")
    for line in lines:
        begins_apart = line.text.startswith(" ")
        if line.kind == "plain" and (last.kind == "point" if begins_apart else last.kind == "plain"):
            last = replace(last, cells=(f"{last.text} {line.text.strip()}",))
            continue
        yield last
        last = line
    yield last


def _with_title(lines: Sequence[Line]) -> Iterator[Line]:
    """Make the first line a title, or only its first sentence if the line is long."""
    found = False
    for line in lines:
        if found or line.kind not in ("text", "plain", "lead", "section"):
            yield line
            continue
        found = True
        verdict, *rest = [line.text] if len(line.text) <= _VERDICT else _SENTENCE_END.split(line.text, maxsplit=1)
        yield Line("title", cells=(verdict,))
        yield from (replace(line, cells=(more,)) for more in rest)


def _blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """Group adjacent lines into blocks, whose headings have level 2, or level 3 after a `section`.

    A `colors` line gives the tables after it the colors of powers, and the names of the reader's powers.
    """
    colors: dict[str, str] = {}
    own = set()
    level = 2
    for (kind, is_beside), group in groupby(lines, key=_kind):
        same = [*group]
        if kind == "colors":
            for line in same:
                own |= {*line.how}
                colors |= {name: color for name, _, color in (cell.partition("=") for cell in line.cells)}
        elif kind == "table":
            yield Table(kind, same, is_beside, level, [*_rows(same, colors, own)])
        elif kind != "gap":
            yield Block(kind, same, is_beside, level)
        level = 3 if kind == "section" else level


def _kind(line: Line) -> tuple[str, bool]:
    """Return the kind of block for a line, and whether the line is only on the page."""
    if line.kind == "aside":
        return line.how[0], True
    return _BLOCKS.get(line.kind, line.kind), False


def _rows(lines: Sequence[Line], colors: dict[str, str], own: set[str]) -> Iterator[Row]:
    """Yield the rows of a table.

    In a table that was laid out by hand, a line without a label continues the row above.
    """
    rows: list[list[str]] = []
    for line in lines:
        if line.kind == "laid" and rows and not line.text.strip():
            rows[-1][-1] += f" {line.cells[1]}"
        elif line.kind != "rule":
            rows.append([*line.cells])
    for label, same in groupby(rows, key=lambda cells: cells[0]):
        told = [[*map(str.strip, cells[1:])] for cells in same]
        name = label.strip().removesuffix(":")
        span = len(told) if name else 0
        for cells in told:
            yield Row(label.strip(), span, cells, colors.get(name, ""), name in own, label.startswith("    "))
            span = 0
