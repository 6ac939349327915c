"""What the keeper asks from the shell: `judge status` and `judge replay`."""

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from json import dumps
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from judge import __version__
from judge.games.people.bounces import in_words
from judge.letters.mailbox import Mailbox, MailboxError
from judge.mails.smtp import Unavailable, open_server
from judge.mails.templates import when
from judge.rules import open_catalogue
from judge.service.keeper_folders import faults
from judge.service.troubles import file_of, read
from judge.settings import IntakeSettings, Settings
from judge.shell.database import is_not_made_yet, opened
from judge.shell.looks import Look, all_well, as_json, lines
from judge.shell.mails import IN_WORDS
from judge.store import bounces, inbox, outages, outbox, reply_counts, stats
from judge.store.engine import StoreError, open_engine, reading, transaction
from judge.store.games import games_by_deadline, held_phases
from judge.store.locks import holder
from judge.store.states import MailKind, WaitingFor
from judge.store.tables import BouncedAddress, LetterRow, Phase
from judge.store.workers import AtWork, roll

NEXT_DEADLINES = 5
# How much longer than usual a sweep may take, while many phases are adjudicated.
STUCK = timedelta(minutes=10)
# How long a mail that is due may wait: for its picture, or for many other mails.
STALLED = timedelta(minutes=30)
MEGABYTE = 1_000_000
# How many bytes are written to test whether writing works.
TRIAL = 65_536

def report(settings: Settings, *, json: bool = False) -> int:
    """Print the state of the judge, and for each problem what to do; returns 0 if the keeper need not do anything.

    `json`: as one JSON object, with the numbers of judge/store/stats.py.
    """
    open_catalogue(settings.variants, settings.editions)
    looks = [
        *who_is_at_work(settings),
        *_ways_in(settings),
        _mail_server(settings),
        *disks(settings),
        *troubles_told(settings),
        *_look_into_store(settings),
        *[Look("mend", fault, False) for fault in faults(settings)],
    ]
    if json:
        print(dumps(_as_object(settings, looks), indent=1))
    else:
        print(lines([Look("judge", f"{settings.code} <{settings.address}>"), *looks]))
    return 0 if all_well(looks) else 1


def _as_object(settings: Settings, looks: Sequence[Look]) -> dict[str, object]:
    return {
        "judge": settings.code,
        "address": settings.address,
        "version": __version__,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "well": all_well(looks),
        "looks": as_json(looks),
        "census": _census(settings),
    }


def _census(settings: Settings) -> dict[str, object] | None:
    """None if the database cannot be read: a look says why."""
    if is_not_made_yet(settings):
        return None
    try:
        with reading(open_engine(settings.store_url)) as session:
            return stats.take(session).as_json()
    except (StoreError, DBAPIError):
        return None


def replay(settings: Settings, letter_id: int) -> int:
    """Give a shunted letter its turn again; the daemon handles it at its next sweep."""
    try:
        engine = opened(settings)
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
    if is_not_made_yet(settings):
        return [Look("database", "not made yet: judge run makes it", False)]
    try:
        engine = opened(settings)
        return _store(engine, settings)
    except (StoreError, OperationalError) as error:
        return [Look("database", f"NOT usable: {error}", False)]


def who_is_at_work(settings: Settings) -> list[Look]:
    """The daemon, and the processes beside it that decide nothing."""
    process = holder(settings.home / "judge.store.lock")
    hands = [] if is_not_made_yet(settings) else _roll(settings)
    daemon = next((hand.where for hand in hands if hand.role == "daemon"), f"process {process}" if process else "")
    said = f"running ({daemon})" if daemon else "NOT running: judge run starts it"
    looks = [Look("daemon", said, bool(daemon))]
    looks += [Look(hand.role, hand.where) for hand in hands if hand.role != "daemon"]
    roles = {hand.role for hand in hands}
    if "worker" not in roles and not settings.smtp.courier:
        looks.append(Look("worker", "NONE, and [smtp] courier = no: mails wait; judge worker sends them", False))
    if "worker" not in roles and not settings.painters:
        none = "NONE, and [maps] painters = 0: mails go without maps; judge worker draws"
        looks.append(Look("worker", none, False))
    return looks


