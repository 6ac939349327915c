"""Writes mails: fills a template with its context, composes the bytes, and puts the mail into the outbox.

Nothing is sent here: the mail is stored in the transaction of the event that it reports, and sent later.

A mail has headers of ours, a plain text that any mail program can show, the same text as HTML unless that is off (RFC
2046, 5.1.4: the plainest part comes first), and attached files. No text from outside (names, subjects, Message-IDs of
letters) can add a field or a line to the header: each is normalized here, and the standard library refuses to write a
value that would begin another field.
"""

import html
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.header import Header
from email.message import Message
from email.utils import format_datetime, quote
from pathlib import Path

from markupsafe import Markup
from sqlmodel import Session

from judge.addresses import normal
from judge.draws import MARK_BYTES, Draws, Purpose, derived
from judge.letters import Letter
from judge.letters.parsed import in_references
from judge.letters.words import without_prefixes
from judge.mails.blocks import Written, marked
from judge.mails.languages import Languages
from judge.mails.pages import in_ascii, page_of
from judge.mails.parts import HTML, NO_PAGES, POLICY, TEXT, filled, named, text_part
from judge.mails.templates import Texts
from judge.store import outbox
from judge.store.outbox import Composed
from judge.store.states import MailKind
from judge.store.tables import Game, Phase

# The most characters of news in one digest.
MOST_GATHERED = 60_000
MAX_SUBJECT = 200
# The most Message-IDs that place a mail in its thread; the first Message-ID is the thread's root.
MAX_REFERENCES = 12
# Bytes in a return tag.
_TAG_BYTES = 10

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_NOT_ATOM = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Letterhead:
    """The sender of all mails: the judge's code (four letters) and its address."""

    code: str
    address: str

    @property
    def domain(self) -> str:
        """The domain of every Message-ID that the judge makes."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True)
class Due:
    """The time at which orders are due; `phase`: the phase in words; `cancelled`: there is no longer a deadline."""

    phase: str
    at: datetime
    cancelled: bool = False


@dataclass(frozen=True)
class DataFile:
    """A JSON text for programs, and the name of its file."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The content of a mail and its recipient; with a `letter` it is the reply to it, else a notice.

    `subject`: the subject of a notice, without the judge's code; `prefix`: a text before that code. `threaded`: all
    mails about the game to this reader have one subject, since some programs group conversations by subject alone.
    `until`: the time of the digest that may include this mail. `game`, `phase`: the subject matter of the mail, if it
    is about a game; a notice about a phase is not sent before the phase has opened. `plain`: its reader wants no HTML,
    not even for pictures. `secret`: generated passwords and tokens in the mail, masked once it was sent. `picture_id`:
    the picture in the mail. `due`: the deadline of the game, for a reader who wants it in a calendar. `data`: the
    content as JSON, for a reader who wants it. `press_id`: the press message in the mail. `unsubscribe`: the command
    that ends such mails, for the mail program's own button (RFC 2369, 3.2).
    """

    to: str
    kind: MailKind
    subject: str = ""
    body: str
    prefix: str = ""
    threaded: bool = False
    until: datetime | None = None
    letter: Letter | None = None
    letter_id: int | None = None
    game: Game | None = None
    phase: Phase | None = None
    plain: bool = False
    secret: str | None = None
    picture_id: int | None = None
    due: Due | None = None
    data: Sequence[DataFile] = ()
    press_id: int | None = None
    unsubscribe: str = ""

    @property
    def first(self) -> str:
        """The first paragraph."""
        return self.body.partition("\n\n")[0]


class MailWriter:
    """Writes mails with one letterhead, and with the keeper's own templates if there are any."""

    def __init__(self, head: Letterhead, templates: Path | None = None, key: bytes = b"", html: bool = True):
        """Prepare to write mails from `head`.

        `templates`: the folder of the keeper's templates. `key`: the judge's secret key, from which Message-IDs are
        derived. `html`: whether mails have HTML as well as text.
        """
        self._head = head
        self._html = html
        self._key = key
        self._texts = Texts(templates)

    def render(self, template: str, zone: str, **context: object) -> Written:
        """Render the text of a template for a reader in `zone`."""
        return self._texts.render(template, judge=self._head, zone=zone, **context)

    def languages(self) -> Languages:
        """The languages of first letters, by name."""
        return self._texts.languages()

    def web_page(self, template: str, zone: str, **context: object) -> Markup:
        """Render a page of the public website, even if mails have no HTML."""
        return self._texts.page(template, judge=self._head, zone=zone, **context)

    def write(
        self, session: Session, mails: Sequence[Draft], now: datetime, draws: Draws | None = None,
        handled_at: datetime | None = None,
    ) -> None:  # fmt: skip
        """Put the mails into the outbox. Raises ValueError if no mail can be sent to one of the addresses `to`.

        `now`: the time of the event that the mails report. `draws`: the source of Message-IDs. `handled_at`: the time
        at which they are written, if that is not `now`.
        """
        handled_at, draws = handled_at or now, draws or Draws(self._key)
        for mail in mails:
            if self._added_to_digest(session, mail, now):
                continue
            game, phase = mail.game, mail.phase
            composed = self._composed(mail, draws.mark(_told(mail)), now, handled_at)
            outbox.put(
                session,
                composed,
                mail.kind,
                now,
                # Never use a time in the past: the mails that answer one letter are sent in the order in which they
                # were written.
                max(phase.opened_at, handled_at) if phase and not mail.letter else handled_at,
                game_id=game and game.id,
                phase_id=phase and phase.id,
                letter_id=mail.letter_id,
                secret=mail.secret,
                picture_id=mail.picture_id,
                press_id=mail.press_id,
                return_tag=self._derived("return tag", composed.message_id, _TAG_BYTES),
            )

    def _added_to_digest(self, session: Session, mail: Draft, now: datetime) -> bool:
        """Add the news to the digest of `mail.until`; return False if it is not for a digest, or the digest is full."""
        if not mail.until or not mail.game:
            return False
        to = normal(mail.to)
        digest = outbox.gathering(session, to, mail.until)
        one = {"game": mail.game.name, "subject": mail.subject, "text": marked(mail.body)}
        news = [*((digest and digest.gathered) or ()), one]
        if sum(len(one["text"]) for one in news) > MOST_GATHERED:
            return False
        draft = Draft(
            to=to,
            kind="digest",
            subject="News from your games",
            body=self.render("digest", "UTC", news=[{**one, "text": Written(one["text"])} for one in news]),
            plain=mail.plain,
        )
        mark = self._derived("message", f"digest {to} {mail.until.astimezone(UTC).isoformat()}", MARK_BYTES)
        composed = self._composed(draft, mark, now, mail.until)
        if digest:
            digest.raw, digest.subject, digest.gathered = composed.raw, composed.subject, news
        else:
            tag = self._derived("return tag", composed.message_id, _TAG_BYTES)
            outbox.put(session, composed, "digest", now, mail.until, gathered=news, return_tag=tag)
        return True

    def _composed(self, mail: Draft, mark: str, now: datetime, date: datetime) -> Composed:
        """Compose the mail with its complete subject and this date, and with HTML unless the reader wants none."""
        whole = replace(mail, subject=self._subject(mail), plain=mail.plain or not self._html)
        return compose(self._head, whole, now, mark, date, "" if whole.plain else page_of(whole.body))

    def _derived(self, purpose: Purpose, about: str, size: int) -> str:
        return derived(self._key, purpose, about, size).hex()

    def _subject(self, mail: Draft) -> str:
        about, sign = self._head.code, ":"
        if mail.game:
            about, sign = f"{about}:{mail.game.name}", " -"
        # The sender's own subject, without any leading Re: and Fwd:.
        if mail.letter and (answered := without_prefixes(mail.letter.subject.strip())):
            return f"Re: {answered}"
        if mail.threaded and mail.game:
            return about
        return f"{mail.prefix}{about}{sign} {mail.subject or 'Your letter'}"


