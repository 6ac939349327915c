"""One process decides, others send and draw, one stands by: each may be killed, nothing is done twice or lost."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from time import sleep

import pytest
from sqlalchemy import text

from judge.store.engine import open_engine
from judge.store.locks import roll
from tests.acceptance.conftest import MakeJudge
from tests.acceptance.game import Begun, Game
from tests.acceptance.harness import JudgeAtWork
from tests.acceptance.test_kills import CONNECTIONS
from tests.acceptance.warm import WarmJudge
from tests.servers.smtpsink import times_sent

# A daemon that only decides.
ALONE = {"smtp": {"courier": "no"}, "maps": {"painters": 0}}
_DUE = text(
    "UPDATE phase SET due_at = :now, deadline_at = :now, grace_ends_at = :now WHERE processed_at IS NULL "
    "AND game_id = (SELECT id FROM game WHERE name = 'stork')"
)
MakeWorker = Callable[..., WarmJudge]


@pytest.fixture
def make_worker() -> Iterator[MakeWorker]:
    """A function that starts a worker of a judge, prepared for what it is to die of."""
    made: list[WarmJudge] = []

    def make(judge: JudgeAtWork, *preparations: str) -> WarmJudge:
        worker = WarmJudge(judge.process.config, "worker", f"worker-{len(made) + 1}.log")
        worker.preparations = preparations
        made.append(worker)
        worker.launch()
        worker.wait_for_log("judge worker starts", seconds=60)
        return worker

    yield make
    for worker in made:
        worker.kill()


def begin(begun: Begun, judge: JudgeAtWork, name: str) -> Game:
    """The judge has the games, of which this one is played, and is started."""
    [game] = begun.begin(judge, name, pictures=True)
    return game


def died(worker: WarmJudge) -> bool:
    return worker.wait_for_end(60) == -signal.SIGKILL


def test_two_workers_after_one_that_was_killed(
    make_judge: MakeJudge, make_worker: MakeWorker, _begun: Begun, postgres_url: str
):
    """Each mail goes with its picture, whichever is quicker (tests/mails/test_sender_several.py has both send)."""
    judge = make_judge(**ALONE, store={"url": postgres_url})
    stork = begin(_begun, judge, "stork")
    judge.sink.be_slow(1)
    doomed = make_worker(judge, "--kill", "before:judge.mails.drawing:Drawing._begun:1")
    stork.master.signs_on("PROCESS!")
    assert died(doomed)
    workers = [make_worker(judge), make_worker(judge)]
    judge.sink.be_slow(0)
    stork.results("S1901M")
    stork.master.person.expects(containing="has been processed")
    results = [mail for mail in judge.sink.mails if "Results" in mail.subject]
    assert len(results) == 8 and all(mail.pictures for mail in results)
    seen = [role for role, _ in roll(open_engine(postgres_url))]
    assert sorted(seen) == ["daemon", "worker", "worker"]
    assert [worker.terminate(30) for worker in workers] == [0, 0]
    again = [times for times in times_sent(judge.sink.mails).values() if times > 1]
    assert set(again) <= {2} and len(again) <= CONNECTIONS, "what the one that was killed was sending"


def test_a_worker_killed_before_and_after_the_server_has_the_mail(
    make_judge: MakeJudge, make_worker: MakeWorker, postgres_url: str
):
    """What it had in hand goes at once with the next worker: once, or twice as the same mail."""
    judge = make_judge(smtp={"courier": "no"}, store={"url": postgres_url})
    judge.process.start()
    jo, kim = judge.person("Jo"), judge.person("Kim")
    letters = []
    for person, when in ((jo, "before"), (kim, "after")):
        doomed = make_worker(judge, "--kill", f"{when}:judge.mails.smtp:Server.deliver:1")
        letters.append(person.writes("HELP"))
        assert died(doomed)
        worker = make_worker(judge)
        worker.wait_for_log("mail sent", seconds=60)
        assert worker.terminate(30) == 0
    once, twice = (judge.answers_to(letter) for letter in letters)
    assert (len(once), len(twice)) == (1, 2)
    assert twice[0].raw == twice[1].raw


def test_the_one_that_stands_by_takes_over_a_letter_and_a_deadline(
    make_judge: MakeJudge, _begun: Begun, postgres_url: str
):
    """The first dies with both in the air: answered and adjudicated, and nothing of it is committed."""
    first, second = (make_judge(store={"url": postgres_url}) for _ in range(2))
    with first.prepared("--kill", "after:judge.games.life.lifecycle:process:1"):
        stork = begin(_begun, first, "stork")
    second.folder.joinpath("run").mkdir()
    shutil.copy(first.folder / "run" / "secret.key", second.folder / "run")
    second.process.launch()
    second.process.wait_for_log("stands by", seconds=60)
    sleep(2)  # it is seen by the session of its first attempt to take over
    assert sorted(role for role, _ in roll(open_engine(postgres_url))) == ["daemon", "stand-by"]
    os.kill(first.process.pid, signal.SIGSTOP)
    letter = stork["F"].signs_on("A PAR - BUR")
    sleep(1)  # the mail server tells time in seconds
    with open_engine(postgres_url).begin() as connection:
        connection.execute(_DUE, {"now": datetime.now(UTC)})
    os.kill(first.process.pid, signal.SIGCONT)
    assert first.process.wait_for_end(60) == -signal.SIGKILL
    second.process.wait_for_log("takes over", seconds=60)
    assert "France:  Army Paris -> Burgundy." in stork.results("S1901M").text
    stork["F"].signs_on("STATUS")
    stork["F"].person.expects(containing=["Movement for Fall of 1901", "France:  Army Burgundy."])
    assert len(first.answers_to(letter)) == 1
    assert set(times_sent(first.sink.mails).values()) == {1}
    assert len([mail for mail in first.sink.mails if "Results" in mail.subject]) == 8
