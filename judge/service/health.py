"""Faults that the database cannot show: of the disk, the keeper's own files, the daemon's work, SQLite's file.

A database that is damaged or unreachable cannot say so itself, and a daemon that waits for it looks alive. So the
daemon writes what fails into a file that `judge status` reads: next to SQLite's (`judge.db.trouble`), otherwise in the
home (`judge.store.trouble`), as long as something is wrong.
"""

import json
import logging
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from judge.mails.custom_texts import template_faults
from judge.maps import NoGeometry
from judge.maps.borders import check_drawing
from judge.maps.geometry import read_geometry
from judge.rules import Variant
from judge.rules.variant.registry import GEOMETRY_FILE, own_variants
from judge.service.scheduler import Loop
from judge.settings import Settings

log = logging.getLogger(__name__)

# The parts of the daemon's work that may be in trouble.
LETTERS, MAILS, OLD_DATA, CHECK, MAILBOX = "letters and deadlines", "mails", "old data", "database check", "mailbox"
MEGABYTE = 1_000_000
# The most faults reported of one variant (`judge variants check` shows all), and of a database.
MOST_TOLD = 3
# The most addresses named on a line.
MOST_NAMED = 5
# Seconds between the end of a check of the database and the next.
EVERY = 86_400.0
# SQLite asks after this many steps whether the check is to be broken off.
_STEPS = 10_000


def disks(settings: Settings) -> list[tuple[Path, float]]:
    """Return the folders in which the judge writes, if they exist, with the megabytes that are free there."""
    folders = dict.fromkeys(folder.resolve() for folder in (settings.home, file_of(settings).parent))
    return [(folder, shutil.disk_usage(folder).free / MEGABYTE) for folder in folders if folder.is_dir()]


def faults(settings: Settings) -> Iterator[str]:
    """Yield a line for each fault of the keeper's templates and variants, with file and line.

    None of them stops the judge: it uses its own text in place of a faulty template, and plays no faulty variant.
    """
    if settings.templates:
        yield from (f"template {fault}; the judge uses its own" for fault in template_faults(settings.templates))
    if settings.variants and not settings.variants.is_dir():
        yield f"variants {settings.variants}: there is no folder of that name"
    for own in own_variants():
        for fault in own.faults[:MOST_TOLD]:
            yield f"variant {fault}; it cannot be played"
        if own.faults[MOST_TOLD:]:
            yield f"variant {own.folder}: {len(own.faults)} mistakes; for all: judge variants check {own.folder.name}"
        if own.variant and GEOMETRY_FILE in own.files:
            path = own.folder / GEOMETRY_FILE
            wrong = _drawn_wrong(own.variant, path)
            more = [f"and {len(wrong) - MOST_TOLD} more mistakes"] if wrong[MOST_TOLD:] else []
            for text in [*wrong[:MOST_TOLD], *more]:
                yield f"variant {path}: {text}; its maps may be missing or wrong"


@lru_cache(maxsize=64)
def _drawn_wrong(variant: Variant, path: Path) -> list[str]:
    """List how a drawing differs from its map. Files that were changed give another variant, which is compared anew."""
    try:
        return [fault.rstrip(".") for fault in check_drawing(variant, read_geometry(path)).faults]
    except NoGeometry as unusable:
        return [str(unusable).removeprefix(f"{path} ")]
    except Exception as error:
        return [f"cannot be used ({type(error).__name__}: {error})"]


def whose(counts: Mapping[str, int]) -> str:
    """Return the addresses that something waits for, each with its count."""
    named = [f"{address} ({count})" for address, count in counts.items()]
    more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    return ", ".join([*named[:MOST_NAMED], *more])


@dataclass(frozen=True)
class Trouble:
    """What is wrong, in words, and since when it has been so (RFC 3339)."""

    what: str
    since: str


class TroubleFile:
    """The file of one daemon; any thread may write.

    What an earlier run has left there stays until its part of the work succeeds. `found`: part of the work → what is
    wrong with it now.
    """

    def __init__(self, path: Path | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        """Read the file; without a path nothing is written."""
        self._path, self._now = path, now
        self._one_at_a_time = threading.Lock()
        self.found: Mapping[str, Trouble] = read_troubles(path) if path else {}

    def met(self, part: str, what: str) -> None:
        """Record that a part of the work fails; the moment at which that began is kept."""
        with self._one_at_a_time:
            known = self.found.get(part)
            since = known.since if known else self._now().isoformat(timespec="seconds")
            self._keep({**self.found, part: Trouble(what, since)})

    def over(self, part: str) -> None:
        """Record that a part of the work has succeeded."""
        with self._one_at_a_time:
            self._keep({other: trouble for other, trouble in self.found.items() if other != part})

    def _keep(self, found: Mapping[str, Trouble]) -> None:
        """Replace the file as a whole, or remove it, since others may be reading it."""
        if found == self.found:
            return
        self.found = found
        if not self._path:
            return
        try:
            new = self._path.with_name(f"{self._path.name}.new")
            with open(new, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                json.dump({part: asdict(trouble) for part, trouble in found.items()}, file, indent=1)
            new.replace(self._path)
            if not found:
                self._path.unlink()
        except OSError as error:
            log.error("%s cannot be written: %s", self._path, error.strerror)


def file_of(settings: Settings) -> Path:
    """Return the file into which the daemon with these settings writes what is wrong."""
    address = make_url(settings.store_url)
    if address.get_backend_name() == "sqlite" and address.database:
        return Path(f"{Path(address.database).resolve()}.trouble")
    return settings.home / "judge.store.trouble"


def read_troubles(path: Path) -> dict[str, Trouble]:
    """Return what is wrong with each part of the work; a file that cannot be read is a trouble itself."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return {str(part): Trouble(str(one["what"]), str(one["since"])) for part, one in told.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return {"trouble file": Trouble(f"{path} cannot be read ({type(error).__name__})", "")}


class DatabaseCheck(Loop):
    """Has SQLite search its whole file for damage (PRAGMA quick_check), at the start and every day.

    It reads on a connection of its own, so no writer waits. That takes as long as the disk takes to read the file, and
    about a second of processor time for a gigabyte. PostgreSQL has no such statement; its keeper has pg_amcheck.
    """

    def __init__(self, engine: Engine, troubles: TroubleFile):
        """Keep what to check; nothing is started yet."""
        super().__init__("database check", self._step_daily, partial(troubles.met, CHECK))
        self._engine, self._troubles = engine, troubles

    def start(self) -> None:
        """Start the thread, if the database is a file of SQLite."""
        if self._engine.dialect.name == "sqlite":
            super().start()

    def stop(self) -> None:
        """Break off a check that is running, and end the thread."""
        super().stop()
        if self.is_alive():
            self.join()

    def _step_daily(self) -> float:
        self.check()
        return EVERY

    def check(self) -> None:
        """Search the file; what is found is a trouble until a check finds nothing."""
        began = time.monotonic()
        try:
            # A connection outside of the pool: no one else waits for it when it is broken off.
            with closing(sqlite3.connect(self._engine.url.database or "")) as connection:
                connection.set_progress_handler(self.stopping.is_set, _STEPS)
                found = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({MOST_TOLD})")]
        except sqlite3.DatabaseError as error:
            found = [str(error)]
        if self.stopping.is_set():
            return
        if found == ["ok"]:
            self._troubles.over(CHECK)
            log.info("database checked, sound (%.1f s)", time.monotonic() - began)
            return
        what = f"the database is damaged: {'; '.join(' '.join(line.split()) for line in found)}"
        self._troubles.met(CHECK, what)
        log.error("%s; to restore a backup, see docs/keeper.md", what)
