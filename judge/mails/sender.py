"""Send the mails in the outbox, and store the outcome of each.

Several threads send, each one mail at a time. A mail is marked as taken before it is sent. Its outcome is committed
before the same thread sends another. So a crash repeats at most one mail for each thread, with the same Message-ID. An
attempt while the server cannot be reached does not count against a mail. If the database cannot be written, nothing
more is sent until the outcomes are stored.

Several processes may send from one PostgreSQL database. Each process takes different mails (judge/store/locks.py).
"""

import logging
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import get_ident

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.mails.parts import with_heading
from judge.mails.pictures import PictureCache, in_two, shows_orders
from judge.mails.smtp import Closed, ConnectionPool, Deferred, NoSuchAddress, Refused, Unavailable, return_path
from judge.mails.templates import when
from judge.settings import SmtpSettings
from judge.store import bounces, event_times, outbox, pictures
from judge.store.engine import reading, transaction
from judge.store.locks import LEASE, take_back
from judge.store.tables import Mail, Phase, Picture

log = logging.getLogger(__name__)

# The maximum number of mails to take at a time for each connection. It is small, so that new answers are soon sent
# before other mails.
BATCH = 4
# Seconds after which mails that were taken but not begun are left to other processes. If they have not begun by then,
# this process was frozen.
STALE = LEASE.total_seconds() / 2
# RESTS has the pauses after the server has failed once, twice and so on in a row. AFTER_CLOSED is the pause after it
# has ended a connection.
RESTS = tuple(timedelta(seconds=seconds) for seconds in (5, 15, 60, 300))
AFTER_CLOSED = timedelta(seconds=1)
# Seconds after which an idle connection is closed. Servers close idle connections after some minutes.
KEPT_OPEN = 30.0
# The longest time that an answer to a letter waits for its picture.
ANSWERS_WAIT = timedelta(seconds=4)
# NOTICES_WAIT is the longest time that other mails wait for their picture. No mail waits longer than the part
# OF_THE_PHASE of the time to the deadline of its phase.
NOTICES_WAIT = timedelta(minutes=20)
OF_THE_PHASE = 0.1
NEVER = datetime.max.replace(tzinfo=UTC)
# The times of two threads may differ this much without meaning that the clock was set back.
SLACK = timedelta(seconds=1)
# This paragraph is put above a mail that was perhaps sent before a backup was restored. If the earlier mail had the
# same content, both mails have the same Message-ID.
_RECOVERED = """\
The judge was restored from a backup, so you may have this email already. If
the email of {} says something else, this email
replaces it."""
# In place of a thread's number, this value means that any thread may return the outcome.
ANYONE = 0
# The outcome of a mail: an error, or None if the server has accepted the mail.
Outcome = Deferred | Refused | Unavailable | None


