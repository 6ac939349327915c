"""Stores incoming letters under their fingerprints; no letter can crash the daemon twice.

To get its fingerprint a letter must be read, so there is a time limit here too. A letter that ends the process must not
do so twice, but after a kill -9 the letter is not the cause. So after an unclean end the letters that were in flight,
and those of the next sweep, are first read in a separate process, and only a letter that cannot be read within its
limits is set aside.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine

from judge.commands.handler import fingerprint_of
from judge.letters.imap import Fetched
from judge.letters.sandbox import sandboxed_fingerprints
from judge.store import inbox
from judge.store.engine import reading, transaction
from judge.store.rows import id_of
from judge.time_limit import TakesTooLong, time_limit

# Processor time for one letter: a letter with orders takes milliseconds, the longest accepted letter some seconds.
LETTER_SECONDS = 5.0

# What is recorded of letters that are being fetched and have no ids yet.
ARRIVING = "arriving"


class InFlight:
    """The letters that the daemon is working on, recorded in its home in case it ends uncleanly.

    A letter stays recorded until the next one is, or the daemon ends: what was answered is not looked at again.

    letter_ids: those that were in flight when the last daemon ended. may_arrive: whether letters were being fetched
    then, which had no ids yet.
    """

    def __init__(self, home: Path):
        """Read what the last daemon has left."""
        self._file = home / "letters-in-hand"
        left = self._file.read_text().split() if self._file.exists() else []
        self.may_arrive = ARRIVING in left
        self.letter_ids = {int(word) for word in left if word.isdigit()}

    def record(self, *what: int | str) -> None:
        """Record what is read next, if anything: letters by their ids, or ARRIVING.

        Not synced, since a power cut is no letter's fault. If it cannot be written, letters are read all the same.
        """
        text = " ".join(map(str, [*what, *self.letter_ids]))
        with suppress(OSError):
            self._file.write_text(text) if text else self._file.unlink(missing_ok=True)


def store(engine: Engine, batch: Sequence[Fetched], fingerprints: Sequence[str | None], now: datetime) -> list[int]:
    """Store the letters under their fingerprints; return the ids of those that are new.

    A letter that must not be read has none, and is known by the digest of its bytes.
    """
    named = zip(batch, fingerprints, strict=True)
    names = {letter.raw: name or hashlib.sha256(letter.raw).hexdigest() for letter, name in named}
    with transaction(engine) as session:
        return inbox.keep(session, batch, lambda letter: names[letter.raw], now=now)


@dataclass
class Ingest:
    """Stores letters in the database, and reads those in a sandbox that may have ended a daemon.

    put_aside: is called with the id of a letter that must not be read. gives_up: whether the daemon is to end at once;
    then GivenUp is raised, and the next daemon reads the letters in flight in a sandbox.
    """

    engine: Engine
    in_flight: InFlight
    put_aside: Callable[[int], None]
    gives_up: Callable[[], bool] = lambda: False

    def keep(self, batch: Sequence[Fetched], now: datetime) -> list[int]:
        """Store the letters; return the ids of those that are new."""
        self.in_flight.record(ARRIVING)
        if self.in_flight.may_arrive:
            found = self._alone([letter.raw for letter in batch])
        else:
            found = [self._in_time(letter) for letter in batch]
        new = store(self.engine, batch, found, now)
        self.in_flight.may_arrive = False
        if None in found:
            self.in_flight.letter_ids.update(new)
        self.in_flight.record()
        self.examine()
        return new

    def examine(self) -> None:
        """Try the letters that were in flight: those that can be read are cleared, the others are set aside."""
        if not self.in_flight.letter_ids:
            return
        with reading(self.engine) as session:
            rows = [row for row in inbox.those(session, self.in_flight.letter_ids) if row.state == "new"]
        found = self._alone([row.raw for row in rows])
        for row, name in zip(rows, found, strict=True):
            if name is None:
                self.put_aside(id_of(row))
        self.in_flight.letter_ids.clear()
        self.in_flight.record()

    def _alone(self, letters: Sequence[bytes]) -> list[str | None]:
        with time_limit(gives_up=self.gives_up):
            return sandboxed_fingerprints(letters)

    def _in_time(self, letter: Fetched) -> str | None:
        try:
            with time_limit(LETTER_SECONDS, self.gives_up):
                return fingerprint_of(letter)
        except TakesTooLong:
            return None
