"""A mail with files beside all that is in it (RFC 2046, 5.1.3), which stay there when pictures come into the mail."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.mails.parts import END, heading, joined, taken_apart

_ENCLOSED = re.compile(rb'Content-Type: multipart/mixed; boundary="(enclosed-[0-9a-f]{24})"')


@dataclass(frozen=True)
class DataFile:
    """A JSON text for programs, and the name of its file."""

    name: str
    text: str


def enclosed(raw: bytes, files: Sequence[bytes]) -> bytes:
    """`raw`, a mail as `compose` makes it, with `files`, parts, as its last ones."""
    header, whole = taken_apart(raw)
    boundary = f"enclosed-{hashlib.sha256(raw).hexdigest()[:24]}"
    return END.join([*header, heading("mixed", boundary), b"", joined(boundary, [whole, *files])])


def opened(raw: bytes) -> tuple[bytes, list[bytes]] | None:
    """The mail as it is without its files, and the files; None if it has none."""
    header, whole = taken_apart(raw)
    about, _, body = whole.partition(END * 2)
    found = _ENCLOSED.fullmatch(about)
    if not found:
        return None
    opening, closing = b"--" + found[1] + END, END + b"--" + found[1] + b"--" + END
    parts = body.removeprefix(opening).removesuffix(closing)
    # No text knows the boundary: it is the digest of the whole mail.
    mail, *files = parts.split(END + opening)
    return END.join([*header, mail]), files
