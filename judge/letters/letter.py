"""A letter: all that the judge needs to know about one email, read once. Nothing here raises, whatever the bytes are.

Its lines are folded (plain dashes, blanks and quotes; nothing invisible). Each has its kind, so orders are read from
text only, and press may keep its quotes.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from judge.addresses import without_tag
from judge.letters.authentication import digest, not_covered, verified
from judge.letters.body import body_lines
from judge.letters.machine_mail import bulk_mark, ignore_reason
from judge.letters.parsed import Part, addresses, date, message_ids, unencoded, words
from judge.letters.quotes import Line, doubtful_from, kinds
from judge.letters.text import clean, decode, fold

MAX_LINES = 5000
MAX_LINE = 10_000    # characters; a paragraph of press may be long, a line of orders is not
MAX_REFERENCES = 50
# Fields that describe or sign bytes that are no longer there when a letter is kept.
_OF_BYTES = ("content-", "mime-version", "dkim-signature", "arc-", "x-google-dkim", "lines", "bytes")


@dataclass(frozen=True, slots=True)
class Letter:
    """One email as it was read.

    sender: bare address in its one form (judge/addresses.py), "" if From is missing, ambiguous or unusable. reply_to:
    likewise, for replies only. addressed: the judge is in its only To field. message_id, references (In-Reply-To
    first): with angle brackets. date: by the sender's clock, in UTC. silent: why it must not be answered unless it
    signs on, or "". automatic: it must not be carried out either. verified: what our mail server found out about the
    sender (True, False, None = nothing). not_covered: why a good signature may not speak for what was read, or "".
    digest: the same for each copy of a signed letter, whatever is above it. damaged: some text cannot be decoded, so
    the sender's own text cannot be told for certain. notes: what was left out of the lines.
    """

    sender: str
    sender_name: str
    reply_to: str
    addressed: bool
    subject: str
    message_id: str
    references: tuple[str, ...]
    date: datetime | None
    lines: tuple[Line, ...]
    silent: str
    automatic: bool
    verified: bool | None
    not_covered: str
    digest: str
    damaged: bool
    notes: tuple[str, ...]


def read_letter(
    root: Part,
    *,
    own_addresses: frozenset[str] = frozenset(),
    authserv_id: str = "",
    max_lines: int = MAX_LINES,
    cut: bool = False,
) -> Letter:
    """Read a letter from its MIME parts.

    own_addresses: the judge's own, in their one form. authserv_id: the name under which our mail server writes
    Authentication-Results. cut: the letter was too big, and the mailbox gave only its beginning.
    """
    sender_name, sender = _one_mailbox(root, "from")
    # A second To may have been added above the one that the sender's server signed: then neither counts.
    to = root.headers.get("to", ())
    named = [address for _, address in addresses(to[0]) if address] if len(to) == 1 else []
    answered = message_ids(root.header("in-reply-to"))
    thread = message_ids(root.header("references"))
    silent, automatic = ignore_reason(root, sender, own_addresses)
    body, notes = body_lines(root)
    if cut:
        notes.insert(0, "the email was too large, so only its beginning was read")
    return Letter(
        sender=sender,
        sender_name=sender_name,
        reply_to=_one_mailbox(root, "reply-to")[1],
        addressed=bool({*named, *map(without_tag, named)} & own_addresses),
        subject=words(root.header("subject")),
        # One without brackets is a line of text.
        message_id=next(iter(message_ids(own_id := root.header("message-id"))), words(own_id)),
        references=tuple(dict.fromkeys([*answered, *reversed(thread)]))[:MAX_REFERENCES],
        date=date(root.header("date")),
        lines=_lines(body, max_lines, notes),
        silent=silent,
        automatic=automatic,
        verified=verified(root.headers, authserv_id, sender),
        not_covered=not_covered(root, sender),
        digest=digest(root),
        damaged=any(part.is_damaged for part in root.walk() if part.content_type.startswith("text/")),
        notes=tuple(notes),
    )


def fingerprint(root: Part) -> str:
    """Return a value that is the same for every copy of a letter, whichever way it came: 64 hexadecimal digits.

    It is a hash of Message-ID (or Date), From, Subject and the decoded bodies, without transport headers, transfer
    encodings, line ends and blanks at line ends. A letter by a list has another one: it may be ignored, and the same
    letter that comes directly must not be.
    """
    digest = hashlib.sha256(b"bulk\0" if bulk_mark(root) else b"")
    # RFC 5322, 3.6: a letter should have a Message-ID and must have a Date. Without both, the same words sent again are
    # a copy.
    identity = "message-id" if root.header("message-id") else "date"
    for name in (identity, "from", "subject"):
        digest.update(words(root.header(name)).encode() + b"\0")
    for part in root.walk():
        if part.parts:
            continue
        # A relay may change the line breaks of a text.
        payload = part.payload
        if part.content_type.startswith("text/"):
            text = decode(payload, part.parameters.get("charset", ""))
            payload = "\n".join(line.rstrip() for line in text.splitlines()).rstrip().encode()
        digest.update(payload + b"\0")
    return digest.hexdigest()


def kept_letter(root: Part, letter: Letter, redact: Callable[[str], str]) -> bytes:
    """Return what is kept of a letter that was answered: headers and text as they were read, without passwords.

    There are no parts, pages or attached files, since a mail program can hide a password in them.
    """
    head = [
        f"{name.title()}: {redact(unencoded(value))}"
        for name, values in root.headers.items() if not name.startswith(_OF_BYTES)
        for value in values
    ]  # fmt: skip
    head += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", ""]
    return "".join(f"{line}\n" for line in [*head, *(redact(line.verbatim) for line in letter.lines)]).encode(
        "utf-8", "replace"
    )


def _one_mailbox(root: Part, name: str) -> tuple[str, str]:
    """Return name and address of a field that must hold exactly one; a list of senders (RFC 5322) counts as none."""
    found = [mailbox for value in root.headers.get(name, ()) for mailbox in addresses(value)]
    return found[0] if len(found) == 1 else ("", "")


def _lines(body: list[str], max_lines: int, notes: list[str]) -> tuple[Line, ...]:
    """Cut the lines to size, fold them, give each its kind; drop blank lines at the end."""
    while body and not body[-1].strip():
        body.pop()
    if len(body) > max_lines:
        del body[max_lines:]
        notes.append(f"cut at {max_lines:,} lines")
    if any(len(line) > MAX_LINE for line in body):
        body = [line[:MAX_LINE] for line in body]
        notes.append(f"lines cut at {MAX_LINE:,} characters")
    sorts = kinds(body)
    folded = [fold(line) for line in body]
    doubtful = doubtful_from(folded, sorts)
    return tuple(
        Line(text, kind, "" if (written := clean(source)) == text else written, kind == "text" and number >= doubtful)
        for number, (source, text, kind) in enumerate(zip(body, folded, sorts, strict=True))
    )
