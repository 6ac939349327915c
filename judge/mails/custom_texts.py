"""The keeper's own mail texts: templates in the keeper's folder, each used instead of ours of the same name.

The page of a mail (html/results.html.j2) is a template of its own; that of a keeper's text is made of the text
(judge/mails/layout.py), unless the keeper wrote one. Every mail is sent, whatever is in that folder: if a template
cannot be used, ours is used until the keeper has corrected it; if one fails while a mail is written, that mail is
written with ours. Changed files take effect immediately. `templates/variables.toml` lists the variables of each
template.
"""

import difflib
import logging
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from jinja2 import FileSystemLoader, FunctionLoader, TemplateSyntaxError, meta, nodes
from markupsafe import Markup

from judge.mails.templates import PAGE_SUFFIX, PAGES, TEMPLATES, environment, make_environment
from judge.rules.mechanisms.files import Mistake
from judge.rules.variant.registry import stamp_of

log = logging.getLogger(__name__)

SUFFIX = ".txt.j2"
VARIABLES_FILE = "variables.toml"


class _Read(NamedTuple):
    """A template of the keeper: its text, its faults, and (line, name) of the templates to which it refers."""

    text: str
    faults: tuple[Mistake, ...]
    references: tuple[tuple[int, str], ...]


class Texts:
    """Renders templates: the keeper's, or ours where the keeper's cannot be used."""

    def __init__(self, folder: Path | None):
        self._folder = folder
        self._theirs = make_environment(FunctionLoader(partial(_source, folder)), auto_reload=True) if folder else None
        self._told: set[tuple[object, ...]] = set()

    def render(self, template: str, **context: object) -> str:
        """The text of the template of that name ("results")."""
        return self._rendered(f"{template}{SUFFIX}", context)

    def page(self, template: str, **context: object) -> Markup:
        """The page of the template of that name; "" if there is none for the text that is used."""
        return Markup(self._rendered(_page_name(template), context)) if self.has_page(template) else Markup()

    def has_page(self, template: str) -> bool:
        """Whether the text of that template has a page; a keeper's text has none but the keeper's."""
        name = _page_name(template)
        if name not in _our_names():
            return False
        if self._folder is None or not (self._folder / f"{template}{SUFFIX}").is_file():
            return True
        return (self._folder / name).is_file()

    def _rendered(self, name: str, context: dict[str, object]) -> str:
        ours = environment()
        if self._theirs is None:
            return ours.get_template(name).render(context)
        # A second template needs the iterators again if the keeper's fails half-way.
        context = {key: list(value) if isinstance(value, Iterator) else value for key, value in context.items()}
        try:
            return self._theirs.get_template(name).render(context)
        except Exception as error:
            text = ours.get_template(name).render(context)
            self._tell(name, error)
            return text

    def _tell(self, name: str, error: Exception) -> None:
        """Log where a template failed, once for each place in a file until the file changes.

        The text of the error is not logged, since it may contain a password; the line of the template is enough.
        """
        assert self._folder
        frames = [one for one in extract_tb(error.__traceback__) if Path(one.filename).is_relative_to(self._folder)]
        path, line, at = self._folder, 0, ""
        if frames:  # else the error is in ours: one of our templates imports a name that the keeper's lacks
            path, line, at = Path(frames[-1].filename), frames[-1].lineno or 0, f" at {(frames[-1].line or '')[:100]}"
        known = (name, path, line, stamp_of(path))
        if known not in self._told:
            self._told.add(known)
            broken = Mistake(path, line, f"{type(error).__name__}{at}")
            log.error("%s; a mail (%s) was written with the judge's own templates", broken, _bare(name))


def _source(folder: Path, name: str) -> tuple[str, str | None, Callable[[], bool]]:
    """The keeper's template if it can be used, otherwise ours; its file, and whether that is still so."""

    def seen() -> tuple[tuple[int, ...], bool]:
        return stamp_of(path), path.is_file() and not _faults(folder, name)

    path = folder / name
    before = seen()
    if before[1]:
        text, file = _read(path, name, before[0]).text, str(path)
    else:
        text, file, _ = FileSystemLoader(TEMPLATES).get_source(environment(), name)
    return text, file, lambda: seen() == before


def template_faults(folder: Path) -> list[Mistake]:
    """All faults in the keeper's folder of templates, by file and line."""
    if not folder.is_dir():
        return [Mistake(folder, 0, "there is no such folder")]
    names = _names_in(folder)
    named = {name for one in names for _, name in _read(folder / one, one, stamp_of(folder / one)).references}
    found = []
    for name in names:
        if name not in _our_names() and name not in named:
            why = f"no email has a template with that name{_meant(name, _our_names())}"
            found.append(Mistake(folder / name, 0, why))
        found += _faults(folder, name)
    return found


