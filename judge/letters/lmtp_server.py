"""The letterbox: a mail server hands letters in directly, by LMTP (RFC 2033) or SMTP, instead of into a mailbox.

Each letter waits here until the one thread that stores letters takes it out. Only when it is stored the mail server
gets its 250, and until then the letter is that server's to keep: it is never lost, whenever the judge ends. If the 250
is lost, the letter comes a second time and is recognised by its fingerprint.

A letter came when our mail server got it, which the server's own Received field on top of it says: a letter that waited
there while the judge was down is as early as it is in a mailbox.
"""

import logging
import re
import socket
import ssl
import threading
import time
from asyncio import BaseTransport, wait_for, wrap_future
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.addresses import normal, without_tag
from judge.letters import headers as fields
from judge.letters.imap import Fetched
from judge.settings import IntakeSettings

MOST_CONNECTIONS = 20
MOST_RECIPIENTS = 100
# Seconds within which a mail server gets its answer. It waits ten minutes for it (RFC 5321, 4.5.3.2.6).
ANSWER_WITHIN = 120.0
# Mail programs should not write lines over 998 bytes (RFC 5322, 2.1.1), but letters with longer ones are read.
LONGEST_LINE = 100_000
# How long a mail server may have kept a letter; they give up before (RFC 5321, 4.5.4.1).
LONGEST_WAY = timedelta(days=10)

_LATER = "451 4.3.0 The letter cannot be stored now, please try again later"
_TOP = 4_000
_NEXT_FIELD = re.compile(rb"\r?\n(?![ \t])")
# Above the Received field of the server that delivers it stand only these, which it and its filters have added; and
# those whose names begin like that.
_ABOVE = {
    b"return-path", b"delivered-to", b"envelope-to", b"received-spf", b"authentication-results", b"dkim-signature",
}  # fmt: skip
_ABOVE_TOO = (b"arc-", b"x-")

log = logging.getLogger(__name__)


class LmtpServerError(Exception):
    """No letters can be handed in; the message is one sentence for the keeper."""


