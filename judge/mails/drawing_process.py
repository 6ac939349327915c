"""The code of the processes that draw (judge/mails/drawing.py); it loads as little of the judge as possible."""

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.rules import open_catalogue

if TYPE_CHECKING:
    from judge.maps.draw import Form


def begin(*folders: Path | None) -> None:
    """Give way to more urgent processes, ignore signals to the group (the daemon handles them), load the catalogue."""
    os.nice(5)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    open_catalogue(*folders)


def draw(scene: Mapping[str, Any], form: "Form", parts: Sequence[str]) -> dict[str, bytes]:
    """Draw parts of a picture."""
    from judge.maps.render import render  # it loads resvg and Pillow, which the daemon does not need

    return {part: render(scene, form, part) for part in parts}
