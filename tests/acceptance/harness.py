"""A whole judge at work: the daemon as a process, a mail server with its mailbox, an SMTP server for its answers.

Tests talk to it by letters only:

    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects(containing="heron")
"""

import copy
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from signal import SIGKILL
from typing import Any

from sqlalchemy import Engine

from judge.demo.mail_users import ReceivedMail
from judge.demo.process import Sections, write_settings
from judge.store.engine import open_engine, reading
from tests.acceptance.warm import WarmJudge
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem, MailUser
from tests.servers.smtpsink import Mail, SmtpSink

ADDRESS = "judge@judge.test"
KEEPER = "keeper@judge.test"
MailServer = Dovecot | MailSystem
_UNDONE = (
    "SELECT id FROM letter WHERE state = 'new'",
    "SELECT id FROM mail WHERE sent_at IS NULL AND failed_at IS NULL",
)


@dataclass
class JudgeAtWork:
    """What a test of the whole has in hand; the daemon's life is in `process`."""

    process: WarmJudge
    mail_server: MailServer
    sink: SmtpSink
    folder: Path
    # Of a database that is not SQLite's in the daemon's home.
    url: str = ""

    def person(self, name: str, address: str = "", style: str = "plain") -> MailUser:
        """Somebody who writes to this judge, by default as `name`@example.org."""
        address = address or f"{name.lower().replace(' ', '.')}@example.org"
        return MailUser(name, address, ADDRESS, _Post(self.mail_server, self.sink), style)

    def answers_to(self, letter: bytes) -> list[Mail]:
        """The mails that answer `letter`, as often as they came."""
        message_id = message_from_bytes(letter)["Message-ID"].strip()
        return [mail for mail in list(self.sink.mails) if mail.answers == message_id]

    @property
    def database(self) -> Path:
        return self.folder / "run" / "judge.db"

    @property
    def clock(self) -> Path:
        """By how many seconds a daemon's clock is ahead that is prepared with `--clock` and this."""
        return self.folder / "seconds-ahead"

    def set_clock(self, ahead: float) -> None:
        new = self.clock.with_suffix(".new")
        new.write_text(str(int(ahead)))
        new.replace(self.clock)  # whole at any moment: the daemon may be reading it

    @contextmanager
    def store(self) -> Iterator[Engine]:
        """The daemon's database, to look into and to change."""
        engine = open_engine(self.url or f"sqlite:///{self.database}")
        try:
            yield engine
        finally:
            engine.dispose()

    def rests(self, seconds: float = 30) -> None:
        """Until every letter is handled and every mail is noted as sent: killed now, it would not send one again."""
        until = time.monotonic() + seconds
        with self.store() as engine:
            while _is_at_work(engine):
                assert time.monotonic() < until, f"still at work after {seconds:g} s:\n{self.process.tail()}"
                time.sleep(0.02)

    @contextmanager
    def killed(self, when: str, function: str, call: int = 1) -> Iterator[None]:
        """The daemon is started, and is dead at the end of the block: by SIGKILL just `when` ("before", "after")
        the `call`-th call of `function` ("judge.store.inbox:keep")."""
        with self.prepared("--kill", f"{when}:{function}:{call}"):
            self.process.launch()
            yield
            status = self.process.wait_for_end()
        assert status == -SIGKILL, f"{status}, not SIGKILL:\n{self.process.tail()}"

    @contextmanager
    def prepared(self, *preparations: str) -> Iterator[None]:
        """A daemon started meanwhile is prepared like this; see prepared.py."""
        self.process.preparations = preparations
        try:
            yield
        finally:
            self.process.preparations = ()


def _is_at_work(engine: Engine) -> bool:
    with reading(engine) as session:
        return any(session.connection().exec_driver_sql(question).first() for question in _UNDONE)


@dataclass(frozen=True)
class _Post:
    """Letters are delivered straight into the judge's mailbox; its answers are what the sink has taken."""

    mail_server: MailServer
    sink: SmtpSink

    def send(self, raw: bytes, sender: str, to: str) -> None:
        if isinstance(self.mail_server, Dovecot):
            self.mail_server.deliver(raw, to, sender)  # without a sender it would be a bounce
        else:
            self.mail_server.deliver(raw, to)

    def mails(self, address: str) -> Sequence[ReceivedMail]:
        return self.sink.to(address)


def settings(
    mail_server: MailServer, sink: SmtpSink, security: str = "plain", changes: Sections | None = None
) -> dict[str, dict[str, Any]]:
    """The settings of a judge with its mailbox on `mail_server`; `changes` are laid over them."""
    sections: dict[str, dict[str, Any]] = {
        "judge": {"code": "TEST", "address": ADDRESS, "keeper": KEEPER, "zone": "UTC"},
        "mailbox": {
            "host": mail_server.host,
            "port": mail_server.imap_port,
            "security": security,
            "user": "judge",
            "password": mail_server.password,
            "timeout": 10,
        },
        "smtp": {"host": "127.0.0.1", "port": sink.port, "security": "plain", "timeout": 5},
        "games": {"early_delay": 1, "sweep": 1},
    }
    if security != "plain" and isinstance(mail_server, Dovecot):
        sections["mailbox"]["ca_file"] = mail_server.ca_file
        if security == "tls":
            sections["mailbox"]["port"] = mail_server.imaps_port
    return laid_over(sections, changes or {})


def laid_over(sections: Mapping[str, Mapping[str, Any]], changes: Sections) -> dict[str, dict[str, Any]]:
    """`sections` with the values of `changes` put over or added to theirs."""
    both = {name: dict(values) for name, values in copy.deepcopy(dict(sections)).items()}
    for name, values in changes.items():
        both.setdefault(name, {}).update(values)
    return both


def judge_in(
    folder: Path, mail_server: MailServer, sink: SmtpSink, security: str = "plain", changes: Sections | None = None
) -> JudgeAtWork:
    """A judge with its settings written into `folder`, not yet started."""
    config = write_settings(folder, settings(mail_server, sink, security, changes))
    url = str((changes or {}).get("store", {}).get("url", ""))
    return JudgeAtWork(WarmJudge(config), mail_server, sink, folder, url)
