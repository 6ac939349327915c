"""Whether a letter may be carried out, and whether it may be answered.

An answer to a machine's mail can start a mail loop, so all mail that RFC 3834 §2 warns of gets no answer. Some of its
marks say that a machine wrote the letter: that is never carried out. Others say only which way a letter came:
distribution lists, Exchange and alias services put them on what people write. Who signs on in it is a person.
"""

import re

from judge.addresses import without_tag
from judge.letters.auto_replies import AUTOMATIC_SUBJECT
from judge.letters.headers import words
from judge.letters.parsed import MAX_FIELDS, Headers, Part

MARK = "x-judge"    # every mail that we send has it

_MACHINE = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|post-?master|double-bounce|majordomo|listserv|bounces?|root"
    r"|(?:do[-_.]?)?not?[-_.]?reply)(?:[-_.+=\d].*)?"
    r"|owner-.*|.*-(?:owner|request|bounces)(?:\+.*)?",
    re.DOTALL,
)
_BULK_PRECEDENCE = {"bulk", "junk", "list"}
_AUTOMATIC_PRECEDENCE = {"auto_reply", "auto-reply"}
_AUTOMATIC_FIELDS = ("x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponse")
# RFC 2369 and 2919; Mailman, ezmlm, Google Groups.
_LIST_FIELDS = (
    "list-id", "list-unsubscribe", "list-unsubscribe-post", "list-post", "list-help", "list-subscribe", "list-owner",
    "list-archive", "mailing-list", "x-mailing-list", "x-beenthere", "x-google-group-id",
)  # fmt: skip
_REPORTS = ("multipart/report", "message/delivery-status", "message/disposition-notification")
# Each of these shows that a machine wrote the letter, or passed it on; other fields are also written by people's mail
# programs.
_MARKS = {MARK, "auto-submitted", *_AUTOMATIC_FIELDS, *_LIST_FIELDS, "precedence", "return-path"}
_FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:([^\n]*)", re.MULTILINE)
# One that lies in another is taken out first.
_COMMENT = re.compile(r"\([^()]*\)")
_MOST_NESTED = 4
_BLANK_LINE = re.compile(rb"\n\r?\n")
_MOST_BELOW = 20_000  # bytes of a possible header
# MS-OXCMAIL 2.1.3.2.20. The other values (DR, NDR, RN, NRN, OOF) ask for no receipts and no absence notes: we send
# neither, and mail from people has these values too.
_NO_ANSWER_WANTED = {"all", "autoreply"}


def silence(letter: Part, sender: str, own_addresses: frozenset[str] = frozenset()) -> tuple[str, bool]:
    """Why this letter must not be answered, in a few words for the log, "" if it may be; and whether it must not be
    carried out either, even if it signs on.
    """
    headers = _marks(letter)
    automatic = _automatic(letter, headers, sender, own_addresses)
    return (automatic, True) if automatic else (_bulk(headers), False)


def _automatic(letter: Part, headers: Headers, sender: str, own_addresses: frozenset[str]) -> str:
    """Why a machine wrote the letter, or may have written it."""
    if MARK in headers or _is_own(sender, own_addresses):
        return "our own mail"
    automatic = map(_first_word, headers.get("auto-submitted", ()))
    if any(value not in ("", "no") for value in automatic):
        return "auto-reply (Auto-Submitted)"
    if any(name in headers for name in _AUTOMATIC_FIELDS) or _precedence(headers) & _AUTOMATIC_PRECEDENCE:
        return "auto-reply"
    if any(_first_word(value) in _REPORTS for value in headers.get("content-type", ())):
        return "bounce or receipt"
    if any(_bare(value).replace(" ", "") == "<>" for value in headers.get("return-path", ())):
        return "bounce (empty Return-Path)"
    if sum(map(len, letter.headers.values())) >= MAX_FIELDS:
        return "more header fields than are read, and a mark may stand below them"
    if not sender:
        return "no usable sender"
    if _MACHINE.fullmatch(sender.rpartition("@")[0]):
        return f"a machine's address ({sender})"
    if AUTOMATIC_SUBJECT.match(words(letter.header("subject")).strip()):
        return "auto-reply (its subject)"
    return ""


def is_bulk(letter: Part) -> bool:
    """Whether a mark says that the letter came by a list, or the like."""
    return bool(_bulk(_marks(letter)))


def _bulk(headers: Headers) -> str:
    """By which mark the letter may have gone to many, or wants no answer."""
    if precedence := _precedence(headers) & _BULK_PRECEDENCE:
        return f"bulk mail (Precedence: {precedence.pop()})"
    if any(name in headers for name in _LIST_FIELDS):
        return "mailing list"
    suppressed = _bare(",".join(headers.get("x-auto-response-suppress", ()))).lower().split(",")
    if {word.strip() for word in suppressed} & _NO_ANSWER_WANTED:
        return "auto-reply (X-Auto-Response-Suppress)"
    return ""


def _precedence(headers: Headers) -> set[str]:
    return set(map(_first_word, headers.get("precedence", ())))


def _first_word(value: str) -> str:
    """Of a field, in small letters: without comments, and whatever follows, parameters or a line that was folded."""
    return (_bare(value).partition(";")[0].lower().split() or [""])[0]


def _bare(value: str) -> str:
    """The value of a field without its comments (RFC 5322, 3.2.2)."""
    for _ in range(_MOST_NESTED):
        if "(" not in value:
            break
        value = _COMMENT.sub("", value)
    return value


def _marks(letter: Part) -> Headers:
    """The fields of the letter, also those below a line that is not a field, so that a broken line does not hide a
    mark.
    """
    if letter.has_whole_header:
        return letter.headers
    marks: Headers = {name: list(values) for name, values in letter.headers.items()}
    below = _BLANK_LINE.split(letter.body[:_MOST_BELOW], maxsplit=1)[0]
    for name, value in _FIELD.findall(below):
        if (known := name.decode().lower()) in _MARKS:
            marks.setdefault(known, []).append(value.decode("latin-1").strip())
    return marks


def _is_own(sender: str, own_addresses: frozenset[str]) -> bool:
    """Also if it has a tag, like the return path of our mails."""
    return sender in own_addresses or without_tag(sender) in own_addresses
