"""What is wrong with the daemon's work now, told outside of the database: a file that `judge status` reads.

A database that is damaged or out of reach cannot say so itself, and a daemon that waits for it looks alive. The file is
beside SQLite's (`judge.db.trouble`), else in the home (`judge.store.trouble`), as long as something is wrong.
"""

import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from judge.settings import Settings

log = logging.getLogger(__name__)

# The parts of the daemon's work that may be in trouble.
LETTERS, MAILS, OLD_DATA, CHECK, MAILBOX = "letters and deadlines", "mails", "old data", "database check", "mailbox"


@dataclass(frozen=True)
class Trouble:
    """`what` is wrong, in words; `since`: when it was first met, in RFC 3339."""

    what: str
    since: str


class TroubleFile:
    """The file of one daemon; any thread may write. What an earlier run has left there is kept until its part of the
    work succeeds. `path` None: nothing is written.
    """

    def __init__(self, path: Path | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._path, self._now = path, now
        self._one_at_a_time = threading.Lock()
        self._found = dict(read(path)) if path else {}

    @property
    def found(self) -> Mapping[str, Trouble]:
        """{part: what is wrong with it now}."""
        with self._one_at_a_time:
            return dict(self._found)

    def met(self, part: str, what: str) -> None:
        """That part of the work does not succeed. As long as it lasts, the moment is kept at which that began."""
        with self._one_at_a_time:
            known = self._found.get(part)
            since = known.since if known else self._now().isoformat(timespec="seconds")
            if known != Trouble(what, since):
                self._found[part] = Trouble(what, since)
                self._write()

    def over(self, part: str) -> None:
        """That part of the work has succeeded."""
        with self._one_at_a_time:
            if self._found.pop(part, None):
                self._write()

    def _write(self) -> None:
        """Replace the file, or remove it: whoever reads it meanwhile finds a whole one."""
        if self._path is None:
            return
        try:
            if not self._found:
                self._path.unlink(missing_ok=True)
                return
            new = self._path.with_name(f"{self._path.name}.new")
            text = json.dumps({part: asdict(one) for part, one in self._found.items()}, indent=1)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                file.write(f"{text}\n")
            new.replace(self._path)
        except OSError as error:
            log.error("%s cannot be written: %s", self._path, error.strerror)


def file_of(settings: Settings) -> Path:
    """Where the daemon with these settings writes what is wrong."""
    address = make_url(settings.store_url)
    if address.get_backend_name() == "sqlite" and address.database:
        database = Path(address.database).resolve()
        return database.with_name(f"{database.name}.trouble")
    return settings.home / "judge.store.trouble"


def read(path: Path) -> dict[str, Trouble]:
    """{part: what is wrong with it}; a file that cannot be read is a trouble itself."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return {str(part): Trouble(str(one["what"]), str(one["since"])) for part, one in told.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return {"trouble file": Trouble(f"{path} cannot be read ({type(error).__name__})", "")}
