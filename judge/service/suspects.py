"""Which letters the daemon has before it: put down where the next daemon finds it, if this one ends uncleanly.

A letter that ends the process must not end it for ever, and a kill -9 is no fault of a letter. So what was in hand is
under suspicion after such an end, no more: it is first read in a process of its own, and only a letter that cannot be
read within its limits is put aside.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_ARRIVING = "arriving"


class Suspects:
    """The mark in `home`. `letter_ids`: of the letters that were in hand when the last daemon ended; `may_arrive`:
    whether letters were being fetched then, which had no ids yet.
    """

    def __init__(self, home: Path):
        self._file = home / "letters-in-hand"
        left = self._file.read_text().split() if self._file.exists() else []
        self.may_arrive = _ARRIVING in left
        self.letter_ids = {int(word) for word in left if word.isdigit()}

    def take(self, letter_ids: Iterable[int]) -> None:
        """These letters are read next. Not synced to the disk: a power cut is no fault of a letter, either."""
        self._write({*letter_ids, *self.letter_ids})

    def take_arriving(self) -> None:
        """Letters are fetched and have no ids yet."""
        self._write(self.letter_ids, _ARRIVING)

    def put_down(self) -> None:
        """Nothing is in hand any more, beyond what is still under suspicion."""
        self.may_arrive = False
        if self.letter_ids:
            self._write(self.letter_ids)
            return
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _write(self, letter_ids: Iterable[int], *words: str) -> None:
        # Where nothing can be written letters are read all the same.
        with suppress(OSError):
            self._file.write_text(" ".join([*words, *map(str, sorted(letter_ids))]))