def _told(mail: Draft) -> str:
    """Return the content that a Message-ID is derived from: all that distinguishes a mail from others about its event.

    If a mail is sent again after a backup was restored, mail programs show it once, unless its content is now
    different.
    """
    about = mail.game.name if mail.game else ""
    return "\0".join([mail.kind, normal(mail.to), about, mail.prefix, mail.subject, mail.body])


def compose(
    head: Letterhead, draft: Draft, now: datetime, mark: str = "", date: datetime | None = None, page: str = ""
) -> Composed:
    """Compose the mail with exactly this subject; raise ValueError if no mail can be sent to its address.

    `mark`: the part of the Message-ID, letters and digits, that no other mail has ("": random). `date`: the Date of the
    mail, if not the time of the event that it reports. `page`: the text of the mail as HTML, with an empty title.
    """
    recipient, game = deliverable(draft.to), draft.game
    subject = one_line(draft.subject)[:MAX_SUBJECT].rstrip()
    names = [_atom(part.name) for part in (game, draft.phase) if part]
    message_id = f"<{'.'.join([*names, mark or secrets.token_hex(MARK_BYTES)])}@{head.domain}>"
    mail = Message(POLICY)
    mail["From"] = _sender(head, game)
    mail["To"] = recipient.encode().decode("ascii", "surrogateescape")  # as it is, also outside of ASCII (RFC 6532)
    mail["Subject"] = _words(subject, "Subject")
    mail["Date"] = format_datetime(date or now)
    mail["Message-ID"] = message_id
    _place_in_thread(mail, message_id, [f"<{mark_of(game)}.game@{head.domain}>"] if game else [], draft.letter)
    mail["Auto-Submitted"] = "auto-replied" if draft.letter else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if game:  # RFC 2919: lets players sort the mails of a game
        mail["List-Id"] = f"<{_atom(game.name)}.{head.address.replace('@', '.')}>"
    if draft.unsubscribe:
        mail["List-Unsubscribe"] = f"<mailto:{head.address}?subject=UNSUBSCRIBE%20{_atom(draft.unsubscribe)}>"
    mail["X-Judge"] = head.code
    if draft.plain:
        mail[NO_PAGES] = "text"
    mail["MIME-Version"] = "1.0"
    texts = [text_part(TEXT, draft.body)]
    if page:
        titled = page.replace("<title></title>", f"<title>{html.escape(subject)}</title>", 1)
        texts.append(text_part(HTML, in_ascii(titled)))
    return Composed(message_id, recipient, subject, filled(mail, texts, _files(head, draft, now)))


