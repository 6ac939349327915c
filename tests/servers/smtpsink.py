"""An SMTP server that keeps what it is sent, and that can be told to misbehave.

What it is told holds until it has happened as often as asked, or until `reset()`.
"""

import asyncio
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from judge.demo.mail_users import ReceivedMail
from tests.servers import plainuser
from tests.servers.certificates import Certificates


@dataclass(frozen=True)
class Mail(ReceivedMail):
    """A mail that the sink has taken, with its envelope and when it was taken (seconds since 1970)."""

    sender: str
    recipients: tuple[str, ...]
    at: float = field(default_factory=time.time)

    @property
    def answers(self) -> str:
        """The Message-ID of the letter that it answers; "" if none, or if it is the map of an answer, drawn late."""
        is_late_map = ".map@" in self.message_id
        return "" if is_late_map else str(self.message["In-Reply-To"] or "").strip()


class Client(SMTP):
    """A client that is connected; one too many is told so and shut out."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self.transport is None and not self.event_handler.opened(self):
            transport.write(b"421 4.7.0 too many connections\r\n")  # type: ignore[attr-defined]
            transport.close()
            self._is_shut_out = True
            return
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if not self._is_shut_out:
            self.event_handler.closed(self)
            super().connection_lost(error)

    def abort(self) -> None:
        if self.transport:
            self.transport.abort()  # type: ignore[attr-defined]

    _is_shut_out = False


class SmtpSink:
    """The server; a context manager. `mails` are those it has taken, in order; `connections`: how many there were,
    `most_at_once`: how many at a time.

    `security` is "plain", "starttls" or "tls" (the latter two need `certificates`); with `login` = (user,
    password) nobody may send without having logged in.
    """

    host = "localhost"
    connects_by = Client

    def __init__(
        self, *, security: str = "plain", certificates: Certificates | None = None, login: tuple[str, str] | None = None
    ) -> None:
        self.port = plainuser.free_port()
        self.mails: list[Mail] = []
        self.connections = self.most_at_once = 0
        self._open: set[Client] = set()
        self._news = threading.Condition()
        self._script = _Script()
        self._options: dict[str, Any] = {}
        if certificates is not None and security != "plain":
            self._options["ssl_context" if security == "tls" else "tls_context"] = certificates.server_context()
        if security == "starttls":
            self._options["require_starttls"] = True
        if login is not None:
            self._options |= {
                "auth_required": True,
                "auth_require_tls": security == "starttls",
                "authenticator": _doorman(login),
            }

    def start(self) -> Self:
        self._server = _Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            server_hostname="localhost",
            enable_SMTPUTF8=True,
            **self._options,
        )
        self._server.start()
        with self._news:  # aiosmtpd tries whether it answers
            self._news.wait_for(lambda: self.connections and not self._open, timeout=10)
        self.connections = self.most_at_once = 0
        return self

    def stop(self) -> None:
        """Nobody answers on the port any more; the mails stay, and `start()` opens the same port again."""
        self.hang_up()
        self._server.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def reset(self) -> None:
        """Forgets all mails and everything it was told."""
        with self._news:
            self.mails.clear()
            self.connections, self.most_at_once = 0, len(self._open)
        self._script = _Script()

    def refuse_next(self, count: int = 1, answer: str = "451 4.3.0 try again later", at: str = "DATA") -> None:
        """The next `count` mails get `answer` to their "MAIL", "RCPT" or "DATA" and are not taken; "HELO": so many
        greetings do.
        """
        self._script.refusals[at] = (count, answer)

    def refuse_recipient(self, address: str, answer: str = "550 5.1.1 no such user here") -> None:
        """Nothing is taken for `address`."""
        self._script.unknown[address.lower()] = answer

    def drop_next(self, count: int = 1, *, taken: bool) -> None:
        """The connection breaks after the DATA of the next `count` mails, which were `taken`, or not."""
        self._script.drops = (count, taken)

    def be_slow(self, seconds: float) -> None:
        """The answer to every DATA comes this much later; the mail is taken before it."""
        self._script.delay = seconds

    def hold(self, address: str, *, on: bool = True) -> None:
        """The answer to the DATA of a mail to `address` comes only when told so by `on=False`."""
        self._script.held = address if on else ""

    def drip(self, at: str) -> None:
        """The answer comes byte by byte and never ends, at "HELO" or "DATA", until told otherwise."""
        self._script.drips = at

    def to(self, address: str) -> list[Mail]:
        """The mails that were taken for one recipient."""
        with self._news:
            return [mail for mail in self.mails if address.lower() in map(str.lower, mail.recipients)]

    def wait_for(self, wanted: Callable[[Mail], bool], seconds: float = 30, *, after: int = 0) -> Mail:
        """The first `wanted` mail, leaving out the first `after` mails; AssertionError when none comes in time."""

        def found() -> Mail | None:
            return next((mail for mail in self.mails[after:] if wanted(mail)), None)

        with self._news:
            mail = self._news.wait_for(found, timeout=seconds)
            assert mail is not None, f"no such mail within {seconds} s; there were: {self._list()}"
            return mail

    def wait_for_count(self, count: int, seconds: float = 30) -> list[Mail]:
        """All mails, as soon as there are `count`; AssertionError when there are not in time."""
        with self._news:
            enough = self._news.wait_for(lambda: len(self.mails) >= count, timeout=seconds)
            assert enough, f"{len(self.mails)} mails instead of {count} within {seconds} s: {self._list()}"
            return list(self.mails)

    def _list(self) -> str:
        return "; ".join(f"{mail.subject!r} to {', '.join(mail.recipients)}" for mail in self.mails) or "none"

    def take_at_most(self, connections: int) -> None:
        """More connections at a time are refused, with 421."""
        self._script.most_connections = connections

    def hang_up(self) -> None:
        """Close all connections, as a server does with clients that have nothing to say."""
        for connection in list(self._open):
            self._server.loop.call_soon_threadsafe(connection.abort)
        self.wait_until_left()

    def wait_until_left(self) -> None:
        """Until no client is connected."""
        with self._news:
            assert self._news.wait_for(lambda: not self._open, timeout=30)

    # What aiosmtpd calls, in the server's thread.

    def opened(self, connection: Client) -> bool:
        """Whether a new client may stay."""
        with self._news:
            if len(self._open) >= self._script.most_connections:
                return False
            self._open.add(connection)
            self.connections += 1
            self.most_at_once = max(self.most_at_once, len(self._open))
            return True

    def closed(self, connection: Client) -> None:
        with self._news:
            self._open.discard(connection)
            self._news.notify_all()

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        refusal = self._script.refusal("HELO")
        await self._drip("HELO", server)
        if refusal is None:
            session.host_name = hostname
        return [refusal] if refusal else responses

    async def handle_HELO(self, server: SMTP, session: Session, envelope: Envelope, hostname: str) -> str:
        refusal = self._script.refusal("HELO")
        if refusal is None:
            session.host_name = hostname
        return refusal or "250 localhost"

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        refusal = self._script.refusal("MAIL")
        if refusal is None:
            envelope.mail_from = address
        return refusal or "250 2.1.0 go on"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        refusal = self._script.unknown.get(address.lower()) or self._script.refusal("RCPT")
        if refusal is None:
            envelope.rcpt_tos.append(address)
        return refusal or "250 2.1.5 go on"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        refusal = self._script.refusal("DATA")
        if refusal is not None:
            return refusal
        dropped, taken = self._script.drop()
        if taken:
            self._take(envelope)
        await asyncio.sleep(self._script.delay)
        while self._script.held in envelope.rcpt_tos:
            await asyncio.sleep(0.02)
        await self._drip("DATA", server)
        if dropped:
            server.transport.abort()  # type: ignore[union-attr]
        return "250 2.0.0 taken"

    async def _drip(self, at: str, server: SMTP) -> None:
        while self._script.drips == at and server.transport is not None:
            await asyncio.sleep(0.1)
            server.transport.write(b"2")  # type: ignore[attr-defined]

    def _take(self, envelope: Envelope) -> None:
        mail = Mail(envelope.original_content or b"", envelope.mail_from or "", tuple(envelope.rcpt_tos))
        with self._news:
            self.mails.append(mail)
            self._news.notify_all()


class _Controller(Controller):
    def factory(self) -> SMTP:
        return self.handler.connects_by(self.handler, **self.SMTP_kwargs)


@dataclass
class _Script:
    most_connections: float = math.inf
    refusals: dict[str, tuple[int, str]] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    drops: tuple[int, bool] = (0, True)
    delay: float = 0.0
    held: str = ""
    drips: str = ""

    def refusal(self, step: str) -> str | None:
        count, answer = self.refusals.get(step, (0, ""))
        self.refusals[step] = (count - 1, answer)
        return answer if count > 0 else None

    def drop(self) -> tuple[bool, bool]:
        """(does the connection break?, is the mail taken?)"""
        count, taken = self.drops
        self.drops = (count - 1, taken)
        return (True, taken) if count > 0 else (False, True)


def _doorman(login: tuple[str, str]) -> Callable[..., AuthResult]:
    def check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: Any) -> AuthResult:
        right = isinstance(given, LoginPassword) and (given.login.decode(), given.password.decode()) == login
        return AuthResult(success=right, handled=False)  # False: the server shall say 235 or 535

    return check


def times_sent(mails: list[Mail]) -> Counter[tuple[str, str]]:
    """How often each mail (Message-ID, recipient) was taken: what must be 1 for "nothing twice"."""
    return Counter((mail.message_id, recipient) for mail in mails for recipient in mail.recipients)
