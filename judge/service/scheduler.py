"""The scheduler: APScheduler wakes the daemon when the next phase or notice is due.

The rows are the truth: when all is done that could be, the daemon says what comes next, and an alarm only wakes it, so
that it looks what is due. It also wakes by itself every half minute, since somebody may set the system's clock.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

# Times in a mailbox are whole seconds, so the second of the deadline must be over before the mailbox is looked through
# for letters that were in time.
SETTLE = timedelta(seconds=1)
_NEXT = "next"


class Scheduler:
    """Calls `wake` at the next moment at which something is due."""

    def __init__(self, wake: Callable[[], None]):
        self._wake = wake
        # No limit on lateness: an alarm that comes late (the machine slept) still wakes.
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults={"misfire_grace_time": None})

    def start(self) -> None:
        """Start to wake."""
        self._scheduler.start()

    def stop(self) -> None:
        """Wake nobody any more."""
        self._scheduler.shutdown(wait=False)

    def follow(self, moment: datetime | None) -> None:
        """The next moment is this one; None: nothing is due."""
        if moment:
            run_date = moment + SETTLE
            self._scheduler.add_job(self._wake, "date", run_date=run_date, id=_NEXT, replace_existing=True)
        elif self._scheduler.get_job(_NEXT):
            self._scheduler.remove_job(_NEXT)
