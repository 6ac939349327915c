"""Random values, derived from the judge's secret key so that the same event draws the same values.

A letter that is handled again after a recovery gives the same codes, passwords, powers and Message-IDs. Each purpose
has a key of its own (HKDF, RFC 5869). So a value drawn for one purpose reveals nothing about another.
"""

import hashlib
import hmac
import secrets
from collections import Counter
from typing import Literal

# The alphabet of codes, without characters that readers confuse with others.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
# The number of bytes in the identifier within a Message-ID.
MARK_BYTES = 10
_SIZE = hashlib.sha256().digest_size

Purpose = Literal["code", "message", "password", "return tag", "salt", "seed"]


def derived(key: bytes, purpose: Purpose, about: str, size: int) -> bytes:
    """Return `size` bytes that only someone with the key can derive for this purpose.

    `size` is at most 32.
    """
    own_key = _hkdf(key, f"judge {purpose}")
    return _hkdf(own_key, about)[:size]


def _hkdf(key: bytes, info: str) -> bytes:
    """Return one block of HKDF with SHA-256, without a salt."""
    extracted = hmac.digest(bytes(_SIZE), key, "sha256")
    return hmac.digest(extracted, info.encode(errors="surrogatepass") + b"\x01", "sha256")


class Draws:
    """The random draws of one event.

    An event is a letter, known by its fingerprint, or a moment at which something was due. Two draws for one purpose
    differ. If the event is handled again, its draws are the same as before.
    """

    def __init__(self, key: bytes, event: str = ""):
        """Prepare draws for the event of this name, or for one that never happens again if it is ""."""
        self._key, self._event = key, event or secrets.token_hex(_SIZE)
        self._drawn = Counter[str]()

    def seed(self) -> int:
        """Return a random number of 32 bits."""
        return int.from_bytes(self._next("seed", size=4))

    def word(self, purpose: Purpose) -> str:
        """Return a random word of 12 letters and digits (59 bits)."""
        left, letters = int.from_bytes(self._next(purpose)), ""
        while len(letters) < 12:
            left, letter = divmod(left, len(LETTERS))
            letters += LETTERS[letter]
        return letters

    def mark(self, text: str) -> str:
        """Return an identifier for a text, different from those of all other texts.

        If the same text is sent twice in one event, each copy has its own identifier.
        """
        return self._next("message", text, MARK_BYTES).hex()

    def _next(self, purpose: Purpose, text: str = "", size: int = _SIZE) -> bytes:
        about = f"{purpose}\0{text}"
        self._drawn[about] += 1
        return derived(self._key, purpose, f"{self._event}\0{self._drawn[about]}\0{text}", size)
