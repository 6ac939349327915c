"""What is kept of a letter that was answered: its headers and its text as they were read, in UTF-8.

No parts, no pages, no attached files: whatever a mail program can hide a password in is gone with them.
"""

from collections.abc import Callable, Iterator

from judge.letters.headers import unencoded
from judge.letters.letter import Letter
from judge.letters.parsed import Part

# Fields that describe or sign bytes that are no longer there.
_OF_BYTES = ("content-", "mime-version", "dkim-signature", "arc-", "x-google-dkim", "lines", "bytes")
_HEAD = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"


def kept_letter(root: Part, letter: Letter, redact: Callable[[str], str]) -> bytes:
    """The letter with the parts below `root`, as it is kept; `redact` takes the passwords out of a text."""
    head = "".join(f"{name}: {redact(value)}\n" for name, value in _fields(root))
    text = "".join(f"{redact(line.verbatim)}\n" for line in letter.lines)
    return f"{head}{_HEAD}\n{text}".encode("utf-8", "replace")


def _fields(root: Part) -> Iterator[tuple[str, str]]:
    for name, values in root.headers.items():
        if not name.startswith(_OF_BYTES):
            yield from ((name.title(), unencoded(value)) for value in values)
