"""Takes letters into the store: each is identified by its fingerprint, and none may make the daemon end again and
again.

A letter must be read to get its fingerprint, so there is a time limit here too. After an unclean end the letters that
the daemon had in hand are first read in a separate process, and so are the letters of the next sweep.
"""

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Engine

from judge.letters.imap import Fetched
from judge.letters.sandbox import sandboxed_fingerprints
from judge.service.suspects import Suspects
from judge.store import inbox
from judge.store.engine import reading, transaction
from judge.store.ids import id_of
from judge.time_limit import TakesTooLong, time_limit

# Processor time for one letter: a letter with orders takes milliseconds, the longest accepted letter some seconds.
LETTER_SECONDS = 5.0


class Intake:
    """The intake for the database of `engine`. `name` reads a letter and gives its fingerprint; `put_aside` is called
    with the id of a letter that must not be read. `gives_up`: whether the daemon is to end and waits no longer for
    letters that are being read; then GivenUp is raised, and the next daemon reads them first in a process of their own.
    """

    def __init__(
        self,
        engine: Engine,
        suspects: Suspects,
        name: Callable[[inbox.Fetched], str],
        put_aside: Callable[[int], None],
        gives_up: Callable[[], bool] = lambda: False,
    ):
        self._engine = engine
        self._suspects = suspects
        self._name = name
        self._put_aside = put_aside
        self._gives_up = gives_up

    def keep(self, batch: Sequence[Fetched], now: datetime) -> list[int]:
        """Store the letters; the ids of those that are new."""
        careful = self._suspects.may_arrive
        self._suspects.take_arriving()
        raws = [letter.raw for letter in batch]
        found = self._alone(raws) if careful else [self._in_time(letter) for letter in batch]
        # In place of the fingerprint of a letter that must not be read: the digest of its bytes.
        names = {raw: name or hashlib.sha256(raw).hexdigest() for raw, name in zip(raws, found, strict=True)}
        with transaction(self._engine) as session:
            new = inbox.keep(session, batch, lambda letter: names[letter.raw], now=now)
        if None in found:
            self._suspects.letter_ids.update(new)
        self._suspects.put_down()
        self.examine()
        return new

    def examine(self) -> None:
        """Test the suspects: letters that can be read are cleared, the others are put aside."""
        if not self._suspects.letter_ids:
            return
        with reading(self._engine) as session:
            rows = [row for row in inbox.those(session, self._suspects.letter_ids) if row.state == "new"]
        found = self._alone([row.raw for row in rows])
        for row, name in zip(rows, found, strict=True):
            if name is None:
                self._put_aside(id_of(row))
        self._suspects.letter_ids.clear()
        self._suspects.put_down()

    def _alone(self, letters: Sequence[bytes]) -> list[str | None]:
        with time_limit(gives_up=self._gives_up):
            return sandboxed_fingerprints(letters)

    def _in_time(self, letter: Fetched) -> str | None:
        try:
            with time_limit(LETTER_SECONDS, self._gives_up):
                return self._name(letter)
        except TakesTooLong:
            return None
