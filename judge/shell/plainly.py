"""What the keeper's commands print never steers the terminal: words of mail servers and of letters are among it."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import IO, Any

# Control characters but for line ends and tabs, and those that turn the direction of writing or hide.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def plain(text: str) -> str:
    r"""The text with what would steer a terminal written out, as JSON writes it: `\u001b`."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Plain:
    """A stream that writes only plain text; all else is the stream's own."""

    def __init__(self, stream: IO[str]):
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text plainly; returns how much of the given text was written: all."""
        self._stream.write(plain(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def printing_plainly() -> Iterator[None]:
    """In the block, all that this process prints is plain."""
    with redirect_stdout(_Plain(sys.stdout)), redirect_stderr(_Plain(sys.stderr)):
        yield
