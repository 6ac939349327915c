"""Dates as players write them (HELP deadlines)."""

from datetime import UTC, datetime

import pytest

from judge.games.core.work import Refusal
from judge.games.deadlines.dates import read_date
from tests.texts import table

NOW = datetime(2026, 5, 13, 12, 0, tzinfo=UTC)  # a Wednesday
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("text", "moment"),
    table("""
        2026-05-14 21:00        => 2026-05-14T19:00:00
        2026-05-14T21:00:30     => 2026-05-14T19:00:30
        2026-05-14 21:00 UTC    => 2026-05-14T21:00:00
        2026-05-14T21:00Z       => 2026-05-14T21:00:00
        2026-05-14 21:00 -0500  => 2026-05-15T02:00:00
        2026-05-14 21:00 +05:30 => 2026-05-14T15:30:00
        Fri 20:00               => 2026-05-15T18:00:00
        friday, 20:00           => 2026-05-15T18:00:00
        wed 20:00               => 2026-05-13T18:00:00
        wed 14:00               => 2026-05-20T12:00:00
        wed 14:00:01            => 2026-05-13T12:00:01
        wed 24:00               => 2026-05-13T22:00:00
        wed 13:00 UTC           => 2026-05-13T13:00:00
        wed                     => 2026-05-20T21:30:00
        wed noon                => 2026-05-20T10:00:00
        Fri 2100                => 2026-05-15T19:00:00
        Wed 2359                => 2026-05-13T21:59:00
        Fri at 0905 UTC         => 2026-05-15T09:05:00
        Friday 21h              => 2026-05-15T19:00:00
        Fri 9h30                => 2026-05-15T07:30:00
        Thu 2026 May 14         => 2026-05-14T21:30:00
        21:00 Uhr               => 2026-05-13T19:00:00
        Fri 21 Uhr              => 2026-05-15T19:00:00
        Fri 21:00!              => 2026-05-15T19:00:00
        : Fri 21:00             => 2026-05-15T19:00:00
        Fri 21:00 (as agreed)   => 2026-05-15T19:00:00
        Fri [thanks, Kim!] 2100 => 2026-05-15T19:00:00
        May 14 9:05             => 2026-05-14T07:05:00
        on 14 may at 09:05      => 2026-05-14T07:05:00
        Thu May 14 2026 09:05   => 2026-05-14T07:05:00
        Jan 2 2027 10:00        => 2027-01-02T09:00:00
        18:30                   => 2026-05-13T16:30:00
        14th May                => 2026-05-14T21:30:00"""),
)
def test_a_date_is_read_in_the_games_zone(text, moment):
    assert read_date(text, NOW, BERLIN) == datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "why"),
    table("""
        31 Feb 21:00           => There is no day 31 in month 2
        Mon May 14 21:00       => is a Thursday, not a Mon
        May 21:00              => Day and month are both needed
        3/4 21:00              => "3/4" in "3/4 21:00" is unclear; it could be
        May 14 21:00 please    => "please" in
        25:00                  => "25:00" in
        Dec 24 21:00           => the year is needed
        14 15 May              => gives the day twice
        2026-05-14 June        => gives the month twice
        2026-05-14 14.5.2026   => gives the date twice
        2027-03-28 02:30       => 02:30 does not exist on Sun Mar 28 in Europe/Berlin
                               => No date was given
        2026-13-01             => There is no day 1 in month 13
        9999-12-31 23:59 -1200 => 9999-12-31 is more than two years away
        0001-01-01 00:00 +0500 => 0001-01-01 is more than two years ago
        2026-05-20 21:00 +9900 => "+9900" in
        2026-05-20 21:00 +0560 => "+0560" in
        Fri 2360               => Day and month are both needed
        Fri 2400               => Day and month are both needed
        tomorrow 2100          => gives more than one time
        Fri 24h                => "24h" in
        tomorrow 21h           => "21h" in
        in 3 days 21h          => "21h" in
        Fri 21:00?             => "21:00?" in
        Fri 21:00 (22:00 CET)  => "(22:00" in
        Fri 21:00 (as agreed   => "(as" in"""),
)
def test_an_unclear_date_is_refused_with_the_reason(text, why):
    with pytest.raises(Refusal) as refusal:
        read_date(text, NOW, BERLIN)
    assert why in str(refusal.value)


@pytest.mark.parametrize("remark", [
    "unless Bob objects", "or Saturday", "not Saturday", "didn't we agree", "no objections", "ok?", "two turns", "7 pm",
    "in the evening", "pm", "UTC", "EST", "New York", "Berlin time", "tomorrow", "May", "an hour earlier", "proposal",
])  # fmt: skip
def test_a_remark_that_may_change_a_date_is_not_passed_over(remark):
    with pytest.raises(Refusal):
        read_date(f"Fri 9:00 ({remark})", NOW, BERLIN)


def test_a_refusal_says_what_to_write():
    with pytest.raises(Refusal, match=r"Write the date like 2026-05-16 21:00 \(times are Europe/Berlin\)"):
        read_date("soon", NOW, BERLIN)
