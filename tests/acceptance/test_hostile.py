"""Letters that nobody should send: each is answered or dropped, politely, and the next letter is answered at once."""

import random
import re
from dataclasses import dataclass
from itertools import count

from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.game import Game
from tests.acceptance.harness import ADDRESS, JudgeAtWork
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem, MailUser


@dataclass(frozen=True)
class Bad:
    """A letter, and words that are in its answer if there is to be one."""

    raw: bytes
    answer: str = ""


_numbers = count(1)


def letter(body: bytes | str, *headers: str, sender: str = "From: mal@example.org") -> bytes:
    own = [sender, f"To: {ADDRESS}", "Subject: hm", f"Message-ID: <bad{next(_numbers)}@example.org>"]
    head = "\r\n".join(filter(None, [*own, *headers]))
    return head.encode() + b"\r\n\r\n" + (body if isinstance(body, bytes) else body.encode())


HINT = "found no command in"
ONE_LINE = b"x" * 70 + b"\r\n"
NESTED = "".join(f"--{n}\r\nContent-Type: multipart/mixed; boundary={n + 1}\r\n\r\n" for n in range(100))
ANSWERED = {
    "one megabyte": Bad(letter(b"LIST\r\n" + ONE_LINE * 14_600), "only its beginning was read"),
    "ten megabytes": Bad(letter(b"LIST\r\n" + ONE_LINE * 146_000), "There are no games"),
    "one line of a megabyte": Bad(letter(b"LIST\r\n" + b"A PAR - BUR, " * 75_000), "There are no games"),
    "10,000 lines": Bad(letter("LIST\r\n" + "A PAR - BUR\r\n" * 9_999), "Cut at 5,000 lines"),
    "10,000 commands": Bad(letter("LIST\r\n" * 10_000), "Cut at 5,000 lines"),
    "empty": Bad(letter(""), HINT),
    "blank": Bad(letter("\r\n \r\n\t\r\n" * 100), HINT),
    "NUL bytes": Bad(letter(b"\0LIST\r\n\0\0\0\r\nLIST\r\n\0"), "There are no games"),
    "binary": Bad(letter(random.Random(1).randbytes(50_000)), HINT),
    "an unknown charset": Bad(letter("LIST\r\n", "Content-Type: text/plain; charset=klingon-8"), "There are no games"),
    "broken base64": Bad(letter("LI=ST!!\r\n", "Content-Transfer-Encoding: base64"), HINT),
    "a multipart without parts": Bad(letter("LIST\r\n", "MIME-Version: 1.0", "Content-Type: multipart/mixed")),
    "a boundary that never ends": Bad(
        letter(
            "--b\r\nContent-Type: text/plain\r\n\r\nLIST\r\n",
            "MIME-Version: 1.0",
            "Content-Type: multipart/mixed; boundary=b",
        ),
        "There are no games",
    ),
    "parts in parts in parts": Bad(letter(NESTED, "Content-Type: multipart/mixed; boundary=0"), HINT),
    "a header of a megabyte": Bad(letter("LIST\r\n", "X-Long: " + "x" * 500_000, "References: " + "<a@b> " * 90_000)),
    "HTML that never closes": Bad(letter("<div>" * 20_000 + "LIST", "Content-Type: text/html"), "There are no games"),
    "a Message-ID that would be a header": Bad(
        letter("LIST\r\n", "References: <a@b>\r\n <c\rBcc: eve@example.org>"), "There are no games"
    ),
}
DROPPED = {
    "no From": Bad(letter("LIST\r\n", sender="")),
    "several From": Bad(letter("LIST\r\n", "From: eve@example.org")),
    "several addresses in From": Bad(letter("LIST\r\n", sender="From: mal@example.org, eve@example.org")),
    "an address that is none": Bad(letter("LIST\r\n", sender="From: <mal@example.org\0>, @@")),
    "nothing at all": Bad(b"\r\n"),
    "an auto-reply": Bad(letter("LIST\r\n", "Auto-Submitted: auto-replied")),
    "an absence note": Bad(letter("LIST\r\n", "X-Autoreply: yes", "Precedence: bulk")),
    "a mailing list": Bad(letter("LIST\r\n", "List-Id: <news.example.org>", "Precedence: list")),
    "a bounce": Bad(letter("LIST\r\n", sender="From: MAILER-DAEMON@example.org")),
    "our own mail": Bad(letter("LIST\r\n", "X-Judge: TEST")),
    "our own address": Bad(letter("LIST\r\n", sender=f"From: {ADDRESS}")),
}


