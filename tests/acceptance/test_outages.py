"""The mail servers go away and come back; the daemon keeps going, patiently and without burning the processor."""

import os
import sqlite3
import time
from contextlib import closing

import pytest

from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.harness import JudgeAtWork
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem
from tests.servers.plainuser import free_port
from tests.servers.smtpsink import SmtpSink, times_sent

IDLE_SHARE = 0.06  # of a processor that a daemon may use while it has nothing to do (with a sweep every second)
PATIENCE = 10  # seconds within which SIGTERM is obeyed


def test_the_imap_server_killed_and_started_again(judge: JudgeAtWork, dovecot: Dovecot):
    """While the daemon idles. It tries again after pauses that grow, says so once for each, uses no processor time to
    speak of, and answers what has come meanwhile when the server is back; then pauses are short again."""
    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects()
    dovecot.kill()
    judge.process.wait_for_log("next try in 1 s")
    began, used = time.monotonic(), processor_seconds(judge.process.pid)
    judge.process.wait_for_log("refuses the connection; next try in 4 s")
    assert processor_seconds(judge.process.pid) - used < IDLE_SHARE * (time.monotonic() - began)
    tries = [line for line in judge.process.log().splitlines() if "next try" in line]
    assert [line.rpartition("next try in ")[2] for line in tries[:3]] == ["1 s", "2 s", "4 s"]

    dovecot.start()
    jo.writes("HELP")
    jo.expects(containing="How to write to this judge")
    dovecot.restart()
    jo.writes("LIST")
    jo.expects()
    judge.process.wait_for_log("next try in 1 s", count=2)
    assert set(times_sent(judge.sink.mails).values()) == {1}


def test_the_imap_server_down_when_the_daemon_starts(make_judge: MakeJudge, dovecot: Dovecot):
    """It starts all the same, and is ready when the server is."""
    judge = make_judge()
    jo = judge.person("Jo")
    jo.writes("LIST")
    dovecot.kill()
    judge.process.launch()
    judge.process.wait_for_log("refuses the connection; next try in 1 s")
    dovecot.start()
    jo.expects()


def test_the_mailbox_is_not_opened_every_second_where_nothing_can_be_stored(judge: JudgeAtWork):
    """A trigger stands for a full disk: the login works, and what the mailbox holds cannot be kept."""
    with closing(sqlite3.connect(judge.database)) as connection, connection:
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON letter BEGIN SELECT RAISE(FAIL, 'full'); END")
    jo = judge.person("Jo")
    jo.writes("LIST")
    for seconds in (1, 2, 4):
        judge.process.wait_for_log(f"next try in {seconds} s")
    with closing(sqlite3.connect(judge.database)) as connection, connection:
        connection.execute("DROP TRIGGER full")
    jo.expects()


def test_idling_costs_nothing(make_judge_at: MakeJudge, mail_server: Dovecot | MailSystem):
    """Neither at the mailbox nor between two looks around."""
    judge = make_judge_at(mail_server)
    judge.process.start()
    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects()
    used = processor_seconds(judge.process.pid)
    time.sleep(2)
    assert processor_seconds(judge.process.pid) - used < IDLE_SHARE * 2


def test_mails_wait_for_an_smtp_server_that_is_out_of_reach(make_judge: MakeJudge, begin: Begin, smtp_sink: SmtpSink):
    """Letters are handled and the mails go out once each when the server is there, in the order they were written;
    `judge status` tells how many wait; stopping takes no longer than at other times."""
    judge = make_judge()
    [heron] = begin(judge)
    smtp_sink.stop()
    with judge.prepared("--impatient"):
        judge.process.restart()
    heron.master.signs_on("PROCESS!")
    judge.process.wait_for_log("outbox waits .*cannot be used")
    assert "9 waiting, the oldest since" in judge.process.ask("status").stdout
    began = time.monotonic()
    assert judge.process.terminate() == 0
    assert time.monotonic() - began < PATIENCE
    smtp_sink.start()
    judge.process.start()
    heron.results("S1901M")
    heron.master.person.expects(containing="has been processed")
    assert "outbox      0 waiting" in judge.process.ask("status").stdout
    assert set(times_sent(smtp_sink.mails).values()) == {1} and len(smtp_sink.mails) == 9


