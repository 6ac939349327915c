"""A mail with a file beside all that is in it (RFC 2046, 5.1.3), which stays there when pictures come into the mail."""

import hashlib
import re

from judge.mails.parts import END, heading, joined, taken_apart

_ENCLOSED = re.compile(rb'Content-Type: multipart/mixed; boundary="(enclosed-[0-9a-f]{24})"')


def enclosed(raw: bytes, file: bytes) -> bytes:
    """`raw`, a mail as `compose` makes it, with `file`, a part, as its last one."""
    header, whole = taken_apart(raw)
    boundary = f"enclosed-{hashlib.sha256(raw).hexdigest()[:24]}"
    return END.join([*header, heading("mixed", boundary), b"", joined(boundary, [whole, file])])


def opened(raw: bytes) -> tuple[bytes, bytes] | None:
    """The mail as it is without its file, and the file; None if it has none."""
    header, whole = taken_apart(raw)
    about, _, body = whole.partition(END * 2)
    found = _ENCLOSED.fullmatch(about)
    if not found:
        return None
    opening = b"--" + found[1] + END
    mail, _, file = body.removeprefix(opening).rpartition(END + opening)
    return END.join([*header, mail]), file.removesuffix(END + b"--" + found[1] + b"--" + END)
