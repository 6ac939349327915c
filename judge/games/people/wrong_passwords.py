"""Wrong passwords: who sends too many for a game is not listened to there for a while (HELP registration).

Counted by the sender's mailbox and the game, and, where a stranger tries somebody's seat, by that seat too: from one
domain, and from everywhere. That slows strangers for this seat alone, however many addresses they have, and never a
player who writes from an address of their own: there nothing is counted against them, whoever else guesses. From any
other address a player's right password counts as long as not too many wrong ones have come before it.

Anybody can write a player's address on a letter: for a seat of their own, a player's right password counts even then,
though not behind many wrong ones in the same letter. Whoever guesses with a forged address has to send a letter for
every few guesses, and each is answered to the player. Of the guesses of strangers the player is told after ten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.addresses import without_tag
from judge.games.core.board import variant_of
from judge.games.core.turn import Turn
from judge.mails.post import Notice
from judge.store import wrong_passwords
from judge.store.ids import id_of
from judge.store.lookups import mailed_since
from judge.store.tables import Game, Person, Seat, WrongPassword

# In so long; from one mailbox for a game, from one domain for a seat, from all strangers for a seat.
MOST = 5
MOST_OF_DOMAIN = 10
MOST_FOR_SEAT = 20
WINDOW = timedelta(hours=1)
# After so many whoever holds the seat is told, once in so long at most.
TOLD_AFTER = 10
ONE_NOTICE = timedelta(days=1)
_MASTER = "master"


@dataclass(frozen=True)
class Door:
    """What a password was to open: a seat of a stranger's, called by its power or "master", with those who hold it; or
    (`seat` is "") one of the sender's own.
    """

    game: Game
    seat: str = ""
    holders: Sequence[Seat] = ()


@dataclass(frozen=True)
class Shut:
    """Until when no password is tried, and why: so many wrong ones from there (in words), for the game or the seat."""

    until: datetime
    count: int
    origin: str
    of_seat: bool


def door_of(game: Game, seats: Sequence[Seat], power: str = "") -> Door:
    """The door of these seats, one of a power or those of the masters; where nobody plays, of the power."""
    return Door(game, power or (seats and seats[0].power) or _MASTER, seats)


def shut(turn: Turn, door: Door, address: str) -> Shut | None:
    """Why no password from `address` is tried at this door; None when it is."""
    for count, origin, of_seat, of_sender in _limits(door, address):
        latest = wrong_passwords.latest(turn.session, door.game, count, **of_seat, **of_sender)
        if len(latest) == count and latest[-1] + WINDOW > turn.now:
            return Shut(latest[-1] + WINDOW, count, origin, bool(of_seat))
    return None


def note(turn: Turn, door: Door, address: str) -> None:
    """A password from `address` was wrong; what was wrong before counts no more after a while."""
    wrong_passwords.forget_before(turn.session, door.game, turn.now - WINDOW)
    wrong = WrongPassword(
        address=without_tag(address), domain=_domain(address), game_id=id_of(door.game), seat=door.seat, at=turn.now
    )
    wrong_passwords.note(turn.session, wrong)
    for count, origin, of_seat, of_sender in _limits(door, address):
        if len(wrong_passwords.latest(turn.session, door.game, count + 1, **of_seat, **of_sender)) == count:
            about = f"{count} from {origin}" + f" for {door.seat}" * bool(of_seat)
            turn.log("wrong passwords", door.game, about)
    for seat in door.holders:
        _count(turn, door.game, seat)


def _limits(door: Door, address: str) -> list[tuple[int, str, dict[str, str], dict[str, str]]]:
    """How many are too many, from where in words, and what is counted: for which seat and from whom."""
    mailbox, domain = without_tag(address), _domain(address)
    limits: list[tuple[int, str, dict[str, str], dict[str, str]]] = [(MOST, mailbox, {}, {"address": mailbox})]
    if door.seat:
        limits.append((MOST_OF_DOMAIN, domain, {"seat": door.seat}, {"domain": domain}))
        limits.append((MOST_FOR_SEAT, "addresses of strangers", {"seat": door.seat}, {}))
    return limits


def _domain(address: str) -> str:
    return address.rpartition("@")[2]


def _count(turn: Turn, game: Game, seat: Seat) -> None:
    """Count a guess at the seat, and tell its holder of ten; their addresses stay untold: some game may hide them, and
    anybody can write those of others.
    """
    seat.guesses += 1
    turn.session.add(seat)
    told = mailed_since(turn.session, seat.address, "guessed", turn.now - ONE_NOTICE, game)
    if seat.guesses < TOLD_AFTER or told:
        return
    letter = variant_of(game).seat_named[seat.power].letter if seat.power else "M"
    context = {"game": game, "count": seat.guesses, "signon": f"{letter}{game.name}"}
    body = turn.office.post.render("guessed", turn.session.get_one(Person, seat.person_id).zone, **context)
    turn.mail(Notice(to=seat.address, kind="guessed", subject="Wrong Passwords for Your Seat", body=body, game=game))
    seat.guesses = 0
