"""A process that sends or draws leaves nothing behind on its own machine."""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine

from judge.service.hand import Hand
from judge.settings import Settings, read_settings

SAMPLE = Path(__file__).parents[2] / "judge.ini"


class Idle:
    """Work that does nothing."""

    def __init__(self, *_: object) -> None: ...

    def start(self) -> None: ...

    def hurry(self) -> None: ...

    def stop(self) -> None: ...


def work(engine: Engine, settings: Settings, now: object) -> Idle:
    return Idle()


def test_pictures_that_were_not_needed_for_long_go_there_too(tmp_path: Path) -> None:
    """Its home may be on another machine than the daemon's, which throws away only its own."""
    settings = read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": str(tmp_path)})
    old, new = (settings.drawn / f"{age}.png" for age in ("old", "new"))
    old.parent.mkdir()
    now = datetime.now(UTC)
    for file, age in ((old, timedelta(days=31)), (new, timedelta(days=29))):
        file.write_bytes(b"\x89PNG")
        os.utime(file, ((now - age).timestamp(),) * 2)
    hand = Hand(settings, "courier", work, lambda: now)
    thread = threading.Thread(target=hand.run)
    thread.start()
    until = time.monotonic() + 10
    while old.exists() and time.monotonic() < until:
        time.sleep(0.02)
    hand.stop()
    thread.join(10)
    assert not old.exists() and new.exists()
