"""Commands that run a judge, a worker or the demo, and `judge config` and `judge oauth`."""

import gc
import json
import logging
import multiprocessing
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from judge.ini_file import read_ini
from judge.oauth import OAuthError, log_in, take_refresh_token
from judge.settings import Settings, sample
from judge.shell.calling import Refused, complain, refuse_unfilled

# This matches the fields in the judge's log messages, such as letter=12 and game=heron.
_FIELD = re.compile(r"(?<!\S)([a-z_]+)=('[^']*'|\S+)")


class JsonLines(logging.Formatter):
    """Formats each record as one JSON object on one line.

    Its keys are `at` (RFC 3339, UTC), `level`, `logger`, `message`, and `error` with a traceback. A field `name=value`
    in the message is also a key.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, without its line end."""
        message = record.getMessage()
        fields = {name: value.strip("'") for name, value in _FIELD.findall(message)}
        told = {
            **fields,
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def run(settings: Settings) -> int:
    """Run the daemon, which answers letters and processes phases.

    Returns 1 if it cannot start.
    """
    from judge.games.core.work import KeyUnusable
    from judge.service.daemon import Daemon, take_over
    from judge.store.engine import StoreError
    from judge.store.locks import AlreadyRunning, hold_lock

    refuse_unfilled(settings)
    try:
        stopping = _begin(settings)
        while guard := take_over(settings, stopping):
            with hold_lock(settings.home / "judge.store.lock", "the daemon of this home"):
                daemon = Daemon(settings, guard)
                _on_stop(stopping.set, daemon.stop)
                if stopping.is_set():
                    daemon.stop()
                try:
                    daemon.run()
                    return 0
                except AlreadyRunning as error:
                    if not guard.lets_wait:
                        raise
                    logging.error("%s", error)
    except (AlreadyRunning, StoreError, KeyUnusable, OSError) as error:
        complain(error)
        return 1
    return 0


def run_worker(settings: Settings) -> int:
    """Run a worker, which sends mails and draws pictures for a daemon.

    Returns 2 if it cannot start.
    """
    from judge.service.worker import work
    from judge.store.engine import StoreError

    refuse_unfilled(settings)
    try:
        work(settings, _begin(settings))
    except (StoreError, OSError) as error:
        complain(error)
        return 2
    return 0


def _begin(settings: Settings) -> threading.Event:
    """Prepare this process, and return the event that is set when it has to stop.

    Raises OSError if the system has no semaphores.
    """
    write_log(settings)
    try:
        # fail here, since a later error about missing semaphores would not name the file
        multiprocessing.Lock()
    except OSError as error:
        raise OSError(
            f"cannot create semaphores in /dev/shm ({error.strerror}): make it writable for the judge's user "
            "(mode 1777; in a container, mount a tmpfs there)"
        ) from error
    # By default, Python often searches for reference cycles. The searches take a twentieth of a busy judge's time, and
    # find hardly any.
    gc.set_threshold(10_000)
    stopping = threading.Event()
    _on_stop(stopping.set)
    return stopping


def _on_stop(*stop: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: [step() for step in stop])


def write_log(settings: Settings) -> None:
    """Write the log of this process to standard error, in the form that the settings name."""
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)-7s %(message)s")
    handler.setFormatter(JsonLines() if settings.log_form == "json" else text)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])
    logging.getLogger("apscheduler").setLevel(logging.WARNING)


def print_sample(config: Path | None) -> int:
    """Print judge.ini with every setting, its explanation and its default."""
    print(sample(), end="")
    return 0


def demo(config: Path | None, out: Path) -> int:
    """Play a game by mail, and write the mails into the folder `out`.

    The templates and variants are those of `config`.
    """
    from judge.demo.play import run_demo

    own = {}
    if config:
        named = {key: read_ini(config).get("judge", key, fallback="") for key in ("templates", "variants")}
        own = {key: config.resolve().parent / folder for key, folder in named.items() if folder}
    return run_demo(out, own)


def serve(config: Path | None, home: Path) -> int:
    """Run a judge, whose database is in `home`, with a built-in mail system."""
    from judge.demo.process import run

    return run(home)


def login(settings: Settings, *, refresh_token: bool) -> int:
    """Get tokens by a device code, or with a refresh token from standard input.

    Returns 0. Raises Refused if the provider gives no tokens.
    """
    try:
        if refresh_token:
            take_refresh_token(settings.oauth, sys.stdin.readline().strip())
        else:
            log_in(settings.oauth, partial(print, flush=True), time.sleep)
    except OAuthError as error:
        raise Refused(error) from error
    print(f"The judge can log in now. Its tokens are in {settings.oauth.token_file}; judge run needs no restart.")
    return 0
