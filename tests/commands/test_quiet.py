"""A quiet game: who comes, goes or is late is told to the masters alone, by notices and by answers alike."""

import re

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """A quiet game that Walter watches."""
    desk.seat_all("heron", "standard", "SET QUIET")
    desk.observes("Walter Watch <walter@example.org>", "OBSERVE heron")
    desk.new_mails()
    return desk


def rule(desk: DeskAtWork, text: str, game: str = "heron") -> list[Posted]:
    return desk.writes("kim@example.org", f"SIGNON M{game} gm\n{text}")


def told(mails: list[Posted], what: str) -> list[str]:
    return sorted(mail.to.partition("@")[0] for mail in mails if what in mail.subject)


def asked(desk: DeskAtWork, who: str, text: str) -> str:
    return desk.replies(f"{who}@example.org", text).flat


def test_a_new_master_is_known_to_the_masters(heron):
    mails = rule(heron, "PROMOTE walter@example.org")
    assert told(mails, "Promotion of Walter Watch") == ["kim", "walter"]
    assert told(mails, "You are a master") == ["walter"]


def test_press_does_not_tell_its_writer_who_has_left(heron):
    rule(heron, "SET WHITE/GREY")
    kinds = ("TO Turkey", "TO T, M", "TO TI", "TO ALL", "TO ALL BUT Italy", "GREY TO Turkey, Italy")
    press = "SIGNON Fheron pwfrance\n" + "".join(f"PRESS {to}\nAre you there?\nENDPRESS\n" for to in kinds)
    before = asked(heron, "france", press)
    rule(heron, "EJECT Turkey")
    assert asked(heron, "france", press) == before and before.count("sent to") == len(kinds)
    assert "No one plays Turkey." in asked(heron, "kim", "SIGNON Mheron gm\nPRESS TO Turkey, F\nHello.\nENDPRESS")


def test_civil_disorder_and_its_end_are_told_to_the_masters_alone(heron):
    mails = rule(heron, "EJECT Turkey\nSET DISORDER Turkey")
    assert told(mails, "Civil Disorder: Turkey") == ["kim"]
    (answer,) = [mail for mail in mails if mail.subject.startswith("Re: ")]
    told_here = "Turkey is in civil disorder; this is a quiet game, so only its masters have been notified."
    assert told_here in answer.flat
    mails = rule(heron, "SET NO DISORDER Turkey")
    assert told(mails, "No Civil Disorder: Turkey") == ["kim"]


def test_answers_do_not_tell_either(heron):
    questions = ("LIST", "STATUS heron", "LIST heron", "LIST FULL", "SUMMARY heron")
    before = {question: heron.would_reply("france@example.org", question).flat for question in questions}
    rule(heron, "EJECT Turkey\nSET DISORDER Turkey")
    for question, told in before.items():
        now = heron.would_reply("france@example.org", question).flat
        assert re.sub("Time left.*?[.]", "", now) == re.sub("Time left.*?[.]", "", told.replace("from 7", "from 6"))
    heron.expects("kim@example.org", "", dict.fromkeys(questions[1:], "disorder"))


def test_whogame_tells_nobody_but_the_masters_who_has_gone(heron):
    before = asked(heron, "france", "WHOGAME heron")
    assert "Turkey: Turkey <turkey@example.org>" in before
    rule(heron, "EJECT Turkey")
    assert asked(heron, "france", "WHOGAME heron") == before
    assert "Turkey" not in asked(heron, "kim", "WHOGAME heron")
    rule(heron, "SET NO QUIET")
    assert "Turkey" not in asked(heron, "france", "WHOGAME heron")


def test_what_changes_the_board_is_told_to_everybody(desk):
    """In 1648 the centers of a power in civil disorder become neutrals, which all may order from then on."""
    desk.seat_all("swan", "1648", "SET QUIET")
    mails = rule(desk, "EJECT Turkey\nSET DISORDER Turkey", "swan")
    assert len(told(mails, "Civil Disorder: Turkey")) == 9
    texts = [mail.flat for mail in mails if "Civil Disorder" in mail.subject]
    assert all("Constantinople is now neutral" in text and "has left" not in text for text in texts)
    assert "in permanent civil disorder" in asked(desk, "france", "STATUS swan")


def test_who_is_concerned_is_told_what_they_need(heron):
    """A seat that cannot be taken, and a draw in which nobody can have part."""
    rule(heron, "EJECT Turkey\nSET DISORDER Turkey")
    heron.writes("al@example.org", "REGISTER\nName: Al Poe\nEND")
    assert "Turkey is in permanent civil disorder" in asked(heron, "al", "SIGNON Theron mine")
    assert "Turkey is in permanent civil disorder" in asked(
        heron, "france", "SIGNON Fheron pwfrance\nSET NODIAS\nSET DRAW France, Turkey"
    )
