"""An SMTP server in a process of its own: prints its port, and takes mails until its standard input ends."""

import sys

from tests.benchmarks.storm import LightSink

if __name__ == "__main__":
    with LightSink() as sink:
        print(sink.port, flush=True)
        sys.stdin.read()
