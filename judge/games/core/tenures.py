"""The players of each power that a reader may know of, and the phases in which they played."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import turn_of
from judge.games.core.who_may_see import Shown, holders_shown
from judge.store.games import phases_of
from judge.store.seats import ever_seated
from judge.store.tables import Game, Phase


@dataclass(frozen=True)
class Tenure:
    """A player's time in the game, as one power or as a master.

    `since` and `until` are the phases in which the time began and ended. An empty `since` is the start of the game, and
    an empty `until` means that the player still plays.
    """

    seat: str
    name: str
    since: str
    until: str

    def __str__(self) -> str:
        spans = (f"from {self.since}" if self.since else "", f"until {self.until}" if self.until else "")
        return ", ".join(filter(None, [self.name or "(secret: a gunboat game)", *spans]))


def tenures(session: Session, game: Game, shown: Shown) -> list[Tenure]:
    """List the masters, then the players by power, in order of arrival.

    Names are included only if `shown` allows it. If joining and leaving are hidden from the reader, each power has only
    the player that the reader knows of.
    """
    phases, known = phases_of(session, game), holders_shown(session, game, shown).values()
    found = []
    for seat, person in ever_seated(session, game):
        played = "Master" if seat.role == "master" else seat.power
        if not played:
            continue
        since = until = ""
        if played == "Master" or shown.changes:
            came_later = game.started_at and seat.joined_at > game.started_at
            since = _phase_at(phases, seat.joined_at) if came_later else ""
            until = _phase_at(phases, seat.left_at) if seat.left_at else ""
        elif (seat, person) not in known:
            continue
        found.append(Tenure(played, shown.name_of(seat, person), since, until))
    return sorted(found, key=lambda tenure: turn_of(game, tenure.seat))


def _phase_at(phases: Sequence[Phase], moment: datetime) -> str:
    return next((phase.name for phase in reversed(phases) if phase.opened_at <= moment), "")
