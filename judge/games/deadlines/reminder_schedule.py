"""The moments at which people are told that orders are due or late, or that seats are given up (HELP deadlines).

    deadline - REMIND hours      reminder    to those who owe orders
    deadline                     late        to all, where there is grace
    every 24 hours of grace      again       to the late
    end of grace, NoNMR          abandoned   to all: the seats of the late are open
    every 48 hours from there    waiting     to all: a replacement is sought
    while the game is paused, every 72 hours, a word to all that it is
    MANUALPROCESS: from the deadline every 24 hours, to its master and to the late, instead of what follows grace

The phase's own times say which of these a moment is, so the row only needs to hold the next moment.
If NMR is set, the phase is processed at the end of grace, and nothing is left to tell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Literal

AGAIN = timedelta(hours=24)
WAITING = timedelta(hours=48)
PAUSED = timedelta(hours=72)

# As in the table above.
NoticeKind = Literal["reminder", "late", "again", "abandoned", "waiting"]


@dataclass(frozen=True)
class Alarms:
    """The times of a phase that decide who is told what and when; `remind`: in hours before the deadline. `manual`: the
    phase waits for its master.
    """

    opened_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime
    remind: Sequence[float]
    nmr: bool
    manual: bool = False

    def after(self, moment: datetime) -> datetime | None:
        """The next moment after `moment` at which something is to be told, if there is one."""
        return next((alarm for alarm in self._all() if alarm > moment), None)

    def kind(self, moment: datetime) -> NoticeKind:
        """What is told at `moment`."""
        if moment < self.deadline_at:
            return "reminder"
        if moment < self.grace_ends_at or self.manual:
            return "late" if moment == self.deadline_at else "again"
        return "abandoned" if moment == self.grace_ends_at else "waiting"

    def _all(self) -> Iterator[datetime]:
        reminders = (self.deadline_at - timedelta(hours=hours) for hours in sorted(self.remind, reverse=True))
        yield from (moment for moment in reminders if self.opened_at < moment < self.deadline_at)
        if self.manual:
            yield from (self.deadline_at + number * AGAIN for number in count())
        moment = self.deadline_at
        while moment < self.grace_ends_at:
            yield moment
            moment += AGAIN
        if not self.nmr:
            yield from (self.grace_ends_at + number * WAITING for number in count())
