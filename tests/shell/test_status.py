"""Who is at work for a judge, as `judge status` says it, on both databases."""

from pathlib import Path

import pytest
from sqlalchemy import Engine

from judge.settings import Settings, read_settings
from judge.shell.status import who_is_at_work
from judge.store.guard import guard_of
from judge.store.hands import Role, at_work
from judge.store.lock import hold_lock
from tests.store.conftest import engine, url  # noqa: F401

SAMPLE = Path(__file__).parents[2] / "judge.ini"


def settings(url: str, home: Path, **values: str) -> Settings:  # noqa: F811
    environment = {"JUDGE_STORE_URL": url, "JUDGE_JUDGE_HOME": str(home)}
    return read_settings(SAMPLE, environment | {f"JUDGE_{name}".upper(): value for name, value in values.items()})


def test_the_daemon_and_the_processes_beside_it_are_named(engine: Engine, url: str, tmp_path: Path):  # noqa: F811
    ours = settings(url, tmp_path)
    assert who_is_at_work(ours) == [("daemon      NOT running: judge run starts it", False)]
    guard = guard_of(engine)
    guard.take()
    with (
        hold_lock(tmp_path / "judge.store.lock", "the daemon of this home"),
        at_work(engine, "courier"),
        at_work(engine, "painter"),
    ):
        looks = who_is_at_work(ours)
        assert all(well for _, well in looks)
        assert [line.partition("process")[0] for line, _ in looks] == [
            "daemon      running (", "courier     ", "painter     ",
        ]  # fmt: skip
    guard.release()


@pytest.mark.parametrize(
    ("there", "lacks"),
    [
        ("painter", "courier     NONE, and [smtp] courier = no: mails wait; judge courier sends them"),
        ("courier", "painter     NONE, and [maps] painters = 0: mails go without maps; judge painter draws"),
    ],
)
def test_work_that_nobody_does_needs_the_keeper(
    engine: Engine, url: str, tmp_path: Path, there: Role, lacks: str  # noqa: F811
):
    alone = settings(url, tmp_path, smtp_courier="no", maps_painters="0")
    with at_work(engine, there):
        assert [line for line, well in who_is_at_work(alone) if not well and "daemon" not in line] == [lacks]
