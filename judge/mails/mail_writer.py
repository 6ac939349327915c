"""Write mails: fill a template, compose the bytes, and put the mail into the outbox.

Nothing is sent here. A mail is stored in the transaction of the event that it reports, and sent later.

A mail has a plain text that any mail program can show, and perhaps attached files. Unless HTML is off, it also has the
same text as HTML (RFC 2046, 5.1.4: the plainest part comes first).

No text from outside (names, subjects, Message-IDs of letters) can add a field or a line to the header. Each such text
is normalized here. The standard library also refuses to write a value that would begin another field.
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

# The maximum length of the news in one digest.
MOST_GATHERED = 60_000
MAX_SUBJECT = 200
# The maximum number of Message-IDs in the References of a mail. The first one is the root of its thread.
MAX_REFERENCES = 12
# The number of bytes in a return tag, which is the secret part of an email's return path.
_TAG_BYTES = 10

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_NOT_ATOM = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Letterhead:
    """The sender of all mails: the judge's code of four letters, and the judge's address."""

    code: str
    address: str

    @property
    def domain(self) -> str:
        """The domain of every Message-ID that the judge makes."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True)
class Due:
    """The deadline for the orders of a phase.

    `phase` is the phase in words. `cancelled` is true if there is no longer a deadline.
    """

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
    """The content of a mail and its recipient.

    A mail with a `letter` is the reply to that letter. Any other mail is a notice.

    `subject` is the subject of a notice without the judge's code, and `prefix` is a text before that code. If
    `threaded` is true, all mails about the game to this reader have one subject. Some programs group conversations only
    by subject. `until` is the time of the digest that may include this mail. `game` and `phase` are what the mail is
    about. A notice about a phase is not sent before the phase has opened. If `plain` is true, the mail never has HTML,
    not even for pictures. `secret` has generated passwords and tokens, which are masked in the stored mail after it was
    sent. `picture_id` and `press_id` are the picture and the press message in the mail. `due` is the deadline of the
    game, for a reader who wants it in a calendar. `data` is the content as JSON, for a reader who wants it.
    `unsubscribe` is the command that ends such mails, for the mail program's own button (RFC 2369, 3.2).
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
        """The first paragraph of the body."""
        return self.body.partition("\n\n")[0]


class MailWriter:
    """Writes mails with one letterhead, and with the keeper's own templates if there are any."""

    def __init__(self, head: Letterhead, templates: Path | None = None, key: bytes = b"", html: bool = True):
        """Prepare to write mails from `head`.

        Message-IDs are derived from `key`, the judge's secret key. `html` is true if mails have HTML as well as text.
        """
        self._head = head
        self._html = html
        self._key = key
        self._texts = Texts(templates)

    def render(self, template: str, zone: str, *, clock: object = None, **context: object) -> Written:
        """Render a template as the text of a mail, with times in the time zone `zone`.

        `clock` is the time of the event. With it, the text can say whether a deadline has passed.
        """
        return self._texts.render(template, judge=self._head, zone=zone, clock=clock, **context)

    def languages(self) -> Languages:
        """Return the languages in which newcomers write, by name."""
        return self._texts.languages()

    def web_page(self, template: str, zone: str, **context: object) -> Markup:
        """Render a page of the public website, even if mails have no HTML."""
        return self._texts.page(template, judge=self._head, zone=zone, **context)

    def write(
        self, session: Session, mails: Sequence[Draft], now: datetime, draws: Draws | None = None,
        handled_at: datetime | None = None,
    ) -> None:  # fmt: skip
        """Put the mails into the outbox, or add their news to a digest.

        `now` is the time of the event that the mails report. `handled_at` is the time at which they are written, if it
        is not `now`. Message-IDs are drawn from `draws`. Raises ValueError if no mail can be sent to one of the
        addresses.
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
                # A mail is never due before `handled_at`. So the mails that answer one letter are sent in the order in
                # which they were written.
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
        """Add the news to the digest of `mail.until`, and return whether that was possible.

        It is not possible if the mail is not for a digest, or the digest is full.
        """
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
        # A reader may get several digests for one moment, since SET DIGEST OFF sends the news so far.
        begun = (digest.created_at if digest else now).astimezone(UTC)
        about = f"digest {to} {mail.until.astimezone(UTC).isoformat()} {begun.isoformat()}"
        mark = self._derived("message", about, MARK_BYTES)
        composed = self._composed(draft, mark, now, mail.until)
        if digest:
            digest.raw, digest.subject, digest.gathered = composed.raw, composed.subject, news
        else:
            tag = self._derived("return tag", composed.message_id, _TAG_BYTES)
            outbox.put(session, composed, "digest", now, mail.until, gathered=news, return_tag=tag)
        return True

    def _composed(self, mail: Draft, mark: str, now: datetime, date: datetime) -> Composed:
        whole = replace(mail, subject=self._subject(mail), plain=mail.plain or not self._html)
        return compose(self._head, whole, now, mark, date, "" if whole.plain else page_of(whole.body))

    def _derived(self, purpose: Purpose, about: str, size: int) -> str:
        return derived(self._key, purpose, about, size).hex()

    def _subject(self, mail: Draft) -> str:
        about, sign = self._head.code, ":"
        if mail.game:
            about, sign = f"{about}:{mail.game.name}", " -"
        # Use the sender's own subject, without any leading Re: and Fwd:.
        if mail.letter and (answered := without_prefixes(mail.letter.subject.strip())):
            return f"Re: {answered}"
        if mail.threaded and mail.game:
            return about
        return f"{mail.prefix}{about}{sign} {mail.subject or 'Your letter'}"


def _told(mail: Draft) -> str:
    """Return the text from which the Message-ID of a mail is derived.

    The text has everything that distinguishes the mail from other mails about the same event. So a mail that is sent
    again after a recovery has its old Message-ID, unless its content has changed. Many mail programs show mails with
    the same Message-ID only once.
    """
    about = mail.game.name if mail.game else ""
    return "\0".join([mail.kind, normal(mail.to), about, mail.prefix, mail.subject, mail.body])


def compose(
    head: Letterhead, draft: Draft, now: datetime, mark: str = "", date: datetime | None = None, page: str = ""
) -> Composed:
    """Compose the bytes of a mail, with exactly the subject of the draft.

    `mark` is the part of the Message-ID that no other mail has, in letters and digits. If `mark` is "", that part is
    random. `date` is the Date of the mail, if not the time of the event that it reports. `page` is the text of the mail
    as HTML, with an empty title. Raises ValueError if no mail can be sent to the address.
    """
    recipient, game = deliverable(draft.to), draft.game
    subject = one_line(draft.subject)[:MAX_SUBJECT].rstrip()
    names = [_atom(part.name) for part in (game, draft.phase) if part]
    message_id = f"<{'.'.join([*names, mark or secrets.token_hex(MARK_BYTES)])}@{head.domain}>"
    mail = Message(POLICY)
    mail["From"] = _sender(head, game)
    mail["To"] = recipient.encode().decode("ascii", "surrogateescape")  # keep the address unencoded (RFC 6532)
    mail["Subject"] = _words(subject, "Subject")
    mail["Date"] = format_datetime(date or now)
    mail["Message-ID"] = message_id
    _place_in_thread(mail, message_id, [f"<{mark_of(game)}.game@{head.domain}>"] if game else [], draft.letter)
    mail["Auto-Submitted"] = "auto-replied" if draft.letter else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if game:  # lets players sort the mails of a game (RFC 2919)
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
    return Composed(message_id, recipient, subject, filled(mail, texts, _attached_files(head, draft, now)))


def _attached_files(head: Letterhead, draft: Draft, now: datetime) -> list[Message]:
    files = []
    if draft.due and draft.game:
        entry = text_part("text/calendar; charset=utf-8; method=PUBLISH", _calendar(head, draft.game, draft.due, now))
        files.append(named(entry, f"{_atom(draft.game.name)}.ics"))
    files += [named(text_part("application/json", one.text), one.name) for one in draft.data]
    return files


def deliverable(address: str) -> str:
    """Return `address` in its normal form.

    Raises ValueError if no mail can be sent to it.
    """
    recipient = normal(address)
    if not recipient:
        raise ValueError(f"{address!r} is not an address that mail can be sent to")
    return recipient


def one_line(text: str) -> str:
    """Return `text` as one line for a header, without control and invisible characters."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _calendar(head: Letterhead, game: Game, due: Due, now: datetime) -> str:
    """Return a game's deadline as a calendar with one entry (RFC 5545; RFC 5546, 3.2.1).

    A game has one entry, whose UID does not change. A later mail moves the entry, and the last one cancels it. The
    SEQUENCE of the entry is twice the number of seconds from the game's creation to the mail. So the SEQUENCE only
    grows, and stays within its limit for 34 years. A cancellation has a SEQUENCE one higher than a change at the same
    moment.

    The entry has no organizer, since programs would send an answer to the organizer when a reader accepts the entry.
    The text has CRLF line ends.
    """
    # Import this library only when it is needed, since it is slow to load and few readers want a calendar.
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
    """Return the From field, like `"heron (JUDG)" <judge@example.org>`."""
    if game is None:
        return f"{head.code} <{head.address}>"
    name = one_line(f"{game.name} ({head.code})")[:MAX_SUBJECT]
    quoted = f'"{quote(name)}"' if name.isascii() else _words(name, "From")
    return f"{quoted} <{head.address}>"


