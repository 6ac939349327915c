"""The people who write to the judge in the tests and in the demo."""

import pytest

from judge.demo.mail_system import PASSWORD
from judge.demo.mail_users import STYLES, MailClient, Unanswered
from tests.servers.mailing import MailSystem, MailUser


@pytest.fixture
def post(mail_system: MailSystem):
    program = MailClient(mail_system.host, mail_system.smtp_port, mail_system.imap_port, PASSWORD)
    yield program
    program.close()


@pytest.fixture
def jo(post: MailClient) -> MailUser:
    return MailUser("Jö Smith", "jo@example.org", "judge@judge.test", post)


@pytest.fixture
def judge(post: MailClient) -> MailUser:
    return MailUser("Judge", "judge@judge.test", "jo@example.org", post)


def test_letters_travel_by_smtp_and_are_read_by_imap(jo: MailUser, judge: MailUser):
    jo.writes("A PAR - BUR", "SIGNOFF", subject="orders")
    letter = judge.expects(subject="orders", containing=["a par - bur", "SIGNOFF"])
    assert letter.message["From"].addresses[0].display_name == "Jö Smith"
    judge.writes("Orders complete.", answering=letter)
    answer = jo.expects(containing="Orders complete")
    assert (answer.subject, answer.message["In-Reply-To"]) == ("Re: orders", letter.message_id)
    assert "> A PAR - BUR\n" in answer.text


def test_a_mail_is_read_once(jo: MailUser, judge: MailUser):
    judge.writes("first")
    judge.writes("second")
    jo.expects(containing="second")
    assert [mail.text for mail in jo.unread] == ["first\n"]
    with pytest.raises(Unanswered, match="first"):
        jo.expects_nothing(seconds=0)
    jo.throw_away()
    jo.expects_nothing(seconds=0)


def test_who_waits_in_vain_is_told_what_came_instead(jo: MailUser, judge: MailUser):
    judge.writes("No such game.", subject="error")
    with pytest.raises(Unanswered, match=r"the words 'complete'; unread is:\n> Subject: error\n> No such game."):
        jo.expects(containing="complete", seconds=0.1)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_of_letter_carries_the_lines(jo: MailUser, judge: MailUser, style: str):
    jo.writes("Grüße", "A PAR - BUR", style=style)
    part = judge.expects().message.get_body(("html",) if style == "html" else ("plain",))
    assert part is not None
    assert "Grüße" in part.get_content()
    assert ("A&nbsp;PAR&nbsp;–&nbsp;BUR" if style == "html" else "A PAR - BUR") in part.get_content()