def _files(head: Letterhead, draft: Draft, now: datetime) -> list[Message]:
    """Return the files to attach: the deadline for a calendar, the content for programs."""
    files = []
    if draft.due and draft.game:
        entry = text_part("text/calendar; charset=utf-8; method=PUBLISH", _calendar(head, draft.game, draft.due, now))
        files.append(named(entry, f"{_atom(draft.game.name)}.ics"))
    files += [named(text_part("application/json", one.text), one.name) for one in draft.data]
    return files


def deliverable(address: str) -> str:
    """Return `address` in its one form, valid for SMTP and for a header; raise ValueError if it has none."""
    recipient = normal(address)
    if not recipient:
        raise ValueError(f"{address!r} is not an address that mail can be sent to")
    return recipient


def one_line(text: str) -> str:
    """Return `text` for a header: one line, without control characters, invisible characters and repeated spaces."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _calendar(head: Letterhead, game: Game, due: Due, now: datetime) -> str:
    """Return a game's deadline as a calendar (RFC 5545) with one entry, to announce it (RFC 5546, 3.2.1).

    A game has one entry, whose UID does not change: a later mail moves it, and the last one cancels it. Its SEQUENCE is
    the number of half seconds from the game's creation to the mail, so it only grows, and suffices for 34 years. The
    SEQUENCE of a cancellation is one higher than any other at the same moment. The entry has no organizer, since
    programs would send an answer to the organizer when a reader accepts it. The text has CRLF line ends.
    """
    # Import this library only here: loading it takes as long as loading all others together, and few judges need it.
    from icalendar import Calendar, Event

    fields = {
        "uid": f"{mark_of(game)}.deadline@{head.domain}",
        "sequence": 2 * int((now - game.created_at).total_seconds()) + due.cancelled,
        "dtstamp": now.astimezone(UTC),
        "dtstart": due.at.astimezone(UTC),
        "summary": f"{game.name}: orders for {due.phase} are due" if due.phase else f"{game.name}: no deadline",
        "status": "CANCELLED" if due.cancelled else "CONFIRMED",
        "transp": "TRANSPARENT",
    }
    entry = Event()
    for name, value in fields.items():
        entry.add(name, value)
    whole = Calendar()
    whole.add("version", "2.0")
    whole.add("prodid", "-//judge//deadlines of Diplomacy games//EN")
    whole.add("method", "PUBLISH")
    whole.add_component(entry)
    written: bytes = whole.to_ical()
    return written.decode()


def _sender(head: Letterhead, game: Game | None) -> str:
    """Return the From field, as it looks in lists of mails: `"heron (JUDG)" <judge@example.org>`."""
    if game is None:
        return f"{head.code} <{head.address}>"
    name = one_line(f"{game.name} ({head.code})")[:MAX_SUBJECT]
    quoted = f'"{quote(name)}"' if name.isascii() else _words(name, "From")
    return f"{quoted} <{head.address}>"


def _place_in_thread(mail: Message, message_id: str, root: list[str], letter: Letter | None) -> None:
    """Refer to the letter and to the root of the game's thread, so that answers join the thread.

    The mail also refers to itself, last. Answers copy that reference even if a provider gives the mail another
    Message-ID.
    """
    before, parents = list[str](), root
    if letter:
        before = [one for one in reversed(letter.references) if one not in root]
        parents = _message_ids([letter.message_id])
    if parents:
        mail["In-Reply-To"] = parents[0]
    mail["References"] = "\n ".join(_message_ids([*root, *before, *parents, in_references(message_id)]))


def _message_ids(ids: Sequence[str]) -> list[str]:
    """Return the valid Message-IDs, each at its last place; of too many, the first and the latest."""
    sound = [message_id for message_id in ids if _MESSAGE_ID.fullmatch(message_id)]
    each_once = list(dict.fromkeys(reversed(sound)))[::-1]
    return each_once if len(each_once) <= MAX_REFERENCES else [each_once[0], *each_once[1 - MAX_REFERENCES :]]


def mark_of(game: Game) -> str:
    """Return a mark that only this game has, even if another game had the same name."""
    return f"{_atom(game.name)}.{game.created_at:%Y%m%d%H%M%S}"


def _atom(text: str) -> str:
    return _NOT_ATOM.sub("-", text).strip("-") or "x"


def _words(text: str, field: str) -> str:
    """Return text for a header, folded: plain if it is ASCII, otherwise as encoded words (RFC 2047)."""
    # Encode "=?" too, so that mail programs do not decode text from outside as an encoded word.
    return Header(text, "ascii" if text.isascii() and "=?" not in text else "utf-8", header_name=field).encode()
