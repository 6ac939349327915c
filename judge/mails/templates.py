"""Render the templates of all mails and of the public pages.

A template of a mail gives each line its kind (judge/mails/blocks.py), from which both text and HTML page are made. A
name that is not defined is an error.

Templates in the keeper's own folder replace ours of the same name. Every mail is sent, whatever is in that folder. If a
keeper's template cannot be used, or fails while a mail is written, our template is used. Changed files take effect
immediately. `templates/variables.toml` lists the variables of each template.
"""

import difflib
import logging
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, time, timedelta
from email.utils import format_datetime
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, meta, nodes
from markupsafe import Markup, escape

from judge.mails import blocks, forms
from judge.mails.blocks import Written
from judge.mails.languages import Languages, language_faults, languages_in
from judge.mails.views import Block
from judge.rules import counted, listed
from judge.rules.mechanisms.files import Mistake
from judge.rules.variant.registry import stamp_of
from judge.store.tables import NEVER

log = logging.getLogger(__name__)

# From this hour on, a time of the same day is "tonight".
_EVENING = 18
_PACKAGE = Path(__file__).resolve().parent.parent
# The folder of our own templates. The folder is next to the package in a checkout, and inside the package in an
# installed wheel.
TEMPLATES = _PACKAGE / "templates" if (_PACKAGE / "templates").is_dir() else _PACKAGE.parent / "templates"
# The folder with the templates of pages, and the file name extensions of texts and of pages.
PAGES = "html/"
SUFFIX, PAGE_SUFFIX = ".txt.j2", ".html.j2"
VARIABLES_FILE = "variables.toml"
# The outcome at the end of an order's line, and the sign for it on a page.
_MARKS = re.compile(r"  \(\*([^*]+)\*\)$")
# The blanks within "A PAR - BUR" and "St. Louis", at which a line of a page must not be broken.
_TIED = re.compile(r"(?:(?<=\b[AF])|(?<=[->])) (?=[A-Z]\w{2,3}\b)| (?=- [A-Z]\w{2,3}\b)|(?<=\bSt\.) ")
# Browsers break a line between a hyphen and a no-break space, unless a word joiner is there.
_AFTER_HYPHEN = "-\N{NO-BREAK SPACE}", "-\N{WORD JOINER}\N{NO-BREAK SPACE}"
# The first sign of "-MTWTF-" and of "?heron", after which browsers break a line too.
_LEADING_SIGN = re.compile(r"(?<![\w-])[-?](?=[\w<])")
# An address. If it has no room on a line, it begins the next one, and is broken only after its "@".
_ADDRESS = re.compile(r"&lt;([^\s&@]+@)([^\s&@]+)&gt;")
_WHOLE = r'<span style="display:inline-block">&lt;\1<wbr>\2&gt;</span>'
_FAILED = Markup(' <b class="f" style="color:#a3140a;white-space:nowrap">\N{BALLOT X} {}</b>')


