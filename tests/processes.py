"""The processes below another one, as the system lists them."""

import os
from pathlib import Path


def descendants(above: int, word: str = "") -> list[int]:
    """The children of a process, and theirs, the oldest first; of these, the ones with that word in their command."""
    below, found = {above}, []
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            command = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:  # it has just ended
            continue
        if parent in below:
            below.add(pid)
            found += [pid] * (word in command)
    return found
