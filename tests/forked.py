"""`judge` as a process, without the two seconds of the processor that Python takes to import it, each time that a test
starts one.

`python -m tests.forked` is a process that has imported all of it and does nothing but fork. All workers of a parallel
run connect to the same one, and for each it forks a server, whose children are the judges: processes of their own, each
in its own session. Requests and answers are lines of JSON on the connection:
{"start": [arguments], "program": "", "folder": …, "environment": {…}, "streams": [in, out, err]} is answered
{"pid": 7}, and {"ended": 7} with {"status": null} while it lives, then with its exit status, negative for the signal
that ended it.
"""

import atexit
import ctypes
import gc
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from argon2 import PasswordHasher

from judge.demo.process import environment
from judge.shell.calling import EXTRAS, how_to_install
from tests import beginnings

ROOT = Path(__file__).parents[1]
_POLL = 0.01  # seconds between two questions whether a process has ended


class Forked:
    """`judge` with these arguments (see tests/acceptance/prepared.py), in a folder; what `subprocess.Popen` is for a
    process that it has started. `streams`: the files that are its standard input, output and error. `program`: text of
    Python that is run instead, as by `python -c`.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        streams: Sequence[Path | str],
        variables: Mapping[str, str],
        program: str = "",
    ) -> None:
        self.returncode: int | None = None
        started = _fork().ask(
            start=list(arguments),
            program=program,
            folder=str(folder),
            environment=dict(variables),
            streams=list(map(str, streams)),
        )
        self.pid: int = started["pid"]

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = _fork().ask(ended=self.pid)["status"]
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


def run_judge(
    *arguments: object,
    text: str = "",
    folder: Path = ROOT,
    variables: Mapping[str, str] | None = None,
    seconds: float = 60,
) -> subprocess.CompletedProcess[str]:
    """`judge` run to its end, `text` on its standard input; `variables`: its environment, if not that of the test."""
    command = list(map(str, arguments))
    with TemporaryDirectory() as place:
        given, out, err = (Path(place) / name for name in ("in", "out", "err"))
        given.write_text(text)
        process = Forked(command, folder, (given, out, err), os.environ if variables is None else variables)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(9)
            raise
        return subprocess.CompletedProcess(command, status, out.read_text(), err.read_text())


class _Fork:
    """The process that forks for this one, and has its end with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(beginnings.once("forks", _start))
            self._stream = connection.makefile("rw")

    def ask(self, **request: object) -> dict[str, Any]:
        with self._lock:
            print(json.dumps(request), file=self._stream, flush=True)
            answer: dict[str, Any] = json.loads(self._stream.readline())
        return answer


@cache
def _fork() -> _Fork:
    return _Fork()


def _start() -> bytes:
    """The address of a new process that forks; it ends with the run."""
    for library, extra in EXTRAS.items():
        if extra == "variants":  # the process would end at its imports
            _need(library)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("")  # Linux makes up an address, which is no file
        listener.listen()
        # The workers of a parallel run are children of the process that outlives them.
        run = os.getppid() if beginnings.shared else os.getpid()
        command = [sys.executable, "-m", __name__, str(listener.fileno()), str(run)]
        subprocess.Popen(command, cwd=ROOT, env=environment(), pass_fds=[listener.fileno()])
        address: bytes = listener.getsockname()
        return address


def _need(library: str) -> None:
    try:
        import_module(library)
    except ModuleNotFoundError as missing:
        sys.exit(how_to_install(missing))


def _connected(listener: socket.socket, run: int) -> socket.socket | None:
    """Forks for each that connects, as long as that process lives; in a child: the connection."""
    listener.settimeout(1)
    with suppress(ProcessLookupError):
        while True:
            os.kill(run, 0)
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                if not os.fork():
                    listener.close()
                    return connection
                connection.close()
    return None


def _serve(connection: socket.socket) -> dict[str, Any] | None:
    """Answers requests until there are no more; in a child: the request for what it is from now on."""
    requests = connection.makefile("rw")
    for line in requests:
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
                os.close(connection.fileno())
                _become(request)
                return request
            os.close(leaves)
            os.read(alone, 1)  # nothing, as soon as the child has a session of its own: who kills that needs it
            os.close(alone)
            answer = {"pid": pid}
        print(json.dumps(answer), file=requests, flush=True)
    return None


def _keep_for_ever(objects: list[Any]) -> None:
    """A child that ends waits for its threads, does what it has registered for the end, and takes down what it has made
    itself. What it was born with stays: taking that down, all modules from one to the next, would have the system copy
    each page of that memory before, which takes longer than most children live.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(objects))


def _become(request: dict[str, Any]) -> None:
    atexit.register(sys.modules.clear)  # or the end would empty those that stay, too
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    for number, (path, how) in enumerate(zip(request["streams"], (os.O_RDONLY, _WRITES, _WRITES), strict=True)):
        opened = os.open(path, how, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0)  # the one that there was may have read ahead


_WRITES = os.O_WRONLY | os.O_APPEND | os.O_CREAT


if __name__ == "__main__":
    # What takes the time; of the maps, what only `judge variants` loads.
    import judge.foreign_maps.pack_board
    import judge.maps.palette
    import judge.service.daemon
    import judge.shell.cli  # noqa: F401
    from judge.games.core import passwords
    from tests.acceptance import prepared
    from tests.practice import practise

    practise()
    # A password takes a tenth of a second, on purpose: not here, where nobody steals any.
    passwords.PasswordHasher = partial(  # type: ignore[assignment, attr-defined]
        PasswordHasher, time_cost=1, memory_cost=8, parallelism=1
    )
    _keep_for_ever(gc.get_objects())
    gc.freeze()
    connected = _connected(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
    asked = connected and _serve(connected)
    if not asked:
        sys.exit()
    if not asked["program"]:
        sys.exit(prepared.main(asked["start"]))
    sys.argv = ["-c", *asked["start"]]
    exec(asked["program"], {"__name__": "__main__"})  # noqa: S102
