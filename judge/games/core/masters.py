"""Games that need a master: where points are bid in secret, a master must know who bid what."""

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.store.seats import seats_of
from judge.store.tables import Game, Seat


def needs_master(game: Game) -> bool:
    """Whether the game cannot be played without a master."""
    return variant_of(game).points is not None


def lacks_master(session: Session, game: Game) -> bool:
    """Whether the game needs a master and has none."""
    return needs_master(game) and not any(seat.role == "master" for seat in seats_of(session, game))


def is_last_needed(session: Session, game: Game, seat: Seat) -> bool:
    """Whether `seat` is that of the only master of a game that needs one."""
    masters = [other for other in seats_of(session, game) if other.role == "master"]
    return needs_master(game) and [other.id for other in masters] == [seat.id]
