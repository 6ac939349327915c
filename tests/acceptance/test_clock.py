"""The clock of a game in the real daemon: late notices with kill -9 among them, and an outage that a restart ends."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from judge.store import inbox
from judge.store.engine import transaction
from judge.store.games import game_named, open_phase
from judge.store.tables import Watch
from tests.acceptance.conftest import Begin, MakeJudge, on_both
from tests.acceptance.game import HOLDS, Seat
from tests.acceptance.harness import JudgeAtWork

HOUR = timedelta(hours=1)


def mails(judge: JudgeAtWork, seat: Seat, what: str) -> set[str]:
    """The Message-IDs of what somebody got under such a subject: a mail sent twice by a crash is one mail."""
    return {mail.message_id for mail in judge.sink.to(seat.person.address) if what in mail.subject}


@pytest.mark.long
def test_late_notices_go_once_though_the_daemon_is_killed_among_them(make_judge: MakeJudge, begin: Begin):
    """Then the last orders end the phase, grace or not."""
    judge = make_judge()
    [heron] = begin(judge)
    for letter, seat in heron.seats.items():
        if letter != "F":
            seat.signs_on(*HOLDS[letter])
            seat.person.expects(containing="Orders complete")
    france = heron["F"]
    heron.master.signs_on("SET MOVE DELAY 0", f"SET GRACE {(datetime.now(UTC) + 300 * HOUR):%Y-%m-%d %H:%M} UTC")
    deadline = heron.set_deadline(3)
    for pause in (0.95, 1.05, 1.2):
        time.sleep(max(0, (deadline + timedelta(seconds=pause) - datetime.now(UTC)).total_seconds()))
        judge.process.kill()
        judge.process.start()
    france.person.expects(subject="[You are late!] TEST:heron - S1901M Late Notice: F", containing="Army Paris")
    heron["G"].person.expects(subject="S1901M Late Notice: F", containing="is waiting for orders from France")
    france.signs_on(*HOLDS["F"])
    heron.results("S1901M")
    for seat in heron.seats.values():
        assert len(mails(judge, seat, "Late Notice")) == 1


@on_both
def test_a_deadline_that_passed_while_the_judge_was_down_for_long_is_extended(make_judge: MakeJudge, begin: Begin):
    """Everybody is told; how long it was down is known from the database alone."""
    judge = make_judge()
    [heron] = begin(judge)
    heron.master.signs_on("STATUS")
    heron.master.person.expects(containing="Status of heron")  # so it has looked through its mailbox
    judge.process.kill()
    now = datetime.now(UTC).replace(microsecond=0)
    with judge.store() as engine, transaction(engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        phase.deadline_at = phase.grace_ends_at = phase.due_at = now - 2 * HOUR
        session.add(phase)
        row = session.get(Watch, 1)
        assert row and now - row.swept_at < 2 * inbox.SWEEP_PRECISION
        row.swept_at = now - 10 * HOUR
        session.add(row)
    judge.process.start()
    for seat in heron.seats.values():
        told = seat.person.expects(subject="S1901M Deadline Adjustment", containing="was down for 10 hours")
        assert " ".join(told.text.split()).count("deadline of S1901M in heron has been extended") == 1
    assert mails(judge, heron["F"], "Results") == set()


def test_a_clock_that_was_set_back_for_a_while_stops_no_deadline(make_judge: MakeJudge, begin: Begin):
    """Nothing else wakes the judge: no letter comes, and it looks into its mailbox every five minutes."""
    judge = make_judge(mailbox={"poll": 300})
    judge.set_clock(0)
    with judge.prepared("--clock", str(judge.clock)):
        [gull] = begin(judge, "gull")
    deadline = gull.set_deadline(12)
    judge.rests()
    judge.set_clock(-3600)
    time.sleep(2.5)  # two sweeps
    assert datetime.now(UTC) < deadline
    judge.set_clock(0)
    gull.results("S1901M", seconds=25)


def test_a_clock_that_was_set_forward_rings_once(make_judge: MakeJudge, begin: Begin):
    """The deadline has come by the clock; the phase is processed once, and the judge rests."""
    judge = make_judge()
    judge.set_clock(0)
    with judge.prepared("--clock", str(judge.clock)):
        [gull] = begin(judge, "gull")
    gull.set_deadline(3600)
    judge.set_clock(7200)
    gull.results("S1901M")
    judge.rests()
    judge.set_clock(0)
    gull["F"].signs_on("STATUS")
    gull["F"].person.expects(containing="Status of gull")
    for seat in gull.seats.values():
        assert len(mails(judge, seat, "S1901M Results")) == 1


def test_a_forming_game_has_its_weekly_notice_once_though_the_daemon_is_killed(make_judge: MakeJudge):
    """Its alarm is set by the daemon itself, from the game's row."""
    judge = make_judge()
    judge.process.start()
    kim = judge.person("Kim")
    kim.writes("REGISTER", "Name: Kim", "END", "CREATE ?heron gm")
    kim.expects(containing="heron has been created")
    judge.process.kill()
    due_at = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=3)
    with judge.store() as engine, transaction(engine) as session:
        game = game_named(session, "heron")
        assert game and game.notice_at
        game.notice_at = due_at
        session.add(game)
    judge.process.start()
    kim.expects(subject="TEST:heron - Waiting for 7 More Players")
    judge.process.kill()
    judge.process.start()
    judge.rests()
    assert len({mail.message_id for mail in judge.sink.to(kim.address) if "Waiting" in mail.subject}) == 1
    assert datetime.now(UTC) >= due_at