def _roll(settings: Settings) -> list[AtWork]:
    try:
        return roll(open_engine(settings.store_url))
    except (StoreError, DBAPIError):
        return []  # what is wrong with the database is told below


def _ways_in(settings: Settings) -> list[Look]:
    """The mailbox, and where a mail server hands letters in; there is one of them at least."""
    looks = [_mailbox(settings)] if settings.mailbox.host else []
    return [*looks, letterbox(settings.intake)] if settings.intake.protocol != "none" else looks


def letterbox(intake: IntakeSettings) -> Look:
    """Whether the judge listens for letters that are handed in."""
    where = f"{intake.protocol}://{intake.host}:{intake.port}"
    try:
        with socket.create_connection((intake.host, intake.port), timeout=5):
            return Look("letterbox", f"open at {where}", True)
    except OSError as error:
        why = error.strerror or error
        said = f"NOT open at {where}: {why}; judge run opens it, and its log says why if it cannot"
        return Look("letterbox", said, False)


def _mailbox(settings: Settings) -> Look:
    box = settings.mailbox
    try:
        with Mailbox(box) as mailbox:
            count = mailbox.count()
    except MailboxError as error:
        return Look("mailbox", f"NOT reachable: {error}; [mailbox] in judge.ini says where it is", False)
    return Look("mailbox", f"reachable ({box.user} at {box.host}:{box.port}), {count} letters not yet fetched")


def _mail_server(settings: Settings) -> Look:
    """Whether the judge can log in to the outgoing mail server; nothing is sent."""
    smtp = settings.smtp
    try:
        with closing(open_server(smtp, settings.address)):
            return Look("mail server", f"reachable ({smtp.host}:{smtp.port})")
    except Unavailable as error:
        wait = "mails wait. If [smtp] is wrong, fix it and restart judge run"
        return Look("mail server", f"NOT usable: {error}; {wait}", False)


def troubles_told(settings: Settings) -> list[Look]:
    """What the daemon has written beside the database about its own work."""
    found = read(file_of(settings))
    to_do = "the log of judge run says more; docs/keeper.md says what to do (TROUBLE)"
    return [
        Look("TROUBLE", f"{part}: {one.what}{f', since {_read_time(one.since, settings.zone)}' * bool(one.since)}",
             False, to_do)
        for part, one in found.items()
    ]  # fmt: skip


def _read_time(written: str, zone: str) -> str:
    try:
        return when(datetime.fromisoformat(written), zone)
    except ValueError:
        return "an unknown time"


def disks(settings: Settings) -> list[Look]:
    """Whether there is room where the judge writes."""
    return [_disk(folder, settings.least_space) for folder in _folders(settings)]


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
        return Look("disk", f"NOT usable: in {folder} {why}", False)
    if free < least:
        return Look("disk", f"NEARLY FULL: {free:.0f} MB free in {folder}, less than {least:.0f}; make room", False)
    return Look("disk", f"{free:.0f} MB free in {folder}")


