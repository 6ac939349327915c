"""The work queue: the oldest letter or deadline first, one per transaction.

Deadlines of other games do not keep a letter waiting, however many have passed before it came. But its own games must
be as they are after the deadlines that it came too late for, so these are processed before it.
"""

import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.commands.handler import LetterHandler
from judge.commands.replies import tell_keeper, tell_set_aside
from judge.games.core.passwords import SlowWork
from judge.games.core.work import Services, Work
from judge.games.life import forming, lifecycle
from judge.games.people import rate_limits
from judge.service.ingest import LETTER_SECONDS, InFlight
from judge.store import inbox, sent_mails
from judge.store.engine import transaction
from judge.store.games import due_phases, next_waiting
from judge.store.locks import AlreadyRunning, DaemonLock, take_turn
from judge.store.people import person_at
from judge.store.rows import id_of
from judge.store.seats import seats_held
from judge.store.tables import Game, LetterRow, Pause, Phase
from judge.time_limit import TakesTooLong, time_limit

log = logging.getLogger(__name__)

# The most letters that wait for deadlines on hold while later letters are answered.
MOST_SET_ASIDE = 500
# The reasons why a letter is set aside, for the keeper.
TOO_LONG = "reading the email takes more processor time than one email is allowed"
UNREADABLE = "the email cannot be read within the time and memory that one email is allowed"


@dataclass
class _Task:
    """The subject of a transaction; `answered`: a letter was answered."""

    letter_id: int | None = None
    phase_id: int | None = None
    game_id: int | None = None
    pause_id: int | None = None
    answered: bool = False


