"""Judges at work, for the tests of the whole.

make_judge_at a function that makes one (not started) with its mailbox on the mail server it is given
make_judge    the same on Dovecot: `make_judge(security="tls", smtp={"timeout": 1})`
judge         one that is started, its mailbox on Dovecot over plain IMAP, its database SQLite
begin         a function that starts one with games: `[heron, gull] = begin(make_judge(), "heron", "gull")`; in
              heron nobody has ordered anything, in egret, gull and stork all units hold and the master waits
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests import beginnings
from tests.acceptance.game import Begun, Game
from tests.acceptance.harness import JudgeAtWork, MailServer, judge_in
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem
from tests.servers.smtpsink import SmtpSink

MakeJudge = Callable[..., JudgeAtWork]
Begin = Callable[..., list[Game]]


@pytest.fixture
def store() -> str:
    """Of the database of judges that are made: SQLite, or another where a module says `on_both`."""
    return ""


on_both = pytest.mark.parametrize(
    "store", ["", pytest.param("postgres", marks=pytest.mark.postgres)], ids=["sqlite", "postgres"]
)


@pytest.fixture
def _store_url(request: pytest.FixtureRequest, store: str) -> str:
    return str(request.getfixturevalue("postgres_url")) if store == "postgres" else ""


@pytest.fixture
def make_judge_at(tmp_path: Path, smtp_sink: SmtpSink, _store_url: str) -> Iterator[MakeJudge]:
    """Keywords but `security` are sections of judge.ini, laid over the usual settings."""
    made: list[JudgeAtWork] = []

    def make(mail_server: MailServer, security: str = "plain", **changes: Mapping[str, object]) -> JudgeAtWork:
        folder = tmp_path / f"judge-{len(made) + 1}"
        folder.mkdir()
        if _store_url:
            changes.setdefault("store", {"url": _store_url})
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


@pytest.fixture(scope="session")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    # What a worker has in its own folder goes when it has done its part.
    folder = beginnings.shared or tmp_path_factory.getbasetemp()
    return beginnings.once("begun", lambda: _begun_by_letters(Path(mkdtemp(dir=folder))))


def _begun_by_letters(folder: Path) -> Begun:
    with MailSystem() as office, SmtpSink() as sink:
        judge = judge_in(folder, office, sink)
        try:
            return Begun.by_letters(judge, "heron", holding=("egret", "gull", "stork"))
        finally:
            judge.process.kill()


@pytest.fixture
def begin(_begun: Begun) -> Begin:
    return _begun.begin
