"""`judge copy`: all rows of a judge's database copied into another one, from SQLite to PostgreSQL or back.

The daemon must not run, and the other database must hold no rows: nothing is merged.
"""

from judge.settings import Settings
from judge.shell.calling import Refused
from judge.shell.database import for_keepers, opened
from judge.store.engine import StoreError, open_engine, shown
from judge.store.export import copy_rows
from judge.store.locks import AlreadyRunning, daemon_lock_of
from judge.store.schema import migrate


@for_keepers
def copy(settings: Settings, to: str) -> int:
    """Copy everything into the database `to`; returns 0, or 1 if that could not be done and nothing was copied."""
    try:
        source, target = opened(settings), open_engine(to)
        guard = daemon_lock_of(source)
        guard.take()
        try:
            migrate(target)
            counts = copy_rows(source, target)
        finally:
            guard.release()
    except (StoreError, AlreadyRunning) as error:
        raise Refused(error) from error
    print("\n".join(f"{name:<16} {count}" for name, count in counts.items() if count))
    print(f"Copied. [store] url = {shown(target.url)} uses it from the next start on.")
    return 0
