"""A paused game: its clock stands still, and orders are kept (PAUSE, RESUME).

A game that its master pauses says so to everybody every three days. One that nobody plays is paused by the judge itself
(judge/games/life/idle.py).
"""

from datetime import datetime

from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.deadlines.reminder_schedule import PAUSED
from judge.games.notifications import notices
from judge.store.tables import Game, Phase


def pause(work: Work, game: Game, phase: Phase) -> None:
    """Stop the clock of `game`, and tell everybody; orders on file stay there."""
    stop(work, game, phase, work.now + PAUSED)
    text = (
        f"{game.name} is paused: {phase.name} has no deadline now. Orders on file stay, and you can still send and "
        "change yours. RESUME continues the game with the time that is left, at least a day."
    )
    notices.tell_news(work, game, f"{phase.name} Game Paused", text)


def stop(work: Work, game: Game, phase: Phase, notice_at: datetime) -> None:
    """Stop the clock of `game`; at `notice_at` the judge looks at it again."""
    game.state, game.stopped_at = "paused", work.now
    phase.due_at, phase.notice_at = None, notice_at
    work.session.add_all([game, phase])
    work.log("paused", game, phase.name, phase)


def remind(work: Work, game: Game, phase: Phase) -> None:
    """Tell everybody again that the game is paused."""
    phase.notice_at = work.now + PAUSED
    work.session.add(phase)
    text = f"{game.name} is still paused in {phase.name}. RESUME continues it with the time that was left."
    notices.tell_news(work, game, f"{phase.name} Game Paused", text)


def resume(work: Work, game: Game, phase: Phase, why: str = "", deadline: datetime | None = None) -> None:
    """Continue the game, with the time that was left when it was paused, or until `deadline`; all are told `why`."""
    paused_at = game.stopped_at or phase.opened_at
    game.state, game.stopped_at, game.idle, phase.notice_at = "active", None, False, None
    work.session.add_all([game, phase])
    work.log("resumed", game, phase.name, phase)
    why = why or f"{game.name} has resumed at {phase.name}."
    if deadline:
        schedule.move_deadline(work, game, phase, deadline, why)
    else:
        schedule.resume(work, game, phase, paused_at, why)
