"""SET CALENDAR: deadlines come as entries for calendars, which move with them and go with the game."""

from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

from judge.mails.parts import illustrated, with_notice
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.mails.test_parts import PNG

FRANCE, KIM = "france@example.org", "kim@example.org"
AS_FRANCE, AS_KIM = "SIGNON Fheron pwfrance\n", "SIGNON Mheron gm\n"


def entry(mail: Posted) -> Event:
    """The entry that a mail brings, as a calendar reads it."""
    (part,) = [part for part in mail.message.walk() if part.get_content_type() == "text/calendar"]
    assert part.get_param("method") == "PUBLISH" and part.get_filename() == "heron.ics"
    whole = Calendar.from_ical(part.get_content())
    assert whole["METHOD"] == "PUBLISH"
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
    results = entry(the(heron.writes(KIM, AS_KIM + "PROCESS"), "Results"))
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
