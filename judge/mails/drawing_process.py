"""The code of the processes that draw (judge/mails/drawing.py); it loads as little of the judge as possible."""

import os
import resource
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.maps.draw import Form
from judge.maps.film import film
from judge.maps.render import render
from judge.rules import open_catalogue

# In bytes. All boards that come with the judge, one after the other, take a third of it.
MEMORY = 1024 * 1024 * 1024


def begin(*folders: Path | None) -> None:
    """Give way to more urgent processes, ignore signals to the group (the daemon handles them), load the catalogue.

    There is a limit on memory: the system would end the biggest process, which may be another.
    """
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    open_catalogue(*folders)


def draw(scene: Mapping[str, Any], form: Form, parts: Sequence[str]) -> dict[str, bytes]:
    """Draw parts of a picture; without memory the process ends, since earlier pictures may have filled it."""
    try:
        if form == "film":
            return {"": film(scene)}
        return {part: render(scene, form, part) for part in parts}
    except MemoryError:
        os._exit(1)
