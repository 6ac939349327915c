"""What a judge does for others while it has much to do; `make bench` prints the figures."""

import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.tables import Mail
from tests.benchmarks import storm
from tests.servers.dovecot import Dovecot

# So many games at one deadline, and so many letters; fewer for a first look.
STORM = int(os.environ.get("JUDGE_BENCH_GAMES", "1000"))
LETTERS = int(os.environ.get("JUDGE_BENCH_LETTERS", "10000"))
# Seconds until the last mail of a thousand games is out, and until HELP is answered meanwhile; megabytes.
SENT, HELPED, MEMORY = 180, 5, 250
# Megabytes that ten thousand letters may take more than a few do.
MORE_MEMORY = 100
pytestmark = [pytest.mark.benchmarks, pytest.mark.timeout(900)]


def help_wanted(number: int) -> bytes:
    return (
        f"From: reader{number}@example.org\r\nTo: judge@example.org\r\nSubject: help {number}\r\n"
        f"Message-ID: <help{number}@example.org>\r\n\r\nHELP\r\n"
    ).encode()


@pytest.mark.timeout(3600)
def test_a_storm(tmp_path: Path, dovecot: Dovecot, capsys: pytest.CaptureFixture):
    """Every second somebody asks for help meanwhile, as long as games are being processed; then every ten seconds."""
    with storm.LightSink() as sink:
        settings = storm.environment(dovecot, sink, tmp_path)
        desk = storm.judge_with(STORM, tmp_path, settings)
        judge = storm.daemon(settings)
        try:
            dovecot.append(help_wanted(0), datetime.now(UTC))
            wait_until(lambda: bool(sink.arrived), 120)
            due = datetime.now(UTC) + timedelta(seconds=2)
            storm.are_due(desk, due)
            before = storm.processor_seconds(judge.pid)
            time.sleep(max(0.0, (due - datetime.now(UTC)).total_seconds()))
            decided: float | None = None
            asked: dict[int, float] = {}
            began = time.monotonic()
            while decided is None or storm.still_waiting(desk):
                number = len(asked) + 1
                if not asked or time.time() - max(asked.values()) > (1 if decided is None else 10):
                    asked[number] = time.time()
                    dovecot.append(help_wanted(number), datetime.now(UTC))
                if decided is None and not storm.still_due(desk, due):
                    decided, used = time.monotonic() - began, storm.processor_seconds(judge.pid)
                assert time.monotonic() - began < 3000
                time.sleep(0.5)
            wait_until(lambda: len(asked) <= len([mail for mail in sink.arrived if "help" in mail.subject]) - 1, 60)
            after, memory = storm.processor_seconds(judge.pid), storm.peak_megabytes(judge.pid)
        finally:
            judge.send_signal(signal.SIGTERM)
            judge.wait(60)
        results = [mail for mail in sink.arrived if mail.subject.endswith("Results")]
        sent = max(mail.at for mail in results) - due.timestamp()
        answered = {mail.answers: mail.at for mail in sink.arrived if mail.answers}
        waits = [answered[f"<help{number}@example.org>"] - at for number, at in asked.items()]
        share = STORM / 1000
        with capsys.disabled():
            print(
                f"\nstorm: {STORM} games adjudicated and queued in {decided:.0f} s, "
                f"the last of {len(results)} results out after {sent:.0f} s (goal {SENT * share:.0f}); "
                f"HELP answered {len(waits)} times, at last after {max(waits):.1f} s (goal {HELPED})\n"
                f"  processor, until all was queued: {spent(before, used)}; in all: {spent(before, after)}; "
                f"a game {1000 * (total(after) - total(before)) / STORM:.0f} ms; "
                f"at most {memory:.0f} MB (goal {MEMORY})"
            )
        assert len({mail.message_id for mail in results}) == len(results) >= 8 * STORM
        assert all(mail.has_picture for mail in results)


def total(used: dict[str, float]) -> float:
    return sum(used.values())


def spent(before: dict[str, float], after: dict[str, float]) -> str:
    return ", ".join(f"{what} {after[what] - before[what]:.1f} s" for what in after)


def wait_until(is_so: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.timeout(3600)
def test_ten_thousand_letters_wait(tmp_path: Path, dovecot: Dovecot, capsys: pytest.CaptureFixture):
    """They are answered in the order in which they came, and memory does not grow with their number."""
    few = LETTERS // 20
    with storm.LightSink() as sink:
        settings = storm.environment(dovecot, sink, tmp_path) | {"JUDGE_LIMITS_DOMAIN": "1000000"}
        desk = storm.judge_with(1, tmp_path, settings)
        client = dovecot.client()
        peaks, seconds, used = [], 0.0, 0.0
        for first, last in ((0, few), (few, few + LETTERS)):
            for number in range(first, last):
                client.append("INBOX", help_wanted(number))
            began = time.monotonic()
            judge = storm.daemon(settings)
            try:
                while len(sink.arrived) < last:
                    assert time.monotonic() < began + 3000
                    time.sleep(0.1)
                seconds, used = time.monotonic() - began, total(storm.processor_seconds(judge.pid))
                peaks.append(storm.peak_megabytes(judge.pid))
            finally:
                judge.send_signal(signal.SIGTERM)
                judge.wait(60)
        client.logout()
        with reading(desk.engine) as session:
            answers = select(Mail.letter_id).where(col(Mail.letter_id).is_not(None)).order_by(col(Mail.id))
            answered = [number or 0 for number in session.exec(answers)]
        with capsys.disabled():
            print(
                f"\n{LETTERS} waiting letters: answered in {seconds:.0f} s, {LETTERS / seconds:.0f} a second, "
                f"{1000 * used / LETTERS:.1f} ms of the processor each; "
                f"at most {peaks[1]:.0f} MB, {peaks[0]:.0f} MB with {few}"
            )
        assert answered == sorted(answered)
        assert len(answered) >= LETTERS
        assert peaks[1] - peaks[0] < MORE_MEMORY
