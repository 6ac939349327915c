"""`judge status`: the state of the judge, part by part, with what to do about each problem."""

import os
import socket
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from json import dumps

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from judge import __version__
from judge.games.people.mail_trouble import in_words as withheld_in_words
from judge.letters.mailbox import Mailbox, MailboxError
from judge.mails.smtp import Unavailable, open_server
from judge.mails.templates import when
from judge.rules import open_catalogue
from judge.rules.board.names import counted
from judge.service.health import disks, faults, file_of, read_troubles, whose
from judge.settings import IntakeSettings, Settings
from judge.shell.database import is_not_made_yet, opened
from judge.shell.mails import IN_WORDS
from judge.store import bounces, inbox, outbox, sent_mails, stats
from judge.store.engine import StoreError, in_words, open_engine, reading
from judge.store.games import games_by_deadline, held_phases
from judge.store.locks import AtWork, holder, roll

NEXT_DEADLINES = 5
# How much longer than usual a sweep may take while many phases are processed.
STUCK = timedelta(minutes=10)
# How long a mail that is due may wait for its picture, or for many other mails.
STALLED = timedelta(minutes=30)
# The number of bytes that are written as a test.
TRIAL = 65_536
_WIDTH = 11


@dataclass(frozen=True)
class Look:
    """The state of one part of the judge.

    what: the part ("mailbox"). says: its state. well: whether the keeper need not do anything. to_do: what to do, if
    `says` does not say that.
    """

    what: str
    says: str
    well: bool = True
    to_do: str = ""

    @property
    def line(self) -> str:
        """The look for a terminal, with what to do on a line of its own."""
        told = f"{self.what:<{_WIDTH}} {self.says}"
        return f"{told}\n{'':<{_WIDTH}}   -> {self.to_do}" if self.to_do else told


def show(looks: Sequence[Look], *, json: bool, **more: object) -> int:
    """Print the looks, a line each, or as one JSON object with `more` in it; return 0 if all is well."""
    well = all(look.well for look in looks)
    if json:
        print(dumps({**more, "well": well, "looks": [asdict(look) for look in looks]}, indent=1))
    else:
        print("\n".join(look.line for look in looks))
    return int(not well)


def report(settings: Settings, *, json: bool = False) -> int:
    """Print the state of the judge; return 0 if the keeper need not do anything.

    json: as one JSON object, with the numbers of judge/store/stats.py.
    """
    open_catalogue(settings.variants, settings.editions)
    looks = [*who_is_at_work(settings), *_servers(settings), *writable(settings), *troubles_told(settings)]
    numbers = None
    if is_not_made_yet(settings):
        looks.append(Look("database", "none yet: judge run creates it", False))
    else:
        try:
            with reading(opened(settings)) as session:
                looks += in_database(session, settings, datetime.now(UTC))
                numbers = stats.take(session).as_json()
        except (StoreError, DBAPIError) as error:
            why = error if isinstance(error, StoreError) else in_words(error)
            looks.append(Look("database", f"NOT usable: {why}", False))
    looks += [Look("mend", fault, False) for fault in faults(settings)]
    if not json:
        return show([Look("judge", f"{settings.code} <{settings.address}>"), *looks], json=False)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    who = {"judge": settings.code, "address": settings.address, "version": __version__, "at": at}
    return show(looks, json=True, **who, census=numbers)


def who_is_at_work(settings: Settings) -> list[Look]:
    """Look at the daemon, a daemon that stands by, and workers."""
    process = holder(settings.home / "judge.store.lock")
    hands: list[AtWork] = []
    if not is_not_made_yet(settings):
        with suppress(StoreError, DBAPIError):  # another look says what is wrong with the database
            hands = roll(open_engine(settings.store_url))
    daemon = next((hand.where for hand in hands if hand.role == "daemon"), f"process {process}" if process else "")
    said = f"running ({daemon})" if daemon else "NOT running. To start it: judge run"
    looks = [Look("daemon", said, bool(daemon))]
    looks += [Look(hand.role, hand.where) for hand in hands if hand.role != "daemon"]
    roles = {hand.role for hand in hands}
    if "worker" not in roles and not settings.smtp.courier:
        looks.append(Look("worker", "NONE, and [smtp] courier = no, so emails wait. To send them: judge worker", False))
    if "worker" not in roles and not settings.painters:
        none = "NONE, and [maps] painters = 0, so emails go without maps. To draw them: judge worker"
        looks.append(Look("worker", none, False))
    return looks


def _servers(settings: Settings) -> Iterator[Look]:
    """Look at the mailbox, the port for letters that are handed in, and the mail server that sends; nothing is sent."""
    box, smtp = settings.mailbox, settings.smtp
    if box.host:
        try:
            with Mailbox(box) as mailbox:
                where = f"{box.user} at {box.host}:{box.port}"
                yield Look("mailbox", f"reachable ({where}), {mailbox.count()} emails not fetched yet")
        except MailboxError as error:
            yield Look("mailbox", f"NOT reachable: {error}. Check [mailbox] in judge.ini", False)
    if settings.intake.protocol != "none":
        yield letterbox(settings.intake)
    try:
        with open_server(smtp, settings.address):
            yield Look("mail server", f"reachable ({smtp.host}:{smtp.port})")
    except Unavailable as error:
        wait = "Emails wait. If [smtp] is wrong, fix it and restart judge run"
        yield Look("mail server", f"NOT usable: {error}. {wait}", False)


