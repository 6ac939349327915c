"""Make, hash and check passwords.

Passwords are never kept or logged in clear. Only a password that the judge generated is mailed in clear, and only once.
Passwords are case-insensitive, as in the classic judges.

A password that the judge generated has enough entropy for a keyed hash (BLAKE2b, RFC 7693). This hash is checked in
microseconds. A password that a person chose gets argon2id (RFC 9106), which is slow on purpose. It is never computed
while a transaction is open. Code that needs an argon2id hash raises SlowWork. Then the transaction is rolled back, the
hash is computed and kept in memory, and the email is handled again. Only a few argon2id hashes are computed for one
email, since other emails wait meanwhile.
"""

import hashlib
import hmac
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from judge.draws import derived
from judge.games.core.settings import settings_of
from judge.settings import Settings
from judge.store.tables import Game, Seat

_KEYED = "keyed$"
_SALT_BYTES = 16
_REMEMBERED = 4096
# The maximum number of argon2id hashes that are computed for one email.
MOST_SLOW = 5


class SlowWork(Exception):
    """An argon2id hash is needed. Call `do` outside of transactions, then handle the email again."""

    def __init__(self, do: Callable[[], None]):
        super().__init__("a password has to be hashed first")
        self.do = do


class TooManyPasswords(Exception):
    """The email needs more argon2id hashes than the limit for one email."""


@dataclass
class _Work:
    """The number of argon2id hashes computed for one email, and the hashes of passwords chosen in it."""

    count: int = 0
    hashed: dict[bytes, str] = field(default_factory=dict)


class Passwords:
    """Hash and check passwords with the secret `key`, which is kept next to the database.

    `slow` is the argon2id hasher.
    """

    def __init__(self, key: bytes, slow: PasswordHasher | None = None):
        self._key = key[:64]
        self._argon2 = slow or PasswordHasher()
        self._checked: OrderedDict[bytes, bool] = OrderedDict()
        self._letters: defaultdict[int | None, _Work] = defaultdict(_Work)

    def keep_generated(self, password: str) -> str:
        """Return the hash of a password that the judge has generated."""
        return _KEYED + self._digest("generated", password).hex()

    def word_about(self, about: str, letters: int) -> str:
        """Return a code of `letters` hex digits, derived from the text `about`, that only this judge can make."""
        return self.keep_generated(about).rpartition("$")[2][:letters]

    def keep_chosen(self, password: str, letter_id: int | None, fingerprint: str = "") -> str:
        """Return the hash of a password that a person chose in the email `letter_id`.

        Raises SlowWork until the hash has been computed, or TooManyPasswords. If two emails choose the same password,
        its hashes have different salts.
        """
        letter, plain = fingerprint or str(letter_id), password.casefold()
        salt = derived(self._key, "salt", f"{letter}\0{plain}", _SALT_BYTES)
        name = self._digest(f"hash for {letter_id}", password)
        hashed = self._letters[letter_id].hashed
        if name not in hashed:
            raise self._slow(letter_id, lambda: hashed.update({name: self._argon2.hash(plain, salt=salt)}))
        return hashed[name]

    def forget_hashed(self, letter_id: int | None) -> None:
        """Forget the hashes of passwords chosen in this email, after its transaction is committed."""
        self._letters.pop(letter_id, None)
        while len(self._checked) > _REMEMBERED:
            self._checked.popitem(last=False)

    def matches(self, kept: str, password: str, letter_id: int | None) -> bool:
        """Return whether `kept` is the hash of `password`, compared in constant time.

        `letter_id` is the email with the password. Raises SlowWork or TooManyPasswords.
        """
        if kept.startswith(_KEYED):
            return hmac.compare_digest(kept, self.keep_generated(password))
        if not kept:
            return False
        name = self._digest(kept, password)

        def verify() -> None:
            try:
                self._checked[name] = self._argon2.verify(kept, password.casefold())
            except VerificationError:
                self._checked[name] = False

        if name not in self._checked:
            raise self._slow(letter_id, verify)
        return self._checked[name]

    def _slow(self, letter_id: int | None, do: Callable[[], None]) -> SlowWork | TooManyPasswords:
        work = self._letters[letter_id]
        if work.count >= MOST_SLOW:
            return TooManyPasswords(
                f"Not done: an email can contain at most {MOST_SLOW} passwords. Send this line, and the lines after "
                "it, in another email."
            )

        def counted() -> None:
            work.count += 1
            do()

        return SlowWork(counted)

    def _digest(self, about: str, password: str) -> bytes:
        text = f"{about}\0{password.casefold()}".encode()
        return hashlib.blake2b(text, key=self._key, digest_size=32).digest()


def why_password_needed(settings: Settings, game: Game) -> str:
    """Return a sentence on why no one can play `game` without a password, or "" if players can."""
    if not (settings.mailbox.authserv_id and settings.passwordless):
        return "This judge always needs the password."
    if settings_of(game).strict_passwords:
        return f"{game.name} always needs the password: its master has set that."
    return ""


def is_passwordless(settings: Settings, game: Game, seat: Seat) -> bool:
    """Return whether a verified email from the player in `seat` needs no password."""
    return seat.passwordless and seat.role == "player" and not why_password_needed(settings, game)
