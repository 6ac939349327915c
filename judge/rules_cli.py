"""The rules engine from the shell: `judge adjudicate`.

Each function here is a command: it reads files and standard input, writes to standard output, returns the exit status.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.rules.wire import answer_line


def adjudicate(files: list[Path]) -> int:
    """Answers every line of the files, or of standard input; 1 if one of them could not be used, 2 if a file could not."""
    status = 0
    try:
        for line in _lines(files):
            answer, good = answer_line(line)
            print(answer)
            status = status if good else 1
    except (OSError, UnicodeDecodeError) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    return status


def _lines(files: list[Path]) -> Iterator[str]:
    """The lines that hold something."""
    sources: Iterable[Iterable[str]] = (path.open(encoding="utf-8") for path in files) if files else [sys.stdin]
    for source in sources:
        for line in source:
            if line.strip():
                yield line
