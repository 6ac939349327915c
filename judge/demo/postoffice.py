"""A whole mail system in one process: an SMTP server and an IMAP server on loopback ports of their own.

`judge demo` and `judge serve` play on it, and the tests use it as their second IMAP dialect (no keywords, no
CONDSTORE). Every mail that the SMTP server accepts, for whatever domain, is put into the INBOX of the recipient's local
part and never leaves the machine. An account is made when a person writes to it or logs in to it; all share one
password. Mail is kept in memory only. Both servers run on one event loop in a thread of their own; a mail is in the
INBOX before its sender reads the 250.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from datetime import UTC, datetime
from email.utils import format_datetime
from types import TracebackType
from typing import Any, Self

from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.demo.imapserver import OpenHouse

HOST = "127.0.0.1"
PASSWORD = "diplomacy"
MailHook = Callable[[str, bytes], None]

log = logging.getLogger(__name__)


class PostOffice:
    """The mail system; a context manager, started once.

    After `start()`, a matter of milliseconds, `imap_port` and `smtp_port` are the ports in use (0 asks for a
    free one). `on_mail(recipient, raw)` is called for every mail that was put into an INBOX, in order, in the
    servers' thread: it must be quick.
    """

    host = HOST

    def __init__(self, *, imap_port: int = 0, smtp_port: int = 0, password: str = PASSWORD,
                 on_mail: MailHook | None = None) -> None:
        self.imap_port, self.smtp_port = imap_port, smtp_port
        self.password = password
        self.on_mail = on_mail
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="post-office", daemon=True)

    def start(self) -> Self:
        """Opens both ports; raises OSError when one of them is taken."""
        self._thread.start()
        self._ready.result(timeout=10)
        return self

    def stop(self) -> None:
        """Closes both servers and all connections, and deletes all mail."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join(timeout=10)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()

    def deliver(self, raw: bytes, to: str, received_at: datetime | None = None) -> None:
        """Puts `raw` into the INBOX of `to`, as arrived at `received_at` (aware; now when left out)."""
        self._call(self._deliver(raw, to, received_at))

    def wipe(self) -> None:
        """Deletes all mail and every folder. Clients that are still connected keep seeing the old ones."""
        self._call(self._wipe())

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=30)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._ready.done():
                log.exception("the post office broke down")
            else:
                self._ready.set_exception(error)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_note)
        self._closing = asyncio.Event()
        self._house = OpenHouse(self.password)
        imap = await asyncio.start_server(self._house.converse, HOST, self.imap_port)
        smtp = await self._loop.create_server(self._smtp, HOST, self.smtp_port)
        self.imap_port = imap.sockets[0].getsockname()[1]
        self.smtp_port = smtp.sockets[0].getsockname()[1]
        self._ready.set_result(None)
        await self._closing.wait()
        imap.close()
        smtp.close()

    def _smtp(self) -> SMTP:
        return SMTP(self, hostname="localhost", ident="post office", loop=self._loop, enable_SMTPUTF8=True)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """aiosmtpd's hook: a mail has arrived whole."""
        raw = _with_trace(envelope)
        for recipient in envelope.rcpt_tos:
            await self._deliver(raw, recipient, None)
        return "250 2.0.0 delivered"

    async def _deliver(self, raw: bytes, to: str, received_at: datetime | None) -> None:
        await self._house.append(to, raw, received_at or datetime.now(UTC))
        if self.on_mail is not None:
            self.on_mail(to, raw)

    async def _wipe(self) -> None:
        self._house.wipe()


def _with_trace(envelope: Envelope) -> bytes:
    """The mail with the trace lines of its final delivery (RFC 5321 section 4.4)."""
    trace = (f"Return-Path: <{envelope.mail_from or ''}>\r\n"
             f"Received: by localhost with ESMTP; {format_datetime(datetime.now(UTC))}\r\n")
    return trace.encode() + (envelope.original_content or b"")


def _note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A broken connection is the client's problem: it gets only a line in the debug log."""
    log.debug("post office: %s", context.get("message"), exc_info=context.get("exception"))
