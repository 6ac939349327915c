"""Several connections to the outgoing mail server, each with a thread of its own, opened when needed and kept open.

The threads do nothing but talk to the server: which mail goes when, and what becomes of it, is decided by the one
thread that uses `Lines` (judge/mails/delivery.py). What is written to one reader about one game is never on two
connections at a time, so that it arrives in its order.
"""

import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass
from queue import SimpleQueue

from judge.mails.return_path import return_path
from judge.mails.smtp import Deferred, Refused, Server, Unavailable, open_server
from judge.settings import SmtpSettings
from judge.store.rows import id_of
from judge.store.tables import Mail

# A connection that had nothing to send for so many seconds is closed; servers close them after some minutes.
KEPT_OPEN = 30.0
# So many seconds after the server was out of reach for one of several connections, as many as before are tried again:
# when thousands of mails wait, a moment's failure must not leave one connection for all of them.
ALL_AGAIN = 60.0


@dataclass(frozen=True)
class Outgoing:
    """A mail with the bytes that are sent; of the mails of one `sequence` one is sent after the other."""

    mail: Mail
    raw: bytes
    sequence: Hashable


@dataclass(frozen=True)
class Outcome:
    """What the server said to a mail: `error` is None if it has taken it. `closed`: it ended the connection then."""

    outgoing: Outgoing
    error: Deferred | Refused | Unavailable | None = None
    closed: bool = False


class Lines:
    """At most `settings.connections` connections, on which `sender` sends; for one thread."""

    def __init__(self, settings: SmtpSettings, sender: str) -> None:
        self._settings = settings
        self._sender = sender
        self._most = settings.connections
        self._fewer_since = 0.0
        self._free: list[_Line] = []
        self._busy: dict[Hashable, _Line] = {}
        self._outcomes: SimpleQueue[Outcome] = SimpleQueue()

    @property
    def are_busy(self) -> bool:
        """Whether mails are being sent, whose outcomes are still to come."""
        return bool(self._busy)

    def expect_more(self, than: int) -> bool:
        """Whether all connections but that of the last outcome are sending, and are more than so many."""
        return than < self._most and len(self._busy) >= self._most - 1

    @property
    def have_outcomes(self) -> bool:
        """Whether what has become of a mail need not be waited for."""
        return not self._outcomes.empty()

    def can_take(self, outgoing: Outgoing) -> bool:
        """Whether there is a connection for it, and no mail before it in its sequence is being sent."""
        if self._most < self._settings.connections and time.monotonic() > self._fewer_since + ALL_AGAIN:
            self._most = self._settings.connections
        return len(self._busy) < self._most and outgoing.sequence not in self._busy

    def take(self, outgoing: Outgoing) -> None:
        """Send a mail that `can_take` allows."""
        # The line that was used last: those that are not needed any more are closed after a while.
        line = self._free.pop() if self._free else _Line(self._settings, self._sender, self._outcomes)
        self._busy[outgoing.sequence] = line
        line.give(outgoing)

    def outcome(self) -> Outcome:
        """Wait for what becomes of a mail that is being sent."""
        outcome = self._outcomes.get()
        line = self._busy.pop(outcome.outgoing.sequence)
        if isinstance(outcome.error, Unavailable):
            line.end()
        else:
            line.used_at = time.monotonic()
            self._free.append(line)
        return outcome

    def does_with_fewer(self) -> bool:
        """After the server was not available to one of them: whether there are others, with which it goes on for a
        while. Many servers allow one sender only a few connections at a time.
        """
        self._fewer_since = time.monotonic()
        working = len(self._busy) + len(self._free)
        self._most = max(1, working)
        return working > 0

    def close_idle(self) -> None:
        """Close the connections that were not used for a while."""
        self._close(time.monotonic() - KEPT_OPEN)

    def close(self) -> None:
        """Close all connections, and wait until that is done; another mail opens them again."""
        lines = list(self._free)
        self._close(time.monotonic())
        for line in lines:
            line.join()

    def _close(self, not_used_since: float) -> None:
        for line in [line for line in self._free if line.used_at <= not_used_since]:
            self._free.remove(line)
            line.end()
        if not self._free and not self._busy:
            self._most = self._settings.connections


class _Line:
    """One connection and its thread."""

    def __init__(self, settings: SmtpSettings, sender: str, outcomes: SimpleQueue[Outcome]) -> None:
        self.used_at = time.monotonic()
        self._settings = settings
        self._sender = sender
        self._outcomes = outcomes
        self._server: Server | None = None
        self._given: SimpleQueue[Outgoing | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="smtp", daemon=True)
        self._thread.start()

    def give(self, outgoing: Outgoing) -> None:
        self._given.put(outgoing)

    def end(self) -> None:
        """Say goodbye to the server, in its own time; nothing may be given any more."""
        self._given.put(None)

    def join(self) -> None:
        """Wait until that is done."""
        self._thread.join(self._settings.timeout)

    # --- in its thread ---

    def _run(self) -> None:
        while outgoing := self._given.get():
            try:
                self._deliver(outgoing)
                outcome = Outcome(outgoing)
            except (Deferred, Refused, Unavailable) as error:
                outcome = Outcome(outgoing, error, closed=not self._is_ready())
            except Exception as error:  # nobody else hears of it, and the mail's sequence must go on
                self._hang_up()
                outcome = Outcome(outgoing, Deferred(f"{type(error).__name__}: {error}"), closed=True)
            self._outcomes.put(outcome)
        self._hang_up()

    def _deliver(self, outgoing: Outgoing) -> None:
        """If the server has closed a connection that was kept open, the mail, which it has not seen, goes on a new one.
        """
        kept = self._server
        try:
            self._sends(outgoing)
        except (Deferred, Unavailable):
            if kept is None or kept.has_begun or self._is_ready():
                raise
            self._sends(outgoing)

    def _sends(self, outgoing: Outgoing) -> None:
        if self._server is None:
            self._server = open_server(self._settings, self._sender)
        mail = outgoing.mail
        is_named = self._settings.plus_addresses and mail.return_tag
        sender = return_path(self._sender, id_of(mail), mail.return_tag) if is_named else ""
        self._server.deliver(mail.recipient, outgoing.raw, sender)

    def _is_ready(self) -> bool:
        """Whether the connection can be used for another mail; if not, it is closed."""
        if self._server is not None and self._server.ready():
            return True
        self._hang_up()
        return False

    def _hang_up(self) -> None:
        server, self._server = self._server, None
        if server:
            server.close()
