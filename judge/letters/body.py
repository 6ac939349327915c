"""Which parts of a letter are its text: of alternatives the plainest, of a mixture all parts in order, no attached
files.

A file that a mail program shows inside the letter (Apple Mail attaches texts in this way) is still a file: it is read
only if the letter has no other text, and then the letter's notes say so.
"""

from judge.letters.flowed import unflow
from judge.letters.headers import words
from judge.letters.html import html_to_lines
from judge.letters.parsed import Part, header_field
from judge.letters.smime import OPAQUE
from judge.letters.text import decode, fold
from judge.letters.vendor_lines import is_vendor_line

_OUTLOOK_ONLY = {"application/ms-tnef", "application/vnd.ms-tnef"}
_TEXTS = ("text/plain", "text/html")
_LONGEST_NAME = 60


def body_lines(root: Part) -> tuple[list[str], list[str]]:
    """The raw lines of the readable parts, and notes on parts that could not be read, or files that were read instead.
    """
    lines = _readable(root)
    if _says_something(lines):
        return lines, []
    for part in root.walk():
        # If a letter has only one part, that part is the letter, even if it has a file name.
        if part is not root and part.content_type in _TEXTS and file_name(part) and not part.is_attachment:
            text = _text_lines(part)
            if _says_something(text):
                return [*lines, *text], [f"the letter has no other text, so its file {file_name(part)} was read"]
    return lines, _obstacles(root)


def attached_texts(root: Part) -> list[str]:
    """The names of the text files that were sent with the letter."""
    parts = [part for part in root.walk() if part is not root and not part.parts and part.content_type in _TEXTS]
    return [file_name(part) for part in parts if file_name(part)]


def file_name(part: Part) -> str:
    """The name of an attached file, shortened; "" for a part without a name."""
    _, disposition = header_field(part.header("content-disposition"))
    return words(disposition.get("filename") or part.parameters.get("name", ""))[:_LONGEST_NAME]


def _says_something(lines: list[str]) -> bool:
    return any(line.strip() and not is_vendor_line(fold(line)) for line in lines)


def _obstacles(root: Part) -> list[str]:
    """Why a letter without a text has none."""
    parts = list(root.walk())
    if any(part.content_type == "multipart/encrypted" or _is_sealed(part) for part in parts):
        return ["the letter is encrypted and cannot be read"]
    if any(part.content_type in _OUTLOOK_ONLY for part in parts):
        return ["the letter came as winmail.dat, which only Outlook reads: send it as plain text"]
    if any(part.is_attachment for part in parts):
        return ["attachments are not read"]
    return []


def _is_sealed(part: Part) -> bool:
    return part.content_type in OPAQUE and not part.parts


def _readable(part: Part) -> list[str]:
    """The lines of this part. Of alternatives the plainest that has any text; of a mixture all, in order."""
    if part.content_type == "message/rfc822" or part.is_attachment and not (part.content_type in OPAQUE and part.parts):
        return []
    if part.content_type == "multipart/alternative":
        for choice in sorted(part.parts, key=_plainness):
            lines = _readable(choice)
            if any(line.strip() for line in lines):
                return lines
        return []
    if part.parts:
        return [line for child in part.parts if not _is_file(child) for line in _readable(child)]
    return _text_lines(part)


def _is_file(part: Part) -> bool:
    return not part.parts and file_name(part) != ""


def _text_lines(part: Part) -> list[str]:
    if part.content_type not in _TEXTS:
        return []
    text = decode(part.payload, part.parameters.get("charset", "")).replace("\0", "")
    if part.content_type == "text/html":
        return html_to_lines(text)
    if part.parameters.get("format", "").lower() == "flowed":
        return unflow(text.splitlines(), part.parameters.get("delsp", "").lower() == "yes")
    return text.splitlines()


def _plainness(part: Part) -> int:
    return 0 if any(leaf.content_type == "text/plain" for leaf in part.walk()) else 1
