"""The daemon, prepared for a test: `main([what to prepare, "run", "--config", "judge.ini"])`.

    --kill before:judge.store.inbox:keep:2     SIGKILL to itself just before the second call of that function
    --kill after:judge.store.inbox:keep:1      or when the first call has returned
    --stop after:judge.store.inbox:keep:1      SIGSTOP, in the same way
    --fail judge.games.life.forming:register   every call of that function raises RuntimeError instead
    --loop judge.commands.handler:LetterHandler.handle  every call of it never ends instead, and says so
    --hanging-renderer                         what draws never ends by itself
    --patient                                  a picture may take long, as on a busy machine
    --impatient                                the outbox tries again after a second, not after minutes
    --powerless                                root is an ordinary owner: what the modes of files forbid, they forbid
    --clock FILE                               the system's clock is as many seconds ahead as FILE says, now and later

So a test says where the daemon dies, and the daemon itself knows nothing of it.
"""

import argparse
import ctypes
import functools
import importlib
import itertools
import os
import signal
import struct
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from judge.shell import cli

Change = Callable[[Callable[..., Any]], Callable[..., Any]]
_CAPABILITIES_3 = 0x20080522


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kill", action="append", default=[])
    parser.add_argument("--stop", action="append", default=[])
    parser.add_argument("--fail", action="append", default=[])
    parser.add_argument("--loop", action="append", default=[])
    parser.add_argument("--hanging-renderer", action="store_true")
    parser.add_argument("--patient", action="store_true")
    parser.add_argument("--impatient", action="store_true")
    parser.add_argument("--powerless", action="store_true")
    parser.add_argument("--clock", type=Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    for number, wires in ((signal.SIGKILL, options.kill), (signal.SIGSTOP, options.stop)):
        for wire in wires:
            when, _, rest = wire.partition(":")
            function, _, call = rest.rpartition(":")
            _replace(function, functools.partial(_deadly, number, when, int(call)))
    for function in options.fail:
        _replace(function, _failing)
    for function in options.loop:
        _replace(function, _looping)
    if options.hanging_renderer:
        _let_renderer_hang()
    if options.patient:
        _wait_for_pictures()
    if options.impatient:
        _make_impatient()
    if options.powerless:
        _give_up_powers()
    if options.clock:
        _set_clock(options.clock)
    return cli.main(options.command)


def _replace(name: str, make: Change) -> None:
    """Puts what `make` makes of it in the place of the function or method `package.module:Class.method`."""
    module, _, path = name.partition(":")
    *owners, last = path.split(".")
    owner: Any = functools.reduce(getattr, owners, importlib.import_module(module))
    replaced = getattr(owner, last)
    replacement = make(replaced)
    # Also under the names by which other modules have imported it.
    for holder in [owner, *(module for name, module in sys.modules.items() if name.startswith("judge."))]:
        for known_as, held in list(vars(holder).items()):
            if held is replaced:
                setattr(holder, known_as, replacement)


def _deadly(deadly: int, when: str, call: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which sends us a signal around its `call`-th call; one that raises has not come to "after"."""
    begun, returned = itertools.count(1), itertools.count(1)

    @functools.wraps(function)
    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        if next(begun) == call and when == "before":
            os.kill(os.getpid(), deadly)
        result = function(*arguments, **keywords)
        if next(returned) == call and when == "after":
            os.kill(os.getpid(), deadly)
        return result

    return wrapped


def _failing(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*_: Any, **__: Any) -> Any:
        raise RuntimeError("broken on purpose")

    return wrapped


def _looping(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*_: Any, **__: Any) -> Any:
        print(f"{function.__name__} never ends", file=sys.stderr, flush=True)
        # What computes is broken off in the same way (tests/test_time_limit.py), but takes a core from the other tests.
        while True:
            time.sleep(0.01)

    return wrapped


def _let_renderer_hang() -> None:
    from judge.mails import drawing, drawing_process
    from tests.acceptance import hangs

    drawing_process.draw = hangs.draw  # type: ignore[assignment]
    drawing.PATIENCE = hangs.PATIENCE


def _wait_for_pictures() -> None:
    from judge.mails import drawing

    drawing.PATIENCE = 6 * drawing.PATIENCE


def _make_impatient() -> None:
    from judge.mails import sender
    from judge.store import outbox

    outbox.PAUSES = (timedelta(seconds=1),) * len(outbox.PAUSES)
    sender.RESTS = (timedelta(seconds=1),)


def _give_up_powers() -> None:
    """Nobody needs any power for that, and who has none loses nothing (capabilities(7), capset(2))."""
    of_this_process, none = struct.pack("=Ii", _CAPABILITIES_3, 0), bytes(24)
    if ctypes.CDLL(None, use_errno=True).capset(of_this_process, none):
        raise OSError(ctypes.get_errno(), "capset")


def _set_clock(ahead: Path) -> None:
    """What time it is for the daemon. What waits for so many seconds asks another clock."""

    class _AnyDatetime(type):
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, datetime)

    class _Set(datetime, metaclass=_AnyDatetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + timedelta(seconds=float(ahead.read_text()))

    from judge.service import daemon  # with all that it imports

    assert daemon
    for name, module in list(sys.modules.items()):
        if name.startswith("judge.") and getattr(module, "datetime", None) is datetime:
            vars(module)["datetime"] = _Set
