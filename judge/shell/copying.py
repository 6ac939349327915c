"""`judge copy`: all rows of a judge's database copied into another one, from SQLite to PostgreSQL or back.

The daemon must not run, and the other database must hold no rows: nothing is merged.
"""

import sys

from sqlalchemy.exc import DBAPIError

from judge.settings import Settings
from judge.shell.database import refuse_missing
from judge.store.engine import StoreError, in_words, open_engine, shown
from judge.store.export import copy_rows
from judge.store.guard import guard_of
from judge.store.locks import AlreadyRunning
from judge.store.schema import migrate


def copy(settings: Settings, to: str) -> int:
    """Copy everything into the database `to`; returns 0, or 1 if that could not be done and nothing was copied."""
    try:
        refuse_missing(settings)
        source, target = open_engine(settings.store_url), open_engine(to)
        guard = guard_of(source)
        guard.take()
        try:
            migrate(source)
            migrate(target)
            counts = copy_rows(source, target)
        finally:
            guard.release()
    except (StoreError, AlreadyRunning) as error:
        return _refused(str(error))
    except DBAPIError as error:
        return _refused(in_words(error))
    print("\n".join(f"{name:<16} {count}" for name, count in counts.items() if count))
    print(f"Copied. [store] url = {shown(target.url)} uses it from the next start on.")
    return 0


def _refused(why: str) -> int:
    print(f"judge: {why}", file=sys.stderr)
    return 1
