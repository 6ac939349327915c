"""How a game ends without a last adjudication: by a draw or a concession."""

from collections.abc import Iterable

from judge.games.core.board import variant_of
from judge.games.core.work import Work
from judge.games.life import applications
from judge.games.notifications import notices
from judge.rules import Variant
from judge.rules.board.names import listed
from judge.store.games import claim
from judge.store.tables import Game, Phase


def draw(work: Work, game: Game, phase: Phase, powers: Iterable[str]) -> None:
    """End the game as a draw between `powers`."""
    variant = variant_of(game)
    _end(work, game, phase, draw_result(variant, powers), draw_sentence(game, variant, powers))


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


def concede(work: Work, game: Game, phase: Phase, powers: Iterable[str]) -> None:
    """End the game: all others have conceded to these powers, mostly one."""
    among = set(powers)
    seats = [seat for seat in variant_of(game).seats if seat.name in among]
    sentence = f"Game {game.name} is conceded to {listed(seat.name for seat in seats)}. Well played."
    _end(work, game, phase, f"Game Conceded to: {''.join(seat.letter for seat in seats)}", sentence)


def terminate(work: Work, game: Game, phase: Phase | None) -> None:
    """The master ends the game, begun or not, without a result."""
    _end(work, game, phase, "Game Terminated", f"Game {game.name} was terminated by its master.")


def abandon(work: Work, game: Game, phase: Phase) -> None:
    """Nobody plays any more: the game ends without a result."""
    days = work.services.settings.idle_limit
    sentence = f"{game.name} has ended without a result: no player has sent an order in the last {days:g} days."
    _end(work, game, phase, "Game Abandoned", sentence)


def _end(work: Work, game: Game, phase: Phase | None, result: str, sentence: str) -> None:
    """Close the open phase as it stands, unless another has just processed it."""
    if phase and not claim(work.session, phase, work.now, due=False):
        return
    if phase:
        phase.processed_at = work.now
    game.state, game.ended_at, game.result, game.notice_at = "finished", work.now, result, None
    game.idle, game.stopped_at = False, None
    work.session.add(game)
    work.log("ended", game, result, phase)
    notices.tell_end(work, game, phase, sentence)
    applications.drop_all(work, game, f"Game {game.name} has ended.")
