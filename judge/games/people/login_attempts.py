"""Wrong passwords: a sender of too many for a game cannot use passwords there for a while (HELP registration).

They are counted by the sender's mailbox and the game, and, if a stranger tries a player's seat, by that seat too: from
one domain, and from everywhere. That slows strangers for this seat alone, even if they have many addresses, and never
a player who writes from one of their own addresses: guesses of others are not counted against them. From any other
address a player's right password counts if not too many wrong ones have come before it.
Anybody can forge a player's address: for the player's own seat the right password counts even then, but not after
many wrong ones in the same letter. A sender who guesses with a forged address has to send a letter for every few
guesses, and each is answered to the player. After ten guesses of strangers the player is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.addresses import without_tag
from judge.games.core.board import variant_of
from judge.games.core.work import Work
from judge.mails.mail_writer import Notice
from judge.store.people import forget_wrong_passwords, latest_wrong_passwords
from judge.store.rows import id_of
from judge.store.sent_mails import mails_since
from judge.store.tables import Game, Person, Seat, WrongPassword

# The span of time, and the limits in it: from one mailbox for a game, from one domain and all strangers for a seat.
MOST = 5
MOST_OF_DOMAIN = 10
MOST_FOR_SEAT = 20
WINDOW = timedelta(hours=1)
# After so many guesses the holder of the seat is told, at most once in so long.
TOLD_AFTER = 10
ONE_NOTICE = timedelta(days=1)
_MASTER = "master"


@dataclass(frozen=True)
class LoginAttempts:
    """What a password was meant to open: another person's seat, named by its power or "master", with its holders; or
    (`seat` is "") one of the sender's own.
    """

    game: Game
    seat: str = ""
    holders: Sequence[Seat] = ()


@dataclass(frozen=True)
class Shut:
    """Until when passwords are not checked, and why: how many wrong ones came from where, for the game or the seat."""

    until: datetime
    count: int
    origin: str
    of_seat: bool


def door_of(game: Game, seats: Sequence[Seat], power: str = "") -> LoginAttempts:
    """The door of these seats: the seat of a power or those of the masters; if nobody plays the power, the power's
    door.
    """
    return LoginAttempts(game, power or (seats and seats[0].power) or _MASTER, seats)


def shut(work: Work, door: LoginAttempts, address: str) -> Shut | None:
    """Why no password from `address` is checked at this door; None if it is checked."""
    for count, origin, of_seat, of_sender in _limits(door, address):
        latest = latest_wrong_passwords(work.session, door.game, count, **of_seat, **of_sender)
        if len(latest) == count and latest[-1] + WINDOW > work.now:
            return Shut(latest[-1] + WINDOW, count, origin, bool(of_seat))
    return None


def note(work: Work, door: LoginAttempts, address: str) -> None:
    """Note that a password from `address` was wrong; old wrong passwords stop counting after a while."""
    forget_wrong_passwords(work.session, door.game, work.now - WINDOW)
    wrong = WrongPassword(
        address=without_tag(address), domain=_domain(address), game_id=id_of(door.game), seat=door.seat, at=work.now
    )
    work.session.add(wrong)
    for count, origin, of_seat, of_sender in _limits(door, address):
        if len(latest_wrong_passwords(work.session, door.game, count + 1, **of_seat, **of_sender)) == count:
            about = f"{count} from {origin}" + f" for {door.seat}" * bool(of_seat)
            work.log("wrong passwords", door.game, about)
    for seat in door.holders:
        _count(work, door.game, seat)


def _limits(door: LoginAttempts, address: str) -> list[tuple[int, str, dict[str, str], dict[str, str]]]:
    """For each limit: how many are too many, from where (in words), and what is counted: for which seat and from
    whom.
    """
    mailbox, domain = without_tag(address), _domain(address)
    limits: list[tuple[int, str, dict[str, str], dict[str, str]]] = [(MOST, mailbox, {}, {"address": mailbox})]
    if door.seat:
        limits.append((MOST_OF_DOMAIN, domain, {"seat": door.seat}, {"domain": domain}))
        limits.append((MOST_FOR_SEAT, "addresses of strangers", {"seat": door.seat}, {}))
    return limits


def _domain(address: str) -> str:
    return address.rpartition("@")[2]


def _count(work: Work, game: Game, seat: Seat) -> None:
    """Count a guess at the seat, and tell its holder after ten; the senders' addresses are not told: a game may hide
    them, and they may be forged.
    """
    seat.guesses += 1
    work.session.add(seat)
    told = mails_since(work.session, seat.address, "guessed", work.now - ONE_NOTICE, game)
    if seat.guesses < TOLD_AFTER or told:
        return
    signon = variant_of(game).seat_named[seat.power].at(game.name) if seat.power else f"M{game.name}"
    context = {"game": game, "count": seat.guesses, "signon": signon}
    body = work.services.post.render("guessed", work.session.get_one(Person, seat.person_id).zone, **context)
    work.mail(Notice(to=seat.address, kind="guessed", subject="Wrong Passwords for Your Seat", body=body, game=game))
    seat.guesses = 0
