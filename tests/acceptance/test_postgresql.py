"""The same code on PostgreSQL: a server that crashes. Kills and transcripts on it are in test_kills.py and others."""

import time
from datetime import UTC, datetime

import pytest

from tests.acceptance.conftest import Begin, MakeJudge
from tests.servers.postgres import Postgres


@pytest.mark.timeout(300)
def test_a_server_that_is_down_over_a_deadline(
    make_judge: MakeJudge, begin: Begin, _running_postgres: Postgres, postgres_url: str
):
    """Killed and, after the deadline, started again: the letter that came meanwhile was in time."""
    judge = make_judge(store={"url": postgres_url})
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(3)
    judge.rests()
    _running_postgres.kill()
    try:
        stork["F"].signs_on("A PAR - BUR")
        assert datetime.now(UTC) < deadline
        judge.process.wait_for_log("database: .*next try in")
        time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 2)
    finally:
        _running_postgres.open()
    assert "France:  Army Paris -> Burgundy." in stork.results("S1901M").text
    judge.rests()
    results = [mail for mail in judge.sink.mails if "S1901M Results" in mail.subject]
    assert len({mail.message_id for mail in results}) == 8
    assert "set aside" not in judge.process.log() and "Traceback" not in judge.process.log()
