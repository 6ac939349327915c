"""Who may know what of a gunboat game with Diplomacy Points; and a search of all that leaves the judge, for all of it.

RULES is the rule. A secret is marked by words that nothing else holds, all beginning with STEM, or by phrases that
tell it: `Search.leaks` names each mark in a mail whose reader may not know it, `Search.untold` each secret that nobody
was told who may be.
"""

import codecs
import hashlib
import html
import json
import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from enum import Enum, auto
from functools import cache
from typing import Any

from judge.maps.draw import page
from judge.maps.geometry import load_geometry
from judge.maps.scene import read_scene

# How every word begins that marks a secret.
STEM = "zyqx"


class Who(Enum):
    """Who may know a secret."""

    OWNER = auto()  # whose it is: the person, or the players of a power
    READERS = auto()  # to whom it was written
    MASTERS = auto()
    IDLE_MASTERS = auto()  # masters who do not play in the game
    KEEPER = auto()  # who runs the judge
    EVERYBODY = auto()


@dataclass(frozen=True)
class Rule:
    """Who may know it at once, and who later; `told`: whether any of them is really mailed it."""

    at_once: frozenset[Who] = frozenset()
    later: frozenset[Who] = frozenset()
    told: bool = True


def _rule(*at_once: Who, later: Sequence[Who] = (), told: bool = True) -> Rule:
    return Rule(frozenset(at_once), frozenset(later), told)


RULES = {
    # A password that somebody has chosen is never repeated, not to themselves either, whatever letter it stood in.
    "a password": _rule(told=False),
    # One that the judge has made, and a word that proves who somebody is, is for whom it was made.
    "a made password": _rule(Who.OWNER),
    "a token": _rule(Who.OWNER),
    # Who plays: the masters know it, all others when the game has ended, but only the names.
    "the name of a player": _rule(Who.OWNER, Who.MASTERS, Who.KEEPER, later=[Who.EVERYBODY]),
    "an address": _rule(Who.OWNER, Who.MASTERS, Who.KEEPER),
    "the name of an observer": _rule(Who.OWNER, Who.MASTERS, later=[Who.EVERYBODY]),
    "the name of a master": _rule(Who.EVERYBODY),
    "the name of an observer who becomes a master": _rule(Who.OWNER, Who.MASTERS, later=[Who.EVERYBODY]),
    # The time zone is told to whom it belongs; the mail program, the signature, the Message-ID of a letter to nobody
    # else either. A reply repeats the subject and the Message-ID.
    "a time zone": _rule(Who.OWNER),
    "the time zone of the game": _rule(Who.EVERYBODY),
    "a subject": _rule(Who.OWNER),
    "a Message-ID": _rule(Who.OWNER),
    "what a mail program has put there": _rule(told=False),
    # Press: whom it was written to. What observers got anybody may read who was not left out.
    "press": _rule(Who.OWNER, Who.READERS),
    "press to observers": _rule(Who.OWNER, Who.READERS, later=[Who.EVERYBODY]),
    "press that is not carried": _rule(told=False),
    # Who wrote grey press.
    "the sender of grey press": _rule(Who.OWNER, Who.MASTERS),
    # Orders: all see them in the results, those that were taken back nobody; masters who play no others.
    "an order on file": _rule(Who.OWNER, Who.IDLE_MASTERS, later=[Who.EVERYBODY]),
    "an order taken back": _rule(Who.OWNER, Who.IDLE_MASTERS),
    # Bids: never of any other player, whether they won or not; of masters who play when the game is over.
    "a bid": _rule(Who.OWNER, Who.IDLE_MASTERS, later=[Who.MASTERS]),
    "a bid taken back": _rule(Who.OWNER, Who.IDLE_MASTERS),
    "a vote": _rule(Who.OWNER),
    "a wish": _rule(Who.OWNER),
    # An absence is told to masters, who settle who stands in, and to all where a deadline was moved because of it.
    "an absence": _rule(Who.OWNER, Who.MASTERS, later=[Who.EVERYBODY]),
}


@dataclass(frozen=True)
class Secret:
    """What is to be kept: its kind in RULES, the marks by which it is known, its owners and readers by name.

    `later_from`: from when on those may know it who may later; None: they never may.
    """

    kind: str
    marks: tuple[str, ...]
    owners: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    later_from: datetime | None = None


@dataclass(frozen=True)
class Sent:
    """A mail as its reader has it: to whom (by name), when it was written, its bytes, the scene of its picture."""

    reader: str
    at: datetime
    raw: bytes
    scene: dict[str, Any] | None = None


