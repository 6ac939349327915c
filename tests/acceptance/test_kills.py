"""kill -9 at chosen points: no letter is lost, none takes effect twice, every mail goes out at least once.

Where the daemon dies is chosen by the function that it is in; see prepared.py.
"""

import pytest

from judge.store.inbox import MAX_ATTEMPTS
from tests.acceptance.conftest import Begin, MakeJudge, on_both
from tests.acceptance.harness import JudgeAtWork
from tests.servers.smtpsink import times_sent

CONNECTIONS = 4  # to the mail server, as judge.ini has it by default
LETTER_POINTS = {
    "fetched, not stored": ("before", "judge.store.inbox:keep"),
    "committed, not filed away": ("before", "judge.letters.mailbox:Mailbox.file_away"),
    "filed away, not read": ("after", "judge.letters.mailbox:Mailbox.file_away"),
    "carried out, not committed": ("after", "judge.commands.handler:LetterHandler.handle"),
    "committed, not sent": ("before", "judge.mails.smtp:Server.deliver"),
    "sent, not noted": ("after", "judge.mails.smtp:Server.deliver"),
}
DEADLINE_POINTS = {
    "due, not adjudicated": ("before", "judge.games.life.lifecycle:process"),
    "adjudicated, not committed": ("after", "judge.games.life.lifecycle:process"),
    "committed, nobody told": ("before", "judge.service.worker:Worker.hurry"),
}
# What is another database's to get right: what a kill undoes, and what it cannot undo.
ON_POSTGRES = {
    "committed, not filed away", "carried out, not committed", "adjudicated, not committed", "committed, nobody told",
}  # fmt: skip


def on_both_some(points: dict[str, tuple[str, str]]) -> pytest.MarkDecorator:
    """All points on SQLite, and some on PostgreSQL."""
    cases = [pytest.param("", *point, id=name) for name, point in points.items()]
    cases += [
        pytest.param("postgres", *point, id=f"{name}-postgres", marks=pytest.mark.postgres)
        for name, point in points.items()
        if name in ON_POSTGRES
    ]
    return pytest.mark.parametrize("store, when, function", cases)


@on_both_some(LETTER_POINTS)
def test_killed_over_a_letter(make_judge, when: str, function: str):
    """Three letters, one of which makes a game: each takes effect once and is answered with one and the same mail,
    which comes twice only where the daemon died between sending and noting it."""
    judge: JudgeAtWork = make_judge()
    kim, jo = judge.person("Kim"), judge.person("Jo")
    letters = [kim.writes("REGISTER", "Name: Kim", "END", "CREATE ?heron overlord"), jo.writes("HELP")]
    with judge.killed(when, function):
        pass
    judge.process.start()
    kim.expects(containing="heron has been created")
    jo.expects(containing="How to write to this judge")
    letters.append(jo.writes("LIST"))
    jo.expects(containing="game on this judge")

    answers = [judge.answers_to(letter) for letter in letters]
    assert [len({mail.message_id for mail in mails}) for mails in answers] == [1, 1, 1]
    sent_twice = [mail for mail, times in times_sent(judge.sink.mails).items() if times > 1]
    died_between = function.endswith("deliver") and when == "after"
    assert len(sent_twice) in (range(1, CONNECTIONS + 1) if died_between else [0]), "one on each connection at most"


def test_kills_are_no_fault_of_a_letter(make_judge: MakeJudge):
    """However often the daemon is killed over it: it is read again, and answered once."""
    judge: JudgeAtWork = make_judge()
    jo = judge.person("Jo")
    letter = jo.writes("HELP")
    for _ in range(MAX_ATTEMPTS):
        with judge.killed("after", "judge.commands.handler:LetterHandler.handle"):
            pass
    judge.process.start()
    jo.expects(containing="How to write to this judge")
    assert len(judge.answers_to(letter)) == 1
    assert "set aside" not in judge.process.log()


@on_both_some(DEADLINE_POINTS)
def test_killed_at_the_deadline(make_judge: MakeJudge, begin: Begin, when: str, function: str):
    """The phase is adjudicated once, with the orders that were on file, and everybody has the results once."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    stork["F"].signs_on("A PAR - BUR")
    stork["F"].person.expects(containing="Army Paris -> Burgundy")
    stork.set_deadline(2)
    judge.rests()
    judge.process.kill()
    with judge.killed(when, function):
        pass
    judge.process.start()
    assert "France:  Army Paris -> Burgundy." in stork.results("S1901M").text
    stork["F"].signs_on("STATUS")
    stork["F"].person.expects(containing=["Movement for Fall of 1901", "France:  Army Burgundy."])
    assert set(times_sent(judge.sink.mails).values()) == {1}
    assert len([mail for mail in judge.sink.mails if "Results" in mail.subject]) == 8


@on_both
def test_killed_between_two_results(make_judge: MakeJudge, begin: Begin):
    """The mail server has the third mail of eight when the daemon dies: only what was being sent then comes again, the
    same as before, at most one mail on each connection.
    """
    judge = make_judge()
    [heron] = begin(judge)
    before = len(judge.sink.mails)
    judge.sink.be_slow(0.15)
    heron.master.signs_on("PROCESS!")
    judge.sink.wait_for_count(before + 3)
    judge.process.kill()
    judge.sink.be_slow(0)
    judge.process.start()
    heron.results("S1901M")
    heron.master.person.expects(containing="has been processed")
    repeated = {mail: times for mail, times in times_sent(judge.sink.mails).items() if times > 1}
    assert set(repeated.values()) == {2} and len(repeated) <= CONNECTIONS
    results = [mail for mail in judge.sink.mails if "Results" in mail.subject]
    assert len({mail.message_id for mail in results}) == 8
    assert judge.process.ask("status").returncode == 0
