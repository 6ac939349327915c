"""From the mailbox to the reply a letter is parsed once and redacted once, whatever becomes of the transactions."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import CodeType, FrameType
from typing import Any

import pytest
from sqlmodel import col, select

from judge.commands.core.blocks import read_blocks
from judge.commands.core.redaction import redaction_of
from judge.games.core.passwords import MOST_SLOW
from judge.letters import kept_letter, parse_letter, read_letter
from judge.letters.mailbox import Mailbox
from judge.settings import read_settings
from judge.store.engine import transaction
from judge.store.tables import LetterRow, Mail
from tests.commands.deskatwork import SAMPLE, DeskAtWork
from tests.servers.dovecot import Dovecot
from tests.service.daemonatwork import DaemonAtWork

WORK = (parse_letter, kept_letter, redaction_of, read_letter, read_blocks)


@contextmanager
def counted(*functions: Callable[..., object]) -> Iterator[Counter[str]]:
    """How often each of them is called meanwhile, whoever calls it by whatever name."""
    calls: Counter[str] = Counter()
    names: dict[CodeType, str] = {function.__code__: function.__name__ for function in functions}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in names:
            calls[names[frame.f_code]] += 1

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


class JudgeAtItsMailbox:
    """A daemon at a game that has begun; letters lie in a mailbox of a real server."""

    def __init__(self, desk: DeskAtWork, server: Dovecot, daemon: DaemonAtWork):
        self.desk, self.daemon, self._server = desk, daemon, server
        self._letters = 0

    def work(self, text: str, sender: str = "france@example.org", *headers: str) -> Counter[str]:
        """What it takes to fetch this letter, to store it and to answer it."""
        return self.work_together([self.written(text, sender, *headers)])

    def written(self, text: str, sender: str = "france@example.org", *headers: str) -> bytes:
        """Another letter."""
        self._letters += 1
        fields = [
            f"From: {sender}", "To: judge@example.org", "Subject: moves", f"Message-ID: <{self._letters}@example.org>",
            *headers,
        ]  # fmt: skip
        return "\r\n".join([*fields, "", text.replace("\n", "\r\n"), ""]).encode()

    def work_together(self, letters: list[bytes]) -> Counter[str]:
        """The same for letters that lie in the mailbox together."""
        client = self._server.client()
        for letter in letters:
            client.append("INBOX", letter)
        client.logout()
        with Mailbox(self.daemon.settings.mailbox) as mailbox, counted(*WORK) as calls:
            self.daemon.collect(mailbox)
            self.daemon.work()
        return calls

    def letter(self) -> LetterRow:
        """The letter that came last."""
        with transaction(self.daemon.engine) as session:
            row = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).first()
            assert row
            session.expunge(row)
        return row

    def mails(self) -> list[str]:
        """All that were written, in their order."""
        with transaction(self.daemon.engine) as session:
            return [raw.decode() for raw in session.exec(select(Mail.raw).order_by(col(Mail.id)))]

    def answer(self) -> str:
        """The mail that was written last."""
        return self.mails()[-1]


@pytest.fixture
def judge(tmp_path, dovecot: Dovecot) -> Iterator[JudgeAtItsMailbox]:
    environment = {
        "JUDGE_JUDGE_HOME": str(tmp_path),
        "JUDGE_MAILBOX_HOST": dovecot.host,
        "JUDGE_MAILBOX_PORT": str(dovecot.imap_port),
        "JUDGE_MAILBOX_SECURITY": "plain",
        "JUDGE_MAILBOX_USER": dovecot.user,
        "JUDGE_MAILBOX_PASSWORD": dovecot.password,
        "JUDGE_MAILBOX_MAX_SIZE": "100000",
    }
    desk = DeskAtWork(tmp_path, "", environment)
    desk.now = datetime.now(UTC) - timedelta(hours=1)
    desk.seat_seven()
    confirming = read_settings(SAMPLE, {**environment, "JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"})
    daemon = DaemonAtWork(desk, confirming)
    yield JudgeAtItsMailbox(desk, dovecot, daemon)
    daemon.end()


# A letter is parsed for its fingerprint when it comes, and again when it is answered.
ONCE = {"parse_letter": 2, "kept_letter": 1, "redaction_of": 1, "read_letter": 1, "read_blocks": 1}


def test_a_letter_of_orders(judge: JudgeAtItsMailbox):
    assert judge.work("SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR - SPA\nF BRE - MAO\nSIGNOFF") == ONCE
    assert "Orders complete." in judge.answer()
    assert b"SIGNON Fheron ****" in judge.letter().raw


def test_a_letter_with_a_wrong_password_and_wrong_lines(judge: JudgeAtItsMailbox):
    """Each of them is repeated in the reply, and none of them with a password."""
    before = len(judge.mails())
    text = "SIGNON Fheron wrong\nA PAR - BUR\nSIGNON Fheron pwfrance\nA PAR - LON\nI wrote signon Fheron pwfrance\n"
    assert judge.work(f"{text}PRESS TO ALL\nWho wrote to Hello England today?\nENDPRESS") == ONCE
    written = judge.mails()[before:]
    (answer,) = [mail for mail in written if "Wrong password" in mail]
    assert "> I wrote signon Fheron ****" in answer
    assert sum("Who wrote to Hello England today?" in mail for mail in written) == 8
    assert not [mail for mail in written if "pwfrance" in mail]
    assert b"pwfrance" not in judge.letter().raw


def test_a_letter_of_slow_passwords_is_begun_again_and_not_read_again(judge: JudgeAtItsMailbox):
    form = "REGISTER\nName: Fay\nEND\n"
    games = "\n".join(f"CREATE ?game{number} secret{number}" for number in range(MOST_SLOW))
    assert judge.work(form + games) == ONCE
    assert f"game{MOST_SLOW - 1} has been created" in judge.answer()
