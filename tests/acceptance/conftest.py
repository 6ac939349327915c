"""Judges at work, for the tests of the whole.

    make_judge    a function that makes one (not started): `make_judge(security="tls", smtp={"timeout": 1})`
    judge         one that is started, its mailbox on Dovecot over plain IMAP, its database SQLite
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.acceptance.harness import JudgeAtWork, judge_in
from tests.servers.dovecot import Dovecot
from tests.servers.smtpsink import SmtpSink


@pytest.fixture
def make_judge(tmp_path: Path, dovecot: Dovecot, smtp_sink: SmtpSink) -> Iterator[Callable[..., JudgeAtWork]]:
    """Keywords but `security` are sections of judge.ini, laid over the usual settings."""
    made: list[JudgeAtWork] = []

    def make(security: str = "plain", **changes: Mapping[str, object]) -> JudgeAtWork:
        folder = tmp_path / f"judge-{len(made) + 1}"
        folder.mkdir()
        made.append(judge_in(folder, dovecot, smtp_sink, security, changes))
        return made[-1]

    yield make
    for judge in made:
        judge.process.kill()


@pytest.fixture
def judge(make_judge: Callable[..., JudgeAtWork]) -> JudgeAtWork:
    judge = make_judge()
    judge.process.start()
    return judge
