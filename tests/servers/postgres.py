"""A throw-away PostgreSQL on a unix socket, with a new database for every test that asks."""

import contextlib
import itertools
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.servers import plainuser

_DEBIAN = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
INITDB = plainuser.find_program("initdb", *_DEBIAN)
SERVER = plainuser.find_program("postgres", *_DEBIAN)
PSQL = plainuser.find_program("psql", *_DEBIAN)
# Of CREATE DATABASE: as files, in half the time; otherwise each page goes through the log that mends after a crash.
AS_FILES = " STRATEGY FILE_COPY"
INSTALL = "apt-get install postgresql; pip install 'diplomacy-judge[postgres]'"
INSTALLED = all([INITDB, SERVER, PSQL, find_spec("psycopg")])


class Postgres:
    """The server. `start()` before anything else, `remove()` at the end. `port`: listens at 127.0.0.1, too."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.folder = plainuser.new_folder()
        self._numbers = itertools.count(1)
        self._administrator: Any = None

    def start(self) -> "Postgres":
        """Makes the cluster and starts it, in 1.5 s; RuntimeError with the server's words if it does not start."""
        if not INSTALLED:
            raise RuntimeError(f"PostgreSQL is not installed: {INSTALL}")
        cluster = self.folder / "cluster"
        initdb = [str(INITDB), "-D", str(cluster), "-U", "judge", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        subprocess.run(initdb, check=True, capture_output=True, cwd=self.folder, **plainuser.stepping_down())
        return self.open()

    def open(self) -> "Postgres":
        """Starts the server of a cluster that is there, after `kill` too."""
        server = [str(SERVER), "-D", str(self.folder / "cluster"), "-k", str(self.folder)]
        server += ["-c", f"listen_addresses={'127.0.0.1' if self.port else ''}"]
        if self.port:
            server += ["-p", str(self.port)]
        for wasteful in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum", "jit"):
            server += ["-c", f"{wasteful}=off"]
        # In the cluster's folder, which goes with it, however it is ended.
        server += ["-c", "dynamic_shared_memory_type=mmap"]
        self._process = plainuser.start(server, self.folder)
        self._wait_until_ready()
        return self

    def kill(self) -> None:
        """As a crash ends it: every session is cut off, and what was committed is there after `open`."""
        plainuser.kill(self._process)
        self._administrator = None

    def end(self, how: signal.Signals) -> None:
        """As its keeper ends it: SIGINT sends every session away, SIGQUIT does not even do that."""
        self._administrator = None
        self._process.send_signal(how)
        self._process.wait()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """A new, empty database; yields its URL in SQLAlchemy's form, and drops it, whoever is still connected."""
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name}")
        try:
            yield f"postgresql+psycopg://judge@/{name}?host={self.folder}"
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        import psycopg  # which need not be installed

        # One connection for all: the server takes as long for another as for the statement.
        if self._administrator is None:
            self._administrator = psycopg.connect(
                host=str(self.folder), port=self.port or 5432, user="judge", dbname="postgres", autocommit=True
            )
        # Before version 15 it is the only way.
        as_files = statement.startswith("CREATE") and self._administrator.info.server_version >= 150_000
        self._administrator.execute((statement + AS_FILES * as_files).encode())

    def _wait_until_ready(self) -> None:
        from psycopg import OperationalError

        deadline = time.monotonic() + 20
        while True:
            try:
                self._run("SELECT 1")
                return
            except OperationalError as error:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    words = (self.folder / "output").read_text(errors="replace")
                    raise RuntimeError(f"PostgreSQL does not start:\n{words}") from error
                time.sleep(0.02)
