"""When phases end: times as people write them."""

import re
from datetime import timedelta

import pytest

from tests.desk.deskatwork import DeskAtWork

KIM, FRANCE = "kim@example.org", "france@example.org"
AS_KIM, AS_FRANCE = "SIGNON Mheron gm\n", "SIGNON Fheron pwfrance\n"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """The game heron of seven, which has begun on Mon May 4 2026: its first deadline is on Mon May 11 23:30 UTC."""
    desk.seat_seven()
    return desk


def deadline(desk: DeskAtWork, sender: str = KIM, text: str = AS_KIM) -> str:
    """The deadline as a reply names it: "Mon May 11 2026 23:30:00 +0000"."""
    found = re.search(r"^:: Deadline: \w+ (.+)$", desk.replies(sender, text).text, re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("Fri 9 pm", "Fri May 8 2026 21:00:00"),
        ("May 8 at 9:30 p.m.", "Fri May 8 2026 21:30:00"),
        ("tomorrow noon", "Tue May 5 2026 12:00:00"),
        ("Fri midnight", "Sat May 9 2026 00:00:00"),
        ("Fri 24:00", "Sat May 9 2026 00:00:00"),
        ("in 3 days", "Thu May 7 2026 23:30:00"),
        ("in 3 days at 21:00", "Thu May 7 2026 21:00:00"),
        ("12.5.2026 21:00", "Tue May 12 2026 21:00:00"),
        ("12.5. 21.30", "Tue May 12 2026 21:30:00"),
        ("13/5/2026 21:00", "Wed May 13 2026 21:00:00"),
        ("Fri 21:00 UTC+2", "Fri May 8 2026 19:00:00"),
        ("Fri 21:00 America/New_York", "Sat May 9 2026 01:00:00"),
    ],
)
def test_a_deadline_is_set_as_people_write_times(heron: DeskAtWork, written: str, moment: str):
    assert deadline(heron, text=f"{AS_KIM}SET DEADLINE {written}") == f"{moment} +0000"


@pytest.mark.parametrize("written", ["+48h", "+48 hours", "in 48 hours", "in 48h"])
def test_hours_are_counted_from_now(heron: DeskAtWork, written: str):
    reply = heron.replies(KIM, f"{AS_KIM}SET DEADLINE {written}").text
    assert f":: Deadline: S1901M {heron.now + timedelta(hours=48):%a May 6 2026 %H:%M:00} +0000" in reply


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Fri 21:00 EST", "America/New_York"),
        ("Fri 21:00 MEZ", "Europe/Berlin"),
        ("5/6/2026 21:00", "Jun 5 or May 6"),
        ("5.12", "Dec 5 or 05:12"),
        ("next Fri 21:00", "the first from now or one a week later"),
        ("48h", 'write "in 48h"'),
        ("frisbee 21:00", '"frisbee" in'),
        ("Fri 2100", "Day and month are both needed"),
        ("13 pm", "is not part of a date"),
        ("Fri Sat", "twice"),
    ],
)
def test_what_has_two_meanings_is_asked_back(heron: DeskAtWork, written: str, asked: str):
    reply = heron.replies(KIM, f"{AS_KIM}SET DEADLINE {written}").text
    assert asked in " ".join(reply.split())
    assert ":: Deadline: S1901M Mon May 11 2026 23:30:00 +0000" in reply


@pytest.mark.parametrize(
    ("written", "clock"),
    [("9 pm", "21:00"), ("9:00 p.m.", "21:00"), ("noon", "12:00"), ("midnight", "00:00"), ("24:00", "00:00"),
     ("21.00", "21:00"), ("1260", "21:00"), ("2100", "21:00")],
)
def test_clock_takes_a_time_of_day_in_any_form(heron: DeskAtWork, written: str, clock: str):
    assert f"CLOCK was 23:30, is now {clock}." in " ".join(
        heron.replies(KIM, f"{AS_KIM}SET MOVE NEXT 3 days CLOCK {written} DAYS SMTWTFS").text.split()
    )


@pytest.mark.parametrize(("written", "either"), [("9", "00:09 or 09:00"), ("900", "09:00 or 15:00")])
def test_a_number_that_may_be_two_times_of_day_is_asked_back(heron: DeskAtWork, written: str, either: str):
    assert f"may be {either}" in " ".join(heron.replies(KIM, f"{AS_KIM}SET MOVE CLOCK {written}").text.split())


def test_letters_that_are_several_zones_are_asked_back_in_the_own_zone_as_well(heron: DeskAtWork):
    assert "Did you mean America/New_York?" in heron.replies(FRANCE, f"{AS_FRANCE}SET ZONE EST").text
    assert "Did you mean Europe/Berlin?" in " ".join(
        heron.replies("nina@example.org", "REGISTER\nName: Nina\nTimezone: MEZ\nEND").text.split()
    )
