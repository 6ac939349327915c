"""What sends and draws: in the daemon, and in workers beside it, on two machines with one PostgreSQL."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlmodel import select

from judge.mails.pictures import PictureCache
from judge.service import worker
from judge.service.worker import work
from judge.settings import Settings, read_settings
from judge.store import pictures
from judge.store.engine import StoreError, open_engine, reading, transaction
from judge.store.tables import Picture, Sheet
from tests.beginnings import make_tables
from tests.mails.conftest import JUDGE, settings_for
from tests.mails.senders import Sender
from tests.mails.test_pictures import NOON, put
from tests.servers.smtpsink import SmtpSink

SAMPLE = Path(__file__).parents[2] / "judge.ini"


def home(folder: Path, **changes: str) -> Settings:
    return read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(folder), **changes})


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def at_work(settings: Settings, now: datetime) -> Iterator[None]:
    """A process of `judge worker`."""
    stopping = threading.Event()
    thread = threading.Thread(target=work, args=(settings, stopping, lambda: now))
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(30)


def test_with_sqlite_there_are_no_workers(tmp_path: Path):
    with pytest.raises(StoreError, match="judge worker needs PostgreSQL; with SQLite, judge run does all the work"):
        work(home(tmp_path), threading.Event())


@pytest.mark.postgres
def test_what_a_worker_has_drawn_is_sent_from_another_machine(postgres_url: str, smtp_sink: SmtpSink, tmp_path: Path):
    engine = open_engine(postgres_url)
    make_tables(engine)
    put(engine, "al", "bo", form="small")
    here = home(tmp_path / "here", JUDGE_STORE_URL=postgres_url)
    sender = Sender(engine, settings_for(smtp_sink), JUDGE, PictureCache(here.drawn), name="here")
    assert sender.run(NOON)["sent"] == 0
    # Its own mail server is out of reach: it only draws.
    there = home(tmp_path / "there", JUDGE_STORE_URL=postgres_url, JUDGE_SMTP_HOST="localhost", JUDGE_SMTP_PORT="1")
    with at_work(there, NOON):
        until(lambda: bool(_drawn(engine)))
    assert sender.run(NOON)["sent"] == 2
    assert all(mail.pictures for mail in smtp_sink.mails)
    with transaction(engine) as session:
        assert list(session.exec(select(Sheet)))
        pictures.forget_sheets(session, NOON + timedelta(days=1, seconds=1))
        assert not list(session.exec(select(Sheet)))


@pytest.mark.postgres
def test_a_worker_is_called_when_another_process_has_written_a_mail(
    postgres_url: str, smtp_sink: SmtpSink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker, "LOOK_EVERY", 3600.0)
    monkeypatch.setattr(worker, "GRACE", 0.1)
    engine = open_engine(postgres_url)
    make_tables(engine)
    server = {"JUDGE_SMTP_HOST": smtp_sink.host, "JUDGE_SMTP_PORT": str(smtp_sink.port), "JUDGE_SMTP_SECURITY": "plain"}
    with at_work(home(tmp_path, JUDGE_STORE_URL=postgres_url, **server), NOON):
        until(lambda: _listens(engine))
        put(engine, "al", form=None)
        until(lambda: len(smtp_sink.mails) == 1)


def _listens(engine: Engine) -> bool:
    with engine.connect() as connection:
        asked = text("SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN judge' AND state = 'idle'")
        return connection.execute(asked).scalar_one() == 1


def _drawn(engine: Engine) -> list[Picture]:
    with reading(engine) as session:
        return [picture for picture in session.exec(select(Picture)) if picture.drawn_at]


@pytest.mark.postgres
def test_pictures_that_were_not_needed_for_long_go_there_too(postgres_url: str, tmp_path: Path):
    """A worker's home may be on another machine than the daemon's, which throws away only its own."""
    settings = home(tmp_path, JUDGE_STORE_URL=postgres_url)
    old, new = (settings.drawn / f"{age}.png" for age in ("old", "new"))
    old.parent.mkdir()
    now = datetime.now(UTC)
    for file, age in ((old, timedelta(days=31)), (new, timedelta(days=29))):
        file.write_bytes(b"\x89PNG")
        os.utime(file, ((now - age).timestamp(),) * 2)
    with at_work(settings, now):
        until(lambda: not old.exists())
    assert new.exists()
