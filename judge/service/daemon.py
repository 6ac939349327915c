"""The judge at work: one thread that reads letters and adjudicates, one that sends, an alarm clock.

Everything that changes a game happens in the main thread, in the order in which it happened outside: the
letter that reached the server first, the deadline that fell first. A phase is adjudicated only when the mailbox
has been looked through after its deadline; as long as the mailbox is out of reach, deadlines are held.
"""

import logging
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.desk.desk import Desk
from judge.desk.shunting import tell_shunted
from judge.games.core.office import make_office
from judge.games.core.passwords import SlowWork
from judge.games.life import forming_news, phases
from judge.games.telling import undelivered
from judge.letters import fingerprint
from judge.letters.mailbox import Mailbox, MailboxError
from judge.service.alarm_clock import SETTLE, Clock
from judge.service.bell import Bell
from judge.service.courier import Courier
from judge.service.keeper_folders import Folders
from judge.settings import Settings
from judge.store import inbox, outages
from judge.store.engine import migrate, open_engine, others_wait, reading, transaction
from judge.store.guard import guard_of
from judge.store.lock import AlreadyRunning
from judge.store.lookups import alarms, next_due, next_waiting
from judge.store.tables import Game, LetterRow, Phase
from judge.store.turns import take_turn

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
# Letters and deadlines in one transaction; other processes wait for its end.
MOST_TOGETHER = 16