class OutboxSender:
    """Sends the outbox of one database through one mail server, in any number of threads.

    `trouble` is a sentence on why the server could not be used the last time, or "" if it worked. `changed` is called
    when a thread has found mails, so that other threads look too.
    """

    def __init__(
        self,
        engine: Engine,
        settings: SmtpSettings,
        sender: str,
        cache: PictureCache,
        bounces: int = 0,
        name: str = "this process",
    ) -> None:
        """Prepare to send as `sender`, the judge's address.

        Reports of undeliverable mails go to that address. An address is dead after `bounces` bounces, such as refusals
        by the server (0: never). `name` is the name of this process among those that send.
        """
        self.trouble = ""
        self.changed: Callable[[], object] = lambda: None
        self._engine = engine
        self._settings = settings
        self._sender = sender
        self._cache = cache
        self._bounces = bounces
        self._name = name
        self._connections = ConnectionPool(settings, sender)
        self._stopping = threading.Event()
        self._taking, self._noting = threading.Lock(), threading.Lock()
        # Mails that were taken but not begun, and the time when they were taken. `_in_hand` has the ids of all mails
        # whose outcome is not stored.
        self._taken: deque[Mail] = deque()
        self._taken_at = 0.0
        self._in_hand: set[int] = set()
        # Outcomes that are not stored yet, by the id of the mail. `_done` has the stored outcomes that are not returned
        # yet, by thread.
        self._unnoted: dict[int, tuple[Mail, Outcome, int]] = {}
        self._done: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._rests = 0
        self._rests_from_to = NEVER, NEVER
        self._is_short = False
        self._recovered_until: datetime | None = None
        # Start with a future time, so that the first run looks for mails written before the clock was set back.
        self._last_run = NEVER

    def stop(self) -> None:
        """End each run after its current mail, and let later runs do nothing."""
        self._stopping.set()

    def close(self) -> None:
        """Close the connections to the mail server.

        Send nothing afterwards.
        """
        self._connections.close_idle(0.0)

    def run_once(self, now: datetime) -> Counter[str]:
        """Send the first mail that is due at `now`.

        Answers to letters come first, then the mail that has been due longest. Returns {"sent", "deferred" or "failed":
        the number of these mails}. Raises errors of the database. The next run then begins by storing the outcomes that
        this one could not store.
        """
        self._note_all(now)
        self._connections.close_idle(KEPT_OPEN)
        rests = self._rests
        if mail := self._take(now):
            self._unnoted[mail.key] = mail, self._outcome(mail, now, rests), get_ident()
        self._note_all(now)
        with self._noting:
            return self._done.pop(get_ident(), Counter()) + self._done.pop(ANYONE, Counter())

    def renew(self, now: datetime) -> None:
        """Confirm that this process is still sending its mails, so that no other process takes them back."""
        with self._taking, transaction(self._engine) as session:
            take_back(session, Mail, self._name, [*self._in_hand], now)

    # --- taking mails ---

    def _take(self, now: datetime) -> Mail | None:
        """Return the next mail to send or None, after taking more mails from the outbox if none are left."""
        with self._taking:
            # A pause that begins in the future is over, since the system's clock was set back.
            begun, over = self._rests_from_to
            if self._stopping.is_set() or begun <= now < over:
                self._give_back()
                return None
            if time.monotonic() > self._taken_at + STALE:
                # This process was frozen, so other processes may be sending these mails.
                self._in_hand -= {one.key for one in self._taken}
                self._taken.clear()
            if not self._taken:
                self._take_more(now)
            return self._taken.popleft() if self._taken else None

    def _take_more(self, now: datetime) -> None:
        """Take the next mails from the outbox, and store the reason for mails that have to wait."""
        is_set_back, self._last_run = now < self._last_run - SLACK, now
        with reading(self._engine) as session:
            if not is_set_back and not outbox.has_due(session, now, me=self._name):
                return
        with transaction(self._engine) as session:
            if is_set_back:
                outbox.clock_was_set_back(session, now)
            take_back(session, Mail, self._name, [*self._in_hand], now)
            mails, looked_at = self._ready(session, now)
            self._recovered_until = event_times.recovered_until(session)
            if not mails:
                outbox.note_held_up(session, now, by_limit=self._is_short)
        self._taken.extend(mails)
        self._taken_at = time.monotonic()
        self._in_hand |= {one.key for one in mails}
        if looked_at:
            self.changed()

    def _give_back(self) -> None:
        """Free the mails that were taken but not begun, for other processes."""
        self._unnoted.update({mail.key: (mail, Unavailable("not tried"), ANYONE) for mail in self._taken})
        self._taken.clear()

    def _ready(self, session: Session, now: datetime) -> tuple[list[Mail], set[int]]:
        """Take the first mails that can be sent now, and return them with the ids of all mails examined.

        There is at most one answer and one notice for each reader.
        """
        dead, taken, looked_at = bounces.dead(session), list[Mail](), set[int]()
        for rank, most in self._within_limits(session, now):
            while len(taken) < most and (found := outbox.due(session, now, most - len(taken), rank, looked_at)):
                looked_at.update(one.key for one in found)
                first: dict[tuple[bool, str], Mail] = {}
                for mail in found:
                    first.setdefault((mail.kind in outbox.ANSWERS, mail.recipient), mail)
                ready = [mail for mail in first.values() if self._is_ready(session, mail, now, dead)]
                outbox.take(session, ready, self._name, now)
                taken += ready
        return taken, looked_at

    def _within_limits(self, session: Session, now: datetime) -> list[tuple[outbox.Rank, int]]:
        """Return the ranks of mails to take, in order, each with the maximum number of mails up to that rank.

        If the provider's limits do not allow all due mails, press comes last. The notice to the keeper about the limit
        is always allowed.
        """
        most = BATCH * self._settings.connections
        allowed = outbox.allowed(session, now, self._settings.per_hour, self._settings.per_day)
        was_short, self._is_short = self._is_short, allowed is not None and outbox.has_due(session, now, allowed)
        if allowed is None or not self._is_short:
            return [("answers", most), ("all", most)]
        if not was_short:
            log.warning("outbox waits: the sending limits allow %d more emails now", allowed)
        most = min(most, allowed)
        ranks: list[tuple[outbox.Rank, int]] = [("limit", 1), ("answers", most), ("but press", most)]
        return ranks if outbox.has_due(session, now, allowed - 1, but_press=True) else [*ranks, ("all", most)]

    def _is_ready(self, session: Session, mail: Mail, now: datetime, dead: frozenset[str]) -> bool:
        """Return whether the mail can be sent now.

        If not, withhold or readdress the mail, or let it wait for its picture.
        """
        if mail.recipient in dead and (way := bounces.way_to(session, mail)) != mail.recipient:
            where = "withheld"
            if way:
                outbox.change(session, mail, recipient=way)
                where = f"goes to {way}"
            else:
                outbox.withheld(session, mail, now=now)
                bounces.note_withheld(session, mail.recipient, now)
            log.info("mail %s mail=%d kind=%r to=%s: emails to it bounce", where, mail.id, mail.kind, mail.recipient)
            return False
        if mail.picture_id is None:
            return True
        try:
            return self._has_picture(session, mail, mail.picture_id, now)
        except Exception:
            pictures.set_aside(session, mail.picture_id, now)
            return True

    def _has_picture(self, session: Session, mail: Mail, number: int, now: datetime) -> bool:
        """Return whether the mail no longer has to wait for its picture.

        This is so if the picture is drawn or has failed, or the mail has waited long enough.
        """
        # Lock the row, so that another process cannot finish the picture just while the mail begins to wait for it.
        picture = session.get(Picture, number, with_for_update={"read": True, "skip_locked": True})
        if picture is None:
            return False
        if pictures.has_failed(picture, now) or self._cache.has(session, picture):
            return True
        if mail.waiting_for == "picture":
            _send_later(session, mail, picture, now)
            return True
        at_most = _longest_wait(session, mail, picture, now)
        if at_most > timedelta(0):
            outbox.wait_for_picture(session, mail, now + at_most)
        return at_most <= timedelta(0)

    # --- sending ---

    def _outcome(self, mail: Mail, now: datetime, rests: int) -> Outcome:
        """Send a mail and return the outcome.

        `rests` is the number of pauses before the mail was taken.
        """
        if self._stopping.is_set():
            return Unavailable("not tried")
        is_named = self._settings.plus_addresses and mail.return_tag
        sender = return_path(self._sender, mail.return_tag) if is_named else ""
        try:
            self._connections.send(mail.recipient, self._whole(mail, now), sender)
        except (Deferred, Refused, Unavailable) as error:
            with self._taking:
                # If several threads have the same trouble, only the first one begins the pause.
                if isinstance(error, (Unavailable, Closed)) and rests == self._rests:
                    self._rest(now, error)
            return error
        except Exception as error:  # log here, since no one waits for this thread, and go on
            log.exception("mail=%d cannot be sent", mail.id)
            return Deferred(f"{type(error).__name__}: {error}")
        self._rests, self.trouble = 0, ""
        return None

    def _whole(self, mail: Mail, now: datetime) -> bytes:
        """Return the bytes of a mail with its picture.

        After a recovery, a note above the mail says that it may have been sent before.
        """
        raw = mail.raw
        if self._recovered_until and mail.created_at <= self._recovered_until:
            raw = with_heading(raw, _RECOVERED.format(when(mail.created_at, "UTC")))
        if mail.picture_id is None:
            return raw
        with reading(self._engine) as session:
            picture = session.get_one(Picture, mail.picture_id)
            return self._cache.illustrate(session, raw, picture, now)

    def _rest(self, now: datetime, error: Unavailable | Closed) -> None:
        pause, why = AFTER_CLOSED, "the mail server closed the connection"
        if isinstance(error, Unavailable):
            pause, why = RESTS[min(self._rests, len(RESTS) - 1)], str(error)
            self._rests += 1
            self.trouble = why
        self._rests_from_to = (now, now + pause)
        self._give_back()
        log.warning("outbox waits seconds=%d: %s", pause.total_seconds(), why)

    # --- storing outcomes ---

    def _note_all(self, now: datetime) -> None:
        """Store and log the outcomes of all mails that any thread has sent so far."""
        with self._noting:
            failure: Exception | None = None
            for number, (mail, outcome, thread) in [*self._unnoted.items()]:
                try:
                    with transaction(self._engine) as session:
                        word, level, told = self._noted(session, mail, outcome, now)
                except (TypeError, ValueError):  # the mail's row has invalid values
                    with transaction(self._engine) as session:
                        outbox.set_aside(session, number, now)
                    self._is_noted(number, thread, "failed")
                except Exception as error:
                    # If one outcome cannot be stored, continue with the others, unless the database cannot be reached.
                    failure = error
                    self._unnoted[number] = mail, outcome, ANYONE
                    if isinstance(error, OperationalError):
                        break
                else:
                    self._is_noted(number, thread, word)
                    log.log(level, "%s", told)
            if failure:
                raise failure

    def _is_noted(self, number: int, thread: int, word: str) -> None:
        del self._unnoted[number]
        self._in_hand.discard(number)
        if word:
            self._done[thread][word] += 1

    def _noted(self, session: Session, mail: Mail, outcome: Outcome, now: datetime) -> tuple[str, int, str]:
        """Store the outcome of a mail.

        Returns a word for the outcome, and the level and text of its line in the log. The word is "" if the mail was
        not tried.
        """
        about = f"mail={mail.id} kind={mail.kind!r} to={mail.recipient}"
        match outcome:
            case None:
                outbox.sent(session, mail, now=now)
                word, level, told = "sent", logging.INFO, f"mail sent {about}"
            case Unavailable():
                outbox.change(session, mail, waiting_for="server")
                word, level, told = "", logging.DEBUG, f"mail not tried {about}"
            case Refused():
                outbox.failed(session, mail, now=now, error=str(outcome))
                is_unknown = isinstance(outcome, NoSuchAddress)
                bounces.note(session, mail, str(outcome), now, self._bounces, blames_address=is_unknown)
                word, level, told = "failed", logging.ERROR, f"mail refused {about} answer={str(outcome)!r}"
            case Deferred() if again_at := outbox.deferred(session, mail, now=now, error=str(outcome)):
                again = again_at.isoformat(timespec="seconds")
                told = f"mail deferred {about} again_at={again} answer={str(outcome)!r}"
                word, level = "deferred", logging.WARNING
            case Deferred():
                word, level, told = "failed", logging.ERROR, f"mail given up {about} answer={str(outcome)!r}"
        return word, level, told


