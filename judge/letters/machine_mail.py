"""Letters that machines write: which of them may be carried out or answered, and reports of bounced emails.

An answer to a machine's email can start a mail loop. So a letter with one of the header fields in RFC 3834 §2 gets no
answer. Some of these fields say that a machine wrote the letter, which is then never carried out. Others, of mailing
lists, Exchange and alias services, are also in letters that people write. If such a letter signs on, it is taken for a
person's.

If no field gives an automatic reply away, `is_automatic` recognizes it by its words, in many languages. It recognizes
absence notes, and replies that a mail program writes when its user presses a button.

Bounces are read in the form of RFC 3464, and in the free text of older servers. A bounce blames an address only if no
one can be reached there. Its status is about the mailbox or its domain (RFC 3463), or the server refused the address at
RCPT TO. Refused content proves nothing, since anyone can write such content to a player.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from itertools import chain

from judge.addresses import without_tag
from judge.letters.parsed import MAX_FIELDS, Headers, Part, addresses, header_field, message_ids, words
from judge.letters.words import any_of, tables

MARK = "x-judge"  # the name of a header field in every email that the judge sends

_MACHINE = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|post-?master|double-bounce|majordomo|listserv|bounces?|root"
    r"|(?:do[-_.]?)?not?[-_.]?reply)(?:[-_.+=\d].*)?"
    r"|owner-.*|.*-(?:owner|request|bounces)(?:\+.*)?",
    re.DOTALL,
)
_AUTOMATIC_FIELDS = {"x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponse"}
_REPORTS = {"multipart/report", "message/delivery-status", "message/disposition-notification"}
# Nested comments are removed one level at a time.
_COMMENT = re.compile(r"\([^()]*\)")
_MOST_NESTED = 4
# Values of X-Auto-Response-Suppress that forbid an answer (MS-OXCMAIL 2.1.3.2.20). The other values (DR, NDR, RN, NRN,
# OOF) forbid receipts and absence notes. The judge sends neither, and emails from people have these values too.
_NO_ANSWER_WANTED = {"all", "autoreply"}

_SAID = tables("machine_mail.toml")
_REPLY = any_of(_SAID["replies"])
_BEGINS_AS_REPLY = re.compile(rf"{_REPLY}|auto:|away:", re.IGNORECASE)
# The beginning of the subject of an automatic reply. Only the subject of the answered email may follow it.
_AUTOMATIC_SUBJECT = re.compile(rf"{_REPLY}\s*(?:[:：(\[–-]|$)", re.IGNORECASE)
_PROGRAM_SUBJECT = re.compile(rf"{any_of(_SAID['program_subjects'])}\s{{0,3}}[:：]", re.IGNORECASE)
_REACTS = re.compile(rf" (?!{any_of(_SAID['people'])} )(?:\w+ ){{0,5}}{any_of(_SAID['reactions'])}")
_TAPBACK = re.compile(rf"\s{{0,3}}{any_of(_SAID['tapbacks'])} [\"'“”„«‘]", re.IGNORECASE)


def _phrases(rows: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of the phrases, in a text that `_spaced` returned."""
    return re.compile(f" {any_of(rows)}")


