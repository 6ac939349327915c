"""A mail system of an SMTP server and an IMAP server on loopback ports, in one thread.

`judge demo` and `judge serve` run on it. The tests use it as their second IMAP dialect (no keywords, no CONDSTORE). The
SMTP server puts every mail, for any domain, into the INBOX of the recipient's local part. No mail leaves the machine.
An account is made when a person writes to it or logs in to it. All accounts share one password. Mail is kept in memory
only. A mail is in the INBOX before its sender gets the 250 reply.
"""

import asyncio
import logging
import threading
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Self, cast

from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession
from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import Config, Login, Session
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet, Message
from pymap.concurrent import Event, Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.parsing.primitives import Nil, String
from pymap.parsing.response import fetch
from pymap.parsing.specials import SequenceSet
from pymap.selected import SelectedMailbox
from pymap.user import UserMetadata
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext

HOST = "127.0.0.1"
PASSWORD = "diplomacy"
# Seconds from the "+" of an IDLE to the first announcement. A client reads the "+" through a buffer, and then waits for
# the socket. There it would not notice more data from the same packet.
BREATH = 0.05
MailHook = Callable[[str, bytes], None]

log = logging.getLogger(__name__)


def _date_of_header(moment: datetime) -> Nil | String:
    """Return the date for an ENVELOPE, in the form of a header (RFC 3501, 7.4.2).

    The library pymap writes an INTERNALDATE there.
    """
    return String.build(format_datetime(moment))


fetch.DateTime = _date_of_header  # type: ignore[attr-defined, assignment]


class MailSystem:
    """The mail system, which is a context manager to enter once.

    People are identified by the local part of their address. A log-in with the full address shows the same mail. This
    class extends the in-memory backend of pymap 0.36, whose internal classes no other module uses. It creates accounts
    on demand, and repairs four faults. Pymap sends answers in small pieces. It does not announce new mail to a client
    that has just begun to idle. Its SEARCH does not find mail before the mail was announced. It looks up this machine's
    name for every connection.
    """

    host, password = HOST, PASSWORD

    def __init__(self, *, imap_port: int = 0, smtp_port: int = 0, on_mail: MailHook | None = None) -> None:
        """Keep the ports, where 0 means any free port.

        `on_mail` is called, in the servers' thread, with the recipient and the bytes of every mail in order. `on_mail`
        must be quick.
        """
        self.imap_port, self.smtp_port = imap_port, smtp_port
        self.on_mail = on_mail
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="mail system", daemon=True)

    def __enter__(self) -> Self:
        """Open both ports.

        Raises OSError if one of them is taken.
        """
        self._thread.start()
        self._ready.result(timeout=10)
        return self

    def __exit__(self, *_: object) -> None:
        """Close both servers and all connections, and delete all mail."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join(timeout=10)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._ready.done():
                log.exception("the mail system failed")
            else:
                self._ready.set_exception(error)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Log a broken connection only for debugging, since it is the client's problem.
        self._loop.set_exception_handler(
            lambda _, context: log.debug("%s", context.get("message"), exc_info=context.get("exception"))
        )
        self._closing = asyncio.Event()
        args = Namespace(
            debug=False, host=None, port=0, cert=None, key=None, tls=False, proxy_protocol=None, passlib_cfg=None,
            demo_data=False, demo_user="", demo_password="",
        )  # fmt: skip
        # Use no hashing, and no pool of threads for it, since the password is not secret.
        config = _Config.from_args(args, hash_context=Cleartext(), cpu_subsystem=Subsystem.for_asyncio())
        config.apply_context()
        self._accounts = _Accounts(config)
        self._imap = IMAPServer(self._accounts, config)
        imap = await asyncio.start_server(self._serve_imap_client, HOST, self.imap_port)
        smtp = await self._loop.create_server(
            lambda: SMTP(self, hostname="localhost", ident="mail system", loop=self._loop, enable_SMTPUTF8=True),
            HOST, self.smtp_port,
        )  # fmt: skip
        self.imap_port = imap.sockets[0].getsockname()[1]
        self.smtp_port = smtp.sockets[0].getsockname()[1]
        self._ready.set_result(None)
        await self._closing.wait()
        imap.close()
        smtp.close()

    async def _serve_imap_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        whole = cast(asyncio.StreamWriter, _WholeAnswers(writer))
        with suppress(ConnectionError):  # a client disconnected in the middle of a command
            await self._imap(reader, whole, SocketInfoLocal(writer))

    async def handle_DATA(self, server: SMTP, session: SmtpSession, envelope: Envelope) -> str:
        """Deliver a complete mail, with the header fields of a final delivery (RFC 5321 section 4.4)."""
        trace = f"Return-Path: <{envelope.mail_from or ''}>\r\nReceived: by localhost with ESMTP; "
        trace += f"{format_datetime(datetime.now(UTC))}\r\n"
        raw = trace.encode() + (envelope.original_content or b"")
        for recipient in envelope.rcpt_tos:
            await self._deliver(raw, recipient, datetime.now(UTC))
        return "250 2.0.0 delivered"

    async def _deliver(self, raw: bytes, to: str, received_at: datetime) -> None:
        await self._accounts.session(to).append_messages("INBOX", [AppendMessage(raw, received_at)])
        if self.on_mail is not None:
            self.on_mail(to, raw)


class _Accounts(Login):
    async def authenticate(self, credentials: ServerCredentials) -> Any:
        self._open(credentials.authcid)
        return await super().authenticate(credentials)

    def session(self, user: str) -> Session:
        self._open(user)
        return Session(user, self.config, *self.config.set_cache[user])

    def _open(self, user: str) -> None:
        self.users_dict.setdefault(user, UserMetadata(self.config, user, password=PASSWORD))
        local_part = user.partition("@")[0].lower()
        self.config.set_cache[user] = self.config.set_cache.setdefault(local_part, (_Folders(), FilterSet()))


class _Folders(MailboxSet):
    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)


class _Inbox(MailboxData):
    """An INBOX whose clients know of all mail, including mail that arrived after their last command."""

    async def find(self, seq_set: SequenceSet, selected: SelectedMailbox) -> AsyncIterator[tuple[int, Message]]:
        """Search all mail, also mail that was not yet announced to the client. pymap leaves such mail out."""
        await self.update_selected(selected)
        async for found in super().find(seq_set, selected):
            yield found

    async def update_selected(self, selected: SelectedMailbox, *, wait_on: Event | None = None) -> SelectedMailbox:
        """Report changes to the client.

        With `wait_on`, the client idles. Pymap's own method would wait for the next change even if the client does not
        know of the last one.
        """
        if wait_on is not None and selected.mod_sequence != self._mod_sequences.highest:
            await wait_on.wait(timeout=BREATH)
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)


class _WholeAnswers:
    """A writer that sends each answer in one piece.

    Pymap writes an answer bit by bit, and the kernel makes a packet of each. The method `idle_check` of IMAPClient
    drops the connection when it reads half a line.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._answer = bytearray()

    def write(self, data: bytes) -> None:
        self._answer += data

    async def drain(self) -> None:
        self._writer.write(bytes(self._answer))
        self._answer.clear()
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()


class _Config(Config):
    greeting = b"mail system ready"  # pymap's own greeting asks the name service each time
