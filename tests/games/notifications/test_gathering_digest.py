"""How people get their mails: news once a day (SET DIGEST), in one conversation (THREADS), with calendar entries."""

from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar, Event
from sqlmodel import col, select

from judge.games.notifications.gathering import next_digest
from judge.mails.parts import illustrated, with_notice
from judge.store.engine import reading, transaction
from judge.store.tables import Mail, Seat
from tests.commands.deskatwork import DeskAtWork, Posted, posted
from tests.mails.test_parts import PNG

FRANCE, ITALY, KIM, NINA = (f"{name}@example.org" for name in ("france", "italy", "kim", "nina"))
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
    assert "already set, so nothing changed" in note.flat  # the fixture has done it
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
    assert at_once(two.writes(KIM, AS_KIM + "PROCESS!")) == ["JUDG:heron - S1901M Results"]
    assert at_once(two.writes(KIM, AS_KIM + "ROLLBACK S1901M")) != []
    assert digests(two) == []


def test_an_observer_s_results_wait_too_and_a_master_s_news_do_not(two: DeskAtWork) -> None:
    two.writes(KIM, AS_KIM + "SET DIGEST 07:00\nSIGNOFF\nCREATE ?crane gm\nOBSERVE heron")
    two.observes(NINA, "REGISTER\nName: Nina\nTimezone: UTC\nEND\nOBSERVE heron")
    two.writes(NINA, "SIGNON ?crane secret\nSET DIGEST 06:30")
    mails = two.writes(KIM, AS_KIM + "PROCESS!")
    assert at_once(mails, KIM) != [] == at_once(mails, NINA)
    left = two.writes(ITALY, "SIGNON Iheron pwitaly\nRESIGN heron")
    told = {reader: bool(at_once(left, reader)) for reader in (KIM, FRANCE, NINA)}
    assert told == {KIM: True, FRANCE: False, NINA: False}


def test_nothing_waits_for_a_player_who_is_a_master_too(two: DeskAtWork) -> None:
    two.observes(NINA, "REGISTER\nName: Nina\nTimezone: UTC\nEND\nOBSERVE heron")
    with transaction(two.engine) as session:
        (watches,) = session.exec(select(Seat).where(Seat.role == "observer")).all()
        of_france = select(Seat).where(Seat.power == "France", Seat.game_id == watches.game_id)
        watches.role, watches.person_id, watches.address = "master", session.exec(of_france).one().person_id, FRANCE
    assert at_once(two.writes(ITALY, "SIGNON Iheron pwitaly\nRESIGN heron")) != []


def test_off_brings_news_at_once(two: DeskAtWork) -> None:
    two.writes(FRANCE, AS_FRANCE + "SET DIGEST OFF")
    assert at_once(two.writes(KIM, AS_KIM + "EJECT Russia")) != []
    reply = two.replies(FRANCE, AS_FRANCE + "SET DIGEST 25:00")
    assert '"25:00" is not a time of day' in reply.text


@pytest.mark.parametrize(("now", "then"), [
    ("2026-05-04T04:00", "2026-05-04T05:00"),
    ("2026-05-04T04:57", "2026-05-04T05:00"),
    ("2026-05-04T04:58", "2026-05-05T05:00"),
    ("2026-05-04T04:59", "2026-05-05T05:00"),
    ("2026-05-04T05:00", "2026-05-05T05:00"),
    ("2026-10-24T06:00", "2026-10-25T06:00"),
])  # fmt: skip
def test_the_moment_is_one_of_the_reader_s_day(now: str, then: str) -> None:
    """Not one that is about to come; at the same hour by the clock when summer time ends."""
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert next_digest(7 * 60, "Europe/Berlin", moment) == datetime.fromisoformat(then).replace(tzinfo=UTC)


GERMANY = "germany@example.org"


def bare(subject: str) -> str:
    """A subject as Gmail compares it."""
    return subject.removeprefix("Re: ")


def test_set_threads_gives_all_mails_of_a_game_one_subject(heron: DeskAtWork) -> None:
    note = heron.replies(FRANCE, AS_FRANCE + "SET THREADS ON")
    assert "all emails about a game will have the same subject" in note.flat
    mails = heron.writes(GERMANY, "SIGNON Gheron pwgermany\nPRESS TO France\nHello\nENDPRESS")
    mails += heron.writes(KIM, "SIGNON Mheron gm\nSET DEADLINE 2026-05-20 21:00\nPROCESS!\nEJECT Turkey")
    mine = [mail for mail in mails if mail.to == FRANCE]
    # The deadline of a phase that the same letter ends is not told.
    assert len(mine) == 3 and {mail.subject for mail in mine} == {"JUDG:heron"}
    assert "JUDG:heron - S1901M Results" in {mail.subject for mail in mails if mail.to == GERMANY}
    last = mine[-1]
    reply = heron.replies(FRANCE, AS_FRANCE + "A PAR - BUR", subject=f"Re: {last.subject}",
                         answering=str(last.message["Message-ID"]))  # fmt: skip
    assert bare(reply.subject) == "JUDG:heron"
    assert len({root(mail) for mail in [*mine, reply]}) == 1
    heron.writes(FRANCE, AS_FRANCE + "SET THREADS OFF")
    later = heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert "JUDG:heron - F1901M Results" in {mail.subject for mail in later if mail.to == FRANCE}


