"""What may be shown of the people in a game, and to whom: the one place that decides it.

Names are no secret, but in a gunboat game, where only the master knows who plays; its end tells the names, unless
the game says otherwise (NoReveal). Addresses are shown to the players and the master, never to a stranger and, as
anybody may observe, not to observers; those of a gunboat game to nobody but its master. In a quiet game who comes and
goes is the master's business (SET QUIET).
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
    """The powers in permanent civil disorder that a reader is told of: none where it is not told who has gone, unless
    the board itself shows it.
    """
    told = shown.changes or variant_of(game).neutrals.civil_disorder
    return settings_of(game).disorder if told else ()


def hides_people(game: Game) -> bool:
    """Whether a mail to one player must not bear a trace of another: a gunboat game, even when it has ended."""
    return settings_of(game).gunboat
