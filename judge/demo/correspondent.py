"""People who write to a judge and read its answers: the demo and the tests of the whole daemon are written with them.

    jo.writes("SIGNON Fheron secret", "A PAR - BUR", "SIGNOFF")
    jo.expects(subject="heron", containing="Orders complete")

Letters are real mails, in the forms that mail programs produce. A `Post` delivers them.
"""

import html
import smtplib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import formatdate, make_msgid
from functools import cached_property
from typing import Protocol

from imapclient import IMAPClient

POLL = 0.05         # seconds between two looks into an inbox


class Unanswered(AssertionError):
    """An expected mail did not come; the message quotes what came instead."""


@dataclass(frozen=True)
class ReceivedMail:
    """A mail as it came, and what a mail program shows of it."""

    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)

    @cached_property
    def header(self) -> EmailMessage:
        """The fields of the header, as in `message`: what most mails are put aside by."""
        header = BytesHeaderParser(policy=policy.default).parsebytes(self.raw.partition(b"\r\n\r\n")[0])
        assert isinstance(header, EmailMessage)
        return header

    @cached_property
    def subject(self) -> str:
        return str(self.header["Subject"] or "")

    @cached_property
    def message_id(self) -> str:
        return str(self.header["Message-ID"] or "").strip()

    @cached_property
    def answered(self) -> str:
        """The Message-ID of the letter that it answers; "" if it answers none."""
        return str(self.header["In-Reply-To"] or "").strip()

    @cached_property
    def text(self) -> str:
        """The plain text part, with plain newlines."""
        part = self.message.get_body(("plain",))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")

    @cached_property
    def said(self) -> str:
        """The text in lower case and without line breaks, since these make no difference to a reader."""
        return _flat(self.text)

    @property
    def pictures(self) -> dict[str, bytes]:
        """{file name: content} of the pictures in it."""
        # The payload of an image is bytes; the types of `email` cannot tell.
        images = (part for part in self.message.walk() if part.get_content_maintype() == "image")
        return {image.get_filename() or "": image.get_payload(decode=True) for image in images}  # type: ignore[misc]


class Post(Protocol):
    """How letters reach the judge, and where its answers can be read."""

    def send(self, raw: bytes, sender: str, to: str) -> None:
        """Sends a letter to the judge."""

    def mails(self, address: str) -> Sequence[ReceivedMail]:
        """All that has come for `address` so far, oldest first."""


