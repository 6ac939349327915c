"""Handle stored letters and deadlines in order, oldest first, one in each transaction.

Each letter is stored under its fingerprint. The letter must be read to compute the fingerprint, so this reading has a
time limit too. A letter that crashes the process must not do so twice. But after a kill -9, no letter is the cause. So
after an unclean end, the letters in flight are first read in a separate process. The same applies to the letters of the
next check of the mailbox. A letter is set aside only if it cannot be read within the limits of that process.

Each letter and each deadline has its own time (judge/store/event_times.py), whenever it is handled. The events of one
game are handled in order of time. A letter does not wait for earlier deadlines of other games, however many there are.
But if a deadline in the letter's own games passed before the letter came, the deadline is processed first. In a replay,
after a backup was restored, all events are handled in order.
"""

import hashlib
import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.commands.command_table import READER
from judge.commands.handler import LetterHandler, fingerprint_of
from judge.commands.replies import tell_set_aside
from judge.games.core.passwords import SlowWork
from judge.games.core.work import Services, Work
from judge.games.life import forming, lifecycle
from judge.games.people import rate_limits
from judge.letters.imap import Fetched
from judge.letters.sandbox import sandboxed_fingerprints
from judge.mails.mail_writer import mark_of
from judge.store import event_times, inbox, sent_mails
from judge.store.engine import reading, transaction
from judge.store.games import due_phases, next_waiting
from judge.store.locks import AlreadyRunning, DaemonLock, take_turn
from judge.store.people import person_at
from judge.store.seats import seats_held
from judge.store.tables import Game, LetterRow, Pause, Phase, Watch
from judge.time_limit import TakesTooLong, time_limit

log = logging.getLogger(__name__)

# The limit on processor time for one letter. A letter with orders takes milliseconds, and the longest accepted letter
# some seconds.
LETTER_SECONDS = 5.0

# This word in the record stands for letters that are being fetched and have no ids yet.
ARRIVING = "arriving"
# The maximum number of letters that may wait for deadlines on hold while later letters are answered.
MOST_SET_ASIDE = 500
# Reasons why a letter is set aside, which the keeper is shown.
TOO_LONG = "reading the email takes more processor time than one email is allowed"
UNREADABLE = "the email cannot be read within the time and memory that one email is allowed"


class InFlight:
    """The letters that the daemon is working on, recorded in its home in case it ends uncleanly.

    A letter stays recorded until the next one is recorded, or the daemon ends. `letter_ids` has the letters in flight
    when the last daemon ended. `may_arrive` is true if that daemon was fetching letters, which had no ids yet.
    """

    def __init__(self, home: Path):
        self._file = home / "letters-in-hand"
        left = self._file.read_text().split() if self._file.exists() else []
        self.may_arrive = ARRIVING in left
        self.letter_ids = {int(word) for word in left if word.isdigit()}

    def record(self, *what: int | str) -> None:
        """Record which letters are read next, by their ids or as ARRIVING.

        The file is not synced, since a letter never causes a power cut. If the file cannot be written, letters are read
        all the same.
        """
        text = " ".join(map(str, [*what, *self.letter_ids]))
        with suppress(OSError):
            self._file.write_text(text) if text else self._file.unlink(missing_ok=True)


def store(engine: Engine, batch: Sequence[Fetched], fingerprints: Sequence[str | None], now: datetime) -> list[int]:
    """Store the letters under their fingerprints, and return the ids of new letters.

    A letter that must not be read has no fingerprint, and is stored under a digest of its bytes.
    """
    named = zip(batch, fingerprints, strict=True)
    names = {letter.raw: name or hashlib.sha256(letter.raw).hexdigest() for letter, name in named}
    with transaction(engine) as session:
        return inbox.keep(session, batch, lambda letter: names[letter.raw], now=now)


@dataclass
class Ingest:
    """Stores letters in the database.

    A letter that may have crashed a daemon is first read in a sandbox. `put_aside` is called with the id of a letter
    that must not be read. `gives_up` returns whether the daemon must end immediately. GivenUp is raised then, and the
    next daemon reads the letters in flight in a sandbox.
    """

    engine: Engine
    in_flight: InFlight
    put_aside: Callable[[int], None]
    gives_up: Callable[[], bool] = lambda: False

    def keep(self, batch: Sequence[Fetched], now: datetime) -> list[int]:
        """Store the letters, and return the ids of new letters."""
        self.in_flight.record(ARRIVING)
        if self.in_flight.may_arrive:
            found = self._alone([letter.raw for letter in batch])
        else:
            found = [*map(self._in_time, batch)]
        new = store(self.engine, batch, found, now)
        self.in_flight.may_arrive = False
        if None in found:
            self.in_flight.letter_ids.update(new)
        self.in_flight.record()
        self.examine()
        return new

    def examine(self) -> None:
        """Examine the letters that were in flight, and set aside those that cannot be read."""
        if not self.in_flight.letter_ids:
            return
        with reading(self.engine) as session:
            rows = [row for row in inbox.those(session, self.in_flight.letter_ids) if row.state == "new"]
        found = self._alone([row.raw for row in rows])
        for row, name in zip(rows, found, strict=True):
            if name is None:
                self.put_aside(row.key)
        self.in_flight.letter_ids.clear()
        self.in_flight.record()

    def _alone(self, letters: Sequence[bytes]) -> list[str | None]:
        with time_limit(gives_up=self.gives_up):
            return sandboxed_fingerprints(letters)

    def _in_time(self, letter: Fetched) -> str | None:
        try:
            with time_limit(LETTER_SECONDS, self.gives_up):
                return fingerprint_of(letter)
        except TakesTooLong:
            return None


