"""A game that is paused: its clock stands still, and everybody is told so every three days (judge-commands 2.6)."""

from datetime import datetime

from sqlmodel import Session

from judge.games.core.office import Office
from judge.games.deadlines import schedule
from judge.games.deadlines.notice_times import PAUSED
from judge.games.telling import notices
from judge.store.tables import Event, Game, Phase


def pause(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    """Stop the clock of `game`; orders on file stay there."""
    game.state = "paused"
    phase.due_at, phase.notice_at = None, now + PAUSED
    session.add_all([game, phase, Event(at=now, kind="paused", game_id=game.id, phase_id=phase.id, text=phase.name)])
    text = (
        f"Game {game.name} is paused: {phase.name} has no deadline now, and no orders are taken. Orders on file stay. "
        "RESUME continues the game, with a new deadline."
    )
    notices.tell_news(session, office, game, f"{phase.name} Game Paused", text, now)


def remind(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    """Say once more that the game is paused."""
    phase.notice_at = now + PAUSED
    session.add(phase)
    text = f"Game {game.name} is still paused in {phase.name}. RESUME continues it, with a new deadline."
    notices.tell_news(session, office, game, f"{phase.name} Game Paused", text, now)


def resume(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    """Go on, with as much time as if the phase opened now."""
    game.state, phase.notice_at = "active", None
    session.add_all([game, phase, Event(at=now, kind="resumed", game_id=game.id, phase_id=phase.id, text=phase.name)])
    why = f"Game {game.name} goes on with {phase.name}."
    schedule.give_time(session, office, game, phase, why, now)
