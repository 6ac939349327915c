"""`judge recover`: after a backup was restored, letters that came later are read from where they were filed away.

The judge files a letter away as soon as it is stored, and never looks at it there again: a database from before that
moment knows nothing of it. What the database does know is recognised by its fingerprint, so that nothing takes effect
twice, however far back the keeper goes.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Engine

from judge.letters.imap import Fetched
from judge.letters.mailbox import FiledLetters, MailboxError
from judge.letters.sandbox import sandboxed_fingerprints
from judge.settings import Settings
from judge.shell.calling import Refused
from judge.shell.database import for_keepers, opened
from judge.store import inbox
from judge.store.engine import reading, transaction

# A letter may have waited, and the mail server's clock and calendar may differ from ours.
MARGIN = timedelta(days=1)


@for_keepers
def recover(settings: Settings, since: str) -> int:
    """Store the letters that came since then (in the judge's zone, unless it names its own) and that the database
    lacks; returns 0, or 2 if that cannot be done.
    """
    if not settings.mailbox.host:
        raise Refused("there is no [mailbox] in judge.ini, where letters would have been filed away", 2)
    try:
        moment = datetime.fromisoformat(since)
    except ValueError:
        raise Refused(f"--since {since}: write a date or a time, such as 2026-11-20 or 2026-11-20T04:00", 2) from None
    engine = opened(settings)
    first_day = _first_day(engine, moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(settings.zone)))
    found = new = 0
    try:
        with FiledLetters(settings.mailbox) as filed:
            for batch in filed.since(first_day):
                found += len(batch)
                new += _keep(engine, batch)
            unread = sum(map(len, filed.withheld.at_last_look.values()))
    except MailboxError as error:
        raise Refused(error, 2) from error
    print(
        f"Letters that came since {first_day} and were filed away: {found}. "
        f"New to the database: {new}; judge run handles them in the order in which they came."
    )
    if unread:
        print(f"Listed there, but not handed out by the mail server: {unread}. Run judge recover again later.")
    return 0


def _first_day(engine: Engine, since: datetime) -> date:
    """Letters that had come before the database's last look through the mailbox are in it."""
    with reading(engine) as session:
        swept_at = inbox.last_sweep(session)
    return (min(since, swept_at or since) - MARGIN).astimezone(UTC).date()


def _keep(engine: Engine, batch: Sequence[Fetched]) -> int:
    """Store those that are new; how many these are."""
    raws = [letter.raw for letter in batch]
    # Read elsewhere: one of them may have put an end to a daemon. Without a fingerprint it is known by its bytes.
    found = sandboxed_fingerprints(raws)
    names = {raw: name or hashlib.sha256(raw).hexdigest() for raw, name in zip(raws, found, strict=True)}
    with transaction(engine) as session:
        return len(inbox.keep(session, batch, lambda letter: names[letter.raw], now=datetime.now(UTC)))
