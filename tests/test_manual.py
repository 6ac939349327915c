"""The documents can be followed: emails, commands, shell lines and settings that they show are ones that work."""

import re
import shlex
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from judge.commands.command_table import COMMANDS, READER
from judge.commands.core.command import Command, Place
from judge.shell.cli import judge
from judge.shell.cli import main as run
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted

ROOT = Path(__file__).resolve().parent.parent
# Pages whose code blocks are emails to the judge.
MANUAL = (*(ROOT / "docs" / name for name in ("players.md", "masters.md", "faq.md")), ROOT / "README.md")
PAGES = [path for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")) if path.name != "CHANGELOG.md"]
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
RECORDED = re.compile(r"<!-- email: .*?<!-- end of email -->", re.DOTALL)
BLOCK = re.compile(r"(?:^ {4,}\S.*\n(?:\n(?= {4}))?)+", re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
EMAIL = re.compile(r"(REGISTER|CREATE|SIGNON|LIST|OBSERVE)\b")
FIRST_WORDS = {name.split()[0] for command in COMMANDS for name in command.names}
COMMAND = re.compile(r"[A-Z]{3,} ?[^.…]*")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^):\s]*)#([^)\s]+)\)")
SETTING = re.compile(r"`\[(\w+)\] (\w+)(?: = [^`]*)?`")


def blocks(path: Path) -> Iterator[str]:
    """The code blocks that people wrote: not the emails copied from transcripts."""
    for block in BLOCK.findall(RECORDED.sub("", path.read_text(encoding="utf-8"))):
        yield re.sub(r"^ +", "", block, flags=re.MULTILINE)


