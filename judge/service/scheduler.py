"""The scheduler: APScheduler rings the daemon when a phase or a notice is due, and at regular intervals.

The rows of open phases and forming games are the truth; the jobs live in memory, are made again from the rows at every
start, and are updated after every change. An alarm only rings: the daemon decides what is due.

Alarms are moments of the system's clock, which somebody may set. The sweep is not: it comes every so many seconds, and
has the alarms compared with the clock anew, so that none waits for a time that is no longer to come.
"""

import threading
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

# Times in a mailbox are whole seconds, so the second of the deadline must be over before the mailbox is looked through
# for letters that were in time.
SETTLE = timedelta(seconds=1)


class Clock:
    """Rings `ring` at every due moment and every `sweep` seconds."""

    def __init__(self, ring: Callable[[], None], sweep: float):
        self._ring = ring
        self._alarms: dict[str, datetime] = {}
        # No limit on lateness: an alarm that comes late (the machine slept) still rings.
        defaults = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=defaults)
        self._stopping = threading.Event()
        self._sweep = sweep
        self._sweeper = threading.Thread(target=self._ring_for_sweeps, name="sweep", daemon=True)

    def start(self) -> None:
        """Start to ring."""
        self._scheduler.start()
        self._sweeper.start()

    def stop(self) -> None:
        """Stop ringing."""
        self._stopping.set()
        self._scheduler.shutdown(wait=False)

    def _ring_for_sweeps(self) -> None:
        while not self._stopping.wait(self._sweep):
            self._ring()
            self._scheduler.wakeup()

    def follow(self, alarms: Iterable[tuple[str, datetime]]) -> None:
        """Set exactly these alarms: (name, when it rings)."""
        wanted = dict(alarms)
        for gone in self._alarms.keys() - wanted.keys():
            self._drop(gone)
        for name, rings_at in wanted.items():
            if self._alarms.get(name) != rings_at:
                self._alarms[name] = rings_at
                self._scheduler.add_job(
                    self._ring, "date", run_date=rings_at + SETTLE, id=name, replace_existing=True
                )

    def _drop(self, name: str) -> None:
        del self._alarms[name]
        # A date job removes itself once it has rung.
        if self._scheduler.get_job(name):
            self._scheduler.remove_job(name)