def _place_in_thread(mail: Message, message_id: str, root: list[str], letter: Letter | None) -> None:
    """Set In-Reply-To and References, so that the mail and its answers join a thread.

    The mail refers to the letter that it answers, and to the root of the game's thread. Its last reference is to
    itself. Answers copy that reference even if a provider gives the mail another Message-ID.
    """
    before, parents = list[str](), root
    if letter:
        before = [one for one in reversed(letter.references) if one not in root]
        parents = _message_ids([letter.message_id])
    if parents:
        mail["In-Reply-To"] = parents[0]
    mail["References"] = "\n ".join(_message_ids([*root, *before, *parents, in_references(message_id)]))


def _message_ids(ids: Sequence[str]) -> list[str]:
    """Return the valid Message-IDs, each once, at its last place.

    If there are too many, only the first one and the latest ones are returned.
    """
    sound = [message_id for message_id in ids if _MESSAGE_ID.fullmatch(message_id)]
    each_once = list(dict.fromkeys(reversed(sound)))[::-1]
    return each_once if len(each_once) <= MAX_REFERENCES else [each_once[0], *each_once[1 - MAX_REFERENCES :]]


def mark_of(game: Game) -> str:
    """Return a text that identifies this game, even if another game had the same name."""
    return f"{_atom(game.name)}.{game.created_at:%Y%m%d%H%M%S}"


def _atom(text: str) -> str:
    return _NOT_ATOM.sub("-", text).strip("-") or "x"


def _words(text: str, field: str) -> str:
    """Return text for a header field, as encoded words (RFC 2047) unless it is ASCII."""
    # Encode "=?" too, so that mail programs do not decode text from outside as an encoded word.
    return Header(text, "ascii" if text.isascii() and "=?" not in text else "utf-8", header_name=field).encode()
