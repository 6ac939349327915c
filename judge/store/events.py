"""The log of what happened, for the keeper and for appeals."""

from datetime import datetime

from sqlmodel import Session

from judge.store.states import EventKind
from judge.store.tables import Event, Game, Phase


def log(session: Session, kind: EventKind, game: Game, phase: Phase | None, text: str, now: datetime) -> None:
    """Write that this has happened in `game`."""
    session.add(Event(at=now, kind=kind, game_id=game.id, phase_id=phase.id if phase else None, text=text))