@lru_cache(maxsize=4)
def environment(theirs: Path | None = None, state: Collection[object] = ()) -> Environment:
    """Return the Jinja environment of our templates and of the keeper's, which come first.

    Our templates are read only once. `state` has the names of the keeper's files, each with a value that changes when
    the file changes.
    """
    jinja = Environment(
        loader=FileSystemLoader([theirs, TEMPLATES] if theirs else TEMPLATES, encoding="utf-8-sig"),
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(PAGE_SUFFIX),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    filters = (forms.button, forms.links, said, unbroken, when, utc, column, own_first)
    jinja.filters.update(blocks.FILTERS, in_a_row=listed)
    jinja.filters.update({one.__name__: one for one in filters})
    jinja.globals["pictures"] = str(blocks.Line("pictures"))
    return jinja


def column(labels: Iterable[str], least: int) -> int:
    """Return the width of a column of labels, each followed by a colon and a blank."""
    return max([least, *(len(label) + 2 for label in labels)])


def own_first(blocks: Iterable[Block], own: Collection[str]) -> list[Block]:
    """Sort groups, and the powers of each group, so that the reader's own come first."""
    return [
        Block(block.title, sorted(block.entries, key=lambda entry: entry[0] not in own))
        for block in sorted(blocks, key=lambda block: block.title not in own)
    ]


def when(moment: datetime, zone: str) -> str:
    """Return a moment in a time zone, such as "Fri May 15 2026 21:00:00 +0200".

    `zone` is an IANA name. Returns "none" for the moment NEVER.
    """
    if moment >= NEVER:
        return "none"
    if moment.utcoffset() is None:
        raise ValueError("a time without a time zone cannot be shown")
    day, number, month, year, clock, offset = _date_parts(moment, zone)
    return f"{day} {month} {int(number)} {year} {clock} {offset}"


def day_and_time(moment: datetime, zone: str, now: datetime) -> str:
    """Return a moment like "Thu 00:30", or with its date if it is at least six days away."""
    said = day_and_clock(moment, zone)
    if moment - now >= timedelta(days=6):
        return said
    day, _, _, clock = said.split()
    return f"{day} {clock}"


def day_and_clock(moment: datetime, zone: str) -> str:
    """Return a moment with its date, like "Mon Dec 7 21:00"."""
    day, number, month, _, clock, _ = _date_parts(moment, zone)
    return f"{day} {month} {int(number)} {clock[:5]}"


def when_in_words(moment: datetime, zone: str, now: datetime) -> str:
    """Return a moment with "today", "tonight" or "tomorrow" after it, if it is near.

    An example is "Sat Nov 28 2026 23:30:00 +0100 (tonight)".
    """
    here, local = now.astimezone(ZoneInfo(zone)), moment.astimezone(ZoneInfo(zone))
    is_midnight = local.time() == time(0)
    # Midnight belongs to the day that it ends.
    days = (local.date() - here.date()).days - is_midnight
    today = "tonight" if is_midnight or local.hour >= _EVENING else "today"
    day = {0: today, 1: "tomorrow"}.get(days, "") + " at midnight" * is_midnight
    return f"{when(moment, zone)} ({day})" if days in (0, 1) else when(moment, zone)


def time_left(now: datetime, until: datetime) -> str:
    """Return the time left in its two largest units, like `1 day 4 hours`.

    Returns "" if there is no end.
    """
    if until >= NEVER:
        return ""
    seconds = max(0, int((until - now).total_seconds()))
    if seconds < 60:
        return counted(seconds, "second")
    parts = [(seconds // 86400, "day"), (seconds // 3600 % 24, "hour"), (seconds // 60 % 60, "minute")]
    return " ".join([counted(number, noun) for number, noun in parts if number][:2])


def said(text: str) -> Markup:
    """Return a line as HTML, with arrows for `->`, a sign for a failed order, and addresses that stay whole."""
    failed = Markup()
    if marks := _MARKS.search(text):
        text, failed = text[: marks.start()], _FAILED.format(marks[1])
    line = str(escape(unbroken(text).replace("->", "\N{RIGHTWARDS ARROW}")))
    return Markup(_ADDRESS.sub(_WHOLE, line)) + failed


def unbroken(text: str) -> str:
    """Return a line of a page in which no unit, no move, no "St. Louis" and no "?heron" is broken."""
    tied = _TIED.sub("\N{NO-BREAK SPACE}", text).replace(*_AFTER_HYPHEN)
    return _LEADING_SIGN.sub("\\g<0>\N{WORD JOINER}", tied)


def utc(moment: datetime) -> str:
    """Return a moment in a short form for readers in any time zone, like "Fri 19:00 UTC"."""
    day, *_, clock, _ = _date_parts(moment, "UTC")
    return f"{day} {clock[:5]} UTC"


def _date_parts(moment: datetime, zone: str) -> list[str]:
    """Return the weekday, day, month, year, clock time and offset of a moment.

    Programs read these parts, so they must not depend on the locale, as the result of strftime does.
    """
    return format_datetime(moment.astimezone(ZoneInfo(zone))).replace(",", "").split()


# --- the keeper's own templates ---


class Texts:
    """Renders the keeper's templates, or our own if a template of the keeper cannot be used."""

    def __init__(self, folder: Path | None):
        self._folder = folder
        self._told: set[tuple[object, ...]] = set()

    def render(self, template: str, **context: object) -> Written:
        """Return the text of a template by its name ("results"), without line ends at its end."""
        return Written(self._rendered(f"{template}{SUFFIX}", context).rstrip("\n"))

    def page(self, template: str, **context: object) -> Markup:
        """Return the HTML page of a template by its name."""
        return Markup(self._rendered(f"{PAGES}{template}{PAGE_SUFFIX}", context))

    def languages(self) -> Languages:
        """Return the languages in which newcomers write."""
        return languages_in(TEMPLATES, self._folder)

    def _rendered(self, name: str, context: dict[str, object]) -> str:
        ours, folder = environment(), self._folder
        if folder is None:
            return ours.get_template(name).render(context)
        # Copy iterators, since our template needs their values again if the keeper's template fails half-way.
        context = {key: list(value) if isinstance(value, Iterator) else value for key, value in context.items()}
        try:
            theirs = environment(folder, tuple((one, stamp_of(folder / one)) for one in _templates_in(folder)))
            return theirs.get_template(name).render(context)
        except Exception as error:
            # If our template fails too, the keeper's template is not at fault.
            text = ours.get_template(name).render(context)
            self._tell(folder, name, error)
            return text

    def _tell(self, folder: Path, name: str, error: Exception) -> None:
        """Log where a template failed, once for each place until the file changes.

        The text of the error is not logged, since it may contain a password. The line of the template is enough.
        """
        frames = [one for one in extract_tb(error.__traceback__) if Path(one.filename).is_relative_to(folder)]
        path, line, at = folder, 0, ""
        if frames:  # without frames, our template failed, since it imports a name that the keeper's lacks
            path, line, at = Path(frames[-1].filename), frames[-1].lineno or 0, f" at {(frames[-1].line or '')[:100]}"
        known = (name, path, line, stamp_of(path))
        if known not in self._told:
            self._told.add(known)
            broken = Mistake(path, line, f"{type(error).__name__}{at}")
            log.error("%s; a mail (%s) was written with the judge's own templates", broken, _bare(name))


def template_faults(folder: Path) -> list[Mistake]:
    """Return all mistakes in the keeper's folder of templates, by file and line."""
    if not folder.is_dir():
        return [Mistake(folder, 0, "there is no such folder")]
    checked = {name: _checked(folder, name) for name in _templates_in(folder)}
    used = set().union(*(included for _, included in checked.values()))
    found = []
    for name, (faults, _) in checked.items():
        if name not in _our_names() and name not in used:
            why = f"no email has a template with that name{_meant(name, _our_names())}"
            found.append(Mistake(folder / name, 0, why))
        found += faults
    return [*found, *language_faults(folder)]


def _unknown_uses(jinja: Environment, tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Yield (line, mistake) for each use of an unknown filter or test."""
    for kind, uses, known in (("filter", nodes.Filter, jinja.filters), ("test", nodes.Test, jinja.tests)):
        for node in tree.find_all(uses):
            if node.name not in known:
                yield node.lineno, f"there is no {kind} {node.name}{_meant(node.name, known)}"


def _included(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for each template that this one always includes."""
    for node in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        other = getattr(getattr(node, "template", None), "value", None)
        if isinstance(other, str) and not getattr(node, "ignore_missing", False):
            yield node.lineno, other


def _checked(folder: Path, name: str) -> tuple[list[Mistake], set[str]]:
    path, included = folder / name, set[str]()
    try:
        wrong = _wrong_in(folder, name, included)
    except OSError as error:
        wrong = {(0, f"cannot be read: {error.strerror}")}
    except UnicodeDecodeError as error:
        wrong = {(error.object.count(b"\n", 0, error.start) + 1, "not UTF-8")}
    except TemplateSyntaxError as error:
        wrong = {(error.lineno, (error.message or "cannot be read").rstrip("."))}
    except Exception as error:
        wrong = {(0, f"cannot be used ({type(error).__name__})")}
    return [Mistake(path, line, what) for line, what in sorted(wrong)], included


def _wrong_in(folder: Path, name: str, included: set[str]) -> set[tuple[int, str]]:
    """Return the mistakes in a readable template.

    The templates that it includes are added to `included`.
    """
    text = (folder / name).read_text("utf-8-sig")
    jinja = environment()
    tree = jinja.parse(text, name)
    # Check filters first, since Jinja cannot list the variables of a template with an unknown filter.
    wrong = {*_unknown_uses(jinja, tree)} or {*_unknown_variables(name, tree)}
    if not wrong:
        jinja.compile(text, name)
    for line, other in _included(tree):
        included.add(other)
        if other not in _our_names() and not (folder / other).is_file():
            wrong.add((line, f"there is no template {other}{_meant(other, _our_names())}"))
    return wrong


def _unknown_variables(name: str, tree: nodes.Template) -> Iterator[tuple[int, str]]:
    given, names = variables_of(name), list(tree.find_all(nodes.Name))
    # Allow variables that are set only in a branch, though Jinja calls them undeclared. Only when a mail is written is
    # it known whether they are set.
    unknown = meta.find_undeclared_variables(tree) - {one.name for one in names if one.ctx != "load"}
    # Allow names that the page imports, since Jinja does not see them inside a block.
    imported = (one for found in tree.find_all(nodes.FromImport) for one in found.names)
    unknown -= {one if isinstance(one, str) else one[1] for one in imported}
    for one in names:
        if one.name in unknown - given - environment().globals.keys():
            yield one.lineno, f"there is no variable {one.name} here{_meant(one.name, given)}"


def variables_of(name: str) -> frozenset[str]:
    """Return the variables that a template may use.

    A template that others include may use all variables.
    """
    data = tomllib.loads((TEMPLATES / VARIABLES_FILE).read_text(encoding="utf-8"))
    always = data.pop("always").split()
    table = {template: frozenset([*always, *names.split()]) for template, names in data.items()}
    template = _bare(name)
    if template in table:
        return table[template]
    own = set()
    if name in _our_names():
        own = meta.find_undeclared_variables(environment().parse((TEMPLATES / name).read_text("utf-8")))
    return frozenset(own).union(*table.values())


@lru_cache(maxsize=1)
def _our_names() -> frozenset[str]:
    return frozenset(_templates_in(TEMPLATES))


def _templates_in(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for suffix in (SUFFIX, PAGE_SUFFIX) for path in folder.rglob(f"*{suffix}")
    )


def _bare(name: str) -> str:
    """Return the name of a template as it is in `variables.toml`."""
    return name.removesuffix(SUFFIX).removesuffix(PAGE_SUFFIX)


def _meant(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
