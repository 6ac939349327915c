"""What a mail server says that lists a letter and does not hand it out; for tests.servers.meddler.Meddler."""

import re
from collections.abc import Callable

_BODY = re.compile(rb"(\* \d+ FETCH \(UID (\d+) [^{\r\n]*BODY\[(?:HEADER|TEXT)?\](?:<0>)?) \{(\d+)\}\r\n")


def withholding(uid: int, *, answers: bool = True) -> Callable[[bytes], bytes]:
    """NIL in place of the letter's bytes; or, if it does not answer, only the OK that ends FETCH."""

    def withhold(data: bytes) -> bytes:
        for found in reversed(list(_BODY.finditer(data))):
            if int(found[2]) == uid:
                rest = data[found.end() + int(found[3]) :].partition(b"\n")[2]
                data = data[: found.start()] + (found[1] + b" NIL)\r\n" if answers else b"") + rest
        return data

    return withhold
