"""A letter is answered once, filed away, and never again; whatever mailbox the judge has."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest

from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.harness import ADDRESS, JudgeAtWork
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailUser


@pytest.mark.parametrize("server, security", [("dovecot", "plain"), ("dovecot", "starttls"), ("mail_system", "plain")])
def test_a_letter_is_answered_once_whatever_the_mailbox(
    make_judge_at: MakeJudge, request: pytest.FixtureRequest, server: str, security: str
):
    """The answer comes at once; the letter is then out of the inbox; a restart answers what is new and nothing else."""
    judge = make_judge_at(request.getfixturevalue(server), security)
    judge.process.start()
    jo = judge.person("Jo")
    first = jo.writes("LIST", subject="what is there?")
    jo.expects(subject="Re: what is there?", containing="There are no games at the moment")
    judge.rests()

    judge.process.restart()
    second = jo.writes("HELP")
    jo.expects(containing="How to write to this judge")
    assert judge.process.terminate() == 0
    assert len(judge.answers_to(first)) == len(judge.answers_to(second)) == 1
    assert len(judge.sink.mails) == 2


def test_letters_are_answered_in_the_order_in_which_they_reached_the_server(make_judge: MakeJudge, dovecot: Dovecot):
    """Not in the order of their numbers: a mail server gives those when a letter is moved or restored, too."""
    judge = make_judge()
    jo = judge.person("Jo")
    noon = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)
    for minute in (3, 1, 2, 0):
        dovecot.append(_letter(jo, f"minute {minute}"), noon + timedelta(minutes=minute))
    judge.process.start()
    judge.sink.wait_for_count(4)
    assert [mail.subject for mail in judge.sink.mails] == [f"Re: minute {minute}" for minute in range(4)]


def test_a_letter_that_comes_twice_is_answered_once(judge: JudgeAtWork, dovecot: Dovecot):
    """The inbox is empty as soon as a letter is answered; the folder Processed holds the letter as it came. A copy
    through another address is the same letter; both copies are filed away.
    """
    jo = judge.person("Jo")
    letter = jo.writes("LIST")
    jo.expects()
    assert dovecot.mails() == []
    [filed] = dovecot.mails("Processed")
    assert filed.endswith(letter)
    dovecot.deliver(b"Received: from an.alias.example.org\r\n" + letter, ADDRESS)
    jo.writes("HELP")
    jo.expects(containing="How to write to this judge")
    jo.expects_nothing(seconds=0)
    assert dovecot.mails() == [] and len(dovecot.mails("Processed")) == 3


def test_mail_wakes_the_judge(make_judge: MakeJudge):
    """It idles at the mailbox: it need not wait for its next look, five minutes later."""
    judge = make_judge(mailbox={"poll": 300}, games={"sweep": 300})
    judge.process.start()
    jo = judge.person("Jo")
    for _ in range(3):
        jo.writes("LIST")
        jo.expects()


def test_an_answer_says_what_it_answers_and_that_a_machine_wrote_it(judge: JudgeAtWork):
    """Headers that mail programs thread by, and that keep other robots from answering (RFC 5322, RFC 3834)."""
    jo = judge.person("Jo")
    jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?heron secret", subject="Re: AW: a game, perhaps?")
    created = jo.expects(containing="heron has been created")
    letter = jo.writes("SIGNON Mheron secret", "STATUS", answering=created)
    answer = jo.expects(containing="is forming").message

    sent = _message_id(letter)
    assert created.subject == "Re: a game, perhaps?" and answer["Subject"] == created.subject
    assert answer["In-Reply-To"] == sent
    *_, before, last, itself = answer["References"].split()
    assert [before, last] == [created.message_id, sent] and ".itself@" in itself
    assert answer["Auto-Submitted"] == "auto-replied"
    assert answer["List-Id"] == "<heron.judge.judge.test>"
    assert answer["From"] == '"heron (TEST)" <judge@judge.test>' and answer["To"] == jo.address
    assert answer["Message-ID"].endswith("@judge.test>") and answer["Message-ID"] != created.message_id
    assert abs(parsedate_to_datetime(answer["Date"]) - datetime.now(UTC)) < timedelta(seconds=60)


def test_what_everybody_is_told_of_a_game_hangs_in_one_thread(make_judge: MakeJudge, begin: Begin):
    """Results bear the game's List-Id and refer to one root; each copy has a Message-ID of its own."""
    judge = make_judge()
    [heron] = begin(judge)
    heron.master.signs_on("PROCESS!")
    heron.results("S1901M")
    notices = [mail for mail in judge.sink.mails if mail.message["Auto-Submitted"] == "auto-generated"]
    told = [mail for mail in notices if "S1901M Results" in mail.subject]
    assert len(told) == len({mail.message_id for mail in told}) == 8
    assert {mail.message["List-Id"] for mail in told} == {"<heron.judge.judge.test>"}
    [root] = {mail.message["References"].split()[0] for mail in told}
    assert {mail.message["In-Reply-To"] for mail in told} == {root}
    assert all(mail.message["Message-ID"].startswith("<heron.") for mail in told)


def test_a_mail_server_that_cannot_prove_its_name_gets_no_password(make_judge: MakeJudge):
    """TLS to a server whose certificate nobody vouches for: the log says so, and the judge goes on trying."""
    judge = make_judge(security="tls", mailbox={"ca_file": ""})
    judge.process.launch()
    line = judge.process.wait_for_log("certificate that cannot be trusted")
    assert "next try in 1 s" in line
    judge.process.wait_for_log("next try in 2 s")
    assert judge.process.terminate() == 0


def _letter(jo: MailUser, subject: str) -> bytes:
    number = subject.split()[1]
    return (
        f"From: {jo.address}\r\nTo: {ADDRESS}\r\nSubject: {subject}\r\nMessage-ID: <{number}@example.org>\r\n\r\n"
        "LIST\r\n"
    ).encode()


def _message_id(letter: bytes) -> str:
    head = letter.decode().partition("\r\n\r\n")[0]
    [line] = [line for line in head.splitlines() if line.startswith("Message-ID:")]
    return line.partition(":")[2].strip()
