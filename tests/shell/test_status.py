"""Who is at work for a judge, as `judge status` says it, on both databases."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from judge.settings import Settings, read_settings
from judge.shell import status
from judge.shell.doctor import Look
from judge.shell.status import who_is_at_work
from judge.store import outbox, stats
from judge.store.engine import open_engine, reading, transaction
from judge.store.locks import daemon_lock_of, hold_lock
from judge.store.tables import Game, Mail, Watch
from tests.mails.senders import composed
from tests.servers.plainuser import free_port
from tests.store.conftest import engine, url  # noqa: F401

SAMPLE = Path(__file__).parents[2] / "judge.ini"


def settings(url: str, home: Path, **values: str) -> Settings:  # noqa: F811
    environment = {"JUDGE_STORE_URL": url, "JUDGE_JUDGE_HOME": str(home)}
    return read_settings(SAMPLE, environment | {f"JUDGE_{name}".upper(): value for name, value in values.items()})


@pytest.mark.postgres
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_the_daemon_and_the_processes_beside_it_are_named(engine: Engine, url: str, tmp_path: Path):  # noqa: F811
    ours = settings(url, tmp_path)
    assert who_is_at_work(ours) == [Look("daemon", "NOT running. To start it: judge run", False)]
    guard = daemon_lock_of(engine)
    guard.take()
    with (
        hold_lock(tmp_path / "judge.store.lock", "the daemon of this home"),
        open_engine(url, "worker").connect(),
        open_engine(url, "stand-by").connect(),
    ):
        looks = who_is_at_work(ours)
        assert all(look.well for look in looks)
        assert [look.line.partition("process")[0] for look in looks] == [
            "daemon      running (", "worker      ", "stand-by    ",
        ]  # fmt: skip
    guard.release()


def test_work_that_nobody_does_needs_the_keeper(engine: Engine, url: str, tmp_path: Path):  # noqa: F811
    alone = settings(url, tmp_path, smtp_courier="no", maps_painters="0")
    looks = [look for look in who_is_at_work(alone) if not look.well and look.what != "daemon"]
    assert [look.line for look in looks] == [
        "worker      NONE, and [smtp] courier = no, so emails wait. To send them: judge worker",
        "worker      NONE, and [maps] painters = 0, so emails go without maps. To draw them: judge worker",
    ]
    if engine.dialect.name == "postgresql":
        with open_engine(url, "worker").connect():
            assert [look.what for look in who_is_at_work(alone) if not look.well] == ["daemon"]


def test_who_has_a_mail_in_hand_and_since_when(engine: Engine, url: str, tmp_path: Path, capsys):  # noqa: F811
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    worker = "judge worker 0a1b2c3d, process 7 on heron"
    with transaction(engine) as session:
        for number in range(3):
            put = outbox.put(session, composed(f"reader{number}@example.org", noon, "News"), "news", noon)
            if number:
                outbox.take(session, [session.get_one(Mail, put)], worker, noon + timedelta(minutes=number))
    ours = settings(url, tmp_path)
    with reading(engine) as session:
        looks = [*status.in_database(session, stats.take(session, noon), ours, noon)]
    (look,) = [look for look in looks if look.what == "in hand"]
    assert look.says.startswith(f"2 emails being sent by {worker}, the first due since Mon May 4 2026 12:00")
    assert "last sign of life Mon May 4 2026 12:02" in look.says
    assert status.list_mails(ours, waiting=True) == 0
    listed = " ".join(capsys.readouterr().out.split())
    assert listed.count(f"being sent by {worker}, which last said so on Mon May 4 2026 12:0") == 2
    assert listed.count("waits for its turn") == 1


def test_numbers_for_programs(engine: Engine, url: str, tmp_path: Path, capsys):  # noqa: F811
    nobody = {"host": "127.0.0.1", "port": str(free_port())}
    closed = {f"{section}_{key}": value for section in ("mailbox", "smtp") for key, value in nobody.items()}
    with transaction(engine) as session:
        now = datetime.now(UTC)
        session.add(Game(name="heron", variant="standard", state="active", zone="UTC", created_at=now))
        session.add(Watch(swept_at=datetime(2026, 11, 20, 4, tzinfo=UTC)))
    assert status.report(settings(url, tmp_path, **closed), json=True) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["judge"], said["well"]) == ("JUDG", False)
    absent = {"what": "daemon", "says": "NOT running. To start it: judge run", "well": False, "to_do": ""}
    assert absent in said["looks"]
    assert said["census"]["games"] == {"forming": 0, "active": 1, "paused": 0}
    assert said["census"]["last_sweep_at"] == "2026-11-20T04:00:00+00:00"
