"""The Jinja environment of all mails: plain text, and HTML in which every text is escaped; unknown names are errors."""

import re
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined

from judge.mails.layout import COLUMNS, laid_out, parted
from judge.mails.pages import PAGE_FILTERS, Form
from judge.mails.views import Block
from judge.rules.board.names import listed

_PACKAGE = Path(__file__).resolve().parent.parent
# The folder of our own templates: next to the package in a checkout, inside of it in an installed wheel.
TEMPLATES = _PACKAGE / "templates" if (_PACKAGE / "templates").is_dir() else _PACKAGE.parent / "templates"
# The folder of the templates of pages, and the ending of their names.
PAGES = "html/"
PAGE_SUFFIX = ".html.j2"

# Not strftime's %a and %b: those depend on the locale, but programs read these lines.
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# The most characters of a line's margin, which is repeated when the line is broken: indentation and quote marks.
_MARGIN = 36
# Keep an order on one line, however long, and a power's numbers: programs read no further. A list of units may be
# broken.
_ORDER = re.compile(r"[^\s:>][^:]{0,40}: +(?:Army|Fleet|Builds|Removes|Defaults|\d+ Supply)\b(?!.*, (?:Army|Fleet) )")
# An order in short form within a sentence, as a reader may copy it: A VIE S A BUD - RUM.
_SHORT_ORDER = re.compile(
    r"\b[AF] \w{3,4}(?:/\w\w)?(?: [SC] [AF] \w{3,4}(?:/\w\w)?(?: - \w{3,4}(?:/\w\w)?)?| - \w{3,4}(?:/\w\w)?)"
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
_LOOKS = str.maketrans(
    {"\u115f": "", "\u1160": "", "\u2800": " "}
    | dict(zip("АВСЕНІЈКМОРЅТУХасеіјорѕухΑΒΕΗΙΚΜΝΟΡΤΥΧο", "ABCEHIJKMOPSTYXaceijopsyxABEHIKMNOPTYXo", strict=True))
)
# Categories of characters that are invisible, or only a mark on another letter.
_UNSEEN = {"Cc", "Cf", "Mn"}
_GAP = re.compile(r"(?<=\S)\s+")
_MAIL_HEADER = re.compile(r".{0,9}?(?:date|subject):", re.IGNORECASE)


@lru_cache
def environment() -> Environment:
    """The environment of this installation's templates, which are read only once."""
    return make_environment(FileSystemLoader(TEMPLATES), auto_reload=False)


def make_environment(loader: BaseLoader, auto_reload: bool) -> Environment:
    """The environment of the templates of `loader`; `auto_reload`: ask it each time whether a template has changed."""
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
        in_a_row=listed, laid_out=laid_out, parted=parted, **PAGE_FILTERS,
    )  # fmt: skip
    return jinja


def text_page(text: str, judge: object = None, forms: Sequence[Form] = ()) -> str:
    """The page of a mail of `judge` whose text has none of its own; `forms`: the letters that the text asks for."""
    return environment().get_template("html/_text.html.j2").render(text=text, judge=judge, forms=forms)


def wrap(text: str, columns: int = COLUMNS) -> str:
    """Break longer lines at spaces, except orders; the new lines keep the margin. No lines are joined."""
    lines = [(line, line[: len(line) - len(line.lstrip(" >"))][:_MARGIN]) for line in text.split("\n")]
    return "\n".join(_broken(line, margin, columns) for line, margin in lines)


def as_said(text: str, columns: int = COLUMNS) -> str:
    """Wrap text from another author, so that no line of it passes for the judge's own words.

    Lines that look like a heading of the judge are indented by two blanks; those that look like the header of a mail in
    a HISTORY by ten, so that no program takes them for one.
    """
    return "\n".join(f"{_set_off(line)}{line}" for line in wrap(text, columns).split("\n"))


def _set_off(line: str) -> str:
    plain = _GAP.sub(" ", line if line.isascii() else _as_seen(line))
    if _MAIL_HEADER.match(plain):
        return " " * 10
    return "  " if _HEADING.match(plain) else ""


def _as_seen(line: str) -> str:
    """The line in the Latin letters for which a reader takes it."""
    plain = unicodedata.normalize("NFKC", line).translate(_LOOKS)
    return "".join(sign for sign in plain if unicodedata.category(sign) not in _UNSEEN)


def column(labels: Iterable[str], least: int) -> int:
    """The width of a column of labels, each followed by a colon and a blank."""
    return max([least, *(len(label) + 2 for label in labels)])


def own_first(blocks: Iterable[Block[object]], own: Collection[str]) -> list[Block[object]]:
    """Sort the blocks of groups and the powers of each: those that the reader owns come first."""
    return [
        Block(block.title, sorted(block.entries, key=lambda entry: entry[0] not in own))
        for block in sorted(blocks, key=lambda block: block.title not in own)
    ]


def hang(line: str, indent: int, columns: int = COLUMNS) -> str:
    """Break a line at spaces if it is too long and not an order; all lines but the first are indented by `indent`."""
    return _broken(line, " " * indent, columns)


@lru_cache(maxsize=4096)
def when(moment: datetime, zone: str) -> str:
    """A moment in the zone with that IANA name, as judges write it: "Fri May 15 2026 21:00:00 +0200"."""
    if moment.utcoffset() is None:
        raise ValueError("a time without a time zone cannot be shown")
    there = moment.astimezone(ZoneInfo(zone))
    day = f"{_DAYS[there.weekday()]} {_MONTHS[there.month - 1]} {there.day} {there.year:04}"
    return f"{day} {there:%H:%M:%S %z}"


def day_and_time(moment: datetime, zone: str, now: datetime) -> str:
    """A moment as people say it: "Thu 00:30", with the date if another day of that name comes first."""
    there = moment.astimezone(ZoneInfo(zone))
    day = _DAYS[there.weekday()]
    if moment - now >= timedelta(days=6):
        day += f" {_MONTHS[there.month - 1]} {there.day}"
    return f"{day} {there:%H:%M}"


def utc(moment: datetime) -> str:
    """A moment for readers in any zone, short: "Fri 19:00 UTC"."""
    there = moment.astimezone(UTC)
    return f"{_DAYS[there.weekday()]} {there:%H:%M} UTC"


def _broken(line: str, margin: str, columns: int) -> str:
    """Break a line at spaces, but not within an order: its second half would look like a line of its own."""
    if len(line) <= columns or _ORDER.match(line):
        return line
    tied = line if _TIE in line else _SHORT_ORDER.sub(lambda order: order[0].replace(" ", _TIE), line)
    filled = textwrap.fill(tied, columns, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False)
    return filled if tied is line else filled.replace(_TIE, " ")