@dataclass
class Correspondent:
    """A person with an address who writes to the judge; `style`, a key of `STYLES`, is the mail program's."""

    name: str
    address: str
    judge: str
    post: Post
    style: str = "plain"
    _read: set[int] = field(default_factory=set, repr=False)

    def writes(self, *lines: str, subject: str = "", style: str = "",
               answering: ReceivedMail | None = None) -> bytes:
        """Sends a letter of these lines, with the answered mail quoted below; returns it as it was sent."""
        text = "\n".join(lines) + "\n"
        letter = EmailMessage(policy=policy.SMTP)
        letter["From"] = Address(self.name, addr_spec=self.address)
        letter["To"] = self.judge
        letter["Date"] = formatdate(localtime=True)
        letter["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        if answering is None:
            letter["Subject"] = subject
        else:
            letter["Subject"] = subject or f"Re: {answering.subject}"
            letter["In-Reply-To"] = letter["References"] = answering.message_id
            text += f"\nOn Saturday the judge wrote:\n{_quoted(answering.text)}"
        STYLES[style or self.style](letter, text)
        raw = letter.as_bytes()
        self.post.send(raw, self.address, self.judge)
        return raw

    def expects(self, *, subject: str = "", containing: str | Sequence[str] = (),
                seconds: float = 60) -> ReceivedMail:
        """The first unread mail whose subject and text contain all this, case and line breaks aside; it is read
        then.

        Raises Unanswered when none comes in time.
        """
        wanted = [containing] if isinstance(containing, str) else list(containing)
        deadline = time.monotonic() + seconds
        others: set[int] = set()
        while True:
            for number, mail in self._unread():
                if number not in others and _holds(mail, subject, wanted):
                    self._read.add(number)
                    return mail
                others.add(number)
            if time.monotonic() > deadline:
                raise Unanswered(self._complaint(subject, wanted, seconds))
            time.sleep(POLL)

    def expects_nothing(self, seconds: float = 1) -> None:
        """Checks that no unread mail comes for this long; else raises Unanswered, with what came."""
        time.sleep(seconds)
        if self.unread:
            raise Unanswered(f"{self.name} expected no mail, but there is:\n{_quotation(self.unread)}")

    @property
    def unread(self) -> list[ReceivedMail]:
        return [mail for _, mail in self._unread()]

    def throw_away(self) -> None:
        """Marks all mails that have come so far as read."""
        self._read.update(number for number, _ in self._unread())

    def _unread(self) -> list[tuple[int, ReceivedMail]]:
        mails = enumerate(self.post.mails(self.address))
        return [(number, mail) for number, mail in mails if number not in self._read]

    def _complaint(self, subject: str, containing: Sequence[str], seconds: float) -> str:
        hope = " and ".join(filter(None, [f"the subject {subject!r}" if subject else "",
                                          *(f"the words {words!r}" for words in containing)]))
        return (f"{self.name} waited {seconds:g} s for a mail with {hope or 'anything at all'}; "
                f"unread {'is' if self.unread else 'there is nothing'}:\n{_quotation(self.unread)}")


class MailProgram:
    """The Post of a player at home: letters go out by SMTP, answers are read by IMAP, both unencrypted.

    One instance serves many people; each logs in with the local part of the address and the same password.
    """

    def __init__(self, host: str, smtp_port: int, imap_port: int, password: str) -> None:
        self._host, self._smtp_port, self._imap_port = host, smtp_port, imap_port
        self._password = password
        self._inboxes: dict[str, _Inbox] = {}

    def send(self, raw: bytes, sender: str, to: str) -> None:
        with smtplib.SMTP(self._host, self._smtp_port, local_hostname="localhost", timeout=10) as smtp:
            smtp.sendmail(sender, [to], raw)

    def mails(self, address: str) -> Sequence[ReceivedMail]:
        if address not in self._inboxes:
            client = IMAPClient(self._host, self._imap_port, ssl=False, timeout=10)
            client.login(address.partition("@")[0], self._password)
            client.select_folder("INBOX", readonly=True)
            self._inboxes[address] = _Inbox(client)
        return self._inboxes[address].look()

    def close(self) -> None:
        for inbox in self._inboxes.values():
            inbox.client.logout()
        self._inboxes.clear()


@dataclass
class _Inbox:
    client: IMAPClient
    mails: list[ReceivedMail] = field(default_factory=list)
    last_uid: int = 0

    def look(self) -> list[ReceivedMail]:
        self.client.noop()                  # some servers search only in what they have announced
        new = [uid for uid in self.client.search(["UID", f"{self.last_uid + 1}:*"]) if uid > self.last_uid]
        for uid, parts in sorted(self.client.fetch(new, ["BODY.PEEK[]"]).items()) if new else ():
            self.mails.append(ReceivedMail(parts[b"BODY[]"]))
            self.last_uid = uid
        return self.mails


def _plain(letter: EmailMessage, text: str) -> None:
    letter.set_content(text)


def _quoted_printable(letter: EmailMessage, text: str) -> None:
    letter.set_content(text, cte="quoted-printable")


def _base64(letter: EmailMessage, text: str) -> None:
    letter.set_content(text, cte="base64")


def _latin1(letter: EmailMessage, text: str) -> None:
    letter.set_content(text, charset="iso-8859-1", cte="8bit")


def _html(letter: EmailMessage, text: str) -> None:
    """A letter as many telephones send it: only HTML, non-breaking blanks, a long dash for a hyphen."""
    letter.set_content(_markup(text.replace(" - ", " – ")), subtype="html")


def _both(letter: EmailMessage, text: str) -> None:
    letter.set_content(text)
    letter.add_alternative(_markup(text), subtype="html")


STYLES: dict[str, Callable[[EmailMessage, str], None]] = {
    "plain": _plain, "quoted-printable": _quoted_printable, "base64": _base64, "latin-1": _latin1,
    "html": _html, "both": _both,
}


def _markup(text: str) -> str:
    rows = (html.escape(line).replace(" ", "&nbsp;") or "<br>" for line in text.splitlines())
    return "<html><body>" + "".join(f"<div>{row}</div>" for row in rows) + "</body></html>\n"


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def _holds(mail: ReceivedMail, subject: str, containing: Sequence[str]) -> bool:
    return subject.lower() in mail.subject.lower() and all(_flat(words) in mail.said for words in containing)


def _flat(text: str) -> str:
    return " ".join(text.lower().split())


def _quotation(mails: Sequence[ReceivedMail]) -> str:
    return "\n".join(f"> Subject: {mail.subject}\n{_quoted(mail.text)}" for mail in mails)
