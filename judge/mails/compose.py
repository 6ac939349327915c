"""Makes the bytes of a mail from its content: our own headers, a plain text that any mail program can read, and the
same as a page where there is one (RFC 2046, 5.1.4: the plainest part comes first).

No text from outside (names, subjects, Message-IDs of letters) can add a field or a line to the header. Lines end with
CRLF and none is longer than 998 characters (RFC 5322, 2.1.1); everything is ASCII, except a recipient's address that is
not. The bytes are built here because email.message takes thirty times as long.
"""

import binascii
import hashlib
import re
import secrets
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from functools import lru_cache

from judge.addresses import normal
from judge.mails.calendar_entry import Due, Of, calendar
from judge.mails.enclosed import DataFile, enclosed
from judge.mails.pages import in_ascii
from judge.mails.parts import heading, joined, part

MAX_SUBJECT = 200
# Enough to place a mail in its thread; the first one is the thread's root.
MAX_REFERENCES = 12
# What makes a Message-ID the only one of its kind.
MARK_BYTES = 10

PAGE = "text/html; charset=utf-8"
CALENDAR = "text/calendar; charset=utf-8; method=PUBLISH"
DATA = "application/json"
# So many texts that different readers of one phase get are kept as they are encoded.
_SHARED = 8
# In the header of a mail that is to have no HTML, whatever is added to it.
NO_PAGES = "X-Judge-Parts: text"

_PLAIN = "text/plain; charset=utf-8"
_LINE = 998
_FOLD_AT = 68
# So that "Subject: =?utf-8?b?...?=" stays below 78 characters (RFC 2047, 2).
_WORD_BYTES = 42
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_NOT_ATOM = re.compile(r"[^A-Za-z0-9]+")
_CONTROLS = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_CONTROL = re.compile(f"[{re.escape(_CONTROLS.decode())}]")
_NEWLINE = re.compile(r"\r\n?")


