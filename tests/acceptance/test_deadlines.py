"""Deadlines by the mail server's clock: what reached it in time counts, whenever the daemon comes to read it."""

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from tests.acceptance.conftest import Begin, MakeJudge, on_both
from tests.acceptance.game import Seat
from tests.acceptance.harness import JudgeAtWork
from tests.servers.dovecot import Dovecot
from tests.servers.smtpsink import Mail

SECOND = timedelta(seconds=1)


def test_a_letter_in_time_counts_though_it_is_read_later(make_judge: MakeJudge, begin: Begin, dovecot: Dovecot):
    """The daemon is frozen over the deadline. Of two letters that it then finds, the one that reached the server in the
    second of the deadline strikes the phase; the other, a second later, does not, and its sender is told so."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(2)
    with frozen(judge):
        sleep_until(deadline + 2 * SECOND)
        append(dovecot, stork["G"], "A MUN - BUR", deadline + SECOND)  # first in the mailbox, second in time
        append(dovecot, stork["F"], "A PAR - PIC", deadline)
    results = stork.results("S1901M").text
    assert "France:  Army Paris -> Picardy." in results
    assert "Army Munich -> Burgundy" not in results
    late = stork["G"].person.expects(containing="1 order not recorded")
    assert "sent before F1901M opened" in late.text.replace("\n", " ")


@on_both
def test_the_mailbox_out_of_reach_at_the_deadline(make_judge: MakeJudge, begin: Begin, dovecot: Dovecot):
    """The phase is held, since letters that are in time may be waiting; they count once the server is back."""
    judge = make_judge(mailbox={"timeout": 1})
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(2)
    dovecot.kill()
    sleep_until(deadline + 3 * SECOND)
    assert results_of(judge) == []
    with frozen(judge):
        dovecot.start()
        append(dovecot, stork["F"], "A PAR - PIC", deadline)
        append(dovecot, stork["G"], "A MUN - BUR", deadline + SECOND)
    results = stork.results("S1901M").text
    assert "France:  Army Paris -> Picardy." in results and "Army Munich -> Burgundy" not in results


def test_a_mail_server_that_says_nothing_at_the_deadline(make_judge: MakeJudge, begin: Begin, dovecot: Dovecot):
    """A frozen server is out of reach just as a dead one."""
    judge = make_judge(mailbox={"timeout": 1})
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(2)
    dovecot.freeze()
    judge.process.wait_for_log("gave no answer for 1 seconds")
    sleep_until(deadline + 2 * SECOND)
    assert results_of(judge) == []
    dovecot.thaw()
    stork.results("S1901M")


def test_a_restart_over_the_deadline(make_judge: MakeJudge, begin: Begin, dovecot: Dovecot):
    """A daemon that was down when a deadline passed keeps it when it starts, with the letters that were in time."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(2)
    judge.process.kill()
    sleep_until(deadline + SECOND)
    append(dovecot, stork["F"], "A PAR - PIC", deadline)
    judge.process.start()
    assert "France:  Army Paris -> Picardy." in stork.results("S1901M").text


def test_orders_for_a_phase_that_is_over_strike_no_later_one(make_judge: MakeJudge, begin: Begin, dovecot: Dovecot):
    """Neither a letter that was on its way when the phase closed, nor an answer to a mail about the old phase."""
    judge = make_judge()
    [heron] = begin(judge)
    france = heron["F"]
    france.signs_on("STATUS")
    spring = france.person.expects(containing="Movement for Spring of 1901")
    heron.master.signs_on("PROCESS!")
    heron.results("S1901M")

    append(dovecot, france, "A PAR - BUR", datetime.now(UTC) - 60 * SECOND)
    refusal = france.person.expects(containing="1 order not recorded").text.replace("\n", " ")
    assert "sent before F1901M opened" in refusal
    france.signs_on("A PAR - BUR", answering=spring)
    refusal = france.person.expects(containing="1 order not recorded").text.replace("\n", " ")
    assert "replied to an email about S1901M, which has already been processed" in refusal
    france.signs_on("F BRE - MAO")
    assert "Army Paris, no order" in france.person.expects(containing="-> Mid-Atlantic Ocean").text


def test_frozen_past_the_deadlines_of_three_games(make_judge: MakeJudge, begin: Begin):
    """Each is adjudicated once, the one that was due first first, and each with the orders sent for it."""
    judge = make_judge()
    games = begin(judge, "egret", "gull", "stork")
    egret, gull, stork = games
    last = egret.set_deadline(4)
    gull.move_deadline(last - 2 * SECOND)
    stork.move_deadline(last - SECOND)
    with frozen(judge):
        sleep_until(last + 2 * SECOND)
    for game in games:
        game.results("S1901M")
    time.sleep(1)
    came = [mail.subject for mail in results_of(judge)]
    # Their mails wait for their maps, of which two are drawn at a time.
    assert sorted(came) == [f"TEST:{name} - S1901M Results" for name in ("egret", "gull", "stork") for _ in range(8)]
    processed = re.findall(r"game=(\w+) phase=S1901M processed", judge.process.log())
    assert processed == ["gull", "stork", "egret"]


def test_a_deadline_is_kept_to_the_second(make_judge: MakeJudge, begin: Begin):
    """Not before it, and not more than a few seconds after it; the second of grace is for the mail server's clock."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(2)
    stork.results("S1901M")
    first = datetime.fromtimestamp(results_of(judge)[0].at, UTC)
    assert deadline + SECOND <= first < deadline + 15 * SECOND


def test_two_daemons_on_one_home(judge: JudgeAtWork):
    """The second says who was there first and ends; the first does not notice."""
    second = judge.process.ask("run")
    assert second.returncode == 1
    assert f"already running (process {judge.process.pid})" in second.stderr
    jo = judge.person("Jo")
    letter = jo.writes("LIST")
    jo.expects()
    jo.expects_nothing()
    assert len(judge.answers_to(letter)) == 1


@contextmanager
def frozen(judge: JudgeAtWork) -> Iterator[None]:
    """The daemon's process stands still meanwhile."""
    os.kill(judge.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(judge.process.pid, signal.SIGCONT)


def sleep_until(moment: datetime) -> None:
    time.sleep(max(0.0, (moment - datetime.now(UTC)).total_seconds()))


def append(dovecot: Dovecot, seat: Seat, order: str, received_at: datetime) -> None:
    """A letter of `seat` with this order, as if it had reached the mail server at `received_at`."""
    head = [f"From: {seat.person.address}", "Subject: orders", f"Message-ID: <{time.monotonic_ns()}@example.org>", ""]
    dovecot.append("\r\n".join([*head, *seat.block(order)]).encode(), received_at)


def results_of(judge: JudgeAtWork) -> list[Mail]:
    return [mail for mail in judge.sink.mails if mail.subject.endswith("Results")]
