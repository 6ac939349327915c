"""A picture to a PNG that every mail program shows, by a process of its own (renderer.py)."""

import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Self

from judge.maps.lettering import FONT_FILE
from judge.maps.pieces import Picture

# Three pictures and the text of a mail stay small enough to be loaded over a slow mobile connection: bytes of a part of
# a board, and of a whole one.
LIMIT, WHOLE = 106_000, 102_400
# Much longer than any board takes, even on a busy machine; shorter than mails wait for a picture that is being drawn
# (judge/mails/drawing.py).
PATIENCE = 18.0
_HERE = Path(__file__).parent
_RENDERER = _HERE / "renderer.py"
_PIECE = 1 << 16    # bytes that are read at a time
# So many images' memory is kept for the next ones (Pillow, "Block allocator"), and so many bytes of what else is as
# large (mallopt(3), where the C library is GNU's): to have it from the system each time, page by page, takes a third of
# the time of a quiet picture.
_MEMORY = {
    "PILLOW_BLOCKS_MAX": "4",
    "MALLOC_MMAP_THRESHOLD_": f"{32 << 20}",
    "MALLOC_TRIM_THRESHOLD_": f"{64 << 20}",
}


class PictureFailed(Exception):
    """There is no picture: the message says why, in a line."""


class Renderer:
    """A process that makes pictures, started for the first of them and used for all: its start takes longer than one.
    For one thread; as a context it is closed at the end.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def png(self, picture: Picture, width: int, *, limit: int = LIMIT, patience: float = PATIENCE) -> bytes:
        """The picture, `width` pixels wide or less, in at most `limit` bytes; raises PictureFailed."""
        until = time.monotonic() + patience
        data, ground = picture.order, picture.ground.order
        sizes = f"{len(data)} {len(ground)}"
        request = f"{width} {limit} {ceil(patience) + 1} {sizes}\n".encode() + data + ground
        try:
            kind, answer = self._asked(request, until)
        except TimeoutError:
            self.close()
            raise PictureFailed(f"the renderer took longer than {patience:g} s") from None
        except OSError as error:
            reason = self._last_words() or error
            self.close()
            raise PictureFailed(f"the renderer failed: {reason}") from error
        if kind != "png":
            self._said()  # what resvg panics about is there too, and nobody else makes room for more
            raise PictureFailed(answer.decode(errors="replace").strip().splitlines()[-1])
        return answer

    def close(self) -> None:
        """Ends the process; the next picture starts another."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _last_words(self) -> str:
        """The last line that it said as it ended: mostly which library is not installed."""
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        lines = [line.strip() for line in self._said().decode(errors="replace").splitlines()]
        return next((line for line in reversed(lines) if line), "")

    def _said(self) -> bytes:
        """What it has written beside its answers since this was asked."""
        return (self._process and self._process.stderr and self._process.stderr.read()) or b""

    def _asked(self, request: bytes, until: float) -> tuple[str, bytes]:
        """The renderer's answer; raises TimeoutError, or OSError if it has ended."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = _started()
        assert self._process.stdin and self._process.stdout
        _write(self._process.stdin.fileno(), request, until)
        answer = bytearray()
        while b"\n" not in answer:
            answer += _read(self._process.stdout.fileno(), until)
        first, _, rest = answer.partition(b"\n")
        kind, size = first.decode().split()
        while len(rest) < int(size):
            rest += _read(self._process.stdout.fileno(), until)
        return kind, bytes(rest)


def _started() -> subprocess.Popen[bytes]:
    # Isolated from the environment, so that nothing is imported from the folder of this file.
    command = [sys.executable, "-I", str(_RENDERER), str(FONT_FILE), _cache()]
    process = subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | _MEMORY,
    )
    assert process.stdin and process.stderr
    os.set_blocking(process.stdin.fileno(), False)
    os.set_blocking(process.stderr.fileno(), False)
    return process


def _cache() -> str:
    """The folder of what renderers keep for later ones: in the user's cache (XDG Base Directory Specification); "" for
    a user without a home.
    """
    told = os.environ.get("XDG_CACHE_HOME", "")
    try:
        cache = Path(told) if told.startswith("/") else Path.home() / ".cache"
    except RuntimeError:
        return ""
    return str(cache / "judge" / "boards")


def _write(pipe: int, data: bytes, until: float) -> None:
    left = memoryview(data)
    while left:
        _wait(pipe, select.POLLOUT, until)
        left = left[os.write(pipe, left) :]


def _read(pipe: int, until: float) -> bytes:
    _wait(pipe, select.POLLIN, until)
    data = os.read(pipe, _PIECE)
    if not data:
        raise OSError("it has ended")
    return data


def _wait(pipe: int, event: int, until: float) -> None:
    """Until the pipe is ready for this, or its other end is gone; raises TimeoutError."""
    poll = select.poll()
    poll.register(pipe, event)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise TimeoutError
