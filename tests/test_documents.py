"""The documents: pages made of the judge's own data are as it would make them now, and whatever is cited is there."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, generate_tokens

import pytest

from docs.generate import pages
from docs.other_judges import CHAPTERS
from judge.commands.ask.help import BY_NAME
from judge.commands.command_table import READER
from judge.commands.core.command import Command, Place
from judge.commands.master import game_settings
from judge.rules import load_variant
from judge.rules.variant.registry import built_in_names
from judge.rules.variant.variant import MECHANISMS, general_rulings
from tests.test_rooms import MAY_IMPORT, MODULES

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("judge", "tests", "templates", "variants", "docs", "deploy", ".ci")
SUFFIXES = {".py", ".md", ".toml", ".j2", ".txt", ".ini", ".cfg", ".sh", ".service", ""}
# A file of ours named by its path from the root, in whole.
FILE = re.compile(
    r"(?<![\w/.<-])((?:judge|tests|templates|variants|docs|deploy)/[\w./-]*\.(?:py|md|toml|j2|txt|sh|service))\b"
)
# No file of changelog.d/, which has two dots.
PAGE = re.compile(r"(?<![\w/.-])([\w-]+\.md)\b")
RULING = re.compile(r'rulings,\s+"([^"]+)"((?:\s+(?:and|to)\s+\d+|\s+\d+|,\s+\d+)*)', re.IGNORECASE)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
HELP_TOPIC = re.compile(r"\(HELP (\w+)\)")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
DATC = re.compile(r"\bDATC (\d\S*)")
# A section of something, as in brackets or after a paragraph sign.
SECTION = re.compile(r"\(([A-Za-z][\w&' -]*?),?\s+\d+\.\d[\d., and to]*[);:]")
PARAGRAPH = re.compile(r"(\S+)\s+§")
SHORT_NAMES = re.compile(r"\b(RFC|DATC|njudge|DPjudge|jDip|vDiplomacy|MS-OXCMAIL)\b")


@cache
def texts() -> dict[Path, str]:
    """Every text of the project but the conversations of its tests and their data, comment marks taken away."""
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    paths += [path for path in ROOT.iterdir() if path.is_file()]
    found = {}
    for path in paths:
        inside = path.relative_to(ROOT)
        known = path.suffix in SUFFIXES and "__pycache__" not in inside.parts and path.name != ".git"
        if known and inside.parts[:2] not in (("tests", "transcripts"), ("tests", "data")):
            found[inside] = re.sub(r"\n[ \t]*(?:#[: ]?|;|>)?[ \t]*", "\n", path.read_text(encoding="utf-8"))
    return found


def cited(pattern: re.Pattern[str]) -> Iterator[tuple[Path, re.Match[str]]]:
    """What the texts cite so, this file aside."""
    for path, text in texts().items():
        if path != Path("tests/test_documents.py"):
            yield from ((path, match) for match in pattern.finditer(text))


def remarks(path: Path) -> str:
    """The comments and the docstrings of a module, each on a line."""
    code = (ROOT / path).read_text(encoding="utf-8")
    said = [one.string.lstrip("# ") for one in generate_tokens(StringIO(code).readline) if one.type == COMMENT]
    inside = [node for node in ast.walk(ast.parse(code)) if isinstance(node, DOCUMENTED)]
    said += [ast.get_docstring(node) or "" for node in inside]
    return "\n".join(" ".join(text.split()) for text in said)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_a_page_that_is_made_is_as_it_would_be_made_now(path):
    assert path.read_text(encoding="utf-8") == pages()[path], "make docs writes it anew"


def test_a_package_is_described_without_what_an_index_cannot_follow():
    """As setup.py makes it of README.md."""
    text = subprocess.run([sys.executable, "setup.py", "--long-description"], cwd=ROOT, capture_output=True, text=True)
    assert "A referee for Diplomacy games" in text.stdout and "pip install 'diplomacy-judge" in text.stdout
    assert not re.findall(r"\]\((?!http)|^!\[|<!--", text.stdout, re.MULTILINE)


ROWS = [row for rows in CHAPTERS.values() for row in rows]


@pytest.mark.parametrize("line", sorted({line for row in ROWS for line in row.lines}))
def test_lines_of_other_judges_are_understood(line: str):
    """As a command, or as one that is refused by name; none is just any setting or order."""
    lobby, game = (Place.OPENING, Place.LOBBY, Place.ANYWHERE), (Place.OPENING, Place.GAME, Place.ANYWHERE)
    call = READER.command(line, lobby) or READER.command(line, game)
    assert call and call.command.handler is not game_settings.unknown_setting
    if any(row.here.startswith("refused") for row in ROWS if line in row.lines):
        assert not isinstance(call.command, Command), call.command.names


def test_files_that_are_named_are_there():
    named = list(cited(FILE))
    assert len(named) > 50
    assert not {f"{path} names {match[1]}" for path, match in named if not (ROOT / match[1]).is_file()}


def test_pages_that_are_named_are_there():
    """By name alone, as a paper outside the repository would be."""
    pages_there = {path.name for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]}
    assert not {f"{path} names {match[1]}" for path, match in cited(PAGE) if match[1] not in pages_there}


def test_links_between_pages_lead_somewhere():
    links = [(path, match[1]) for path, match in cited(LINK) if path.suffix == ".md" and "://" not in match[1]]
    assert len(links) > 20
    assert not {f"{path} links to {link}" for path, link in links if not (ROOT / path.parent / link).exists()}


def test_rulings_that_are_cited_are_there():
    boards = [load_variant(name) for name in built_in_names()]
    groups = [*general_rulings()]
    there = {(one.title.lower(), ruling.number) for one in groups for ruling in one.rulings}
    there |= {(board.title.lower(), ruling.number) for board in boards for ruling in board.rulings}
    found = [(path, match) for path, match in cited(RULING)]
    assert len(found) > 30
    for path, match in found:
        title, numbers = " ".join(match[1].split()), [int(number) for number in re.findall(r"\d+", match[2])]
        assert numbers, f"{path} cites no number of {title}"
        assert all((title.lower(), number) in there for number in numbers), f"{path} cites {title} {numbers}"


def test_every_ruling_has_a_number_of_its_own_below_its_title():
    boards = [load_variant(name) for name in built_in_names()]
    below = [(one.title, one.rulings) for one in general_rulings()]
    below += [(board.title, board.rulings) for board in boards]
    assert len({title for title, _ in below}) == len(below)
    for title, rulings in below:
        assert len({ruling.number for ruling in rulings}) == len(rulings), title
        assert all(ruling.says.endswith(".") and ruling.because.endswith((".", ")")) for ruling in rulings), title


def test_topics_that_are_cited_are_there():
    topics = list(cited(HELP_TOPIC))
    assert len(topics) > 10
    assert not {f"{path} cites HELP {match[1]}" for path, match in topics if match[1] not in BY_NAME}


def test_whatever_is_cited_by_a_short_name_is_named_in_full():
    sources = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip() for line in sources.splitlines() if line.startswith("| ")}
    wanted = {match[1] for _, match in cited(SHORT_NAMES)}
    assert "RFC" in wanted and wanted <= rows, wanted - rows
    rulebooks = {load_variant(name).title for name in built_in_names()} - {"Build Anywhere"}
    assert rulebooks <= rows, rulebooks - rows


def test_sections_that_are_cited_are_of_something_named_in_full():
    """Whatever a comment or docstring calls by a name and a section is a row of docs/sources.md."""
    sources = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip() for line in sources.splitlines() if line.startswith("| ")}
    modules = {path: text for path, text in texts().items() if path.suffix == ".py" and path.stem != "test_documents"}
    told = {path: remarks(path) for path, text in modules.items() if SECTION.search(text) or PARAGRAPH.search(text)}
    named = [(path, match[1]) for path, text in told.items() for match in SECTION.finditer(text)]
    assert len(named) > 5
    assert not {f"{path} cites {name}" for path, name in named if name not in rows and not name.startswith("RFC ")}
    signs = [(path, match[1]) for path, text in told.items() for match in PARAGRAPH.finditer(text)]
    assert not {f"{path} cites {name} §" for path, name in signs if name[-1].isalpha()}


def test_the_rooms_in_the_architecture_are_those_of_the_code():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `judge/(\w+)(?:/|\.py)` \|[^|]*\| ([^|]*) \|$", page, re.MULTILINE)
    assert {room: set(re.findall(r"`(\w+)`", may)) for room, may in rows} == MAY_IMPORT


def test_the_modules_in_the_architecture_are_those_of_the_code():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", page.partition("### rules")[0])
    assert len(named) > 40
    assert not {path for path in named if not ((ROOT / "judge" / path).exists() or (ROOT / path).exists())}


def test_whoever_answers_a_question_is_there():
    """The tables "question, who answers" and "order, where" of the architecture: each dotted name."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tables = page.partition("## One question, one place")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \| (.*) \|$", tables, re.MULTILINE)
    assert len(rows) > 40
    assert [question for question, answers in rows if "`judge." not in answers] == ["question", "---", "order", "---"]
    assert not [name for name in re.findall(r"`(judge\.[\w.]+)`", tables) if not is_there(name)]


