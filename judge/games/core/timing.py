"""How long the phases of a game last, and the four moments of one phase."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

# From, to (UTC): a deadline that falls into the span moves to its end.
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Timing:
    """How long a phase lasts: `next`, `min`, `grace` in hours; `clock` in minutes after midnight or -1.

    `days` has a letter per day from Sunday: `-` shut, capital open, lower case open from noon. `delay`: hours
    from the last missing order to an early end; None: as the keeper has set it for all games. Raises ValueError
    if these are no seven days, or none is open at the time of day that `clock` says.
    """

    next: float
    clock: int
    min: float
    grace: float
    days: str
    delay: float | None = None

    def __post_init__(self) -> None:
        if len(self.days) != 7:
            raise ValueError("a week has seven days")
        open_at_noon = self.clock < 0 or self.clock >= 12 * 60
        if not any(day.isupper() or (day.islower() and open_at_noon) for day in self.days):
            raise ValueError("no day of the week is open at that time of day")

    @property
    def of_first_phase(self) -> "Timing":
        """The same for the first phase of a game: twice as long, so that people find time to begin talking."""
        return replace(self, next=2 * self.next)

    def to_json(self) -> dict[str, Any]:
        """The form kept in the game's settings."""
        return asdict(self)


MOVE = Timing(next=71, clock=1410, min=0, grace=0, days="-MTWTF-")
RETREAT = Timing(next=23, clock=-1, min=0, grace=0, days="-mTWTF-")
ADJUST = RETREAT


@dataclass(frozen=True)
class Terms:
    """The four moments of a phase's row, in UTC."""

    opened_at: datetime
    earliest_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime
