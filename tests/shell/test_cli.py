"""What all commands of the keeper have in common."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.shell import cli

CONFIG = str(Path(__file__).parents[2] / "judge.ini")
ASK_THE_DATABASE = [
    ["replay", "5"], ["recover", "--since", "2026-11-20"], ["map", "--game", "heron"],
    ["copy", "--to", "sqlite:///{other}"], ["games", "list"], ["games", "show", "heron"],
    ["games", "do", "heron", "PROCESS"], ["games", "appoint", "heron", "jo@example.org"],
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
    assert "no database yet" in said.err or "not made yet" in said.out
    assert not list(home.rglob("*.db")) and not other.exists()


def leaves(parser: argparse.ArgumentParser, called: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The commands below which there are no others."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for action in below:
        for name, inner in action.choices.items():
            yield from leaves(inner, f"{called} {name}".strip())
    if not below:
        yield called, parser


def test_the_settings_can_be_named_behind_every_command_that_reads_them():
    """As all commands do but those that play by themselves, or work on lines and files alone."""
    without = {
        name for name, parser in leaves(cli._parser())
        if not any("--config" in action.option_strings for action in parser._actions)
    }  # fmt: skip
    assert without == {"serve"}
