"""The stored press of a game: written once, never changed."""

from collections.abc import Sequence

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from judge.store.tables import Game, Person, Phase, Press, Seat

_PRESS_OF = (
    select(Press, Phase.name)
    .join(Phase, isouter=True)
    .where(Press.game_id == bindparam("game"))
    .order_by(col(Press.sent_at), col(Press.id))
)
_SEATS_EVER = select(Seat).where(Seat.game_id == bindparam("game"), Seat.person_id == bindparam("person"))


def press_of(session: Session, game: Game) -> Sequence[tuple[Press, str]]:
    """Every message that was sent in `game`, oldest first, with the phase that was open then, "" before the first."""
    rows = session.exec(_PRESS_OF, params={"game": game.id})
    return [(press, phase or "") for press, phase in rows]


def seats_ever(session: Session, game: Game, person: Person) -> Sequence[Seat]:
    """The seats that `person` holds or has held in `game`."""
    return session.exec(_SEATS_EVER, params={"game": game.id, "person": person.id}).all()
