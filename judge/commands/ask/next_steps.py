"""What a sender who asks for HELP can do now: register, join a game, order, look after a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.commands.core.context import CommandContext
from judge.commands.core.queries import seat_in
from judge.games.core.board import variant_of
from judge.store.games import open_phase
from judge.store.seats import games_of
from judge.store.states import Role
from judge.store.tables import Game, Phase

# HELP fits on a screen.
MOST_GAMES = 3


@dataclass(frozen=True)
class Step:
    """A game of the sender's: their role in it, how they sign on, its open phase."""

    game: str
    role: Role
    signon: str
    phase: Phase | None
    paused: bool


def next_steps(context: CommandContext) -> Sequence[Step]:
    """The game that is signed on to; else those of the sender's address, the first few by name."""
    games = [context.game] if context.game else games_of(context.session, context.person) if context.person else []
    steps = (_step(context, game) for game in games)
    return [step for step in steps if step][:MOST_GAMES]


def _step(context: CommandContext, game: Game) -> Step | None:
    seat = seat_in(context, game)
    if not seat:
        return None
    side = variant_of(game).seat_named[seat.power].at(game.name) if seat.power else f"?{game.name}"
    signon = {"player": side, "master": f"M{game.name}", "observer": f"O{game.name}"}[seat.role]
    return Step(game.name, seat.role, signon, open_phase(context.session, game), game.state == "paused")
