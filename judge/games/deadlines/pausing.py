"""A paused game: its clock stands still, and orders are kept (PAUSE, RESUME).

A game that its master pauses says so to everybody every three days. One that nobody plays is paused by the judge itself
(judge/games/life/idle.py).
"""

from datetime import datetime

from judge.games.core.turn import Turn
from judge.games.deadlines import schedule
from judge.games.deadlines.notice_times import PAUSED
from judge.games.telling import notices
from judge.store.tables import Game, Phase


def pause(turn: Turn, game: Game, phase: Phase) -> None:
    """Stop the clock of `game`, and tell everybody; orders on file stay there."""
    stop(turn, game, phase, turn.now + PAUSED)
    text = (
        f"{game.name} is paused: {phase.name} has no deadline now. Orders on file stay, and you can still send and "
        "change yours. RESUME continues the game with the time that is left, at least a day."
    )
    notices.tell_news(turn, game, f"{phase.name} Game Paused", text)


def stop(turn: Turn, game: Game, phase: Phase, notice_at: datetime) -> None:
    """Stop the clock of `game`; at `notice_at` the judge looks at it again."""
    game.state, game.stopped_at = "paused", turn.now
    phase.due_at, phase.notice_at = None, notice_at
    turn.session.add_all([game, phase])
    turn.log("paused", game, phase.name, phase)


def remind(turn: Turn, game: Game, phase: Phase) -> None:
    """Tell everybody again that the game is paused."""
    phase.notice_at = turn.now + PAUSED
    turn.session.add(phase)
    text = f"{game.name} is still paused in {phase.name}. RESUME continues it with the time that was left."
    notices.tell_news(turn, game, f"{phase.name} Game Paused", text)


def resume(turn: Turn, game: Game, phase: Phase, why: str = "", deadline: datetime | None = None) -> None:
    """Continue the game, with the time that was left when it was paused, or until `deadline`; all are told `why`."""
    paused_at = game.stopped_at or phase.opened_at
    game.state, game.stopped_at, game.idle, phase.notice_at = "active", None, False, None
    turn.session.add_all([game, phase])
    turn.log("resumed", game, phase.name, phase)
    why = why or f"{game.name} has resumed at {phase.name}."
    if deadline:
        schedule.move_deadline(turn, game, phase, deadline, why)
    else:
        schedule.resume(turn, game, phase, paused_at, why)
