"""The output of the demo: its scenes, their steps, the mails that are worth reading, and all mails as files."""

import re
import shutil
import threading
import time
from itertools import dropwhile
from pathlib import Path
from typing import TextIO

from judge.demo.mail_users import ReceivedMail

_BOLD, _DIM, _GREEN, _RED, _PLAIN = "\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[0m"
_LINES = 24  # shown of a mail


class Stage:
    """Prints what happens, in color on a terminal."""

    def __init__(self, out: TextIO, scenes: int) -> None:
        """Begin the clock."""
        self._out, self._scenes = out, scenes
        self._terminal = out.isatty()
        self._played = 0
        self._began = time.monotonic()

    def scene(self, title: str) -> None:
        """Begin the next scene."""
        self._played += 1
        bar = "■" * self._played + "□" * (self._scenes - self._played)
        self._print(f"{bar} {self.seconds:5.1f} s  {title}", _BOLD)

    def step(self, text: str) -> None:
        """Print what has happened."""
        self._print(f"    {text}", _DIM)

    def show(self, mail: ReceivedMail, why: str, since: str = "") -> None:
        """Print a mail and why it is worth reading, from the first line that begins with `since`."""
        width = max(40, min(100, shutil.get_terminal_size().columns - 8))
        lines = mail.text.rstrip().splitlines()
        lines = list(dropwhile(lambda line: not line.startswith(since), lines))
        self._print(f"    {why}", _GREEN)
        self._print(f"    ┌ {mail.subject}  (to {mail.message['To']})")
        for line in lines[:_LINES]:
            self._print(f"    │ {line}" if len(line) < width else f"    │ {line[: width - 8]} …")
        self._print(f"    └ {f'… {len(lines) - _LINES} more lines' if len(lines) > _LINES else ''}".rstrip())

    def finish(self, text: str) -> None:
        """Print the last line of a demo that went well."""
        self._print(f"{'■' * self._scenes} {self.seconds:5.1f} s  {text}", _GREEN)

    def fail(self, reason: str) -> None:
        """Print why the demo ends."""
        self._print(f"FAILED after {self.seconds:.1f} s: {reason}", _RED)

    @property
    def seconds(self) -> float:
        """Seconds since the demo began."""
        return time.monotonic() - self._began

    def _print(self, text: str, style: str = "") -> None:
        print(f"{style}{text}{_PLAIN}" if style and self._terminal else text, file=self._out, flush=True)


class Album:
    """Writes every mail into a numbered .eml file, in order of arrival, and each map next to them once."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder of the files."""
        self._folder = folder
        self._lock = threading.Lock()
        self.count = 0

    def keep(self, recipient: str, raw: bytes) -> None:
        """Write a mail; any thread may call this."""
        with self._lock:
            self.count += 1
            subject = re.sub(r"\W+", "-", ReceivedMail(raw).subject).strip("-")[:40] or "letter"
            name = f"{self.count:03d}-to-{recipient.partition('@')[0]}-{subject}.eml"
            (self._folder / name).write_bytes(raw)
            for picture, data in ReceivedMail(raw).pictures.items():
                (self._folder / f"map-{picture}").write_bytes(data)
