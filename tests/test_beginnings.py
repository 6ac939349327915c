"""What is copied for a test is what the judge itself would have made."""

from pathlib import Path

import pytest

from tests import beginnings
from tests.commands.deskatwork import DeskAtWork
from tests.store.conftest import BOTH

ORDERS = "SIGNON Fheron pwfrance\nA PAR - BUR"


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else f"sqlite:///{tmp_path}/a.db"


def told(desk: DeskAtWork) -> list[tuple[str, str, str]]:
    return [(mail.to, mail.subject, mail.text) for mail in desk.all_mails()]


def test_a_game_that_is_copied_is_like_one_that_began_by_letters(tmp_path: Path, url: str):
    written = DeskAtWork(tmp_path / "written", "", {})
    written.seat_by_letters("heron", "standard")
    first = DeskAtWork(tmp_path / "first", url, {})
    empty = beginnings.copied(first.engine)
    first.seat_seven()
    beginnings.lay(empty, first.engine)
    copied = DeskAtWork(tmp_path / "copied", url, {})
    assert told(copied) == []
    copied.seat_seven()
    for desk in (written, copied):
        desk.writes("france@example.org", ORDERS)
    assert told(copied) == told(written)
    copied.engine.dispose()


def test_what_was_there_before_is_not_lost(tmp_path: Path, url: str):
    """A game is copied only to a desk with the same past."""
    DeskAtWork(tmp_path / "other", "", {}).seat_seven()
    desk = DeskAtWork(tmp_path / "own", url, {})
    desk.writes("jo@example.org", "REGISTER\nName: Jo\nEND\nCREATE ?gull own")
    desk.seat_seven()
    assert "gull" in desk.replies("jo@example.org", "LIST").text
    desk.engine.dispose()
