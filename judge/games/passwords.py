"""Passwords of seats: made, hashed and checked; never kept, logged or mailed in clear beyond the one welcome.

A password the judge generated has enough entropy for a keyed hash (BLAKE2b, RFC 7693) and is checked in
microseconds. One that a person chose gets argon2id (RFC 9106), which is slow on purpose and never computed while a
transaction is open: whoever needs it raises SlowWork, the transaction is given up, the work done, and the letter read
again; what was computed is remembered by digest. Passwords are case-blind, as in the classic judges.
"""

import hashlib
import hmac
import random
from collections import OrderedDict
from collections.abc import Callable

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

_KEYED = "keyed$"
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_REMEMBERED = 4096


def generate(dice: random.Random) -> str:
    """A new password of 12 letters and digits (59 bits) that no reader takes for others."""
    return "".join(dice.choice(_LETTERS) for _ in range(12))


class SlowWork(Exception):
    """A password has to be hashed: `do` it with no transaction open, then begin again."""

    def __init__(self, do: Callable[[], None]):
        super().__init__("a password has to be hashed first")
        self.do = do


class Passwords:
    """Hashes under the judge's secret `key` (bytes, kept beside the database); `slow` is the argon2id to use."""

    def __init__(self, key: bytes, slow: PasswordHasher | None = None):
        self._key = key[:64]
        self._argon2 = slow or PasswordHasher()
        self._checked: OrderedDict[bytes, bool] = OrderedDict()
        self._hashed: dict[bytes, str] = {}

    def keep_generated(self, password: str) -> str:
        """The hash of a password that `generate` made."""
        return _KEYED + self._digest("generated", password).hex()

    def keep_chosen(self, password: str, letter_id: int | None) -> str:
        """The hash of a password that a person chose in that letter; raises SlowWork until that was done.

        Two letters that choose the same get hashes with salts of their own.
        """
        name = self._digest(f"hash for {letter_id}", password)
        if name not in self._hashed:
            raise SlowWork(lambda: self._hash(name, password))
        return self._hashed[name]

    def forget_hashed(self) -> None:
        """A transaction is committed: what its letters have had computed had to last until here."""
        self._hashed.clear()
        while len(self._checked) > _REMEMBERED:
            self._checked.popitem(last=False)

    def matches(self, kept: str, password: str) -> bool:
        """Whether `password` is the one hashed in `kept`; constant time for what it compares. May raise SlowWork."""
        if kept.startswith(_KEYED):
            return hmac.compare_digest(kept, self.keep_generated(password))
        if not kept:
            return False
        name = self._digest(kept, password)
        if name not in self._checked:
            raise SlowWork(lambda: self._verify(name, kept, password))
        return self._checked[name]

    def _hash(self, name: bytes, password: str) -> None:
        self._hashed[name] = self._argon2.hash(password.casefold())

    def _verify(self, name: bytes, kept: str, password: str) -> None:
        try:
            self._checked[name] = self._argon2.verify(kept, password.casefold())
        except VerificationError:
            self._checked[name] = False

    def _digest(self, about: str, password: str) -> bytes:
        text = f"{about}\0{password.casefold()}".encode()
        return hashlib.blake2b(text, key=self._key, digest_size=32).digest()
