"""A judge without a mailbox that adjudicates what is due and sends, in a process of its own: the measurements of load.

`python -m tests.benchmarks.busyjudge HOME PORT SECONDS`: of the database in HOME, to the mail server at PORT of this
machine. Everything is due again and again for SECONDS; with 0 it is due once, and the judge ends when all is sent.
"""

import logging
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import Session, col, update

from judge.service.daemon import Daemon
from judge.service.scheduler import SETTLE
from judge.settings import read_settings
from judge.store import outbox
from judge.store.engine import reading, transaction
from judge.store.tables import Phase

SAMPLE = Path(__file__).parents[2] / "judge.ini"


def main(home: str, port: str, seconds: str) -> None:
    smtp = {"JUDGE_SMTP_HOST": "localhost", "JUDGE_SMTP_PORT": port, "JUDGE_SMTP_SECURITY": "plain"}
    daemon = Daemon(read_settings(SAMPLE, {"JUDGE_JUDGE_HOME": home, **smtp}))
    _everything_is_due(daemon)
    daemon._worker.start()
    until = time.monotonic() + float(seconds)
    while daemon._queue.next() or time.monotonic() < until:
        daemon._worker.hurry()
        if time.monotonic() < until:
            _everything_is_due(daemon)
    while not float(seconds) and _waiting(daemon):
        time.sleep(0.1)
    daemon._worker.stop()


def _everything_is_due(daemon: Daemon) -> None:
    """What has just been adjudicated comes last, so that every game has its turn."""
    now = daemon._swept_at = datetime.now(UTC)  # every letter is there that there will be
    with transaction(daemon._engine) as session:
        _ring(session, now - 2 * SETTLE)


def _ring(session: Session, now: datetime) -> None:
    is_open = (col(Phase.processed_at).is_(None), col(Phase.due_at) > now)
    session.execute(update(Phase).where(*is_open).values(due_at=now))


def _waiting(daemon: Daemon) -> int:
    with reading(daemon._engine) as session:
        return outbox.backlog(session).waiting


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    main(*sys.argv[1:])
