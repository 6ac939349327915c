"""The processes below another one, as the system lists them."""

import os
from contextlib import suppress
from pathlib import Path


def descendants(above: int, word: str = "") -> list[int]:
    """The children of a process, and theirs, the oldest first; of these, the ones with that word in their command.

    A younger process may have a lower number: the numbers begin anew.
    """
    parents, begun, commands = dict[int, int](), dict[int, int](), dict[int, str]()
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        with suppress(OSError):  # it has just ended
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            commands[pid] = Path(f"/proc/{pid}/cmdline").read_text()
            parents[pid], begun[pid] = int(stat[1]), int(stat[19])
    below, found = {above}, set[int]()
    while below:
        below = {pid for pid, parent in parents.items() if parent in below}
        found |= below
    return sorted((pid for pid in found if word in commands[pid]), key=lambda pid: (begun[pid], pid))
