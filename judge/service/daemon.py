"""The daemon, whose main thread reads letters and processes phases, while others send, draw and clean up.

Everything that changes a game happens in the main thread, in order of time (judge/service/work_queue.py). When many
games are due at the same time, letters are fetched and answered in between. A phase is processed only if the mailbox
has been checked after its deadline. While the mailbox cannot be reached, deadlines are on hold.
"""

import logging
import math
import threading
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy.exc import OperationalError

from judge.commands.handler import LetterHandler
from judge.games.core.work import KEY_FILE, KeyUnusable, Work, make_services
from judge.games.people import mail_trouble, rate_limits
from judge.letters.imap import LoginRefused, Withheld
from judge.letters.lmtp_server import LmtpServer, LmtpServerError
from judge.letters.mailbox import Mailbox, MailboxError, NoMailbox
from judge.service.database_check import DatabaseCheck
from judge.service.health import HealthReports
from judge.service.public_pages import PublicPages
from judge.service.results_hook import ResultsHook
from judge.service.retention import Retention
from judge.service.threads import Loop, Wakeup, pause, when_reachable
from judge.service.troubles import FILING, LETTERS, LOGIN, MAILBOX, MAILS, TroubleFile, file_of
from judge.service.watch import Metrics, Webhook
from judge.service.work_queue import InFlight, Ingest, WorkQueue
from judge.service.worker import Worker
from judge.settings import Settings
from judge.store import event_times, inbox, pictures
from judge.store.engine import empty_log, in_words, migrate, open_engine, reading, transaction
from judge.store.games import next_alarm
from judge.store.locks import AlreadyRunning, DaemonLock, daemon_lock_of
from judge.store.people import known_addresses
from judge.time_limit import GivenUp

log = logging.getLogger(__name__)

# The times in a mailbox are whole seconds. So check the mailbox for letters that were in time only after the second of
# a deadline is over.
SETTLE = timedelta(seconds=1)
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
# Seconds between two checks of the mailbox while there is much to do.
LOOK_EVERY = 1.0
# Seconds between two attempts to open the port for letters.
LISTEN_EVERY = 60.0
# Seconds to finish the current letter or deadline when the daemon is asked to stop.
GRACE = 3.0
# Seconds between two attempts to get the database.
TAKE_EVERY = 0.5


def take_over(settings: Settings, stopping: threading.Event) -> DaemonLock | None:
    """Take the daemon's lock as soon as the database can be reached and no other daemon has the lock.

    Returns None if `stopping` is set first. Raises AlreadyRunning if a second daemon cannot wait for the lock (SQLite).
    Raises KeyUnusable if this home lacks the first daemon's key. Raises StoreError.
    """
    engine = open_engine(settings.store_url, "stand-by")
    guard = daemon_lock_of(engine)
    if not guard.lets_wait:
        guard.take()
        return guard

    def take() -> None:
        with engine.connect():  # open a session, which shows other processes that a daemon is waiting
            guard.confirm()
        migrate(engine)  # migrate here, since a server that has just come back may go away again

    stands_by = False
    while not stopping.is_set():
        try:
            if not when_reachable(take, stopping, TAKE_EVERY):
                break
        except AlreadyRunning as error:
            if not stands_by:
                _refuse_without_key(settings)
                log.info("judge %s stands by: %s", settings.code, error)
            stands_by = True
            pause(stopping, TAKE_EVERY)
        else:
            engine.dispose()
            if stands_by:
                log.info("judge %s takes over", settings.code)
            return guard
    return None


def _refuse_without_key(settings: Settings) -> None:
    """Raise KeyUnusable if this home lacks a key.

    The first daemon of a judge makes the key. A second daemon needs the same key.
    """
    key = settings.home / KEY_FILE
    if not key.exists():
        raise KeyUnusable(
            f"{key} is missing: a standby daemon needs the active one's key. Copy that "
            "file, and the folder variants if there is one, from its home folder"
        )


