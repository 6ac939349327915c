"""Those in a game that is forming are told once a week, whatever happens to the judge, and not for ever."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.games.core.work import Work
from judge.games.deadlines.due import MOST_WEEKS
from judge.games.life import forming
from judge.store.engine import transaction
from judge.store.games import game_named, next_alarm, next_waiting
from judge.store.tables import Game
from tests.commands.deskatwork import START, DeskAtWork, Posted

WEEK, MINUTE = timedelta(days=7), timedelta(minutes=1)
CREATED = START + MINUTE


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """Kim's game heron is forming, Jo is in it, Al watches."""
    return forming_game(tmp_path, "")


@pytest.fixture
def each_desk(tmp_path: Path, store: str) -> DeskAtWork:
    """The same on each database: for what depends on its transactions."""
    return forming_game(tmp_path, store)


def forming_game(folder: Path, store: str) -> DeskAtWork:
    desk = DeskAtWork(folder, store, {})
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    desk.writes("jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON ?heron secret")
    desk.observes("al@example.org", "OBSERVE heron")
    return desk


def game_of(desk: DeskAtWork) -> Game:
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        return game


def notices(mails: list[Posted]) -> list[str]:
    return [mail.to.partition("@")[0] for mail in mails if "Waiting for 6 More Players" in mail.subject]


def test_everybody_in_the_game_is_told_once_a_week(desk):
    assert desk.ring(CREATED + WEEK - timedelta(seconds=1)) == []
    assert notices(desk.ring(CREATED + WEEK)) == ["kim", "jo", "al"]
    assert desk.ring(CREATED + WEEK + MINUTE) == []
    assert notices(desk.ring(CREATED + 2 * WEEK)) == ["kim", "jo", "al"]


def test_after_a_long_outage_one_notice_is_sent_and_the_week_is_kept(desk):
    assert len(notices(desk.ring(CREATED + 3 * WEEK + timedelta(days=2)))) == 3
    assert game_of(desk).notice_at == CREATED + 4 * WEEK


def test_a_notice_that_was_sent_by_another_process_is_not_sent_again(each_desk):
    """Both have seen that it is due; the row, read again, tells the second that it is done."""
    each_desk.now = CREATED + WEEK
    with transaction(each_desk.engine) as session:
        seen = next_waiting(session, each_desk.now)
        assert seen
    each_desk.ring(each_desk.now)
    with transaction(each_desk.engine) as session:
        work = Work(session, each_desk.services, each_desk.now)
        assert forming.tell_waiting(work, session.merge(seen, load=False)) == "was no longer due"
    assert each_desk.new_mails() == []


def test_the_notices_come_to_an_end(desk):
    for week in range(1, MOST_WEEKS):
        assert "the last such notice" not in desk.ring(CREATED + week * WEEK)[0].text
    assert "the last such notice" in " ".join(desk.ring(CREATED + MOST_WEEKS * WEEK)[0].text.split())
    assert desk.ring(CREATED + 10 * MOST_WEEKS * WEEK) == []
    assert game_of(desk).notice_at is None


@pytest.mark.parametrize("word", ["FORCE BEGIN", "TERMINATE"])
def test_there_are_none_when_the_game_has_begun_or_ended(desk, word):
    desk.writes("kim@example.org", f"SIGNON Mheron gm\n{word}")
    assert game_of(desk).notice_at is None
    assert notices(desk.ring(CREATED + WEEK)) == []


def test_they_begin_again_when_the_game_is_forming_again(desk):
    desk.ring(CREATED + 5 * WEEK)
    desk.writes("jo@example.org", "SIGNON ?heron secret")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nFORCE BEGIN")
    desk.now = CREATED + 30 * WEEK
    desk.writes("kim@example.org", "SIGNON Mheron gm\nUNSTART")
    unstarted = desk.now
    assert len(notices(desk.ring(unstarted + WEEK))) == 3
    assert game_of(desk).notice_at == unstarted + 2 * WEEK


def test_a_full_game_tells_that_it_waits_for_its_master(desk):
    desk.writes("kim@example.org", "SIGNON Mheron gm\nSET MANUALSTART")
    for name in "bcdefg":
        desk.writes(f"{name}@example.org", f"REGISTER\nName: {name}\nEND\nSIGNON ?heron secret")
    mails = desk.new_mails() + desk.ring(CREATED + WEEK)
    assert {mail.subject for mail in mails} == {"JUDG:heron - Waiting for Master to Start"}
    assert "is full" in desk.replies("h@example.org", "REGISTER\nName: h\nEND\nSIGNON ?heron secret").text


def test_a_master_is_reminded_of_those_who_wait_for_an_answer(desk):
    desk.writes("kim@example.org", "SIGNON Mheron gm\nSET APPROVAL")
    desk.writes("bo@example.org", "REGISTER\nName: Bo\nEND\nSIGNON ?heron secret")
    mails = desk.ring(CREATED + WEEK)
    assert [mail.to for mail in mails if mail.subject.endswith("Bo Asks to Join")] == ["kim@example.org"]


def test_a_forming_game_has_an_alarm_and_one_that_failed_is_tried_again(each_desk):
    game = game_of(each_desk)
    with transaction(each_desk.engine) as session:
        assert next_alarm(session, CREATED) == CREATED + WEEK
        forming.put_off_notice(Work(session, each_desk.services, CREATED + WEEK), session.get_one(Game, game.id))
    assert each_desk.ring(CREATED + WEEK + MINUTE) == []
    assert len(notices(each_desk.ring(CREATED + WEEK + timedelta(hours=1)))) == 3
    assert game_of(each_desk).notice_at == CREATED + 2 * WEEK
