"""The outbox pump: gives the due mails to the mail server and records the result.

Answers to letters go first, since somebody waits for them; all other mails go in the order in which they are due.
Several connections send at a time; what is written to one reader about one game stays in its order.

A mail is recorded as sent after the server's 250, in a transaction with those whose 250 has come by then on other
connections, one for each connection while all are sending: after a crash in between, these few are sent again with the
same Message-IDs. While another thread writes to the database, more mails are sent and all are recorded together a
moment later; after a crash these, too, are sent again. If the server cannot be reached, this does not count as an
attempt for any mail. If the database cannot be written, the pump stops, so that it does not send the same mail again
and again.

Several pumps may send the mails of one database, in as many processes: each mail is claimed before it is sent, and free
when the result is recorded (judge/store/claims.py).
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Engine

from judge.mails.gallery import Gallery
from judge.mails.lines import Lines, Outcome, Outgoing
from judge.mails.smtp import Deferred, NoSuchAddress, Refused, Unavailable
from judge.settings import SmtpSettings
from judge.store import bounces, outbox, pictures
from judge.store.claims import claims_of
from judge.store.engine import reading
from judge.store.games import deadline_of
from judge.store.hands import share
from judge.store.rows import id_of
from judge.store.tables import Mail, Picture

log = logging.getLogger(__name__)

Found = TypeVar("Found")

# How many mails are held in memory at once.
BATCH = 50
# At most this many mails, sent in this many seconds, may have the server's 250 but no record of it yet, besides those
# that other connections are sending.
MOST_UNNOTED = 50
LONGEST_UNNOTED = 2.0
# So many seconds a pulse goes on when the pump is called again: then a new one begins, which sends new answers first.
LONGEST_DEAF = 0.5
# The pause after the first, second, … time in a row that the server could not be used.
RESTS = tuple(timedelta(seconds=seconds) for seconds in (5, 15, 60, 300))

# What goes first; and if not everything can go.
_RANKS: tuple[outbox.Rank, ...] = ("answers", "all")
_SHORT_RANKS: tuple[outbox.Rank, ...] = ("answers", "but press", "all")

# How long an answer waits for its picture. It is sent when the courier looks the next time: after five seconds at most.
ANSWERS_WAIT = timedelta(seconds=4)
# How long other mails wait while no picture is finished: when many games are due at once, each picture has its turn.
NOTICES_WAIT = timedelta(minutes=10)
# How long they wait at most, and for what part of the time to the deadline that they announce, if that is less.
NOTICES_WAIT_AT_MOST = timedelta(hours=1)
OF_THE_PHASE = 0.1


class Pulse(NamedTuple):
    """How many mails were sent, how many will be tried again, how many were given up."""

    sent: int
    deferred: int
    failed: int


@dataclass
class _Held:
    """A due mail that waits: for its picture, from when and until when, until when at most; or, without a picture, for
    the mails before it, or for the process that has it in hand. `sequence`: as of Outgoing.
    """

    number: int
    sequence: tuple[object, ...]
    is_press: bool
    picture: Picture | None = None
    since: datetime = datetime.min
    until: datetime = datetime.min
    at_most: datetime = datetime.min


class Pump:
    """Sends the outbox of one database through one mail server; for one thread, `stop` for any.

    `trouble` is a sentence that says why the server could not be used the last time; it is empty if the server worked.
    """

    def __init__(
        self,
        engine: Engine,
        settings: SmtpSettings,
        sender: str,
        gallery: Gallery | None = None,
        bounces: int = 0,
    ) -> None:
        """`sender`: the judge's address, to which the mail server sends what it cannot deliver. `gallery`: gives the
        pictures; without it mails are sent without pictures. `bounces`: so many mails that are refused because there
        is no such address stop others to it; 0 = none do.
        """
        self.trouble = ""
        self._engine = engine
        self._settings = settings
        self._gallery = gallery
        self._bounces = bounces
        self._dead: frozenset[str] = frozenset()
        # The sequences in which a mail waits, and {sequence: the mail that the server has deferred}: what comes after
        # these must not overtake them.
        self._behind: set[tuple[object, ...]] = set()
        self._deferred: dict[Hashable, int] = {}
        self._is_short = False
        self._claims = claims_of(engine, "mails", outbox.UNTRIED)
        self._lines = Lines(settings, sender)
        self._stopping = threading.Event()
        self._unnoted: list[Mail] = []
        self._unnoted_since = 0.0
        # In the order in which they are due.
        self._held: dict[int, _Held] = {}
        # Those that mails wait for, and the last ones that went: many mails show one picture.
        self._pictures: WeakValueDictionary[int, Picture] = WeakValueDictionary()
        self._last_pictures: deque[Picture] = deque(maxlen=BATCH)
        # When the phases that mails are about end, None if they have ended; as far as was asked in this pulse.
        self._ends: dict[int, datetime | None] = {}
        # Whether the last pulse ended before it had looked at all mails, since it was called.
        self.was_broken_off = False
        # For how many seconds of the last pulse it was looked which mails can be sent.
        self.looked_for = 0.0
        self._rests = 0
        self._rests_from_to: tuple[datetime, datetime] | None = None

    def stop(self) -> None:
        """Make a running pulse end after the mails that it is sending; later pulses do nothing."""
        self._stopping.set()

    def close(self) -> None:
        """Close the connections to the mail server; the next pulse opens them again."""
        self._lines.close()

    def pulse(self, now: datetime, called: Callable[[], bool] = lambda: False) -> Pulse:
        """Send what is due at `now`, answers to letters first, then the longest due, until every mail was tried or the
        server fails; or until the pump is `called` again, when half a second is over.

        Errors of the database are raised to the caller; the next pulse continues where this one stopped.
        """
        deaf_until = time.monotonic() + LONGEST_DEAF
        self.was_broken_off, self.looked_for = False, 0.0

        def is_called() -> bool:
            self.was_broken_off = self.was_broken_off or time.monotonic() > deaf_until and called()
            return self.was_broken_off

        self._ends.clear()
        tally: Counter[str] = Counter()
        while self._lines.are_busy:  # since the last pulse was broken off
            tally[self._settle(self._lines.outcome(), now)] += 1
        self._put_down(now)
        if not self._resting(now):
            try:
                mails = self._within_limits(now, is_called)
                for outcome in self._send_all(mails, now, is_called):
                    tally[outcome] += 1
                    self._rests, self.trouble = 0, ""
            except Unavailable as error:
                self._rest(now, error)
        self._put_down(now)
        self._lines.close_idle()
        return Pulse(tally["sent"], tally["deferred"], tally["failed"])

    def _within_limits(self, now: datetime, is_called: Callable[[], bool]) -> Iterator[Outgoing]:
        """What is ready and may be sent by the provider's limits: if that is not all, press comes last. The keeper is
        told by a mail for which there is always room.
        """
        settings, tried = self._settings, set[int]()
        if not settings.per_hour and not settings.per_day:
            return self._ready(now, tried, _RANKS, is_called)
        with reading(self._engine) as session:
            allowed = outbox.allowed(session, now, settings.per_hour, settings.per_day) or 0
            allowed = share(self._engine, allowed, daemon=settings.courier)
            is_short = outbox.has_more_due(session, now, allowed)
        if is_short and not self._is_short:
            log.warning("outbox waits: the limits of the mail server leave %d mails now", allowed)
        self._is_short = is_short
        told = self._ready(now, tried, ("limit",), is_called) if is_short else iter(())
        ready = self._ready(now, tried, _SHORT_RANKS if is_short else _RANKS, is_called)
        return chain(islice(told, 1), islice(ready, allowed))

    def _ready(
        self, now: datetime, tried: set[int], ranks: Sequence[outbox.Rank], is_called: Callable[[], bool]
    ) -> Iterator[Outgoing]:
        """The due mails that need not wait and that no other process has in hand, each once, answers to letters first:
        we have them now.

        Each reader gets the notices of a game in order: no reader learns of a new deadline before the results that come
        first. So what waits for its picture, or is in other hands, or was deferred once or twice, as by servers that do
        not know us yet (greylisting), holds up what comes after it. An answer to a letter waits for no other mail.

        Thousands may have to wait, which are looked through in pieces: whenever the pump is called, the next pulse
        begins with the answers, and finds those that wait held back.
        """
        with reading(self._engine) as session:
            self._dead = bounces.dead(session)
            put_off = outbox.put_off(session, press="but press" not in ranks)  # for that results wait least of all
        self._deferred = {(None, *of): number for of, number in put_off.items()}
        self._behind.clear()
        for rank in ranks:
            released = self._released(now, tried, rank) if rank != "limit" else iter(())
            while numbers := self._timed(partial(_some, released)):
                yield from self._illustrated(self._those(numbers), now, tried)
            while mails_due := self._timed(partial(self._due, now, tried, rank)):
                yield from self._illustrated(mails_due, now, tried)
                if is_called():
                    return

    def _timed(self, look: Callable[[], Found]) -> Found:
        """What a look finds; how long it took is noted."""
        began = time.monotonic()
        try:
            return look()
        finally:
            self.looked_for += time.monotonic() - began

    def _released(self, now: datetime, tried: set[int], rank: outbox.Rank) -> Iterator[int]:
        """Those of the mails held back that need not wait any longer, as far as is known without reading them."""
        waits: dict[tuple[int, datetime], bool] = {}  # many mails wait for one picture, which is one object
        for held in list(self._held.values()):
            is_answer = held.sequence[0] in outbox.ANSWERS
            if is_answer is not (rank == "answers") or held.number in tried or (held.is_press and rank == "but press"):
                continue
            what = (id(held.picture), held.until)
            if what not in waits:
                waits[what] = self._waits(held, now)
            if waits[what] and not is_answer:
                self._behind.add(held.sequence)
            elif not waits[what] and not self._is_behind(held.number, held.sequence):
                yield held.number

    def _waits(self, held: _Held, now: datetime) -> bool:
        """Whether its picture is still being drawn, and may be waited for."""
        if held.picture is None or self._gallery is None or now < held.since:
            return False
        return self._gallery.is_drawing(held.picture, self._seconds_left(held, now))

    def _seconds_left(self, held: _Held, now: datetime) -> float:
        """How long the mail may still wait; a notice waits on as long as others get their pictures."""
        until = held.until
        if self._gallery and held.sequence[0] not in outbox.ANSWERS:
            idle = timedelta(seconds=min(self._gallery.idle_seconds, NOTICES_WAIT.total_seconds()))
            until = min(max(until, now + NOTICES_WAIT - idle), held.at_most)
        return (until - now).total_seconds()

    def _due(self, now: datetime, tried: set[int], rank: outbox.Rank) -> list[Mail]:
        """Mails that are due and neither held back nor tried in this pulse."""
        with reading(self._engine) as session:
            return outbox.due(session, now, BATCH, beside=self._held.keys() | tried, rank=rank)

    def _those(self, numbers: list[int]) -> list[Mail]:
        """The mails of these numbers that wait; those that do not are no longer held back."""
        with reading(self._engine) as session:
            mails = outbox.those(session, numbers)
        for gone in set(numbers).difference(mail.id or 0 for mail in mails):
            self._held.pop(gone, None)
        return mails

    def _illustrated(self, mails: Sequence[Mail], now: datetime, tried: set[int]) -> Iterator[Outgoing]:
        """Those that can go, with their pictures; the others are held back."""
        self._look_up_pictures(mails)
        for mail in mails:
            number, sequence = id_of(mail), _sequence(mail)
            if mail.recipient in self._dead and self._is_withheld(mail, now, tried):
                continue
            raw = self._with_picture(mail, now)
            if self._is_behind(number, sequence):
                self._held.setdefault(number, _Held(number, sequence, mail.kind == "press"))
                continue
            if raw is not None:
                tried.add(number)
                # Until its outcome is there: if the pulse is broken off before it is sent, it is still before those
                # that were held back behind it.
                self._held.setdefault(number, _Held(number, sequence, mail.kind == "press"))
                if self._claims.take(number, attempts=mail.attempts):
                    yield Outgoing(mail, raw, sequence)
                    continue
            if mail.kind not in outbox.ANSWERS:
                self._behind.add(sequence)

    def _is_behind(self, number: int, sequence: tuple[object, ...]) -> bool:
        return sequence in self._behind or self._is_behind_deferred(number, sequence)

    def _is_behind_deferred(self, number: int, sequence: Hashable) -> bool:
        return number > self._deferred.get(sequence, number)

    def _send_all(
        self, mails: Iterator[Outgoing], now: datetime, is_called: Callable[[], bool]
    ) -> Iterator[str]:
        """The outcome of each, as it comes. Raises Unavailable after the mails that are being sent have theirs."""
        trouble: Unavailable | None = None
        closed, waiting = False, list[Outgoing]()
        while True:
            ends = trouble or closed or self._stopping.is_set() or is_called()
            # What was sent at about the same time is recorded together, before more is sent.
            is_first = ends or self._lines.have_outcomes
            outgoing = None if is_first else waiting.pop() if waiting else next(mails, None)
            if outgoing and self._lines.can_take(outgoing):
                self._lines.take(outgoing)
                continue
            if not self._lines.are_busy:
                break
            if outgoing:
                waiting.append(outgoing)
            outcome = self._lines.outcome()
            if not isinstance(outcome.error, Unavailable):
                yield self._settle(outcome, now)
                closed = closed or outcome.closed
                waiting = [one for one in waiting if not self._is_behind_deferred(id_of(one.mail), one.sequence)]
            elif self._lines.does_with_fewer():
                waiting.append(outcome.outgoing)
            else:
                trouble = outcome.error
        if trouble:
            raise trouble
        if closed:
            log.warning("outbox waits: the mail server closed the connection")

    def _settle(self, outcome: Outcome, now: datetime) -> str:
        """Record what has become of a mail; in a word."""
        mail = outcome.outgoing.mail
        if isinstance(outcome.error, Unavailable):
            return "untried"
        self._held.pop(id_of(mail), None)
        match outcome.error:
            case Deferred() as error:
                if mail.kind not in outbox.ANSWERS and mail.attempts < outbox.PATIENCE:
                    self._deferred.setdefault(outcome.outgoing.sequence, id_of(mail))
                return self._defer(mail, now, str(error))
            case Refused() as error:
                return self._fail(mail, now, str(error), is_unknown=isinstance(error, NoSuchAddress))
        if not self._unnoted:
            self._unnoted_since = time.monotonic()
        self._unnoted.append(mail)
        if not self._lines.have_outcomes and not self._lines.expect_more(len(self._unnoted)):
            self._note_sent(now, wait=self._has_many_unnoted())
        log.info("mail sent mail=%d kind=%r to=%s", mail.id, mail.kind, mail.recipient)
        return "sent"

    def _with_picture(self, mail: Mail, now: datetime) -> bytes | None:
        """The mail as it is sent; None while its picture is being drawn."""
        if mail.picture_id is None or self._gallery is None:
            return mail.raw
        held = self._held.get(id_of(mail))
        if held is None or held.picture is None or now < held.since:  # the system's clock was set back
            held = self._held_for(mail, mail.picture_id, now)
        assert held.picture
        return self._gallery.illustrate(mail.raw, held.picture, self._seconds_left(held, now))

    def _held_for(self, mail: Mail, picture_id: int, now: datetime) -> _Held:
        """The wait is counted from now on, so that a mail that waited while the server or the judge was down still gets
        its picture.
        """
        picture, ends_at = self._pictures[picture_id], self._end_of(mail.phase_id)
        at_most = NOTICES_WAIT_AT_MOST if mail.letter_id is None else ANSWERS_WAIT
        if ends_at:
            at_most = min(at_most, OF_THE_PHASE * (ends_at - now))
        until = now + min(at_most, NOTICES_WAIT)
        held = _Held(id_of(mail), _sequence(mail), mail.kind == "press", picture, now, until, now + at_most)
        self._held[held.number] = held
        return held

    def _look_up_pictures(self, mails: Sequence[Mail]) -> None:
        """Read what these mails show, as far as it is not known yet: not more mails than a batch."""
        if self._gallery is None:
            return
        shown = {mail.picture_id for mail in mails if mail.picture_id}
        found = [picture for number in shown if (picture := self._pictures.get(number))]
        if new := shown.difference(map(id_of, found)):
            with reading(self._engine) as session:
                found += pictures.those(session, new)
        # Those that were known already, too: they must outlive these mails.
        self._last_pictures.extend(found)
        self._pictures.update((id_of(picture), picture) for picture in found)

    def _end_of(self, phase_id: int | None) -> datetime | None:
        """When the phase ends; None without a phase, and if it was processed."""
        if phase_id is None:
            return None
        if phase_id not in self._ends:
            with reading(self._engine) as session:
                self._ends[phase_id] = deadline_of(session, phase_id)
        return self._ends[phase_id]

    def _has_many_unnoted(self) -> bool:
        waited = time.monotonic() - self._unnoted_since
        return len(self._unnoted) >= MOST_UNNOTED or waited >= LONGEST_UNNOTED

    def _note_sent(self, now: datetime, *, wait: bool) -> None:
        """Record mails as sent; without `wait` only if no other thread is writing."""
        if not self._unnoted:
            return
        with self._claims.noting([id_of(mail) for mail in self._unnoted], wait=wait) as sessions:
            if not sessions:
                return
            for mail in self._unnoted:
                outbox.sent(sessions[id_of(mail)], mail, now=now)
        self._unnoted.clear()

    def _put_down(self, now: datetime) -> None:
        """Record all that was sent; whatever else was in hand is free."""
        self._note_sent(now, wait=True)
        self._claims.give_back()

    def _defer(self, mail: Mail, now: datetime, answer: str) -> str:
        with self._claims.noting([id_of(mail)]) as sessions:
            again_at = outbox.deferred(sessions[id_of(mail)], mail, now=now, error=answer)
        if again_at is None:
            log.error("mail given up mail=%d kind=%r to=%s answer=%r", mail.id, mail.kind, mail.recipient, answer)
            return "failed"
        log.warning(
            "mail deferred mail=%d kind=%r to=%s again_at=%s answer=%r",
            mail.id, mail.kind, mail.recipient, again_at.isoformat(timespec="seconds"), answer,
        )  # fmt: skip
        return "deferred"

    def _is_withheld(self, mail: Mail, now: datetime, tried: set[int]) -> bool:
        """Whether a mail to a dead address does not go there now: it waits until its reader writes, or goes to another
        address of theirs, and is then found again.
        """
        number = id_of(mail)
        with reading(self._engine) as session:
            way = bounces.way_to(session, mail)
        if way == mail.recipient:
            return False
        if not self._claims.take(number, attempts=mail.attempts):
            tried.add(number)
            return True
        with self._claims.noting([number]) as sessions:
            if way:
                outbox.readdressed(sessions[number], mail, way)
            else:
                outbox.withheld(sessions[number], mail, now=now)
                bounces.note_withheld(sessions[number], mail.recipient, now)
        self._held.pop(number, None)
        tried.update([number] * (not way))
        where = f"goes to {way}" if way else "withheld"
        log.info("mail %s mail=%d kind=%r to=%s: mails to it come back", where, number, mail.kind, mail.recipient)
        return True

    def _fail(self, mail: Mail, now: datetime, answer: str, *, is_unknown: bool) -> str:
        with self._claims.noting([id_of(mail)]) as sessions:
            session = sessions[id_of(mail)]
            outbox.failed(session, mail, now=now, error=answer)
            bounces.note(session, mail, answer, now, self._bounces, blames_address=is_unknown)
        log.error("mail refused mail=%d kind=%r to=%s answer=%r", mail.id, mail.kind, mail.recipient, answer)
        return "failed"

    def _resting(self, now: datetime) -> bool:
        """A rest that begins in the future is over: the system's clock was set back."""
        return self._rests_from_to is not None and self._rests_from_to[0] <= now < self._rests_from_to[1]

    def _rest(self, now: datetime, error: Unavailable) -> None:
        pause = RESTS[min(self._rests, len(RESTS) - 1)]
        self._rests += 1
        self._rests_from_to = (now, now + pause)
        self.trouble = str(error)
        log.warning("outbox waits seconds=%d: %s", pause.total_seconds(), error)


def _some(numbers: Iterator[int]) -> list[int]:
    """The next ones."""
    return list(islice(numbers, BATCH))


def _sequence(mail: Mail) -> tuple[object, ...]:
    """Mails with the same sequence arrive in the order in which they were written: answers of a kind to one reader, and
    everything else that one game tells one reader. Answers (their kind comes first) wait for no notices.
    """
    return (mail.kind, mail.recipient) if mail.kind in outbox.ANSWERS else (None, mail.recipient, mail.game_id)
