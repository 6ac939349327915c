"""Two daemons on one database, each with a home of its own: with SQLite the second is refused, on PostgreSQL it stands
by; what the keeper asks is answered.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from judge.demo.process import READY
from tests.acceptance.conftest import MakeJudge
from tests.acceptance.harness import JudgeAtWork
from tests.servers.meddler import Meddler
from tests.servers.plainuser import free_port
from tests.servers.postgres import PSQL, Postgres
from tests.store.conftest import BOTH

REFUSAL = r"judge: another daemon of this database is already running \("


@pytest.fixture(params=BOTH)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database for two."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path}/shared/judge.db"


@pytest.fixture
def two(make_judge: MakeJudge, shared: str) -> tuple[JudgeAtWork, JudgeAtWork]:
    """The first one runs."""
    first, second = make_judge(store={"url": shared}), make_judge(store={"url": shared})
    first.process.start()
    return first, second


def check_refused(judge: JudgeAtWork) -> None:
    judge.process.launch()
    judge.process.wait_for_log(REFUSAL, seconds=30)
    assert judge.process.wait_for_end() == 1
    assert "Traceback" not in judge.process.log()


def check_waits(judge: JudgeAtWork, shared: str, other: JudgeAtWork) -> None:
    """It is refused, or it stands by, where it has the other one's key."""
    if shared.startswith("sqlite"):
        check_refused(judge)
    else:
        home = judge.folder / "run"
        home.mkdir(exist_ok=True)
        shutil.copy(other.folder / "run" / "secret.key", home)
        judge.process.launch()
        judge.process.wait_for_log("stands by: another daemon of this database is already running", seconds=60)


def test_the_second_waits_and_answers_nothing(two: tuple[JudgeAtWork, JudgeAtWork], shared: str):
    first, second = two
    check_waits(second, shared, first)
    for command in (["status"], ["games", "list"], ["mails", "list"]):
        assert first.process.ask(*command).returncode == 0, "the keeper's commands work beside the daemon"
    assert "There is no email 77." in first.process.ask("replay", "77").stderr
    jo = first.person("Jo")
    letter = jo.writes("LIST")
    jo.expects()
    assert first.process.terminate() == 0
    assert len(first.answers_to(letter)) == 1
    if not second.process.alive:
        second.process.launch()
    second.process.wait_for_log(READY, seconds=60)
    check_waits(first, shared, second)
    if first.process.alive:
        assert first.process.terminate() == 0


def test_a_daemon_that_was_killed_leaves_no_lock_behind(two: tuple[JudgeAtWork, JudgeAtWork]):
    first, second = two
    first.process.kill()
    second.process.start()
    assert second.process.alive


def test_every_path_to_one_file_leads_to_one_lock(make_judge: MakeJudge, tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    (tmp_path / "linked").symlink_to(folder)
    (tmp_path / "judge-link.db").symlink_to(folder / "judge.db")
    make_judge(store={"url": f"sqlite:///{folder}/judge.db"}).process.start()
    for path in (
        tmp_path / "data" / ".." / "data" / "judge.db",
        tmp_path / "judge-link.db",
        tmp_path / "linked" / "judge.db",
    ):
        check_refused(make_judge(store={"url": f"sqlite:///{path}"}))


def end_sessions(url: str) -> None:
    """What a restart of the server does to those who are connected: the sessions of the daemon end."""
    folder, name = url.rpartition("host=")[2], url.partition("@/")[2].partition("?")[0]
    end = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
        "pg_backend_pid()"
    )
    psql = [str(PSQL), "-X", "-q", "-h", folder, "-U", "judge", "-d", name, "-c", end]
    subprocess.run(psql, check=True, capture_output=True)


def test_after_a_restart_of_the_server_the_daemon_takes_the_lock_again(make_judge: MakeJudge, postgres_url: str):
    first, second = make_judge(store={"url": postgres_url}), make_judge(store={"url": postgres_url})
    first.process.start()
    end_sessions(postgres_url)
    jo = first.person("Jo")
    jo.writes("LIST")
    jo.expects()
    second.process.launch()
    second.process.wait_for_log("secret.key is missing: a standby daemon needs the active one's key", seconds=60)
    assert second.process.wait_for_end() == 1
    check_waits(second, postgres_url, first)
    assert first.process.alive


def test_a_daemon_that_lost_the_lock_to_another_stands_by(make_judge: MakeJudge, postgres_url: str):
    """The first has been out of touch, as on a machine that slept: meanwhile the second took over."""
    first, second = (make_judge(store={"url": postgres_url}) for _ in range(2))
    first.process.start()
    os.kill(first.process.pid, signal.SIGSTOP)
    end_sessions(postgres_url)
    second.process.start()
    os.kill(first.process.pid, signal.SIGCONT)
    first.process.wait_for_log("stands by: another daemon", seconds=30)
    assert first.process.alive and second.process.alive
    second.process.kill()
    first.process.wait_for_log("takes over", seconds=60)
    jo = first.person("Jo")
    jo.writes("LIST")
    jo.expects(seconds=60)
    first.process.terminate()
    assert first.process.wait_for_end() == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("is_deciding", "has_power"), [(True, True), (True, False), (False, False)],
    ids=["frozen in a letter", "without power in a letter", "without power at rest"],
)  # fmt: skip
def test_a_daemon_that_is_frozen_or_whose_machine_is_gone(make_judge: MakeJudge, is_deciding: bool, has_power: bool):
    """No session ends by itself: the letter that it had in hand is answered within half a minute, and once."""
    server = Postgres(free_port()).start()
    url = "postgresql+psycopg://judge@127.0.0.1:{}/postgres"
    with Meddler(server.port) as link:
        first, second = (make_judge(store={"url": url.format(port)}) for port in (link.port, server.port))
        try:
            with first.prepared(*("--stop", "after:judge.commands.handler:LetterHandler.handle:1") * is_deciding):
                first.process.start()
            check_waits(second, url, first)
            jo = first.person("Jo")
            letter = b""
            if is_deciding:
                letter = jo.writes("LIST")
                wait_until_stopped(first.process.pid)
            gone_at = time.monotonic()
            if not has_power:
                link.is_silent = True
                first.process.kill()
            second.process.wait_for_log("takes over", seconds=60)
            letter = letter or jo.writes("LIST")
            jo.expects(seconds=60)
            assert time.monotonic() - gone_at < 45, "30 on a machine that does nothing else"
            if has_power:
                os.kill(first.process.pid, signal.SIGCONT)
                first.process.wait_for_log("stands by: another daemon", seconds=60)
            assert len(first.answers_to(letter)) == 1
        finally:
            for judge in (first, second):
                judge.process.kill()
            server.remove()


def wait_until_stopped(process: int) -> None:
    until = time.monotonic() + 30
    while ") T " not in Path(f"/proc/{process}/stat").read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
