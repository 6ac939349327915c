"""Whom a message names as those who get it: in its subject, in its first line and in HISTORY."""

import pytest

from tests.desk.deskatwork import DeskAtWork, Posted


def press(desk: DeskAtWork, command: str, sender: str = "france") -> list[Posted]:
    """The mails that carry what `sender` writes under this command."""
    signon = "SIGNON Mheron gm" if sender == "kim" else f"SIGNON {sender}@heron pw{sender}"
    mails = desk.writes(f"{sender}@example.org", f"{signon}\n{command}\nMeet me at the river.")
    return [mail for mail in mails if mail.subject.startswith("JUDG:heron - S1901M Press")]


def named(mails: list[Posted]) -> str:
    """The letters in the subjects, which are the same for all but the master's copy of grey press."""
    (letters,) = {mail.subject.rpartition(" to ")[2] for mail in mails}
    return letters


def test_all_but_one_names_those_who_get_it_and_nobody_else(desk):
    desk.seat_seven()
    desk.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    mails = press(desk, "PRESS TO ALL BUT Italy")
    assert {mail.to.partition("@")[0] for mail in mails} == {"austria", "england", "germany", "russia", "kim"}
    assert named(mails) == "AEGRM"
    assert {mail.first_line for mail in mails} == {
        "Press from France to Austria, England, Germany, Russia, the master:"
    }
    history = desk.replies("russia@example.org", "SIGNON Rheron pwrussia\nHISTORY BROAD").text
    assert "to Austria, England, Germany, Russia, the master" in " ".join(history.split())


def test_observers_are_named_where_there_are_some(desk):
    desk.seat_seven()
    desk.writes("walter@example.org", "OBSERVE heron")
    assert named(press(desk, "PRESS TO ALL BUT AEG")) == "IRTMO"
    assert named(press(desk, "PRESS TO RFO")) == "RO"


def test_who_writes_grey_press_is_not_known_by_not_standing_there(desk):
    desk.seat_all("heron", "standard", "SET WHITE/GREY, GUNBOAT")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    for sender in ("france", "russia"):
        assert named(press(desk, "PRESS GREY TO ALL BUT Italy", sender)) == "AEFGRM"
    assert named(press(desk, "PRESS GREY TO ALL BUT Italy", "kim")) == "AEFGRM"


def test_a_quiet_game_does_not_tell_by_its_press_which_power_nobody_plays(desk):
    desk.seat_all("heron", "standard", "SET QUIET")
    before = named(press(desk, "PRESS TO ALL BUT Italy"))
    desk.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    assert named(press(desk, "PRESS TO ALL BUT Italy")) == before == "AEGRTM"


@pytest.mark.parametrize("command", ["PRESS TO Italy and to Germany", "PRESS TO Italy or Germany", "PRESS TO from E"])
def test_a_small_word_between_names_is_not_read_as_letters(desk, command):
    """TO could be Turkey and the observers, OR the observers and Russia."""
    desk.seat_seven()
    assert not press(desk, command)
    assert "Meet me" not in desk.replies("russia@example.org", "SIGNON Rheron pwrussia\nHISTORY BROAD").text
