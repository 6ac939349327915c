"""The stored press of a game: written once, never changed."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, true
from sqlmodel import Session, col, select

from judge.store.tables import Address, Game, Mail, Phase, Press, Seat


def press_of(session: Session, game: Game) -> Sequence[tuple[Press, str]]:
    """Every message that was sent in `game`, oldest first, with the phase that was open then, "" before the first."""
    messages = select(Press, Phase.name).join(Phase, isouter=True).where(Press.game_id == game.id)
    rows = session.exec(messages.order_by(col(Press.sent_at), col(Press.id)))
    return [(press, phase or "") for press, phase in rows]


def press_since(session: Session, seat: Seat, since: datetime, *, public: bool = False) -> int:
    """How many messages were sent from `seat` after `since`; `public`: only those that went to observers too."""
    sent = (Press.seat_id == seat.id, Press.sent_at > since, col(Press.public) if public else true())
    return session.exec(select(func.count()).select_from(Press).where(*sent)).one()


def press_in(session: Session, message_id: str) -> tuple[Press, Game, int | None] | None:
    """The message that the mail with this Message-ID carries, its game, and the id of the person to whom it went (None:
    nobody known); None if the judge has written no such mail.
    """
    carried = (
        select(Press, Game, Address.person_id)
        .select_from(Mail)
        .join(Press, col(Mail.press_id) == Press.id)
        .join(Game, col(Press.game_id) == Game.id)
        .join(Address, col(Mail.recipient) == Address.address, isouter=True)
    )
    return session.exec(carried.where(Mail.message_id == message_id)).first()
