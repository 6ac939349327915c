"""Which parts of a letter are its text, and their lines: of alternatives the plainest, of a mixture all parts in order,
no attached files.

A file that a mail program shows inside the letter (Apple Mail attaches texts in this way) is still a file: it is read
only if the letter has no other text, and then the letter's notes say so.
"""

from collections.abc import Iterable, Sequence

from judge.letters.boilerplate import is_boilerplate
from judge.letters.headers import words
from judge.letters.html import html_to_lines
from judge.letters.parsed import OPAQUE, Part, header_field
from judge.letters.text import decode, fold

_TEXTS = ("text/plain", "text/html")
_LONGEST_NAME = 60
_SIGNATURE = "-- "
_PGP_BEGINS, _PGP_ENDS = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"


def body_lines(root: Part) -> tuple[list[str], list[str]]:
    """The raw lines of the readable parts, and notes on parts that could not be read, or files that were read instead.
    """
    lines, notes = _readable(root), []
    if not _says_something(lines):
        # If a letter has only one part, that part is the letter, even if it has a file name.
        files = (part for part in root.walk() if part is not root and file_name(part) and not part.is_attachment)
        for file in files:
            text = _text_lines(file)
            if _says_something(text):
                lines = [*lines, *text]
                notes = [f"the letter has no other text, so its file {file_name(file)} was read"]
                break
        else:
            notes = _obstacles(root)
    return _without_pgp_escapes(lines), notes


def attached_texts(root: Part) -> list[str]:
    """The names of the text files that were sent with the letter."""
    parts = [part for part in root.walk() if part is not root and not part.parts and part.content_type in _TEXTS]
    return [file_name(part) for part in parts if file_name(part)]


def file_name(part: Part) -> str:
    """The name of an attached file, shortened; "" for a part without a name."""
    _, disposition = header_field(part.header("content-disposition"))
    return words(disposition.get("filename") or part.parameters.get("name", ""))[:_LONGEST_NAME]


def _says_something(lines: list[str]) -> bool:
    return any(line.strip() and not is_boilerplate(fold(line)) for line in lines)


def _obstacles(root: Part) -> list[str]:
    """Why a letter without a text has none."""
    parts = list(root.walk())
    kinds = {part.content_type for part in parts if not part.parts or part.content_type not in OPAQUE}
    if kinds & {"multipart/encrypted", *OPAQUE}:
        return ["the letter is encrypted and cannot be read"]
    if kinds & {"application/ms-tnef", "application/vnd.ms-tnef"}:
        return ["the letter came as winmail.dat, which only Outlook reads: send it as plain text"]
    return ["attachments are not read"] if any(part.is_attachment for part in parts) else []


def _readable(part: Part) -> list[str]:
    """The lines of this part. Of alternatives the plainest that has any text; of a mixture all, in order."""
    is_opened = part.content_type in OPAQUE and part.parts
    if part.content_type == "message/rfc822" or part.is_attachment and not is_opened:
        return []
    if part.content_type == "multipart/alternative":
        texts = map(_readable, sorted(part.parts, key=_is_plain, reverse=True))
        return next((lines for lines in texts if any(map(str.strip, lines))), [])
    if part.parts:
        return [line for child in part.parts if child.parts or not file_name(child) for line in _readable(child)]
    return _text_lines(part)


def _is_plain(part: Part) -> bool:
    return any(leaf.content_type == "text/plain" for leaf in part.walk())


def _text_lines(part: Part) -> list[str]:
    if part.content_type not in _TEXTS:
        return []
    text = decode(part.payload, part.parameters.get("charset", "")).replace("\0", "")
    if part.content_type == "text/html":
        return html_to_lines(text)
    lines = text.splitlines()
    if part.parameters.get("format", "").lower() == "flowed":
        return unflow(lines, part.parameters.get("delsp", "").lower() == "yes")
    return lines


def unflow(lines: Iterable[str], delsp: bool = False) -> list[str]:
    """Lines of format=flowed (RFC 3676) as they were before they were wrapped; quoted lines are returned as `> text`.

    A line that ends in a blank continues in the next line of the same quote depth (§4.1, §4.5); with `delsp` that blank
    is not part of the text (§4.2).
    """
    paragraphs: list[tuple[int, list[str]]] = []
    goes_on = False
    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text.removeprefix(" ")  # space-stuffing, §4.4
        if not (goes_on and depth == paragraphs[-1][0] and text != _SIGNATURE):
            paragraphs.append((depth, []))
        goes_on = text.endswith(" ") and text != _SIGNATURE
        paragraphs[-1][1].append(text[:-1] if goes_on and delsp else text)
    return [">" * depth + " " * (depth > 0) + "".join(texts) for depth, texts in paragraphs]


def _without_pgp_escapes(lines: Sequence[str]) -> list[str]:
    """The lines as they were before OpenPGP signed them in the open: it puts "- " before each that begins with a dash
    (RFC 9580 §7.2).
    """
    plain: list[str] = []
    inside = False
    for line in lines:
        inside = line.startswith(_PGP_BEGINS) or inside and not line.startswith(_PGP_ENDS)
        plain.append(line.removeprefix("- ") if inside else line)
    return plain
