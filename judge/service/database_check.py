"""The daily search for damage in SQLite's database file."""

import logging
import sqlite3
from contextlib import closing
from functools import partial
from time import monotonic

from sqlalchemy import Engine

from judge.service.threads import Loop
from judge.service.troubles import CHECK, TroubleFile

log = logging.getLogger(__name__)

# Seconds between the end of one check of the database and the next check.
EVERY = 86_400.0
# The number of steps after which SQLite asks whether to stop the check.
_STEPS = 10_000
# The maximum number of faults in one report.
_MOST_TOLD = 3


class DatabaseCheck(Loop):
    """Has SQLite search its file for damage (PRAGMA quick_check), at the start and every day.

    The check reads on a separate connection, so no writer waits. The check takes as long as reading the file, and about
    a second of processor time for a gigabyte. PostgreSQL has no such statement, but has a tool, pg_amcheck.
    """

    def __init__(self, engine: Engine, troubles: TroubleFile):
        super().__init__("database check", self.check, partial(troubles.note, CHECK))
        self._engine, self._troubles = engine, troubles

    def start(self) -> None:
        """Start the thread, if the database is a file of SQLite."""
        if self._engine.dialect.name == "sqlite":
            super().start()

    def check(self) -> float:
        """Search the file for damage, and record the result in the file of troubles.

        Returns the seconds until the next check.
        """
        began = monotonic()
        try:
            # Use a connection outside of the pool, so that no one waits for it when the check is stopped.
            with closing(sqlite3.connect(self._engine.url.database or "")) as connection:
                connection.set_progress_handler(self.stopping.is_set, _STEPS)
                found = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({_MOST_TOLD})")]
        except sqlite3.DatabaseError as error:
            found = [str(error)]
        if self.stopping.is_set():
            return EVERY
        if found == ["ok"]:
            self._troubles.note(CHECK)
            log.info("database checked, sound (%.1f s)", monotonic() - began)
        else:
            what = f"the database is damaged: {'; '.join(' '.join(line.split()) for line in found)}"
            self._troubles.note(CHECK, what)
            log.error("%s; to restore a backup, see docs/keeper.md", what)
        return EVERY
