"""When a phase is due, and when people are told something while it waits (HELP deadlines): pure, from what is known.

    deadline - REMIND hours       reminder    to those who owe orders, or have unspent points
    deadline                      late        to all, where there is grace
    every 24 hours of grace       again       to the late
    end of grace, NoNMR           abandoned   to all: the seats of the late are open
    2, 4 and 8 days after that    waiting     to all: a replacement is sought
    every week from there         sought      to the masters, or to all where there is none, with what they can do
    28 days after grace           stuck       to the keeper
    MANUALPROCESS: from the deadline every 24 hours "master", to the masters alone, instead of what follows it

The phase's own moments say which of these a moment is, so its row holds only the next one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count, takewhile
from typing import Literal

from judge.games.core.settings import GameSettings, Terms
from judge.store.tables import NEVER, Phase

AGAIN = timedelta(hours=24)
PAUSED = timedelta(hours=72)
# The people in a game that is forming are told once a week what it waits for.
WEEK = timedelta(days=7)
MOST_WEEKS = 12

# As in the table above.
NoticeKind = Literal["reminder", "late", "again", "abandoned", "waiting", "sought", "stuck", "master"]
# What holds a phase up: orders that are missing, or a WAIT or unspent points, for which it waits until its deadline.
Holds = Literal["orders", "deadline", ""]
# What a phase is due at: MIN and DELAY after its last orders, its deadline, or the end of grace; or nothing but orders
# (NoNMR) or its master.
Awaits = Literal["delay", "deadline", "grace", "orders", "master"]

# Days after the end of grace; from the last one on it goes on weekly.
_UNTIL_REPLACED: tuple[tuple[int, NoticeKind], ...] = (
    (0, "abandoned"), (2, "waiting"), (4, "waiting"), (8, "waiting"),
    (15, "sought"), (22, "sought"), (28, "stuck"), (29, "sought"),
)  # fmt: skip


def when(
    phase: Phase | Terms,
    settings: GameSettings,
    delay: timedelta,
    holds: Holds,
    now: datetime,
    before: datetime | None = None,
) -> tuple[datetime | None, Awaits]:
    """Return when the phase is due (None: not before something happens), and which moment that is.

    `delay`: from the last orders to an early end. `before`: when it was due until now, by the same terms: a phase that
    is complete keeps its moment even if its orders are revised.
    """
    if settings.manual_process:
        return None, "master"
    if holds == "orders":
        return (phase.grace_ends_at, "grace") if settings.nmr else (None, "orders")
    early = now + delay
    if before:
        early = min(early, before)
    early = max(early, phase.earliest_at)
    if now < phase.deadline_at:
        return (phase.deadline_at, "deadline") if holds else (min(early, phase.deadline_at), "delay")
    if settings.nmr:
        early = min(early, phase.grace_ends_at)
    return early, "delay"


@dataclass(frozen=True)
class Alarms:
    """The moments at which people are notified about a phase, and of what."""

    phase: Phase | Terms
    game_settings: GameSettings

    def after(self, moment: datetime) -> datetime | None:
        """Return the next moment after `moment` at which a notice is due, if there is one. The phase is open then."""
        return next((at for at, _ in self._all() if at > moment), None)

    def kind(self, moment: datetime) -> NoticeKind:
        """Return which notice is due at `moment`: the latest, since one that failed is sent a little later."""
        *_, latest = ("reminder", *(kind for _, kind in takewhile(lambda alarm: alarm[0] <= moment, self._all())))
        return latest

    def _all(self) -> Iterator[tuple[datetime, NoticeKind]]:
        phase, settings = self.phase, self.game_settings
        if phase.deadline_at >= NEVER:
            return
        for hours in sorted(settings.remind, reverse=True):
            yield phase.deadline_at - timedelta(hours=hours), "reminder"
        from_deadline = (phase.deadline_at + number * AGAIN for number in count())
        if settings.manual_process:
            yield from ((at, "master") for at in from_deadline)
        for at in takewhile(lambda at: at < phase.grace_ends_at, from_deadline):
            yield at, "again" if at > phase.deadline_at else "late"
        if settings.nmr:
            return
        for days, kind in _UNTIL_REPLACED:
            yield phase.grace_ends_at + timedelta(days=days), kind
        for weeks in count(1):
            yield phase.grace_ends_at + timedelta(days=_UNTIL_REPLACED[-1][0]) + weeks * WEEK, "sought"


def while_forming(since: datetime, now: datetime) -> datetime | None:
    """Return when people are next told what a game awaits that forms `since` then: weekly; None after the last."""
    weeks = (now - since) // WEEK + 1
    return since + weeks * WEEK if weeks <= MOST_WEEKS else None
