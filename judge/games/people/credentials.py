"""Tokens that prove who reads a mailbox, and limits on wrong passwords.

After too many wrong passwords, no password is checked for a while.
"""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from judge.addresses import domain_of, without_tag
from judge.games.core.board import signon_of
from judge.games.core.work import Services, Work
from judge.store.people import (
    TokenData,
    forget_wrong_passwords,
    latest_wrong_passwords,
    token_of,
    tokens_for,
)
from judge.store.seats import seat_in_place
from judge.store.sent_mails import mails_since
from judge.store.states import TokenPurpose
from judge.store.tables import Game, Person, Seat, Token, WrongPassword

LIFE = timedelta(days=2)
_MAC_LETTERS = 32
_WORD_LETTERS = 12


def issue(work: Work, purpose: TokenPurpose, data: TokenData) -> str:
    """Store a new token for `purpose`, and return the code to mail."""
    word = work.draws.word("code")
    while _known(work, word):
        word = work.draws.word("code")
    _keep(work, word, purpose, data)
    return word


def issue_again(work: Work, purpose: TokenPurpose, data: TokenData) -> str:
    """Return the code that was mailed before for the same purpose and data, or a new code.

    The code is valid for LIFE from now on.
    """
    for token in tokens_for(work.session, purpose, work.now):
        seed = token.data.get("seed", "")
        if token.data == {**data, "seed": seed}:
            token.expires_at = work.told_at + LIFE
            return _word(work.services, seed)
    seed = work.draws.word("code")
    while _known(work, _word(work.services, seed)):
        seed = work.draws.word("code")
    word = _word(work.services, seed)
    _keep(work, word, purpose, {**data, "seed": seed})
    return word


def _keep(work: Work, word: str, purpose: TokenPurpose, data: Mapping[str, object]) -> None:
    digest, expires_at = work.services.passwords.keep_generated(word), work.told_at + LIFE
    work.session.add(Token(digest=digest, purpose=purpose, data={**data}, created_at=work.now, expires_at=expires_at))


def _word(services: Services, seed: str) -> str:
    """Return the code of a token. The code is in no table, and only the holder of the judge's key can compute it."""
    return services.passwords.word_about(f"token {seed}", _WORD_LETTERS)


def _known(work: Work, word: str) -> Token | None:
    """Return the token with this code, even if the token has expired or was used, or None."""
    return token_of(work.session, work.services.passwords.keep_generated(word))


def valid(work: Work, word: str) -> Token | None:
    """Return the token with this code, or None if there is none, or if it has expired or was used."""
    token = _known(work, word)
    return None if token is None or token.used_at or token.expires_at < work.now else token


def waits_for(work: Work, address: str) -> bool:
    """Return whether a token mailed to `address`, to confirm an email from there, still works."""
    return any(token.data["address"] == address for token in tokens_for(work.session, "register", work.now))


def use_up(work: Work, token: Token) -> None:
    """Mark the token as used, so that its code no longer works."""
    token.used_at = work.now


def unsubscribe_word(work: Work, game: Game, place: int) -> str:
    """Return the code that ends an observer's emails, made of the game's name, the seat's number and a secret."""
    which = f"{game.name}-{place}"
    return f"{which}-{_mac(work.services, f'unsubscribe {which} {game.created_at.astimezone(UTC):%Y%m%d%H%M%S}')}"


def unsubscribed(work: Work, word: str) -> Seat | None:
    """Return the observer's seat with this code to unsubscribe, or None if there is none."""
    name, *rest = word.lower().rsplit("-", 2)
    # A longer number belongs to no seat, and no column can store it.
    number = (rest[0] if len(rest) > 1 else name)[:9]
    if not number.isdecimal():
        return None
    if len(rest) > 1:
        seat = seat_in_place(work.session, name, int(number))
        expected = unsubscribe_word(work, work.session.get_one(Game, seat.game_id), int(number)) if seat else ""
    else:  # a code from mails of earlier versions
        seat = work.session.get(Seat, int(number))
        expected = f"{number}-{_mac(work.services, f'unsubscribe {number}')}"
    return seat if seat and hmac.compare_digest(expected, word.lower()) else None


