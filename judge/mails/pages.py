"""The pages of mails: the lines of a text as HTML, in the same order, each escaped.

On a phone lines must flow, and columns be a table whose labels a screen reader announces. A page has beside its text:
the colors of powers, marks of failure as signs, links that write a letter, a place for the pictures. The lines for
programs come last, unless they part the games that a mail is about. How all of it looks is in
templates/html/_page.html.j2.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from markupsafe import Markup

from judge.mails.blocks import Line, marked, read
from judge.mails.templates import PAGE_SUFFIX, PAGES, environment

# Where the pictures belong in a page: on a line of its own.
PLACE = "<!--pictures-->"
# Mail programs cut longer pages.
LONGEST_PAGE = 100_000

# A longer line is not the heading of a page as a whole.
_VERDICT = 160
# Not behind "St."
_SENTENCE_END = re.compile(r"(?<=\w{3}[.?!]) ")
# The widest label that is not broken.
_SHORT = 14
# Kinds of lines that are one block where they follow each other.
_BLOCKS = {"plain": "text", "said": "quoted", "row": "table", "laid": "table", "rule": "table"}


@dataclass(frozen=True)
class Block:
    """Lines of one kind that follow each other; `is_beside`: the page alone says them; `level`: of a heading."""

    kind: str
    lines: Sequence[Line]
    is_beside: bool
    level: int


@dataclass(frozen=True)
class Row:
    """A row of a table. `span`: the rows that its label is for, 0 for a row below another with the same label."""

    label: str
    span: int
    cells: Sequence[str]
    color: str
    is_own: bool
    is_code: bool


@dataclass(frozen=True)
class Table(Block):
    """A table; `across`: how many cells its widest row has after the label."""

    rows: Sequence[Row]

    @property
    def across(self) -> int:
        """How many cells the widest row has after its label."""
        return max((len(row.cells) for row in self.rows), default=0)

    @property
    def is_narrow(self) -> bool:
        """Whether no label need be broken."""
        return all(len(row.label) <= _SHORT for row in self.rows)

    @property
    def is_of_powers(self) -> bool:
        """Whether it is as wide as others, so that their columns are one below the other."""
        return any(row.color for row in self.rows)


def page_of(text: str) -> str:
    """Return the page of a text, with an empty title; "" if mail programs would cut it."""
    layout = environment().get_template(f"{PAGES}_page{PAGE_SUFFIX}")
    page = layout.render(blocks=[*_blocks(_lines(text))], below=0)
    return page if len(page.encode()) <= LONGEST_PAGE else ""


def fragment_of(text: str, below: int) -> Markup:
    """Return a text as a part of another page, below its heading of that level."""
    lines = [*_continued([*map(read, marked(text).split("\n"))])]
    return Markup(
        environment().get_template(f"{PAGES}_blocks{PAGE_SUFFIX}").render(blocks=[*_blocks(lines)], below=below)
    )


def in_ascii(page: str) -> str:
    """A page whose characters beyond ASCII are written as HTML knows them."""
    return page.encode("ascii", "xmlcharrefreplace").decode()


def _lines(text: str) -> list[Line]:
    """Return all lines of the page of a text: with a title, a place for the pictures, the lines for programs last."""
    lines = [*_continued([*map(read, marked(text).split("\n"))])]
    kinds = {line.kind for line in lines}
    if "title" not in kinds:
        lines = [*_with_title(lines)]
    if "pictures" not in kinds:
        titles = [number for number, line in enumerate(lines) if line.kind == "title"]
        lines.insert(max(titles, default=-1) + 1, Line("pictures"))
    programs = [*dict.fromkeys(line for line in lines if line.kind == "programs")]
    if sum(line.text.startswith(":: Judge") for line in programs) > 1:
        return lines
    return [line for line in lines if line.kind != "programs"] + programs


def _continued(lines: Sequence[Line]) -> Iterator[Line]:
    """Join the lines of a paragraph, or of a point of a list, that a template has broken."""
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
    """Make the first sentence a title, or the first line if it is short."""
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
    """Part the lines into blocks; a power has the color, and is the reader's own, as the lines above say."""
    colors: dict[str, str] = {}
    own: set[str] = set()
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
    """Return to which kind of block a line belongs, and whether it is on the page alone."""
    if line.kind == "aside":
        return line.how[0], True
    return _BLOCKS.get(line.kind, line.kind), False


def _rows(lines: Sequence[Line], colors: dict[str, str], own: set[str]) -> Iterator[Row]:
    """Return the rows of a table; text below the text of a row that was laid out by hand goes on with it."""
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
