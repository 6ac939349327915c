"""The times at which a phase is due and people are notified while the phase waits (HELP deadlines): pure functions.

    deadline - REMIND hours       reminder    to those who owe orders, or have unspent points
    deadline                      late        to all, where there is grace
    every 24 hours of grace       again       to the late
    end of grace, NoNMR           abandoned   to all: the seats of the late are open
    2, 4 and 8 days after that    waiting     to all: a replacement is sought
    every week from there         sought      to the masters, or to all where there is none, with what they can do
    28 days after grace           stuck       to the keeper
    MANUALPROCESS: from the deadline every 24 hours "master", to the masters alone, instead of what follows it

A phase's row has only the next of these moments. The kind of the notice follows from that moment.
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
# While a game is forming, its people are told once a week what the game is waiting for.
WEEK = timedelta(days=7)
MOST_WEEKS = 12

# The kinds of notices in the table above.
NoticeKind = Literal["reminder", "late", "again", "abandoned", "waiting", "sought", "stuck", "master"]
# The reasons why a phase waits: missing orders; or a WAIT or unspent Diplomacy Points, for which the phase waits until
# its deadline.
Holds = Literal["orders", "deadline", ""]
# The moments at which a phase can be due: after its last orders (MIN and DELAY), at its deadline, or at the end of
# grace. Otherwise the phase waits for orders (NoNMR) or for the master.
Awaits = Literal["delay", "deadline", "grace", "orders", "master"]

# Days after the end of grace; after the last of them notices are weekly.
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
    """Return the moment at which the phase is due (None: not before something happens), and its kind.

    `delay`: the time from the last orders to an early end. `before`: when the phase was due until now, by the same
    terms; a complete phase stays due at that time even if its orders are revised.
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
        """Return the next moment after `moment` at which a notice is due; None if there is none.

        The phase is still open at that moment.
        """
        return next((at for at, _ in self._all() if at > moment), None)

    def kind(self, moment: datetime) -> NoticeKind:
        """Return the kind of the notice due at `moment`.

        If several notices are past, the kind is that of the latest one, since a failed notice is sent a little later.
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
    """Yield the moment, and without end one more after each span."""
    while True:
        yield moment
        moment += span


def while_forming(since: datetime, now: datetime) -> datetime | None:
    """Return when people are next told why a forming game still waits: weekly from `since`.

    Returns None after the last notice.
    """
    weeks = (now - since) // WEEK + 1
    return since + weeks * WEEK if weeks <= MOST_WEEKS else None
