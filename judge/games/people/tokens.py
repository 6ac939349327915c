"""Tokens: words that prove that a person can read mail at an address, or has used a link in one of our mails.

A one-time token is mailed to the address that has to agree; only its keyed digest is kept. It works once and for a
short time, and a person who asks again during that time gets the same token. An unsubscribe token is derived from its
seat, works as long as the seat does, and is kept nowhere.
"""

import hmac
from datetime import timedelta

from judge.games.core.passwords import generate
from judge.games.core.services import Services
from judge.games.core.work import Work
from judge.store.people import TokenData, token_of, tokens_for
from judge.store.states import TokenPurpose
from judge.store.tables import Seat, Token

LIFE = timedelta(days=2)
_MAC_LETTERS = 32
_WORD_LETTERS = 12


def issue(work: Work, purpose: TokenPurpose, data: TokenData) -> str:
    """A new token for `purpose`; the word to mail."""
    word = generate(work.services.dice)
    _keep(work, word, purpose, data, {})
    return word


def issue_again(work: Work, purpose: TokenPurpose, data: TokenData) -> str:
    """The word of the token that was mailed before for the same thing, if it still works (renewed for LIFE), or a new
    one.
    """
    for token in tokens_for(work.session, purpose, work.now):
        seed = token.data.get("seed", "")
        if token.data == {**data, "seed": seed}:
            token.expires_at = work.now + LIFE
            work.session.add(token)
            return _word(work.services, seed)
    seed = generate(work.services.dice)
    word = _word(work.services, seed)
    _keep(work, word, purpose, data, {"seed": seed})
    return word


def _keep(work: Work, word: str, purpose: TokenPurpose, data: TokenData, more: dict[str, str]) -> None:
    digest, kept = work.services.passwords.keep_generated(word), {**data, **more}
    work.session.add(Token(digest=digest, purpose=purpose, data=kept, created_at=work.now, expires_at=work.now + LIFE))


def _word(services: Services, seed: str) -> str:
    """The word of a token: known only to the holder of the judge's key, and found in no table."""
    return services.passwords.keep_generated(f"token {seed}").rpartition("$")[2][:_WORD_LETTERS]


def valid(work: Work, word: str) -> Token | None:
    """The token; None if there is none, or if it is too old or used."""
    token = token_of(work.session, work.services.passwords.keep_generated(word))
    return None if token is None or token.used_at or token.expires_at < work.now else token


def waits_for(work: Work, address: str) -> bool:
    """Whether a token that was mailed to `address`, to confirm a letter from there, still works."""
    return any(token.data["address"] == address for token in tokens_for(work.session, "register", work.now))


def use_up(work: Work, token: Token) -> None:
    """Mark the token as used."""
    token.used_at = work.now
    work.session.add(token)


def unsubscribe_word(services: Services, seat: Seat) -> str:
    """The word that ends an observer's mails."""
    mac = services.passwords.keep_generated(f"unsubscribe {seat.id}").rpartition("$")[2]
    return f"{seat.id}-{mac[:_MAC_LETTERS]}"


def unsubscribed(work: Work, word: str) -> Seat | None:
    """The seat whose unsubscribe word this is."""
    number = word.partition("-")[0]
    # No seat has a longer number, and no column can hold one.
    seat = work.session.get(Seat, int(number)) if number.isdecimal() and len(number) < 10 else None
    if seat is None or not hmac.compare_digest(unsubscribe_word(work.services, seat), word.lower()):
        return None
    return seat
