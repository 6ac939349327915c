"""A fresh, migrated database for each test: SQLite always, PostgreSQL where its server programs are installed."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from judge.store.engine import migrate, open_engine

_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
BOTH = [pytest.param("sqlite", id="sqlite"), pytest.param("postgres", id="postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL of our own on a unix socket; gives the folder of the socket."""
    if not _PROGRAMS:
        pytest.skip("PostgreSQL's server programs are not installed")
    # A socket's path must be short, and initdb refuses to work for root.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    run = {}
    if os.getuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        run = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    bin_, data = _PROGRAMS[-1], folder / "data"
    subprocess.run(
        [bin_ / "initdb", "-D", data, "-U", "judge", "-A", "trust", "-E", "UTF8", "--no-sync"],
        check=True,
        capture_output=True,
        cwd=folder,
        **run,
    )
    server = subprocess.Popen(
        [bin_ / "postgres", "-D", data, "-k", folder, "-h", "", "-F"],
        stdout=subprocess.DEVNULL,
        stderr=(folder / "log").open("w"),
        cwd=folder,
        **run,
    )
    try:
        for _ in range(100):
            ready = [bin_ / "pg_isready", "-q", "-h", folder]
            if subprocess.run(ready, check=False).returncode == 0:
                break
            time.sleep(0.1)
        yield str(folder)
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait(10)
        shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A fresh, empty PostgreSQL database."""

    def address(database: str) -> str:
        return f"postgresql://judge@/{database}?host={postgres_server}"

    admin = open_engine(address("postgres")).execution_options(isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text("DROP DATABASE IF EXISTS fresh WITH (FORCE)"))
        connection.execute(text("CREATE DATABASE fresh"))
    admin.dispose()
    yield address("fresh")


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh, empty database, of either kind."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path}/judge.db"


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A fresh database with all tables, of either kind."""
    engine = open_engine(url)
    migrate(engine)
    yield engine
    engine.dispose()
