"""The LMTP or SMTP server to which a mail server hands letters directly (RFC 2033), instead of into a mailbox.

Each letter waits here until the thread that stores letters has stored it. Only then does the mail server get its 250.
Until then the mail server keeps the letter, so none is lost if the judge stops. If the 250 is lost, the letter comes
again and is recognized by its fingerprint.

A letter's arrival is the time at which our mail server got it. The server's own Received field, at the top, has this
time. So a letter that waited there while the judge was down is not late.
"""

import logging
import socket
import ssl
import threading
import time
from asyncio import wait_for, wrap_future
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.addresses import normal, without_tag
from judge.letters.imap import Fetched
from judge.letters.parsed import date, parse_letter
from judge.settings import IntakeSettings

MOST_CONNECTIONS = 20
MOST_RECIPIENTS = 100
# Seconds within which the judge answers. A mail server waits ten minutes for the answer (RFC 5321, 4.5.3.2.6).
ANSWER_WITHIN = 120.0
# The maximum size of a line, in bytes. Mail programs should not write more than 998 (RFC 5322, 2.1.1), but some do.
LONGEST_LINE = 100_000
# The longest time that a mail server may have kept a letter. Servers give up earlier (RFC 5321, 4.5.4.1).
LONGEST_WAY = timedelta(days=10)

_LATER = "451 4.3.0 The email cannot be stored now, please try again later"
_TOP = 4_000
# The fields that our mail server and its filters put above its Received field, and prefixes of such fields.
_ABOVE = {
    "return-path", "delivered-to", "envelope-to", "received-spf", "authentication-results", "dkim-signature",
}  # fmt: skip
_ABOVE_TOO = ("arc-", "x-")

log = logging.getLogger(__name__)


class LmtpServerError(Exception):
    """A reason why the server cannot listen, as one sentence for the keeper."""


