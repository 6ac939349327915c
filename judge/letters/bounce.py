"""Bounces, as RFC 3464 has them and the older ones in free text: which mail came back, and whose fault that is.

A bounce blames an address only if it says that no one can be reached there: by a status about the mailbox or its domain
(RFC 3463), or because the address was refused before the mail was sent (RCPT TO). Anyone who can write to a player can
cause a mail to be refused for its content.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string

from judge.letters import headers as fields
from judge.letters.parsed import Part

# Bytes of a part in which fields and Message-IDs are looked for.
_MOST = 65_536
_MOST_IDS = 10
_BLANK_LINE = re.compile(r"\n\r?\n")
_MESSAGE_ID = re.compile(r"^[ \t>]*Message-ID:\s{0,5}(<[^<>\s]{1,250}>)", re.I | re.M)
# The beginning of the returned mail in a report of free text: what follows is not the mail server's.
_MAIL_BEGINS = re.compile(r"^[ \t>]*(?:Received|Return-Path|From|To|Subject|Date|Message-ID|X-Judge):", re.I | re.M)
# Status codes of RFC 3463; not a part of an IP address.
_STATUS = re.compile(r"(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)")
# There is no such mailbox or domain (5.1.7 and 5.1.8 are about the sender), it is disabled, or no host answers for it.
_OF_ADDRESS = re.compile(r"5\.1\.(?![78]$)\d+|5\.2\.1|5\.4\.1")
# The mail was refused: because the mailbox is full, which anyone can cause, or for its length (5.2.2, 5.2.3), by the
# system's rules or its size (5.3), for its content (5.6), by policy or as junk (5.7).
_OF_MAIL = re.compile(r"5\.2\.[23]|5\.[367]\.\d+")
# Postfix, Exim and qmail say so if the address was refused before they sent the mail.
_AT_RCPT = re.compile(r"\bRCPT TO\b", re.I)
# The subjects of programs that do not write RFC 3464.
_FAILURE = re.compile(
    r"undeliver|returned mail|failure notice|delivery (?:status notification \(failure\)|fail|has failed)|"
    r"mail delivery failed|could not be delivered|unzustellbar|non remis|onbestelbaar|no se puede entregar",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Report:
    """A report of a failure.

    sent_to: the addresses that it came to. message_ids: the mails that it cites. reason: the other server's words, or
    "". blames_address: no one can be reached at the address.
    """

    sent_to: tuple[str, ...]
    message_ids: tuple[str, ...]
    reason: str
    blames_address: bool


def blames_address(said: str, *, at_rcpt: bool) -> bool:
    """Whether a refusal in these words means that no one can be reached at the address.

    at_rcpt: the address was refused, before the mail was sent.
    """
    statuses = _STATUS.findall(said)
    if any(map(_OF_MAIL.fullmatch, statuses)):
        return False
    return at_rcpt or any(map(_OF_ADDRESS.fullmatch, statuses))


def report_of(root: Part, silent: str) -> Report | None:
    """Return the report in a letter, if it says that a mail is undeliverable; `silent`: why it is never answered."""
    statuses = [part for part in root.walk() if part.content_type == "message/delivery-status"]
    if statuses:
        failures = list(_failures("\n\n".join(map(_text, statuses))))
        if not any(said is not None for said, _ in failures):
            return None
        reason = next(shown for said, shown in failures if said is not None)
        at_rcpt = bool(_AT_RCPT.search(_own_words(root)))
        blamed = all(said is not None and blames_address(said, at_rcpt=at_rcpt) for said, _ in failures)
    elif silent.startswith(("bounce", "a machine's")) and _FAILURE.search(fields.words(root.header("subject"))):
        own = _own_words(root)
        reason = next((" ".join(line.split()) for line in own.splitlines() if _STATUS.search(line)), "")
        blamed = blames_address(own, at_rcpt=bool(_AT_RCPT.search(own)))
    else:
        return None
    cited = [found for part in root.walk() if part is not root for found in _cited(part)]
    if not cited and not statuses:
        cited = _MESSAGE_ID.findall(_text(root))
    return Report(_sent_to(root), tuple(dict.fromkeys(cited))[:_MOST_IDS], reason, blamed)


def _failures(status: str) -> Iterator[tuple[str | None, str]]:
    """Yield for each recipient all that is said of the failure, and the words to show.

    The first is None if it has not failed, but the mail is delayed, or was delivered.
    """
    for group in map(message_from_string, _BLANK_LINE.split(status)):
        actions, states, said = (
            [" ".join(value.split()) for value in group.get_all(name, [])]
            for name in ("action", "status", "diagnostic-code")
        )
        if "failed" in map(str.lower, actions) or not actions and any(state.startswith("5") for state in states):
            shown = [*said, *states, ""][0]
            yield " ".join([*said, *states]), shown.partition(";")[2].strip() or shown
        elif actions or states or said:
            yield None, ""


def _own_words(root: Part) -> str:
    """Return what the mail server has written itself, for people: the text above the returned mail."""
    text = next((_text(part) for part in root.walk() if part.content_type == "text/plain"), "")
    ends = _MAIL_BEGINS.search(text)
    return text[: ends.start()] if ends else text


def _cited(part: Part) -> list[str]:
    """Return the Message-ID of the returned mail, or of its header if only that came back."""
    if part.content_type == "message/rfc822" and part.parts:
        return fields.message_ids(part.parts[0].header("message-id"))[:1]
    if part.content_type in ("text/rfc822-headers", "message/global", "message/global-headers"):
        return _MESSAGE_ID.findall(_text(part))[:1]
    return []


def _sent_to(root: Part) -> tuple[str, ...]:
    """Return the addresses to which a report came."""
    named = ("delivered-to", "x-original-to", "envelope-to", "to")
    mailboxes = [fields.addresses(value) for name in named for value in root.headers.get(name, ())]
    return tuple(dict.fromkeys(address for found in mailboxes for _, address in found if address))


def _text(part: Part) -> str:
    return part.payload[:_MOST].decode("latin-1")
