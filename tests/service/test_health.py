"""What is wrong is written beside the database, and found there by `judge status`, whatever the database can say."""

import json
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.service.database_check import DatabaseCheck
from judge.service.troubles import CHECK, LETTERS, MAILS, Trouble, TroubleFile, file_of, read_troubles
from judge.settings import read_settings
from judge.shell import status
from judge.store.engine import migrate, open_engine

SAMPLE = Path(__file__).parents[2] / "judge.ini"
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Watch:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def test_a_trouble_keeps_the_moment_at_which_it_began_and_the_file_goes_with_the_last(tmp_path: Path):
    path, clock = tmp_path / "judge.db.trouble", Watch()
    troubles = TroubleFile(path, clock)
    troubles.note(LETTERS, "database: disk I/O error")
    clock.now += timedelta(hours=1)
    troubles.note(LETTERS, "database: malformed")
    troubles.note(MAILS, "database: malformed")
    assert read_troubles(path) == {
        LETTERS: Trouble("database: malformed", NOON),
        MAILS: Trouble("database: malformed", NOON + timedelta(hours=1)),
    }
    assert path.stat().st_mode & 0o077 == 0
    troubles.note(LETTERS)
    assert set(read_troubles(path)) == {MAILS}
    troubles.note(MAILS)
    assert not path.exists() and list(tmp_path.iterdir()) == []


def test_what_an_earlier_run_has_left_stays_until_its_work_succeeds(tmp_path: Path):
    path, clock = tmp_path / "trouble", Watch()
    TroubleFile(path, clock).note(CHECK, "damaged")
    clock.now += timedelta(days=1)
    again = TroubleFile(path, clock)
    again.note(CHECK, "damaged")
    assert read_troubles(path)[CHECK].since == NOON
    again.note(CHECK)
    assert not path.exists()


def test_a_file_that_cannot_be_written_or_read_is_no_end(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    TroubleFile(tmp_path / "none" / "trouble", Watch()).note(LETTERS, "x")
    assert "cannot be written" in caplog.text
    for garbage in (b"", b"{", b"[]", b'{"a": 1}', b'{"a": {"what": 1}}', b"\xff\xfe", b"null"):
        (tmp_path / "trouble").write_bytes(garbage)
        (part,) = read_troubles(tmp_path / "trouble")
        assert part == "trouble file"
        assert not TroubleFile(tmp_path / "trouble").found and not read_troubles(tmp_path / "trouble")


@pytest.mark.parametrize("of", ["sqlite", "postgresql"])
def test_where_it_is_and_that_status_names_it(of: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    url = {"sqlite": f"sqlite:///{tmp_path}/data/judge.db", "postgresql": "postgresql://judge@127.0.0.1:1/judge"}[of]
    closed = {
        f"JUDGE_{part}_{key}": value
        for part in ("MAILBOX", "SMTP")
        for key, value in (("HOST", "127.0.0.1"), ("PORT", "1"))
    }
    settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(tmp_path), "JUDGE_STORE_URL": url, **closed})
    if of == "sqlite":
        migrate(open_engine(url))
    path = file_of(settings)
    assert path == (tmp_path / "data" / "judge.db.trouble" if of == "sqlite" else tmp_path / "judge.store.trouble")
    TroubleFile(path, Watch()).note(MAILS, "database: \x1b[2Jmalformed")
    assert status.report(settings) == 1
    out = capsys.readouterr().out
    assert "TROUBLE     mails: database: " in out and "since Mon May 4 2026" in " ".join(out.split())
    assert status.report(settings, json=True) == 1
    said = json.loads(capsys.readouterr().out)
    assert any(look["what"] == "TROUBLE" and not look["well"] for look in said["looks"])


def spoil(database: Path, table: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xaa" * size)


@pytest.mark.parametrize("table", ["mail", "ix_mail_game_id"])
def test_the_check_finds_a_garbage_page(table: str, tmp_path: Path):
    database = tmp_path / "judge.db"
    engine = open_engine(f"sqlite:///{database}")
    migrate(engine)
    with engine.connect() as connection:
        names = set(connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars())
    table = table if table in names else next(name for name in sorted(names) if name.startswith("ix_"))
    troubles = TroubleFile(tmp_path / "judge.db.trouble", Watch())
    check = DatabaseCheck(engine, troubles)
    check.check()
    assert not troubles.found
    engine.dispose()
    whole = database.read_bytes()
    spoil(database, table)
    check.check()
    assert "the database is damaged: " in troubles.found[CHECK].what
    database.write_bytes(whole)
    check.check()
    assert not troubles.found and not (tmp_path / "judge.db.trouble").exists()


def test_a_writer_does_not_wait_for_a_check_and_a_stop_ends_it(tmp_path: Path):
    database = tmp_path / "judge.db"
    engine = open_engine(f"sqlite:///{database}")
    migrate(engine)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE filler (id INTEGER PRIMARY KEY, bytes BLOB)")
        for _ in range(40):
            connection.executemany("INSERT INTO filler (bytes) VALUES (?)", [(b"x" * 3000,)] * 1000)
        connection.commit()
    troubles = TroubleFile(None, Watch())
    check = DatabaseCheck(engine, troubles)
    check.start()
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")  # so that it would fail if it had to wait
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        connection.exec_driver_sql("UPDATE filler SET bytes = x'00' WHERE id = 7")
        connection.exec_driver_sql("COMMIT")
    began = time.monotonic()
    check.end()
    assert time.monotonic() - began < 10
    assert not troubles.found