@dataclass
class WorkQueue:
    """The work of one daemon; `done` counts it by kind.

    now: the time. swept_since: whether every letter that came until a moment is stored. gives_up: whether the daemon is
    to end at once, and not wait for its current work.
    """

    engine: Engine
    handler: LetterHandler
    services: Services
    daemon_lock: DaemonLock
    in_flight: InFlight
    now: Callable[[], datetime]
    swept_since: Callable[[datetime], bool]
    gives_up: Callable[[], bool]
    done: Counter[str] = field(default_factory=Counter)
    _letter_overtakes: bool = True
    # Letters about games whose deadlines wait for a look into the mailbox, while later letters are answered.
    _set_aside: set[int] = field(default_factory=set)

    def next(self) -> bool:
        """Do the next piece of work, in one transaction; return False if there is none, or it has to wait."""
        began, task = time.monotonic(), _Task()
        try:
            with transaction(self.engine) as session:
                take_turn(session)
                self.daemon_lock.confirm()
                done = self._decide(session, task)
        except SlowWork as slow:
            slow.do()
            return True
        except TakesTooLong:  # it is not tried again, since that would only delay other letters
            letter_id = task.letter_id or 0
            with transaction(self.engine) as session:
                inbox.failed(session, letter_id, TOO_LONG, for_good=True)
                self._tell_set_aside(Work(session, self.services, self.now()), letter_id, TOO_LONG)
            return True
        except (OperationalError, AlreadyRunning):
            raise
        except Exception:
            self._fail(task, traceback.format_exc())
            return True
        if task.answered:
            self.handler.forget(task.letter_id)
        if done:
            self.done["letters" if task.answered else "others"] += 1
            log.info("%s (%.1f ms)", done, 1000 * (time.monotonic() - began))
        return bool(done)

    def _decide(self, session: Session, task: _Task) -> str:
        """Do the next piece of work; return what was done, for the log, "" if nothing was."""
        now = self.now()
        phase = next((phase for _, phase in due_phases(session, now, 1)), None)
        rings_at = phase.rings_at if phase else None
        is_held = rings_at is not None and not self.swept_since(rings_at)
        if not is_held:
            self._set_aside.clear()
        while len(self._set_aside) < MOST_SET_ASIDE and (rows := inbox.in_turn(session, beside=self._set_aside)):
            row = rows[0]
            is_late = rings_at is not None and rings_at < row.received_at
            if is_late and not is_held and not self._letter_overtakes:
                break  # with many of both, letters and deadlines alternate
            if done := self._handle(session, task, row, now, is_late=is_late):
                return done
        if phase:
            return "" if is_held else self._process_phase(session, task, phase)
        if game := next_waiting(session, now):
            task.game_id = game.id
            return f"game={game.name} {forming.tell_waiting(Work(session, self.services, now), game)}"
        if pause := sent_mails.next_ended_pause(session, now):
            task.pause_id = pause.id
            return rate_limits.end(Work(session, self.services, now), pause)
        return ""

    def _handle(self, session: Session, task: _Task, row: LetterRow, now: datetime, *, is_late: bool) -> str:
        """Answer the letter, or process the first deadline of its games that it came too late for.

        Returns "" if that deadline has to wait; then the letter waits, too.
        """
        task.letter_id = id_of(row)
        self.in_flight.take([id_of(row)])
        with time_limit(LETTER_SECONDS, self.gives_up):
            own = self._deadline_of(session, row, now) if is_late else None
            if own is None:
                task.answered, self._letter_overtakes = True, not is_late
                return f"letter={row.id} {self.handler.handle(session, row, now)}"
        task.letter_id = None
        if own.rings_at and self.swept_since(own.rings_at):
            return self._process_phase(session, task, own)
        self._set_aside.add(id_of(row))
        return ""

    def _deadline_of(self, session: Session, row: LetterRow, now: datetime) -> Phase | None:
        """Return the phase that was due first, before the letter came, of the games that concern the letter.

        These are the games that it names or answers, and those of its sender.
        """
        in_hand = self.handler.in_hand(row)
        letter, due = in_hand.letter, due_phases(session, min(now, row.received_at))
        texts = [letter.subject, *(line.text for line in in_hand.lines), *in_hand.reader.names_in(in_hand.lines)]
        for earlier in inbox.letters(session, "held", sender=letter.sender):
            # A letter that waits for its sender's confirmation is carried out with the letter that confirms it.
            texts += [line.text for line in self.handler.read(earlier).lines]
        text = "\n".join(texts).lower()
        person = person_at(session, letter.sender)
        concerned = {seat.game_id for seat in seats_held(session, person)} if person else set()
        concerned |= {mail.game_id for mail in sent_mails.mails_named(session, letter.references) if mail.game_id}
        return next((phase for name, phase in due if phase.game_id in concerned or name in text), None)

    def _process_phase(self, session: Session, task: _Task, phase: Phase) -> str:
        task.phase_id, game = phase.id, session.get_one(Game, phase.game_id)
        with time_limit(gives_up=self.gives_up):
            done = lifecycle.run_due(Work(session, self.services, self.now()), game, phase)
        self._letter_overtakes = True
        return f"game={game.name} phase={phase.name} {done}"

    def _fail(self, task: _Task, error: str) -> None:
        """Record a failure, so that the daemon continues with other work.

        A letter that failed three times is set aside and its sender notified; a phase is put on hold; answers wait.
        """
        self.done["failed"] += 1
        log.error("%s failed:\n%s", task, error)
        with transaction(self.engine) as session:
            work = Work(session, self.services, self.now())
            if task.pause_id:
                rate_limits.wait_on(work, session.get_one(Pause, task.pause_id))
            elif task.game_id:
                forming.put_off_notice(work, session.get_one(Game, task.game_id))
            elif task.phase_id:
                lifecycle.hold(work, session.get_one(Phase, task.phase_id))
            elif task.letter_id and inbox.failed(session, task.letter_id, error) == inbox.MAX_ATTEMPTS:
                self._tell_set_aside(work, task.letter_id, error)

    def set_aside_unread(self, letter_id: int) -> None:
        """Set aside a letter that cannot be read within its limits, unread, even without its sender."""
        with transaction(self.engine) as session:
            inbox.failed(session, letter_id, UNREADABLE, for_good=True)
            work = Work(session, self.services, self.now())
            tell_keeper(work, session.get_one(LetterRow, letter_id), UNREADABLE)
        log.error("letter=%d is set aside unread", letter_id)

    def _tell_set_aside(self, work: Work, letter_id: int, error: str) -> None:
        row = work.session.get_one(LetterRow, letter_id)
        tell_set_aside(work, row, self.handler.readable(work.session, row), error)
        self.handler.forget(letter_id)
        log.error("letter=%d is set aside; judge replay %d tries it again", letter_id, letter_id)
