"""The code of the processes that draw (judge/mails/drawing.py); it loads as little of the judge as possible."""

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.maps.draw import Form
from judge.maps.render import render
from judge.rules import open_catalogue


def begin(*folders: Path | None) -> None:
    """Give way to more urgent processes, ignore signals to the group (the daemon handles them), load the catalogue."""
    os.nice(5)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    open_catalogue(*folders)


def draw(scene: Mapping[str, Any], form: Form, parts: Sequence[str]) -> dict[str, bytes]:
    """Draw parts of a picture."""
    return {part: render(scene, form, part) for part in parts}
