"""What a judge of ten years takes for a letter, a poll, a deadline, against the same judge without what has ended.

`JUDGE_BENCH_GAMES=500 make bench` makes the database smaller. Both have the same games that are still played; the two
take turns, so that what else the machine does falls on both. Processor time is measured.
"""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest
from sqlmodel import col, func, select

from judge.service.daemon import Daemon
from judge.service.retention import BATCH, Retention
from judge.service.troubles import TroubleFile
from judge.store import outbox, retention
from judge.store.engine import reading, transaction
from judge.store.games import next_alarm
from judge.store.locks import daemon_lock_of
from judge.store.seats import seats_of
from judge.store.tables import LetterRow, Mail
from tests.benchmarks.tenyears import PHASES, Decade, make
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named, open_phase

GAMES = int(os.environ.get("JUDGE_BENCH_GAMES", "5000"))
ROUNDS = 9
GOAL = 1.2

pytestmark = [pytest.mark.benchmarks, pytest.mark.timeout(3600)]


class Judge:
    """A desk and a daemon at such a database."""

    def __init__(self, decade: Decade):
        self.desk = DeskAtWork(decade.folder, "", {})
        self.desk.now = datetime.now(UTC).replace(microsecond=0)
        with reading(self.desk.engine) as session:
            self.desk._seen = session.exec(select(func.max(Mail.id))).one() or 0
        self.daemon = Daemon(self.desk.settings, daemon_lock_of(self.desk.engine), lambda: self.desk.now)
        self._games = iter(decade.living)
        self.next_game()

    def next_game(self) -> None:
        """Another game that is still played, and the address of France in it."""
        self.game = next(self._games)
        with reading(self.desk.engine) as session:
            seats = seats_of(session, game_named(session, self.game))
        self.france = next(seat.address for seat in seats if seat.power == "France")

    def says(self, text: str) -> None:
        assert self.desk.writes(self.france, text.format(game=self.game))

    def polls(self) -> None:
        self.desk.now += timedelta(minutes=2)
        self.daemon._note_sweep(self.desk.now)
        self.daemon._work()
        with reading(self.desk.engine) as session:
            outbox.backlog(session)
            outbox.due(session, self.desk.now, 50)
            next_alarm(session, self.desk.now)

    def processes(self) -> None:
        """A deadline, with all its mails."""
        with transaction(self.desk.engine) as session:
            phase = open_phase(session, game_named(session, self.game))
            phase.due_at = phase.deadline_at = phase.grace_ends_at = self.desk.now
            session.add(phase)
        assert len([mail for mail in self.desk.ring(self.desk.now) if "Results" in mail.subject]) == 8

    def cleans(self) -> None:
        """An hour's work of the janitor, when there is nothing that became too old."""
        desk, lock = self.desk, self.daemon._daemon_lock
        Retention(desk.engine, desk.settings, lambda: desk.now, lock, TroubleFile(None)).clean()


WORK: dict[str, Callable[[Judge], None]] = {
    "a letter": lambda judge: judge.says("SIGNON F{game} pwfrance\nSET WAIT\nPRESS TO T\nhello\nENDPRESS"),
    "a poll": Judge.polls,
    "LIST": lambda judge: judge.says("LIST"),
    "HISTORY": lambda judge: judge.says("HISTORY {game}"),
    "a deadline": Judge.processes,
}


def test_after_ten_years_everything_costs_what_it_cost_on_the_first_day(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    began = time.monotonic()
    old = make(tmp_path / "old", GAMES, PHASES)
    took, size = time.monotonic() - began, (old.folder / "judge.db").stat().st_size
    judges = Judge(old), Judge(make(tmp_path / "new", GAMES, PHASES, ended=False))
    with reading(judges[0].desk.engine) as session:
        rows = sum(session.exec(select(func.count(col(table.id)))).one() for table in (LetterRow, Mail))
    spans = measured(judges)
    with capsys.disabled():
        print(f"\n{GAMES} games, {rows:,} letters and mails: {size / 1e6:.0f} MB, made in {took:.0f} s")
        for what, (then, now) in spans.items():
            print(f"{what:12} {1000 * then:7.1f} ms on the first day, {1000 * now:7.1f} ms now, ratio {now / then:.2f}")
    assert all(now < GOAL * then for then, now in spans.values()), spans
    throw_away(judges[0], capsys)


def measured(judges: tuple[Judge, Judge]) -> dict[str, tuple[float, float]]:
    """{what: seconds of the processor on the first day, and after ten years}."""
    spans: dict[str, tuple[list[float], list[float]]] = {what: ([], []) for what in WORK}
    for round_ in range(ROUNDS):
        for judge in judges:
            judge.next_game()
        for what, work in WORK.items():
            for judge, so_far in zip(reversed(judges), spans[what], strict=True):
                began = time.process_time()
                work(judge)
                if round_:  # the first one compiles statements and reads templates
                    so_far.append(time.process_time() - began)
    return {what: (median(then), median(now)) for what, (then, now) in spans.items()}


def throw_away(judge: Judge, capsys: pytest.CaptureFixture) -> None:
    """What of it all is too old, and how long others wait for one batch of it."""
    engine, spans = judge.desk.engine, []
    judge.cleans()
    judge.desk.now += timedelta(days=400)
    keep = judge.desk.settings.keep
    kinds = ((retention.letters, keep.letters), (retention.mails, keep.mails), (retention.pictures, keep.mails))
    for prune, days in kinds:
        for _ in range(20):
            began = time.perf_counter()
            with transaction(engine) as session:
                changed = prune(session, judge.desk.now - timedelta(days=days), BATCH)
            if changed == BATCH:
                spans.append(time.perf_counter() - began)
    with capsys.disabled():
        print(f"{BATCH} rows that are too old: {1000 * median(spans):.0f} ms, at most {1000 * max(spans):.0f} ms")
