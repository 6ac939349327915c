"""What a judge does for others while it has much to do; `make bench` prints the figures."""

import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.mails.compose import Draft, Letterhead, compose
from judge.service.daemon import Daemon
from judge.store import inbox, outbox
from judge.store.engine import transaction
from judge.store.tables import LetterRow
from tests.desk.deskatwork import DeskAtWork, Received
from tests.servers.smtpsink import SmtpSink

GAMES = 100
MAILS = 3000
SECONDS = 5

pytestmark = [pytest.mark.benchmarks, pytest.mark.timeout(900)]


def judge_with(games: int, folder: Path) -> DeskAtWork:
    """Its games have begun; all mails about that are sent."""
    desk = DeskAtWork(folder, "", {"JUDGE_GAMES_OPEN_GAMES": "1000"})
    desk.now = datetime.now(UTC) - timedelta(days=3)
    for number in range(games):
        desk.seat_seven(f"game{number}")
    with transaction(desk.engine) as session:
        while waiting := outbox.due(session, desk.now, 1000):
            for mail in waiting:
                outbox.sent(session, mail, now=desk.now)
    return desk


def work(folder: Path, sink: SmtpSink, seconds: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.benchmarks.busyjudge", str(folder), str(sink.port), str(seconds)]
    return subprocess.Popen(command, cwd=Path(__file__).parents[2])


def test_mails_go_while_phases_are_adjudicated(tmp_path: Path, smtp_sink: SmtpSink, capsys: pytest.CaptureFixture):
    """Mails that wait already, while one phase after the other is due."""
    desk = judge_with(30, tmp_path)
    with transaction(desk.engine) as session:
        for number in range(MAILS):
            mail = compose(Letterhead("JUDG", "judge@example.org"),
                           Draft(f"reader{number}@example.org", "news", "text\n" * 40), desk.now)  # fmt: skip
            outbox.put(session, mail, outbox.Entry("news"), desk.now)
    judge = work(tmp_path, smtp_sink, SECONDS)
    smtp_sink.wait_for_count(1, seconds=30)
    began = time.monotonic()
    time.sleep(SECONDS - 1)
    sent, took = len(smtp_sink.mails), time.monotonic() - began
    judge.wait(60)
    with capsys.disabled():
        print(f"\nmails sent while phases are adjudicated: {sent / took * SECONDS:.0f} in {SECONDS} s")
    assert sent / took * SECONDS > 100


def test_a_hundred_games_due_at_once_all_get_their_map(
    tmp_path: Path, smtp_sink: SmtpSink, capsys: pytest.CaptureFixture
):
    judge_with(GAMES, tmp_path)
    began = time.monotonic()
    assert work(tmp_path, smtp_sink, 0).wait(600) == 0
    took = time.monotonic() - began
    results = [mail for mail in smtp_sink.mails if mail.subject.endswith("Results")]
    drawn = {name for mail in results for name in mail.pictures}
    with capsys.disabled():
        print(f"\n{GAMES} games due at once: {len(drawn)} maps, {len(results)} results in {took:.0f} s")
    assert len(results) == 8 * GAMES
    assert len(drawn) == GAMES
    assert all(mail.pictures for mail in results)


def test_a_letter_of_ninety_nine_games_holds_up_nobody(tmp_path: Path, capsys: pytest.CaptureFixture):
    """How long another letter waits for its answer behind it."""
    desk = judge_with(1, tmp_path)
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND")
    texts = ["\n".join(f"CREATE ?game{number} secret{number}" for number in range(99)), "LIST"]
    letters = [
        Received(f"From: kim@example.org\nSubject: {number}\n\n{text}\n".encode(), desk.now, 1000 + number)
        for number, text in enumerate(texts)
    ]
    with transaction(desk.engine) as session:
        first, last = inbox.keep(session, letters, lambda letter: str(hash(letter.raw)), now=desk.now)
    daemon = Daemon(desk.settings)
    began = time.monotonic()
    while True:
        daemon._next()
        with transaction(daemon._engine) as session:
            if all(session.get_one(LetterRow, number).state == "done" for number in (first, last)):
                break
    took = time.monotonic() - began
    with capsys.disabled():
        print(f"\nbehind a letter of 99 new games with passwords: {took:.1f} s")
    assert took < 15
