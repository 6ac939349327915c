"""Run the functions of commands, and print their errors as one line each.

Commands print texts from mail servers and letters, so they must not print characters that control the terminal.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from judge.ini_file import read_folders

if TYPE_CHECKING:
    from judge.settings import Settings

DEFAULT = Path("judge.ini")
# Control characters except line ends and tabs, and characters that are invisible or change the direction of writing.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


# The libraries that only some commands need, each with the extra that installs it.
EXTRAS = {
    **dict.fromkeys(("proxyprotocol", "pymap", "pysasl"), "demo"),
    **dict.fromkeys(("coloraide", "networkx", "svgelements"), "variants"),
    "psycopg": "postgres",
}


class Refused(Exception):
    """A request that cannot be carried out."""

    status = 1


class Unable(Refused):
    """Work that could not even be started."""

    status = 2


def complain(why: object) -> None:
    """Print the error on standard error."""
    print(f"judge: {plain(str(why))}", file=sys.stderr)


def how_to_install(missing: ModuleNotFoundError) -> str:
    """Return how to install the extra that has the missing library.

    If no extra has it, the error is raised again.
    """
    name = (missing.name or "").partition(".")[0]
    if name not in EXTRAS:
        raise missing
    return f"this needs {name}: pip install 'diplomacy-judge[{EXTRAS[name]}]'"


def carry_out(function: Callable[..., int], *args: Any, **options: Any) -> int:
    """Call the function of a command, and return its exit status.

    A refusal is printed as one line. An error that the function's module lists in ERRORS is also printed as one line
    (status 2).
    """
    try:
        return function(*args, **options)
    except Refused as refusal:
        complain(refusal)
        return refusal.status
    except ModuleNotFoundError as missing:
        complain(how_to_install(missing))
    except BrokenPipeError:  # raise this OSError again, since judge.shell.cli handles it
        raise
    except getattr(sys.modules[function.__module__], "ERRORS", ()) as error:
        # Print only the database's own message, on one line, without the statement that SQLAlchemy adds.
        complain(" ".join(str(getattr(error, "orig", error)).split()))
    return 2


def settings_in(config: Path | None) -> "Settings":
    """Read the settings in that file, or in the judge.ini of the current folder.

    Raises SettingsError.
    """
    from judge.settings import read_settings

    return read_settings(config or DEFAULT)


def refuse_unfilled(settings: "Settings") -> None:
    """Raise Unable if the settings are still those of the sample, with which nothing works."""
    from judge.settings import unfilled

    if left := unfilled(settings):
        raise Unable(f"{settings.file} is not filled in yet: {', '.join(left)}. To test it then: judge doctor")


def open_own_variants(config: Path | None) -> None:
    """Make the keeper's own variants known to this process.

    Their folder is named in judge.ini or in the environment. Raises SettingsError.
    """
    from judge.rules import open_catalogue

    open_catalogue(*read_folders(config or (DEFAULT if DEFAULT.exists() else None)))


def plain(text: str) -> str:
    r"""Escape characters that would control a terminal, as JSON does (`\u001b`)."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Plain:
    """A stream that writes plain text only, and passes everything else to the given stream."""

    def __init__(self, stream: IO[str]):
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(plain(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def printing_plainly() -> Iterator[None]:
    """Escape whatever the block prints, so that it cannot control the terminal."""
    with redirect_stdout(_Plain(sys.stdout)), redirect_stderr(_Plain(sys.stderr)):
        yield