def root(mail: Posted) -> str:
    """What the mail refers to first."""
    return str(mail.message["References"]).split()[0]


def entry(mail: Posted) -> Event:
    """The entry that a mail brings, as a calendar reads it."""
    (part,) = [part for part in mail.message.walk() if part.get_content_type() == "text/calendar"]
    assert part.get_param("method") == "PUBLISH" and part.get_filename() == "heron.ics"
    whole = Calendar.from_ical(part.get_content())
    # Else programs would offer to accept it, and answer.
    assert whole["METHOD"] == "PUBLISH" and b"ORGANIZER" not in part.get_payload(decode=True)
    (event,) = whole.events
    assert isinstance(event, Event) and not event.errors
    return event


def kinds(mail: Posted) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk()]


def the(mails: list[Posted], subject: str, to: str = FRANCE) -> Posted:
    return next(mail for mail in mails if mail.to == to and subject in mail.subject)


def test_an_entry_moves_with_the_deadline_and_goes_with_it(heron: DeskAtWork) -> None:
    first = entry(heron.replies(FRANCE, AS_FRANCE + "SET CALENDAR ON"))
    assert first["SUMMARY"] == "heron: orders for Movement for Spring of 1901 are due"
    assert first["STATUS"] == "CONFIRMED" and isinstance(first.start, datetime) and first.start.tzinfo
    heron.now += timedelta(hours=1)
    mails = heron.writes(KIM, AS_KIM + "SET DEADLINE 2026-05-20 21:00")
    moved = entry(the(mails, "Deadline"))
    assert moved.start == datetime(2026, 5, 20, 21, tzinfo=UTC) != first.start
    assert not [mail for mail in mails if mail.to != FRANCE and "text/calendar" in kinds(mail)]
    heron.now += timedelta(hours=1)
    results = entry(the(heron.writes(KIM, AS_KIM + "PROCESS!"), "Results"))
    assert results["SUMMARY"] == "heron: orders for Movement for Fall of 1901 are due"
    heron.now += timedelta(hours=1)
    paused = entry(the(heron.writes(KIM, AS_KIM + "PAUSE"), "Paused"))
    assert paused["STATUS"] == "CANCELLED"
    heron.now += timedelta(hours=1)
    resumed = entry(the(heron.writes(KIM, AS_KIM + "RESUME"), "Deadline"))
    heron.now += timedelta(hours=1)
    ended = entry(the(heron.writes(KIM, AS_KIM + "TERMINATE heron"), "heron"))
    every = [first, moved, results, paused, resumed, ended]
    assert [one["STATUS"] for one in every] == ["CONFIRMED"] * 3 + ["CANCELLED", "CONFIRMED", "CANCELLED"]
    assert len({str(one["UID"]) for one in every}) == 1
    numbers = [one.sequence for one in every]
    assert numbers == sorted(set(numbers))


def test_off_takes_the_entry_away(heron: DeskAtWork) -> None:
    heron.writes(FRANCE, AS_FRANCE + "SET CALENDAR ON")
    heron.now += timedelta(minutes=1)
    told = entry(heron.replies(FRANCE, AS_FRANCE + "SET CALENDAR ON"))
    off = entry(heron.replies(FRANCE, AS_FRANCE + "SET CALENDAR OFF"))
    assert off["STATUS"] == "CANCELLED" and off.sequence > told.sequence
    mails = heron.writes(KIM, AS_KIM + "SET DEADLINE 2026-05-20 21:00")
    assert "text/calendar" not in kinds(the(mails, "Deadline"))


def test_pictures_and_pages_stay_where_they_belong(heron: DeskAtWork) -> None:
    mail = heron.replies(FRANCE, AS_FRANCE + "SET CALENDAR ON")
    both = ["multipart/alternative", "text/plain", "text/html"]
    assert kinds(mail) == ["multipart/mixed", *both, "text/calendar"]
    shown = Posted(FRANCE, illustrated(mail.raw, [PNG]))
    related = ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    assert kinds(shown) == ["multipart/mixed", *related, "text/calendar"]
    assert illustrated(mail.raw, [PNG]) == shown.raw
    told = Posted(FRANCE, with_notice(mail.raw, "(No picture.)"))
    assert kinds(told) == kinds(mail) and "(No picture.)" in told.text and "(No picture.)" in told.page
    for one in (mail, shown, told):
        assert entry(one)["SUMMARY"] == "heron: orders for Movement for Spring of 1901 are due"
        assert not [defect for part in one.message.walk() for defect in part.defects]


def test_news_of_a_day_come_in_a_second_digest_if_the_first_was_sent_early(two: DeskAtWork) -> None:
    two.writes(KIM, AS_KIM + "PAUSE")
    two.writes(FRANCE, AS_FRANCE + "SET DIGEST OFF")
    two.sends_all()
    two.writes(FRANCE, AS_FRANCE + "SET DIGEST 7:00")
    two.writes(KIM, AS_KIM + "SET NONMR")
    (_, first), (_, second) = digests(two)
    assert "has paused heron" in first.flat and "NoNMR" in second.flat
    assert first.message["Message-ID"] != second.message["Message-ID"]
