"""Letters that a mail server hands in, at the daemon: nothing is lost or done twice, whenever it is killed, and the
mailbox beside it is read as always.
"""

import re
import smtplib
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from tests.acceptance.harness import ADDRESS
from tests.servers import plainuser
from tests.servers.postfix import Postfix

INTAKE = r"letterbox lmtp://.* is open"
WITHIN = 30


def intake(**more: object) -> dict[str, Any]:
    return {"protocol": "lmtp", "port": plainuser.free_port(), "catch_up": 0, **more}


def letter(text: str, number: int, sender: str = "fay@example.org") -> bytes:
    head = f"From: {sender}\r\nTo: {ADDRESS}\r\nSubject: x\r\nMessage-ID: <{number}@example.org>\r\n"
    return f"{head}Date: {format_datetime(datetime.now(UTC))}\r\n\r\n{text}\r\n".encode()


def wait_until_handed_over(postfix: Postfix) -> None:
    until = time.monotonic() + WITHIN
    while postfix.queued:
        assert time.monotonic() < until, postfix.log()
        time.sleep(0.05)


def test_letters_from_postfix_take_effect_once_without_a_mailbox_and_through_a_kill(
    make_judge_at, mail_system, postfix
):
    ours = postfix.certificates
    section = intake(security="starttls", cert_file=ours.chain_file, key_file=ours.key_file)
    judge = make_judge_at(mail_system, mailbox={"host": "", "user": ""}, intake=section)
    postfix.hands_to(f"lmtp:[127.0.0.1]:{section['port']}", tls="secure")
    first, second = letter("REGISTER\nName: Fay\nEND", 1), letter("LIST", 2)
    with judge.killed("after", "judge.store.inbox:keep"):  # stored, but Postfix has not heard of it
        judge.process.wait_for_log(INTAKE)
        postfix.deliver(first, ADDRESS, "fay@example.org")
    assert postfix.queued == 1
    postfix.deliver(second, ADDRESS, "fay@example.org")  # nobody is there
    judge.process.launch()
    wait_until_handed_over(postfix)
    judge.sink.wait_for_count(2)
    judge.rests()
    assert len(judge.answers_to(first)) == len(judge.answers_to(second)) == 1
    assert "letterbox   open" in judge.process.ask("status").stdout
    recovery = judge.process.ask("recover", "--since", "2026-01-01")
    assert recovery.returncode == 2 and "has no [mailbox]" in recovery.stderr


def test_what_postfix_sends_back_is_counted_and_told(make_judge_at, mail_system, postfix):
    """Postfix takes the judge's mails too, and cannot deliver those to Fay."""
    section = intake()
    judge = make_judge_at(
        mail_system, mailbox={"host": "", "user": ""}, intake=section, limits={"bounces": 1},
        smtp={"port": postfix.port, "plus_addresses": "yes"}, judge={"keeper": "keeper@example.org"},
    )  # fmt: skip
    judge.sink.refuse_recipient("fay@example.org")
    postfix.hands_to(f"lmtp:[127.0.0.1]:{section['port']}", others=f"smtp:[127.0.0.1]:{judge.sink.port}")
    judge.process.launch()
    judge.process.wait_for_log(INTAKE)
    postfix.deliver(letter("LIST", 1), ADDRESS, "fay@example.org")
    judge.process.wait_for_log("mail=1 to=fay@example.org came back: 550 5.1.1 no such user here")
    (told,) = judge.sink.wait_for_count(1)
    assert told.recipients == ("keeper@example.org",) and "Emails to fay@example.org bounce" in told.subject
    assert re.search(r"from=<judge\+b[0-9a-f]{20}@judge.test>", postfix.log())
    judge.sink.reset()
    postfix.deliver(letter("LIST", 2), ADDRESS, "fay@example.org")
    (answer,) = judge.sink.wait_for_count(1)
    assert "Emails to you bounced (550 5.1.1 no such user here)" in " ".join(answer.text.split())


def test_the_mailbox_and_the_letterbox_are_read_side_by_side(make_judge_at, mail_system):
    section = intake(protocol="smtp")
    judge = make_judge_at(mail_system, intake=section)
    judge.process.start()
    judge.process.wait_for_log(r"letterbox smtp://.* is open")
    first, second = letter("LIST", 1), letter("HELP", 2)
    with smtplib.SMTP("127.0.0.1", section["port"], timeout=WITHIN) as post:
        post.sendmail("fay@example.org", [ADDRESS], first)
    for raw in (first, second):  # the first came both ways
        mail_system.deliver(raw, ADDRESS)
    judge.sink.wait_for_count(2)
    judge.rests()
    assert len(judge.answers_to(first)) == len(judge.answers_to(second)) == 1


def test_letters_are_taken_while_the_mailbox_is_out_of_reach(make_judge_at, mail_system):
    section = intake()
    judge = make_judge_at(mail_system, mailbox={"port": plainuser.free_port()}, intake=section)
    judge.process.launch()
    judge.process.wait_for_log("refuses the connection")
    judge.process.wait_for_log(INTAKE)
    with smtplib.LMTP("127.0.0.1", section["port"], timeout=WITHIN) as post:
        post.sendmail("fay@example.org", [ADDRESS], sent := letter("LIST", 1))
    judge.sink.wait_for_count(1)
    assert len(judge.answers_to(sent)) == 1