class LmtpServer:
    """A listener with a thread of its own, and the letters that were handed in and are not stored yet.

    `open`, `handed_in` and `close` are for the thread that stores letters.
    """

    def __init__(
        self,
        settings: IntakeSettings,
        address: str,
        max_size: int,
        ring: Callable[[], None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        """address: the judge's own; max_size: of a letter, in bytes; ring: called when letters were handed in."""
        self._settings = settings
        self._address = address
        self._max_size = max_size
        self._ring = ring
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: list[tuple[Fetched, Future[bool]]] = []
        self._controller: _Controller | None = None
        self._tls: ssl.SSLContext | None = None
        self._last_refused = time.monotonic()
        self.connections = 0

    @property
    def has_letters(self) -> bool:
        """Whether letters wait to be stored."""
        return bool(self._waiting)

    @property
    def is_open(self) -> bool:
        """Whether letters can be handed in."""
        return self._controller is not None

    @property
    def has_caught_up(self) -> bool:
        """Whether the mail server has had the time to hand in again what it could not hand in before."""
        return self.is_open and time.monotonic() >= self._last_refused + self._settings.catch_up

    def open(self) -> None:
        """Begin to listen; raises LmtpServerError."""
        settings = self._settings
        where = f"{settings.host}:{settings.port}"
        logging.getLogger("mail").setLevel(logging.WARNING)  # aiosmtpd logs letters, and the passwords in them
        try:
            if settings.security != "plain":
                self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self._tls.load_cert_chain(settings.cert_file, settings.key_file)
            family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
            # aiosmtpd finds out only after seconds that it cannot listen.
            socket.create_server((settings.host, settings.port), family=family).close()
            controller = _Controller(self, settings, self._max_size, self._tls)
            controller.start()
        except OSError as error:
            raise LmtpServerError(f"[intake] cannot listen at {where}: {error.strerror or error}") from error
        self._controller = controller
        self._last_refused = time.monotonic()
        log.info("letterbox %s://%s is open", settings.protocol, where)

    def close(self) -> None:
        """Listen no more. What is not stored yet stays with the mail server."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for _, stored in waiting:
            _say(stored, False)
        if self._controller:
            with suppress(Exception):
                self._controller.stop()
            self._controller = None

    @contextmanager
    def handed_in(self) -> Iterator[Sequence[Fetched]]:
        """The letters that were handed in so far: everything that came before this moment. They are to be stored in the
        block; if it raises, their mail servers are asked to try again.
        """
        with self._lock:
            waiting, self._waiting = self._waiting, []
        is_stored = False
        try:
            yield [letter for letter, _ in waiting]
            is_stored = True
        finally:
            if waiting and not is_stored:
                self._last_refused = time.monotonic()
            for _, stored in waiting:
                _say(stored, is_stored)

    # --- what aiosmtpd calls, in the thread that listens ---

    def admits(self, peer: str) -> str:
        """The answer to a client that may not hand in anything; "" if it may."""
        if not self._is_ours(peer):
            log.warning("letterbox: %s is turned away; [intake] clients says who may hand in letters", peer)
            return "554 5.7.1 This server takes mail from its own mail server only"
        if self.connections >= MOST_CONNECTIONS:
            return "421 4.7.0 Too many connections, please try again later"
        if self._tls:
            # Certificates are renewed every few weeks; until both files are there, the old one is good.
            with suppress(OSError):
                self._tls.load_cert_chain(self._settings.cert_file, self._settings.key_file)
        return ""

    def _is_ours(self, peer: str) -> bool:
        try:
            client = ip_address(peer)
        except ValueError:
            return False
        mapped = client.ipv4_mapped if isinstance(client, IPv6Address) else None
        return any((mapped or client) in network for network in self._settings.clients)

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Whether the line is encrypted if it must be; else the letter waits until the keeper has set that right."""
        if self._settings.security == "starttls" and session.ssl is None:
            return "451 4.7.0 Must issue a STARTTLS command first"
        if not address.isprintable():  # a bare CR would end the field in which the letter names its sender
            return "501 5.1.7 The sender's address holds control characters"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Whether there is such a mailbox here: the judge's own, with any tag."""
        recipient = normal(address)
        if self._address not in (recipient, without_tag(recipient) if recipient else ""):
            return f"550 5.1.1 No such mailbox here; the judge is {self._address}"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(recipient)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """The answer when the letter is stored, or cannot be; for LMTP one for each recipient (RFC 2033, 4.2)."""
        stored: Future[bool] = Future()
        raw = _as_delivered(envelope)
        with self._lock:  # so that whoever takes letters out has all that came before
            letter = Fetched(0, 0, arrival(envelope.original_content or b"", self._clock()), raw)
            entry = letter, stored
            self._waiting.append(entry)
        self._ring()
        try:
            is_stored = await wait_for(wrap_future(stored), ANSWER_WITHIN)
        except TimeoutError:
            is_stored = False
            with self._lock:
                if entry in self._waiting:
                    self._waiting.remove(entry)
            self._last_refused = time.monotonic()
        answer = "250 2.0.0 The letter is stored" if is_stored else _LATER
        return "\r\n".join([answer] * (len(envelope.rcpt_tos) if isinstance(server, LMTP) else 1))

    async def handle_exception(self, error: Exception) -> str:
        """What a client is told if something here is broken."""
        log.error("letterbox: %r", error)
        return _LATER


def arrival(raw: bytes, now: datetime) -> datetime:
    """When our own mail server got the letter that it hands in: the time in its Received field, which is on top; `now`
    if there is none, or one that cannot be right.
    """
    for field in _NEXT_FIELD.split(raw[:_TOP]):
        name = field.partition(b":")[0].lower()
        if name not in _ABOVE and not name.startswith(_ABOVE_TOO):
            break
    if name != b"received":
        return now
    unfolded = " ".join(field.decode("latin-1").split())
    at = fields.date(unfolded.rpartition(";")[2].strip())
    return at if at and now - LONGEST_WAY < at <= now else now


def _as_delivered(envelope: Envelope) -> bytes:
    """The letter with the fields that a final delivery adds (RFC 5321, 4.4): who sent it, and to which addresses."""
    sender = (envelope.mail_from or "").strip("<>").encode("utf-8", "replace")  # a bounce has "<>"
    to = "".join(f"Delivered-To: {recipient}\r\n" for recipient in envelope.rcpt_tos).encode()
    content = envelope.original_content or b""
    return b"Return-Path: <" + sender + b">\r\n" + to + content


def _say(stored: "Future[bool]", is_stored: bool) -> None:
    with suppress(Exception):  # the client may have hung up meanwhile
        stored.set_result(is_stored)


class _Guarded(SMTP):
    """One connection, if its client may connect."""

    line_length_limit = LONGEST_LINE
    _is_in = False

    def connection_made(self, transport: BaseTransport) -> None:
        box: LmtpServer = self.event_handler
        if not self._is_in:  # STARTTLS begins the connection anew
            refusal = box.admits((transport.get_extra_info("peername") or ("",))[0])
            if refusal:
                transport.write(f"{refusal}\r\n".encode())  # type: ignore[attr-defined]  # a stream can be written
                transport.close()
                return
            self._is_in = True
            box.connections += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._is_in:
            self._is_in = False
            self.event_handler.connections -= 1
            super().connection_lost(error)

    def eof_received(self) -> bool | None:
        return super().eof_received() if self._is_in else None


class _GuardedLmtp(_Guarded, LMTP):
    """The same for LMTP."""


class _Controller(Controller):
    """aiosmtpd's thread with its listener."""

    def __init__(self, box: LmtpServer, settings: IntakeSettings, max_size: int, tls: ssl.SSLContext | None):
        self._protocol = _GuardedLmtp if settings.protocol == "lmtp" else _Guarded
        more: dict[str, Any] = {}
        if tls and settings.security == "starttls":
            more = {"tls_context": tls}  # with require_starttls aiosmtpd refuses the greeting of LMTP
        super().__init__(
            box, hostname=settings.host, port=settings.port, server_hostname="judge", data_size_limit=max_size,
            ssl_context=tls if settings.security == "tls" else None, ident="judge", **more,
        )  # fmt: skip

    def factory(self) -> SMTP:
        return self._protocol(self.handler, **self.SMTP_kwargs)
