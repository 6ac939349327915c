"""Generate what documents take from the program: `make docs`, or python -m docs.generate.

docs/commands.md is the table of commands, docs/rulings.md the rulings in variants/: both are generated whole. The table
of acts in docs/masters.md comes from judge/games/core/acts.py. Emails shown in other pages are copied from
tests/transcripts, to between two comments:

    <!-- email: manual.txt <<< france@example.org | Re: spring -->
    <!-- end of email -->

The first names the transcript and how the email's line begins there; of several the first is taken.
tests/test_documents.py generates everything again and compares.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from docs.other_judges import CHAPTERS, Row
from judge.commands.ask.help import TOPICS
from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Command, Place, When
from judge.commands.core.permissions import users
from judge.games.core.acts import ACTS
from judge.rules import load_variant
from judge.rules.variant.registry import built_in_names
from judge.rules.variant.variant import Ruling, Rulings, general_rulings

DOCS = Path(__file__).parent
ROOT = DOCS.parent
_TRANSCRIPTS = ROOT / "tests" / "transcripts"
_EMAIL = re.compile(r"(<!-- email: (\S+) ([^\n]+) -->\n).*?(<!-- end of email -->)", re.DOTALL)

_ACTS = re.compile(r"(<!-- acts -->\n).*?(<!-- end of acts -->)", re.DOTALL)

_OF_COMMANDS = """\
Every command that you can send to the judge, for players and masters. By email: HELP COMMANDS, or HELP and a command.

Write each command on its own line, in capitals or not. Replace words in `<angle brackets>`; words in
`[square brackets]` are optional. *Lasting* commands are refused if the mail server calls the email forged. Commands
*of the phase* are refused if the email was sent before the current phase opened.

This page is generated from the command table (`judge/commands/command_table.py`) by `make docs`."""
_OF_OTHERS = """\
Every command and setting of njudge and DPjudge, and what to write here. *Refused* means that the reply names the line,
says why, and says what to write instead. The text that follows such a line is skipped and never read as orders."""
_OF_RULINGS = """\
How this judge reads the rules where a rulebook is silent or can be read in two ways, with the reason for each choice.
By email: GET RULES, or GET RULES and a variant.

Comments in the code cite a ruling by its title and number. Rulebooks and test cases are named in full in
[sources.md](sources.md). This page is generated from `variants/rulings.toml` and the `[[rulings]]` tables of
`variants/<name>/variant.toml` by `make docs`."""

_PLACES = {
    Place.OPENING: "starts a block of its own",
    Place.LOBBY: "needs no sign-on",
    Place.GAME: "after SIGNON",
    Place.ANYWHERE: "anywhere",
    Place.END: "end of what is read",
}
_TIMES = {
    When.ANY: "",
    When.LIVING: "until the game has ended",
    When.FORMING: "before the game starts",
    When.OPEN: "while a phase is open",
    When.RUNNING: "while a phase is open and the game is not paused",
    When.UNPAUSED: "until the game has ended, but not while it is paused",
    When.PAUSED: "while the game is paused",
    When.ENDED: "after the game has ended",
}


def pages() -> dict[Path, str]:
    """Return the text that each generated page should have, by file."""
    written = {path: path.read_text(encoding="utf-8") for path in [*ROOT.glob("*.md"), *DOCS.glob("*.md")]}
    shown = {path: _EMAIL.sub(_copied, text) for path, text in written.items() if _EMAIL.search(text)}
    masters = DOCS / "masters.md"
    shown[masters] = _ACTS.sub(lambda found: f"{found[1]}\n{_acts()}\n{found[2]}", shown[masters])
    return shown | {
        DOCS / "commands.md": "\n".join(_commands()) + "\n",
        DOCS / "rulings.md": "\n".join(_rulings()) + "\n",
    }


def _copied(found: re.Match[str]) -> str:
    """Return the comments with the email between them, as a code block."""
    begin, transcript, head, end = found.groups()
    parts = re.split(r"^(?=[#%@]|>>>|<<<)", (_TRANSCRIPTS / transcript).read_text(encoding="utf-8"), flags=re.MULTILINE)
    email = next((part for part in parts if part.startswith(head)), None)
    if email is None:
        raise ValueError(f"{transcript} has no email that begins with {head!r}")
    lines = email.rstrip().splitlines()[1:]
    return begin + "\n" + "".join(f"    {line}".rstrip() + "\n" for line in lines) + "\n" + end


def _acts() -> str:
    """Return the table of acts (judge/games/core/acts.py)."""
    heads = (
        "what", "a master who plays", "one player, where a master runs the game", "one player, where players run it",
        "who is notified", "undone by",
    )  # fmt: skip
    rights = {act: (act.plays.value, act.moderated.value, act.player.value) for act in ACTS.values()}
    rows = [(act.name, *may, act.told, act.undone) for act, may in rights.items()]
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _commands() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield _OF_COMMANDS
    for topic in TOPICS:
        told = [command for command in COMMANDS if command.topics[0] == topic.name]
        if told:
            yield f"\n## {topic.name.capitalize()}: {topic.title}\n"
            yield "| command | what it does | who | where and when |"
            yield "| --- | --- | --- | --- |"
            yield from map(_row, told)
    yield "\n## Coming from njudge or DPjudge\n"
    yield _OF_OTHERS
    for chapter, rows in CHAPTERS.items():
        yield f"\n### {chapter}\n"
        yield "| njudge | DPjudge | here | |"
        yield "| --- | --- | --- | --- |"
        yield from map(_compared, rows)


def _row(command: Command) -> str:
    usage = f"`{command.names[0]} {command.arguments}".rstrip() + "`"
    also = f"; also {', '.join(f'`{name}`' for name in command.names[1:])}" if command.names[1:] else ""
    marks = [word for word, holds in (("lasting", command.lasting), ("of the phase", command.of_phase)) if holds]
    where = [_PLACES[command.place], _TIMES[command.when], *(f"*{mark}*" for mark in marks)]
    cells = (usage + also, command.summary, users(command), ", ".join(filter(None, where)))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _compared(row: Row) -> str:
    cells = (row.njudge, row.dpjudge, ", ".join(f"`{line}`" for line in row.lines), row.here)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _rulings() -> Iterator[str]:
    yield "# Rulings"
    yield ""
    yield _OF_RULINGS
    general = general_rulings()
    yield from _chapter("On every board", (one for one in general if not one.table))
    yield from _chapter("Where a variant has the mechanism", (one for one in general if one.table))
    boards = map(load_variant, built_in_names())
    yield from _chapter("On one board", (Rulings(one.title, one.rulings) for one in boards if one.rulings))


def _chapter(title: str, parts: Iterable[Rulings]) -> Iterator[str]:
    yield f"\n## {title}"
    for one in parts:
        yield f"\n### {one.title}\n"
        if one.table:
            yield f"Boards whose `variant.toml` has the table `{one.table}`.\n"
        yield from map(_ruling, one.rulings)


def _ruling(ruling: Ruling) -> str:
    cases = f" DATC {ruling.cases}." if ruling.cases else ""
    return f"{ruling.number}. {ruling.says}\n   *Why:* {ruling.because}{cases}"


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(path)
