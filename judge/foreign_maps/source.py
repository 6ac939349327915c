"""The files that a foreign map is read from: the file that was named, and the other files that it names.

Such files come from strangers. The files that they name are read only from their own folder and the folders below it,
whatever path or link is given. A file that is larger than any map is not read. Characters that control a terminal, or
turn the direction of a text, are left out.
"""

import stat
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException, ElementTree

# The largest known files have a tenth of this size.
MOST_BYTES = 500_000


def printed(text: str) -> str:
    """Put a text in one line, without characters that control a terminal or turn the direction of a text."""
    return "".join(filter(str.isprintable, " ".join(text.split())))


class MapError(ValueError):
    """A map that cannot be imported or drawn; the message says why, and names the line if there is one."""

    def __init__(self, told: str):
        # It may quote the file, in which XML can write any sign as a number.
        super().__init__(printed(told))


def read_source(path: Path) -> str:
    """Read the text of a map file; raises OSError, and MapError if it is not a regular file or too large."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise MapError(f"there is no file {path.name}") from None
    if not stat.S_ISREG(status.st_mode):
        raise MapError(f"{path.name} is not a file")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise MapError(f"{path.name} is too large for a map (over {MOST_BYTES // 1000} kB)")
    if data.startswith(b"PK"):
        raise MapError("it is a zip archive: unpack it, and name the variants.xml or .map file in it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # What is older than UTF-8; DPjudge itself reads Latin-1.
        text = data.decode("cp1252", "replace")
    return "".join(sign for sign in text if sign.isprintable() or sign.isspace())


def read_beside(source: Path, name: str) -> str:
    """Read the text of the file that `source` calls `name`; raises OSError and MapError."""
    folder = source.parent.resolve()
    try:
        path = (folder / name).resolve()
    except (ValueError, RuntimeError) as error:
        raise MapError(f"{name!r} is not a file name") from error
    if not path.is_relative_to(folder):
        raise MapError(f"{name} is outside the folder of {source.name}, so it was not read")
    return read_source(path)


def parse_xml(text: str) -> Element:
    """Parse XML; raises MapError."""
    try:
        root: Element = ElementTree.fromstring(text)
    except ParseError as error:
        raise MapError(f"line {error.position[0]}: not XML: {error}") from error
    except DefusedXmlException as error:
        raise MapError("it defines entities (<!ENTITY), which are not read") from error
    return root
