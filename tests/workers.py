"""`pytest --workers 4`: tests are dealt to processes that are forked when all of them are collected.

A worker of pytest-xdist imports and collects everything anew, and every test is told of in three reports with all its
names: together a tenth of what a run took. Here that happens once, and of a test that has passed nothing is told but
how long it took. What a fixture starts for the session each worker has for itself.

Tests are dealt in their order, those of a file together; the fewer are left, the fewer at a time, so that nobody waits
for one worker in the end. As many workers as there are cores begin with what computes, the others with what mostly
waits (its marker is `waits`): so the cores are busy all the time. A worker that dies fails the test that it was at, and
another takes its place.
"""

import os
import traceback
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

import pytest

# The most tests of a file that are dealt at a time; and how many times as many as a worker gets are left then at least.
MOST = 64
TIMES_LEFT = 8
# If more workers than that have died in a run, something is wrong with all of them.
MOST_DEATHS = 10
CORES = os.cpu_count() or 1


class Passed(NamedTuple):
    """What is told of a step (setup, call, teardown) in which nothing happened."""

    when: str
    duration: float
    start: float
    stop: float


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=1, help="processes among which the tests are dealt (1: none)")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    option = session.config.option
    if option.workers < 2 or option.collectonly or session.testsfailed or not session.items:
        return None  # as pytest does it
    _Run(session).deal(option.workers)
    return True