def _store(engine: Engine, settings: Settings) -> list[Look]:
    zone, now = settings.zone, datetime.now(UTC)
    with reading(engine) as session:
        waiting, aside, latest = inbox.waiting(session), inbox.shunted(session), inbox.latest(session)
        backlog, reasons, swept_at = outbox.backlog(session), outbox.reasons(session), outages.last_sweep(session)
        deadlines, held = games_by_deadline(session, NEXT_DEADLINES), held_phases(session)
        withheld = [(row, bounces.withheld(session, row)) for row in bounces.dead_rows(session)]
        answers = reply_counts.waiting(session)
        ignored, last_ignored = inbox.count_ignored(session), inbox.latest_ignored(session, 1)
    looks = [_sweep(settings, swept_at, now)]
    looks.append(Look("letters", f"{waiting} waiting, {len(aside)} put aside"))
    if latest:
        sender = latest.sender or "a letter not yet read"
        looks.append(Look("last letter", f"{when(latest.received_at, zone)} from {sender}"))
    looks += [_ignored(ignored, letter, zone) for letter in last_ignored]
    looks += _outbox(backlog, reasons, zone, now)
    if answers:
        looks.append(Look("answers", f"{answers} waiting, since there were too many within an hour ([limits])"))
    looks += [_dead(row, kinds, zone) for row, kinds in withheld]
    for name, phase in deadlines:
        late = "  OVERDUE" if phase.due_at and phase.due_at < now else ""
        looks.append(Look("deadline", f"{name} {phase.name}: {when(phase.deadline_at, zone)}{late}"))
    looks += [_held(name, phase, zone) for name, phase in held]
    for row in aside:
        again = f"judge replay {row.id} tries it again"
        looks.append(Look("put aside", f"letter {row.id} from {row.sender or '?'}: {again}", False))
    return looks


def _ignored(count: int, latest: LetterRow, zone: str) -> Look:
    """How many letters of known people were ignored; most are absence notes, so that alone needs nobody."""
    last = f"the last {when(latest.received_at, zone)} from {latest.sender}: {latest.error}"
    return Look("ignored", f"{count} email{'s' * (count > 1)} from known people, {last}")


def _sweep(settings: Settings, swept_at: datetime | None, now: datetime) -> Look:
    """Only this shows that a daemon is stuck or cannot write its results."""
    if swept_at is None:
        return Look("last sweep", "none yet")
    usual = timedelta(seconds=min(settings.mailbox.poll, settings.sweep)) + outages.PRECISION
    at = when(swept_at, settings.zone)
    if now - swept_at <= 2 * usual + STUCK:
        return Look("last sweep", at)
    stuck = f"{at}, TOO LONG AGO: the log says what the daemon waits for; restart judge run if it says nothing"
    return Look("last sweep", stuck, False)


def _outbox(backlog: outbox.Backlog, reasons: Mapping[WaitingFor, int], zone: str, now: datetime) -> list[Look]:
    since = f", the oldest since {when(backlog.oldest_at, zone)}" if backlog.oldest_at else ""
    counts = f"{backlog.waiting} waiting{since}, {backlog.deferred} tried before, {backlog.failed} given up"
    looks = [Look("outbox", counts)]
    if reasons:
        why = ", ".join(f"{count} for {IN_WORDS[reason]}" for reason, count in reasons.items())
        looks.append(Look("waiting", f"{why}; judge mails list --waiting shows them"))
    if backlog.next_try_at and now - backlog.next_try_at > STALLED:
        since = when(backlog.next_try_at, zone)
        stands = f"STANDS STILL: a mail should have gone {since}; the log says why it has not"
        looks.append(Look("outbox", stands, False))
    if backlog.failed:
        hint = "judge mails list shows them; then judge mails retry or dismiss"
        looks.append(Look("given up", f"{backlog.failed}: {hint}", False))
    return looks


def _dead(row: BouncedAddress, kinds: Mapping[MailKind, int], zone: str) -> Look:
    """An address from which mails come back; the keeper may dismiss it, and then it is only shown."""
    since = f" since {when(row.dead_since, zone)}" if row.dead_since else ""
    says = f"mails to {row.address} come back{since} ({row.reason}); withheld: {in_words(kinds) or 'none'}"
    is_well = row.dismissed_at is not None or not kinds
    what_now = "" if is_well else f"; judge mails retry {row.address} sends them, judge mails dismiss ends this line"
    return Look("withheld", f"{says}{what_now}", is_well)


def _held(name: str, phase: Phase, zone: str) -> Look:
    since = when(phase.held_since, zone) if phase.held_since else ""
    told = f"{name} {phase.name} since {since}: the log has the traceback; judge games show {name}"
    return Look("HELD", told, False)
