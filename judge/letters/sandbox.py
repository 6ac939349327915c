"""Reading one letter in a process of its own, with limits on time and memory that no letter can avoid.

For letters that the daemon was working on when it ended uncleanly: each of them may be the cause. `python -m
judge.letters.sandbox SECONDS BYTES` takes letters from its standard input, each as a line of base64, and prints their
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
MEMORY = 512 * 1024 * 1024  # bytes
# Clock time: if five seconds of processor time take longer than this, the machine is far too busy.
_PATIENCE = 120


def sandboxed_fingerprints(letters: Sequence[bytes]) -> list[str | None]:
    """The fingerprint of each letter that can be read within the limits, in the order given; None for each other
    letter.

    First all letters together are tried within the limits of one, since starting a process takes longer than reading a
    letter.
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
        # All that is done with a letter before its commands are carried out.
        root = parse_letter(base64.b64decode(line))
        read_letter(root)
        print(fingerprint(root))