def is_there(name: str) -> bool:
    """Return whether a dotted name is one of a module, or of something in one."""
    parts = name.split(".")
    length = next(at for at in range(len(parts), 0, -1) if ".".join(parts[:at]) in MODULES)
    found: object = importlib.import_module(".".join(parts[:length]))
    for part in parts[length:]:
        found = getattr(found, part, None)
    return found is not None


def test_examples_in_the_guide_for_contributors_are_true():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shortest = min(MECHANISMS, key=lambda one: len(inspect.getsource(one)))
    assert f"`{shortest.__name__}` in `{Path(inspect.getfile(shortest)).name}` is the shortest" in " ".join(
        page.split()
    )
    steps = ROOT / "judge" / "store" / "migrations"
    named = re.findall(r"`(\d{4}_\w+)`", page + (steps / "env.py").read_text(encoding="utf-8"))
    assert named and not [name for name in named if not (steps / "versions" / f"{name}.py").is_file()]


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=lambda path: path.stem)
def test_a_decision_says_why_what_follows_and_what_would_change_it(path):
    headings = re.findall(r"^## (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    if path.name == "README.md":
        listed = set(LINK.findall(path.read_text(encoding="utf-8")))
        assert listed >= {other.name for other in path.parent.glob("*.md")} - {"README.md"}
    else:
        assert headings == ["Context", "Decision", "Consequences", "What would change our mind"]
