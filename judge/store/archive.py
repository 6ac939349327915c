"""The stored press of a game: written once, never changed."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from judge.store.tables import Game, Person, Phase, Press, Seat

_PRESS_OF = (
    select(Press, Phase.name)
    .join(Phase, isouter=True)
    .where(Press.game_id == bindparam("game"))
    .order_by(col(Press.sent_at), col(Press.id))
)
_SEATS_EVER = select(Seat).where(Seat.game_id == bindparam("game"), Seat.person_id == bindparam("person"))

_PRESS_SINCE = (
    select(func.count())
    .select_from(Press)
    .where(Press.seat_id == bindparam("seat"), col(Press.sent_at) > bindparam("since"))
)
_PUBLIC_SINCE = _PRESS_SINCE.where(col(Press.public))


def press_of(session: Session, game: Game) -> Sequence[tuple[Press, str]]:
    """Every message that was sent in `game`, oldest first, with the phase that was open then, "" before the first."""
    rows = session.exec(_PRESS_OF, params={"game": game.id})
    return [(press, phase or "") for press, phase in rows]


def press_since(session: Session, seat: Seat, since: datetime, *, public: bool = False) -> int:
    """How many messages were sent from `seat` after `since`; `public`: only those that went to observers too."""
    return session.exec(_PUBLIC_SINCE if public else _PRESS_SINCE, params={"seat": seat.id, "since": since}).one()


def seats_ever(session: Session, game: Game, person: Person) -> Sequence[Seat]:
    """The seats that `person` holds or has held in `game`."""
    return session.exec(_SEATS_EVER, params={"game": game.id, "person": person.id}).all()
