"""The work queue: the oldest letter or deadline first, one per transaction.

Work over which three daemons in a row have crashed is given up until one was stopped and started, so that it does not
block all other work: a letter is put aside, a phase is on hold.

Deadlines of other games do not keep a letter waiting, however many have passed before it came. But its own games must
be as they are after the deadlines that it came too late for, so these are processed before it.
"""

import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

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
from judge.store.games import due_before, games_concerned, next_due, next_waiting
from judge.store.locks import AlreadyRunning, DaemonLock, take_turn
from judge.store.rows import id_of
from judge.store.tables import Game, LetterRow, Pause, Phase
from judge.time_limit import TakesTooLong, time_limit

log = logging.getLogger(__name__)

# The most letters that wait for deadlines on hold while later letters are answered.
MOST_SET_ASIDE = 500
# The reasons why a letter is set aside, for the keeper.
TOO_LONG = "reading the email takes more processor time than one email is allowed"
UNREADABLE = "the email cannot be read within the time and memory that one email is allowed"
DEADLY = "the judge crashed each time it worked on this"


class EndsDaemons(Exception):
    """Work is given up, because so many daemons in a row have ended over it; `times`: how many."""

    def __init__(self, times: int):
        """Keep how many."""
        super().__init__(DEADLY)
        self.times = times


@dataclass
class _Task:
    """The subject of a transaction: the id of a letter, phase, game or pause; `answered`: a letter was answered."""

    kind: Literal["", "letter", "phase", "game", "pause"] = ""
    number: int = 0
    answered: bool = False


@dataclass(frozen=True)
class Outside:
    """Questions to the daemon.

    now: the time. swept_since: whether every letter that came until a moment is stored. gives_up: whether the daemon is
    to end at once, and not wait for its current work.
    """

    now: Callable[[], datetime]
    swept_since: Callable[[datetime], bool]
    gives_up: Callable[[], bool]


