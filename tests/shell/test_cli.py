"""What all commands of the keeper have in common."""

import inspect
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import click
import pytest

from judge.shell import cli

CONFIG = str(Path(__file__).parents[2] / "judge.ini")
ASK_THE_DATABASE = [
    ["replay", "5"], ["recover", "--since", "2026-11-20"], ["map", "--game", "heron"],
    ["copy", "--to", "sqlite:///{other}"], ["games", "list"], ["games", "show", "heron"],
    ["games", "do", "heron", "PROCESS!"], ["games", "appoint", "heron", "jo@example.org"],
    ["games", "export", "heron"], ["games", "import", "heron.game.json"], ["mails", "list"], ["mails", "retry", "all"],
    ["mails", "dismiss", "all"], ["people", "forget", "jo@example.org"], ["status"],
]  # fmt: skip


@pytest.mark.parametrize("line", ASK_THE_DATABASE, ids=" ".join)
def test_only_the_daemon_makes_a_database(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """A wrong home would look like a judge without games, and `judge recover` would put letters there."""
    home, other = tmp_path / "home", tmp_path / "other.db"
    monkeypatch.setenv("JUDGE_JUDGE_HOME", str(home))
    assert cli.main([*(word.replace("{other}", str(other)) for word in line), "--config", CONFIG]) != 0
    said = capsys.readouterr()
    assert "no database yet" in said.err or "none yet" in said.out
    assert not list(home.rglob("*.db")) and not other.exists()


def leaves(command: click.Command = cli.judge, *called: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The commands that have no subcommands, and how they are called."""
    for name, inner in command.commands.items() if isinstance(command, click.Group) else ():
        yield from leaves(inner, *called, name)
    if not isinstance(command, click.Group):
        yield called, command


def understood(words: list[str]) -> None:
    """Raise a ClickException unless the command line can be read; nothing is carried out."""
    with patch.object(cli.Command, "invoke", lambda *_: 0):
        cli.judge.main(words, "judge", standalone_mode=False)


LEAVES = {" ".join(called): command for called, command in leaves()}


def test_the_settings_can_be_named_behind_every_command():
    assert len(LEAVES) > 25
    for called, command in LEAVES.items():
        assert any("--config" in one.opts for one in command.params), called


@pytest.mark.parametrize("called", LEAVES)
def test_help_ends_with_an_example_that_is_understood(called: str):
    (example,) = re.findall(r"Example: judge (.*)", LEAVES[called].help or "")
    assert example.split(" | ")[-1].removeprefix("judge ").startswith(called)
    for part in re.split(r" \| judge | > ", example)[:1]:
        understood(shlex.split(part))


@pytest.mark.parametrize("called", LEAVES)
def test_the_function_of_a_command_takes_its_options(called: str):
    """It is named by a text, since it is loaded only when it is called."""
    command = LEAVES[called]
    assert isinstance(command, cli.Command)
    module, _, name = command.function.partition(".")
    signature = inspect.signature(getattr(import_module(f"judge.shell.{module}"), name))
    given = {one for one in ("settings", "config") if one in signature.parameters}
    given.update(one.name for one in command.params if one.expose_value and one.name)
    signature.bind(**dict.fromkeys(given))


def test_help_and_adjudicate_load_neither_settings_nor_database():
    """They take a tenth of a second and less than half of one: programs call judge adjudicate again and again."""
    heavy = "sys.exit(str(sorted({'pydantic', 'sqlalchemy', 'judge.settings', 'jinja2'} & sys.modules.keys())))"
    for words in ("--help", "adjudicate"):
        program = f"import sys\nfrom judge.shell.cli import main\nmain([{words!r}])\n{heavy}"
        done = subprocess.run([sys.executable, "-c", program], input="", capture_output=True, text=True, timeout=60)
        assert done.stderr.strip() == "[]", words


def test_words_are_completed():
    """As bash asks for them."""
    asked = {"_JUDGE_COMPLETE": "bash_complete", "COMP_WORDS": "judge games ex", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "judge"], env=os.environ | asked, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "plain,export\n"


def test_what_is_misspelled_is_refused_with_two(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["games", "shwo", "heron"]) == 2 and "No such command 'shwo'" in capsys.readouterr().err
    assert cli.main(["doctor", "--seconds", "0"]) == 2 and "not in the range 1<=x<=100" in capsys.readouterr().err


def test_the_settings_are_printed_with_their_defaults(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["config"]) == 0
    assert capsys.readouterr().out == Path(CONFIG).read_text()


@pytest.mark.parametrize(("command", "status"), [("run", 1), ("worker", 2)])
def test_an_unusable_dev_shm_is_named_with_what_to_do(
    command: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Python's own error is "[Errno 13] Permission denied", without a file."""
    monkeypatch.setenv("JUDGE_JUDGE_HOME", str(tmp_path))
    for name in ("JUDGE_ADDRESS", "JUDGE_KEEPER", "MAILBOX_USER"):
        monkeypatch.setenv(f"JUDGE_{name}", "judge@judge.example")
    for name in ("MAILBOX_HOST", "SMTP_HOST"):
        monkeypatch.setenv(f"JUDGE_{name}", "localhost")
    with (
        patch("multiprocessing.Lock", side_effect=PermissionError(13, "Permission denied")),
        patch("signal.signal"),
        patch("judge.shell.daemons.write_log"),
    ):
        assert cli.main([command, "--config", CONFIG]) == status
    assert capsys.readouterr().err.startswith(
        "judge: cannot create semaphores in /dev/shm (Permission denied): make it writable for the judge's user"
    )
