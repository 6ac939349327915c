"""The judge at work: one thread that reads letters and adjudicates, one that sends, an alarm clock.

Everything that changes a game happens in the main thread, in the order of real time: the letter that reached the server
first, the deadline that came first. When many games are due at once, letters are fetched and answered in between, if
they are about other games (judge/service/overtaking.py). A phase is adjudicated only after the mailbox has been looked
through after its deadline; as long as the mailbox cannot be reached, deadlines are held.
"""

import logging
import math
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from types import ModuleType

from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.desk.desk import Desk
from judge.desk.shunting import tell_keeper, tell_shunted
from judge.games.core.office import make_office
from judge.games.core.passwords import SlowWork
from judge.games.core.turn import Turn
from judge.games.life import forming_news, phases
from judge.games.people import allowance, bounces
from judge.games.telling import sending_limit, undelivered
from judge.letters.imap import Withheld
from judge.letters.lmtp_server import LmtpServer, LmtpServerError
from judge.letters.mailbox import Mailbox, MailboxError, NoMailbox
from judge.service.alarm_clock import SETTLE, Clock
from judge.service.bell import Bell
from judge.service.database_check import DatabaseCheck
from judge.service.intake import LETTER_SECONDS, Intake
from judge.service.janitor import Janitor
from judge.service.keeper_folders import Folders
from judge.service.metrics import Metrics
from judge.service.overtaking import phases_met
from judge.service.suspects import Suspects
from judge.service.troubles import LETTERS, MAILBOX, MAILS, TroubleFile, file_of
from judge.service.watchman import Watchman
from judge.service.worker import Worker
from judge.settings import Settings
from judge.store import answered, inbox, outages, pictures
from judge.store.engine import empty_log, in_words, migrate, open_engine, others_wait, reading, transaction
from judge.store.guard import Guard, guard_of
from judge.store.ids import id_of
from judge.store.lock import AlreadyRunning
from judge.store.lookups import alarms, game_of, known_addresses, next_due, next_waiting
from judge.store.tables import Game, LetterRow, Pause, Phase
from judge.store.turns import take_turn
from judge.time_limit import GivenUp, TakesTooLong, time_limit

log = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
# The most letters and deadlines in one transaction; other processes wait for its end.
MOST_TOGETHER = 16
# Seconds after which a transaction takes no more of them, and after which the mailbox is looked through again while
# there is much to do.
LONGEST_TOGETHER = 0.5
LOOK_EVERY = 1.0
# The most letters that wait for deadlines which are held, while later ones are answered.
MOST_SET_ASIDE = 500
# Seconds between two attempts to open the letterbox.
LISTEN_EVERY = 60.0
# Seconds of the clock that the letter or deadline in hand still has when the daemon is asked to stop.
GRACE = 3.0
# Why a letter is put aside, for the keeper.
TOO_LONG = "the letter takes more time of the processor than a letter may have"
UNREADABLE = "the letter cannot be read within the time and memory that a letter may have"


