"""Passwords of seats: made, hashed and checked; never kept, logged or mailed in clear beyond the one welcome.

A password the judge generated has enough entropy for a keyed hash (BLAKE2b, RFC 7693) and is checked in
microseconds. One that a person chose gets argon2id (RFC 9106), which is slow on purpose: `prepare` computes
those before the letter's transaction opens, and what was computed is remembered by digest for the next letter.
Passwords are case-blind, as in the classic judges.
"""

import hashlib
import hmac
import random
from collections import OrderedDict

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

_KEYED = "keyed$"
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_REMEMBERED = 4096


def generate(dice: random.Random) -> str:
    """A new password of 12 letters and digits (59 bits) that no reader takes for others."""
    return "".join(dice.choice(_LETTERS) for _ in range(12))


class Passwords:
    """Hashes under the judge's secret `key` (bytes, kept beside the database); `slow` is the argon2id to use."""

    def __init__(self, key: bytes, slow: PasswordHasher | None = None):
        self._key = key[:64]
        self._argon2 = slow or PasswordHasher()
        self._known: OrderedDict[bytes, bool | str] = OrderedDict()

    def keep_generated(self, password: str) -> str:
        """The hash of a password that `generate` made."""
        return _KEYED + self._digest("generated", password).hex()

    def keep_chosen(self, password: str) -> str:
        """The hash of a password that a person chose: slow, unless `prepare_chosen` has done it."""
        name = self._digest("hash", password)
        kept = self._known.pop(name, None)
        return kept if isinstance(kept, str) else self._argon2.hash(password.casefold())

    def prepare_chosen(self, password: str) -> None:
        """Compute what the next `keep_chosen` of this password will need."""
        self._remember(self._digest("hash", password), self._argon2.hash(password.casefold()))

    def matches(self, kept: str, password: str) -> bool:
        """Whether `password` is the one hashed in `kept`; constant time for what it compares."""
        if kept.startswith(_KEYED):
            return hmac.compare_digest(kept, self.keep_generated(password))
        if not kept:
            return False
        name = self._digest(kept, password)
        known = self._known.get(name)
        if known is None:
            known = self._verify(kept, password)
            self._remember(name, known)
        return known is True

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._argon2.verify(kept, password.casefold())
        except VerificationError:
            return False

    def _digest(self, about: str, password: str) -> bytes:
        text = f"{about}\0{password.casefold()}".encode()
        return hashlib.blake2b(text, key=self._key, digest_size=32).digest()

    def _remember(self, name: bytes, value: bool | str) -> None:
        self._known[name] = value
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
