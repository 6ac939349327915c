"""Judges at work, for the tests of the whole.

    make_judge_at a function that makes one (not started) with its mailbox on the mail server it is given
    make_judge    the same on Dovecot: `make_judge(security="tls", smtp={"timeout": 1})`
    judge         one that is started, its mailbox on Dovecot over plain IMAP, its database SQLite
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.acceptance.harness import JudgeAtWork, MailServer, judge_in
from tests.servers.dovecot import Dovecot
from tests.servers.smtpsink import SmtpSink

MakeJudge = Callable[..., JudgeAtWork]


@pytest.fixture
def make_judge_at(tmp_path: Path, smtp_sink: SmtpSink) -> Iterator[MakeJudge]:
    """Keywords but `security` are sections of judge.ini, laid over the usual settings."""
    made: list[JudgeAtWork] = []

    def make(mail_server: MailServer, security: str = "plain", **changes: Mapping[str, object]) -> JudgeAtWork:
        folder = tmp_path / f"judge-{len(made) + 1}"
        folder.mkdir()
        made.append(judge_in(folder, mail_server, smtp_sink, security, changes))
        return made[-1]

    yield make
    for judge in made:
        judge.process.kill()


@pytest.fixture
def make_judge(make_judge_at: MakeJudge, dovecot: Dovecot) -> MakeJudge:
    return partial(make_judge_at, dovecot)


@pytest.fixture
def judge(make_judge: MakeJudge) -> JudgeAtWork:
    judge = make_judge()
    judge.process.start()
    return judge
