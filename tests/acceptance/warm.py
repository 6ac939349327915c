"""The daemon without the two seconds of the processor that Python takes to import it, each time that a test starts one.

`warm.py` is a process that has imported all of it and does nothing but fork: the child is the daemon, a process of its
own in its own session, as `python -m judge run` is. Requests and answers are lines of JSON on its standard input and
output: {"start": [arguments], "folder": …, "log": …, "environment": {…}} is answered {"pid": 7}, and {"ended": 7} with
{"status": null} while it lives, then with its exit status, negative for the signal that ended it.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import IO, Any

from judge.demo.process import JudgeProcess, Running, environment

_ROOT = Path(__file__).parents[2]
_POLL = 0.01        # seconds between two questions whether a daemon has ended


class WarmJudge(JudgeProcess):
    """`JudgeProcess`, forked and prepared (prepared.py); one that is `cold` is started as a keeper would."""

    cold = False
    preparations: tuple[str, ...] = ()

    def __init__(self, config: Path, command: str = "run", log: str = "judge.log") -> None:
        """`command`: what else than the daemon is started, with a log of its own."""
        super().__init__(config)
        self.command = command
        self.log_file = self.config.parent / log

    def begin(self, arguments: list[str], log: IO[bytes]) -> Running:
        arguments = [self.command, *arguments[1:]]
        if self.cold:
            return super().begin(arguments, log)
        return _Forked(_fork(), [*self.preparations, *arguments], self.config.parent, Path(log.name))


class _Fork:
    """The process that forks, for one worker of a run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], cwd=_ROOT, env=environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self._process.communicate)  # it ends when nothing more is asked

    def ask(self, **request: object) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        with self._lock:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


@cache
def _fork() -> _Fork:
    return _Fork()


class _Forked:
    """What `subprocess.Popen` is for a process that it has started."""

    def __init__(self, fork: _Fork, arguments: list[str], folder: Path, log: Path) -> None:
        self._fork = fork
        self.returncode: int | None = None
        started = fork.ask(start=arguments, folder=str(folder), log=str(log), environment=environment())
        self.pid: int = started["pid"]

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._fork.ask(ended=self.pid)["status"]
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired("judge", timeout or 0)
            time.sleep(_POLL)
        return status

    def send_signal(self, number: int, /) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def _serve() -> list[str] | None:
    """Answers requests until there are no more; in a child: the arguments of the `judge` that it is from now on."""
    for line in sys.stdin:
        request = json.loads(line)
        if "ended" in request:
            pid, status = os.waitpid(request["ended"], os.WNOHANG)
            answer: dict[str, Any] = {"status": os.waitstatus_to_exitcode(status) if pid else None}
        else:
            alone, leaves = os.pipe()
            pid = os.fork()
            if not pid:
                os.setsid()
                os.close(leaves)
                return _become(request)
            os.close(leaves)
            os.read(alone, 1)  # nothing, as soon as the child has a session of its own: who kills that needs it
            os.close(alone)
            answer = {"pid": pid}
        print(json.dumps(answer), flush=True)
    return None


def _become(request: dict[str, Any]) -> list[str]:
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    nothing, log = os.open(os.devnull, os.O_RDONLY), os.open(request["log"], os.O_WRONLY | os.O_APPEND)
    for mine, theirs in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(mine, theirs)
    os.close(nothing)
    os.close(log)
    arguments: list[str] = request["start"]
    return arguments


if __name__ == "__main__":
    import judge.service.daemon  # noqa: F401  # what takes the time
    from tests.acceptance import prepared

    judged = _serve()
    sys.exit(0 if judged is None else prepared.main(judged))
