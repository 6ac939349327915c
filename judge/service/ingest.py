"""Stores incoming letters under their fingerprints; no letter can crash the daemon twice.

To get its fingerprint a letter must be read, so there is a time limit here too. A letter that ends the process must not
do so twice, but after a kill -9 the letter is not the cause. So after an unclean end the letters that were in flight,
and those of the next sweep, are first read in a separate process, and only a letter that cannot be read within its
limits is set aside.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine

from judge.letters.imap import Fetched
from judge.letters.sandbox import sandboxed_fingerprints
from judge.store import inbox
from judge.store.engine import reading, transaction
from judge.store.rows import id_of
from judge.time_limit import TakesTooLong, time_limit

# Processor time for one letter: a letter with orders takes milliseconds, the longest accepted letter some seconds.
LETTER_SECONDS = 5.0

_ARRIVING = "arriving"


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
        self.may_arrive = _ARRIVING in left
        self.letter_ids = {int(word) for word in left if word.isdigit()}

    def take(self, letter_ids: Iterable[int]) -> None:
        """Record that these letters are read next; not synced, since a power cut is no letter's fault."""
        self._write({*letter_ids, *self.letter_ids})

    def take_arriving(self) -> None:
        """Record that letters are being fetched, which have no ids yet."""
        self._write(self.letter_ids, _ARRIVING)

    def put_down(self) -> None:
        """Record that no letter is in flight, except those that were when the last daemon ended."""
        self.may_arrive = False
        self._write(self.letter_ids)

    def _write(self, letter_ids: Iterable[int], *words: str) -> None:
        text = " ".join([*words, *map(str, sorted(letter_ids))])
        # If the record cannot be written, letters are read all the same.
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

    name: reads a letter and returns its fingerprint. put_aside: is called with the id of a letter that must not be
    read. gives_up: whether the daemon is to end at once; then GivenUp is raised, and the next daemon reads the letters
    in flight in a sandbox.
    """

    engine: Engine
    in_flight: InFlight
    name: Callable[[Fetched], str]
    put_aside: Callable[[int], None]
    gives_up: Callable[[], bool] = lambda: False

    def keep(self, batch: Sequence[Fetched], now: datetime) -> list[int]:
        """Store the letters; return the ids of those that are new."""
        careful = self.in_flight.may_arrive
        self.in_flight.take_arriving()
        if careful:
            found = self._alone([letter.raw for letter in batch])
        else:
            found = [self._in_time(letter) for letter in batch]
        new = store(self.engine, batch, found, now)
        if None in found:
            self.in_flight.letter_ids.update(new)
        self.in_flight.put_down()
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
        self.in_flight.put_down()

    def _alone(self, letters: Sequence[bytes]) -> list[str | None]:
        with time_limit(gives_up=self.gives_up):
            return sandboxed_fingerprints(letters)

    def _in_time(self, letter: Fetched) -> str | None:
        try:
            with time_limit(LETTER_SECONDS, self.gives_up):
                return self.name(letter)
        except TakesTooLong:
            return None