@dataclass(frozen=True)
class Found:
    """A mark in a mail, and the secrets that it marks."""

    mail: Sent
    mark: str
    about: tuple[Secret, ...]

    def __str__(self) -> str:
        kinds = " or ".join(sorted({secret.kind for secret in self.about})) or "no secret that was noted"
        mail = self.mail
        return f"{self.mark!r} ({kinds}) in a mail to {mail.reader} of {mail.at}:\n{_plainly(mail.raw)}"


@dataclass
class Search:
    """The secrets of a game; who is its master since when, and which of them play in it."""

    secrets: list[Secret] = field(default_factory=list)
    masters: dict[str, datetime] = field(default_factory=dict)
    playing: set[str] = field(default_factory=set)

    def keep(self, kind: str, *marks: str, **about: Any) -> None:
        """Note a secret: `owners` and `readers` are names."""
        owners, readers = (frozenset(about.pop(name, ())) for name in ("owners", "readers"))
        self.secrets.append(Secret(kind, tuple(_plain(mark) for mark in marks), owners, readers, **about))

    def open(self, *kinds: str, at: datetime) -> None:
        """From then on those may know all secrets of these kinds, as far as they are noted, who may later."""
        self.secrets = [
            replace(secret, later_from=at) if secret.kind in kinds and not secret.later_from else secret
            for secret in self.secrets
        ]

    def may_know(self, secret: Secret, reader: str, at: datetime) -> bool:
        """Whether `reader` may know the secret in a mail that was written then."""
        rule, who = RULES[secret.kind], {Who.EVERYBODY}
        who |= {Who.OWNER} if reader in secret.owners else set()
        who |= {Who.READERS} if reader in secret.readers else set()
        who |= {Who.KEEPER} if reader == "keeper" else set()
        if self.masters.get(reader, at) <= at and reader in self.masters:
            who |= {Who.MASTERS} | (set() if reader in self.playing else {Who.IDLE_MASTERS})
        later = rule.later if secret.later_from and at >= secret.later_from else frozenset()
        return bool((rule.at_once | later) & who)

    def read(self, mails: Iterable[Sent]) -> list[Found]:
        """Every mark in every mail."""
        return [Found(mail, mark, tuple(self._marked(mark))) for mail in mails for mark in sorted(self._marks_in(mail))]

    def leaks(self, found: Iterable[Found]) -> list[str]:
        """Each mark in a mail whose reader may not know what it marks, as a sentence; and marks that mark nothing."""
        return [str(one) for one in found if not any(self._is_rightful(one, secret) for secret in one.about)]

    def untold(self, found: Iterable[Found]) -> list[Secret]:
        """Secrets that nobody was mailed, though somebody should have been: the search may be blind to them."""
        told = {secret for one in found for secret in one.about if self._is_rightful(one, secret)}
        return [secret for secret in self.secrets if RULES[secret.kind].told and secret not in told]

    def _is_rightful(self, found: Found, secret: Secret) -> bool:
        return self.may_know(secret, found.mail.reader, found.mail.at)

    def found_in(self, data: bytes) -> set[str]:
        """The marks in any bytes, whatever they are: a letter, a log, a database."""
        return self._phrases_in(data) | _words_in(data)

    def marks(self, *kinds: str) -> set[str]:
        """All marks of these kinds of secrets."""
        return {mark for secret in self.secrets if secret.kind in kinds for mark in secret.marks}

    def _marked(self, mark: str) -> list[Secret]:
        return [secret for secret in self.secrets if mark in secret.marks]

    def _marks_in(self, mail: Sent) -> set[str]:
        """In its header, in its body, in its picture: each apart, since many mails differ only in their header."""
        head, _, body = DRAWN.sub(b"", mail.raw).partition(_BLANK_LINE)  # dice may write a time zone, `-0930`
        fields = re.sub(rb"\r\n[ \t]+", b" ", head).split(b"\r\n")
        about = b"\r\n".join(line for line in fields if line.lower().startswith((b"content-", b"mime-")))
        found = self.found_in(head + _BLANK_LINE) | self.found_in(about + _BLANK_LINE + body)
        return found | self.found_in(drawn(mail.scene))

    def _phrases_in(self, data: bytes) -> set[str]:
        return set(_among(self._phrases, _text(data)))

    @property
    def _phrases(self) -> frozenset[str]:
        return frozenset(mark for secret in self.secrets for mark in secret.marks if not mark.startswith(STEM))


_BLANK_LINE = b"\r\n\r\n"


@cache
def _text(data: bytes) -> str:
    return "\n".join({_plain(layer) for layer in layers(data)})


@cache
def _among(phrases: frozenset[str], text: str) -> frozenset[str]:
    return frozenset(phrase for phrase in phrases if phrase in text)


