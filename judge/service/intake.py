"""Letters on their way into the store: named by their fingerprints, and none of them may end the daemon for ever.

A fingerprint needs the letter to be read, so that a limit holds here, too. After an unclean end what the daemon had in
hand is read in a process of its own first, and what arrives in the next sweep likewise.
"""

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Engine

from judge.letters import fingerprint
from judge.letters.alone import fingerprints_read_alone
from judge.letters.fetching import Fetched
from judge.service.in_hand import InHand
from judge.store import inbox
from judge.store.engine import reading, transaction
from judge.time_limit import TakesTooLong, time_limit

# Of the processor, for one letter: an order letter takes milliseconds, the longest that is let in some seconds.
LETTER_SECONDS = 5.0

UNREADABLE = "the letter cannot be read within its limits of time and memory"


class Intake:
    """Of the database that `engine` opens; `put_aside` is told the id of a letter that must not be read, and why."""

    def __init__(self, engine: Engine, in_hand: InHand, put_aside: Callable[[int, str], None]):
        self._engine = engine
        self._in_hand = in_hand
        self._put_aside = put_aside

    def keep(self, batch: Sequence[Fetched], now: datetime) -> list[int]:
        """Store the letters; the ids of those that are new."""
        careful = self._in_hand.suspects_arriving
        self._in_hand.take_arriving()
        letters = [letter.raw for letter in batch]
        found = fingerprints_read_alone(letters) if careful else [_fingerprint_in_time(letter) for letter in letters]
        names = {letter: name or _digest(letter) for letter, name in zip(letters, found, strict=True)}
        with transaction(self._engine) as session:
            new = inbox.keep(session, batch, names.__getitem__, now=now)
        if None in found:
            self._in_hand.suspects.update(new)
        self._in_hand.put_down()
        self.examine()
        return new

    def examine(self) -> None:
        """Clear those under suspicion of what they are under suspicion of; what cannot be read is put aside."""
        if not self._in_hand.suspects:
            return
        with reading(self._engine) as session:
            rows = [row for row in inbox.those(session, self._in_hand.suspects) if row.state == "new"]
        found = fingerprints_read_alone([row.raw for row in rows])
        for row, name in zip(rows, found, strict=True):
            if name is None:
                assert row.id is not None
                self._put_aside(row.id, UNREADABLE)
        self._in_hand.suspects.clear()
        self._in_hand.put_down()


def _fingerprint_in_time(letter: bytes) -> str | None:
    try:
        with time_limit(LETTER_SECONDS):
            return fingerprint(letter)
    except TakesTooLong:
        return None


def _digest(letter: bytes) -> str:
    """What stands for the fingerprint of a letter that must not be read."""
    return hashlib.sha256(letter).hexdigest()
