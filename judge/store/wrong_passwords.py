"""The wrong passwords: when, from which address, for which game."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete
from sqlmodel import Session, col, select

from judge.store.ids import id_of
from judge.store.tables import Game, WrongPassword

_MINE = (WrongPassword.address == bindparam("sender"), WrongPassword.game_id == bindparam("game"))
_LATEST = select(WrongPassword.at).where(*_MINE).order_by(col(WrongPassword.at).desc(), col(WrongPassword.id).desc())


def latest(session: Session, game: Game, address: str, count: int) -> Sequence[datetime]:
    """When the last `count` wrong passwords came, the newest first."""
    return session.exec(_LATEST.limit(count), params={"sender": address, "game": game.id}).all()


def note(session: Session, game: Game, address: str, now: datetime) -> None:
    """Note one more."""
    session.add(WrongPassword(address=address, game_id=id_of(game), at=now))
    session.flush()


def forget_before(session: Session, game: Game, address: str, moment: datetime) -> None:
    """Delete those from before `moment`."""
    mine = (col(WrongPassword.address) == address, col(WrongPassword.game_id) == game.id)
    session.execute(delete(WrongPassword).where(*mine, col(WrongPassword.at) <= moment))
