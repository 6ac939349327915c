"""Read letters in a separate process, with limits on time and memory that no letter can avoid.

The letters are those that the daemon was handling when it crashed, since each of them may be the cause. `python -m
judge.letters.sandbox SECONDS BYTES` reads letters from standard input, each as a line of base64, and prints their
fingerprints.
"""

import base64
import resource
import subprocess
import sys
from collections.abc import Sequence

from judge.letters.letter import fingerprint, read_letter
from judge.letters.parsed import parse_letter

SECONDS = 5
MEMORY = 512 * 1024 * 1024  # the memory limit, in bytes
# The time limit of the process, in seconds. If five seconds of processor time take longer, the machine is too busy.
_PATIENCE = 120


def sandboxed_fingerprints(letters: Sequence[bytes]) -> list[str | None]:
    """Return the fingerprint of each letter, in order, or None for a letter that cannot be read within the limits.

    All letters together are tried first, within the limits for one letter, since starting a process takes longer than
    reading.
    """
    if not letters:
        return []
    command = [sys.executable, "-m", "judge.letters.sandbox", str(SECONDS), str(MEMORY)]
    lines = b"".join(base64.b64encode(letter) + b"\n" for letter in letters)
    try:
        done = subprocess.run(command, input=lines, capture_output=True, timeout=_PATIENCE, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return [None] if len(letters) == 1 else [found for one in letters for found in sandboxed_fingerprints([one])]
    return list(done.stdout.decode().split())


if __name__ == "__main__":
    seconds, memory = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for line in sys.stdin.buffer:
        # Do all that the daemon does with a letter before it carries out commands.
        root = parse_letter(base64.b64decode(line))
        read_letter(root)
        print(fingerprint(root))
