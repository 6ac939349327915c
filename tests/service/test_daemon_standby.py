"""A daemon that stands by: it waits without asking, and takes over at once when it is called."""

import logging
import signal
import threading
import time
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import text

from judge.games.core.work import KEY_FILE
from judge.service import daemon as hot_standby
from judge.service.worker import work
from judge.settings import read_settings
from judge.store import locks
from judge.store.engine import Role, migrate, open_engine
from judge.store.locks import AlreadyRunning, DaemonLock, daemon_lock_of
from tests.servers.plainuser import free_port
from tests.servers.postgres import Postgres

SAMPLE = Path(__file__).parents[2] / "judge.ini"
ROLES: tuple[Role | None, ...] = (None, *get_args(Role))
# The settings of PostgreSQL without which something waits for ever.
WAITS = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout", "lock_timeout",
         "idle_in_transaction_session_timeout")  # fmt: skip


@pytest.mark.postgres
def test_a_server_that_is_out_of_reach_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And the one that stands by takes over when it is there again."""
    monkeypatch.setattr(hot_standby, "TAKE_EVERY", 0.02)
    server = Postgres().start()
    try:
        url = f"postgresql+psycopg://judge@/postgres?host={server.folder}"
        first = daemon_lock_of(open_engine(url))
        first.take()
        (tmp_path / KEY_FILE).write_bytes(b"the key of the first")
        settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(tmp_path), "JUDGE_STORE_URL": url})
        taken: list[DaemonLock | None] = []
        second = threading.Thread(
            target=lambda: taken.append(hot_standby.take_over(settings, threading.Event())), daemon=True
        )
        with caplog.at_level(logging.INFO):
            second.start()
            _wait_for("stands by", caplog)
            server.kill()
            _wait_for("database:", caplog)
            time.sleep(0.5)
            server.open()
            second.join(30)
        assert taken and taken[0] is not None
        told = [record.getMessage() for record in caplog.records if "database:" in record.getMessage()]
        # That the connection is gone, that there is no server, and on a busy machine two steps of its start.
        assert len(told) == len(set(told)) <= 4
        taken[0].release()
    finally:
        server.remove()


@pytest.mark.postgres
def test_a_server_that_is_away_at_the_start_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By a daemon and by a worker; each ends if it is told to stop meanwhile."""
    monkeypatch.setattr(hot_standby, "TAKE_EVERY", 0.02)
    server = Postgres().start()
    server.kill()
    url = f"postgresql+psycopg://judge@/postgres?host={server.folder}"
    settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(tmp_path), "JUDGE_STORE_URL": url})
    stopping, told = threading.Event(), threading.Event()
    told.set()
    assert hot_standby.take_over(settings, told) is None
    work(settings, told)
    taken: list[DaemonLock | None] = []
    both = [
        threading.Thread(target=lambda: taken.append(hot_standby.take_over(settings, stopping)), daemon=True),
        threading.Thread(target=work, args=(settings, stopping), daemon=True),
    ]
    try:
        with caplog.at_level(logging.INFO):
            for one in both:
                one.start()
            _wait_for("database:", caplog)
            time.sleep(0.5)
            assert all(one.is_alive() for one in both)
            server.open()
            both[0].join(30)
            _wait_for("judge worker starts", caplog)
        assert taken and taken[0] is not None
        taken[0].release()
    finally:
        stopping.set()
        both[1].join(30)
        server.remove()


@pytest.mark.postgres
@pytest.mark.parametrize(("how", "waited"), [(signal.SIGQUIT, 0.5), (signal.SIGKILL, 4.0)])
def test_it_waits_for_a_server_that_is_restarted(
    how: signal.Signals, waited: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in its first seconds, while it still tries whether the daemon that it has met is about to end."""
    monkeypatch.setattr(hot_standby, "TAKE_EVERY", 0.02)
    server = Postgres().start()
    try:
        url = f"postgresql+psycopg://judge@/postgres?host={server.folder}"
        engine = open_engine(url)
        migrate(engine)
        engine.dispose()
        first = daemon_lock_of(engine)
        first.take()
        (tmp_path / KEY_FILE).write_bytes(b"the key of the first")
        settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(tmp_path), "JUDGE_STORE_URL": url})
        ended: list[Any] = []

        def stand_by() -> None:
            try:
                ended.append(hot_standby.take_over(settings, threading.Event()))
            except BaseException as error:
                ended.append(error)

        second = threading.Thread(target=stand_by, daemon=True)
        second.start()
        time.sleep(waited)
        server.end(how)
        time.sleep(0.5)
        assert ended == []
        server.open()
        first.release()
        second.join(30)
        assert len(ended) == 1 and hasattr(ended[0], "confirm"), ended
        ended[0].release()
    finally:
        server.remove()


def _wait_for(words: str, caplog: pytest.LogCaptureFixture) -> None:
    until = time.monotonic() + 30
    while words not in caplog.text:
        assert time.monotonic() < until, words
        time.sleep(0.01)


@pytest.mark.postgres
def test_a_process_whose_machine_is_gone_is_noticed_by_the_server() -> None:
    """No word comes from a machine that has lost its power: only the server's own questions find that out, which it
    would ask after two hours. Until then it would keep the locks of each session, whatever that was doing.
    """
    port = free_port()
    server = Postgres(port).start()
    try:
        engines = [open_engine(f"postgresql+psycopg://judge@127.0.0.1:{port}/postgres", role) for role in ROLES]
        guard = daemon_lock_of(engines[0])
        guard.take()
        connections = [engine.connect() for engine in engines]
        for connection in (guard._connection, *connections):  # type: ignore[attr-defined]
            told = {name: connection.execute(text(f"SHOW {name}")).scalar() for name in WAITS}
            seconds = {name: int(value.removesuffix("s")) for name, value in told.items()}
            seconds["tcp_user_timeout"] //= 1000
            idle, interval, count = (seconds.pop(f"tcp_keepalives_{name}") for name in ("idle", "interval", "count"))
            assert all(0 < limit <= 30 for limit in (idle + interval * count, *seconds.values())), told
            connection.rollback()
            connection.close()
        guard.release()
        for engine in engines:
            engine.dispose()
    finally:
        server.remove()


@pytest.mark.postgres
def test_the_lock_of_a_daemon_that_gives_no_sign_is_free(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is frozen, or its machine is gone and a proxy keeps its session; one that decides nothing keeps its lock."""
    monkeypatch.setattr(locks, "_SILENT", 1)
    monkeypatch.setattr(locks, "_SIGN_EVERY", 0.1)
    alive, other = (daemon_lock_of(open_engine(postgres_url)) for _ in range(2))
    alive.take()
    time.sleep(2)
    with pytest.raises(AlreadyRunning):
        other.take()
    alive.release()
    monkeypatch.setattr(locks, "_SIGN_EVERY", 60.0)
    other.take()
    time.sleep(2)
    alive.take()
    with pytest.raises(AlreadyRunning):
        other.confirm()
    alive.release()
