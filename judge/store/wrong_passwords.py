"""The wrong passwords: when they came, from which address and domain, for which game and seat."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col, select

from judge.store.tables import Game, WrongPassword


def latest(session: Session, game: Game, count: int, **where: str) -> Sequence[datetime]:
    """The times of the last `count` wrong passwords whose columns (address, domain, seat) have these values, the newest
    first.
    """
    mine = select(WrongPassword.at).where(WrongPassword.game_id == game.id).filter_by(**where)
    newest_first = mine.order_by(col(WrongPassword.at).desc(), col(WrongPassword.id).desc())
    return session.exec(newest_first.limit(count)).all()


def note(session: Session, wrong: WrongPassword) -> None:
    """Record one more wrong password."""
    session.add(wrong)
    session.flush()


def forget_before(session: Session, game: Game, moment: datetime) -> None:
    """Delete the records for this game from before `moment`."""
    old = (col(WrongPassword.game_id) == game.id, col(WrongPassword.at) <= moment)
    session.execute(delete(WrongPassword).where(*old))
