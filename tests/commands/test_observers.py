"""Observers come and go by mail; their mail program's unsubscribe button works from any address."""

import re
from datetime import timedelta

from tests.commands.deskatwork import DeskAtWork
from tests.texts import searched


def unsubscribe_subject(desk: DeskAtWork) -> str:
    """The subject that the button under an observer's mail would write."""
    desk.seat_seven()
    (position, _) = desk.observes("otto@example.org", "OBSERVE heron")[-2:]
    header = position.message["List-Unsubscribe"].strip()
    return searched(r"^<mailto:judge@example\.org\?subject=(.*)>$", header)[1].replace("%20", " ")


def test_the_unsubscribe_button_ends_an_observers_mails(desk: DeskAtWork):
    subject = unsubscribe_subject(desk)
    answer = desk.replies("otto.private@example.org", "", subject=subject)
    assert answer.first_line == "You no longer observe heron."
    results = desk.ring(desk.now + timedelta(days=20))
    assert results and not [mail for mail in results if mail.to == "otto@example.org"]


def test_a_made_up_unsubscribe_word_does_nothing(desk: DeskAtWork):
    subject = unsubscribe_subject(desk)
    forged = subject[:-1] + ("0" if subject[-1] != "0" else "1")
    assert "was refused" in desk.replies("mallory@example.org", "", subject=forged).first_line
    assert [mail for mail in desk.ring(desk.now + timedelta(days=20)) if mail.to == "otto@example.org"]


def test_players_mails_have_no_unsubscribe_button(heron: DeskAtWork):
    results = heron.ring(heron.now + timedelta(days=20))
    assert results and not [mail for mail in results if mail.message["List-Unsubscribe"]]


def test_news_to_all_say_nothing_to_players_alone(heron: DeskAtWork):
    heron.observes("jo@example.org")
    signon = "SIGNON Mheron gm\n"
    mails = [
        mail
        for line in ("PAUSE", "RESUME", "PROCESS\nROLLBACK", "UNSTART")
        for mail in heron.writes("kim@example.org", signon + line)
        if not mail.answers and mail.to in ("jo@example.org", "kim@example.org")
    ]
    for what in ("Paused", "Deadline", "Rollback", "Unstart"):
        assert {mail.to for mail in mails if what in mail.subject} == {"jo@example.org", "kim@example.org"}, what
    said = [mail.flat for mail in mails if re.search(r"\byours?\b|\byou\b", mail.flat, re.IGNORECASE)]
    assert not said, said
