"""What the keeper asks from the shell: `judge status` and `judge replay`."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from judge.folders import faults
from judge.letters.mailbox import Mailbox, MailboxError
from judge.lock import holder
from judge.mails.templates import when
from judge.rules import open_library
from judge.settings import Settings
from judge.store import inbox, outbox
from judge.store.engine import StoreError, migrate, open_engine, reading, transaction
from judge.store.lookups import games_by_deadline
from judge.store.tables import LetterRow

NEXT_DEADLINES = 5


def report(settings: Settings) -> int:
    """Print how the judge is doing; 0 when nothing needs the keeper, else 1."""
    store_lines, store_well = _look_into_store(settings)
    process = holder(settings.home / "judge.lock")
    mailbox_line, mailbox_well = _mailbox(settings)
    open_library(settings.variants, settings.editions)
    unusable = faults(settings)
    print(f"judge       {settings.code} <{settings.address}>")
    print(f"daemon      running (process {process})" if process else "daemon      NOT running")
    print(mailbox_line)
    print("\n".join([*store_lines, *(f"mend        {line}" for line in unusable)]))
    return 0 if process and mailbox_well and store_well and not unusable else 1


def replay(settings: Settings, letter_id: int) -> int:
    """Give a shunted letter its turn again; the daemon takes it up at its next sweep."""
    engine = open_engine(settings.store_url)
    migrate(engine)
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
    """Why a letter is not replayed: what has become of it."""
    became = f"{row.state} since {when(row.done_at, zone)}" if row.done_at else "waiting for its turn"
    return f"Letter {row.id} from {row.sender or '?'}, received {when(row.received_at, zone)}, is {became}."


def _look_into_store(settings: Settings) -> tuple[list[str], bool]:
    """What the database tells; to look must not make one."""
    address = make_url(settings.store_url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
        return ["database    not made yet: judge run makes it"], False
    try:
        engine = open_engine(settings.store_url)
        migrate(engine)
        return _store(engine, settings)
    except (StoreError, OperationalError) as error:
        return [f"database    NOT usable: {error}"], False


def _mailbox(settings: Settings) -> tuple[str, bool]:
    box = settings.mailbox
    try:
        with Mailbox.of(box) as mailbox:
            count = mailbox.count()
    except MailboxError as error:
        return f"mailbox     NOT reachable: {error}", False
    return f"mailbox     reachable ({box.user} at {box.host}:{box.port}), {count} letters not yet fetched", True


def _store(engine: Engine, settings: Settings) -> tuple[list[str], bool]:
    zone = settings.zone
    with reading(engine) as session:
        waiting, aside, latest = inbox.waiting(session), inbox.shunted(session), inbox.latest(session)
        backlog = outbox.backlog(session)
        deadlines = games_by_deadline(session, NEXT_DEADLINES)
    lines = [f"letters     {waiting} waiting, {len(aside)} put aside"]
    if latest:
        lines.append(f"last letter {when(latest.received_at, zone)} from {latest.sender or 'a letter not yet read'}")
    since = f", the oldest since {when(backlog.oldest_at, zone)}" if backlog.oldest_at else ""
    lines.append(
        f"outbox      {backlog.waiting} waiting{since}, {backlog.deferred} tried before, {backlog.failed} given up"
    )
    now = datetime.now(UTC)
    for name, phase in deadlines:
        late = "  OVERDUE" if phase.due_at and phase.due_at < now else ""
        lines.append(f"deadline    {name} {phase.name}: {when(phase.deadline_at, zone)}{late}")
    for row in aside:
        lines.append(f"put aside   letter {row.id} from {row.sender or '?'}: judge replay {row.id} tries it again")
    return lines, not aside and not backlog.failed
