"""The Jinja environment in which every mail is written: plain text, and pages of HTML in which every text is escaped;
strict about names that do not exist.
"""

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined

from judge.mails.pages import PAGE_FILTERS
from judge.mails.views import Block
from judge.resources import data_dir
from judge.rules.board.names import listed

COLUMNS = 78
# Where the templates of pages lie, and how their names end.
PAGES = "html/"
PAGE_SUFFIX = ".html.j2"

# Not strftime's %a and %b: those depend on the locale of the machine, but programs read these lines.
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# The beginning of a line that is repeated when the line is broken: indentation and quote marks.
_MARGIN = re.compile(r"[ >]{0,36}")
# An order stays on one line, however long, and so do a power's numbers: programs read so far and no further. A list of
# units may be broken.
_ORDER = re.compile(r"[^\s:>][^:]{0,40}: +(?:Army|Fleet|Builds|Removes|Defaults|\d+ Supply)\b(?!.*, (?:Army|Fleet) )")
# How lines begin or end by which readers and their programs recognise the judge's own words.
_HEADING = re.compile(
    r" ?(?:::|(?:Press|Broadcast)(?::| \(sent| from\b| to\b(?:.{50,}|.*:\s*$))"
    r"|(?:Movement|Retreat|Adjustment|Build)s? (?:results|orders) (?:for|of|in)\b"
    r"|Ownership of supply centers:|The following units were dislodged:|The next phase of\b|You have been selected as\b"
    r"|Starting position for\b|Status of the \w{1,20} phase\b)"
    r"|.*\(\w{1,20}\.\d{3}\)\s*$",
    re.IGNORECASE,
)
# Fillers, which are letters that nobody sees; a letter of Braille without dots; letters of other alphabets that look
# like ours.
_LOOKS = str.maketrans(
    {"\u115f": "", "\u1160": "", "\u2800": " "}
    | dict(zip("АВСЕНІЈКМОРЅТУХасеіјорѕухΑΒΕΗΙΚΜΝΟΡΤΥΧο", "ABCEHIJKMOPSTYXaceijopsyxABEHIKMNOPTYXo", strict=True))
)
# Of which nothing is seen, or only a mark on another letter.
_UNSEEN = {"Cc", "Cf", "Mn"}
_GAP = re.compile(r"(?<=\S)\s+")
_MAIL_HEADER = re.compile(r".{0,9}?(?:date|subject):", re.IGNORECASE)


@lru_cache
def environment() -> Environment:
    """The environment for the templates of this installation, which are read only once."""
    return make_environment(FileSystemLoader(data_dir("templates")), auto_reload=False)


def make_environment(loader: BaseLoader, auto_reload: bool) -> Environment:
    """The same for the templates of `loader`; `auto_reload`: whether the loader is asked each time if a template was
    changed.
    """
    jinja = Environment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(PAGE_SUFFIX),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=auto_reload,
    )
    jinja.filters.update(
        wrap=wrap, as_said=as_said, when=when, utc=utc, pad=str.ljust, hang=hang, column=column, own_first=own_first,
        listed=block_lines, in_a_row=listed, **PAGE_FILTERS,
    )  # fmt: skip
    return jinja


def wrap(text: str, columns: int = COLUMNS) -> str:
    """`text` with longer lines broken at spaces, except orders; the new lines keep the margin of the broken line.

    No lines are joined.
    """
    return "\n".join(_wrap_line(line, columns) for line in text.split("\n"))


def as_said(text: str, columns: int = COLUMNS) -> str:
    """Text from another author, wrapped; lines in it that look like a heading of the judge are indented by two blanks,
    those that look like the header of a mail in a HISTORY so far that no program takes them for one.
    """
    return "\n".join(f"{_set_off(line)}{line}" for line in wrap(text, columns).split("\n"))


def _set_off(line: str) -> str:
    plain = _GAP.sub(" ", line if line.isascii() else _as_seen(line))
    if _MAIL_HEADER.match(plain):
        return " " * 10
    return "  " if _HEADING.match(plain) else ""


def _as_seen(line: str) -> str:
    """The line in the letters that its reader takes it for."""
    plain = unicodedata.normalize("NFKC", line).translate(_LOOKS)
    return "".join(sign for sign in plain if unicodedata.category(sign) not in _UNSEEN)


def column(labels: Iterable[str], least: int) -> int:
    """The width of a column of labels, each followed by a colon and a blank."""
    return max([least, *(len(label) + 2 for label in labels)])


def own_first(blocks: Iterable[Block], own: str) -> list[Block]:
    """The blocks, with the reader's own group first; unchanged if that is "" or not among them."""
    return sorted(blocks, key=lambda block: block.title != own)


def block_lines(block: Block, indent: int) -> str:
    """What a block says of each power, a line each; `indent`: the column in which all begin behind the power's name.
    Here and not in the template, where these hundred lines of every mail take ten times as long.
    """
    powers = (
        "".join(f"{hang(f'{power}:'.ljust(indent) + line, indent)}\n" for line in lines)
        for power, lines in block.entries
    )
    return "\n".join([f"{block.title}\n"] * bool(block.title) + [*powers])


def hang(line: str, indent: int, columns: int = COLUMNS) -> str:
    """One line, broken at spaces if it is too long and no order; the lines after the first are indented by `indent`
    columns.
    """
    if len(line) <= columns or _ORDER.match(line):
        return line
    return textwrap.fill(
        line, columns, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )


@lru_cache(maxsize=4096)
def when(moment: datetime, zone: str) -> str:
    """An aware datetime in the zone with that IANA name, as judges write it: "Fri May 15 2026 21:00:00 +0200"."""
    if moment.utcoffset() is None:
        raise ValueError("a moment without a zone cannot be told to anybody")
    there = moment.astimezone(ZoneInfo(zone))
    day = f"{_DAYS[there.weekday()]} {_MONTHS[there.month - 1]} {there.day} {there.year:04}"
    return f"{day} {there:%H:%M:%S %z}"


def day_and_time(moment: datetime, zone: str, now: datetime) -> str:
    """The same, as short as people say it: "Thu 00:30"; with the date if there is a nearer day of that name."""
    there = moment.astimezone(ZoneInfo(zone))
    day = _DAYS[there.weekday()]
    if moment - now >= timedelta(days=6):
        day += f" {_MONTHS[there.month - 1]} {there.day}"
    return f"{day} {there:%H:%M}"


def utc(moment: datetime) -> str:
    """The same time for readers in any zone, short: "Fri 19:00 UTC"."""
    there = moment.astimezone(UTC)
    return f"{_DAYS[there.weekday()]} {there:%H:%M} UTC"


def _wrap_line(line: str, columns: int) -> str:
    if len(line) <= columns or _ORDER.match(line):
        return line
    margin = _MARGIN.match(line)
    assert margin is not None
    break_at_spaces = textwrap.TextWrapper(
        width=columns,
        initial_indent=margin[0],
        subsequent_indent=margin[0],
        break_long_words=False,
        break_on_hyphens=False,
    )
    return break_at_spaces.fill(line[margin.end() :])
