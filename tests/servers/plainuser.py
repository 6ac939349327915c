"""How a test starts a server: as a plain user, in a short folder, in a process group that can be killed."""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Bytes that the tests of a run may need at the same time, several workers together.
ROOM = 2**30


def account() -> pwd.struct_passwd:
    """Who the servers run as: whoever runs the tests, but never root (both Dovecot and PostgreSQL refuse)."""
    return pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())


def group() -> str:
    return grp.getgrgid(account().pw_gid).gr_name


def find_program(name: str, *folders: str) -> Path | None:
    """The program `name`, sought in `folders` first and then on the PATH."""
    found = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)]))
    return Path(found) if found else None


def quick_place() -> Path:
    """Where nothing waits for a disk, if this machine has such a place and room in it; else where temporary files go.

    Nothing that a test could see depends on it: a commit there is a commit, and outlives whoever is killed.
    """
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free >= ROOM else Path("/tmp")


def new_folder() -> Path:
    """A new folder of the plain user; its path is short, because sockets will live in it (108 bytes at most)."""
    folder = Path(tempfile.mkdtemp(prefix="judge-", dir=quick_place()))
    hand_over(folder)
    return folder


def hand_over(path: Path) -> None:
    """Makes the plain user the owner of `path` and everything below it."""
    if os.getuid() == 0:
        for each in (path, *path.rglob("*")):
            os.chown(each, account().pw_uid, account().pw_gid)


def stepping_down() -> dict[str, Any]:
    """Arguments for `subprocess` that run a program as the plain user."""
    if os.getuid() != 0:
        return {}
    return {"user": account().pw_uid, "group": account().pw_gid, "extra_groups": []}


def start(command: Sequence[str | Path], folder: Path) -> subprocess.Popen[bytes]:
    """Starts a server as the plain user, in a process group of its own; its chatter goes to `folder`/output."""
    with (folder / "output").open("ab") as output:
        return subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            **stepping_down(),
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills the whole process group of a server that `start` started; no harm if it is dead already."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Does somebody listen on this port of the loopback?"""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