class Daemon:
    """A daemon, which works from `run` until `stop`.

    There is only one for each process, home and database.
    """

    def __init__(
        self,
        settings: Settings,
        daemon_lock: DaemonLock,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        """Open the database, whose lock this process has taken.

        Raises StoreError or KeyUnusable.
        """
        self._settings = settings
        self._now = now
        self._wakeup = Wakeup()
        self._stopping = threading.Event()
        self._leaves_at = math.inf
        self._engine = open_engine(settings.store_url, "daemon")
        self._daemon_lock = daemon_lock
        migrate(self._engine)
        self._services = make_services(settings)
        self._handler = LetterHandler(self._services)
        # This timer wakes the main thread when something is due. The timer may be late, since the machine may have
        # slept.
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults={"misfire_grace_time": None})
        in_flight = InFlight(settings.home)
        self._queue = WorkQueue(
            self._engine, self._handler, self._services, daemon_lock, in_flight, now, self._swept_since, self._gives_up
        )
        self._ingest = Ingest(self._engine, in_flight, self._queue.set_aside_unread, self._gives_up)
        self._withheld = Withheld()
        self._lmtp_server = LmtpServer(
            settings.intake, settings.address, settings.mailbox.max_size, self._wakeup.set, now
        )
        self._troubles = TroubleFile(file_of(settings), now)
        self._worker = Worker(self._engine, settings, now, "daemon", self._troubles)
        done = {"turns": self._queue.done, "mails": self._worker.done, "unanswered": self._handler.unanswered}
        self._metrics = Metrics(self._engine, settings, done)
        self._others: list[Worker | Loop | Metrics] = [
            self._worker,
            DatabaseCheck(self._engine, self._troubles),
            Retention(self._engine, settings, now, daemon_lock, self._troubles),
            self._metrics,
            Webhook(self._engine, settings),
            PublicPages(self._engine, self._services),
            ResultsHook(self._engine, self._services, now),
        ]
        self._reports = HealthReports(self._engine, self._services, now(), self._troubles)
        self._swept_at: datetime | None = None
        self._noted_at: datetime | None = None
        self._looked_at = self._listens_at = -math.inf
        self._pause = FIRST_PAUSE

    def run(self) -> None:
        """Work until `stop` is called.

        Raises AlreadyRunning if another daemon has taken the database.
        """
        log.info("judge %s starts as %s", self._settings.code, self._settings.address)
        if threading.current_thread() is threading.main_thread():
            self._wakeup.heed_signals()
        self._reports.look_at_folders()
        if not self._settings.smtp.courier:
            self._troubles.note(MAILS)
        for other in self._others:
            other.start()
        self._scheduler.start()
        try:
            while not self._stopping.is_set():
                self._attempt(self._attend_mailbox)
                self._rest(self._pause)
                self._pause = min(self._pause * 2, LONGEST_PAUSE)
        finally:
            self._scheduler.shutdown(wait=False)
            self._lmtp_server.close()
            self._ingest.in_flight.record()
            for other in reversed(self._others):
                other.end()
            try:
                # SQLite's log may have letters whose passwords are not masked. SQLite empties the log by itself only if
                # no other connection is open.
                empty_log(self._engine)
            except Exception:  # the daemon must stop even if the database is broken
                log.exception("the write-ahead log of the database was not emptied")
            self._daemon_lock.release()
            self._engine.dispose()
        log.info("judge %s has stopped", self._settings.code)

    def stop(self) -> None:
        """Finish the current work and leave `run`.

        A signal handler may call this. Work that takes longer than GRACE is rolled back, and done again after the next
        start.
        """
        self._leaves_at = min(self._leaves_at, time.monotonic() + GRACE)
        self._stopping.set()
        self._wakeup.set()

    def _gives_up(self) -> bool:
        return time.monotonic() > self._leaves_at

    def _attempt(self, work: Callable[[], object]) -> None:
        """Run `work`, and log any error except AlreadyRunning."""
        try:
            work()
        except GivenUp:
            log.info("the current work takes too long; it will be done after the next start")
        except MailboxError as error:
            if isinstance(error, LoginRefused):
                self._troubles.note(LOGIN, str(error))
            log.warning("mailbox: %s; next try in %.0f s", error, self._pause)
        except OperationalError as error:
            self._troubles.note(LETTERS, f"database: {in_words(error)}")
            log.error("database: %s; next try in %.0f s", in_words(error), self._pause)
        except AlreadyRunning:
            raise
        except Exception as error:
            self._troubles.note(LETTERS, f"{type(error).__name__}: the log has the traceback")
            log.exception("unexpected error; next try in %.0f s", self._pause)

    def _known(self, addresses: Collection[str]) -> Collection[str]:
        with reading(self._engine) as session:
            return known_addresses(session, addresses)

    def _attend_mailbox(self) -> None:
        self._ingest.examine()
        self._work()
        box = self._settings.mailbox
        with Mailbox(box, known=self._known, withheld=self._withheld) if box.host else NoMailbox(box) as mailbox:
            if box.host:
                log.info("mailbox %s is open", box.host)
                self._troubles.note(LOGIN)
            while not self._stopping.is_set():
                self._wakeup.clear()
                self._reports.look_at_folders()
                self._collect(mailbox)
                if not self._work(mailbox):
                    self._set_alarm()
                    mailbox.wait(min(self._settings.sweep, box.poll), self._wakeup.socket)

    def _set_alarm(self) -> None:
        """Let the timer wake the main thread when the next phase or notice is due.

        The database decides what is due. The thread also asks the database every half minute, since someone may set the
        system's clock. An early alarm does no harm.
        """
        with reading(self._engine) as session:
            moment = next_alarm(session, self._now() - SETTLE)
        if moment:
            alarm, at = self._wakeup.set, moment + SETTLE
            self._scheduler.add_job(alarm, "date", run_date=at, id="next", replace_existing=True)

    def _rest(self, seconds: float) -> None:
        """Wait between two attempts to reach the mailbox, and answer letters that are handed in meanwhile."""
        until = time.monotonic() + seconds
        while not self._stopping.is_set() and (left := until - time.monotonic()) > 0:
            self._wakeup.clear()
            self._listen()
            if self._lmtp_server.has_letters:
                self._attempt(self._take_out)
                self._attempt(self._work)
            self._wakeup.wait(left)

    def _listen(self) -> None:
        box, now = self._lmtp_server, time.monotonic()
        if box.is_open or now < self._listens_at:
            return
        try:
            box.open()
        except LmtpServerError as error:
            self._listens_at = now + LISTEN_EVERY
            log.error("letterbox: %s; next try in %.0f s", error, LISTEN_EVERY)

    def _take_out(self) -> None:
        """Store the letters that were handed in, and confirm them to the mail server."""
        with self._lmtp_server.handed_in() as letters:
            if letters:
                new = self._ingest.keep(letters, self._now())
                log.info("letters handed in=%d new=%d", len(letters), len(new))

    def _collect(self, mailbox: Mailbox) -> None:
        """Store the letters in the mailbox, then file them away.

        After a crash in between, the same letters are fetched again and recognized.
        """
        began = self._now()
        self._listen()
        self._take_out()
        for batch in mailbox.new_letters():
            if self._stopping.is_set():
                return
            new = self._ingest.keep(batch, self._now())
            self._troubles.note(FILING, mailbox.file_away(batch))
            log.info("letters fetched=%d new=%d", len(batch), len(new))
        what = f"emails that the server lists but does not deliver: {self._withheld}"
        self._troubles.note(MAILBOX, what if self._withheld.lasting else "")
        self._note_sweep(began)
        # Record the check as a success only here. Otherwise, if nothing can be stored, the daemon would open the
        # mailbox every second.
        self._swept_at, self._pause = began, FIRST_PAUSE
        self._looked_at = time.monotonic()

    def _note_sweep(self, began: datetime) -> None:
        """Record from time to time, before anything due is processed, that the mailbox was checked.

        The last record shows, also after a restart, whether there was an outage.
        """
        if self._noted_at and abs(began - self._noted_at) < inbox.SWEEP_PRECISION:
            return
        with transaction(self._engine) as session:
            outage = inbox.note_sweep(session, began, timedelta(hours=self._settings.outage_limit))
            if not event_times.replays_until(session):
                # Delete nothing old before a replay, since the replayed letters may need it.
                self._handler.forget_unconfirmed(session, began)
                rate_limits.forget(Work(session, self._services, began))
                pictures.forget_sheets(session, began)
        empty_log(self._engine)
        self._noted_at = began
        if outage:
            log.warning("the mailbox was unreachable for %s; deadlines in that time are extended", outage)

    def _work(self, mailbox: Mailbox | None = None) -> bool:
        """Do the work in the queue, and check the mailbox in between.

        Returns whether there was any work.
        """
        worked = False
        while not self._stopping.is_set() and self._queue.next():
            worked = True
            self._worker.hurry()
            if mailbox and time.monotonic() > self._looked_at + LOOK_EVERY:
                self._collect(mailbox)
        self._notify_keeper()
        # Commands in the shell may also have written mails.
        self._worker.hurry()
        if not self._stopping.is_set():
            self._troubles.note(LETTERS)
        return worked

    def _notify_keeper(self) -> None:
        """Mail the keeper reports on the judge's health and on undelivered mails.

        If that fails, the work on games continues.
        """
        now = self._now()
        notify = [partial(self._reports.look, now, self._swept_at, self._lmtp_server.is_open)]
        notify += [partial(self._notify_if, is_to_tell, tell, now) for is_to_tell, tell in mail_trouble.REPORTS]
        for step in notify:
            try:
                step()
            except OperationalError:
                raise
            except Exception:
                log.exception("the keeper cannot be notified")

    def _notify_if(self, is_to_tell: Callable[[Work], object], tell: Callable[[Work], None], now: datetime) -> None:
        with reading(self._engine) as session:
            if not is_to_tell(Work(session, self._services, now)):
                return
        with transaction(self._engine) as session:
            tell(Work(session, self._services, now))

    def _swept_since(self, moment: datetime) -> bool:
        """Return whether the mailbox was checked after all letters of the second `moment` had arrived.

        A check that seems to be in the future was made before the system's clock was set back. After a start, wait a
        while for a mail server that hands letters in, since it retries those that failed.
        """
        if not self._lmtp_server.has_caught_up or self._swept_at is None:
            return False
        return moment + SETTLE <= self._swept_at <= self._now()
