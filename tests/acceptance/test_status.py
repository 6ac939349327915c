"""`judge status` and `judge mails` beside the real daemon: each trouble is an exit status and what to do about it."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.harness import KEEPER, JudgeAtWork
from tests.letters.interpreter import Interpreter
from tests.servers.dovecot import Dovecot
from tests.servers.smtpsink import SmtpSink


def status(judge: JudgeAtWork, returncode: int) -> str:
    asked = judge.process.ask("status")
    assert asked.returncode == returncode, asked.stdout + asked.stderr
    assert "Traceback" not in asked.stderr
    return asked.stdout


def test_a_wrong_password_of_the_mail_server(make_judge: MakeJudge):
    with SmtpSink(login=("judge", "right")) as guarded:
        judge = make_judge(smtp={"port": guarded.port, "user": "judge", "password": "hunter2-is-wrong"})
        judge.process.start()
        said = status(judge, 1)
        assert "mail server NOT usable" in said and "535" in said and "check the password of [smtp]" in said
        assert "hunter2" not in said
        judge = make_judge(smtp={"port": guarded.port, "user": "judge", "password": "right"})
        judge.process.start()
        assert "mail server reachable" in status(judge, 0)


def test_a_disk_that_is_nearly_full_and_one_that_takes_nothing(make_judge: MakeJudge):
    """A limit on the size of files stands for it: the write fails, as it does on a full disk."""
    judge = make_judge(judge={"least_space": 999_000_000})
    judge.process.start()
    said = status(judge, 1)
    assert "disk        NEARLY FULL: " in said and "Make room" in said
    limited = f'ulimit -f 50; exec "{sys.executable}" -m judge status --config "{judge.process.config}"'
    asked = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, timeout=60)
    said = asked.stdout + asked.stderr
    assert asked.returncode == 1 and "disk        NOT usable: cannot write to" in said, said


def test_a_daemon_that_is_stuck_and_mails_that_are_not_sent_at_all(judge: JudgeAtWork):
    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects()
    assert "mail check" in status(judge, 0)
    os.kill(judge.process.pid, signal.SIGSTOP)
    with closing(sqlite3.connect(judge.database)) as connection, connection:
        connection.execute("UPDATE watch SET swept_at = datetime('now', '-1 hour')")
    assert "TOO LATE: The mailbox was last read on" in status(judge, 1)
    os.kill(judge.process.pid, signal.SIGCONT)
    judge.rests()
    judge.process.terminate()
    with closing(sqlite3.connect(judge.database)) as connection, connection:
        connection.execute("UPDATE mail SET sent_at = NULL, next_try_at = datetime('now', '-1 hour')")
    assert "TOO LATE: An email has been due since" in status(judge, 1)


def test_a_password_that_was_changed(judge: JudgeAtWork, dovecot: Dovecot):
    """The daemon has read the old one: the mailbox can be read by others, and it must be restarted."""
    file = judge.folder / "mailbox.password"
    right = file.read_text()
    judge.process.terminate()
    file.write_text("wrong")
    judge.process.launch()
    judge.process.wait_for_log("refuses the login")
    file.write_text(right)
    said = status(judge, 1)
    assert "mailbox     reachable" in said and "TROUBLE     login: " in said and "b'" not in said
    assert "app password" in said and "restart it after a change" in said
    judge.process.restart()
    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects()
    assert "TROUBLE" not in status(judge, 0)


@pytest.mark.long
def test_a_folder_that_takes_no_letters(make_judge: MakeJudge, dovecot: Dovecot):
    """They are answered as always, on the same connection, and the keeper hears of it once."""
    with Interpreter(dovecot.imap_port, refuse=(b"UID MOVE",)) as between:
        judge = make_judge(mailbox={"port": between.port})
        judge.process.start()
        jo = judge.person("Jo")
        for subject in ("one", "two", "three"):
            jo.writes("LIST", subject=subject)
            jo.expects(subject=subject, seconds=10)
        judge.rests()
        assert judge.process.log().count("is open") == 1
        said = status(judge, 1)
        assert ", 0 emails not fetched yet" in said
        assert "TROUBLE     filing: emails cannot be moved to Processed: " in said and "b'" not in said
        judge.person("Keeper", KEEPER).expects(subject="Emails cannot be filed away", seconds=100)
        between.refuse = ()
        judge.process.restart()
        jo.writes("LIST", subject="four")
        jo.expects(subject="four")
        judge.rests()
        assert "filing" not in status(judge, 0)
        assert len(dovecot.mails("Processed")) == 4


def test_a_phase_that_is_held(make_judge: MakeJudge, begin: Begin):
    judge = make_judge()
    [heron] = begin(judge)
    judge.process.terminate()
    with closing(sqlite3.connect(judge.database)) as connection, connection:
        connection.execute("UPDATE phase SET due_at = datetime('now', '-1 minute') WHERE processed_at IS NULL")
    with judge.prepared("--fail", "judge.games.orders.filed_orders:adjudicate"):
        judge.process.start()
    heron["F"].person.expects(subject="S1901M Delayed", containing="don't need to do anything")
    assert "HELD        heron S1901M since" in status(judge, 1)


def test_mails_that_were_given_up(judge: JudgeAtWork, smtp_sink: SmtpSink):
    """Each is named by its number or its address, or all are."""
    for time, (which, name) in enumerate((("number", "Ann"), ("address", "Bob"), ("all", "Cat"))):
        reader = judge.person(name)
        smtp_sink.refuse_recipient(reader.address)
        reader.writes("LIST", subject="what is on?")
        judge.process.wait_for_log("mail refused", count=2 * time + 1)
        said = status(judge, 1)
        assert "1 given up" in said and "judge mails list" in said
        listed = judge.process.ask("mails", "list").stdout
        number = listed.split()[0]
        assert reader.address in listed and "what is on?" in listed and "550 5.1.1 no such user" in listed

        word = {"number": number, "address": f"{name}@Example.org", "all": "all"}[which]
        smtp_sink.reset()
        assert judge.process.ask("mails", "retry", word).returncode == 0
        reader.expects(subject="Re: what is on?")
        assert "No emails are undeliverable." in judge.process.ask("mails", "list").stdout
        status(judge, 0)

        smtp_sink.refuse_recipient(reader.address)
        reader.writes("HELP")
        judge.process.wait_for_log("mail refused", count=2 * time + 2)
        word = {"number": str(int(number) + 1), "address": reader.address, "all": "all"}[which]
        assert "1 email is dismissed." in judge.process.ask("mails", "dismiss", word).stdout
        assert "0 given up" in status(judge, 0)
        smtp_sink.reset()
    unknown = judge.process.ask("mails", "retry", "77")
    assert unknown.returncode == 1 and 'no undeliverable email matches "77"' in unknown.stderr


def test_a_mail_whose_password_is_masked_is_not_sent_again(judge: JudgeAtWork, smtp_sink: SmtpSink):
    jo = judge.person("Jo")
    jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?heron swordfish")
    jo.expects()
    smtp_sink.refuse_recipient("ann@example.org")
    judge.person("Ann").writes("REGISTER", "Name: Ann", "END", "SIGNON ?heron")
    judge.process.wait_for_log("mail refused")
    refused = judge.process.ask("mails", "retry", "all")
    assert refused.returncode == 1 and "contained a password or code" in refused.stderr
    assert "judge mails dismiss" in refused.stderr
