"""The connections to the outgoing mail server, opened when needed and kept open. Several threads may send at a time."""

import threading
import time

from judge.mails.smtp import Deferred, Refused, Unavailable, open_server
from judge.settings import SmtpSettings

# A connection that had nothing to send for so many seconds is closed; servers close them after some minutes.
KEPT_OPEN = 30.0
# So many seconds after the server was out of reach for one of several connections, as many as before are tried again.
ALL_AGAIN = 60.0


class Closed(Deferred):
    """The mail was not accepted this time, and the server has ended the connection."""


class Connection:
    """A connection that opens itself again."""

    def __init__(self, settings: SmtpSettings, sender: str):
        self.used_at = 0.0
        self._settings = settings
        self._sender = sender
        self._server = open_server(settings, sender)

    def send(self, recipient: str, raw: bytes, sender: str) -> None:
        """Returns when the server has accepted the mail; raises as `Server.deliver`, or Closed."""
        try:
            self._deliver(recipient, raw, sender)
        except Deferred as error:
            if not self._server.ready():
                raise Closed(str(error)) from error
            raise
        except Refused:
            if not self._server.ready():
                self._server.close()
            raise

    def close(self) -> None:
        self._server.close()

    def _deliver(self, recipient: str, raw: bytes, sender: str) -> None:
        """If the server has closed a connection that was kept open, the mail, which it has not seen, goes on a new one.
        """
        try:
            self._server.deliver(recipient, raw, sender)
        except (Deferred, Unavailable):
            if not self.used_at or self._server.has_begun or self._server.ready():
                raise
            self._server.close()
            self._server = open_server(self._settings, self._sender)
            self._server.deliver(recipient, raw, sender)


class ConnectionPool:
    """At most `settings.connections` connections, on which `sender` sends; for any thread."""

    def __init__(self, settings: SmtpSettings, sender: str):
        self._settings = settings
        self._sender = sender
        self._free: list[Connection] = []
        self._open = 0
        self._most = settings.connections
        self._fewer_since = 0.0
        self._changed = threading.Condition()

    def send(self, recipient: str, raw: bytes, sender: str = "") -> None:
        """Returns when the server has accepted the mail; raises Deferred, Refused or Unavailable. `sender`: where
        reports go, if not to the judge's own address.
        """
        connection = self._taken()
        try:
            connection.send(recipient, raw, sender)
        except (Closed, Unavailable):
            self._drop(connection)
            raise
        except (Deferred, Refused):
            self._put_back(connection)
            raise
        except BaseException:
            self._drop(connection)
            raise
        self._put_back(connection)

    def close_idle(self, seconds: float | None = None) -> None:
        """Close the connections that were not used for KEPT_OPEN, or so many seconds; another mail opens them again."""
        last = time.monotonic() - (KEPT_OPEN if seconds is None else seconds)
        with self._changed:
            old = [one for one in self._free if one.used_at <= last]
            self._free = [one for one in self._free if one not in old]
            self._open -= len(old)
        for connection in old:
            connection.close()

    def _taken(self) -> Connection:
        """A free connection, or a new one. Many servers allow one sender only a few at a time: where one more cannot be
        opened, it goes on with those that there are, for a while.
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
                return Connection(self._settings, self._sender)
            except BaseException as error:
                with self._changed:
                    self._open -= 1
                    self._changed.notify_all()
                    if not isinstance(error, Unavailable) or not self._open:
                        raise
                    self._most, self._fewer_since = self._open, time.monotonic()

    def _put_back(self, connection: Connection) -> None:
        with self._changed:
            connection.used_at = time.monotonic()
            self._free.append(connection)  # the one that was used last is taken first
            self._changed.notify_all()

    def _drop(self, connection: Connection) -> None:
        connection.close()
        with self._changed:
            self._open -= 1
            self._changed.notify_all()