def _send_later(session: Session, mail: Mail, picture: Picture, now: datetime) -> None:
    """Send a confirmation of orders without its picture, and put the picture into a later mail.

    Any other mail stays as it is.
    """
    if mail.letter_id is None or not shows_orders(picture):
        return
    message_id = mail.message_id.replace("@", ".map@")
    raw, later = in_two(mail.raw, message_id, picture, when(mail.created_at, "UTC"))
    mail.raw, mail.picture_id = raw, None
    composed = outbox.Composed(message_id, mail.recipient, mail.subject, later)
    # The later mail answers no letter, so that it may wait as long as a notice.
    outbox.put(session, composed, "reply", now, game_id=mail.game_id, phase_id=mail.phase_id, picture_id=picture.id)


def _longest_wait(session: Session, mail: Mail, picture: Picture, now: datetime) -> timedelta:
    """Return how long a mail may wait for its picture (less if its phase is due soon)."""
    # A film shows only past phases, so no reader is in a hurry.
    at_most = NOTICES_WAIT if mail.letter_id is None or picture.form == "film" else ANSWERS_WAIT
    phase = session.get(Phase, mail.phase_id) if mail.phase_id else None
    if phase and not phase.processed_at:
        at_most = min(at_most, OF_THE_PHASE * (phase.deadline_at - now))
    return at_most
