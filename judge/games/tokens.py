"""Tokens: words that show that somebody can read an address, or that a link in a mail of ours was followed.

A one-time token is mailed to the address that has to agree; only its keyed digest is kept, it works once and not
for long. An unsubscribe token is derived from its seat, works as long as the seat does, and is kept nowhere.
"""

import hmac
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from judge.games.office import Office
from judge.games.passwords import generate
from judge.store.lookups import token_of
from judge.store.tables import Seat, Token

LIFE = timedelta(days=2)
_MAC_LETTERS = 32


def issue(session: Session, office: Office, purpose: str, data: dict[str, Any], now: datetime) -> str:
    """A new token for `purpose`; the word to mail."""
    word = generate(office.dice)
    digest = office.passwords.keep_generated(word)
    session.add(Token(digest=digest, purpose=purpose, data=data, created_at=now, expires_at=now + LIFE))
    return word


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
    seat = session.get(Seat, int(number)) if number.isdigit() else None
    if seat is None or not hmac.compare_digest(unsubscribe_word(office, seat), word.lower()):
        return None
    return seat