class Daemon:
    """`run` works until `stop`; one per process, home and database. Raises AlreadyRunning, StoreError, KeyUnusable.

    `guard`: of its database, if it was taken already.
    """

    def __init__(
        self, settings: Settings, now: Callable[[], datetime] = lambda: datetime.now(UTC), guard: Guard | None = None
    ):
        self._settings = settings
        self._now = now
        self._bell = Bell()
        self._stopping = threading.Event()
        self._leaves_at = math.inf
        self._engine = open_engine(settings.store_url)
        self._guard = guard or guard_of(self._engine)
        if guard is None:
            self._guard.take()
        migrate(self._engine)
        self._office = make_office(settings)
        self._desk = Desk(self._office)
        self._folders = Folders(settings)
        self._clock = Clock(self._bell.ring, settings.sweep)
        self._suspects = Suspects(settings.home)
        self._intake = Intake(self._engine, self._suspects, self._desk.take, self._put_aside_unread, self._gives_up)
        self._withheld = Withheld()
        self._letterbox: LmtpServer | None = None
        if settings.intake.protocol != "none":
            self._letterbox = LmtpServer(
                settings.intake, settings.address, settings.mailbox.max_size, self._bell.ring, now
            )
        self._troubles = TroubleFile(file_of(settings), now)
        self._worker = Worker(self._engine, settings, now, "daemon", self._troubles)
        self._janitor = Janitor(self._engine, settings, now, self._guard, self._troubles)
        self._check = DatabaseCheck(self._engine, self._troubles)
        self._done: Counter[str] = Counter()
        self._metrics = Metrics(self._engine, settings.watch, {"turns": self._done, "mails": self._worker.done})
        self._watchman = Watchman(self._engine, self._office, now(), self._troubles)
        self._swept_at: datetime | None = None
        self._noted_at: datetime | None = None
        self._looked_at = self._listens_at = -math.inf
        self._together = MOST_TOGETHER
        self._letters_first = True
        self._patient: int | None = None
        # Letters about games whose deadlines are held: as long as these are, other letters go before them.
        self._set_aside: set[int] = set()
        self._pause = FIRST_PAUSE

    def run(self) -> None:
        """Work until `stop` is called; raises AlreadyRunning when another daemon has taken the database."""
        log.info("judge %s starts as %s", self._settings.code, self._settings.address)
        self._folders.look()
        self._clock.start()
        if not self._settings.smtp.courier:
            self._troubles.over(MAILS)
        self._worker.start()
        self._check.start()
        self._janitor.start()
        self._metrics.start()
        try:
            self._attend()
        finally:
            if self._letterbox:
                self._letterbox.close()
            self._clock.stop()
            self._metrics.stop()
            self._janitor.stop()
            self._check.stop()
            self._worker.stop()
            self._empty_log()
            self._guard.release()
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
        box = self._settings.mailbox
        while not self._stopping.is_set():
            try:
                self._intake.examine()
                self._work()
                with self._open_mailbox() as mailbox:
                    if box.host:
                        log.info("mailbox %s is open", box.host)
                    self._attend_mailbox(mailbox)
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
            self._rest(self._pause)
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    def _open_mailbox(self) -> Mailbox:
        box = self._settings.mailbox
        return Mailbox(box, known=self._known, withheld=self._withheld) if box.host else NoMailbox(box)

    def _known(self, addresses: Collection[str]) -> Collection[str]:
        with reading(self._engine) as session:
            return known_addresses(session, addresses)

    def _attend_mailbox(self, mailbox: Mailbox) -> None:
        while not self._stopping.is_set():
            self._bell.silence()
            self._folders.look()
            self._collect(mailbox)
            if not self._work(mailbox):
                mailbox.wait(self._settings.mailbox.poll, self._bell.ear)

    def _rest(self, seconds: float) -> None:
        """Wait between two attempts to reach the mailbox; only a stop ends the wait early. Letters that are handed in
        meanwhile are answered.
        """
        until = time.monotonic() + seconds
        while not self._stopping.is_set() and (left := until - time.monotonic()) > 0:
            self._bell.silence()
            self._listen()
            if self._letterbox and self._letterbox.has_letters:
                self._answer_meanwhile()
            self._bell.wait(left)

    def _answer_meanwhile(self) -> None:
        try:
            self._take_out()
            self._work()
        except OperationalError as error:
            self._troubles.met(LETTERS, f"database: {in_words(error)}")
            log.error("database: %s", in_words(error))
        except GivenUp:
            log.info("what is in hand takes long; it is given up until the next start")
        except AlreadyRunning:
            raise
        except Exception as error:
            self._troubles.met(LETTERS, f"{type(error).__name__}: the log has the traceback")
            log.exception("something that should not happen")

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
                new = self._intake.keep(letters, self._now())
                log.info("letters handed in=%d new=%d", len(letters), len(new))

    def _collect(self, mailbox: Mailbox) -> None:
        """Store what has arrived, then file it away: after a crash in between it is found again and recognised."""
        began = self._now()
        self._listen()
        self._take_out()
        for batch in mailbox.new_letters():
            if self._stopping.is_set():
                return
            new = self._intake.keep(batch, self._now())
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
        if self._noted_at and abs(began - self._noted_at) < outages.PRECISION:
            return
        with transaction(self._engine) as session:
            outage = outages.look(session, began, timedelta(hours=self._settings.outage_limit))
            self._desk.forget_unconfirmed(session, began)
            allowance.forget(Turn(session, self._office, began))
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
        while not self._stopping.is_set() and self._next():
            worked = True
            self._worker.hurry()
            if mailbox and time.monotonic() > self._looked_at + LOOK_EVERY:
                self._collect(mailbox)
        self._tell_keeper()
        # The keeper may have written mails from the shell.
        self._worker.hurry()
        with reading(self._engine) as session:
            self._clock.follow(alarms(session))
        if not self._stopping.is_set():
            self._troubles.over(LETTERS)
        return worked

    def _tell_keeper(self) -> None:
        """Tell the keeper how the judge is, and of mails that were given up, that come back, or that wait for the
        provider's limit; games do not wait for that.
        """
        now = self._now()
        listens = self._letterbox is None or self._letterbox.is_open
        self._or_log(
            lambda: self._watchman.look(now, self._folders.found, self._swept_at, listens), "how the judge is"
        )
        for what in (undelivered, bounces, sending_limit):
            self._or_log(partial(self._tell_of, what, now), "mails that are not delivered")

    def _tell_of(self, what: ModuleType, now: datetime) -> None:
        with reading(self._engine) as session:
            if not what.is_to_tell(Turn(session, self._office, now)):
                return
        with transaction(self._engine) as session:
            what.tell(Turn(session, self._office, now))

    def _or_log(self, tell: Callable[[], None], what: str) -> None:
        try:
            tell()
        except OperationalError:
            raise
        except Exception:
            log.exception("the keeper cannot be told of: %s", what)

    def _next(self) -> bool:
        """The earliest letters and deadlines, in one transaction; False when there are none, or they have to wait.

        Letters and deadlines that wait together are committed together, since a commit takes a third of a letter's
        time. If something fails, the transaction is rolled back; then its letters and deadlines are taken one by one,
        then two by two, and so on.
        """
        began = time.monotonic()
        batch = _Batch(letters_first=self._letters_first, ends_at=began + LONGEST_TOGETHER)
        try:
            with transaction(self._engine) as session:
                take_turn(session)
                self._guard.confirm()
                if self._set_aside and not self._is_held(next_due(session, self._now())):
                    self._set_aside.clear()
                batch.letters = deque(inbox.in_turn(session, self._together, beside=self._set_aside))
                self._suspects.take(row.id for row in batch.letters if row.id)
                while len(batch.done) < self._together and not self._should_end(batch) and self._one(session, batch):
                    session.flush()
                    session.expunge_all()  # as if each had a session of its own
        except SlowWork as work:
            self._together = 1
            work.do()
            return True
        except TakesTooLong:
            if self._together == 1 and batch.letter_id:
                self._put_aside(batch.letter_id)
            self._together = 1
            return True
        except (OperationalError, AlreadyRunning):
            raise
        except Exception:
            if self._together == 1:
                self._fail(batch, traceback.format_exc())
            self._together = 1
            return True
        finally:
            self._suspects.put_down()
        self._desk.forget(batch.letter_ids)
        self._together = min(2 * self._together, MOST_TOGETHER)
        # If there is much of both, letters and deadlines take turns.
        self._letters_first = not self._letters_first
        self._done.update(letters=len(batch.letter_ids), others=len(batch.done) - len(batch.letter_ids))
        for done in batch.done:
            log.info("%s (%.1f ms)", done, 1000 * (time.monotonic() - began) / len(batch.done))
        return bool(batch.done) or batch.set_aside

    def _should_end(self, batch: "_Batch") -> bool:
        """Whether the transaction should end here, since the worker may be waiting to record what it has sent, or
        letters to be fetched.
        """
        is_long = others_wait(self._engine) or time.monotonic() > batch.ends_at
        return self._stopping.is_set() or bool(batch.done) and is_long

    def _one(self, session: Session, batch: "_Batch") -> bool:
        """Handle the earliest letter or deadline; without either, a notice of a forming game, or answers that have
        waited long enough. Returns whether there was one.
        """
        now = self._now()
        batch.letter_id = batch.phase_id = batch.game_id = batch.pause_id = None
        row, phase = batch.letters[0] if batch.letters else None, next_due(session, now)
        rings_at = phase.rings_at if phase else None
        is_earlier = rings_at is not None and (row is None or row.received_at > rings_at)
        is_held = self._is_held(phase)
        if row and is_earlier and (is_held or (batch.letters_first and self._patient != row.id)):
            return self._overtake(session, batch, row, now, is_held=is_held)
        if phase and rings_at and is_earlier:
            return self._ring_due(session, batch, phase, rings_at)
        if row:
            self._attend_letter(session, batch, row, now)
        elif game := next_waiting(session, now):
            batch.game_id = game.id
            batch.done.append(f"game={game.name} {forming_news.ring(Turn(session, self._office, now), game)}")
        elif pause := answered.next_ended(session, now):
            batch.pause_id = pause.id
            batch.done.append(allowance.end(Turn(session, self._office, now), pause))
        else:
            return False
        return True

    def _ring_due(self, session: Session, batch: "_Batch", phase: Phase, rings_at: datetime) -> bool:
        """Do what is due for the phase; False if the mailbox has to be looked through before."""
        if not self._swept_since(rings_at):
            return False
        batch.phase_id = phase.id
        with time_limit(gives_up=self._gives_up):
            batch.done.append(self._ring(session, phase))
        return True

    def _attend_letter(self, session: Session, batch: "_Batch", row: LetterRow, now: datetime) -> None:
        batch.letter_id = row.id
        with time_limit(LETTER_SECONDS, self._gives_up):
            verdict = self._desk.attend(session, row, now)
        batch.letters.popleft()
        batch.done.append(f"letter={row.id} {verdict}")
        batch.letter_ids.append(row.id)

    def _overtake(
        self, session: Session, batch: "_Batch", row: LetterRow, now: datetime, *, is_held: bool
    ) -> bool:
        """Handle a letter before deadlines that came before it. If it turns out to be about games that are due, all
        that it did is undone, and these come first; if there are many of them, it waits for its turn, and if they are
        held, it is set aside. False if the mailbox has to be looked through before.
        """
        done, letter_ids = len(batch.done), len(batch.letter_ids)
        with phases_met(session, row.received_at, now) as met, session.begin_nested() as undoable:
            self._attend_letter(session, batch, row, now)
            session.flush()
            if met:
                undoable.rollback()
        session.expunge_all()
        if not met:
            return True
        del batch.done[done:], batch.letter_ids[letter_ids:]
        if is_held:
            if len(self._set_aside) >= MOST_SET_ASIDE:
                return False
            self._set_aside.add(id_of(row))
            batch.set_aside = True
            return True
        batch.letters.appendleft(row)
        if len(met) > MOST_TOGETHER:
            self._patient = row.id
            return True
        for phase in filter(None, (session.get(Phase, number) for number in met)):
            if not phase.rings_at or not self._ring_due(session, batch, phase, phase.rings_at):
                return False
            session.flush()
        return True

    def _swept_since(self, moment: datetime) -> bool:
        """Whether the mailbox was looked through after every letter of that second had arrived.

        A look in the future was before the system's clock was set back, and says nothing. What was handed in while the
        judge was down comes a while after it is up again.
        """
        if self._letterbox and not self._letterbox.has_caught_up:
            return False
        return self._swept_at is not None and moment + SETTLE <= self._swept_at <= self._now()

    def _is_held(self, phase: Phase | None) -> bool:
        """Whether letters that came in time for it may still be missing."""
        return phase is not None and phase.rings_at is not None and not self._swept_since(phase.rings_at)

    def _ring(self, session: Session, phase: Phase) -> str:
        game = game_of(session, phase)
        done = phases.ring(Turn(session, self._office, self._now()), game, phase)
        return f"game={game.name} phase={phase.name} {done}"

    def _fail(self, batch: "_Batch", error: str) -> None:
        """A letter that failed three times is put aside and its sender is told; a phase that failed is held; answers
        that failed wait on. The daemon goes on.
        """
        letter_id, phase_id, game_id, pause_id = batch.letter_id, batch.phase_id, batch.game_id, batch.pause_id
        self._done["failed"] += 1
        log.error("letter=%s phase=%s game=%s pause=%s failed:\n%s", letter_id, phase_id, game_id, pause_id, error)
        with transaction(self._engine) as session:
            turn = Turn(session, self._office, self._now())
            if pause_id:
                allowance.wait_on(turn, session.get_one(Pause, pause_id))
            elif game_id:
                forming_news.put_off(turn, session.get_one(Game, game_id))
            elif phase_id:
                phases.hold(turn, session.get_one(Phase, phase_id))
            elif letter_id and inbox.failed(session, letter_id, error) == inbox.MAX_ATTEMPTS:
                self._tell_put_aside(turn, letter_id, error)

    def _put_aside(self, letter_id: int) -> None:
        """A letter that takes too long is not tried again, since that would only delay the others."""
        with transaction(self._engine) as session:
            inbox.failed(session, letter_id, TOO_LONG, for_good=True)
            self._tell_put_aside(Turn(session, self._office, self._now()), letter_id, TOO_LONG)

    def _put_aside_unread(self, letter_id: int) -> None:
        """A letter that cannot be read within its limits is not opened, not even to find its sender."""
        with transaction(self._engine) as session:
            inbox.failed(session, letter_id, UNREADABLE, for_good=True)
            tell_keeper(Turn(session, self._office, self._now()), session.get_one(LetterRow, letter_id), UNREADABLE)
        log.error("letter=%d is put aside unread", letter_id)

    def _tell_put_aside(self, turn: Turn, letter_id: int, error: str) -> None:
        tell_shunted(turn, self._desk, turn.session.get_one(LetterRow, letter_id), error)
        self._desk.forget([letter_id])
        log.error("letter=%d is put aside; judge replay %d tries it again", letter_id, letter_id)


@dataclass
class _Batch:
    """The state of one transaction: whether a letter was set aside, its log lines, its letters, the letters still to be
    read, and what it is working on.
    """

    letters_first: bool
    ends_at: float
    set_aside: bool = False
    done: list[str] = field(default_factory=list)
    letter_ids: list[int | None] = field(default_factory=list)
    letters: deque[LetterRow] = field(default_factory=deque)
    letter_id: int | None = None
    phase_id: int | None = None
    game_id: int | None = None
    pause_id: int | None = None
