"""The people who write to the judge in the tests and in the demo."""

import pytest

from judge.demo.correspondent import STYLES, Correspondent, MailProgram, Unanswered
from judge.demo.postoffice import PASSWORD, PostOffice


@pytest.fixture
def post(postoffice: PostOffice):
    program = MailProgram(postoffice.host, postoffice.smtp_port, postoffice.imap_port, PASSWORD)
    yield program
    program.close()


@pytest.fixture
def jo(post: MailProgram) -> Correspondent:
    return Correspondent("Jö Smith", "jo@example.org", "judge@judge.test", post)


@pytest.fixture
def judge(post: MailProgram) -> Correspondent:
    return Correspondent("Judge", "judge@judge.test", "jo@example.org", post)


def test_letters_travel_by_smtp_and_are_read_by_imap(jo: Correspondent, judge: Correspondent):
    jo.writes("A PAR - BUR", "SIGNOFF", subject="orders")
    letter = judge.expects(subject="orders", containing=["a par - bur", "SIGNOFF"])
    assert letter.message["From"].addresses[0].display_name == "Jö Smith"
    judge.writes("Orders complete.", answering=letter)
    answer = jo.expects(containing="Orders complete")
    assert (answer.subject, answer.message["In-Reply-To"]) == ("Re: orders", letter.message_id)
    assert "> A PAR - BUR\n" in answer.text


def test_a_mail_is_read_once(jo: Correspondent, judge: Correspondent):
    judge.writes("first")
    judge.writes("second")
    jo.expects(containing="second")
    assert [mail.text for mail in jo.unread] == ["first\n"]
    with pytest.raises(Unanswered, match="first"):
        jo.expects_nothing(seconds=0)
    jo.throw_away()
    jo.expects_nothing(seconds=0)


def test_who_waits_in_vain_is_told_what_came_instead(jo: Correspondent, judge: Correspondent):
    judge.writes("No such game.", subject="error")
    with pytest.raises(Unanswered, match=r"the words 'complete'; unread is:\n> Subject: error\n> No such game."):
        jo.expects(containing="complete", seconds=0.1)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_of_letter_carries_the_lines(jo: Correspondent, judge: Correspondent, style: str):
    jo.writes("Grüße", "A PAR - BUR", style=style)
    part = judge.expects().message.get_body(("html",) if style == "html" else ("plain",))
    assert part is not None
    assert "Grüße" in part.get_content()
    assert ("A&nbsp;PAR&nbsp;–&nbsp;BUR" if style == "html" else "A PAR - BUR") in part.get_content()
