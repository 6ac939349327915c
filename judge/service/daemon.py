"""The judge at work: one thread that reads letters and adjudicates, one that sends, a scheduler.

Everything that changes a game happens in the main thread, in the order of real time: the letter that reached the server
first, the deadline that came first (judge/service/work_queue.py). When many games are due at once, letters are fetched
and answered in between. A phase is adjudicated only after the mailbox has been looked through after its deadline; as
long as the mailbox cannot be reached, deadlines are held.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import partial
from types import ModuleType

from sqlalchemy.exc import OperationalError

from judge.commands.handler import LetterHandler
from judge.games.core.services import make_services
from judge.games.core.work import Work
from judge.games.notifications import sending_limit, undelivered
from judge.games.people import bounces, rate_limits
from judge.letters.imap import Withheld
from judge.letters.lmtp_server import LmtpServer, LmtpServerError
from judge.letters.mailbox import Mailbox, MailboxError, NoMailbox
from judge.service.health import LETTERS, MAILBOX, MAILS, DatabaseCheck, TroubleFile, file_of
from judge.service.health_reports import HealthReports
from judge.service.ingest import InFlight, Ingest
from judge.service.metrics import Metrics
from judge.service.retention import Retention
from judge.service.scheduler import SETTLE, Scheduler
from judge.service.wakeup import Wakeup
from judge.service.work_queue import Outside, WorkQueue
from judge.service.worker import Worker
from judge.settings import Settings
from judge.store import heartbeat, pictures
from judge.store.engine import empty_log, in_words, open_engine, reading, transaction
from judge.store.games import next_alarm
from judge.store.locks import AlreadyRunning, DaemonLock, daemon_lock_of
from judge.store.people import known_addresses
from judge.store.schema import migrate
from judge.time_limit import GivenUp

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
# Seconds after which the mailbox is looked through again while there is much to do.
LOOK_EVERY = 1.0
# Seconds between two attempts to open the letterbox.
LISTEN_EVERY = 60.0
# Seconds of the clock that the letter or deadline in hand still has when the daemon is asked to stop.
GRACE = 3.0


class Daemon:
    """`run` works until `stop`; one per process, home and database. Raises AlreadyRunning, StoreError, KeyUnusable.

    `guard`: of its database, if it was taken already.
    """

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        daemon_lock: DaemonLock | None = None,
    ):
        self._settings = settings
        self._now = now
        self._bell = Wakeup()
        self._stopping = threading.Event()
        self._leaves_at = math.inf
        self._engine = open_engine(settings.store_url)
        self._daemon_lock = daemon_lock or daemon_lock_of(self._engine)
        if daemon_lock is None:
            self._daemon_lock.take()
        migrate(self._engine)
        self._services = make_services(settings)
        self._handler = LetterHandler(self._services)
        self._scheduler = Scheduler(self._bell.ring)
        self._in_flight = in_flight = InFlight(settings.home)
        outside = Outside(lambda: self._now(), self._swept_since, self._gives_up)
        self._queue = WorkQueue(self._engine, self._handler, self._services, self._daemon_lock, in_flight, outside)
        self._ingest = Ingest(self._engine, in_flight, self._handler.take, self._queue.put_aside_unread, self._gives_up)
        self._withheld = Withheld()
        self._letterbox: LmtpServer | None = None
        if settings.intake.protocol != "none":
            self._letterbox = LmtpServer(
                settings.intake, settings.address, settings.mailbox.max_size, self._bell.ring, now
            )
        self._troubles = TroubleFile(file_of(settings), now)
        self._worker = Worker(self._engine, settings, now, "daemon", self._troubles)
        self._retention = Retention(self._engine, settings, now, self._daemon_lock, self._troubles)
        self._check = DatabaseCheck(self._engine, self._troubles)
        self._metrics = Metrics(self._engine, settings.watch, {"turns": self._queue.done, "mails": self._worker.done})
        self._reports = HealthReports(self._engine, self._services, now(), self._troubles)
        self._swept_at: datetime | None = None
        self._noted_at: datetime | None = None
        self._looked_at = self._listens_at = -math.inf
        self._pause = FIRST_PAUSE

    def run(self) -> None:
        """Work until `stop` is called; raises AlreadyRunning when another daemon has taken the database."""
        log.info("judge %s starts as %s", self._settings.code, self._settings.address)
        self._reports.look_at_folders()
        self._scheduler.start()
        if not self._settings.smtp.courier:
            self._troubles.over(MAILS)
        self._worker.start()
        self._check.start()
        self._retention.start()
        self._metrics.start()
        try:
            self._attend()
        finally:
            if self._letterbox:
                self._letterbox.close()
            self._in_flight.put_down()
            self._scheduler.stop()
            self._metrics.stop()
            self._retention.stop()
            self._check.stop()
            self._worker.stop()
            self._empty_log()
            self._daemon_lock.release()
            self._engine.dispose()
        log.info("judge %s has stopped", self._settings.code)

    def _empty_log(self) -> None:
        """So that no letter is left as it was before it was masked: by itself SQLite does that at the end only where no
        other connection is open.
        """
        try:
            empty_log(self._engine)
        except Exception:  # a database out of order is no reason not to stop
            log.exception("the log of the database stays as it is")

    def stop(self) -> None:
        """Finish what is being done and leave `run`; what takes longer than GRACE is rolled back, and done after the
        next start. Safe in a signal handler.
        """
        self._leaves_at = min(self._leaves_at, time.monotonic() + GRACE)
        self._stopping.set()
        self._bell.ring()

    def _gives_up(self) -> bool:
        return time.monotonic() > self._leaves_at

    def _attend(self) -> None:
        """Read letters and process what is due, even if the mailbox cannot be reached for a time."""
        while not self._stopping.is_set():
            self._attempt(self._attend_mailbox)
            self._rest(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _attempt(self, work: Callable[[], object]) -> None:
        """Do that until something stands in the way, which is logged."""
        try:
            work()
        except GivenUp:
            log.info("what is in hand takes long; it is given up until the next start")
        except MailboxError as error:
            log.warning("mailbox: %s; next try in %.0f s", error, self._pause)
        except OperationalError as error:
            self._troubles.met(LETTERS, f"database: {in_words(error)}")
            log.error("database: %s; next try in %.0f s", in_words(error), self._pause)
        except AlreadyRunning:
            raise
        except Exception as error:
            self._troubles.met(LETTERS, f"{type(error).__name__}: the log has the traceback")
            log.exception("something that should not happen; next try in %.0f s", self._pause)

    def _open_mailbox(self) -> Mailbox:
        box = self._settings.mailbox
        return Mailbox(box, known=self._known, withheld=self._withheld) if box.host else NoMailbox(box)

    def _known(self, addresses: Collection[str]) -> Collection[str]:
        with reading(self._engine) as session:
            return known_addresses(session, addresses)

    def _attend_mailbox(self) -> None:
        self._ingest.examine()
        self._work()
        with self._open_mailbox() as mailbox:
            if self._settings.mailbox.host:
                log.info("mailbox %s is open", self._settings.mailbox.host)
            while not self._stopping.is_set():
                self._bell.silence()
                self._reports.look_at_folders()
                self._collect(mailbox)
                if not self._work(mailbox):
                    with reading(self._engine) as session:
                        self._scheduler.follow(next_alarm(session, self._now() - SETTLE))
                    mailbox.wait(min(self._settings.sweep, self._settings.mailbox.poll), self._bell.ear)

    def _rest(self, seconds: float) -> None:
        """Wait between two attempts to reach the mailbox; only a stop ends the wait early. Letters that are handed in
        meanwhile are answered.
        """
        until = time.monotonic() + seconds
        while not self._stopping.is_set() and (left := until - time.monotonic()) > 0:
            self._bell.silence()
            self._listen()
            if self._letterbox and self._letterbox.has_letters:
                self._attempt(self._take_out)
                self._attempt(self._work)
            self._bell.wait(left)

    def _listen(self) -> None:
        """Open the letterbox; if that fails, try again later."""
        box, now = self._letterbox, time.monotonic()
        if box is None or box.is_open or now < self._listens_at:
            return
        try:
            box.open()
        except LmtpServerError as error:
            self._listens_at = now + LISTEN_EVERY
            log.error("letterbox: %s; next try in %.0f s", error, LISTEN_EVERY)

    def _take_out(self) -> None:
        """Store what was handed in; then the mail server is told that it is."""
        if self._letterbox is None:
            return
        with self._letterbox.handed_in() as letters:
            if letters:
                new = self._ingest.keep(letters, self._now())
                log.info("letters handed in=%d new=%d", len(letters), len(new))

    def _collect(self, mailbox: Mailbox) -> None:
        """Store what has arrived, then file it away: after a crash in between it is found again and recognised."""
        began = self._now()
        self._listen()
        self._take_out()
        for batch in mailbox.new_letters():
            if self._stopping.is_set():
                return
            new = self._ingest.keep(batch, self._now())
            mailbox.file_away(batch)
            log.info("letters fetched=%d new=%d", len(batch), len(new))
        if self._withheld.lasting:
            self._troubles.met(MAILBOX, f"emails that the server lists, but does not hand out: {self._withheld}")
        else:
            self._troubles.over(MAILBOX)
        self._note_sweep(began)
        # Only now does it count as a success: if nothing can be stored, the mailbox must not be opened every second.
        self._swept_at, self._pause = began, FIRST_PAUSE
        self._looked_at = time.monotonic()

    def _note_sweep(self, began: datetime) -> None:
        """Record now and then that the sweep succeeded, before anything that is due is processed.

        The last time in the database shows whether there was an outage, also after a restart.
        """
        if self._noted_at and abs(began - self._noted_at) < heartbeat.PRECISION:
            return
        with transaction(self._engine) as session:
            outage = heartbeat.look(session, began, timedelta(hours=self._settings.outage_limit))
            self._handler.forget_unconfirmed(session, began)
            rate_limits.forget(Work(session, self._services, began))
            pictures.forget_sheets(session, began)
        empty_log(self._engine)
        self._noted_at = began
        if outage:
            log.warning("the mailbox was out of reach for %s; deadlines that fell into it are extended", outage)

    def _work(self, mailbox: Mailbox | None = None) -> bool:
        """Handle letters and deadlines in the order of their times, and look into the mailbox in between; returns
        whether there was anything to do.
        """
        worked = False
        while not self._stopping.is_set() and self._queue.next():
            worked = True
            self._worker.hurry()
            if mailbox and time.monotonic() > self._looked_at + LOOK_EVERY:
                self._collect(mailbox)
        self._tell_keeper()
        # The keeper may have written mails from the shell.
        self._worker.hurry()
        if not self._stopping.is_set():
            self._troubles.over(LETTERS)
        return worked

    def _tell_keeper(self) -> None:
        """Tell the keeper how the judge is, and of mails that were given up, that come back, or that wait for the
        provider's limit; games do not wait for that.
        """
        now = self._now()
        listens = self._letterbox is None or self._letterbox.is_open
        self._or_log(lambda: self._reports.look(now, self._swept_at, listens), "how the judge is")
        for what in (undelivered, bounces, sending_limit):
            self._or_log(partial(self._tell_of, what, now), "mails that are not delivered")

    def _tell_of(self, what: ModuleType, now: datetime) -> None:
        with reading(self._engine) as session:
            if not what.is_to_tell(Work(session, self._services, now)):
                return
        with transaction(self._engine) as session:
            what.tell(Work(session, self._services, now))

    def _or_log(self, tell: Callable[[], None], what: str) -> None:
        try:
            tell()
        except OperationalError:
            raise
        except Exception:
            log.exception("the keeper cannot be told of: %s", what)

    def _swept_since(self, moment: datetime) -> bool:
        """Whether the mailbox was looked through after every letter of that second had arrived.

        A look in the future was before the system's clock was set back, and says nothing. What was handed in while the
        judge was down comes a while after it is up again.
        """
        if self._letterbox and not self._letterbox.has_caught_up:
            return False
        return self._swept_at is not None and moment + SETTLE <= self._swept_at <= self._now()
