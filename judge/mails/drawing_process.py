"""What the processes that draw do (judge/mails/drawing.py); they load no more of the judge than that takes."""

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.rules import open_catalogue

if TYPE_CHECKING:
    from judge.maps.render import Form


def begin(*folders: Path | None) -> None:
    """Make room for what is more urgent. Signals to a whole group of processes are the daemon's business."""
    os.nice(5)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    open_catalogue(*folders)


def draw(scene: Mapping[str, Any], form: "Form", parts: Sequence[str]) -> dict[str, bytes]:
    """These parts of a picture."""
    from judge.maps.render import render, user_cache  # it loads resvg and Pillow, which the daemon does not need

    return {part: render(scene, form, part, user_cache()) for part in parts}