class WorkQueue:
    """The work of one daemon; `done` counts it by kind."""

    def __init__(
        self,
        engine: Engine,
        handler: LetterHandler,
        services: Services,
        daemon_lock: DaemonLock,
        in_flight: InFlight,
        daemon: Outside,
    ):
        """Keep what the work needs."""
        self._engine = engine
        self._handler = handler
        self._services = services
        self._daemon_lock = daemon_lock
        self._in_flight = in_flight
        self._daemon = daemon
        self.done: Counter[str] = Counter()
        self._letter_overtakes = True
        # Letters about games whose deadlines wait for a look into the mailbox, while later letters are answered.
        self._set_aside: set[int] = set()

    def next(self) -> bool:
        """Do the next piece of work, in one transaction; return False if there is none, or it has to wait."""
        began, task = time.monotonic(), _Task()
        try:
            with transaction(self._engine) as session:
                take_turn(session)
                self._daemon_lock.confirm()
                done = self._decide(session, task)
        except SlowWork as slow:
            slow.do()
            return True
        except TakesTooLong:
            self._fail(task, TOO_LONG, for_good=True)
            return True
        except EndsDaemons as error:
            if task.kind == "letter" and error.times > inbox.MAX_ATTEMPTS:  # so does the mail to its sender
                self.put_aside_unread(task.number)
            else:
                self._fail(task, DEADLY, for_good=True)
            return True
        except (OperationalError, AlreadyRunning):
            raise
        except Exception:
            self._fail(task, traceback.format_exc())
            return True
        finally:
            if not self._daemon.gives_up():
                self._in_flight.put_down()
        if task.answered:
            self._handler.forget([task.number])
        if done:
            self.done["letters" if task.answered else "others"] += 1
            log.info("%s (%.1f ms)", done, 1000 * (time.monotonic() - began))
        return bool(done)

    def _take(self, task: _Task, kind: Literal["letter", "phase", "game", "pause"], number: int) -> None:
        """Begin a piece of work; raise EndsDaemons if daemons have ended over it again and again."""
        task.kind, task.number = kind, number
        times = self._in_flight.take(kind, number)
        if times >= inbox.MAX_ATTEMPTS:
            raise EndsDaemons(times)

    def _decide(self, session: Session, task: _Task) -> str:
        """Do the next piece of work; return what was done, for the log, "" if nothing was."""
        now = self._daemon.now()
        phase = next_due(session, now)
        rings_at = phase.rings_at if phase else None
        is_held = rings_at is not None and not self._daemon.swept_since(rings_at)
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
            self._take(task, "game", id_of(game))
            return f"game={game.name} {forming.tell_waiting(Work(session, self._services, now), game)}"
        if pause := sent_mails.next_ended_pause(session, now):
            self._take(task, "pause", id_of(pause))
            return rate_limits.end(Work(session, self._services, now), pause)
        return ""

    def _handle(self, session: Session, task: _Task, row: LetterRow, now: datetime, *, is_late: bool) -> str:
        """Answer the letter, or process the first deadline of its games that it came too late for.

        Returns "" if that deadline has to wait; then the letter waits, too.
        """
        self._take(task, "letter", id_of(row))
        with time_limit(LETTER_SECONDS, self._daemon.gives_up):
            own = self._deadline_of(session, row, now) if is_late else None
            if own is None:
                task.answered, self._letter_overtakes = True, not is_late
                return f"letter={row.id} {self._handler.handle(session, row, now)}"
        if own.rings_at and self._daemon.swept_since(own.rings_at):
            return self._process_phase(session, task, own)
        self._set_aside.add(id_of(row))
        return ""

    def _deadline_of(self, session: Session, row: LetterRow, now: datetime) -> Phase | None:
        """Return the phase that was due first, before the letter came, of the games that concern the letter.

        These are the games that it names or answers, and those of its sender.
        """
        in_hand = self._handler.in_hand(row)
        letter, due = in_hand.letter, due_before(session, min(now, row.received_at))
        texts = [letter.subject, *(line.text for line in in_hand.lines), *in_hand.names]
        for earlier in inbox.held_from(session, letter.sender):
            # A letter that waits for its sender's confirmation is carried out with the letter that confirms it.
            texts += [line.text for line in self._handler.read(earlier).lines]
        text = "\n".join(texts).lower()
        concerned = games_concerned(session, letter.sender, letter.references)
        return next((phase for name, phase in due if phase.game_id in concerned or name in text), None)

    def _process_phase(self, session: Session, task: _Task, phase: Phase) -> str:
        self._take(task, "phase", id_of(phase))
        game = session.get_one(Game, phase.game_id)
        with time_limit(gives_up=self._daemon.gives_up):
            done = lifecycle.run_due(Work(session, self._services, self._daemon.now()), game, phase)
        self._letter_overtakes = True
        return f"game={game.name} phase={phase.name} {done}"

    def _fail(self, task: _Task, error: str, *, for_good: bool = False) -> None:
        """Record a failure, so that the daemon continues with other work.

        A letter that failed three times is set aside and its sender notified; a phase is put on hold; answers wait.
        `for_good`: the letter is not tried again, since that would only delay others.
        """
        self.done["failed"] += 1
        log.error("%s failed:\n%s", task, error)
        with transaction(self._engine) as session:
            work = Work(session, self._services, self._daemon.now())
            if task.kind == "pause":
                rate_limits.wait_on(work, session.get_one(Pause, task.number))
            elif task.kind == "game":
                forming.put_off_notice(work, session.get_one(Game, task.number))
            elif task.kind == "phase":
                lifecycle.hold(work, session.get_one(Phase, task.number))
            elif task.kind == "letter" and inbox.failed(session, task.number, error, for_good=for_good):
                row = session.get_one(LetterRow, task.number)
                tell_set_aside(work, row, self._handler.readable(session, row), error)
                self._handler.forget([task.number])
                log.error("letter=%d is set aside; judge replay %d tries it again", task.number, task.number)

    def put_aside_unread(self, letter_id: int) -> None:
        """Set aside a letter that cannot be read within its limits, unread, even without its sender."""
        with transaction(self._engine) as session:
            inbox.failed(session, letter_id, UNREADABLE, for_good=True)
            work = Work(session, self._services, self._daemon.now())
            tell_keeper(work, session.get_one(LetterRow, letter_id), UNREADABLE)
        log.error("letter=%d is set aside unread", letter_id)
