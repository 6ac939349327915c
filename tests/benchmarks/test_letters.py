"""How fast letters and deadlines are handled, against what the machine can do at all; `make bench` prints ratios."""

import re
import smtplib
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest
from imapclient import IMAPClient
from sqlmodel import col, select, update

from judge.letters.mailbox import Mailbox
from judge.service.daemon import Daemon
from judge.settings import Settings, read_settings
from judge.store import outbox
from judge.store.engine import reading, transaction
from judge.store.tables import Mail, Phase
from tests.commands.deskatwork import DeskAtWork
from tests.servers.dovecot import Dovecot

ROOT = Path(__file__).parents[2]
ROUNDS = 7
LETTERS = 200  # in each round
GOAL = 16.0
BATCH = 50  # letters that are fetched at a time and committed together, as the judge does
CONNECTIONS = 4  # to the mail server, as judge.ini has it
DONE = "Done"  # the folder for the letters of the bare exchange
REPLY = b"From: judge@example.org\r\nTo: france@example.org\r\nSubject: Re: moves\r\n\r\nOrders complete.\r\n"

pytestmark = pytest.mark.benchmarks


# Who writes, and their orders, which change with each letter.
PLAYERS = {
    "austria": "A VIE - {TRI|GAL}\r\nA BUD - SER\r\nF TRI - ALB",
    "england": "F LON - {ENG|NTH}\r\nF EDI - NWG\r\nA LVP - YOR",
    "france": "A PAR - {BUR|PIC}\r\nA MAR - SPA\r\nF BRE - MAO",
    "germany": "A BER - {KIE|PRU}\r\nA MUN - RUH\r\nF KIE - DEN",
    "italy": "A ROM - {APU|TUS}\r\nA VEN - TYR\r\nF NAP - ION",
    "russia": "A WAR - {GAL|UKR}\r\nA MOS - LVN\r\nF SEV - BLA\r\nF STP - BOT",
    "turkey": "A CON - BUL\r\nA SMY - {CON|ARM}\r\nF ANK - BLA",
}


