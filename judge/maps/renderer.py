"""Makes PNGs of drawings, a process of its own that makes one after the other.

A request on standard input is a line "SECONDS SIZE" and SIZE bytes, a pickled (drawing, width, limit); the answer on
standard output is a line "png SIZE" or "failed SIZE" and so many bytes: the picture, or why there is none. The process
ends when there are no more requests, or after SECONDS with one picture, even if nobody waits for it.
"""

import os
import pickle
import signal
import sys

from judge.maps.rasterizer import PictureFailed, Rasterizer
from judge.maps.render import user_cache


def main() -> None:
    rasterizer = Rasterizer(user_cache())
    while request := sys.stdin.buffer.readline():
        seconds, size = map(int, request.split())
        signal.alarm(seconds)
        try:
            kind, answer = "png", rasterizer.png(*pickle.loads(sys.stdin.buffer.read(size)))
        except PictureFailed as error:
            kind, answer = "failed", str(error).encode()
        signal.alarm(0)
        sys.stdout.buffer.write(f"{kind} {len(answer)}\n".encode() + answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    # A signal that stops the judge must not stop the drawing of a picture that it waits for.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.nice(5)
    main()