def _faults(folder: Path, name: str) -> list[Mistake]:
    """The faults of one template of the keeper; if there are any, ours is used."""
    path = folder / name
    read = _read(path, name, stamp_of(path))
    missing = [
        Mistake(path, line, f"there is no template {one}{_meant(one, _our_names())}")
        for line, one in read.references
        if one not in _our_names() and not (folder / one).is_file()
    ]
    return [*read.faults, *missing]


@lru_cache(maxsize=512)
def _read(path: Path, name: str, stamp: tuple[int, ...]) -> _Read:
    """The template in the file at `path`, read once for each change, `stamp`."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
        tree = environment().parse(text, name)
        # Filters first: Jinja cannot list the variables of a template with an unknown filter.
        wrong = set(_unknown_filters(tree)) or set(_unknown_variables(name, tree))
        if not wrong:
            environment().compile(text, name)
        faults = tuple(Mistake(path, line, what) for line, what in sorted(wrong))
        return _Read(text, faults, tuple(_references(tree)))
    except OSError as error:
        fault = Mistake(path, 0, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        fault = Mistake(path, data.count(b"\n", 0, error.start) + 1, "not UTF-8")
    except TemplateSyntaxError as error:
        fault = Mistake(path, error.lineno, (error.message or "cannot be read").rstrip("."))
    except Exception as error:
        fault = Mistake(path, 0, f"cannot be used ({type(error).__name__})")
    return _Read("", (fault,), ())


def _unknown_filters(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of each unknown filter or test."""
    jinja = environment()
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        known = jinja.filters if isinstance(node, nodes.Filter) else jinja.tests
        if node.name not in known:
            kind = "filter" if isinstance(node, nodes.Filter) else "test"
            yield node.lineno, f"there is no {kind} {node.name}{_meant(node.name, known)}"


def _unknown_variables(name: str, tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """(line, what is wrong) of each use of an unknown variable."""
    given, names = variables_of(name), list(tree.find_all(nodes.Name))
    # Allow variables that are set only in a branch, though Jinja calls them undeclared: only a mail shows whether they
    # are.
    unknown = meta.find_undeclared_variables(tree) - {one.name for one in names if one.ctx != "load"}
    # Allow names that the page imports: Jinja does not see them inside a block.
    imported = (one for found in tree.find_all(nodes.FromImport) for one in found.names)
    unknown -= {one if isinstance(one, str) else one[1] for one in imported}
    for one in names:
        if one.name in unknown - given - environment().globals.keys():
            yield one.lineno, f"there is no variable {one.name} here{_meant(one.name, given)}"


def _references(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """(line, name) of the other templates that the template always includes."""
    for node in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
        assert isinstance(node, nodes.Include | nodes.Import | nodes.FromImport | nodes.Extends)
        optional = isinstance(node, nodes.Include) and node.ignore_missing
        if isinstance(node.template, nodes.Const) and isinstance(node.template.value, str) and not optional:
            yield node.lineno, node.template.value


def variables_of(name: str) -> frozenset[str]:
    """The variables that a template may use: its own, or those of all templates if others include it."""
    table = _variables()
    template = _bare(name)
    if template in table:
        return table[template]
    own = set()
    if name in _our_names():
        source, _, _ = FileSystemLoader(TEMPLATES).get_source(environment(), name)
        own = meta.find_undeclared_variables(environment().parse(source))
    return frozenset(own).union(*table.values())


@lru_cache(maxsize=1)
def _variables() -> dict[str, frozenset[str]]:
    """{template: its variables}, from templates/variables.toml."""
    data = tomllib.loads((TEMPLATES / VARIABLES_FILE).read_text(encoding="utf-8"))
    always = data.pop("always").split()
    return {template: frozenset([*always, *names.split()]) for template, names in data.items()}


@lru_cache(maxsize=1)
def _our_names() -> frozenset[str]:
    return frozenset(_names_in(TEMPLATES))


def _names_in(folder: Path) -> list[str]:
    """The names of the templates in a folder: texts and pages."""
    found = (path for suffix in (SUFFIX, PAGE_SUFFIX) for path in folder.rglob(f"*{suffix}"))
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _page_name(template: str) -> str:
    return f"{PAGES}{template}{PAGE_SUFFIX}"


def _bare(name: str) -> str:
    """The name of a template as `variables.toml` has it."""
    return name.removesuffix(SUFFIX).removesuffix(PAGE_SUFFIX)


def _meant(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
