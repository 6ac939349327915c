"""Maps of other programs, their files and drawings, made into variants of this judge.

Such files come from strangers. The files that they name are read only from their own folder and the folders below it,
whatever path or link is given. A file that is larger than any map is not read. Characters that control a terminal, or
turn the direction of a text, are left out.
"""

import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import read_jdip
from judge.foreign_maps.pack_board import traced
from judge.foreign_maps.repairs import Pair
from judge.foreign_maps.sketch import Imported, MapError
from judge.rules import Variant
from judge.rules.variant.registry import fit_name

# The largest known files have a tenth of this size.
MOST_BYTES = 500_000
# The most drawings of a jDip variant that are tried.
_MOST_DRAWINGS = 8


def read_map(source: Path, title: str, name: str, one_way: Sequence[str]) -> tuple[str, Imported]:
    """Read a DPjudge .map, or the variant of that title (default: the first) of a jDip variants.xml.

    Returns the variant and its name, by default made from the file's name or the title. `one_way`: borders that lead
    one way only, like "ABC-DEF". Raises MapError and OSError.
    """

    def other_file(file: str) -> str:
        return read_beside(source, file)

    pairs: list[Pair] = []
    for border in one_way:
        one, _, other = border.upper().partition("-")
        if not one or not other or "-" in other:
            raise MapError(f"--one-way {border}: write two provinces, like ABC-DEF for the way from ABC to DEF")
        pairs.append((one, other))
    text = read_source(source)
    if source.suffix.lower() == ".map":
        name = name or fit_name(source.stem)
        return name, read_dpjudge(name, text, other_file, pairs)
    read = read_jdip(title, text, other_file, pairs)
    return name or fit_name(read.sketch.title), read


def drawings_of(read: Imported, source: Path, variant: Variant) -> Iterator[tuple[str, Mapping[str, Any] | Exception]]:
    """Trace each file next to `source` that shows the board: its drawing, or the reason why it cannot be used."""
    for name in read.drawings[:_MOST_DRAWINGS]:
        try:
            yield name, traced(variant, read_beside(source, name))
        except (OSError, MapError) as reason:
            yield name, reason


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
