"""The sending thread goes on whatever a single try ran into."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.service import courier
from judge.service.courier import Courier
from judge.settings import read_settings
from judge.store.engine import open_engine
from tests.beginnings import make_tables

SAMPLE = Path(__file__).parents[2] / "judge.ini"


def test_an_unexpected_error_does_not_end_the_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(courier, "LONGEST_WAIT", 0.05)
    engine = open_engine(f"sqlite:///{tmp_path / 'judge.db'}")
    make_tables(engine)
    asked: list[datetime] = []

    def a_broken_clock() -> datetime:
        asked.append(datetime.now(UTC))
        raise ValueError("a moment that nobody thought of")

    settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(tmp_path)})
    sender = Courier(engine, settings, a_broken_clock)
    sender.start()
    deadline = time.monotonic() + 10
    while len(asked) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    sender.stop()
    assert len(asked) >= 3