@dataclass(frozen=True)
class _Due:
    """A phase, a forming game or a pause of answers that has a task, and when the task is due."""

    at: datetime
    row: Phase | Game | Pause


def _first_due(session: Session, now: datetime) -> _Due | None:
    phase = next((phase for _, phase in due_phases(session, now, 1)), None)
    game, pause = next_waiting(session, now), sent_mails.next_ended_pause(session, now)
    found = (
        (phase and phase.rings_at, phase),
        (game and game.notice_at, game),
        (pause and pause.ends_at, pause),
    )
    return min((_Due(at, row) for at, row in found if at and row), key=attrgetter("at"), default=None)


def _event_of(session: Session, due: _Due) -> str:
    """Return the name of this task, from which the random draws for it are derived.

    No other task has this name.
    """
    at = due.at.astimezone(UTC).isoformat()
    match due.row:
        case Pause() as pause:
            return f"pause {pause.account} {at}"
        case Game() as game:
            return f"waiting {mark_of(game)} {at}"
        case Phase() as phase:
            what = "process" if due.at == phase.due_at else "tell"
            return f"{what} {mark_of(session.get_one(Game, phase.game_id))} {phase.number} {at}"


@dataclass
class WorkQueue:
    """The letters and deadlines that one daemon has to handle.

    `done` has the number of finished pieces of work by kind. `swept_since` returns whether all letters up to a moment
    are stored. `gives_up` returns whether the daemon must end immediately, without waiting for its current work.
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
    # The table and the id of the row that the current transaction is about.
    _subject: tuple[type[LetterRow | Phase | Game | Pause], int] | None = None
    # The row that records the last event.
    _watch: Watch | None = None
    # Letters about games whose deadlines wait for a check of the mailbox. Later letters are answered meanwhile.
    _set_aside: set[int] = field(default_factory=set)

    def next(self) -> bool:
        """Do the next piece of work, in one transaction.

        Returns False if there is no work, or if the work must wait.
        """
        began, self._subject = time.monotonic(), None
        try:
            with transaction(self.engine) as session:
                take_turn(session)
                self.daemon_lock.confirm()
                done = self._decide(session)
        except SlowWork as slow:
            slow.do()
            return True
        except TakesTooLong:  # do not try again, since that would only delay other letters
            self._fail(TOO_LONG, for_good=True)
            return True
        except (OperationalError, AlreadyRunning):
            raise
        except Exception:
            if self._subject is None:
                raise  # without the database no one knows which work failed
            self._fail(traceback.format_exc())
            return True
        if done and self._subject:
            table, number = self._subject
            if table is LetterRow:
                self.handler.forget(number)
            self.done["letters" if table is LetterRow else "others"] += 1
            log.info("%s (%.1f ms)", done, 1000 * (time.monotonic() - began))
        return bool(done)

    def _decide(self, session: Session) -> str:
        """Do the next piece of work.

        Returns what was done, for the log, or "" if nothing was done.
        """
        now, self._watch = self.now(), event_times.watch_of(session)
        until = self._watch and self._watch.replays_until
        if until and not self.swept_since(until):
            return ""  # an earlier letter may not have been fetched yet
        due = _first_due(session, now)
        is_held = overtakes = False
        if due and isinstance(due.row, Phase):
            is_held = not self.swept_since(due.at)
            # If there are many letters and many deadlines, the two alternate.
            overtakes = until is None and (is_held or self._letter_overtakes)
        if not is_held:
            self._set_aside.clear()
        if done := self._answer(session, now, due, overtakes=overtakes):
            return done
        if is_held:
            return ""
        if due:
            return self._attend(session, due)
        if until:
            event_times.end_replay(session)
        return ""

    def _answer(self, session: Session, now: datetime, due: _Due | None, *, overtakes: bool) -> str:
        """Answer a letter, and return a line for the log, or "" if none can be answered.

        A letter that came after the task `due` is answered only if it `overtakes` that task.
        """
        while len(self._set_aside) < MOST_SET_ASIDE and (rows := inbox.in_turn(session, beside=self._set_aside)):
            row = rows[0]
            is_late = due is not None and due.at < min(row.received_at, now)
            if is_late and not overtakes:
                return ""
            if done := self._handle(session, row, now, is_late=is_late):
                return done
        return ""

    def _handle(self, session: Session, row: LetterRow, now: datetime, *, is_late: bool) -> str:
        """Answer the letter, or process a deadline in the letter's games that had passed before the letter came.

        Returns a line for the log. If that deadline has to wait, so does the letter, and "" is returned.
        """
        self._subject = LetterRow, row.key
        self.in_flight.record(row.key)
        with time_limit(LETTER_SECONDS, self.gives_up):
            own = self._deadline_of(session, row, now) if is_late else None
            if own is None:
                self._letter_overtakes = not is_late
                time = event_times.happens(self._watch, row.received_at, now, in_order=not is_late)
                return f"letter={row.id} {self.handler.handle(session, row, time)}"
        if own.rings_at and self.swept_since(own.rings_at):
            return self._attend(session, _Due(own.rings_at, own))
        self._set_aside.add(row.key)
        self._subject = None
        return ""

    def _deadline_of(self, session: Session, row: LetterRow, now: datetime) -> Phase | None:
        """Return the first phase that was due before the letter came, in the letter's games, or None.

        The letter's games are those that it names or answers, and those of its sender.
        """
        letter, came_at = self.handler.in_hand(row).letter, min(now, row.received_at)
        text = self._text_of(session, row)
        person = person_at(session, letter.sender)
        concerned = {seat.game_id for seat in seats_held(session, person)} if person else set()
        concerned |= {mail.game_id for mail in sent_mails.mails_named(session, letter.references) if mail.game_id}
        for name, phase in due_phases(session, came_at):
            if phase.rings_at and phase.rings_at < came_at and (phase.game_id in concerned or name in text):
                return phase
        return None

    def _text_of(self, session: Session, row: LetterRow) -> str:
        """Return all text in which the letter may name a game, in lowercase."""
        in_hand = self.handler.in_hand(row)
        letter = in_hand.letter
        texts = [letter.subject, *(line.text for line in in_hand.lines), *READER.names_in(in_hand.lines)]
        for earlier in inbox.letters(session, "held", sender=letter.sender):
            # A letter that waits for its sender's confirmation is carried out with the letter that confirms it.
            texts += [line.text for line in self.handler.read(earlier).lines]
        return "\n".join(texts).lower()

    def _attend(self, session: Session, due: _Due) -> str:
        self._subject = type(due.row), due.row.key
        self._letter_overtakes = True
        time = event_times.happens(self._watch, due.at, self.now())
        work = Work(session, self.services, time.at, time=time, draws=self.services.draws(_event_of(session, due)))
        match due.row:
            case Pause() as pause:
                return rate_limits.end(work, pause)
            case Game() as game:
                return f"game={game.name} {forming.tell_waiting(work, game)}"
            case Phase() as phase:
                game = session.get_one(Game, phase.game_id)
                with time_limit(gives_up=self.gives_up):
                    return f"game={game.name} phase={phase.name} {lifecycle.run_due(work, game, phase)}"

    def _fail(self, error: str, *, for_good: bool = False) -> None:
        """Record the failure of the current work, so that the daemon continues with other work.

        A letter that has failed three times, or `for_good`, is set aside, and its sender is notified. A phase is put on
        hold. A pause of answers, or the notice of a forming game, is tried again later.
        """
        self.done["failed"] += 1
        assert self._subject
        table, number = self._subject
        log.error("%s %d failed:\n%s", table.__name__, number, error)
        with transaction(self.engine) as session:
            work = Work(session, self.services, self.now())
            match session.get_one(table, number):
                case Pause() as pause:
                    rate_limits.wait_on(work, pause)
                case Game() as game:
                    forming.put_off_notice(work, game)
                case Phase() as phase:
                    lifecycle.hold(work, phase)
                case LetterRow() as row if inbox.failed(session, number, error, for_good=for_good):
                    letter = None if error == UNREADABLE else self.handler.readable(session, row)
                    tell_set_aside(work, row, letter, error)
                    self.handler.forget(number)
                    log.error("letter=%d is set aside; judge replay %d tries it again", number, number)

    def set_aside_unread(self, letter_id: int) -> None:
        """Set aside a letter that cannot be read within its limits.

        Not even its sender is known, since the letter is not read.
        """
        self._subject = LetterRow, letter_id
        self._fail(UNREADABLE, for_good=True)