class Daemon:
    """`run` works until `stop`; one per process, home and database. Raises AlreadyRunning, StoreError, KeyUnusable."""

    def __init__(self, settings: Settings, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._settings = settings
        self._now = now
        self._bell = Bell()
        self._stopping = threading.Event()
        self._engine = open_engine(settings.store_url)
        self._guard = guard_of(self._engine)
        self._guard.take()
        migrate(self._engine)
        self._office = make_office(settings)
        self._desk = Desk(self._office)
        self._folders = Folders(settings)
        self._clock = Clock(self._bell.ring, settings.sweep)
        self._courier = Courier(self._engine, settings, now, self._guard)
        self._swept_at: datetime | None = None
        self._noted_at: datetime | None = None
        self._together = MOST_TOGETHER
        self._pause = FIRST_PAUSE

    def run(self) -> None:
        """Work until `stop` is called; raises AlreadyRunning when another daemon has taken the database."""
        log.info("judge %s starts as %s", self._settings.code, self._settings.address)
        self._folders.look()
        self._clock.start()
        self._courier.start()
        try:
            self._attend()
        finally:
            self._clock.stop()
            self._courier.stop()
            self._guard.release()
            self._engine.dispose()
        log.info("judge %s has stopped", self._settings.code)

    def stop(self) -> None:
        """Finish what is being done and leave `run`; safe in a signal handler."""
        self._stopping.set()
        self._bell.ring()

    def _attend(self) -> None:
        """Read letters and decide, whatever is out of reach meanwhile."""
        while not self._stopping.is_set():
            try:
                self._work()
                with Mailbox.of(self._settings.mailbox) as mailbox:
                    log.info("mailbox %s is open", self._settings.mailbox.host)
                    self._attend_mailbox(mailbox)
            except MailboxError as error:
                log.warning("mailbox: %s; next try in %.0f s", error, self._pause)
            except OperationalError as error:
                log.error("database: %s; next try in %.0f s", error.orig, self._pause)
            except AlreadyRunning:
                raise
            except Exception:
                log.exception("something that should not happen; next try in %.0f s", self._pause)
            self._rest(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _attend_mailbox(self, mailbox: Mailbox) -> None:
        while not self._stopping.is_set():
            self._bell.silence()
            self._folders.look()
            self._collect(mailbox)
            if not self._work():
                mailbox.wait(self._settings.mailbox.poll, self._bell.ear)

    def _rest(self, seconds: float) -> None:
        """Wait between two tries to reach the mailbox; only a stop ends the wait early."""
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
        self._note_sweep(began)
        # Only now is all well: where nothing can be stored, the mailbox is not opened every second.
        self._swept_at, self._pause = began, FIRST_PAUSE

    def _note_sweep(self, began: datetime) -> None:
        """Note now and then that all is well, before anything that is due is decided upon.

        What the database says of the last time is how an outage is known, also after a restart.
        """
        if self._noted_at and abs(began - self._noted_at) < outages.PRECISION:
            return
        with transaction(self._engine) as session:
            outage = outages.look(session, began, timedelta(hours=self._settings.outage_limit))
            self._desk.forget_unconfirmed(session, began)
        self._noted_at = began
        if outage:
            log.warning("the mailbox was out of reach for %s; deadlines that fell into it are extended", outage)

    def _work(self) -> bool:
        """Handle letters and deadlines in the order of their times; whether there was anything to do."""
        worked = False
        while not self._stopping.is_set() and self._next():
            worked = True
            self._courier.hurry()
        self._tell_keeper()
        # The keeper may have written mails from the shell.
        self._courier.hurry()
        with reading(self._engine) as session:
            self._clock.follow(alarms(session))
        return worked

    def _tell_keeper(self) -> None:
        """Tell the keeper of mails that were given up, now and then; games do not wait for that."""
        now = self._now()
        try:
            with reading(self._engine) as session:
                if not undelivered.is_to_tell(session, self._office, now):
                    return
            with transaction(self._engine) as session:
                undelivered.tell(session, self._office, now)
        except OperationalError:
            raise
        except Exception:
            log.exception("the keeper cannot be told of mails that were given up")

    def _next(self) -> bool:
        """The earliest letters and deadlines, in one transaction; False when there are none, or they have to wait.

        What waits together is committed together, since a commit costs a third of a letter's time. A transaction in
        which something fails is given up, and what it held is taken one by one, then two by two, and so on.
        """
        began = time.monotonic()
        turn = _Turn()
        try:
            with transaction(self._engine) as session:
                take_turn(session)
                self._guard.confirm()
                turn.letters = deque(inbox.in_turn(session, self._together))
                while len(turn.done) < self._together and not self._should_end(turn) and self._one(session, turn):
                    session.flush()
                    session.expunge_all()  # as if each had a session of its own
        except SlowWork as work:
            self._together = 1
            work.do()
            return True
        except (OperationalError, AlreadyRunning):
            raise
        except Exception:
            if self._together == 1:
                self._fail(turn, traceback.format_exc())
            self._together = 1
            return True
        self._office.passwords.forget_hashed(turn.letter_ids)
        self._together = min(2 * self._together, MOST_TOGETHER)
        for done in turn.done:
            log.info("%s (%.1f ms)", done, 1000 * (time.monotonic() - began) / len(turn.done))
        return bool(turn.done)

    def _should_end(self, turn: "_Turn") -> bool:
        """Whether the transaction ends here: the courier may wait for that, to note what it has sent."""
        return self._stopping.is_set() or bool(turn.done) and others_wait(self._engine)

    def _one(self, session: Session, turn: "_Turn") -> bool:
        """Handle the earliest letter or deadline; without either, a notice of a forming game. Whether there was one."""
        now = self._now()
        turn.letter_id = turn.phase_id = turn.game_id = None
        row, phase = turn.letters[0] if turn.letters else None, next_due(session, now)
        rings_at = phase.rings_at if phase else None
        if phase and rings_at and (row is None or row.received_at > rings_at):
            if not self._swept_since(rings_at):
                return False
            turn.phase_id = phase.id
            turn.done.append(self._ring(session, phase))
        elif row:
            turn.letter_id = turn.letters.popleft().id
            turn.done.append(f"letter={row.id} {self._desk.attend(session, row, now)}")
            turn.letter_ids.append(turn.letter_id)
        elif game := next_waiting(session, now):
            turn.game_id = game.id
            turn.done.append(f"game={game.name} {forming_news.ring(session, self._office, game, now)}")
        else:
            return False
        return True

    def _swept_since(self, moment: datetime) -> bool:
        """Whether the mailbox was looked through when every letter of that second had arrived."""
        return self._swept_at is not None and self._swept_at >= moment + SETTLE

    def _ring(self, session: Session, phase: Phase) -> str:
        game = session.get_one(Game, phase.game_id)
        done = phases.ring(session, self._office, game, phase, self._now())
        return f"game={game.name} phase={phase.name} {done}"

    def _fail(self, turn: "_Turn", error: str) -> None:
        """A letter that failed three times is put aside and its sender told; a phase is held. Nothing stops."""
        letter_id, phase_id, game_id = turn.letter_id, turn.phase_id, turn.game_id
        log.error("letter=%s phase=%s game=%s failed:\n%s", letter_id, phase_id, game_id, error)
        with transaction(self._engine) as session:
            if game_id:
                forming_news.put_off(session, session.get_one(Game, game_id), self._now())
            elif phase_id:
                phases.hold(session, self._office, session.get_one(Phase, phase_id), self._now())
            elif letter_id and inbox.failed(session, letter_id, error) == inbox.MAX_ATTEMPTS:
                row = session.get_one(LetterRow, letter_id)
                tell_shunted(session, self._office, self._desk, row, error, self._now())
                log.error("letter=%d is put aside; judge replay %d tries it again", letter_id, letter_id)


@dataclass
class _Turn:
    """What one transaction has done, line by line, with which letters, those it has still to read, what it is at."""

    done: list[str] = field(default_factory=list)
    letter_ids: list[int | None] = field(default_factory=list)
    letters: deque[LetterRow] = field(default_factory=deque)
    letter_id: int | None = None
    phase_id: int | None = None
    game_id: int | None = None