@dataclass(frozen=True)
class Letterhead:
    """Who writes: the judge's code (four letters) and its address."""

    code: str
    address: str

    @property
    def domain(self) -> str:
        """The domain of every Message-ID we make."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True)
class Thread:
    """The game that a mail is about; all its notices are in one thread."""

    game: str
    created_at: datetime

    def root(self, head: Letterhead) -> str:
        """The Message-ID that all mails of the game refer to (no mail has it)."""
        return f"<{self.mark}.game@{head.domain}>"

    @property
    def mark(self) -> str:
        """What only this game of this judge has, also if there is another one of its name."""
        return f"{_atom(self.game)}.{self.created_at:%Y%m%d%H%M%S}"


@dataclass(frozen=True)
class Answered:
    """The letter that a mail answers: its Message-ID and what it referred to, oldest first, as they came."""

    message_id: str
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class Draft:
    """The content of a mail and its recipient; with `answered` it is a reply, else a notice.

    `thread`: the thread of the game that it is about, if any. `phase` ("S1901M") becomes part of the Message-ID, and so
    does `mark`, letters and digits that no other mail has ("": some are drawn). `unsubscribe` is the command that ends
    such mails, for the mail program's own button (RFC 2369, 3.2). `page`: the body as HTML, if there is that.
    `plain`: the reader wants no HTML, also for pictures. `due`: the deadline of the game, for the reader's calendar.
    `data`: what the mail tells, for the reader's programs.
    """

    to: str
    subject: str
    body: str
    thread: Thread | None = None
    phase: str = ""
    answered: Answered | None = None
    unsubscribe: str = ""
    mark: str = ""
    page: str = ""
    plain: bool = False
    due: Due | None = None
    data: DataFile | None = None


@dataclass(frozen=True)
class Composed:
    """A mail ready for the outbox."""

    message_id: str
    recipient: str
    subject: str
    raw: bytes


def compose(head: Letterhead, draft: Draft, now: datetime) -> Composed:
    """The mail to one address. Raises ValueError if no mail can be sent to that address."""
    recipient = deliverable(draft.to)
    plain_subject = one_line(draft.subject)[:MAX_SUBJECT].rstrip()
    message_id = _message_id(head, draft.thread, draft.phase, draft.mark or secrets.token_hex(MARK_BYTES))
    about_body, body = _body(draft, message_id)
    headers = [
        f"From: {_sender(head, draft.thread)}",
        f"To: {recipient}",
        *_subject_and_date(plain_subject, now),
        f"Message-ID: {message_id}",
        *_about(head, draft.thread, draft.answered),
        *_unsubscribe(head, draft.unsubscribe),
        f"X-Judge: {head.code}",
        *[NO_PAGES] * draft.plain,
        "MIME-Version: 1.0",
        *about_body,
        "\r\n",
    ]
    raw = "\r\n".join(headers).encode() + body
    files = [_entry(head, draft.thread, draft.due, now)] if draft.due and draft.thread else []
    files += [_data(draft.data)] if draft.data else []
    return Composed(message_id, recipient, plain_subject, enclosed(raw, files) if files else raw)


def _entry(head: Letterhead, thread: Thread, due: Due, now: datetime) -> bytes:
    """The deadline as a part of a mail."""
    whose = Of(thread.game, thread.created_at, f"{thread.mark}.deadline", head.address)
    encoding, body = _encode_body(calendar(whose, due, now))
    return part(CALENDAR, encoding, body, f'Content-Disposition: attachment; filename="{_atom(thread.game)}.ics"')


def _data(data: DataFile) -> bytes:
    """A file for programs as a part of a mail."""
    encoding, body = _encode_body(data.text)
    return part(DATA, encoding, body, f'Content-Disposition: attachment; filename="{data.name}"')


# The mails of a phase go to different people with different texts, and share all the rest: it is written once.
@lru_cache(maxsize=16)
def _subject_and_date(subject: str, now: datetime) -> tuple[str, ...]:
    return f"Subject: {_unstructured(subject)}", f"Date: {format_datetime(now)}"


@lru_cache(maxsize=16)
def _about(head: Letterhead, thread: Thread | None, answered: Answered | None) -> tuple[str, ...]:
    return (
        *_threading(head, thread, answered),
        f"Auto-Submitted: {'auto-replied' if answered else 'auto-generated'}",
        "X-Auto-Response-Suppress: All",
        *_list_id(head, thread),
    )


def _body(draft: Draft, message_id: str) -> tuple[list[str], bytes]:
    """The lines of the header about the body, and the body."""
    encoding, text = _encode_body(draft.body)
    if not draft.page:
        return [f"Content-Type: {_PLAIN}", f"Content-Transfer-Encoding: {encoding}"], text
    # Nobody but its reader knows the Message-ID: no text from outside holds the boundary.
    boundary = f"alternative-{hashlib.sha256(message_id.encode()).hexdigest()[:24]}"
    parts = [part(_PLAIN, encoding, text), part(PAGE, *_encode_page(draft.page))]
    return [heading("alternative", boundary).decode()], joined(boundary, parts)


def deliverable(address: str) -> str:
    """`address` in its one form, valid for SMTP and for a header; ValueError if there is no such form."""
    recipient = normal(address)
    if not recipient:
        raise ValueError(f"{address!r} is not an address that mail can be sent to")
    return recipient


def one_line(text: str) -> str:
    """`text` for a header: one line without control characters, invisible characters and repeated spaces."""
    if not text.isprintable():
        text = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(text.split())


@lru_cache(maxsize=64)
def _sender(head: Letterhead, thread: Thread | None) -> str:
    """`"heron (JUDG)" <judge@example.org>`: who writes, as lists of mails show it."""
    if thread is None:
        return f"{head.code} <{head.address}>"
    name = one_line(f"{thread.game} ({head.code})")[:MAX_SUBJECT]
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{quoted if name.isascii() else _encoded_words(name)} <{head.address}>"


def _message_id(head: Letterhead, thread: Thread | None, phase: str, mark: str) -> str:
    parts = [_atom(thread.game)] if thread else []
    if phase:
        parts.append(_atom(phase))
    return f"<{'.'.join([*parts, mark])}@{head.domain}>"


def _threading(head: Letterhead, thread: Thread | None, answered: Answered | None) -> list[str]:
    # Mail programs put a mail into the thread of what it refers to: a game's answers are in the game's thread, too.
    root = [thread.root(head)] if thread else []
    if answered:
        parents = _message_ids([answered.message_id])
        references = _message_ids([*root, *(one for one in answered.references if one not in root), *parents])
    else:
        parents = references = root
    lines = [f"In-Reply-To: {parents[0]}"] if parents else []
    if references:
        lines.append("References: " + "\r\n ".join(references))
    return lines


def _message_ids(ids: Iterable[str]) -> list[str]:
    """The valid Message-IDs, each at its last place; if there are too many, the first and the latest ones."""
    sound = [message_id for message_id in ids if _MESSAGE_ID.fullmatch(message_id)]
    each_once = list(dict.fromkeys(reversed(sound)))[::-1]
    if len(each_once) > MAX_REFERENCES:
        return [each_once[0], *each_once[1 - MAX_REFERENCES :]]
    return each_once


def _list_id(head: Letterhead, thread: Thread | None) -> list[str]:
    """RFC 2919: a name that only this game of this judge has, so that players can sort its mails by it."""
    if thread is None:
        return []
    return [f"List-Id: <{_atom(thread.game)}.{head.address.replace('@', '.')}>"]


def _unsubscribe(head: Letterhead, word: str) -> list[str]:
    return [f"List-Unsubscribe: <mailto:{head.address}?subject=UNSUBSCRIBE%20{_atom(word)}>"] if word else []


def _atom(text: str) -> str:
    return _NOT_ATOM.sub("-", text).strip("-") or "x"


def _unstructured(text: str) -> str:
    """Header text: plain if it is ASCII, else as encoded words; folded."""
    # "=?" is encoded too, so that no text from outside becomes an encoded word that a mail program would decode.
    if not text.isascii() or "=?" in text or max(map(len, text.split(" "))) > _LINE // 2:
        return _encoded_words(text)
    lines = []
    while len(text) > _FOLD_AT and (space := text.rfind(" ", 1, _FOLD_AT)) > 0:
        lines.append(text[:space])
        text = text[space:]
    return "\r\n".join([*lines, text])


def _encoded_words(text: str) -> str:
    """RFC 2047, with no character cut in two."""
    words = [b""]
    for character in text:
        raw = character.encode()
        if len(words[-1]) + len(raw) > _WORD_BYTES:
            words.append(b"")
        words[-1] += raw
    return "\r\n ".join(f"=?utf-8?b?{b64encode(word).decode()}?=" for word in words)


@lru_cache(maxsize=_SHARED)
def _encode_page(page: str) -> tuple[str, bytes]:
    """The same for a page: characters beyond ASCII are written as HTML knows them, so that it need not be encoded."""
    return _encode_body(in_ascii(page))


@lru_cache(maxsize=_SHARED)
def _encode_body(body: str) -> tuple[str, bytes]:
    """The transfer encoding and the encoded text; RFC 2045, 2.7 (7bit) and 6.7 (quoted-printable)."""
    text = (_NEWLINE.sub("\n", body) if "\r" in body else body).rstrip("\n") + "\n"
    raw = text.encode("utf-8", "replace")
    # Hardly ever is there one, and bytes are looked through faster than characters.
    if len(raw.translate(None, _CONTROLS)) < len(raw):
        return _encode_body(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text))
    lines = raw.replace(b"\n", b"\r\n")
    if text.isascii() and _has_short_lines(raw):
        return "7bit", lines
    return "quoted-printable", binascii.b2a_qp(lines, istext=True)


def _has_short_lines(text: bytes) -> bool:
    """Whether no line is too long to be sent as it is. Not every line is looked at: where one ends just before the most
    characters that one may have, those before it are short.
    """
    start = 0
    while len(text) - start > _LINE:
        end = text.rfind(b"\n", start, start + _LINE + 1)
        if end < 0:
            return False
        start = end + 1
    return True