class LmtpServer:
    """A listener with its own thread, and the letters that were handed in but not stored yet.

    `open`, `handed_in` and `close` are for the thread that stores letters. aiosmtpd's thread calls `admits` and the
    `handle_` methods.
    """

    def __init__(
        self,
        settings: IntakeSettings,
        address: str,
        max_size: int,
        wake: Callable[[], None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        """Keep the settings.

        `address` is the judge's own address. `wake` is called whenever a letter has been handed in.
        """
        self._settings = settings
        self.protocol = settings.protocol
        self._address = address
        self._max_size = max_size
        self._wake = wake
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: list[tuple[Fetched, Future[bool]]] = []
        self._controller: _Controller | None = None
        self._tls: ssl.SSLContext | None = None
        self._last_refused = time.monotonic()
        self.connections = 0

    @property
    def has_letters(self) -> bool:
        """Return whether letters are waiting to be stored."""
        return bool(self._waiting)

    @property
    def is_open(self) -> bool:
        """Return whether the listener is open, or the settings want no listener."""
        return self.protocol == "none" or self._controller is not None and self._controller.loop.is_running()

    @property
    def has_caught_up(self) -> bool:
        """Return whether the mail server has had time to retry the letters that it could not hand in before."""
        until = self._last_refused + self._settings.catch_up
        return self.protocol == "none" or self.is_open and time.monotonic() >= until

    def open(self) -> None:
        """Start to listen, or raise LmtpServerError if that fails."""
        settings = self._settings
        where = f"{settings.host}:{settings.port}"
        logging.getLogger("mail").setLevel(logging.WARNING)  # aiosmtpd logs letters, and the passwords in them
        try:
            if settings.security != "plain":
                self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self._tls.load_cert_chain(settings.cert_file, settings.key_file)
            contexts = {settings.security: self._tls}
            family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
            # Test here whether the port is free, since aiosmtpd needs seconds to notice that it is not.
            socket.create_server((settings.host, settings.port), family=family).close()
            controller = _Controller(
                self, hostname=settings.host, port=settings.port, server_hostname="judge", ident="judge",
                data_size_limit=self._max_size, ssl_context=contexts.get("tls"),
                # With require_starttls, aiosmtpd refuses the greeting of LMTP.
                tls_context=contexts.get("starttls"),
            )  # fmt: skip
            controller.start()
        except OSError as error:
            raise LmtpServerError(f"[intake] cannot listen at {where}: {error.strerror or error}") from error
        self._controller = controller
        self._last_refused = time.monotonic()
        log.info("letterbox %s://%s is open", settings.protocol, where)

    def close(self) -> None:
        """Stop listening. The mail server keeps all letters that are not stored yet."""
        with suppress(LmtpServerError), self.handed_in():
            raise LmtpServerError("the judge is about to end")
        if self._controller:
            with suppress(Exception):
                self._controller.stop()
            self._controller = None

    @contextmanager
    def handed_in(self) -> Iterator[Sequence[Fetched]]:
        """Yield all letters that were handed in before this moment, so that the caller's block stores them.

        If the block raises, the mail server is asked to try again later.
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
                with suppress(InvalidStateError):  # the mail server may have hung up meanwhile
                    stored.set_result(is_stored)

    # --- called by aiosmtpd, in the thread that listens ---

    def admits(self, peer: str) -> str:
        """Return the refusal for a client that may not hand in letters, or "" for a client that may."""
        client = ip_address(peer) if peer else None
        client = getattr(client, "ipv4_mapped", None) or client
        if not client or not any(client in network for network in self._settings.clients):
            log.warning("letterbox: %s was refused; [intake] clients lists who may deliver emails", peer)
            return "554 5.7.1 This server accepts email only from its own mail server"
        if self.connections >= MOST_CONNECTIONS:
            return "421 4.7.0 Too many connections, please try again later"
        if self._tls:
            # Certificates are renewed every few weeks. Until both new files are there, the old pair remains.
            with suppress(OSError):
                self._tls.load_cert_chain(self._settings.cert_file, self._settings.key_file)
        return ""

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept the sender, or ask the client to try again if it must encrypt the connection first."""
        if self._settings.security == "starttls" and session.ssl is None:
            return "451 4.7.0 Must issue a STARTTLS command first"
        if not address.isprintable():  # a bare CR would end the Return-Path field, which has this address
            return "501 5.1.7 The sender's address contains control characters"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept the judge's own address, with any tag, as the recipient."""
        recipient = normal(address)
        if self._address not in (recipient, without_tag(recipient) if recipient else ""):
            return f"550 5.1.1 No such mailbox here; the judge is {self._address}"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(recipient)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answer when the letter is stored, when storing it fails, or when the time is over.

        LMTP answers once per recipient (RFC 2033, 4.2).
        """
        stored: Future[bool] = Future()
        content = envelope.original_content or b""
        # The fields that a final delivery adds (RFC 5321, 4.4). A bounce has the sender "<>".
        sender, recipients = (envelope.mail_from or "").strip("<>"), envelope.rcpt_tos
        fields = f"Return-Path: <{sender}>\r\n" + "".join(f"Delivered-To: {one}\r\n" for one in recipients)
        with self._lock:  # the lock ensures that `handed_in` also gives all letters that came earlier
            received_at = arrival(content, self._clock())
            letter = Fetched(0, 0, received_at, fields.encode("utf-8", "replace") + content)
            entry = letter, stored
            self._waiting.append(entry)
        self._wake()
        try:
            is_stored = await wait_for(wrap_future(stored), ANSWER_WITHIN)
        except TimeoutError:
            is_stored = False
            with self._lock:
                if entry in self._waiting:
                    self._waiting.remove(entry)
            self._last_refused = time.monotonic()
        answer = "250 2.0.0 The email is stored" if is_stored else _LATER
        return "\r\n".join([answer] * (len(recipients) if isinstance(server, LMTP) else 1))

    async def handle_exception(self, error: Exception) -> str:
        """Answer a client after an unexpected error."""
        log.error("letterbox: %r", error)
        return _LATER


def arrival(raw: bytes, now: datetime) -> datetime:
    """Return when our mail server got a letter, by its Received field, which is the topmost.

    Returns `now` if there is no such field, or if its time cannot be right.
    """
    headers = parse_letter(raw[:_TOP]).headers
    top = next((name for name in headers if name not in _ABOVE and not name.startswith(_ABOVE_TOO)), "")
    at = date(headers[top][0].rpartition(";")[2].strip()) if top == "received" else None
    return at if at and now - LONGEST_WAY < at <= now else now


class _Guarded(SMTP):
    """A connection that is refused immediately if its client may not connect."""

    line_length_limit = LONGEST_LINE

    async def _handle_client(self) -> None:
        box: LmtpServer = self.event_handler
        assert self.session and self.transport
        if refusal := box.admits((self.session.peer or ("",))[0]):
            await self.push(refusal)
            self.transport.close()
            return
        box.connections += 1
        try:
            await super()._handle_client()
        finally:
            box.connections -= 1


class _GuardedLmtp(_Guarded, LMTP):
    """An LMTP connection that is refused immediately if its client may not connect."""


class _Controller(Controller):
    """The thread in which aiosmtpd listens."""

    def factory(self) -> SMTP:
        protocol = _GuardedLmtp if self.handler.protocol == "lmtp" else _Guarded
        return protocol(self.handler, **self.SMTP_kwargs)
