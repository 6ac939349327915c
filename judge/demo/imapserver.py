"""pymap, made into an IMAP server that can be started inside this process.

pymap's in-memory backend does the work; this module gives it accounts that open themselves, and repairs
four things that a client would stumble over: answers sent in small pieces, mail unannounced to a client
that has just begun to idle, mail that a SEARCH does not find because it was not announced yet, and a
look-up of this machine's name for every connection. Only here are pymap 0.36's inner classes used.
"""

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime
from typing import Any, cast

from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import Config, Login, Session
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet, Message
from pymap.concurrent import Event, Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import SequenceSet
from pymap.selected import SelectedMailbox
from pymap.user import UserMetadata
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext

# Seconds from the "+" of an IDLE to the first announcement. A client reads the "+" through a buffer and
# then waits on the socket: what came in the same packet it would find with the next one only.
BREATH = 0.05


class OpenHouse:
    """An IMAP server where each person has an INBOX as soon as it is asked for.

    A person is known by the local part of the address; a login with the full address shows the same mail. Use it from
    one event loop only.
    """

    def __init__(self, password: str) -> None:
        config = _config()
        config.apply_context()
        self._accounts = _Accounts(config, password)
        self._imap = IMAPServer(self._accounts, config)

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client's connection, to its end: the callback for `asyncio.start_server`."""
        whole = cast(asyncio.StreamWriter, _WholeAnswers(writer))
        with suppress(ConnectionError):             # a client that disconnected in the middle of a command
            await self._imap(reader, whole, SocketInfoLocal(writer))

    async def append(self, user: str, raw: bytes, received_at: datetime) -> None:
        """Puts a mail into the user's INBOX; `received_at` (aware) is its INTERNALDATE."""
        await self._accounts.session(user).append_messages("INBOX", [AppendMessage(raw, received_at)])

    def wipe(self) -> None:
        """Deletes all mail and folders. Clients that are still connected keep seeing the old ones."""
        self._accounts.config.set_cache.clear()


class _Accounts(Login):
    def __init__(self, config: Config, password: str) -> None:
        super().__init__(config)
        self._password = password

    async def authenticate(self, credentials: ServerCredentials) -> Any:
        self._open(credentials.authcid)
        return await super().authenticate(credentials)

    def session(self, user: str) -> Session:
        self._open(user)
        return Session(user, self.config, *self.config.set_cache[user])

    def _open(self, user: str) -> None:
        self.users_dict.setdefault(user, UserMetadata(self.config, user, password=self._password))
        local_part = user.partition("@")[0].lower()
        self.config.set_cache[user] = self.config.set_cache.setdefault(local_part, (_Folders(), FilterSet()))


class _Folders(MailboxSet):
    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)


class _Inbox(MailboxData):
    """An INBOX whose clients are told of all mail, also of mail that came since their last command."""

    async def find(self, seq_set: SequenceSet, selected: SelectedMailbox) -> AsyncIterator[tuple[int, Message]]:
        """SEARCH looks at what is there now; pymap's own looks only at the mail that the client was told of."""
        await self.update_selected(selected)
        async for found in super().find(seq_set, selected):
            yield found

    async def update_selected(self, selected: SelectedMailbox, *,
                              wait_on: Event | None = None) -> SelectedMailbox:
        """With `wait_on` the client idles; pymap's own waits for the next change, whatever came before."""
        if wait_on is not None and selected.mod_sequence != self._mod_sequences.highest:
            await wait_on.wait(timeout=BREATH)
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)


class _WholeAnswers:
    """A writer that sends each answer in one piece.

    pymap writes an answer bit by bit, the kernel makes a packet of every bit, and IMAPClient's `idle_check`
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
    greeting = b"post office ready"                 # pymap's own asks the name service each time


def _config() -> Config:
    args = Namespace(debug=False, host=None, port=0, cert=None, key=None, tls=False, proxy_protocol=None,
                     passlib_cfg=None, demo_data=False, demo_user="", demo_password="")
    # No hashing and no pool of threads for it: the password is no secret.
    return _Config.from_args(args, hash_context=Cleartext(), cpu_subsystem=Subsystem.for_asyncio())
