"""The files that a foreign map is read from: the one that was named, and those beside it that it speaks of.

Such files come from strangers. What they name is looked for in their own folder and below it, and never elsewhere,
whatever path or link leads there; and none is read that is larger than any map.
"""

import stat
from pathlib import Path

from judge.rules.foreign_files.sketch import ForeignFileError

# The largest that are known have a tenth of it.
MOST_BYTES = 500_000


def read_source(path: Path) -> str:
    """The text of a map file; raises OSError, and ForeignFileError for what is none."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ForeignFileError(f"{path.name} is no file")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ForeignFileError(f"{path.name} is larger than {MOST_BYTES // 1000} kB, too large for a map")
    return data.decode("utf-8", "replace")


def read_beside(source: Path, name: str) -> str:
    """The text of the file that `source` calls `name`; raises OSError and ForeignFileError."""
    folder = source.parent.resolve()
    try:
        path = (folder / name).resolve()
    except (ValueError, RuntimeError) as error:
        raise ForeignFileError(f"{name!r} is no name of a file") from error
    if not path.is_relative_to(folder):
        raise ForeignFileError(f"{name} lies outside of the folder of {source.name}, and is not read")
    return read_source(path)
