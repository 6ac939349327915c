"""Composes the bytes of a mail from its content.

A mail has our own headers, a plain text that any mail program can read, the same as HTML where there is a page
(RFC 2046, 5.1.4: the plainest part comes first), and attached files. No text from outside (names, subjects, Message-IDs
of letters) can add a field or a line to the header: each is normalized here, and the standard library refuses to write
a value that would begin another field.
"""

import html
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.message import Message
from email.utils import format_datetime, quote

from judge.addresses import normal
from judge.mails.pages import in_ascii
from judge.mails.parts import HTML, NO_PAGES, POLICY, TEXT, filled, named, text_part
from judge.store.outbox import Composed

MAX_SUBJECT = 200
# Enough to place a mail in its thread; the first one is the thread's root.
MAX_REFERENCES = 12
# Random bytes in a Message-ID.
MARK_BYTES = 10

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_NOT_ATOM = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Letterhead:
    """The sender of all mails: the judge's code (four letters) and its address."""

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
        """A name that only this game has, even if another one was called the same."""
        return f"{_atom(self.game)}.{self.created_at:%Y%m%d%H%M%S}"


@dataclass(frozen=True)
class Answered:
    """The letter that a mail answers: its Message-ID and references, oldest first, as they came."""

    message_id: str
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class Due:
    """When orders are due; `phase`: the phase in words; `cancelled`: there is no deadline any longer."""

    phase: str
    at: datetime
    cancelled: bool = False


@dataclass(frozen=True)
class DataFile:
    """A JSON text for programs, and the name of its file."""

    name: str
    text: str


@dataclass(frozen=True)
class Draft:
    """The content of a mail and its recipient; with `answered` it is a reply, else a notice.

    `thread`: the thread of the game that it is about, if any. `phase` ("S1901M") becomes part of the Message-ID, and so
    does `mark`, letters and digits that no other mail has ("": random ones). `unsubscribe`: the command that ends such
    mails, for the mail program's own button (RFC 2369, 3.2). `page`: the body as HTML, if there is one. `plain`: the
    reader wants no HTML, not even for pictures. `due`: the deadline of the game, for the reader's calendar. `data`: the
    content as JSON, for the reader's programs.
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


def compose(head: Letterhead, draft: Draft, now: datetime) -> Composed:
    """Compose the mail to one address. Raises ValueError if no mail can be sent to that address."""
    recipient, thread = deliverable(draft.to), draft.thread
    subject = one_line(draft.subject)[:MAX_SUBJECT].rstrip()
    names = [_atom(thread.game)] if thread else []
    names += [_atom(draft.phase)] if draft.phase else []
    message_id = f"<{'.'.join([*names, draft.mark or secrets.token_hex(MARK_BYTES)])}@{head.domain}>"
    mail = Message(POLICY)
    mail["From"] = _sender(head, thread)
    mail["To"] = recipient.encode().decode("ascii", "surrogateescape")  # as it is, also outside of ASCII (RFC 6532)
    mail["Subject"] = _words(subject, "Subject")
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = message_id
    _place_in_thread(mail, [thread.root(head)] if thread else [], draft.answered)
    mail["Auto-Submitted"] = "auto-replied" if draft.answered else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if thread:  # RFC 2919: lets players sort the mails of a game
        mail["List-Id"] = f"<{_atom(thread.game)}.{head.address.replace('@', '.')}>"
    if draft.unsubscribe:
        mail["List-Unsubscribe"] = f"<mailto:{head.address}?subject=UNSUBSCRIBE%20{_atom(draft.unsubscribe)}>"
    mail["X-Judge"] = head.code
    if draft.plain:
        mail[NO_PAGES] = "text"
    mail["MIME-Version"] = "1.0"
    files = []
    if draft.due and thread:
        entry = text_part("text/calendar; charset=utf-8; method=PUBLISH", _calendar(head, thread, draft.due, now))
        files.append(named(entry, f"{_atom(thread.game)}.ics"))
    if draft.data:
        files.append(named(text_part("application/json", draft.data.text), draft.data.name))
    page = str(draft.page).replace("<title></title>", f"<title>{html.escape(subject)}</title>", 1)
    texts = [text_part(TEXT, draft.body)] + ([text_part(HTML, in_ascii(page))] if page else [])
    return Composed(message_id, recipient, subject, filled(mail, texts, files))


def deliverable(address: str) -> str:
    """`address` in its one form, valid for SMTP and for a header; raises ValueError if there is none."""
    recipient = normal(address)
    if not recipient:
        raise ValueError(f"{address!r} is not an address that mail can be sent to")
    return recipient


def one_line(text: str) -> str:
    """`text` for a header: one line, without control characters, invisible characters and repeated spaces."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _calendar(head: Letterhead, game: Thread, due: Due, now: datetime) -> str:
    """The deadline of a game as a calendar (RFC 5545) with one entry, for mails that announce it (RFC 5546, 3.2.1).

    A game has one entry, whose UID stays: a later mail moves it, and the last one cancels it. Its SEQUENCE, the half
    seconds from the game's creation to the mail, only grows, and suffices for 34 years; that of a cancellation is one
    higher than that of anything else at the same moment. The text has CRLF line ends.
    """
    # Imported here: this library takes as long to load as all others together, and few judges need it.
    from icalendar import Calendar, Event

    entry = Event()
    entry.add("uid", f"{game.mark}.deadline@{head.domain}")
    entry.add("sequence", 2 * int((now - game.created_at).total_seconds()) + due.cancelled)
    entry.add("dtstamp", now.astimezone(UTC))
    entry.add("dtstart", due.at.astimezone(UTC))
    entry.add("summary", f"{game.game}: orders for {due.phase} are due" if due.phase else f"{game.game}: no deadline")
    entry.add("status", "CANCELLED" if due.cancelled else "CONFIRMED")
    entry.add("transp", "TRANSPARENT")
    entry.add("organizer", f"mailto:{head.address}")
    whole = Calendar()
    whole.add("version", "2.0")
    whole.add("prodid", "-//judge//deadlines of Diplomacy games//EN")
    whole.add("method", "PUBLISH")
    whole.add_component(entry)
    written: bytes = whole.to_ical()
    return written.decode()


