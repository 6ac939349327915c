"""The log of what happened, for the keeper and for appeals."""

from datetime import datetime

from sqlalchemy import insert
from sqlmodel import Session, SQLModel

from judge.store.states import EventKind
from judge.store.straight import Straight
from judge.store.tables import Game, Phase

_LOG = Straight(insert(SQLModel.metadata.tables["event"]))


def log(session: Session, kind: EventKind, game: Game, phase: Phase | None, text: str, now: datetime) -> None:
    """Write that this has happened in `game`."""
    phase_id = phase.id if phase else None
    row = {"at": now, "kind": kind, "game_id": game.id, "phase_id": phase_id, "letter_id": None, "text": text}
    _LOG.rows(session, **row)
