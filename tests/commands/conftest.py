"""The desk that tests in this folder write to."""

from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """A judge's desk on a fresh SQLite database."""
    return DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
