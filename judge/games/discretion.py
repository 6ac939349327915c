"""What may be shown of the people in a game, and to whom: the one place that decides it.

Names are no secret, but in a gunboat game, where only the master knows who plays until it has ended. Addresses
are shown to the players and the master, never to a stranger and, as anybody may observe, not to observers;
those of a gunboat game to nobody but its master.
"""

from dataclasses import dataclass

from judge.games.settings import GameSettings
from judge.store.tables import Game, Seat


@dataclass(frozen=True)
class Shown:
    """What a reader may see of the players: their names, their addresses."""

    names: bool
    addresses: bool


def shown_to(reader: Seat | None, game: Game) -> Shown:
    """What whoever holds the seat `reader` in `game` (None: a stranger) may see of its players."""
    if reader and reader.role == "master":
        return Shown(names=True, addresses=True)
    gunboat = GameSettings.from_json(game.settings).gunboat
    return Shown(
        names=not gunboat or game.state == "finished",
        addresses=not gunboat and reader is not None and reader.role == "player",
    )
