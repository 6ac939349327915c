"""Simulated people, for the demo and for tests, who write to a judge and read its answers.

Here Jo sends a letter with orders and waits for the answer:

    jo.writes("SIGNON Fheron secret", "A PAR - BUR", "SIGNOFF")
    jo.expects(subject="heron", containing="Orders complete")

Letters are real emails, in the forms of several mail programs. A `Post` delivers them.
"""

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import cached_property
from typing import Any, Protocol

POLL = 0.05  # seconds between two checks of an inbox


class Unanswered(AssertionError):
    """Raised if the demo did not get an expected email, or got it too early or with the wrong text.

    If no expected email came, the message quotes the unread ones.
    """


@dataclass(frozen=True)
class ReceivedMail:
    """A mail as it was received, and as a mail program shows it."""

    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The parsed mail."""
        return message_from_bytes(self.raw, policy=policy.default)

    @cached_property
    def subject(self) -> str:
        """The subject, or "" if there is none."""
        return str(self.message["Subject"] or "")

    @cached_property
    def message_id(self) -> str:
        """The Message-ID, or "" if there is none."""
        return str(self.message["Message-ID"] or "").strip()

    @cached_property
    def text(self) -> str:
        """The plain text of the mail, with newlines as line ends."""
        part = self.message.get_body(("plain",))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")

    @cached_property
    def said(self) -> str:
        """The text in lower case and without line breaks, so that tests do not depend on these."""
        return _flat(self.text)

    @property
    def pictures(self) -> dict[str, bytes]:
        """The contents of the pictures in the mail, by file name."""
        # The payload of an image is bytes, but the types of `email` do not say so.
        images = (part for part in self.message.walk() if part.get_content_maintype() == "image")
        return {image.get_filename() or "": image.get_payload(decode=True) for image in images}  # type: ignore[misc]


class Post(Protocol):
    """The delivery of letters to the judge, and of its mails to people."""

    def send(self, raw: bytes, sender: str, to: str) -> None:
        """Send a letter to the judge."""

    def mails(self, address: str) -> Sequence[ReceivedMail]:
        """Return all mails for `address` so far, oldest first."""


@dataclass
class MailUser:
    """A simulated person who writes to the judge.

    `style`, a key of `STYLES`, is the form of their letters.
    """

    name: str
    address: str
    judge: str
    post: Post
    style: str = "plain"
    _read: set[int] = field(default_factory=set, repr=False)

    def writes(self, *lines: str, subject: str = "", answering: ReceivedMail | None = None) -> bytes:
        """Send a letter with these lines, and return it as it was sent.

        If `answering` is given, that mail is quoted after the lines.
        """
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
        if self.style == "html":  # write as many phones do, with non-breaking blanks and dashes for hyphens
            letter.set_content(_markup(text.replace(" - ", " – ")), subtype="html")
        else:
            letter.set_content(text, **STYLES[self.style])
        if self.style == "both":
            letter.add_alternative(_markup(text), subtype="html")
        raw = letter.as_bytes()
        self.post.send(raw, self.address, self.judge)
        return raw

    def expects(self, *, subject: str = "", containing: str | Sequence[str] = (), seconds: float = 60) -> ReceivedMail:
        """Return the first unread mail with these words in its subject and text, ignoring case.

        Raises Unanswered if no such mail arrives in time.
        """
        wanted = [containing] if isinstance(containing, str) else list(containing)
        deadline = time.monotonic() + seconds
        others = set()
        while True:
            for number, mail in self._unread():
                is_meant = number not in others and subject.lower() in mail.subject.lower()
                if is_meant and all(_flat(words) in mail.said for words in wanted):
                    self._read.add(number)
                    return mail
                others.add(number)
            if time.monotonic() > deadline:
                hopes = [f"the subject {subject!r}"] * bool(subject) + [f"the words {words!r}" for words in wanted]
                raise Unanswered(
                    f"{self.name} waited {seconds:g} s for a mail with {' and '.join(hopes) or 'anything at all'}; "
                    f"unread {'is' if self.unread else 'there is nothing'}:\n{_quotation(self.unread)}"
                )
            time.sleep(POLL)

    @property
    def unread(self) -> list[ReceivedMail]:
        """The mails that `expects` has not returned yet."""
        return [mail for _, mail in self._unread()]

    def _unread(self) -> list[tuple[int, ReceivedMail]]:
        mails = enumerate(self.post.mails(self.address))
        return [(number, mail) for number, mail in mails if number not in self._read]


# The arguments of `EmailMessage.set_content` for each form of letters.
STYLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "quoted-printable": {"cte": "quoted-printable"},
    "base64": {"cte": "base64"},
    "latin-1": {"charset": "iso-8859-1", "cte": "8bit"},
    "html": {},
    "both": {},
}


def _markup(text: str) -> str:
    rows = (html.escape(line).replace(" ", "&nbsp;") or "<br>" for line in text.splitlines())
    return "<html><body>" + "".join(f"<div>{row}</div>" for row in rows) + "</body></html>\n"


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def _flat(text: str) -> str:
    return " ".join(text.lower().split())


def _quotation(mails: Sequence[ReceivedMail]) -> str:
    return "\n".join(f"> Subject: {mail.subject}\n{_quoted(mail.text)}" for mail in mails)
