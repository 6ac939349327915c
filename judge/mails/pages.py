"""The pages of mails: the lines of a text as HTML, in the same order, each escaped.

On a phone lines must flow, and columns be a table whose labels a screen reader announces. A page has beside its text:
the colors of powers, marks of failure as signs, links that write a letter, a place for the pictures. The lines for
programs come last, unless they part the games that a mail is about.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from judge.mails.blocks import Line, marked, read
from judge.mails.templates import PAGE_SUFFIX, PAGES, environment

# Where the pictures belong in a page: on a line of its own.
PLACE = Markup("<!--pictures-->\n")
# Mail programs cut longer pages.
LONGEST_PAGE = 100_000

# A longer line is not the heading of a page as a whole.
_VERDICT = 160
# Not behind "St."
_SENTENCE_END = re.compile(r"(?<=\w{3}[.?!]) ")
_MARKS = re.compile(r"  \(\*([^*]+)\*\)$")
# The widest label that is not broken.
_SHORT = 14
_FAILED = Markup(' <b class="f" style="color:#a3140a;white-space:nowrap">\N{BALLOT X} {}</b>')
_ALARM = Markup('<p style="margin:8px 0"><b class="f" style="color:#a3140a">\N{BALLOT X} {}</b></p>\n')
_TITLE = Markup('<h1 style="font-size:21px;line-height:1.25;margin:14px 0 6px">{}</h1>\n')
_SECTION = Markup('<h2 style="font-size:17px;margin:18px 0 6px">{}</h2>\n')
_PART = Markup('<h{0} style="font-size:16px;margin:12px 0 2px">{1}</h{0}>\n')
_LEAD = Markup('<p style="font-size:17px;font-weight:bold;margin:4px 0 8px">{}</p>\n')
_PARAGRAPH = Markup('<p style="margin:8px 0;white-space:pre-wrap">{}</p>\n')
_ITEM = Markup('<p style="margin:3px 0 3px 16px;text-indent:-16px">{}</p>\n')
_LIST = Markup('<ul style="margin:8px 0;padding-left:22px">\n{}</ul>\n')
_POINT = Markup("<li>{}</li>\n")
_CODE = Markup('<pre style="white-space:pre-wrap;font:14px/1.4 monospace;margin:4px 0 10px 16px">{}</pre>\n')
_CHART = Markup('<div style="overflow-x:auto"><pre style="font:13px/1.4 monospace;margin:4px 0 10px">{}</pre></div>\n')
_PROGRAMS = Markup('<p class="g" style="color:#5a5f68;font-size:12px;margin:14px 0 4px;white-space:pre-line">{}</p>\n')
_BESIDE = 'class="r" style="border-left:4px solid #d0d3d8;padding:2px 0 2px 12px;margin:10px 0;white-space:pre-wrap"'
_PRESS = Markup(f"<div {_BESIDE}>{{}}</div>\n")
_QUOTED = Markup('<span class="g" style="color:#5a5f68">{}</span>')
_CROSS = Markup('<b class="f" style="color:#a3140a">\N{BALLOT X}</b> ')
_TABLE = Markup(
    '<table cellpadding="3" cellspacing="0" border="0"{} style="border-collapse:collapse;font-size:inherit;'
    'margin:0 0 10px">\n{}</table>\n'
)
_ROW = Markup('<tr valign="top"{}>{}{}</tr>\n')
_OWN = Markup(' class="o" style="background:#fff4cc"')
_LABEL = Markup('<th scope="row" align="left"{} style="{}">{}{}</th>')
_WIDE, _THIRD = Markup(' width="100%"'), Markup(' width="30%"')
_ROWSPAN = Markup(' rowspan="{}"')
_CELL, _WIDE_CELL = Markup("<td>{}</td>"), Markup('<td colspan="{}">{}</td>')
# A label is broken between its words alone, a short one (`* BUD`) not at all.
_NAME, _SHORT_NAME = "word-break:normal;overflow-wrap:normal", "white-space:nowrap"
_MIDDLE_CELL = Markup(f'<td style="{_NAME}">{{}}</td>')
_WRITTEN = f"{_NAME};font:14px/1.6 monospace"
_SWATCH = Markup(
    '<span style="display:inline-block;width:13px;height:13px;border:1px solid #888;background:{}">&nbsp;</span> '
)
# What the page alone says.
_ASIDE = Markup('<div class="x">\n{}</div>\n')
_BUTTON = Markup(
    '<p style="margin:10px 0"><a class="a" href="{}" style="display:inline-block;background:#1f4f96;color:#fff;'
    'padding:9px 13px;border-radius:6px;text-decoration:none;white-space:nowrap">{}</a></p>\n'
)
_LINKS = Markup('<p class="l" style="margin:10px 0;line-height:2">\n{}</p>\n')
_LINK = Markup('<a class="n" href="{}" style="color:#1a56a8;margin-right:14px;white-space:nowrap">{}</a>\n')


def page_of(text: str) -> str:
    """Return the page of a text, with an empty title; "" if mail programs would cut it."""
    layout = environment().get_template(f"{PAGES}_page{PAGE_SUFFIX}")
    page = layout.render(content=content_of(text))
    return page if len(page.encode()) <= LONGEST_PAGE else ""


def in_ascii(page: str) -> str:
    """A page whose characters beyond ASCII are written as HTML knows them."""
    return page.encode("ascii", "xmlcharrefreplace").decode()


def content_of(text: str) -> Markup:
    """Return all that the page of a text says."""
    lines = [*_continued([*map(read, marked(text).split("\n"))])]
    if not any(line.kind == "title" for line in lines):
        lines = [*_with_title(lines)]
    if not any(line.kind == "pictures" for line in lines):
        last = max((number for number, line in enumerate(lines) if line.kind == "title"), default=-1)
        lines.insert(last + 1, Line("pictures"))
    heads = [line.text for line in lines if line.kind == "programs" and line.text.startswith(":: Judge")]
    programs: list[Line] = []
    if len({*heads}) == 1:
        programs = [*dict.fromkeys(line for line in lines if line.kind == "programs")]
        lines = [line for line in lines if line.kind != "programs"]
    return _Page().content([*lines, *programs])


def _with_title(lines: Sequence[Line]) -> Iterator[Line]:
    """Make the first sentence a title, or the first line if it is short."""
    found = False
    for line in lines:
        if found or line.kind not in ("text", "plain", "lead", "section"):
            yield line
            continue
        found = True
        verdict, *rest = [line.text] if len(line.text) <= _VERDICT else _SENTENCE_END.split(line.text, maxsplit=1)
        yield Line("title", (), (verdict,))
        yield from (Line(line.kind, (), (more,)) for more in rest)


def _said(text: str) -> Markup:
    """Return a text with its arrows, and with its marks of failure as a sign."""
    marks = _MARKS.search(text)
    told = escape(_arrows(text[: marks.start()] if marks else text))
    return told + _FAILED.format(marks[1]) if marks else told


def _arrows(text: str) -> str:
    return text.replace("->", "\N{RIGHTWARDS ARROW}")


# Kinds of lines that are one block where they follow each other.
_BLOCKS = {"plain": "text", "said": "quoted", "row": "table", "laid": "table", "rule": "table"}


class _Page:
    """Renders the lines of a page from its beginning to its end; knows the colors of the powers that were named."""

    def __init__(self) -> None:
        self._colors: dict[str, str] = {}
        self._own: set[str] = set()
        self._is_in_section = False
        self._kinds: Mapping[str, Callable[[Sequence[Line]], Markup]] = {
            "text": self._paragraph,
            "table": self._table,
            "quoted": self._quoted,
            "colors": self._know,
            "aside": lambda lines: _ASIDE.format(self.content([Line(one.how[0], (), one.cells) for one in lines])),
            "title": lambda lines: _each(_TITLE, lines),
            "section": self._section,
            "part": lambda lines: Markup().join(_PART.format(2 + self._is_in_section, line.text) for line in lines),
            "lead": lambda lines: _each(_LEAD, lines),
            "alarm": lambda lines: _each(_ALARM, lines),
            "item": lambda lines: _each(_ITEM, lines),
            "point": lambda lines: _LIST.format(_each(_POINT, lines, 2)),
            "code": lambda lines: _CODE.format("\n".join(line.text.removeprefix("    ") for line in lines)),
            "chart": lambda lines: _CHART.format("\n".join(line.text for line in lines)),
            "press": lambda lines: _PRESS.format("\n".join(line.text for line in lines)),
            "programs": lambda lines: _PROGRAMS.format("\n".join(line.text for line in lines)),
            "button": lambda lines: Markup().join(_BUTTON.format(*line.how) for line in lines if line.how),
            "links": lambda lines: Markup().join(_LINKS.format(_links(line.cells)) for line in lines),
            "pictures": lambda lines: PLACE,
            "gap": lambda lines: Markup(),
        }

    def content(self, lines: Sequence[Line]) -> Markup:
        """Return these lines as HTML."""
        blocks = groupby(lines, key=lambda line: str(_BLOCKS.get(line.kind, line.kind)))
        return Markup().join(self._kinds[kind](list(block)) for kind, block in blocks)

    def _know(self, lines: Sequence[Line]) -> Markup:
        for line in lines:
            self._own |= {*line.how}
            self._colors |= {name: colour for name, _, colour in (cell.partition("=") for cell in line.cells)}
        return Markup()

    def _section(self, lines: Sequence[Line]) -> Markup:
        self._is_in_section = True
        return _each(_SECTION, lines)

    def _paragraph(self, lines: Sequence[Line]) -> Markup:
        return _PARAGRAPH.format(Markup("\n").join(_said(line.text) for line in lines))

    def _quoted(self, lines: Sequence[Line]) -> Markup:
        """Put lines of a letter, each with what is said of it, into a box."""
        told: list[Markup] = []
        for before, line in pairwise([lines[0], *lines]):
            if line.kind == "quoted":
                told.append(_QUOTED.format(line.text))
            else:
                is_first = before.kind == "quoted" and line.how == ("error",)
                told.append(_CROSS * is_first + _said(line.text.removeprefix("  ")))
        return _PRESS.format(Markup("\n").join(told))

    def _table(self, lines: Sequence[Line]) -> Markup:
        """Put rows into a table; rows that follow each other have their label once."""
        rows = _rows(lines)
        names = [cells[0].strip() for cells in rows]
        style = _SHORT_NAME if max(map(len, names), default=0) <= _SHORT else _NAME
        across = max(map(len, rows), default=0) - 1
        told = Markup()
        for label, same in groupby(rows, key=lambda cells: cells[0]):
            own_rows = [_cells(cells[1:], across) for cells in same]
            own = _OWN if _name(label) in self._own else ""
            if not label.strip():
                told += Markup().join(_ROW.format(own, _CELL.format(""), cells) for cells in own_rows)
                continue
            told += _ROW.format(own, self._label(label, len(own_rows), style), own_rows[0])
            told += Markup().join(_ROW.format(own, "", cells) for cells in own_rows[1:])
        # Tables of powers have their columns one below the other.
        is_of_powers = not self._colors.keys().isdisjoint(map(_name, names))
        return _TABLE.format(_WIDE * is_of_powers, told)

    def _label(self, label: str, rows: int, style: str) -> Markup:
        """Return the label of so many rows, with the color of a power, or as code where it is to be copied."""
        name, colour = label.strip(), self._colors.get(_name(label))
        size = _ROWSPAN.format(rows) if rows > 1 else Markup()
        if colour:
            return _LABEL.format(size + _THIRD, _NAME, _SWATCH.format(colour), name)
        return _LABEL.format(size, _WRITTEN if label.startswith("    ") else style, "", name)


def _name(label: str) -> str:
    """Return the power that a label names, if it names one."""
    return label.strip().removesuffix(":")


def _continued(lines: Sequence[Line]) -> Iterator[Line]:
    """Join the lines of a paragraph, or of a point of a list, that a template has broken."""
    last = Line("gap")
    for line in lines:
        begins_apart = line.text.startswith(" ")
        if line.kind == "plain" and (last.kind == "point" if begins_apart else last.kind == "plain"):
            last = Line(last.kind, (), (f"{last.text} {line.text.strip()}",))
            continue
        yield last
        last = line
    yield last


def _rows(lines: Sequence[Line]) -> list[list[str]]:
    """Return the cells of each row; text below the text of a row that was laid out by hand goes on with it."""
    rows: list[list[str]] = []
    for line in lines:
        if line.kind == "laid" and rows and not line.text.strip():
            rows[-1][-1] += f" {line.cells[1].strip()}"
        elif line.kind != "rule":
            rows.append([*line.cells])
    return rows


def _cells(texts: Sequence[str], across: int) -> Markup:
    """Return the cells after a label, the last one as wide as all that are left."""
    *cells, last = texts or [""]
    left = across - len(cells)
    end = _WIDE_CELL.format(left, _said(last.strip())) if left > 1 else _CELL.format(_said(last.strip()))
    return _each_of(_MIDDLE_CELL, cells) + end


def _each_of(form: Markup, texts: Sequence[str]) -> Markup:
    return Markup().join(form.format(_said(text.strip())) for text in texts)


def _each(form: Markup, lines: Sequence[Line], begin: int = 0) -> Markup:
    """Return each line in the same form, without the sign with which it begins."""
    return _each_of(form, [line.text[begin:] for line in lines])


def _links(cells: Sequence[str]) -> Markup:
    return Markup().join(_LINK.format(link, name) for link, name in zip(cells[::2], cells[1::2], strict=True))
