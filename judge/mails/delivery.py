"""The outbox pump: gives the due mails to the mail server and records the result.

A mail is recorded as sent after the server's 250, in a transaction of its own: after a crash in between, that one mail
is sent again with the same Message-ID. While another thread writes to the database, more mails are sent and all are
recorded together a moment later; after a crash these few are sent again. If the server cannot be reached, this does not
count as an attempt for any mail. If the database cannot be written, the pump stops, so that it does not send the same
mail again and again.

Several pumps may send the mails of one database, in as many processes: each mail is claimed before it is sent, and free
when the result is recorded (judge/store/claims.py).
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain
from typing import NamedTuple

from sqlalchemy import Engine

from judge.mails.gallery import Gallery
from judge.mails.smtp import Deferred, Refused, Server, Unavailable, connect
from judge.settings import SmtpSettings
from judge.store import outbox, pictures
from judge.store.claims import claims_of
from judge.store.engine import reading
from judge.store.ids import id_of
from judge.store.tables import Mail, Phase, Picture

log = logging.getLogger(__name__)

# How many mails are held in memory at once.
BATCH = 50
# At most this many mails, sent in this many seconds, may have the server's 250 but no record of it yet.
MOST_UNNOTED = 50
LONGEST_UNNOTED = 2.0
REPLY = "reply"  # the kind of mail that answers a letter
# The pause after the first, second, … time in a row that the server could not be used.
RESTS = tuple(timedelta(seconds=seconds) for seconds in (5, 15, 60, 300))


# How long an answer waits for its picture. It is sent when the courier looks the next time: after five seconds at most.
ANSWERS_WAIT = timedelta(seconds=4)
# How long other mails wait, or for what part of the time to the deadline that they announce, if that is less.
NOTICES_WAIT = timedelta(minutes=10)
OF_THE_PHASE = 0.1


class Pulse(NamedTuple):
    """How many mails were sent, how many will be tried again, how many were given up."""

    sent: int
    deferred: int
    failed: int


class _Wait(NamedTuple):
    """What a mail waits for, since when and until when."""

    picture: Picture
    since: datetime
    until: datetime


class _Ready(NamedTuple):
    """A mail, and the bytes that are sent."""

    mail: Mail
    raw: bytes


class Pump:
    """Sends the outbox of one database through one mail server; for one thread, `stop` for any.

    `trouble` is a sentence that says why the server could not be used the last time; it is empty if the server worked.
    """

    def __init__(
        self, engine: Engine, settings: SmtpSettings, sender: str, gallery: Gallery | None = None
    ) -> None:
        """`sender`: the judge's address, to which the mail server sends what it cannot deliver. `gallery`: gives the
        pictures; without it mails are sent without pictures.
        """
        self.trouble = ""
        self._engine = engine
        self._settings = settings
        self._sender = sender
        self._gallery = gallery
        self._claims = claims_of(engine, "mails", outbox.UNTRIED)
        self._stopping = threading.Event()
        self._unnoted: list[Mail] = []
        self._unnoted_since = 0.0
        self._waits: dict[int, _Wait] = {}
        self._rests = 0
        self._rests_from_to: tuple[datetime, datetime] | None = None

    def stop(self) -> None:
        """Make a running pulse end after the mail that it is sending; later pulses do nothing."""
        self._stopping.set()

    def pulse(self, now: datetime) -> Pulse:
        """Send what is due at `now`, the longest due first, until every mail was tried or the server fails.

        Errors of the database are raised to the caller; the next pulse continues where this one stopped.
        """
        self._put_down(now)
        tally: Counter[str] = Counter()
        mails = self._ready(now)
        first = None if self._resting(now) else next(mails, None)
        if first is not None:
            try:
                with connect(self._settings, self._sender) as server:
                    for outcome in self._send_all(server, chain([first], mails), now):
                        tally[outcome] += 1
                        self._rests, self.trouble = 0, ""
            except Unavailable as error:
                self._rest(now, error)
        self._put_down(now)
        return Pulse(tally["sent"], tally["deferred"], tally["failed"])

    def _ready(self, now: datetime) -> Iterator[_Ready]:
        """The due mails that need not wait for their pictures and that no other process has in hand: we have them now.

        Each reader gets the notices of a game in order: no reader learns of a new deadline before the results that come
        first. So what waits for its picture, or is in other hands, holds up what comes after it. An answer to a letter
        waits for no other mail.
        """
        behind: set[tuple[str, int | None]] = set()
        for mail in self._due(now):
            reader = (mail.recipient, mail.game_id)
            raw = self._with_picture(mail, now)
            may_go = raw is not None and (mail.kind == REPLY or reader not in behind)
            if raw is not None and may_go and self._claims.take(id_of(mail), attempts=mail.attempts):
                self._waits.pop(id_of(mail), None)
                yield _Ready(mail, raw)
            elif mail.kind != REPLY:
                behind.add(reader)

    def _due(self, now: datetime) -> Iterator[Mail]:
        """The due mails, batch after batch, each mail once."""
        last: Mail | None = None
        while True:
            with reading(self._engine) as session:
                batch = outbox.due(session, now, BATCH, behind=last)
            if not batch:
                return
            yield from batch
            last = batch[-1]

    def _send_all(self, server: Server, mails: Iterator[_Ready], now: datetime) -> Iterator[str]:
        for mail, raw in mails:
            if self._stopping.is_set():
                return
            outcome = self._send(server, mail, raw, now)
            yield outcome
            if outcome != "sent" and not server.ready():
                log.warning("outbox waits: the mail server closed the connection")
                return

    def _send(self, server: Server, mail: Mail, raw: bytes, now: datetime) -> str:
        try:
            server.deliver(mail.recipient, raw)
        except Deferred as error:
            return self._defer(mail, now, str(error))
        except Refused as error:
            return self._fail(mail, now, str(error))
        if not self._unnoted:
            self._unnoted_since = time.monotonic()
        self._unnoted.append(mail)
        self._note_sent(now, wait=self._has_many_unnoted())
        log.info("mail sent mail=%d kind=%r to=%s", mail.id, mail.kind, mail.recipient)
        return "sent"

    def _with_picture(self, mail: Mail, now: datetime) -> bytes | None:
        """The mail as it is sent; None while its picture is being drawn."""
        if mail.picture_id is None or self._gallery is None:
            return mail.raw
        wait = self._waits.get(id_of(mail))
        if wait is None or now < wait.since:  # the system's clock was set back
            wait = self._wait_of(mail, mail.picture_id, now)
        return self._gallery.illustrate(mail.raw, wait.picture, (wait.until - now).total_seconds())

    def _wait_of(self, mail: Mail, picture_id: int, now: datetime) -> _Wait:
        """Counted from now on, so that a mail that waited while the server or the judge was down still gets its
        picture.
        """
        with reading(self._engine) as session:
            picture = pictures.picture(session, picture_id)
            phase = session.get(Phase, mail.phase_id) if mail.phase_id else None
        longest = NOTICES_WAIT if mail.letter_id is None else ANSWERS_WAIT
        if phase and phase.processed_at is None:
            longest = min(longest, OF_THE_PHASE * (phase.deadline_at - now))
        wait = self._waits[id_of(mail)] = _Wait(picture, now, now + longest)
        return wait

    def _has_many_unnoted(self) -> bool:
        waited = time.monotonic() - self._unnoted_since
        return len(self._unnoted) >= MOST_UNNOTED or waited >= LONGEST_UNNOTED

    def _note_sent(self, now: datetime, *, wait: bool) -> None:
        """Record mails as sent; without `wait` only if no other thread is writing."""
        if not self._unnoted:
            return
        with self._claims.noting([id_of(mail) for mail in self._unnoted], wait=wait) as session:
            if session is None:
                return
            for mail in self._unnoted:
                outbox.sent(session, mail, now=now)
        self._unnoted.clear()

    def _put_down(self, now: datetime) -> None:
        """Record all that was sent; whatever else was in hand is free."""
        self._note_sent(now, wait=True)
        self._claims.give_back()

    def _defer(self, mail: Mail, now: datetime, answer: str) -> str:
        with self._claims.noting([id_of(mail)]) as session:
            assert session
            again_at = outbox.deferred(session, mail, now=now, error=answer)
        if again_at is None:
            log.error("mail given up mail=%d kind=%r to=%s answer=%r", mail.id, mail.kind, mail.recipient, answer)
            return "failed"
        log.warning(
            "mail deferred mail=%d kind=%r to=%s again_at=%s answer=%r",
            mail.id, mail.kind, mail.recipient, again_at.isoformat(timespec="seconds"), answer,
        )  # fmt: skip
        return "deferred"

    def _fail(self, mail: Mail, now: datetime, answer: str) -> str:
        with self._claims.noting([id_of(mail)]) as session:
            assert session
            outbox.failed(session, mail, now=now, error=answer)
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
