"""IMAPClient with two additions: an IDLE that another thread can end, and no copy of the traffic in the log.

`IMAPClient.idle()` fails when the server announces mail before its "+", and `idle_check()` gives the same answer when
the time is over and when the server has died. Here an IDLE always ends with DONE and the server's answer to it, so that
a dead connection raises an error. What the server announced between two commands is remembered until
`forget_announcements`.
"""

import select
import socket
import ssl
from contextlib import suppress

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

_ANNOUNCEMENTS = ("EXISTS", "RECENT")


class IdleClient(IMAPClient):  # type: ignore[misc]  # imapclient comes without types
    """A connection to one IMAP server; times are aware datetimes.

    It also uses the standard library's imaplib below IMAPClient, which parses the lines of the protocol.
    """

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None, timeout: float):
        super().__init__(host, port, ssl=context is not None, ssl_context=context, timeout=timeout)
        self.normalise_times = False
        self._imap.debug = 0  # IMAPClient makes imaplib log all traffic: letters, and the passwords in them
        self._timeout_seconds = timeout

    @property
    def has_announced_mail(self) -> bool:
        """Whether the server has announced new mail since `forget_announcements`."""
        return any(kind in self._imap.untagged_responses for kind in _ANNOUNCEMENTS)

    def forget_announcements(self) -> None:
        """Only what comes from now on counts as news; imaplib itself keeps announcements as long as the connection is
        open.
        """
        self._imap.untagged_responses.clear()

    def idle_turn(self, seconds: float, wake: socket.socket | int) -> None:
        """IDLE (RFC 2177) until the server says anything, `wake` is readable or `seconds` are over; then DONE.

        Raises OSError or IMAPClientError when the connection is dead.
        """
        tag = self._imap._command("IDLE")
        while self._imap._get_response() is not None:
            if self._imap.tagged_commands[tag]:
                raise IMAPClientError(f"the server refuses IDLE: {self._imap.tagged_commands.pop(tag)[1]}")
        if not self.has_announced_mail and not self._has_unread():
            select.select([self.socket(), wake], [], [], seconds)
        self._imap.send(b"DONE\r\n")
        self._imap._command_complete("IDLE", tag)

    def _has_unread(self) -> bool:
        """Whether bytes came in the same packet as an earlier answer: `select` no longer sees these."""
        kept = getattr(self._imap, "_readbuf", None)  # from Python 3.14 on imaplib keeps them itself
        connection = self.socket()
        if kept is not None:
            return bool(kept) or isinstance(connection, ssl.SSLSocket) and connection.pending() > 0
        connection.setblocking(False)
        try:
            with suppress(BlockingIOError, ssl.SSLWantReadError):
                return bool(self._imap.file.peek(1))
            return False
        finally:
            connection.settimeout(self._timeout_seconds)
