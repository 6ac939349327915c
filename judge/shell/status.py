"""What the keeper asks from the shell: `judge status` and `judge replay`."""

import os
import shutil
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from judge.letters.mailbox import Mailbox, MailboxError
from judge.mails.smtp import Unavailable, open_server
from judge.mails.templates import when
from judge.rules import open_catalogue
from judge.service.keeper_folders import faults
from judge.settings import Settings
from judge.store import inbox, outages, outbox
from judge.store.engine import StoreError, migrate, open_engine, reading, transaction
from judge.store.hands import Hand, roll
from judge.store.lock import holder
from judge.store.lookups import games_by_deadline, held_phases
from judge.store.tables import LetterRow, Phase

NEXT_DEADLINES = 5
# How much longer than usual a sweep may take, while many phases are adjudicated.
STUCK = timedelta(minutes=10)
# How long a mail that is due may wait: for its picture, or for many other mails.
STALLED = timedelta(minutes=30)
MEGABYTE = 1_000_000
# How many bytes are written to test whether writing works.
TRIAL = 65_536

# A line of the report, and whether all is well (the keeper need not do anything).
Look = tuple[str, bool]


def report(settings: Settings) -> int:
    """Print the state of the judge, and for each problem what to do; returns 0 if the keeper need not do anything."""
    open_catalogue(settings.variants, settings.editions)
    looks = [
        *who_is_at_work(settings),
        _mailbox(settings),
        _mail_server(settings),
        *[_disk(folder, settings.least_space) for folder in _folders(settings)],
        *_look_into_store(settings),
        *[(f"mend        {fault}", False) for fault in faults(settings)],
    ]
    print(f"judge       {settings.code} <{settings.address}>")
    print("\n".join(line for line, _ in looks))
    return 0 if all(well for _, well in looks) else 1


def replay(settings: Settings, letter_id: int) -> int:
    """Give a shunted letter its turn again; the daemon handles it at its next sweep."""
    try:
        engine = open_engine(settings.store_url)
        migrate(engine)
    except StoreError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    with transaction(engine) as session:
        again = inbox.requeue(session, letter_id)
    if again:
        print(f"Letter {letter_id} waits for its turn again.")
        return 0
    with reading(engine) as session:
        row = session.get(LetterRow, letter_id)
    print(_explained(row, settings.zone) if row else f"There is no letter {letter_id}.", file=sys.stderr)
    return 1


def _explained(row: LetterRow, zone: str) -> str:
    """Why a letter is not replayed: its present state."""
    became = f"{row.state} since {when(row.done_at, zone)}" if row.done_at else "waiting for its turn"
    return f"Letter {row.id} from {row.sender or '?'}, received {when(row.received_at, zone)}, is {became}."


def _look_into_store(settings: Settings) -> list[Look]:
    """Report what the database says."""
    if _not_made_yet(settings):
        return [("database    not made yet: judge run makes it", False)]
    try:
        engine = open_engine(settings.store_url)
        migrate(engine)
        return _store(engine, settings)
    except (StoreError, OperationalError) as error:
        return [(f"database    NOT usable: {error}", False)]


def who_is_at_work(settings: Settings) -> list[Look]:
    """The daemon, and the processes beside it that decide nothing."""
    process = holder(settings.home / "judge.store.lock")
    hands = [] if _not_made_yet(settings) else _roll(settings)
    daemon = next((hand.where for hand in hands if hand.role == "daemon"), f"process {process}" if process else "")
    looks = [(f"daemon      {f'running ({daemon})' if daemon else 'NOT running: judge run starts it'}", bool(daemon))]
    looks += [(f"{hand.role:<11} {hand.where}", True) for hand in hands if hand.role != "daemon"]
    roles = {hand.role for hand in hands}
    if "courier" not in roles and not settings.smtp.courier:
        looks.append(("courier     NONE, and [smtp] courier = no: mails wait; judge courier sends them", False))
    if "painter" not in roles and not settings.painters:
        looks.append(("painter     NONE, and [maps] painters = 0: mails go without maps; judge painter draws", False))
    return looks


def _roll(settings: Settings) -> list[Hand]:
    try:
        return roll(open_engine(settings.store_url))
    except (StoreError, DBAPIError):
        return []  # what is wrong with the database is told below


def _not_made_yet(settings: Settings) -> bool:
    """Whether the database is SQLite, and without a file: then none must be made."""
    address = make_url(settings.store_url)
    return address.get_backend_name() == "sqlite" and not Path(address.database or "").exists()


