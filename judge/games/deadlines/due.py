"""Compute when a phase is due, and when people are notified while it waits (HELP deadlines).

    deadline - REMIND hours       reminder    to those who owe orders, or have unspent points
    deadline                      late        to all, if the game has grace
    every 24 hours of grace       again       to the late players
    end of grace, NoNMR           abandoned   to all, since the powers of late players are open
    2, 4 and 8 days after that    waiting     to all, since the game needs a replacement
    weekly after that             sought      to the masters, or to all if there is none, with ways to continue the game
    28 days after grace           stuck       to the keeper

With MANUALPROCESS the only notices from the deadline on are "master", sent to the masters every 24 hours.

A phase's row has only the next of these moments. The kind of its notice follows from the moment.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import repeat, takewhile
from typing import Literal

from judge.games.core.settings import GameSettings, Terms
from judge.store.tables import NEVER, Phase

AGAIN = timedelta(hours=24)
PAUSED = timedelta(hours=72)
# The people in a forming game get at most MOST_WEEKS weekly notices of what the game waits for.
WEEK = timedelta(days=7)
MOST_WEEKS = 12

# The kinds of notices in the table above.
NoticeKind = Literal["reminder", "late", "again", "abandoned", "waiting", "sought", "stuck", "master"]
# Why a phase waits. "orders" means that orders are missing. "deadline" means that it waits until the deadline, because
# of a WAIT or unspent Diplomacy Points.
Holds = Literal["orders", "deadline", ""]
# What a phase waits for. "delay" is the end of MIN and DELAY. "orders" are missing orders under NoNMR, and "master" is
# PROCESS by its master. For these two, the phase is not due at any time.
Awaits = Literal["delay", "deadline", "grace", "orders", "master"]

# Days after the end of grace, and the notice then. Later notices are weekly.
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
    """Return when the phase is due (None if it is not due by itself), and what it waits for.

    `delay` is the time from the last orders to an early end. `before` is when the phase was due until now, if its
    deadline has not changed. Revised orders do not make a complete phase due later.
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
    """The moments at which people are notified about a phase, and the kind of each notice."""

    phase: Phase | Terms
    game_settings: GameSettings

    def after(self, moment: datetime) -> datetime | None:
        """Return the next moment after `moment` at which a notice is due, or None if there is none.

        The phase is assumed to be still open at that moment.
        """
        return next((at for at, _ in self._all() if at > moment), None)

    def kind(self, moment: datetime) -> NoticeKind:
        """Return the kind of the notice due at `moment`.

        A notice that has failed is sent again a little later. So the result is the kind of the latest notice that was
        due.
        """
        *_, latest = ("reminder", *(kind for _, kind in takewhile(lambda alarm: alarm[0] <= moment, self._all())))
        return latest

    def _all(self) -> Iterator[tuple[datetime, NoticeKind]]:
        phase, settings = self.phase, self.game_settings
        if phase.deadline_at >= NEVER:
            return
        for hours in sorted(settings.remind, reverse=True):
            yield phase.deadline_at - timedelta(hours=hours), "reminder"
        from_deadline = _every(AGAIN, phase.deadline_at)
        if settings.manual_process:
            yield from zip(from_deadline, repeat("master"), strict=False)
        for at in takewhile(lambda at: at < phase.grace_ends_at, from_deadline):
            yield at, "again" if at > phase.deadline_at else "late"
        if settings.nmr:
            return
        for days, kind in _UNTIL_REPLACED:
            yield phase.grace_ends_at + timedelta(days=days), kind
        last = phase.grace_ends_at + timedelta(days=_UNTIL_REPLACED[-1][0])
        yield from zip(_every(WEEK, last + WEEK), repeat("sought"), strict=False)


def _every(span: timedelta, moment: datetime) -> Iterator[datetime]:
    while True:
        yield moment
        moment += span


def while_forming(since: datetime, now: datetime) -> datetime | None:
    """Return when the people in a game, forming since `since`, are next notified of what it waits for.

    Returns None after the last notice.
    """
    weeks = (now - since) // WEEK + 1
    return since + weeks * WEEK if weeks <= MOST_WEEKS else None
