"""The files that a foreign map is read from: the file that was named, and the other files that it names.

Such files come from strangers. The files that they name are read only from their own folder and the folders below it,
never from elsewhere, whatever path or link is given. A file that is larger than any map is not read. Signs that
command a terminal, or turn the direction of a text, are left out.
"""

import stat
from pathlib import Path

from judge.foreign_maps.sketch import ForeignFileError

# The largest known files have a tenth of this size.
MOST_BYTES = 500_000


def read_source(path: Path) -> str:
    """The text of a map file; raises OSError, and ForeignFileError if it is no regular file or too large."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise ForeignFileError(f"there is no file {path.name}") from None
    if not stat.S_ISREG(status.st_mode):
        raise ForeignFileError(f"{path.name} is no file")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ForeignFileError(f"{path.name} is larger than {MOST_BYTES // 1000} kB, too large for a map")
    if data.startswith(b"PK"):
        raise ForeignFileError("it is a zip archive: unpack it, and give the variants.xml or the .map file in it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # What is older than UTF-8; DPjudge itself reads Latin-1.
        text = data.decode("cp1252", "replace")
    return "".join(sign for sign in text if sign.isprintable() or sign.isspace())


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
