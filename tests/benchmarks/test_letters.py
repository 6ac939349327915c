"""How fast letters and deadlines are handled, against what the machine can do at all; `make bench` prints ratios."""

import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest
from sqlmodel import select

from judge.letters.mailbox import Mailbox
from judge.service.daemon import Daemon
from judge.settings import Settings, read_settings
from judge.store.engine import transaction
from judge.store.tables import Mail, Phase
from tests.desk.deskatwork import DeskAtWork
from tests.servers.dovecot import Dovecot

ROUNDS = 7
LETTERS = 200  # in each round
GOAL = 4.0

pytestmark = pytest.mark.benchmarks


def letter(number: int) -> bytes:
    """Three orders of a player, as a mail program writes them."""
    return (
        "From: Fay <france@example.org>\r\nTo: judge@example.org\r\n"
        f"Subject: moves {number}\r\nMessage-ID: <bench{number}@example.org>\r\n"
        "Date: Mon, 4 May 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        f"SIGNON Fheron pwfrance\r\nA PAR - {'BUR' if number % 2 else 'PIC'}\r\nA MAR - SPA\r\n"
        "F BRE - MAO\r\nSIGNOFF\r\n"
    ).encode()


def fill(server: Dovecot, round_: int) -> None:
    client = server.client()
    for number in range(LETTERS):
        client.append("INBOX", letter(LETTERS * round_ + number))
    client.logout()


class Bare:
    """Fetches every letter and commits it, one by one, with nothing in between."""

    def __init__(self, folder: Path):
        self.database = sqlite3.connect(folder / "bare.db", isolation_level=None)
        self.database.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE letter (raw BLOB);"
        )

    def seconds(self, server: Dovecot) -> float:
        client = server.client()
        client.select_folder("INBOX")
        began = time.perf_counter()
        for uid in client.search():
            raw = client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
            self.database.execute("BEGIN IMMEDIATE")
            self.database.execute("INSERT INTO letter VALUES (?)", (raw,))
            self.database.execute("COMMIT")
        seconds = time.perf_counter() - began
        client.logout()
        return seconds


def settings_on(server: Dovecot, folder: Path) -> Settings:
    """A judge at a game that has begun; its SMTP server is out of reach, so that only the replies are counted."""
    environment = {
        "JUDGE_JUDGE_HOME": str(folder),
        "JUDGE_MAILBOX_HOST": server.host,
        "JUDGE_MAILBOX_PORT": str(server.imap_port),
        "JUDGE_MAILBOX_SECURITY": "plain",
        "JUDGE_MAILBOX_USER": server.user,
        "JUDGE_MAILBOX_PASSWORD": server.password,
    }
    desk = DeskAtWork(folder, "", environment)
    desk.now = datetime.now(UTC) - timedelta(hours=1)  # its first phase is open for the letters to come
    desk.seat_seven()
    return read_settings(Path(__file__).parents[2] / "judge.ini", environment)


def test_letters_a_second_against_the_bare_mailbox_and_disk(dovecot, tmp_path, capsys):
    """From the mailbox to the committed reply, durable, within four times the bare fetch and commit.

    The two take turns, so that what else the machine does falls on both.
    """
    bare = Bare(tmp_path)
    settings = settings_on(dovecot, tmp_path / "home")
    daemon = Daemon(settings)
    spans: list[tuple[float, float]] = []
    with Mailbox(settings.mailbox) as mailbox:
        for round_ in range(ROUNDS):
            fill(dovecot, round_)
            before = bare.seconds(dovecot)
            began = time.perf_counter()
            daemon._collect(mailbox)
            daemon._work()
            spans.append((before, time.perf_counter() - began))
    with transaction(daemon._engine) as session:
        replies = session.exec(select(Mail.raw).where(Mail.kind == "reply"))
        assert sum(b"Orders complete." in raw for raw in replies) == ROUNDS * LETTERS
    before, seconds = (median(span) for span in zip(*spans, strict=True))
    ratio = median(ours / theirs for theirs, ours in spans)
    with capsys.disabled():
        print(
            f"\nletters: {LETTERS / seconds:.0f} a second, bare fetch and commit {LETTERS / before:.0f}; "
            f"ratio {ratio:.1f} (goal {GOAL:g})"
        )
    assert ratio < GOAL


def seconds_for_deadlines(games: int, folder: Path) -> float:
    """Of the processor, to adjudicate, render and queue one phase of each of so many games."""
    desk = DeskAtWork(folder, "", {"JUDGE_GAMES_OPEN_GAMES": "1000"})
    for number in range(games):
        desk.seat_seven(f"game{number}")
    with transaction(desk.engine) as session:
        for phase in session.exec(select(Phase)):
            phase.due_at = phase.deadline_at = desk.now + timedelta(hours=1)
            session.add(phase)
    began = time.process_time()
    mails = desk.ring(datetime.now(UTC).replace(year=2027))
    seconds = time.process_time() - began
    assert len([mail for mail in mails if mail.subject.endswith("Results")]) == 8 * games
    return seconds


def test_deadlines_of_many_games_take_time_in_proportion(tmp_path, capsys):
    """One game's deadline, and 200 games due in the same minute: linear."""
    seconds_for_deadlines(1, tmp_path / "warm")
    spans = {games: seconds_for_deadlines(games, tmp_path / str(games)) for games in (1, 10, 50, 200)}
    with capsys.disabled():
        print()
        for games, seconds in spans.items():
            print(f"deadlines: {games:3} games {1000 * seconds:7.1f} ms, {1000 * seconds / games:5.2f} ms a game")
    assert spans[200] / 200 < 2 * spans[10] / 10