def _sender(head: Letterhead, thread: Thread | None) -> str:
    """The From field, as lists of mails show it: `"heron (JUDG)" <judge@example.org>`."""
    if thread is None:
        return f"{head.code} <{head.address}>"
    name = one_line(f"{thread.game} ({head.code})")[:MAX_SUBJECT]
    quoted = f'"{quote(name)}"' if name.isascii() else _words(name, "From")
    return f"{quoted} <{head.address}>"


def _place_in_thread(mail: Message, root: list[str], answered: Answered | None) -> None:
    """Refer to the letter and to the root of the game's thread, so that answers are in the game's thread, too."""
    before = [one for one in answered.references if one not in root] if answered else []
    parents = _message_ids([answered.message_id]) if answered else root
    if parents:
        mail["In-Reply-To"] = parents[0]
    if references := _message_ids([*root, *before, *parents]):
        mail["References"] = "\n ".join(references)


def _message_ids(ids: Sequence[str]) -> list[str]:
    """The valid Message-IDs, each at its last place; of too many, the first and the latest ones."""
    sound = [message_id for message_id in ids if _MESSAGE_ID.fullmatch(message_id)]
    each_once = list(dict.fromkeys(reversed(sound)))[::-1]
    return each_once if len(each_once) <= MAX_REFERENCES else [each_once[0], *each_once[1 - MAX_REFERENCES :]]


def _atom(text: str) -> str:
    return _NOT_ATOM.sub("-", text).strip("-") or "x"


def _words(text: str, field: str) -> str:
    """Header text, folded: plain if it is ASCII, otherwise as encoded words (RFC 2047)."""
    # Encode "=?" too, so that mail programs decode no text from outside as an encoded word.
    return Header(text, "ascii" if text.isascii() and "=?" not in text else "utf-8", header_name=field).encode()