class _Run:
    """What the process does that has collected the tests."""

    def __init__(self, session: pytest.Session) -> None:
        self._session, self._hook = session, session.config.hook
        waiting = [bool(item.get_closest_marker("waits")) for item in session.items]
        # The numbers of the tests to be dealt: what computes, and what waits.
        self._left = [deque(number for number, waits in enumerate(waiting) if waits is kind) for kind in (False, True)]
        self._workers: dict[Connection, _Worker] = {}
        self._deaths = 0

    def deal(self, workers: int) -> None:
        """Until all tests are done, or no more are wanted."""
        # All have one folder for their files, in which names are found by trying.
        self._session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        terminal = self._session.config.pluginmanager.get_plugin("terminalreporter")
        if terminal:
            terminal.showfspath = False  # tests of many files come in turn
        for number in range(workers):
            self._begin(waits=number >= CORES)
        try:
            while self._workers:
                for connection in wait(list(self._workers)):
                    assert isinstance(connection, Connection)
                    self._listen(self._workers[connection], workers)
        finally:
            for worker in self._workers.values():
                worker.connection.close()  # each comes to its end when it asks for more
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _begin(self, waits: bool) -> None:
        worker = _fork(self._session, [other.connection for other in self._workers.values()])
        worker.waits = waits
        self._workers[worker.connection] = worker

    def _listen(self, worker: "_Worker", workers: int) -> None:
        try:
            what, *told = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            self._has_ended(worker)
            return
        if what == "more":
            share = self._share(self._left[worker.waits] or self._left[not worker.waits], workers)
            worker.given += share
            worker.connection.send(share)
        elif what == "warned":
            self._warn(*told)
        elif what == "done":
            self._tell(worker.given.popleft(), *told)
        else:
            worker.last_words = told[0]

    def _share(self, left: deque[int], workers: int) -> list[int]:
        """The next tests of those, all of one file."""
        share: list[int] = []
        if self._session.shouldfail or self._session.shouldstop:
            return share
        most = max(1, min(MOST, len(left) // (workers * TIMES_LEFT)))
        while left and len(share) < most and (not share or self._is_beside(share[-1], left[0])):
            share.append(left.popleft())
        return share

    def _is_beside(self, one: int, other: int) -> bool:
        items = self._session.items
        return items[one].path == items[other].path

    def _tell(self, number: int, steps: Sequence[Passed | dict[str, Any]]) -> None:
        item = self._session.items[number]
        self._hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for step in steps:
            self._hook.pytest_runtest_logreport(report=self._report(item, step))
        self._hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)

    def _report(self, item: pytest.Item, step: Passed | dict[str, Any]) -> pytest.TestReport:
        if isinstance(step, Passed):
            when, *times = step
            return pytest.TestReport(item.nodeid, item.location, {}, "passed", None, when, (), *times)  # type: ignore[arg-type]
        report: pytest.TestReport = self._hook.pytest_report_from_serializable(config=self._session.config, data=step)
        return report

    def _warn(self, text: str, filename: str, line: int, when: str, nodeid: str, location: Any) -> None:
        warning = warnings.WarningMessage(UserWarning(text), UserWarning, filename, line)
        told = {"warning_message": warning, "when": when, "nodeid": nodeid, "location": location}
        self._hook.pytest_warning_recorded.call_historic(kwargs=told)

    def _has_ended(self, worker: "_Worker") -> None:
        del self._workers[worker.connection]
        worker.connection.close()
        status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
        if not worker.given:
            return
        at = self._session.items[worker.given.popleft()]
        why = f"the worker ended with status {status} while this test ran\n{worker.last_words}"
        self._hook.pytest_runtest_logreport(
            report=pytest.TestReport(at.nodeid, at.location, {}, "failed", why, "call"))  # fmt: skip
        self._left[worker.waits].extendleft(reversed(worker.given))
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            raise self._session.Interrupted(f"{self._deaths} workers have died")
        self._begin(worker.waits)


class _Worker:
    """A process that was forked. `given`: its tests, by number, of which nothing was told so far; `waits`: it begins
    with what waits.
    """

    def __init__(self, pid: int, connection: Connection) -> None:
        self.pid = pid
        self.connection = connection
        self.given: deque[int] = deque()
        self.waits = False
        self.last_words = ""


def _fork(session: pytest.Session, others: Sequence[Connection]) -> _Worker:
    """`others`: the connections to other workers, which this one must not keep open."""
    ours, theirs = Pipe()
    pid = os.fork()
    if pid:
        theirs.close()
        return _Worker(pid, ours)
    status = 1
    try:
        for connection in (ours, *others):
            connection.close()
        _work(session, theirs)
        status = 0
    except BaseException:  # nothing may go on with what the other process was about
        theirs.send(("broken", traceback.format_exc()))
    finally:
        os._exit(status)


def _work(session: pytest.Session, connection: Connection) -> None:
    """What a worker does: its terminal and its captured output are not those of the process that it comes from."""
    plugins = session.config.pluginmanager
    teller = _Teller(session.config, connection)
    capturing = plugins.get_plugin("capturemanager")
    if capturing:
        capturing.stop_global_capturing()
        capturing.start_global_capturing()
    plugins.unregister(name="terminalreporter")
    plugins.register(teller, "terminalreporter")
    try:
        for number, following in pairwise(chain(_dealt(connection), [None])):
            assert number is not None
            item, then = session.items[number], None if following is None else session.items[following]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=then)
            teller.tell()
    finally:
        session._setupstate.teardown_exact(None)  # what was started for the session, if a test was broken off


def _dealt(connection: Connection) -> Iterator[int]:
    """The numbers of tests; what comes after a test is known before it is run, since fixtures may stay for that."""
    while True:
        connection.send(("more",))
        share = connection.recv()
        if not share:
            return
        yield from share


class _Teller:
    """Tells what happened to tests. To pytest it is the terminal, whose writer is asked how failures look."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._tw = config.get_terminal_writer()
        self._config = config
        self._connection = connection
        self._steps: list[Passed | dict[str, Any]] = []

    def tell(self) -> None:
        """That a test is done."""
        self._connection.send(("done", self._steps))
        self._steps = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.passed and not hasattr(report, "wasxfail"):
            self._steps.append(Passed(report.when, report.duration, report.start, report.stop))
        else:
            hook = self._config.hook
            self._steps.append(hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: Any
    ) -> None:
        text = f"{warning_message.category.__name__}: {warning_message.message}"
        where = warning_message.filename, warning_message.lineno
        self._connection.send(("warned", text, *where, when, nodeid, location))
