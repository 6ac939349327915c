"""What may be shown of the people in a game, and to whom: only this module decides it.

Names are no secret, except in a gunboat game: there only the master knows who plays. Its end tells the names, unless
the game is set otherwise (NoReveal). Addresses are shown to the players and the master, never to strangers, and not
to observers either, since anybody may observe. The addresses of a gunboat game are shown only to its master. In a
quiet game only the master is told who comes and goes (SET QUIET).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.store.tables import Game, Seat


@dataclass(frozen=True)
class Shown:
    """What a reader may see of the players: their names, their addresses, who comes, goes and is late."""

    names: bool
    addresses: bool
    changes: bool = True


def shown_to(reader: Seat | None, game: Game) -> Shown:
    """What the holder of the seat `reader` in `game` (None: a stranger) may see of its players."""
    if reader and reader.role == "master":
        return Shown(names=True, addresses=True)
    settings = settings_of(game)
    ended = game.state == "finished"
    return Shown(
        names=not settings.gunboat or (ended and settings.reveal),
        addresses=not settings.gunboat and reader is not None and reader.role == "player",
        changes=not settings.quiet or ended,
    )


def disorder_shown(game: Game, shown: Shown) -> Sequence[str]:
    """The powers in permanent civil disorder that a reader is told about: none for a reader who is not told who has
    left, unless the board itself shows it.
    """
    told = shown.changes or variant_of(game).neutrals.civil_disorder
    return settings_of(game).disorder if told else ()


def hides_people(game: Game) -> bool:
    """Whether a mail to one player must contain no trace of another: in a gunboat game, even after its end."""
    return settings_of(game).gunboat
