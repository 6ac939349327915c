"""SVG text to a PNG that every mail program shows, by a process of its own (renderer.py)."""

import subprocess
import sys
from math import ceil
from pathlib import Path

# A mail with its picture stays small enough to be loaded over a slow mobile connection.
LIMIT = 150 * 1024
# Much longer than any board takes, even on a busy machine; shorter than mails wait for a picture that is being drawn
# (judge/mails/gallery.py).
PATIENCE = 18.0
_HERE = Path(__file__).parent
_RENDERER = _HERE / "renderer.py"
_FONT = _HERE / "fonts" / "DejaVuSansCondensed-Bold.ttf"


class PictureFailed(Exception):
    """There is no picture: the message says why, in a line."""


def png(svg: str, width: int, *, limit: int = LIMIT, patience: float = PATIENCE) -> bytes:
    """The picture, `width` pixels wide or less, in at most `limit` bytes; raises PictureFailed."""
    # Isolated from the environment, so that nothing is imported from the folder of this file.
    command = [sys.executable, "-I", str(_RENDERER), str(_FONT), str(width), str(limit), str(ceil(patience) + 1)]
    try:
        done = subprocess.run(command, input=svg.encode(), capture_output=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        raise PictureFailed(f"the renderer took longer than {patience:g} s") from None
    except OSError as error:
        raise PictureFailed(f"the renderer cannot be started: {error}") from error
    if done.returncode or not done.stdout.startswith(b"\x89PNG"):
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise PictureFailed(words[-1] if words else f"the renderer ended with status {done.returncode}")
    return done.stdout