def letter(number: int) -> bytes:
    """Three orders of a player, as a mail program writes them; seven players write in turn."""
    player, orders = list(PLAYERS.items())[number % len(PLAYERS)]
    orders = re.sub(r"\{(\w+)\|(\w+)\}", lambda either: either[1 + number // len(PLAYERS) % 2], orders)
    return (
        f"From: Fay <{player}@example.org>\r\nTo: judge@example.org\r\n"
        f"Subject: moves {number}\r\nMessage-ID: <bench{number}@example.org>\r\n"
        "Date: Mon, 4 May 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n\r\n"
        f"SIGNON {player[0].upper()}heron pw{player}\r\n{orders}\r\nSIGNOFF\r\n"
    ).encode()


def fill(server: Dovecot, round_: int) -> None:
    client = server.client()
    for number in range(LETTERS):
        client.append("INBOX", letter(LETTERS * round_ + number))
    client.logout()


class Bare:
    """What no judge can do without, with nothing in between."""

    def __init__(self, folder: Path, smtp_port: int):
        self.database = sqlite3.connect(folder / "bare.db", isolation_level=None)
        self.database.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "CREATE TABLE letter (raw BLOB); CREATE TABLE mail (raw BLOB);"
        )
        self._smtp_port = smtp_port

    def fetched(self, server: Dovecot) -> float:
        """Seconds to fetch the letters and to commit them, a batch at a time."""
        with logged_out(server.client()) as client:
            began = time.perf_counter()
            for _ in self._batches(client):
                pass
            return time.perf_counter() - began

    def answered(self, server: Dovecot) -> float:
        """Seconds for the whole exchange: each batch is fetched, committed and moved away; each letter gets a reply of
        one line, which is committed and handed to the mail server, by as many connections as the judge opens.
        """
        with logged_out(server.client()) as client, ThreadPoolExecutor(CONNECTIONS) as threads, ExitStack() as stack:
            if not client.folder_exists(DONE):
                client.create_folder(DONE)
            began = time.perf_counter()
            posts = [stack.enter_context(smtplib.SMTP("127.0.0.1", self._smtp_port)) for _ in range(CONNECTIONS)]
            for uids in self._batches(client):
                client.move(uids, DONE)
                self._commit("mail", [REPLY] * len(uids))
                shares = [len(uids[number::CONNECTIONS]) for number in range(CONNECTIONS)]
                list(threads.map(self._send, posts, shares))
            return time.perf_counter() - began

    def _batches(self, client: IMAPClient) -> Iterator[list[int]]:
        client.select_folder("INBOX")
        uids = client.search()
        for first in range(0, len(uids), BATCH):
            batch = uids[first : first + BATCH]
            found = client.fetch(batch, ["BODY.PEEK[]"])
            self._commit("letter", [data[b"BODY[]"] for data in found.values()])
            yield batch

    def _commit(self, table: str, texts: Sequence[bytes]) -> None:
        self.database.execute("BEGIN IMMEDIATE")
        self.database.executemany(f"INSERT INTO {table} VALUES (?)", [(text,) for text in texts])
        self.database.execute("COMMIT")

    @staticmethod
    def _send(post: smtplib.SMTP, mails: int) -> None:
        for _ in range(mails):
            post.sendmail("judge@example.org", ["france@example.org"], REPLY)


@contextmanager
def logged_out(client: IMAPClient) -> Iterator[IMAPClient]:
    yield client
    client.logout()


@pytest.fixture
def mail_server() -> Iterator[int]:
    """The port of an SMTP server in a process of its own: its work is not ours."""
    command = [sys.executable, "-m", "tests.benchmarks.sink"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        yield int(process.stdout.readline())
        process.stdin.close()


def settings_on(server: Dovecot, folder: Path, smtp_port: int) -> Settings:
    """A judge at a game that has begun; the mails about that are sent."""
    environment = {
        "JUDGE_JUDGE_HOME": str(folder),
        "JUDGE_MAILBOX_HOST": server.host,
        "JUDGE_MAILBOX_PORT": str(server.imap_port),
        "JUDGE_MAILBOX_SECURITY": "plain",
        "JUDGE_MAILBOX_USER": server.user,
        "JUDGE_MAILBOX_PASSWORD": server.password,
        "JUDGE_SMTP_HOST": "localhost",
        "JUDGE_SMTP_PORT": str(smtp_port),
        "JUDGE_SMTP_SECURITY": "plain",
    }
    desk = DeskAtWork(folder, "", environment)
    desk.now = datetime.now(UTC) - timedelta(hours=1)  # its first phase is open for the letters to come
    desk.seat_seven()
    for player in PLAYERS:
        # Orders are drawn for newcomers alone.
        desk.writes(f"{player}@example.org", f"SIGNON {player[0].upper()}heron pw{player}\nSET MAP OFF")
    with transaction(desk.engine) as session:
        session.execute(update(Mail).values(sent_at=desk.now))
    return read_settings(ROOT / "judge.ini", environment)


def test_letters_a_second_against_the_bare_exchange(dovecot, mail_server, tmp_path, capsys):
    """From the mailbox to the reply that the mail server has taken, beside the bare exchange, in the same batches and
    by as many connections; printed, too: beside the bare fetch and commit alone.

    They take turns, so that what else the machine does falls on all.
    """
    settings = settings_on(dovecot, tmp_path / "home", mail_server)
    assert settings.smtp.connections == CONNECTIONS
    bare = Bare(tmp_path, mail_server)
    daemon = Daemon(settings)
    daemon._worker.start()
    spans: list[tuple[float, float, float]] = []
    with Mailbox(settings.mailbox) as mailbox:
        for round_ in range(ROUNDS):
            fill(dovecot, round_)
            fetched, answered = bare.fetched(dovecot), bare.answered(dovecot)
            fill(dovecot, round_)
            began = time.perf_counter()
            daemon._collect(mailbox)
            daemon._work()
            while waiting(daemon):
                time.sleep(0.005)
            spans.append((fetched, answered, time.perf_counter() - began))
    daemon._worker.stop()
    with transaction(daemon._engine) as session:
        replies = session.exec(select(Mail.raw).where(Mail.kind == "reply", col(Mail.sent_at).is_not(None)))
        assert sum(b"Orders complete." in raw for raw in replies) == ROUNDS * LETTERS
    fetched, answered, ours = (LETTERS / median(span) for span in zip(*spans, strict=True))
    ratio, beside_fetching = (median(span[2] / span[bare] for span in spans) for bare in (1, 0))
    with capsys.disabled():
        print(
            f"\nletters: {ours:.0f} a second, from the mailbox to the reply that is sent; bare exchange in batches of "
            f"{BATCH}: {answered:.0f}, ratio {ratio:.1f} (goal {GOAL:g}); without filing, replies and sending: "
            f"{fetched:.0f}, ratio {beside_fetching:.1f}"
        )
    assert ratio < GOAL


def waiting(daemon: Daemon) -> bool:
    """Whether mails are still to be sent."""
    with reading(daemon._engine) as session:
        return outbox.next_due(session) is not None


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
