"""When the next phase is due (judge-commands 4.1): NEXT hours, moved to CLOCK on an allowed day.

All results are UTC; the time of day and the days of the week are those of the game's zone.
"""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

_SUNDAY_FIRST = 6


@dataclass(frozen=True)
class Timing:
    """How long a phase lasts: `next`, `min`, `grace` in hours; `clock` in minutes after midnight or -1.

    `days` has a letter per day from Sunday: `-` shut, capital open, lower case open from noon.
    """

    next: float
    clock: int
    min: float
    grace: float
    days: str

    def to_json(self) -> dict[str, Any]:
        """The form kept in the game's settings."""
        return asdict(self)


MOVE = Timing(next=71, clock=1410, min=0, grace=0, days="-MTWTF-")
RETREAT = Timing(next=23, clock=-1, min=0, grace=0, days="-mTWTF-")
ADJUST = RETREAT
_NOON = time(12)


@dataclass(frozen=True)
class Terms:
    """The four moments of a phase's row, in UTC."""

    opened_at: datetime
    earliest_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime


def terms(
    timing: Timing, opened_at: datetime, zone: str, not_before: datetime | None = None, stretch: int = 1
) -> Terms:
    """The moments of a phase that opens at `opened_at`.

    `not_before`: the deadline just past, which an extension may have put ahead. `stretch`: 2 for the first
    phase of a game, so that people find time to begin talking.
    """
    deadline = opened_at + timedelta(hours=timing.next * stretch)
    if not_before:
        deadline = max(deadline, not_before)
    deadline = _allowed(deadline, timing, ZoneInfo(zone))
    return Terms(
        opened_at=opened_at,
        earliest_at=opened_at + timedelta(hours=timing.min),
        deadline_at=deadline,
        grace_ends_at=_allowed(deadline + timedelta(hours=timing.grace), timing, ZoneInfo(zone)),
    )


def _allowed(moment: datetime, timing: Timing, zone: ZoneInfo) -> datetime:
    """`moment`, or the next one that is on the clock and on an open day; whole seconds."""
    local = moment.astimezone(zone).replace(microsecond=0)
    if timing.clock >= 0:
        local = _next_clock(local, timing.clock)
    for _ in range(14):
        day = timing.days[(local.weekday() - _SUNDAY_FIRST) % 7]
        if day == "-":
            local = datetime.combine(local.date() + timedelta(days=1), time(0), tzinfo=zone)
        elif day.islower() and local.time() < _NOON:
            local = datetime.combine(local.date(), _NOON, tzinfo=zone)
        else:
            break
        if timing.clock >= 0:
            local = _next_clock(local, timing.clock)
    return local.astimezone(UTC)


def _next_clock(local: datetime, clock: int) -> datetime:
    at = time(clock // 60, clock % 60)
    day = local.date() if local.time() <= at else local.date() + timedelta(days=1)
    return datetime.combine(day, at, tzinfo=local.tzinfo)
