"""Playing without a password: for players who have chosen that, whose letters the mail server verifies.

What may be done in this way: orders, bids, WAIT and CLEAR for the open phase, and press. All else needs the password
(`Command.passwordless`). docs/decisions/without_a_password.md says why.
"""

from sqlmodel import Session

from judge.games.core.settings import settings_of
from judge.settings import Settings
from judge.store.seats import seats_of
from judge.store.tables import Game, Seat


def why_not(settings: Settings, game: Game) -> str:
    """Why nobody plays `game` without a password, as a sentence; "" if that is possible."""
    if not (settings.mailbox.authserv_id and settings.passwordless):
        return "This judge always asks for the password."
    if settings_of(game).strict_passwords:
        return f"Game {game.name} always asks for the password: its master has set that."
    return ""


def is_open(settings: Settings, game: Game, seat: Seat) -> bool:
    """Whether the player in `seat` can play without the password, if a letter is verified."""
    return seat.passwordless and seat.role == "player" and not why_not(settings, game)


def played_in(session: Session, game: Game, person_id: int) -> list[Seat]:
    """The seats with a power that this person holds in `game`: where there are several, a reply does not say which."""
    return [seat for seat in seats_of(session, game) if seat.person_id == person_id and seat.power]


def is_only_seat(session: Session, game: Game, seat: Seat) -> bool:
    """Whether a reply of the player in `seat` can mean no other seat of theirs."""
    return len(played_in(session, game, seat.person_id)) == 1
