"""How fast letters and deadlines are handled, from the mailbox to the mail server; `make bench` prints it."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import pytest
from sqlmodel import col, select, update

from judge.letters.mailbox import Mailbox
from judge.service.daemon import Daemon
from judge.settings import Settings, read_settings
from judge.store import outbox
from judge.store.engine import open_engine, reading, transaction
from judge.store.locks import daemon_lock_of
from judge.store.tables import Mail, Phase
from tests.commands.deskatwork import DeskAtWork
from tests.servers.dovecot import Dovecot

ROOT = Path(__file__).parents[2]
ROUNDS = 7
LETTERS = 200  # in each round

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


def test_letters_a_second(dovecot, mail_server, tmp_path, capsys):
    """From the mailbox to the reply in the outbox, and to the reply that the mail server has taken."""
    settings = settings_on(dovecot, tmp_path / "home", mail_server)
    daemon = Daemon(settings, daemon_lock_of(open_engine(settings.store_url)))
    spans: list[tuple[float, float, float]] = []
    with Mailbox(settings.mailbox) as mailbox:
        for round_ in range(ROUNDS):
            fill(dovecot, round_)
            began, computing = time.perf_counter(), time.process_time()
            daemon._collect(mailbox)
            daemon._work()
            answered, computed = time.perf_counter() - began, time.process_time() - computing
            while waiting(daemon):
                daemon._worker._sender.run_once(datetime.now(UTC))
            spans.append((answered, computed, time.perf_counter() - began))
    daemon._worker._sender.close()
    with transaction(daemon._engine) as session:
        replies = session.exec(select(Mail.raw).where(Mail.kind == "reply", col(Mail.sent_at).is_not(None)))
        assert sum(b"Orders complete." in raw for raw in replies) == ROUNDS * LETTERS
    answered, computed, sent = (median(span) / LETTERS for span in zip(*spans, strict=True))
    with capsys.disabled():
        print(
            f"\nletters: {1 / answered:.0f} a second from the mailbox to the reply in the outbox, "
            f"{1000 * computed:.1f} ms of the processor each; {1 / sent:.0f} a second to the reply that is sent"
        )


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