def _mailbox(settings: Settings) -> Look:
    box = settings.mailbox
    try:
        with Mailbox(box) as mailbox:
            count = mailbox.count()
    except MailboxError as error:
        return f"mailbox     NOT reachable: {error}; [mailbox] in judge.ini says where it is", False
    return f"mailbox     reachable ({box.user} at {box.host}:{box.port}), {count} letters not yet fetched", True


def _mail_server(settings: Settings) -> Look:
    """Whether the judge can log in to the outgoing mail server; nothing is sent."""
    smtp = settings.smtp
    try:
        with closing(open_server(smtp, settings.address)):
            return f"mail server reachable ({smtp.host}:{smtp.port})", True
    except Unavailable as error:
        return f"mail server NOT usable: {error}; mails wait. If [smtp] is wrong, fix it and restart judge run", False


def _folders(settings: Settings) -> list[Path]:
    """The folders in which the judge writes, if they exist: its home, and the folder of SQLite's file."""
    address = make_url(settings.store_url)
    folders = [settings.home.resolve()]
    if address.get_backend_name() == "sqlite" and address.database:
        folders.append(Path(address.database).resolve().parent)
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _disk(folder: Path, least: float) -> Look:
    """Whether files can be written there, and whether `least` megabytes are free."""
    free = shutil.disk_usage(folder).free / MEGABYTE
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(TRIAL))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = f"nothing can be written ({error.strerror}); make room, or give the judge's user the folder"
        return f"disk        NOT usable: in {folder} {why}", False
    if free < least:
        return f"disk        NEARLY FULL: {free:.0f} MB free in {folder}, less than {least:.0f}; make room", False
    return f"disk        {free:.0f} MB free in {folder}", True


def _store(engine: Engine, settings: Settings) -> list[Look]:
    zone, now = settings.zone, datetime.now(UTC)
    with reading(engine) as session:
        waiting, aside, latest = inbox.waiting(session), inbox.shunted(session), inbox.latest(session)
        backlog, swept_at = outbox.backlog(session), outages.last_sweep(session)
        deadlines, held = games_by_deadline(session, NEXT_DEADLINES), held_phases(session)
    looks = [_sweep(settings, swept_at, now)]
    looks.append((f"letters     {waiting} waiting, {len(aside)} put aside", True))
    if latest:
        sender = latest.sender or "a letter not yet read"
        looks.append((f"last letter {when(latest.received_at, zone)} from {sender}", True))
    looks += _outbox(backlog, zone, now)
    for name, phase in deadlines:
        late = "  OVERDUE" if phase.due_at and phase.due_at < now else ""
        looks.append((f"deadline    {name} {phase.name}: {when(phase.deadline_at, zone)}{late}", True))
    looks += [(_held(name, phase, zone), False) for name, phase in held]
    for row in aside:
        again = f"judge replay {row.id} tries it again"
        looks.append((f"put aside   letter {row.id} from {row.sender or '?'}: {again}", False))
    return looks


def _sweep(settings: Settings, swept_at: datetime | None, now: datetime) -> Look:
    """Only this shows that a daemon is stuck or cannot write its results."""
    if swept_at is None:
        return "last sweep  none yet", True
    usual = timedelta(seconds=min(settings.mailbox.poll, settings.sweep)) + outages.PRECISION
    line = f"last sweep  {when(swept_at, settings.zone)}"
    if now - swept_at <= 2 * usual + STUCK:
        return line, True
    return f"{line}, TOO LONG AGO: the log says what the daemon waits for; restart judge run if it says nothing", False


def _outbox(backlog: outbox.Backlog, zone: str, now: datetime) -> list[Look]:
    since = f", the oldest since {when(backlog.oldest_at, zone)}" if backlog.oldest_at else ""
    counts = f"{backlog.waiting} waiting{since}, {backlog.deferred} tried before, {backlog.failed} given up"
    looks = [(f"outbox      {counts}", True)]
    if backlog.next_try_at and now - backlog.next_try_at > STALLED:
        since = when(backlog.next_try_at, zone)
        looks.append((f"outbox      STANDS STILL: a mail should have gone {since}; the log says why it has not", False))
    if backlog.failed:
        hint = "judge mails list shows them; then judge mails retry or dismiss"
        looks.append((f"given up    {backlog.failed}: {hint}", False))
    return looks


def _held(name: str, phase: Phase, zone: str) -> str:
    since = when(phase.held_since, zone) if phase.held_since else ""
    return f"HELD        {name} {phase.name} since {since}: the log has the traceback; judge games show {name}"
