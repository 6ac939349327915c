"""The desk that tests in this folder write to."""

from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """A judge's desk on a fresh SQLite database."""
    return DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """Game heron of standard Diplomacy has begun: `seat_seven`."""
    desk.seat_seven()
    return desk


@pytest.fixture
def swan(desk: DeskAtWork) -> DeskAtWork:
    """Game swan of 1648 has begun: `seat_all`."""
    desk.seat_all("swan", "1648")
    return desk