def test_emails_in_the_manual_do_what_they_say(tmp_path: Path):
    """Each is accepted in one of the situations of a first year; what it asks of a password is filled in."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"})
    desk.seat_seven("heron")
    emails = {block for path in MANUAL for block in blocks(path) if EMAIL.match(block)}
    assert len(emails) > 15
    left = _refused(desk, _refused(desk, emails), "swan")
    desk.writes("kim@example.org", "CREATE ?crane gm standard")
    left = _refused(desk, left, "crane")
    desk.writes("jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON ?crane secret")
    left = _refused(desk, left, "crane", "jo@example.org")
    desk.writes("kim@example.org", "CREATE ?owl gm standard SOLO")
    left = _refused(desk, left, "owl")
    full = DeskAtWork(tmp_path / "full", "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"})
    full.seat_seven("heron")
    for name, all_hold in ALL_HOLD.items():
        full.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{all_hold}")
    left = _refused(full, left)
    for orders in ("A MUN - RUH; A BER - MUN", "A RUH - BUR; A MUN S A RUH - BUR"):
        desk.writes("germany@example.org", f"SIGNON Gheron pwgermany\n{orders}")
        desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR; A MAR - SPA; F BRE - MAO; F MAO - POR")
        desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
        left = _refused(desk, left)
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA BUR - GAS")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! F1901R")
    left = _refused(desk, left)
    assert not left, "\n---\n".join(left)


def _refused(desk: DeskAtWork, emails: set[str], game: str = "heron", newcomer: str = "ann@example.org") -> set[str]:
    """Those of the emails that the judge would not carry out as they stand."""
    who = {"M": ("kim@example.org", "gm"), "F": ("france@example.org", "pwfrance")}
    refused = set()
    for email in emails:
        seat = re.search(r"SIGNON (\w)(?:heron|owl) (\S+)", email)
        sender, password = who[seat[1]] if seat else (newcomer, "secret")
        text = email.replace("their-password", "secret").replace("my-password", "secret").replace("Your Name", "Ann")
        text = re.sub(r"^(SIGNON \w(?:heron|owl)) \S+", rf"\1 {password}", text).replace("heron", game)
        mails = desk.would_write(sender, text, headers=VERIFIED)
        if any(_complains(mail) for mail in mails if mail.to == sender and mail.answers):
            refused.add(email)
    return refused


def _complains(reply: Posted) -> bool:
    quoted = re.findall(r"^> .*\n {2}(?!note:|\|)(.*)", reply.text, re.MULTILINE)
    return bool(quoted) or "found no command" in reply.text


def test_the_tutorial_makes_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its three files have no mistakes, and its shell lines check and draw the board."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_JUDGE_VARIANTS", "own")
    page = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    tutorial = page.partition("## Your first variant")[2].partition("\n## ")[0]
    Path("own/twokings").mkdir(parents=True)
    for step in re.split(r"^\d\. ", tutorial, flags=re.MULTILINE)[1:]:
        code = "".join(f"{line}\n" for line in re.findall(r"^ {8}(.*)$|^$", step, re.MULTILINE))
        if file := re.search(r"`(own/twokings/\w+\.\w+)`", step):
            Path(file[1]).write_text(code, encoding="utf-8")
        for line in re.findall(r"^judge (variants .*)$", code, re.MULTILINE):
            assert not run(line.split())
    assert Path("own/twokings/geometry.json").is_file()


def test_commands_in_the_manual_are_those_of_the_judge():
    lobby, game = (Place.OPENING, Place.LOBBY, Place.ANYWHERE), (Place.OPENING, Place.GAME, Place.ANYWHERE, Place.END)
    unknown = set()
    for path in MANUAL:
        for line in INLINE.findall(path.read_text(encoding="utf-8")):
            if COMMAND.fullmatch(line) and line.split()[0] in FIRST_WORDS:
                one, *more = line.split(", ") if line.startswith("SET ") else [line]
                for said in (one, *(f"SET {setting}" for setting in more)):
                    calls = [READER.command(said, places) for places in (lobby, game)]
                    if not any(call and isinstance(call.command, Command) for call in calls):
                        unknown.add(f"{path.name}: {said}")
    assert not unknown


def test_shell_lines_are_commands_of_judge():
    unknown = {f"{path.name}: {line}" for path, line in _shell_lines() if not _is_known(shlex.split(line)[1:])}
    assert not unknown


def _shell_lines() -> Iterator[tuple[Path, str]]:
    for path in PAGES:
        text = RECORDED.sub("", path.read_text(encoding="utf-8"))
        for line in [*INLINE.findall(text), *(line for block in blocks(path) for line in block.splitlines())]:
            for piece in re.findall(r"(?:^|\| |-- |bin/)(judge [a-z][^|>#…;]*)", line):
                yield path, piece.replace("\\", "").strip()


def _is_known(words: list[str]) -> bool:
    """Whether these are a command with its options; arguments may be anything."""
    command: click.Command = judge
    for word in words:
        if word.startswith("--"):
            known = {name for one in (command, judge) for option in one.params for name in option.opts}
            if word.partition("=")[0] not in known | {"--help", "--version"}:
                return False
        elif isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
        elif command is judge and word[0].isalpha():
            return False
    return True


def test_make_targets_exist():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    make = re.compile(r"(?:`|^ {4})make (\w+)", re.MULTILINE)
    named = {(path.name, name) for path in PAGES for name in make.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 8
    assert not {(path, name) for path, name in named if name not in targets}


def test_settings_in_the_documents_exist():
    settings = ConfigParser(interpolation=None)
    settings.read(ROOT / "judge.ini", encoding="utf-8")
    named = {(path.name, *match) for path in PAGES for match in SETTING.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 8
    assert not {f"{page}: [{section}] {key}" for page, section, key in named if not settings.has_option(section, key)}


def test_every_page_is_in_the_navigation():
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    named = set(re.findall(r"([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert named - {f"{page}.md" for page in ("index", "contributing", "changelog")} == pages


def test_anchors_in_links_are_headings():
    def anchors(path: Path) -> set[str]:
        slugs = [re.sub(r"[^\w\- ]", "", title.lower()).strip() for title in HEADING.findall(path.read_text("utf-8"))]
        return {slug.replace(" ", "-") for slug in slugs}

    links = [(path, *match) for path in PAGES for match in LINK.findall(path.read_text(encoding="utf-8"))]
    assert links
    assert not {
        f"{path.name}: {page}#{anchor}"
        for path, page, anchor in links
        if anchor not in anchors(path.parent / page if page else path)
    }


def test_changes_are_lines_under_the_usual_headings():
    """A line a change, at most 110 characters; the headings are those of keepachangelog.com."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "\n## Unreleased\n" in text
    headings = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", text, re.M)) <= headings
    assert not [line for line in re.findall(r"^- (.*)$", text, re.M) if len(line) > 110]
