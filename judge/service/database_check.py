"""The thread that has SQLite look through its whole file for damage (PRAGMA quick_check), at the start and every day.

It reads on a connection of its own and makes no writer wait; that takes as long as the disk takes to read the file, and
about a second of the processor for a gigabyte. PostgreSQL has no such statement; its keeper has pg_amcheck.
"""

import logging
import sqlite3
import threading
import time
from contextlib import closing
from typing import Any

from sqlalchemy import Engine

from judge.service.troubles import CHECK, TroubleFile

log = logging.getLogger(__name__)

EVERY = 86_400.0  # seconds between the end of a check and the next
# How many faults are told.
MOST = 3


class DatabaseCheck:
    """`start` begins to check now and then; `check` checks once."""

    def __init__(self, engine: Engine, troubles: TroubleFile):
        self._engine, self._troubles = engine, troubles
        self._stopping = threading.Event()
        self._connection: Any = None
        self._thread = threading.Thread(target=self._run, name="database check", daemon=True)

    def start(self) -> None:
        """Begin to check; nothing for a database that is not a file of SQLite."""
        if self._engine.dialect.name == "sqlite":
            self._thread.start()

    def stop(self) -> None:
        """Break the check off, if one is going on, and begin no more."""
        self._stopping.set()
        if self._thread.is_alive():
            connection = self._connection
            if connection is not None:
                connection.interrupt()
            self._thread.join()

    def check(self) -> None:
        """Look through the file; what is found is a trouble until a check finds nothing."""
        began = time.monotonic()
        # A connection of its own, outside of the pool: nobody else is waiting for it when it is interrupted.
        with closing(sqlite3.connect(self._engine.url.database or ":memory:", check_same_thread=False)) as connection:
            self._connection = connection
            try:
                found = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({MOST})")]
            except sqlite3.DatabaseError as error:
                if self._stopping.is_set():
                    return
                found = [str(error)]
            finally:
                self._connection = None
        if found == ["ok"]:
            self._troubles.over(CHECK)
            log.info("database checked, sound (%.1f s)", time.monotonic() - began)
            return
        what = f"the database is damaged: {'; '.join(' '.join(line.split()) for line in found)}"
        self._troubles.met(CHECK, what)
        log.error("%s; docs/keeper.md says how to restore a backup", what)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.check()
            except Exception:  # the thread must not end
                log.exception("the database cannot be checked")
            self._stopping.wait(EVERY)
