"""Letters out of the open folder of an IMAP connection: sizes first, then many letters in one round trip.

Fetching does not mark letters (BODY.PEEK). Of a letter above the size limit only the beginning is fetched.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from imapclient import IMAPClient

BATCH = 50  # letters
BATCH_BYTES = 10_000_000
SIZES_AT_ONCE = 500  # letters: a command has one line, and servers limit its length
CUT = 65_536  # bytes of the header and of the text that are fetched of a letter that is too big


@dataclass(frozen=True, slots=True)
class Fetched:
    """A letter as the server gave it. `received_at`: its INTERNALDATE, UTC; `cut`: only its beginning was fetched."""

    uidvalidity: int
    uid: int
    received_at: datetime
    raw: bytes
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches letters of one folder. max_size: in bytes; clock: gives the time if the server gives none."""

    uidvalidity: int
    max_size: int
    clock: Callable[[], datetime]

    def fetch(self, client: IMAPClient, sizes: Mapping[int, int]) -> list[Fetched]:
        """The letters among these (UID → size) that still exist, in the order of UIDs."""
        whole = [uid for uid, size in sizes.items() if size <= self.max_size]
        big = [uid for uid, size in sizes.items() if size > self.max_size]
        found = client.fetch(whole, ["INTERNALDATE", "BODY.PEEK[]"])
        letters = [self._letter(uid, data, data.get(b"BODY[]"), cut=False) for uid, data in found.items()]
        found = client.fetch(big, ["INTERNALDATE", f"BODY.PEEK[HEADER]<0.{CUT}>", f"BODY.PEEK[TEXT]<0.{CUT}>"])
        letters += [self._letter(uid, data, _beginning(data), cut=True) for uid, data in found.items()]
        # Dovecot gives a letter that was just deleted as an empty one.
        return sorted((letter for letter in letters if letter.raw), key=lambda letter: letter.uid)

    def _letter(self, uid: int, data: Mapping[bytes, Any], raw: bytes | None, cut: bool) -> Fetched:
        internal_date = data.get(b"INTERNALDATE")
        received_at = internal_date.astimezone(UTC) if internal_date else self.clock()
        return Fetched(self.uidvalidity, uid, received_at, raw or b"", cut)


def sizes_of(client: IMAPClient, uids: Sequence[int]) -> dict[int, int]:
    """The size in bytes of each of these letters that still exists, in the order of UIDs."""
    sizes: dict[int, int] = {}
    for start in range(0, len(uids), SIZES_AT_ONCE):
        found = client.fetch(uids[start : start + SIZES_AT_ONCE], ["RFC822.SIZE"])
        sizes.update({uid: data[b"RFC822.SIZE"] for uid, data in found.items() if b"RFC822.SIZE" in data})
    return dict(sorted(sizes.items()))


def batches(sizes: Mapping[int, int]) -> Iterator[dict[int, int]]:
    """The letters cut into batches that are small enough to be held in memory."""
    batch: dict[int, int] = {}
    for uid, size in sizes.items():
        if batch and (len(batch) == BATCH or sum(batch.values()) + size > BATCH_BYTES):
            yield batch
            batch = {}
        batch[uid] = size
    if batch:
        yield batch


def _beginning(data: Mapping[bytes, Any]) -> bytes:
    """Header and text of a letter that was cut; the header may be cut in the middle of a line."""
    header: bytes = data.get(b"BODY[HEADER]<0>") or b""
    text: bytes = data.get(b"BODY[TEXT]<0>") or b""
    if not header:
        return b""
    return header + (b"" if header.endswith((b"\r\n\r\n", b"\n\n")) else b"\r\n\r\n") + text
