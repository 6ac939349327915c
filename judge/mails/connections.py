"""The connections to the outgoing mail server, opened when needed and kept open; several threads may send at a time."""

import threading
import time

from judge.mails.smtp import Deferred, Refused, Server, Unavailable, open_server
from judge.settings import SmtpSettings

# Seconds after which an idle connection is closed; servers close them after some minutes.
KEPT_OPEN = 30.0
# Seconds after the server refused one of several connections until the full number is tried again.
ALL_AGAIN = 60.0


class Closed(Deferred):
    """The mail was not accepted this time, and the server has ended the connection."""


class ConnectionPool:
    """At most `settings.connections` connections, on which `sender` sends; for any thread."""

    def __init__(self, settings: SmtpSettings, sender: str):
        self._settings = settings
        self._sender = sender
        self._free: list[Server] = []
        self._open = 0
        self._most = settings.connections
        self._fewer_since = 0.0
        self._changed = threading.Condition()

    def send(self, recipient: str, raw: bytes, sender: str = "") -> None:
        """Return when the server has accepted the mail; raises Deferred, Closed, Refused or Unavailable.

        `sender`: where reports go, if not to the judge's own address.
        """
        server, is_usable = self._taken(), False
        try:
            try:
                server.deliver(recipient, raw, sender)
            except (Deferred, Unavailable):
                if not server.used_at or server.has_begun or server.ready():
                    raise
                # The server has closed a connection that was kept open, and has not seen the mail.
                server.close()
                server = open_server(self._settings, self._sender)
                server.deliver(recipient, raw, sender)
            is_usable = True
        except (Deferred, Refused) as error:
            is_usable = server.ready()
            if isinstance(error, Deferred) and not is_usable:
                raise Closed(str(error)) from error
            raise
        finally:
            self._give_back(server, is_usable=is_usable)

    def close_idle(self, seconds: float | None = None) -> None:
        """Close the connections that were not used for KEPT_OPEN or so many seconds; another mail opens them again."""
        last = time.monotonic() - (KEPT_OPEN if seconds is None else seconds)
        with self._changed:
            old = [server for server in self._free if server.used_at <= last]
            self._free = [server for server in self._free if server not in old]
            self._open -= len(old)
        for server in old:
            server.close()

    def _taken(self) -> Server:
        """A free connection, or a new one.

        Many servers allow a sender only a few at a time: when another one cannot be opened, those that there are have
        to do for a while.
        """
        while True:
            with self._changed:
                if time.monotonic() > self._fewer_since + ALL_AGAIN:
                    self._most = self._settings.connections
                self._changed.wait_for(lambda: self._free or self._open < max(1, self._most))
                if self._free:
                    return self._free.pop()
                self._open += 1
            try:
                return open_server(self._settings, self._sender)
            except BaseException as error:
                with self._changed:
                    self._open -= 1
                    self._changed.notify_all()
                    if not isinstance(error, Unavailable) or not self._open:
                        raise
                    self._most, self._fewer_since = self._open, time.monotonic()

    def _give_back(self, server: Server, *, is_usable: bool) -> None:
        if not is_usable:
            server.close()
        with self._changed:
            if is_usable:
                server.used_at = time.monotonic()
                self._free.append(server)  # the one that was used last is taken first
            else:
                self._open -= 1
            self._changed.notify_all()