def test_strange_letters_are_answered(judge: JudgeAtWork):
    """Whatever can be read of them counts, and the answer says what could not."""
    for what, bad in ANSWERED.items():
        mal = judge.person("Mal", f"{what.lower().replace(' ', '-').replace(',', '')}@example.org")
        raw = bad.raw.replace(b"mal@example.org", mal.address.encode(), 1)
        mal.post.send(raw, mal.address, ADDRESS)
        answer = mal.expects(containing=bad.answer)
        assert len(answer.raw) < 20_000, what
        assert "Bcc" not in answer.message, what
    assert_well(judge)
    assert len(judge.sink.mails) == len(ANSWERED) + 1


def test_letters_that_must_not_be_answered(make_judge_at: MakeJudge, mail_system: MailSystem):
    """Machines, and letters that are from nobody: no answer to anybody, but the log says what came and why not."""
    judge = make_judge_at(mail_system)
    judge.process.start()
    mal = judge.person("Mal")
    for bad in DROPPED.values():
        mal.post.send(bad.raw, mal.address, ADDRESS)
    judge.process.wait_for_log("ignored: ", count=len(DROPPED))
    assert_well(judge)
    assert len(judge.sink.mails) == 1


def test_a_bounce_of_our_own_mail_and_a_letter_full_of_wrong_orders(
    make_judge: MakeJudge, begin: Begin, dovecot: Dovecot
):
    """A delivery report quotes a whole letter, password and orders; so does an absence note. Thousands of lines that
    are nearly orders have a short answer in good time, and the one good line counts.
    """
    judge = make_judge()
    [heron] = begin(judge)
    france = heron["F"]
    orders = "\r\n".join(france.block("A PAR - BUR"))
    report = [
        f"From: {france.person.address}",
        "Subject: Undelivered Mail",
        "MIME-Version: 1.0",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        orders,
        "--b",
        "Content-Type: message/rfc822",
        "",
        f"From: {france.person.address}",
        "Subject: orders",
        "",
        orders,
        "--b--",
        "",
    ]
    dovecot.deliver("\r\n".join(report).encode(), ADDRESS, sender=france.person.address)
    dovecot.deliver(
        letter(orders, "Auto-Submitted: auto-replied", sender=f"From: {france.person.address}"),
        ADDRESS,
        sender=france.person.address,
    )
    plain_bounce = letter(orders, sender=f"From: {france.person.address}")
    dovecot.deliver(plain_bounce.replace(b"hm", b"Returned mail"), ADDRESS, sender="")  # Return-Path: <>
    judge.process.wait_for_log("ignored: ", count=3)
    assert judge.sink.mails == []
    assert "Army Paris, no order" in status_of(france.person, heron)
    nearly = [f"A {a}{b}{c} - BUR" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyzabcd"]
    heron["F"].signs_on(*nearly * 3, "A PAR - BUR")
    answer = heron["F"].person.expects(containing="2 units without orders: A MAR, F BRE")
    assert "Army Paris -> Burgundy" in answer.text and len(answer.text) < 20_000
    assert_well(judge)


def assert_well(judge: JudgeAtWork) -> None:
    """The daemon lives, has put nothing aside, and answers the next letter at once."""
    jo = judge.person("Jo")
    jo.writes("HELP")
    jo.expects(containing="How to write to this judge")
    assert not re.search("ERROR|Traceback", judge.process.log()), judge.process.tail(60)


def status_of(person: MailUser, game: Game) -> str:
    game.seat_of(person).signs_on("STATUS")
    return person.expects(containing="Movement for Spring of 1901").text
