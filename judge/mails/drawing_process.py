"""The code that runs in the processes that draw (judge/mails/drawing.py).

This module loads as little of the judge as possible.
"""

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

# In bytes. Drawing all boards that come with the judge, one after the other, takes a third of this.
MEMORY = 1024 * 1024 * 1024


def begin(*folders: Path | None) -> None:
    """Prepare this process: low priority, no group signals, a limit on memory, the catalogue loaded.

    The daemon handles the signals. Without the limit the system might end another process, the biggest one.
    """
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    open_catalogue(*folders)


def draw(scene: Mapping[str, Any], form: Form, parts: Sequence[str]) -> dict[str, bytes]:
    """Draw parts of a picture.

    If memory runs out the process ends, since earlier pictures may have filled it.
    """
    try:
        if form == "film":
            return {"": film(scene)}
        return {part: render(scene, form, part) for part in parts}
    except MemoryError:
        os._exit(1)