def test_mails_that_do_not_go_are_sent_again(make_judge: MakeJudge, smtp_sink: SmtpSink):
    """A mail that the server refused for the time being, or lost the connection over, comes later; one that the server
    had taken all the same comes twice, under the same Message-ID. Mails behind it do not wait for it."""
    judge = make_judge()
    with judge.prepared("--impatient"):
        judge.process.start()
    people = [judge.person(name) for name in ("Ann", "Bob", "Cat")]
    for trouble, repeated in (("refused", 0), ("dropped", 0), ("dropped, but taken", 2)):
        smtp_sink.reset()
        if trouble == "refused":
            for step in ("MAIL", "RCPT", "DATA"):
                smtp_sink.refuse_next(1, "451 4.3.0 not now", at=step)
        else:
            smtp_sink.drop_next(2, taken=bool(repeated))
        letters = [person.writes("LIST") for person in people]
        smtp_sink.wait_for_count(3 + repeated)
        judge.rests()
        answers = [{mail.message_id for mail in judge.answers_to(letter)} for letter in letters]
        assert [len(ids) for ids in answers] == [1, 1, 1], trouble
        assert len(smtp_sink.mails) == 3 + repeated, trouble
    assert judge.process.ask("status").returncode == 0


def test_stopping_in_the_middle_of_an_outage(make_judge: MakeJudge, dovecot: Dovecot):
    """SIGTERM ends the daemon with status 0 at once, however long the pauses it is in."""
    nobody = free_port()
    judge = make_judge(mailbox={"port": nobody}, smtp={"port": nobody})
    judge.process.launch()
    judge.process.wait_for_log("next try in 2 s")
    began = time.monotonic()
    assert judge.process.terminate() == 0
    assert time.monotonic() - began < PATIENCE
    assert "has stopped" in judge.process.log()


def test_stopping_while_a_mail_is_being_sent(judge: JudgeAtWork, smtp_sink: SmtpSink):
    """The mail is finished and noted: it does not come again."""
    smtp_sink.be_slow(1)
    jo = judge.person("Jo")
    letter = jo.writes("LIST")
    smtp_sink.wait_for_count(1)
    assert judge.process.terminate(PATIENCE) == 0
    judge.process.start()
    jo.writes("HELP")
    jo.expects(containing="How to write to this judge")
    assert len(judge.answers_to(letter)) == 1


@pytest.mark.parametrize(
    "function",
    [
        "judge.commands.handler:fingerprint_of",
        "judge.commands.handler:LetterHandler.handle",
        "judge.games.life.lifecycle:process",
    ],
    ids=["reading", "handling", "adjudicating for a master"],
)
def test_stopping_whatever_is_in_hand(make_judge: MakeJudge, begin: Begin, function: str):
    """Letters that never come to an end, three of them together: SIGTERM is obeyed all the same, and none is charged
    with that. They are answered after the next start."""
    judge = make_judge()
    [heron] = begin(judge)
    assert judge.process.terminate() == 0
    letters = [heron.master.signs_on("PROCESS!"), heron["F"].signs_on("STATUS"), heron["G"].signs_on("STATUS")]
    with judge.prepared("--loop", function):
        judge.process.launch()
        judge.process.wait_for_log("never ends")
        assert judge.process.terminate(PATIENCE) == 0
    assert "it will be done after the next start" in judge.process.log()
    judge.process.start()
    heron.results("S1901M")
    for power in "FG":
        heron[power].person.expects(containing="Movement for Fall of 1901")
    assert [len(judge.answers_to(letter)) for letter in letters] == [1, 1, 1]
    assert judge.process.ask("status").returncode == 0


def test_stopping_at_a_deadline_that_takes_long(make_judge: MakeJudge, begin: Begin):
    """The phase is adjudicated after the next start, once."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    stork.set_deadline(1)
    judge.rests()
    judge.process.kill()
    with judge.prepared("--loop", "judge.games.life.lifecycle:run_due"):
        judge.process.launch()
        judge.process.wait_for_log("never ends")
        assert judge.process.terminate(PATIENCE) == 0
    judge.process.start()
    stork.results("S1901M")
    assert len([mail for mail in judge.sink.mails if "Results" in mail.subject]) == 8


def processor_seconds(pid: int) -> float:
    """What the process has used so far, user and system time."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
