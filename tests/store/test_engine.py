"""Opening the database and its transactions."""

import sqlite3
import stat
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import select

from judge.store import engine as store
from judge.store.engine import (
    StoreError,
    empty_log,
    in_words,
    migrate,
    open_engine,
    reading,
    transaction,
)
from judge.store.tables import Game, Person, Seat

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)


def _names(engine: Engine) -> list[str]:
    with reading(engine) as session:
        return [person.name for person in session.exec(select(Person).order_by(Person.name))]


def _person(name: str) -> Person:
    return Person(name=name, zone="UTC", registered_at=NOON)


def test_only_the_owner_can_read_the_files_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "judge 50%.db"
    engine = open_engine(f"sqlite:///{path}")
    migrate(engine)
    with transaction(engine) as session:
        session.add(_person("Kim"))
        session.flush()
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {path.name: 0o600, f"{path.name}-wal": 0o600, f"{path.name}-shm": 0o600}
    engine.dispose()


def test_every_connection_of_sqlite_is_durable_and_checks_foreign_keys(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/judge.db")
    for _ in range(2):
        with engine.connect() as connection:
            pragmas = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
            }
            assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
        engine.dispose()


def test_a_block_that_fails_leaves_nothing_behind(engine: Engine) -> None:
    with pytest.raises(RuntimeError), transaction(engine) as session:
        session.add(_person("Kim"))
        session.flush()
        raise RuntimeError
    assert _names(engine) == []


def test_times_come_back_aware_and_in_utc(engine: Engine) -> None:
    with transaction(engine) as session:
        session.add(_person("Kim"))
    with reading(engine) as session:
        back = session.exec(select(Person)).one().registered_at
    assert back == NOON
    assert back is not None and back.utcoffset() is not None and back.isoformat().endswith("+00:00")


def test_a_row_that_points_at_nothing_is_refused(engine: Engine) -> None:
    with pytest.raises(IntegrityError), transaction(engine) as session:
        session.add(
            Seat(game_id=7, person_id=8, role="player", address="kim@example.org", password="x", joined_at=NOON)
        )


def test_errors_do_not_quote_the_values(engine: Engine) -> None:
    """An error's text goes to the log, and a value may be a password or a letter."""
    with pytest.raises(IntegrityError) as caught, transaction(engine) as session:
        for _ in range(2):
            session.add(_game(name="heron", result="s3cret"))
    assert "s3cret" not in str(caught.value)


def test_two_who_read_and_then_write_wait_for_each_other(engine: Engine) -> None:
    """Twenty increments by each of two threads make forty: none is lost and none fails with "locked"."""
    with transaction(engine) as session:
        session.add(_game(name="heron", result="0"))

    def count() -> None:
        for _ in range(20):
            with transaction(engine) as session:
                game = session.exec(select(Game).with_for_update()).one()
                game.result = str(int(game.result) + 1)

    threads = [threading.Thread(target=count) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with reading(engine) as session:
        assert session.exec(select(Game)).one().result == "40"


def test_a_thread_that_waits_behind_another_process_does_not_blame_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper's shell holds the database, our first thread waits for it, the second one for the first."""
    monkeypatch.setattr(store, "BUSY_SECONDS", 1)
    engine = open_engine(f"sqlite:///{tmp_path}/judge.db")
    migrate(engine)
    engine.dispose()
    said: list[str] = []

    def write() -> None:
        with pytest.raises(OperationalError) as refused, transaction(engine):
            pass
        said.append(in_words(refused.value))

    with closing(sqlite3.connect(tmp_path / "judge.db", isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        threads = [threading.Thread(target=write) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(said) == 2 and all(words.startswith(("database is locked", "the database is locked")) for words in said)
    assert all("another thread is" not in words for words in said)


def test_a_reader_does_not_wait_for_a_writer(engine: Engine) -> None:
    with transaction(engine) as session:
        session.add(_person("Kim"))
        session.flush()
        assert _names(engine) == []


def test_a_reader_cannot_write_to_postgresql(postgres_url: str) -> None:
    engine = open_engine(postgres_url)
    migrate(engine)
    with pytest.raises(Exception, match="read-only"), reading(engine) as session:
        session.add(_person("Kim"))
    with transaction(engine) as session:
        session.add(_person("Jo"))
    assert _names(engine) == ["Jo"]
    engine.dispose()


def test_a_database_of_a_newer_version_is_refused_in_a_sentence(url: str) -> None:
    engine = open_engine(url)
    migrate(engine)
    with transaction(engine) as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999_later'"))
    with pytest.raises(StoreError, match="newer version of judge .*9999"):
        migrate(engine)
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("judge.db", "'judge.db' is not the address of a database"),
        ("mysql://somewhere/judge", "a database of the kind 'mysql' is not known: sqlite, postgresql"),
        ("sqlite:////proc/judge/judge.db", "the database /proc/judge/judge.db cannot be created: No such file or dir"),
        ("sqlite:////tmp", "the database /tmp cannot be created: Is a directory"),
        ("postgresql://judge:s3cret@127.0.0.1:1/judge", r"the database .*judge:\*\*\*@127.0.0.1.* cannot be used: "),
    ],
)
def test_a_database_that_cannot_be_is_told_in_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        migrate(open_engine(url))


def test_a_file_that_is_no_database_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "judge.db").write_text("Dear judge, " * 1000)
    with pytest.raises(StoreError, match="judge.db cannot be used: file is not a database"):
        migrate(open_engine(f"sqlite:///{tmp_path}/judge.db"))


def _game(name: str, result: str) -> Game:
    return Game(name=name, variant="standard", state="active", zone="UTC", result=result, created_at=NOON)


def test_what_was_masked_is_not_left_in_the_log_of_sqlite(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'judge.db'}")
    migrate(engine)
    with transaction(engine) as session:
        session.add(_person("hush-heron"))
    with transaction(engine) as session:
        session.exec(select(Person)).one().name = "****"
    log = tmp_path / "judge.db-wal"
    assert b"hush-heron" in log.read_bytes()
    with reading(engine) as session:
        session.exec(select(Person)).one()
        empty_log(engine)  # it cannot now, and does not wait
    empty_log(engine)
    assert not any(b"hush-heron" in file.read_bytes() for file in tmp_path.iterdir())
    assert _names(engine) == ["****"]
    engine.dispose()
