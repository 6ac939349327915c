"""Tokens: words that show that somebody can read an address, or that a link in a mail of ours was followed.

A one-time token is mailed to the address that has to agree; only its keyed digest is kept, it works once and not
for long, and who asks for it again while it works gets the same one. An unsubscribe token is derived from its seat,
works as long as the seat does, and is kept nowhere.
"""

import hmac
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from judge.games.core.office import Office
from judge.games.core.passwords import generate
from judge.store.lookups import token_of, tokens_for
from judge.store.states import TokenPurpose
from judge.store.tables import Seat, Token

LIFE = timedelta(days=2)
_MAC_LETTERS = 32
_WORD_LETTERS = 12


def issue(session: Session, office: Office, purpose: TokenPurpose, data: dict[str, Any], now: datetime) -> str:
    """A new token for `purpose`; the word to mail."""
    word = generate(office.dice)
    _keep(session, office, word, purpose, data, now)
    return word


def issue_again(session: Session, office: Office, purpose: TokenPurpose, data: dict[str, Any], now: datetime) -> str:
    """The word of the token for that which was mailed before and still works, and works now for LIFE; else a new one's.
    """
    for token in tokens_for(session, purpose, now):
        seed = token.data.get("seed", "")
        if token.data == {**data, "seed": seed}:
            token.expires_at = now + LIFE
            session.add(token)
            return _word(office, seed)
    seed = generate(office.dice)
    word = _word(office, seed)
    _keep(session, office, word, purpose, {**data, "seed": seed}, now)
    return word


def _keep(
    session: Session, office: Office, word: str, purpose: TokenPurpose, data: dict[str, Any], now: datetime
) -> None:
    digest = office.passwords.keep_generated(word)
    session.add(Token(digest=digest, purpose=purpose, data=data, created_at=now, expires_at=now + LIFE))


def _word(office: Office, seed: str) -> str:
    """The word of a token: known only to the holder of the judge's key, and found in no table."""
    return office.passwords.keep_generated(f"token {seed}").rpartition("$")[2][:_WORD_LETTERS]


def valid(session: Session, office: Office, word: str, now: datetime) -> Token | None:
    """The token; None when there is none, or it is too old or used."""
    token = token_of(session, office.passwords.keep_generated(word))
    return None if token is None or token.used_at or token.expires_at < now else token


def use_up(session: Session, token: Token, now: datetime) -> None:
    """The token has done what it was for."""
    token.used_at = now
    session.add(token)


def unsubscribe_word(office: Office, seat: Seat) -> str:
    """The word that ends an observer's mails."""
    mac = office.passwords.keep_generated(f"unsubscribe {seat.id}").rpartition("$")[2]
    return f"{seat.id}-{mac[:_MAC_LETTERS]}"


def unsubscribed(session: Session, office: Office, word: str) -> Seat | None:
    """The seat whose unsubscribe word this is."""
    number = word.partition("-")[0]
    # No seat has a longer one, and no column takes it.
    seat = session.get(Seat, int(number)) if number.isdecimal() and len(number) < 10 else None
    if seat is None or not hmac.compare_digest(unsubscribe_word(office, seat), word.lower()):
        return None
    return seat
