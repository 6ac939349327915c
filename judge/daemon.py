"""The judge at work: one thread that reads letters and adjudicates, one that sends, an alarm clock.

Everything that changes a game happens in the main thread, in the order in which it happened outside: the
letter that reached the server first, the deadline that fell first. A phase is adjudicated only when the mailbox
has been looked through after its deadline; as long as the mailbox is out of reach, deadlines are held.
"""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy.exc import OperationalError

from judge.bell import Bell
from judge.clock import SETTLE, Clock
from judge.courier import Courier
from judge.desk.desk import Desk
from judge.desk.shunting import tell_shunted
from judge.games import phases
from judge.games.office import make_office
from judge.games.passwords import SlowWork
from judge.letters import Letter, fingerprint
from judge.letters.mailbox import Mailbox, MailboxError
from judge.settings import Settings
from judge.store import inbox
from judge.store.engine import migrate, open_engine, reading, transaction
from judge.store.lookups import next_due, open_phases
from judge.store.tables import Game, LetterRow, Phase

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0


class Daemon:
    """`run` works until `stop`; one per process and home."""

    def __init__(self, settings: Settings, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._settings = settings
        self._now = now
        self._bell = Bell()
        self._stopping = threading.Event()
        self._engine = open_engine(settings.store_url)
        migrate(self._engine)
        self._office = make_office(settings)
        self._desk = Desk(self._office)
        self._clock = Clock(self._bell.ring, settings.sweep)
        self._courier = Courier(self._engine, settings, now)
        self._swept_at: datetime | None = None

    def run(self) -> None:
        """Work until `stop` is called."""
        log.info("judge %s starts as %s", self._settings.code, self._settings.address)
        self._clock.start()
        self._courier.start()
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            try:
                self._work()
                with self._mailbox() as mailbox:
                    log.info("mailbox %s is open", self._settings.mailbox.host)
                    pause = FIRST_PAUSE
                    self._attend_mailbox(mailbox)
            except MailboxError as error:
                log.warning("mailbox: %s; next try in %.0f s", error, pause)
            except OperationalError as error:
                log.error("database: %s; next try in %.0f s", error.orig, pause)
            except Exception:
                log.exception("something that should not happen; next try in %.0f s", pause)
            self._rest(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        self._clock.stop()
        self._courier.stop()
        self._engine.dispose()
        log.info("judge %s has stopped", self._settings.code)

    def stop(self) -> None:
        """Finish what is being done and leave `run`; safe in a signal handler."""
        self._stopping.set()
        self._bell.ring()

    def _mailbox(self) -> Mailbox:
        box = self._settings.mailbox
        return Mailbox(
            host=box.host,
            port=box.port,
            security=box.security,
            user=box.user,
            password=box.password,
            folder=box.folder,
            processed=box.processed,
            ca_file=box.ca_file or None,
            max_size=box.max_size,
            timeout=box.timeout,
        )

    def _attend_mailbox(self, mailbox: Mailbox) -> None:
        while not self._stopping.is_set():
            self._bell.silence()
            self._collect(mailbox)
            if not self._work():
                mailbox.wait(self._settings.mailbox.poll, self._bell.ear)

    def _rest(self, seconds: float) -> None:
        """Between two tries to reach the mailbox; the bell only matters when it means to stop."""
        until = time.monotonic() + seconds
        while not self._stopping.is_set() and (left := until - time.monotonic()) > 0:
            self._bell.silence()
            self._bell.wait(left)

    def _collect(self, mailbox: Mailbox) -> None:
        """Store what has arrived, then file it away: a crash in between means it is met again and known."""
        began = self._now()
        for batch in mailbox.new_letters():
            with transaction(self._engine) as session:
                new = inbox.keep(session, batch, fingerprint, now=self._now())
            mailbox.file_away(batch)
            log.info("letters fetched=%d new=%d", len(batch), len(new))
        self._swept_at = began

    def _work(self) -> bool:
        """Handle letters and deadlines in the order of their times; whether there was anything to do."""
        worked = False
        while not self._stopping.is_set():
            with reading(self._engine) as session:
                letter, phase = inbox.oldest_new(session), next_due(session, self._now())
            if phase and phase.due_at and (letter is None or letter.received_at > phase.due_at):
                if not self._swept_since(phase.due_at):
                    break
                self._process(phase)
            elif letter:
                self._attend(letter)
            else:
                break
            worked = True
        with reading(self._engine) as session:
            self._clock.follow(open_phases(session))
        return worked

    def _swept_since(self, moment: datetime) -> bool:
        """Whether the mailbox was looked through when every letter of that second had arrived."""
        return self._swept_at is not None and self._swept_at >= moment + SETTLE

    def _attend(self, waiting: LetterRow) -> None:
        """One letter, one transaction; a letter that fails three times is put aside and its sender told."""
        began = time.monotonic()
        try:
            letter = self._desk.read(waiting)
            verdict = self._carry_out(waiting, letter)
            took = 1000 * (time.monotonic() - began)
            log.info("letter=%d from=%s ms=%.1f: %s", waiting.id, letter.sender or "?", took, verdict)
        except OperationalError:
            raise
        except Exception:
            self._fail(waiting, traceback.format_exc())
        self._courier.hurry()

    def _carry_out(self, waiting: LetterRow, letter: Letter) -> str:
        """The letter's transaction; begun again when a password had to be hashed for it, each time for one more."""
        while True:
            try:
                with transaction(self._engine) as session:
                    return self._desk.attend(session, session.merge(waiting, load=False), letter, self._now())
            except SlowWork as work:
                work.do()

    def _fail(self, waiting: LetterRow, error: str) -> None:
        log.error("letter=%d failed:\n%s", waiting.id, error)
        with transaction(self._engine) as session:
            attempts = inbox.failed(session, waiting.id or 0, error)
            if attempts == inbox.MAX_ATTEMPTS:
                tell_shunted(session, self._office, self._desk, waiting, error, self._now())
                log.error("letter=%d is put aside; judge replay %d tries it again", waiting.id, waiting.id)

    def _process(self, due: Phase) -> None:
        """One deadline, one transaction; a phase that cannot be adjudicated is held, and the keeper told."""
        began = time.monotonic()
        try:
            with transaction(self._engine) as session:
                phase = session.merge(due, load=False)
                game = session.get_one(Game, phase.game_id)
                done = phases.process_due(session, self._office, game, phase, self._now())
        except OperationalError:
            raise
        except Exception:
            log.exception("phase=%d %s cannot be processed and is held", due.id, due.name)
            with transaction(self._engine) as session:
                phases.hold(session, self._office, session.get_one(Phase, due.id), self._now())
        else:
            took = 1000 * (time.monotonic() - began)
            what = "processed at its deadline" if done else "was no longer due"
            log.info("game=%s phase=%s ms=%.1f: %s", game.name, due.name, took, what)
        self._courier.hurry()
