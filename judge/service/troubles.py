"""The file in which the daemon records each fault of its work, for as long as the fault lasts.

A damaged or unreachable database cannot report its own state, and a daemon that waits for it looks alive. So `judge
status` reads this file. It is next to SQLite's file (`judge.db.trouble`), or in the home folder
(`judge.store.trouble`).
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter
from sqlalchemy.engine import make_url

from judge.letters.imap import WRONG_PASSWORD
from judge.settings import Settings

log = logging.getLogger(__name__)

# The parts of the daemon's work whose troubles are recorded.
LETTERS, MAILS, OLD_DATA, CHECK, MAILBOX = "letters and deadlines", "mails", "old data", "database check", "mailbox"
FILING, LOGIN = "filing", "login"
# What the keeper can do about each trouble with the mailbox.
TO_DO = {
    MAILBOX: "open the mailbox with a mail program, and see docs/keeper.md",
    FILING: "make room in the mailbox, or set [mailbox] processed to a folder that accepts emails",
    LOGIN: WRONG_PASSWORD.format(section="mailbox"),
}
_UNREADABLE = "trouble file"


@dataclass(frozen=True)
class Trouble:
    """A fault as a sentence, and when it began (None if that is unknown)."""

    what: str
    since: datetime | None


# The content of the file, which has a trouble for each part of the work.
_CONTENT = TypeAdapter(dict[str, Trouble])


class TroubleFile:
    """The trouble file of one daemon, in which any thread may write.

    A trouble from an earlier run stays in the file until its part of the work succeeds. `found` has the current trouble
    of each part of the work.
    """

    def __init__(self, path: Path | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        """Read the file.

        Without a path, nothing is read or written.
        """
        self._path, self._now = path, now
        self._one_at_a_time = threading.Lock()
        self.found = read_troubles(path) if path else {}
        self.note(_UNREADABLE)

    def note(self, part: str, what: str = "") -> None:
        """Record the fault `what` of a part of the work, or "" if the part works.

        A fault that was recorded before keeps its starting time.
        """
        with self._one_at_a_time:
            found = dict(self.found)
            known = found.pop(part, None)
            if what:
                found[part] = Trouble(what, known.since if known else self._now().replace(microsecond=0))
            if found != self.found:
                self.found = found
                self._write()

    def _write(self) -> None:
        """Replace the file as a whole, since other processes may be reading it.

        Without troubles, there is no file.
        """
        if not self._path:
            return
        try:
            new = self._path.with_name(f"{self._path.name}.new")
            new.touch(0o600)
            new.write_bytes(_CONTENT.dump_json(self.found, indent=1))
            new.replace(self._path)
            if not self.found:
                self._path.unlink()
        except OSError as error:
            log.error("%s cannot be written: %s", self._path, error.strerror)


def file_of(settings: Settings) -> Path:
    """Return the file in which the daemon with these settings records its troubles."""
    address = make_url(settings.store_url)
    if address.get_backend_name() == "sqlite" and address.database:
        return Path(f"{Path(address.database).resolve()}.trouble")
    return settings.home / "judge.store.trouble"


def read_troubles(path: Path) -> dict[str, Trouble]:
    """Return the trouble of each part of the work.

    A file that cannot be read is itself a trouble.
    """
    try:
        return _CONTENT.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        return {_UNREADABLE: Trouble(f"{path} cannot be read ({type(error).__name__})", None)}