def letterbox(intake: IntakeSettings) -> Look:
    """Look whether the judge listens for letters that are handed in."""
    where = f"{intake.protocol}://{intake.host}:{intake.port}"
    try:
        with socket.create_connection((intake.host, intake.port), timeout=5):
            return Look("letterbox", f"open at {where}")
    except OSError as error:
        why = error.strerror or error
        said = f"NOT open at {where}: {why}. judge run opens it; if it could not, see its log"
        return Look("letterbox", said, False)


def troubles_told(settings: Settings) -> list[Look]:
    """Look what the daemon has written next to the database about its own work."""
    to_do = 'see the log of judge run, and "Trouble with the database" in docs/keeper.md'
    looks = []
    for part, trouble in read_troubles(file_of(settings)).items():
        try:
            since = f", since {when(datetime.fromisoformat(trouble.since), settings.zone)}"
        except ValueError:
            since = ""
        looks.append(Look("TROUBLE", f"{part}: {trouble.what}{since}", False, to_do))
    return looks


def writable(settings: Settings) -> list[Look]:
    """Look whether the judge can write where it must, and how much room there is."""
    looks = []
    for folder, free in disks(settings):
        room, least = f"{free:.0f} MB free in {folder}", settings.least_space
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(TRIAL))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            why = f"cannot write to {folder} ({error.strerror}). Make room, or make the judge's user its owner"
            looks.append(Look("disk", f"NOT usable: {why}", False))
        else:
            full = f"NEARLY FULL: {room}, less than {least:.0f}. Make room"
            looks.append(Look("disk", full if free < least else room, free >= least))
    return looks


def in_database(session: Session, settings: Settings, now: datetime) -> Iterator[Look]:
    """Look at what the database says."""
    zone = settings.zone
    numbers = stats.take(session)
    if (swept_at := numbers.last_sweep_at) is None:
        yield Look("last sweep", "none yet")
    else:
        # The last sweep alone shows a daemon that is stuck or cannot write its results.
        usual = timedelta(seconds=min(settings.mailbox.poll, settings.sweep)) + inbox.SWEEP_PRECISION
        stuck = "TOO LONG AGO. See the log for what the daemon is waiting for; otherwise restart judge run"
        well = now - swept_at <= 2 * usual + STUCK
        yield Look("last sweep", when(swept_at, zone) + ("" if well else f", {stuck}"), well)
    yield Look("letters", f"{numbers.letters_waiting} waiting, {numbers.letters_put_aside} set aside")
    if latest := inbox.latest(session):
        yield Look("last letter", f"{when(latest.received_at, zone)} from {latest.sender or 'someone (not read yet)'}")
    for letter in inbox.latest_ignored(session, 1):
        many = f"{counted(numbers.letters_ignored, 'email')} from known people"
        last = f"the latest on {when(letter.received_at, zone)} from {letter.sender}: {letter.error}"
        yield Look("ignored", f"{many}, {last}")
    if unanswered := stats.unanswered(session, now - timedelta(days=1)):
        why = "in the last 24 hours, because someone else may have written them"
        yield Look("unanswered", f"{unanswered.total()} {why}: {whose(unanswered)}")
    if unconfirmed := inbox.letters(session, "held"):
        named = whose(Counter(letter.sender for letter in unconfirmed))
        yield Look("unconfirmed", f"{len(unconfirmed)} waiting for their senders to confirm them: {named}")
    since = f", the oldest since {when(numbers.oldest_mail_at, zone)}" if numbers.oldest_mail_at else ""
    tried = f"{numbers.mails_deferred} tried before, {numbers.mails_given_up} given up"
    yield Look("outbox", f"{numbers.mails_waiting} waiting{since}, {tried}")
    if reasons := numbers.mails_waiting_for:
        why = ", ".join(f"{count} for {IN_WORDS[reason]}" for reason, count in reasons.items())
        yield Look("waiting", f"{why}. To list them: judge mails list --waiting")
    next_try_at = outbox.next_due(session)
    if next_try_at and now - next_try_at > STALLED:
        yield Look("outbox", f"STUCK: an email was due {when(next_try_at, zone)}. See the log", False)
    if numbers.mails_given_up:
        hint = "judge mails list shows them; then judge mails retry or dismiss"
        yield Look("given up", f"{numbers.mails_given_up}: {hint}", False)
    if answers := sent_mails.answers_waiting(session):
        yield Look("answers", f"{numbers.answers_waiting} delayed by the hourly limit ([limits]): {whose(answers)}")
    for row in bounces.dead_rows(session):
        kinds = bounces.withheld(session, row)
        since = f" since {when(row.dead_since, zone)}" if row.dead_since else ""
        held_back = withheld_in_words(kinds) or "none"
        says = f"emails to {row.address} have bounced{since} ({row.reason}); withheld: {held_back}"
        is_well = row.dismissed_at is not None or not kinds
        if not is_well:
            says += f". To send them: judge mails retry {row.address}. To hide this: judge mails dismiss {row.address}"
        yield Look("withheld", says, is_well)
    for name, phase in games_by_deadline(session, NEXT_DEADLINES):
        late = "  OVERDUE" if phase.due_at and phase.due_at < now else ""
        yield Look("deadline", f"{name} {phase.name}: {when(phase.deadline_at, zone)}{late}")
    for name, phase in held_phases(session):
        since = when(phase.held_since, zone) if phase.held_since else ""
        told = f"{name} {phase.name} since {since}. See the log for the traceback, and judge games show {name}"
        yield Look("HELD", told, False)
    for letter in inbox.letters(session, "shunted"):
        again = f"See the log. To try it again: judge replay {letter.id}"
        yield Look("set aside", f"email {letter.id} from {letter.sender or '?'}. {again}", False)
