"""The real daemon in a separate process, which can be started, watched, stopped or killed.

The demo runs a judge in this way, and so do the tests of the whole daemon. `judge serve` runs it with the built-in mail
system, for trying it out with a mail program.
"""

import configparser
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import judge
from judge.demo.mail_system import HOST, PASSWORD, MailSystem
from judge.demo.script import JUDGE

READY = r"mailbox .* is open"
PROGRAM = (sys.executable, "-m", "judge")
POLL = 0.02  # seconds between two readings of the log

IMAP_PORT, SMTP_PORT = 1143, 1025

WELCOME = f"""\
A judge is running with its own mail system, on this machine only. Add an account to your mail program:

    your address      any name you like, for example ada@example.org
    incoming (IMAP)   {HOST}, port {IMAP_PORT}, no encryption; user: the name (ada), password: {PASSWORD}
    outgoing (SMTP)   {HOST}, port {SMTP_PORT}, no encryption, no log-in

Then write to {JUDGE}, for example HELP on a line of its own. Make an account for each player you want.
Nothing leaves this machine. Emails are deleted when you stop this (Ctrl-C); the games are kept
in {{folder}}.
"""

Sections = Mapping[str, Mapping[str, object]]


class JudgeFailed(AssertionError):
    """The daemon died, did not start, or did not log the expected line.

    The message ends with the daemon's log.
    """


class JudgeProcess:
    """The process of `judge run` with a settings file.

    Its log is `judge.log` in the same folder, and continues when the process is started again.
    """

    def __init__(self, config: Path) -> None:
        self.config = config.resolve()  # absolute, since the daemon runs in another folder
        self.log_file = self.config.parent / "judge.log"
        self._process: Any = None  # the process that `subprocess` has started
        self._begun = 0  # the position in the log at which the current run begins

    def start(self, seconds: float = 60) -> None:
        """Start the daemon, and wait until it is ready for letters."""
        self.launch()
        self.wait_for_log(READY, seconds)

    def launch(self) -> None:
        """Start the daemon, without waiting for it."""
        self._begun = self.log_file.stat().st_size if self.log_file.exists() else 0
        with self.log_file.open("ab") as log:
            self._process = self.begin(["run", "--config", str(self.config)], log)

    def begin(self, arguments: list[str], log: IO[bytes]) -> Any:
        """Start `judge` with these arguments, in the folder of its settings and in a new session."""
        return subprocess.Popen(
            [*PROGRAM, *arguments], cwd=self.config.parent, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, env=environment(),
        )  # fmt: skip

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.poll() is None

    def terminate(self, seconds: float = 15) -> int:
        """Ask the daemon to stop (SIGTERM), and return its exit status.

        Raises JudgeFailed if it does not stop.
        """
        self._process.send_signal(signal.SIGTERM)
        try:
            return int(self._process.wait(seconds))
        except subprocess.TimeoutExpired:
            words = self.tail()
            self.kill()
            raise JudgeFailed(f"the judge was still running after {seconds:g} s:\n{words}") from None

    def kill(self) -> None:
        """End the daemon immediately, if it runs (SIGKILL to its process group)."""
        if self._process is not None and self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def log(self) -> str:
        """Return what the current run has logged."""
        if not self.log_file.exists():
            return ""
        return self.log_file.read_bytes()[self._begun :].decode(errors="replace")

    def tail(self, lines: int = 20) -> str:
        """Return the last lines that the current run has logged."""
        return "\n".join(self.log().splitlines()[-lines:])

    def wait_for_log(self, pattern: str, seconds: float = 30, count: int = 1) -> str:
        """Wait until `count` log lines of the current run match `pattern`, and return the last of them.

        Raises JudgeFailed if the daemon stops before that, or if it takes too long.
        """
        deadline = time.monotonic() + seconds
        while True:
            dead = not self.alive  # look at the process before its log, so that the log is complete
            lines = [line for line in self.log().splitlines() if re.search(pattern, line)]
            if len(lines) >= count:
                return lines[count - 1]
            if dead:
                raise JudgeFailed(f"the judge stopped before it logged {pattern!r}:\n{self.tail()}")
            if time.monotonic() > deadline:
                raise JudgeFailed(f"the judge did not log {pattern!r} within {seconds:g} s:\n{self.tail()}")
            time.sleep(POLL)


def write_settings(folder: Path, sections: Sections) -> Path:
    """Write `judge.ini` into `folder`, and passwords into separate files.

    Returns the path of `judge.ini`.
    """
    parser = configparser.ConfigParser(interpolation=None)
    for section, values in sections.items():
        parser[section] = {key: str(value) for key, value in values.items()}
    for section in parser.sections():
        password = parser[section].pop("password", "")
        if password:
            secret = folder / f"{section}.password"
            secret.write_text(password + "\n")
            secret.chmod(0o600)
            parser[section]["password_file"] = secret.name
    config = folder / "judge.ini"
    with config.open("w", encoding="utf-8") as file:
        parser.write(file)
    return config


def environment() -> dict[str, str]:
    """Return this process's environment, but without settings of another judge.

    With it, `judge` works in any folder.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    package = str(Path(judge.__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [package, kept.get("PYTHONPATH")]))
    return kept | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def run(folder: Path) -> int:
    """Run the mail system and the judge until a signal comes or the judge dies.

    Returns 0 after SIGINT or SIGTERM, or 1 if the judge dies. The games are kept in `folder`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with MailSystem(imap_port=IMAP_PORT, smtp_port=SMTP_PORT) as office:
            judge = JudgeProcess(write_settings(folder, settings_for(office)))
            try:
                judge.start()
                print(WELCOME.format(folder=judge.config.parent), flush=True)
                while judge.alive and not stop.is_set():
                    time.sleep(0.5)  # do not use `Event.wait`, which may have the lock that the signal handler needs
                if judge.alive:
                    return judge.terminate()
                raise JudgeFailed(f"the judge died:\n{judge.tail()}")
            finally:
                judge.kill()
    except JudgeFailed as failure:
        print(failure)
    except OSError as error:
        print(f"cannot open ports {IMAP_PORT} and {SMTP_PORT} on {HOST}: {error}")
    return 1


def settings_for(office: MailSystem, **games: object) -> dict[str, dict[str, object]]:
    """Return the contents of judge.ini for a judge at this mail system.

    `games` has more keys of the section [games].
    """
    plain = {"host": office.host, "security": "plain", "timeout": 10}
    return {
        "judge": {"address": JUDGE, "keeper": "keeper@judge.test", "home": "."},
        "mailbox": {**plain, "port": office.imap_port, "user": "judge", "password": office.password},
        "smtp": {**plain, "port": office.smtp_port},
        "games": {"early_delay": 1, "sweep": 5} | games,
    }