@cache
def _words_in(data: bytes) -> frozenset[str]:
    """All words with the stem, also those that mark nothing; and what looks like one that is encoded once more."""
    return frozenset(re.findall(rf"{STEM}[a-z0-9]*", _text(data)))


def _plain(text: str) -> str:
    """As marks are compared: in one case, on one line, no matter where lines were broken."""
    return " ".join(text.casefold().split())


def layers(data: bytes) -> Iterator[str]:
    """A mail, or any bytes, in all the ways in which a reader may see them: as they are, and whatever is encoded."""
    whole = data.replace(b"=\r\n", b"")  # where quoted-printable breaks a line, half a word would be another one
    yield whole.decode("latin-1")
    yield whole.replace(b"\0", b"").decode("latin-1")  # text of two bytes a character
    for text in _read(message_from_bytes(data, policy=policy.compat32)):
        yield text
        # Base64 of a transfer encoding is undone by now: what is left was hidden.
        if encoded := _ENCODED.search(text):
            yield f"{STEM}encoded{encoded[0]}"


def _read(message: Message) -> Iterator[str]:
    for part in message.walk():
        for name, value in part.items():
            yield f"{name}: {make_header(decode_header(str(value)))}"
        yield f"{part.preamble or ''}\n{part.epilogue or ''}"
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes):
            continue
        yield payload.decode("latin-1")
        yield payload.replace(b"\0", b"").decode("latin-1")
        text = payload.decode(_codec(part), "replace")
        yield text
        if part.get_content_type() in ("text/html", "image/svg+xml"):
            # Cells and paragraphs part words; what is only emphasized, or linked, does not.
            apart = re.sub(r"</?(?:td|th|tr|li|p|div|br|h\d|table|ul|pre)\b[^<>]*>", " ", text)
            yield html.unescape(re.sub(r"<[^<>]*>", "", apart))
        if payload.startswith(b"\x89PNG"):
            yield from _png_texts(payload)


def _codec(part: Message) -> str:
    named = str(part.get_content_charset("utf-8"))
    try:
        return codecs.lookup(named).name
    except LookupError:
        return "utf-8"


def _png_texts(picture: bytes) -> Iterator[str]:
    """The text chunks of a PNG (tEXt, zTXt, iTXt, eXIf), unpacked."""
    at = 8
    while at + 8 <= len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        data = picture[at + 8 : at + 8 + length]
        at += length + 12
        if kind in (b"tEXt", b"iTXt", b"eXIf", b"zTXt"):
            yield data.decode("latin-1")
            packed = data.partition(b"\0")[2].lstrip(b"\0\1")
            try:
                yield zlib.decompress(packed).decode("latin-1")
            except zlib.error:
                continue


def drawn(scene: dict[str, Any] | None) -> bytes:
    """All that a scene shows, in words and lines; orders on file that are drawn also as they are written."""
    if not scene:
        return b""
    return _drawn(json.dumps(scene)) + json.dumps(scene.get("orders", {})).encode()


@cache
def _drawn(scene: str) -> bytes:
    told = json.loads(scene)
    drawn = page(read_scene(told), load_geometry(told["variant"]), "svg")
    assert drawn
    return drawn.svg.encode()


def _encodings(word: str) -> Iterator[str]:
    """How base64, in each of its three alignments, and hexadecimal digits write what begins with `word`."""
    for before in range(3):
        whole = b64encode(b"\0" * before + word.encode()).decode()
        yield whole[(0, 2, 3)[before] : (before + len(word)) * 8 // 6]
    yield word.encode().hex()


# The end of a Message-ID, and what is made of it: the boundaries between text and page, and before data.
DRAWN = re.compile(
    rb"[0-9a-f]{20}(?=(?:\.itself)?@example)|(?:(?<=alternative-)|(?<=related-)|(?<=mixed-))[0-9a-f]{24}"
)
_ENCODED = re.compile("|".join({re.escape(one) for word in (STEM, STEM.title()) for one in _encodings(word)}))


def digests(text: str) -> list[str]:
    """What programs write in place of an address: the beginnings of its usual digests."""
    return [hashlib.new(kind, text.encode()).hexdigest()[:16] for kind in ("md5", "sha1", "sha256")]


def _plainly(raw: bytes) -> str:
    head, _, body = raw.partition(b"\r\n\r\n")
    message = message_from_bytes(raw)
    text = next(part for part in message.walk() if not part.is_multipart()).get_payload(decode=True)
    return f"{head.decode('latin-1')}\n\n{(text if isinstance(text, bytes) else body).decode('utf-8', 'replace')}"
