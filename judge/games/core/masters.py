"""Games that need a master: where points are bid in secret, a master must know who bid what.

A master who plays too must not know it before the phase is over: they see no bids of others for the open phase.
"""

from collections.abc import Sequence

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.store import bidfile
from judge.store.ids import id_of
from judge.store.lookups import seats_of
from judge.store.states import Role
from judge.store.tables import Game, Person, Phase, Seat

BLIND = (
    "You are the master of this game and play in it too, so you do not see what others bid for the open phase: PREDICT "
    "leaves all bids out, BECOME neither shows nor takes them, and ROLLBACK does not bring them back."
)
_BOTH: frozenset[Role] = frozenset({"master", "player"})


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


def plays_too(seats: Sequence[Seat], person_id: int) -> bool:
    """Whether the person holds both a master's and a player's seat among the `seats` of a game."""
    return {seat.role for seat in seats if seat.person_id == person_id} >= _BOTH


def master_plays(seats: Sequence[Seat]) -> bool:
    """Whether a master of the game plays in it too."""
    return any(plays_too(seats, seat.person_id) for seat in seats if seat.role == "master")


def sees_bids(session: Session, game: Game, seat: Seat) -> bool:
    """Whether the master in `seat` may see what is bid for the open phase."""
    return not plays_too(seats_of(session, game), seat.person_id)


def may_have_seen_bids(session: Session, game: Game, phase: Phase, power: str, person_id: int) -> bool:
    """Whether the person is a master who does not play yet, while powers other than `power` have bid for the open
    `phase`."""
    roles = {seat.role for seat in seats_of(session, game) if seat.person_id == person_id}
    if "master" not in roles or "player" in roles:
        return False
    own = variant_of(game).powers_of(power)
    return any(bid.power not in own for bid in bidfile.on_file(session, id_of(phase)))


def blindness(session: Session, game: Game, person: Person) -> str:
    """What a master who plays is told about the bids; "" for anybody else, and in games without points."""
    blind = needs_master(game) and plays_too(seats_of(session, game), id_of(person))
    return BLIND if blind else ""