def _mac(services: Services, about: str) -> str:
    return services.passwords.word_about(about, _MAC_LETTERS)


# The maximum numbers of wrong passwords within WINDOW. They are for one mailbox and a game, for one domain and a seat,
# and for all strangers and a seat.
MOST = 5
MOST_OF_DOMAIN = 10
MOST_FOR_SEAT = 20
WINDOW = timedelta(hours=1)
# After TOLD_AFTER wrong passwords for a seat, its player is notified, at most once within ONE_NOTICE.
TOLD_AFTER = 10
ONE_NOTICE = timedelta(days=1)
_MASTER = "master"


@dataclass(frozen=True)
class LoginAttempts:
    """The seat for which wrong passwords are counted.

    `seat` is the power of another person's seat, or "master", and `holders` are the people in it. If `seat` is "", the
    sender tried passwords for their own seats.
    """

    game: Game
    seat: str = ""
    holders: Sequence[Seat] = ()


@dataclass(frozen=True)
class Shut:
    """The end of a block on passwords, with the number and the origin of the wrong passwords that caused it.

    `of_seat` is true if they were for the same seat, and not only for the same game.
    """

    until: datetime
    count: int
    origin: str
    of_seat: bool


def door_of(game: Game, seats: Sequence[Seat], power: str = "") -> LoginAttempts:
    """Return the seat for which wrong passwords are counted, if a password was meant for `seats`.

    The result is the seat of a power, even without a player, or that of the masters.
    """
    return LoginAttempts(game, power or (seats and seats[0].power) or _MASTER, seats)


def shut_until(work: Work, door: LoginAttempts, address: str) -> Shut | None:
    """Return the block on passwords from `address` for this seat, or None if passwords are checked."""
    for count, origin, which in _limits(door, address):
        latest = latest_wrong_passwords(work.session, door.game, count, **which)
        if len(latest) == count and latest[-1] + WINDOW > work.now:
            return Shut(latest[-1] + WINDOW, count, origin, "seat" in which)
    return None


def note_wrong(work: Work, door: LoginAttempts, address: str) -> None:
    """Record that a password from `address` was wrong, and delete old records.

    If there are many wrong passwords for a seat, its player is notified.
    """
    forget_wrong_passwords(work.session, door.game, work.now - WINDOW)
    wrong = WrongPassword(
        address=without_tag(address), domain=domain_of(address), game_id=door.game.key, seat=door.seat, at=work.now
    )
    work.session.add(wrong)
    for count, origin, which in _limits(door, address):
        if len(latest_wrong_passwords(work.session, door.game, count + 1, **which)) == count:
            about = f"{count} from {origin}" + f" for {door.seat}" * ("seat" in which)
            work.log("wrong passwords", door.game, about)
    for seat in door.holders:
        seat.guesses += 1
        told = mails_since(work.session, seat.address, "guessed", work.now - ONE_NOTICE, door.game)
        if seat.guesses >= TOLD_AFTER and not told:
            # The senders' addresses are not shown, since a game may hide them, and they may be forged.
            zone, subject = work.session.get_one(Person, seat.person_id).zone, "Wrong Passwords for Your Seat"
            context = {"game": door.game, "count": seat.guesses, "signon": signon_of(door.game, seat)}
            work.notify(seat.address, zone, "guessed", subject, **context)
            seat.guesses = 0


def _limits(door: LoginAttempts, address: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yield each limit, the origin of the passwords in words, and the columns that select these passwords."""
    mailbox, domain = without_tag(address), domain_of(address)
    yield MOST, mailbox, {"address": mailbox}
    if door.seat:
        yield MOST_OF_DOMAIN, domain, {"seat": door.seat, "domain": domain}
        yield MOST_FOR_SEAT, "addresses of strangers", {"seat": door.seat}
