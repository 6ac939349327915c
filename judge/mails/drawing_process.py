"""Code that runs in the processes that draw pictures (judge/mails/drawing.py).

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

# The memory limit of a process, in bytes. All boards that come with the judge, drawn one after the other, take a third
# of this.
MEMORY = 1024 * 1024 * 1024


def begin(*folders: Path | None) -> None:
    """Prepare this process for drawing.

    The process gets a low priority and a memory limit, and loads the catalogue of variants. Without the limit, a huge
    drawing could make the system kill the biggest process, perhaps the daemon. SIGTERM and SIGINT are ignored, since
    the daemon handles them.
    """
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    open_catalogue(*folders)


def draw(scene: Mapping[str, Any], form: Form, parts: Sequence[str]) -> dict[str, bytes]:
    """Draw these parts of a picture.

    If memory runs out, the process ends, since earlier pictures may have filled its memory.
    """
    try:
        if form == "film":
            return {"": film(scene)}
        return {part: render(scene, form, part) for part in parts}
    except MemoryError:
        os._exit(1)
