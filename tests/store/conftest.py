"""A database for each test, on SQLite and again on PostgreSQL where that is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from judge.store.engine import open_engine
from tests import beginnings

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh, empty database."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path}/judge.db"


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A fresh database with all tables."""
    engine = open_engine(url)
    beginnings.make_tables(engine)
    yield engine
    engine.dispose()
