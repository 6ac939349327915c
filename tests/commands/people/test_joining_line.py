"""A full game: people wait in line for it, and the first is asked when a seat is free."""

import pytest
from sqlmodel import select

from judge.store.engine import reading
from judge.store.tables import Application
from tests.commands.deskatwork import DeskAtWork, Posted

KIM, JO, AL = (f"{name}@example.org" for name in ("kim", "jo", "al"))
AS_KIM, JOIN = "SIGNON Mheron gm\n", "SIGNON ?heron secret"


@pytest.fixture
def full(heron: DeskAtWork) -> DeskAtWork:
    """Jo and Al stand in line."""
    for name in (JO, AL):
        heron.writes(name, f"REGISTER\nName: {name.partition('@')[0].title()} Roe\nEND")
        heron.writes(name, JOIN)
    return heron


def asked(mails: list[Posted]) -> set[str]:
    return {mail.to for mail in mails if "needs a player" in mail.text}


def line(desk: DeskAtWork) -> list[str]:
    with reading(desk.engine) as session:
        return [entry.address for entry in session.exec(select(Application)).all()]


def test_each_is_told_their_place_and_keeps_it(full: DeskAtWork):
    for name, place in ((JO, 1), (AL, 2)):
        assert f"You are number {place} in line" in full.replies(name, JOIN).flat
    assert line(full) == [JO, AL]


def test_the_first_is_asked_and_then_the_next(full: DeskAtWork):
    assert asked(full.writes(KIM, AS_KIM + "EJECT Italy")) == {JO}
    assert asked(full.writes(KIM, AS_KIM + "EJECT France")) == {AL}
    assert line(full) == []


def test_as_many_are_asked_as_seats_are_free(full: DeskAtWork):
    assert asked(full.writes(KIM, AS_KIM + "EJECT Italy\nEJECT France")) == {JO, AL}


def test_who_was_just_asked_keeps_their_new_place_and_the_next_one_is_asked(full: DeskAtWork):
    full.writes(KIM, AS_KIM + "EJECT Italy")
    full.writes("nora@example.org", "REGISTER\nName: Nora New\nEND\nSIGNON Iheron secret")
    full.observes(AL, "NO STANDBY")
    for name in (JO, AL):
        full.writes(name, JOIN)
    assert asked(full.writes(KIM, AS_KIM + "EJECT Italy")) == {AL}
    assert line(full) == [JO]


def test_nobody_is_asked_twice(full: DeskAtWork):
    full.observes(JO, "STANDBY")
    mails = full.writes(KIM, AS_KIM + "EJECT Italy")
    assert [mail.to for mail in mails if "needs a player" in mail.text] == [JO]


def test_the_line_of_an_unlisted_game_is_asked_but_not_the_standby_list(full: DeskAtWork):
    full.observes(AL, "STANDBY")
    assert asked(full.writes(KIM, AS_KIM + "SET NOLIST\nEJECT Italy")) == {JO}


def test_who_wants_no_more_mails_leaves_the_line(full: DeskAtWork):
    full.observes(JO, "NO STANDBY")
    assert line(full) == [AL]


def test_who_plays_or_can_never_play_waits_no_more(full: DeskAtWork):
    full.writes(KIM, AS_KIM + "EJECT Italy\nEJECT France")
    full.writes(JO, JOIN)
    assert line(full) == []
    full.writes(JO, "SIGNON Iheron secret")
    full.writes(AL, "SIGNON Fheron secret")
    full.writes(KIM, f"REGISTER\nName: Kim Doe\nEND\n{AS_KIM}TERMINATE heron")
    assert line(full) == []


def test_who_is_in_line_for_a_game_that_ends_is_told(full: DeskAtWork):
    mails = full.writes(KIM, AS_KIM + "TERMINATE heron")
    told = {mail.to for mail in mails if "heron has ended. You are no longer in line for it." in mail.flat}
    assert told == {JO, AL} and line(full) == []


def test_a_forming_game_asks_the_first_to_join(desk: DeskAtWork):
    desk.seat_seven()
    desk.writes(KIM, AS_KIM + "UNSTART")
    desk.writes(JO, "REGISTER\nName: Jo Roe\nEND")
    assert "You are number 1 in line" in desk.replies(JO, JOIN).flat
    mails = desk.writes("italy@example.org", "SIGNON ?heron pwitaly\nRESIGN heron")
    (mail,) = [mail for mail in mails if mail.to == JO]
    assert "first in line" in mail.text and "SIGNON ?heron <your password>" in mail.text
    assert "You are in heron" in desk.replies(JO, JOIN).text


def test_a_quiet_game_has_no_line(heron: DeskAtWork):
    heron.writes(KIM, AS_KIM + "SET QUIET")
    heron.writes(JO, "REGISTER\nName: Jo Roe\nEND")
    assert "in line" not in heron.replies(JO, JOIN).text
