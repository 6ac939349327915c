"""A player who lives by replies: real letters, a mail server that verifies who wrote them, and the daemon."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from judge.demo.mail_users import Post, ReceivedMail
from tests.acceptance.conftest import Begin, MakeJudge
from tests.servers.mailing import MailUser

SERVER = "mx.judge.test"


@dataclass(frozen=True)
class _Verifying:
    """The post of people whose letters the judge's mail server verifies as they come in."""

    post: Post
    sent: list[bytes] = field(default_factory=list)

    def send(self, raw: bytes, sender: str, to: str) -> None:
        self.sent.append(raw)
        domain = sender.rpartition("@")[2]
        found = f"Authentication-Results: {SERVER};\r\n dmarc=pass (p=reject) header.from={domain}\r\n"
        self.post.send(found.encode() + raw, sender, to)

    def mails(self, address: str) -> Sequence[ReceivedMail]:
        return self.post.mails(address)


def verified(person: MailUser) -> MailUser:
    return replace(person, post=_Verifying(person.post))


def again(person: MailUser) -> None:
    """Whoever has a copy of the letter before the person's last one sends it once more, under another Message-ID."""
    assert isinstance(person.post, _Verifying)
    raw = re.sub(rb"(?mi)^Message-ID: <", b"Message-ID: <again-", person.post.sent[-2])
    person.post.send(raw, person.address, person.judge)


@pytest.mark.parametrize("style", ["plain", "html"])
def test_a_player_chooses_it_once_and_then_only_replies(make_judge: MakeJudge, begin: Begin, style: str):
    judge = make_judge(mailbox={"authserv_id": SERVER})
    [heron] = begin(judge)
    fay, forger = verified(replace(heron["F"].person, style=style)), heron["F"].person
    friend = verified(judge.person("Friend"))
    fay.throw_away()

    fay.writes(*heron["F"].block("SET PASSWORDLESS ON"))
    chosen = fay.expects(containing=["no longer need your password", "Or just reply to this email"])
    fay.writes("A PAR - BUR", "Thanks!", answering=chosen)
    answer = fay.expects(containing=["2 units without orders", "This was done without your password"])

    # Who else has that mail, or writes in her name, can do nothing with it.
    friend.writes("A PAR H", answering=answer)
    friend.expects(containing="found no command in")
    forger.writes("A PAR H", answering=answer)
    fay.expects(containing=["has not verified that this email comes from your address", "were not recorded"])

    judge.process.restart()
    fay.writes("A MAR - SPA", "F BRE - MAO", answering=answer)
    fay.expects(containing="Orders complete")
    fay.writes("A PAR - PIC", answering=answer)
    fay.expects(containing=["Orders complete", "Army Paris -> Picardy"])
    fay.writes("A PAR - BUR", answering=answer)
    fay.expects(containing=["Orders complete", "Army Paris -> Burgundy"])
    again(fay)
    fay.expects(containing=["This email has taken effect before.", "A PAR - BUR"])
    heron.master.signs_on("PROCESS S1901M")
    results = fay.expects(subject="S1901M Results", containing=["Army Paris -> Burgundy.", "with your orders"])

    fay.writes("A BUR H", answering=answer)
    fay.expects(containing=["It replies to an email about S1901M, which", "were not recorded"])
    fay.writes("A BUR - PAR", "A SPA - POR", "F MAO H", answering=results)
    complete = fay.expects(containing=["Orders complete", "Army Burgundy -> Paris"])
    fay.writes("SET PASSWORDLESS OFF", answering=complete)
    ended = fay.expects(containing="every SIGNON needs your password from now on")
    fay.writes("A BUR H", answering=ended)
    fay.expects(containing=["were not recorded", "SIGNON Fheron <password>"])
    assert heron["F"].password.encode() not in b"".join(mail.raw for mail in judge.sink.mails)
