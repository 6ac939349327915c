"""SET DIGEST: news that ask nothing of their reader come in one mail a day."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from judge.games.notifications.notices import next_digest
from judge.store.engine import reading
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork, Posted, posted

FRANCE, ITALY, KIM = "france@example.org", "italy@example.org", "kim@example.org"
AS_FRANCE, AS_KIM = "SIGNON Fheron pwfrance\n", "SIGNON Mheron gm\n"


@pytest.fixture
def two(desk: DeskAtWork) -> DeskAtWork:
    """France plays in two games and reads the news at seven."""
    desk.seat_seven("swan")
    desk.seat_seven()
    desk.writes(FRANCE, AS_FRANCE + "SET DIGEST 7:00")
    return desk


def digests(desk: DeskAtWork) -> list[tuple[datetime, Posted]]:
    with reading(desk.engine) as session:
        rows = session.exec(select(Mail).where(Mail.kind == "digest").order_by(col(Mail.id))).all()
        return [(row.next_try_at, posted(row)) for row in rows]


def at_once(mails: list[Posted], to: str = FRANCE) -> list[str]:
    """The subjects of what is not gathered."""
    return [mail.subject for mail in mails if mail.to == to and "News from your games" not in mail.subject]


def test_news_of_all_games_come_together(two: DeskAtWork) -> None:
    note = two.replies(FRANCE, AS_FRANCE + "SET DIGEST 7:00")
    assert "already set; nothing changed" in note.flat  # the fixture has done it
    first = two.writes(ITALY, "SIGNON Iswan pwitaly\nRESIGN swan")
    two.now += timedelta(hours=3)
    second = two.writes(KIM, AS_KIM + "EJECT Russia")
    assert at_once(first) == at_once(second) == []
    assert at_once(first, "turkey@example.org") and at_once(second, KIM)
    ((due, mail),) = digests(two)
    assert due == datetime(2026, 5, 5, 7, tzinfo=UTC) and mail.to == FRANCE
    assert mail.first_line == "News from your games (2):"
    assert "Italy" in mail.text and "Russia" in mail.text and "---- swan: " in mail.text and "---- heron: " in mail.text
    assert "News from your games (2):" in mail.page
    two.now = due + timedelta(minutes=1)
    two.writes(KIM, AS_KIM + "EJECT Turkey")
    assert [when for when, _ in digests(two)] == [due, due + timedelta(days=1)]


def test_what_asks_something_comes_at_once(two: DeskAtWork) -> None:
    assert at_once(two.writes(KIM, AS_KIM + "SET DEADLINE 2026-05-20 21:00")) != []
    assert at_once(two.writes(ITALY, "SIGNON Iheron pwitaly\nPRESS TO France\nHello\nENDPRESS")) != []
    assert at_once(two.writes(KIM, AS_KIM + "PROCESS")) == ["JUDG:heron - S1901M Results"]
    assert at_once(two.writes(KIM, AS_KIM + "ROLLBACK S1901M")) != []
    assert digests(two) == []


def test_an_observer_s_results_wait_too_and_a_master_s_news_do_not(two: DeskAtWork) -> None:
    two.observes("nina@example.org", "REGISTER\nName: Nina\nTimezone: UTC\nEND\nOBSERVE heron")
    two.writes("nina@example.org", "SIGNON ?heron\nSET DIGEST 06:30")
    two.writes(KIM, AS_KIM + "SET DIGEST 07:00")
    mails = two.writes(KIM, AS_KIM + "PROCESS")
    assert at_once(mails, KIM) != []


def test_off_brings_news_at_once(two: DeskAtWork) -> None:
    two.writes(FRANCE, AS_FRANCE + "SET DIGEST OFF")
    assert at_once(two.writes(KIM, AS_KIM + "EJECT Russia")) != []
    reply = two.replies(FRANCE, AS_FRANCE + "SET DIGEST 25:00")
    assert '"25:00" is not a time of day' in reply.text


@pytest.mark.parametrize(("now", "then"), [
    ("2026-05-04T04:00", "2026-05-04T05:00"),
    ("2026-05-04T04:59", "2026-05-05T05:00"),
    ("2026-05-04T05:00", "2026-05-05T05:00"),
    ("2026-10-24T06:00", "2026-10-25T06:00"),
])  # fmt: skip
def test_the_moment_is_one_of_the_reader_s_day(now: str, then: str) -> None:
    """Not one that is about to come; at the same hour by the clock when summer time ends."""
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert next_digest(7 * 60, "Europe/Berlin", moment) == datetime.fromisoformat(then).replace(tzinfo=UTC)
