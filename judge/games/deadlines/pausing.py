"""A paused game: its clock stands still, and everybody is told so every three days (PAUSE)."""

from judge.games.core.turn import Turn
from judge.games.deadlines import schedule
from judge.games.deadlines.notice_times import PAUSED
from judge.games.telling import notices
from judge.store.tables import Game, Phase


def pause(turn: Turn, game: Game, phase: Phase) -> None:
    """Stop the clock of `game`; orders on file stay there."""
    game.state = "paused"
    phase.due_at, phase.notice_at = None, turn.now + PAUSED
    turn.session.add_all([game, phase])
    turn.log("paused", game, phase.name, phase)
    text = (
        f"Game {game.name} is paused: {phase.name} has no deadline now, and no orders are taken. Orders on file stay. "
        "RESUME continues the game, with a new deadline."
    )
    notices.tell_news(turn, game, f"{phase.name} Game Paused", text)


def remind(turn: Turn, game: Game, phase: Phase) -> None:
    """Tell everybody again that the game is paused."""
    phase.notice_at = turn.now + PAUSED
    turn.session.add(phase)
    text = f"Game {game.name} is still paused in {phase.name}. RESUME continues it, with a new deadline."
    notices.tell_news(turn, game, f"{phase.name} Game Paused", text)


def resume(turn: Turn, game: Game, phase: Phase) -> None:
    """Continue the game, with as much time as if the phase opened now."""
    game.state, phase.notice_at = "active", None
    turn.session.add_all([game, phase])
    turn.log("resumed", game, phase.name, phase)
    why = f"Game {game.name} goes on with {phase.name}."
    schedule.give_time(turn, game, phase, why)
