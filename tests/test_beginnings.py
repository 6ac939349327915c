"""What is copied for a test is what the judge itself would have made."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect

from judge.store.engine import open_engine
from tests import beginnings
from tests.commands.deskatwork import DeskAtWork
from tests.store.conftest import BOTH

ORDERS = "SIGNON Fheron pwfrance\nA PAR - BUR"


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else f"sqlite:///{tmp_path}/a.db"


@pytest.fixture
def another(request: pytest.FixtureRequest, url: str, tmp_path: Path) -> Iterator[str]:
    """The address of a second empty database of the same kind."""
    if url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path}/b.db"
        return
    with request.getfixturevalue("_running_postgres").database() as second:
        yield second


def test_tables_are_made_once_for_all_databases(url: str, another: str, monkeypatch: pytest.MonkeyPatch):
    """Made again for each they would be as right, and nothing but the time would show it."""
    first, second = open_engine(url), open_engine(another)
    beginnings.make_tables(first)
    monkeypatch.delattr(beginnings, "migrate")
    beginnings.make_tables(second)
    tables = inspect(second).get_table_names()
    assert "seat" in tables and sorted(tables) == sorted(inspect(first).get_table_names())
    for engine in (first, second):
        engine.dispose()


def test_an_engine_that_never_connects_harms_no_other(url: str, another: str, monkeypatch: pytest.MonkeyPatch):
    """What SQLAlchemy finds out about a server it finds out as it connects for the first time."""
    monkeypatch.setattr(beginnings, "_first", {})
    engines = [open_engine(url), open_engine(another), open_engine(another)]
    for engine in engines[1:]:
        assert inspect(engine).get_table_names() == [] and engine.dialect.server_version_info
    for engine in engines:
        engine.dispose()


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