def _pairs(name: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return the pairs `name` in machine_mail.toml. A pair is the subject and the verb of a sentence."""
    return tuple((_phrases(pair["who"]), _phrases(pair["what"])) for pair in _SAID[name])


_SUBJECTS, _ON_HOLIDAY, _MORE = _phrases(_SAID["subjects"]), _phrases(_SAID["on_holiday"]), _phrases(_SAID["more"])
_CERTAIN = (
    _phrases(_SAID["notes"]),
    _phrases(_SAID["of_programs"]),
    re.compile(any_of(_SAID["notes_without_blanks"])),
)
_CERTAIN_PAIRS, _AWAY = (*_pairs("pairs_of_programs"), *_pairs("of_oneself")), _pairs("away")
_REACHED_AT = re.compile(r"[^\s@]@[^\s@]|\d[\d ()/-]{7,20}\d")
_REACTION = "text/vnd.google.email-reaction+json"
_CALENDARS = {"text/calendar", "application/ics"}
_ANSWERS = {"reply", "counter", "declinecounter", "refresh"}
_METHOD = re.compile(rb"^METHOD:(\w{1,20})", re.IGNORECASE | re.MULTILINE)
_DOT = "\u0307"
_SENTENCE_ENDS = re.compile(r"(?<!\d)[.!?\u3002]")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
# The numbers of lines and of characters at the beginning of a letter that are searched. An absence note is short.
_MOST_LINES, _LONGEST = 20, 2_000

# --- bounces ---

# The number of bytes of a part that are searched for fields and Message-IDs.
_MOST = 65_536
_MOST_IDS = 10
_EMPTY_LINE = re.compile(r"\n\r?\n")
_MESSAGE_ID = re.compile(r"^[ \t>]*Message-ID:\s{0,5}(<[^<>\s]{1,250}>)", re.I | re.M)
_RETURN_PATH = re.compile(r"^Return-Path:(.*)$", re.I | re.M)
# Where the returned email begins in a free-text report. The text after this is not the mail server's own.
_MAIL_BEGINS = re.compile(r"^[ \t>]*(?:Received|Return-Path|From|To|Subject|Date|Message-ID|X-Judge):", re.I | re.M)
# Matches status codes of RFC 3463, but no parts of an IP address.
_STATUS = re.compile(r"(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)")
# Status codes that blame the address. The mailbox or domain does not exist, is disabled, or has no host that answers.
# But 5.1.7 and 5.1.8 are about the sender.
_OF_ADDRESS = re.compile(r"5\.1\.(?![78]$)\d+|5\.2\.1|5\.4\.1")
# Status codes that do not blame the address. The mailbox is full, which anyone can cause, or the email was too long
# (5.2.2, 5.2.3). Other codes mean that the server refused the email. The reason is its size or the server's rules
# (5.3), its content (5.6), or that it is junk (5.7).
_OF_MAIL = re.compile(r"5\.2\.[23]|5\.[367]\.\d+")
# A phrase of Postfix, Exim and qmail. The phrase says that the address was refused before the email was sent.
_AT_RCPT = re.compile(r"\bRCPT TO\b", re.I)
# The subjects of bounces from programs that do not write RFC 3464.
_FAILURE = re.compile(any_of(_SAID["failures"]), re.IGNORECASE)


def ignore_reason(letter: Part, sender: str, own_addresses: frozenset[str]) -> tuple[str, bool]:
    """Return why a letter must not be answered, or "" if it may be, and whether it is automatic.

    An automatic letter must not be carried out either, even if it signs on.
    """
    automatic = _automatic(letter, sender, own_addresses)
    return (automatic, True) if automatic else (bulk_mark(letter) or _button(letter), False)


def _button(letter: Part) -> str:
    """Return which button of a mail program has made the letter, judging by its parts, or "" if none has."""
    for part in letter.own_parts():
        disposition, _ = header_field(part.header("content-disposition"))
        if part.content_type == _REACTION or disposition == "reaction":
            return "reaction to an email"
        if part.content_type in _CALENDARS:
            written = _METHOD.search(part.payload[:_MOST])
            method = written[1].decode() if written else part.parameters.get("method", "")
            if method.lower() in _ANSWERS:
                return "answer to an invitation"
    return ""


def _automatic(letter: Part, sender: str, own_addresses: frozenset[str]) -> str:
    """Return the evidence that a machine wrote the letter or may have written it, or "" if there is none."""
    # The judge's own address may have a tag, as in the return path of its emails.
    if MARK in letter.headers or {sender, without_tag(sender)} & own_addresses:
        return "our own mail"
    if said := _said_by_header(letter.headers):
        return said
    if letter.fields >= MAX_FIELDS:
        return "too many header fields to tell whether a program wrote it"
    if not sender:
        return "no usable sender"
    if _MACHINE.fullmatch(sender.rpartition("@")[0]):
        return f"a machine's address ({sender})"
    if _AUTOMATIC_SUBJECT.match(words(letter.header("subject")).strip()):
        return "auto-reply (its subject)"
    return ""


def _said_by_header(headers: Headers) -> str:
    """Return the kind of automatic letter that the header declares, or "" if it declares none."""
    if _first_words(headers, "auto-submitted") - {"", "no"}:
        return "auto-reply (Auto-Submitted)"
    if headers.keys() & _AUTOMATIC_FIELDS or _first_words(headers, "precedence") & {"auto_reply", "auto-reply"}:
        return "auto-reply"
    if _first_words(headers, "content-type") & _REPORTS:
        return "bounce or receipt"
    paths = (_bare(value).replace(" ", "") for value in headers.get("return-path", ()))
    return "bounce (empty Return-Path)" if "<>" in paths else ""


def bulk_mark(letter: Part) -> str:
    """Return which header field shows that a letter went to many people or wants no answer, or ""."""
    headers = letter.headers
    if precedence := _first_words(headers, "precedence") & {"bulk", "junk", "list"}:
        return f"bulk mail (Precedence: {precedence.pop()})"
    if not headers.keys().isdisjoint(_SAID["list_fields"]):
        return "mailing list"
    suppressed = _bare(",".join(headers.get("x-auto-response-suppress", ()))).lower().split(",")
    if {word.strip() for word in suppressed} & _NO_ANSWER_WANTED:
        return "auto-reply (X-Auto-Response-Suppress)"
    return ""


def _first_words(headers: Headers, name: str) -> set[str]:
    """Return the first word of each field called `name`, in lowercase, without comments and parameters."""
    values = (_bare(value).partition(";")[0].lower().split() for value in headers.get(name, ()))
    return {words[0] if words else "" for words in values}


def _bare(value: str) -> str:
    """Remove the comments from a field (RFC 5322, 3.2.2)."""
    for _ in range(_MOST_NESTED):
        value = _COMMENT.sub("", value)
    return value


def is_automatic(subject: str, lines: Sequence[str]) -> bool:
    """Return whether a letter with the `subject` and the sender's `lines` reads like an automatic reply."""
    begins = subject.strip("[( ")
    if _BEGINS_AS_REPLY.match(begins) or _PROGRAM_SUBJECT.match(begins) or _SUBJECTS.match(_spaced(subject)):
        return True
    shown = [line for line in lines if line.strip()][:_MOST_LINES]
    if any(_TAPBACK.match(line) or _REACTS.match(_spaced(line[:_LONGEST])) for line in shown):
        return True
    return _is_note(" ".join(shown)[:_LONGEST])


def _is_note(text: str) -> bool:
    """Return whether a program wrote the text, or the text is the note of someone who is away."""
    said = _spaced(text)
    if any(phrase.search(said) for phrase in _CERTAIN):
        return True
    sentences = [_spaced(sentence) for sentence in _SENTENCE_ENDS.split(text)]

    def says(pairs: Iterable[tuple[re.Pattern[str], re.Pattern[str]]]) -> bool:
        return any(who.search(sentence) and what.search(sentence) for sentence in sentences for who, what in pairs)

    if says(_CERTAIN_PAIRS):
        return True
    if not _MORE.search(said) and not _REACHED_AT.search(text):
        return False
    return says(_AWAY) or _ON_HOLIDAY.search(said) is not None


def _spaced(text: str) -> str:
    """Put a blank around each word, in lowercase, without the dot that a Turkish capital leaves."""
    return f" {_BETWEEN_WORDS.sub(' ', text.casefold().replace(_DOT, '')).strip()} "


# --- bounces ---


@dataclass(frozen=True)
class Report:
    """A report that an email could not be delivered.

    `sent_to` has the addresses that the report came to, and the return paths of the emails in it. `message_ids` has the
    Message-IDs of these emails. `reason` has the other server's words, or is "". `blames_address` is true if no one can
    be reached at the address.
    """

    sent_to: tuple[str, ...]
    message_ids: tuple[str, ...]
    reason: str
    blames_address: bool


def blames_address(said: str, *, at_rcpt: bool) -> bool:
    """Return whether the text of a refusal says that no one can be reached at the address.

    `at_rcpt` is true if the address was refused before the email was sent.
    """
    statuses = _STATUS.findall(said)
    if any(map(_OF_MAIL.fullmatch, statuses)):
        return False
    return at_rcpt or any(map(_OF_ADDRESS.fullmatch, statuses))


def report_of(root: Part, silent: str) -> Report | None:
    """Return the report in a letter if it says that an email is undeliverable, else None.

    `silent` says why the letter is never answered.
    """
    statuses = _texts(root, "message/delivery-status")
    # The mail server's own text for people, above the returned email.
    own = _MAIL_BEGINS.split("".join(_texts(root, "text/plain")[:1]), 1)[0]
    outcomes = []
    if statuses:
        outcomes = list(_outcomes("\n\n".join(statuses)))
    elif silent.startswith(("bounce", "a machine's")) and _FAILURE.search(words(root.header("subject"))):
        reason = next(filter(_STATUS.search, own.splitlines()), "")
        outcomes = [(own, " ".join(reason.split()))]
    failures = list(filter(None, outcomes))
    if not failures:
        return None
    at_rcpt = _AT_RCPT.search(own) is not None
    are_blamed = [blames_address(said, at_rcpt=at_rcpt) for said, _ in failures]
    _, *returned = root.walk()
    cited = list(chain.from_iterable(map(_cited, returned)))
    if not cited and not statuses:
        cited = _MESSAGE_ID.findall(_text(root))
    blames = all(are_blamed) and len(failures) == len(outcomes)
    return Report(_sent_to(root, returned), tuple(dict.fromkeys(cited))[:_MOST_IDS], failures[0][1], blames)


def _texts(root: Part, content_type: str) -> list[str]:
    return [_text(part) for part in root.walk() if part.content_type == content_type]


def _sent_to(root: Part, returned: Iterable[Part]) -> tuple[str, ...]:
    """Return the addresses that a report came to, and the return paths of the emails it returns.

    A provider may give an email another Message-ID, and deliver its report to an alias. The return path does not
    change.
    """
    named = (root.headers.get(name, ()) for name in ("delivered-to", "x-original-to", "envelope-to", "to"))
    values = chain(*named, *map(_return_paths, returned))
    mailboxes = (mailbox for value in values for mailbox in addresses(value))
    return tuple(dict.fromkeys(address for _, address in mailboxes if address))


def _values(group: Message, name: str) -> list[str]:
    return [" ".join(value.split()) for value in group.get_all(name, [])]


def _outcomes(status: str) -> Iterator[tuple[str, str] | None]:
    """Yield for each recipient the text of the failure and the words to show to people.

    Yield None for a recipient to whom the email was delivered, or for whom it is only delayed.
    """
    for group in map(message_from_string, _EMPTY_LINE.split(status)):
        actions, states, said = _values(group, "action"), _values(group, "status"), _values(group, "diagnostic-code")
        is_permanent = any(state.startswith("5") for state in states)
        if "failed" in map(str.lower, actions) or (is_permanent and not actions):
            shown = [*said, *states, ""][0]
            yield " ".join([*said, *states]), shown.partition(";")[2].strip() or shown
        elif actions or states or said:
            yield None


def _cited(part: Part) -> list[str]:
    """Return the Message-ID of the returned email, even if only the header of that email was returned."""
    if part.content_type == "message/rfc822" and part.parts:
        return message_ids(part.parts[0].header("message-id"))[:1]
    if part.content_type in ("text/rfc822-headers", "message/global", "message/global-headers"):
        return _MESSAGE_ID.findall(_text(part))[:1]
    return []


def _return_paths(part: Part) -> Sequence[str]:
    """Return the return path of a returned email, even if only the header of that email was returned."""
    if part.content_type == "message/rfc822" and part.parts:
        return part.parts[0].headers.get("return-path", ())
    return _RETURN_PATH.findall(_text(part)) if part.content_type == "text/rfc822-headers" else ()


def _text(part: Part) -> str:
    return part.payload[:_MOST].decode("latin-1")
