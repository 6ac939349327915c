"""Deadlines, and letters that come by other ways than the inbox: handed in, or found in junk."""

import smtplib
import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from judge.letters.imap import Fetched
from judge.letters.mailbox import Mailbox, NoMailbox
from judge.store.engine import reading
from judge.store.games import all_games, phases_of
from judge.store.tables import LetterRow, Phase
from tests.commands.deskatwork import DeskAtWork
from tests.letters.mailboxes import box_of
from tests.letters.test_mailbox_junk import put
from tests.servers import plainuser
from tests.service.daemonatwork import DaemonAtWork

NOW = datetime.now(UTC).replace(microsecond=0)
LETTER = """Received: by mx.test; {at:%d %b %Y %H:%M:%S} +0000\r
From: france@example.org\r
To: judge@example.org\r
Message-ID: <1@example.org>\r
\r
SIGNON Fheron pwfrance\r
A PAR - PIC\r
"""


@pytest.fixture
def daemon(tmp_path):
    environment = {"JUDGE_INTAKE_PROTOCOL": "lmtp", "JUDGE_INTAKE_PORT": str(plainuser.free_port())}
    desk = DeskAtWork(tmp_path, "", environment)
    desk.now = NOW - timedelta(days=30)
    desk.seat_seven()
    daemon = DaemonAtWork(desk)
    yield daemon
    daemon.end()


def hand_in(port: int, raw: bytes) -> None:
    with smtplib.LMTP("127.0.0.1", port, timeout=30) as post:
        post.sendmail("fay@example.org", ["judge@example.org"], raw)


def first_phase(daemon: DaemonAtWork) -> Phase:
    with reading(daemon.engine) as session:
        return next(iter(phases_of(session, all_games(session)[0])))


def test_deadlines_wait_for_what_a_mail_server_has_kept_and_it_counts_from_when_it_came(daemon):
    """The judge was down when the order came, and when its deadline fell."""
    mailbox = NoMailbox(daemon.settings.mailbox)
    due_at = first_phase(daemon).due_at
    assert due_at
    daemon.now = due_at + timedelta(minutes=5)
    daemon.collect(mailbox)
    daemon.work(mailbox)
    assert first_phase(daemon).processed_at is None

    raw = LETTER.format(at=due_at - timedelta(minutes=1)).encode()
    sending = threading.Thread(target=hand_in, args=(daemon.settings.intake.port, raw))
    sending.start()
    while sending.is_alive():
        daemon.rest(0.1)
        daemon.collect(mailbox)
    daemon.work(mailbox)
    assert first_phase(daemon).processed_at is None

    daemon.letterbox_has_caught_up()
    daemon.collect(mailbox)
    daemon.work(mailbox)
    phase = first_phase(daemon)
    assert phase.processed_at is not None
    assert "PIC" in str(phase.outcome)


def test_a_letter_about_a_game_whose_deadline_is_held_keeps_no_others_waiting(daemon):
    mailbox = NoMailbox(daemon.settings.mailbox)
    due_at = first_phase(daemon).due_at
    assert due_at
    daemon.now = due_at + timedelta(minutes=5)
    late = LETTER.format(at=due_at).encode()
    signup = b"From: jo@example.org\r\nTo: judge@example.org\r\nMessage-ID: <3@example.org>\r\n\r\nHELP\r\n"
    letters = [Fetched(0, n, due_at + timedelta(minutes=n), raw) for n, raw in enumerate((late, signup), 1)]
    daemon.keep(letters)
    daemon.collect(mailbox)
    daemon.work(mailbox)

    def states() -> list[str]:
        with reading(daemon.engine) as session:
            return [str(row.state) for row in session.exec(select(LetterRow).order_by(col(LetterRow.id)))][-2:]

    assert states() == ["new", "done"]
    daemon.work(mailbox)
    assert states() == ["new", "done"] and first_phase(daemon).processed_at is None
    daemon.letterbox_has_caught_up()
    daemon.collect(mailbox)
    daemon.work(mailbox)
    phase = first_phase(daemon)
    assert states() == ["done", "done"] and phase.processed_at is not None
    assert "PIC" not in str(phase.outcome)


def test_a_letter_in_junk_is_in_time_if_its_writer_is_known(daemon, mail_system):
    due_at = first_phase(daemon).due_at
    assert due_at
    daemon.now = due_at + timedelta(minutes=5)
    raw = LETTER.format(at=due_at).encode()
    put(mail_system, "Junk", raw, due_at - timedelta(minutes=1))
    put(mail_system, "Junk", raw.replace(b"france@", b"stranger@").replace(b"<1@", b"<2@"))
    with Mailbox(box_of(mail_system, junk="auto"), clock=lambda: daemon.time, known=daemon.known) as mailbox:
        daemon.collect(mailbox)
        daemon.letterbox_has_caught_up()
        daemon.collect(mailbox)
        daemon.work(mailbox)
    phase = first_phase(daemon)
    assert phase.processed_at is not None and "PIC" in str(phase.outcome)
    with reading(daemon.engine) as session:
        senders = [row.sender for row in session.exec(select(LetterRow))]
    assert "stranger@example.org" not in senders
