"""The outcome of a phase, read again from its row, so that its results can be told again at any time."""

from sqlmodel import Session

from judge.games.core.board import board, variant_at, variant_of
from judge.rules import Outcome, Position, Variant, outcome_from_json, position_after
from judge.store.games import last_phase
from judge.store.tables import Game, Phase


def outcome_of(game: Game, phase: Phase) -> tuple[Position, Outcome]:
    """The position before a processed phase of `game`, and the outcome of the phase."""
    variant, position = board(game, phase)
    return position, outcome_from_json(variant, phase.outcome or {}, position)


def standing(session: Session, game: Game) -> Position | None:
    """The position of a game: before its open phase, or at the game's end; None while the game is forming."""
    last = last_phase(session, game)
    if not last or game.state == "forming":
        return None
    if last.outcome:
        return position_after(variant_of(game), last.outcome)
    return board(game, last)[1]


def variant_now(session: Session, game: Game) -> Variant:
    """The variant in the open phase of `game`, or at its end, or (while it is forming) at its start: canals open in the
    course of a game."""
    return variant_at(game, last_phase(session, game))
