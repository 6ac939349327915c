"""The pages of docs/ that are made of what the judge itself knows: `make docs`, or python -m docs.generate.

docs/commands.md is the table of commands, docs/rulings.md the rulings in variants/, docs/players.md and docs/masters.md
the guides that GET GUIDE and GET HOSTING mail. Nobody edits them by hand:
tests/test_documents.py makes them again and compares.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from docs.other_judges import CHAPTERS, Row
from judge.commands.ask.help import TOPICS
from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Command, Place, When
from judge.commands.core.permissions import users
from judge.mails.compose import Letterhead
from judge.mails.custom_texts import Texts
from judge.rules import load_variant
from judge.rules.variant.registry import built_in_names
from judge.rules.variant.variant import Ruling, Rulings, general_rulings

DOCS = Path(__file__).parent

_OF_COMMANDS = """\
Made of the table of commands (`judge/commands/command_table.py`) by `make docs`; HELP tells players the same. Words in
`<angle brackets>` are filled in, what stands in `[square ones]` may be left out. Every command is a line of its own, in
any case. *Lasting*: not done by a letter that the mail server found forged. *Of the phase*: not done by a letter that
was sent before the open phase opened."""
_OF_OTHERS = """\
Every command and setting of njudge and DPjudge: what is written here for it, and what that does. *Refused*: the answer
names it, says why and what to write instead; what stands below it as its text is left out and is nobody's order."""
_OF_RULINGS = """\
How the judge reads the rules where a rulebook is silent or can be read in two ways, each with its reason. Made by
`make docs` of `variants/rulings.toml` and of the `[[rulings]]` in each `variants/<name>/variant.toml`, where they are
written once; `GET RULES` and `GET RULES <variant>` mail them to players, and comments cite them by title and number.
Rulebooks, and the test cases whose numbers follow DATC, are named in full in [sources.md](sources.md)."""

_PLACES = {
    Place.OPENING: "begins a block of its own",
    Place.LOBBY: "needs no sign-on",
    Place.GAME: "below a SIGNON",
    Place.ANYWHERE: "anywhere",
    Place.END: "ends what is read",
}
_TIMES = {
    When.ANY: "",
    When.LIVING: "until the game has ended",
    When.FORMING: "before the game begins",
    When.OPEN: "while a phase is open",
    When.RUNNING: "while a phase is open and the game is not paused",
    When.PAUSED: "while the game is paused",
}


def pages() -> dict[Path, str]:
    """{file: what it is to hold}."""
    return {
        DOCS / "commands.md": "\n".join(_commands()) + "\n",
        DOCS / "rulings.md": "\n".join(_rulings()) + "\n",
        DOCS / "players.md": _guide("For players", "guide", " [Which email says what](emails.md)."),
        DOCS / "masters.md": _guide("For masters", "hosting"),
    }


def _guide(title: str, topic: str, see: str = "") -> str:
    """A help text as a page: its letters are indented as code is there."""
    head = Letterhead("JUDG", "judge@example.org")
    text = Texts(None).render(f"help/{topic}", judge=head, zone="UTC")
    made = f"By mail: GET {topic.upper()}. Made of `templates/help/{topic}.txt.j2` by `make docs`.{see}"
    return f"# {title}\n\n{made}\n\n{text.rstrip()}\n"


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
    yield "\n## As other judges have it\n"
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
