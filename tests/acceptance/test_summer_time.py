"""A deadline by the clock on the wall, over the nights in which clocks change, in the real daemon."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.game import Game, gather
from tests.acceptance.harness import JudgeAtWork

BERLIN = ZoneInfo("Europe/Berlin")
EVENING = 20  # o'clock


@pytest.mark.parametrize("hours", [23, 25], ids=["spring", "autumn"])
def test_the_next_deadline_is_at_the_same_hour_when_the_clocks_have_changed(make_judge: MakeJudge, hours: int):
    """The evening before, and the evening after: 23 or 25 hours later."""
    judge = make_judge(judge={"zone": "Europe/Berlin"}, games={"outage_limit": "20000"})
    first = evening_before_a_day_of(hours)
    judge.set_clock(0)
    with judge.prepared("--clock", str(judge.clock)):
        judge.process.start()
    [heron] = gather(judge, "heron", pictures=False)
    heron.master.signs_on(f"SET MOVE CLOCK {EVENING}:00 NEXT 20 MIN 0 DELAY 0 DAYS SMTWTFS")
    heron.master.person.expects(containing=f"CLOCK: {EVENING}:00")
    heron.move_deadline(first)
    show(judge, first + timedelta(seconds=1))
    told = heron.results("S1901M")
    second = first + timedelta(hours=hours)
    assert f"{second.astimezone(BERLIN):%a %b %d %Y %H:%M:%S %z}" in told.text
    show(judge, second - timedelta(minutes=5))
    heron["F"].signs_on("STATUS")
    heron["F"].person.expects(containing="F1901M")
    assert not results(judge, heron, "F1901M")
    show(judge, second + timedelta(seconds=1))
    heron.results("F1901M")


def show(judge: JudgeAtWork, moment: datetime) -> None:
    """What time it is for the daemon."""
    judge.set_clock((moment - datetime.now(UTC)).total_seconds())


def evening_before_a_day_of(hours: int) -> datetime:
    """The next evening in Berlin after which as many hours pass until the same hour of the next day."""
    today = datetime.now(BERLIN).date()
    for days in range(1, 400):
        evening, next_one = (
            datetime(date.year, date.month, date.day, EVENING, tzinfo=BERLIN).astimezone(UTC)
            for date in (today + timedelta(days=days), today + timedelta(days=days + 1))
        )
        if next_one - evening == timedelta(hours=hours):
            return evening
    raise AssertionError("clocks are not changed any more")


def results(judge: JudgeAtWork, game: Game, phase: str) -> list[str]:
    return [mail.subject for mail in judge.sink.mails if f"{game.name} - {phase} Results" in mail.subject]
