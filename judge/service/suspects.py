"""Which letters the daemon is working on: recorded for the next daemon, in case this one ends uncleanly.

A letter that makes the process end must not do so again and again; but after a kill -9 the letter is not the cause. So
after an unclean end the letters in hand are only suspects: each is first read in a separate process, and only a letter
that cannot be read within the limits there is put aside.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_ARRIVING = "arriving"


class Suspects:
    """The record in `home`. `letter_ids`: the letters that were in hand when the last daemon ended; `may_arrive`:
    whether letters were being fetched then, which had no ids yet.
    """

    def __init__(self, home: Path):
        self._file = home / "letters-in-hand"
        left = self._file.read_text().split() if self._file.exists() else []
        self.may_arrive = _ARRIVING in left
        self.letter_ids = {int(word) for word in left if word.isdigit()}

    def take(self, letter_ids: Iterable[int]) -> None:
        """Record that these letters are read next. Not synced to the disk, since after a power cut no letter is the
        cause, either.
        """
        self._write({*letter_ids, *self.letter_ids})

    def take_arriving(self) -> None:
        """Record that letters are being fetched, which have no ids yet."""
        self._write(self.letter_ids, _ARRIVING)

    def put_down(self) -> None:
        """Record that no letter is in hand any more, except the letters that are still suspects."""
        self.may_arrive = False
        if self.letter_ids:
            self._write(self.letter_ids)
            return
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _write(self, letter_ids: Iterable[int], *words: str) -> None:
        # If the record cannot be written, letters are read all the same.
        with suppress(OSError):
            self._file.write_text(" ".join([*words, *map(str, sorted(letter_ids))]))
