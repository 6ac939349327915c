"""The daemon of a judge whose every step a test asks for: what tests know of its inside is known here alone."""

from collections.abc import Callable
from datetime import UTC, datetime
from unittest.mock import patch

from sqlalchemy import Engine

from judge.letters.imap import Withheld
from judge.letters.lmtp_server import LmtpServer
from judge.service.daemon import Daemon
from judge.settings import Settings
from judge.store.locks import daemon_lock_of
from tests.commands.deskatwork import QUICK, DeskAtWork


class DaemonAtWork:
    """The daemon at the database of a desk. `now` is what time it is, if not what the system's clock says."""

    def __init__(self, desk: DeskAtWork, settings: Settings | None = None):
        self.settings = settings or desk.settings
        self.now: datetime | None = None
        with patch("judge.games.core.passwords.PasswordHasher", lambda: QUICK):
            self._daemon = Daemon(self.settings, daemon_lock_of(desk.engine), lambda: self.time)
        # Its own: its threads wait for each other's transactions in order.
        self.engine: Engine = self._daemon._engine

    @property
    def time(self) -> datetime:
        return self.now or datetime.now(UTC)

    def work(self, mailbox: object = None) -> None:
        """Do all that there is to do."""
        self._daemon._work(mailbox)  # type: ignore[arg-type]

    def decide(self) -> None:
        """Do what letters and deadlines ask for, without all else that the daemon does meanwhile."""
        while self._daemon._queue.next():
            pass

    def has_just_started(self) -> None:
        """It knows nothing of what it has done before."""
        self._daemon._swept_at = self._daemon._noted_at = None
        self._daemon._queue._letter_overtakes = True
        self._daemon._queue._set_aside.clear()

    def collect(self, mailbox: object) -> None:
        """Look through the mailbox, and take what was handed in."""
        self._daemon._collect(mailbox)  # type: ignore[arg-type]

    def stop(self) -> None:
        self._daemon.stop()

    def rest(self, seconds: float) -> None:
        """Wait until something wakes the daemon, or so many seconds."""
        self._daemon._wakeup.wait(seconds)

    def keep(self, letters: list) -> None:
        """Store letters as if they had been in the mailbox."""
        self._daemon._ingest.keep(letters, self.time)

    def has_swept_since(self, moment: datetime) -> bool:
        return self._daemon._swept_since(moment)

    @property
    def swept_at(self) -> datetime | None:
        """When the mailbox was looked through."""
        return self._daemon._swept_at

    @swept_at.setter
    def swept_at(self, moment: datetime) -> None:
        self._daemon._swept_at = moment

    def look_at_health_again(self) -> None:
        """The next report about how the judge is comes with the next work, not after its usual pause."""
        self._daemon._reports._looked_at = None

    @property
    def withheld(self) -> Withheld:
        return self._daemon._withheld

    @property
    def known(self) -> Callable:
        return self._daemon._known

    @property
    def letterbox(self) -> LmtpServer:
        assert self._daemon._lmtp_server
        return self._daemon._lmtp_server

    def letterbox_has_caught_up(self) -> None:
        """As much time passes for the letterbox as mail servers are given to hand in what they have kept."""
        self.letterbox._last_refused -= self.settings.intake.catch_up

    def hurries(self, come: Callable[[], None]) -> None:
        """Call `come` each time that the daemon has decided something."""
        self._daemon._worker.hurry = come  # type: ignore[method-assign]

    def tell_keeper(self) -> None:
        self._daemon._notify_keeper()

    def show_metrics(self) -> None:
        self._daemon._metrics.start()

    def end(self) -> None:
        """Close what it has opened."""
        self._daemon._metrics.end()
        self._daemon._lmtp_server.close()
        self._daemon._daemon_lock.release()
        self.engine.dispose()
