"""How a game ends without a last adjudication: by a draw or a concession."""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from judge.games import applications, notices
from judge.games.boards import variant_of
from judge.games.office import Office
from judge.store.lookups import claim
from judge.store.tables import Event, Game, Phase


def draw(
    session: Session, office: Office, game: Game, phase: Phase, powers: Iterable[str], now: datetime
) -> None:
    """The game is a draw between `powers`."""
    names = [power for power in variant_of(game).powers if power.name in set(powers)]
    letters = "".join(power.letter for power in names)
    *most, last = [power.name for power in names]
    between = f"is a draw between {', '.join(most)} and {last}" if most else f"ends with {last} alone"
    _end(session, office, game, phase, f"Draw Declared: {letters}", f"Game {game.name} {between}. Well played.", now)


def concede(session: Session, office: Office, game: Game, phase: Phase, power: str, now: datetime) -> None:
    """All others have conceded to `power`."""
    letter = variant_of(game).power(power).letter
    sentence = f"Game {game.name} is conceded to {power}. Well played."
    _end(session, office, game, phase, f"Game Conceded to: {letter}", sentence, now)


def terminate(session: Session, office: Office, game: Game, phase: Phase | None, now: datetime) -> None:
    """The master ends the game, begun or not, without a result."""
    _end(session, office, game, phase, "Game Terminated", f"Game {game.name} was terminated by its master.", now)


def _end(
    session: Session, office: Office, game: Game, phase: Phase | None, result: str, sentence: str, now: datetime
) -> None:
    """Close the open phase as it stands, unless another has just processed it."""
    if phase and not claim(session, phase, now, due=False):
        return
    if phase:
        phase.processed_at = now
    game.state, game.ended_at, game.result, game.notice_at = "finished", now, result, None
    session.add(game)
    session.add(Event(at=now, kind="ended", game_id=game.id, phase_id=phase.id if phase else None, text=result))
    notices.tell_end(session, office, game, phase, sentence, now)
    applications.drop_all(session, office, game, f"Game {game.name} has ended.", now)
