"""How a game ends without a last adjudication: by a draw or a concession."""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.life import applications
from judge.games.telling import notices
from judge.rules import Variant
from judge.store.lookups import claim
from judge.store.tables import Event, Game, Phase


def draw(
    session: Session, office: Office, game: Game, phase: Phase, powers: Iterable[str], now: datetime
) -> None:
    """The game is a draw between `powers`."""
    variant = variant_of(game)
    _end(session, office, game, phase, draw_result(variant, powers), draw_sentence(game, variant, powers), now)


def draw_result(variant: Variant, seats: Iterable[str]) -> str:
    """`Draw Declared: EF`."""
    among = set(seats)
    return f"Draw Declared: {''.join(seat.letter for seat in variant.seats if seat.name in among)}"


def draw_sentence(game: Game, variant: Variant, seats: Iterable[str]) -> str:
    """`Game heron is a draw between England and France. Well played.`"""
    among = set(seats)
    *most, last = [seat.name for seat in variant.seats if seat.name in among]
    between = f"is a draw between {', '.join(most)} and {last}" if most else f"ends with {last} alone"
    return f"Game {game.name} {between}. Well played."


def concede(session: Session, office: Office, game: Game, phase: Phase, power: str, now: datetime) -> None:
    """All others have conceded to `power`."""
    letter = variant_of(game).seat_named[power].letter
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
