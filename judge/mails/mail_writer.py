"""Makes mails: takes a template and its context, and puts a mail into the outbox.

Nothing is sent here: the mail is written in the same transaction as the event it tells of, and sent later.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from markupsafe import Markup
from sqlmodel import Session

from judge.addresses import normal
from judge.letters import Letter
from judge.mails.calendar_entry import Due
from judge.mails.compose import MARK_BYTES, Answered, Composed, DataFile, Draft, Letterhead, Thread, compose
from judge.mails.custom_texts import Texts
from judge.mails.pages import Written
from judge.store import outbox
from judge.store.states import MailKind
from judge.store.tables import Game, Phase

# So many characters of news come in one mail.
MOST_GATHERED = 60_000


@dataclass(frozen=True, kw_only=True)
class _Mailing:
    """A mail to be written, with the game and the phase it is about, if any.

    `page`: the body as HTML, if it has one. `plain`: its reader wants no HTML. `secret`: generated passwords and tokens
    in it, masked once the mail was sent. `picture_id`: the picture in the mail. `due`: the deadline of the game, for a
    reader who wants it in a calendar. `data`: what the mail tells, for a reader who wants it as JSON.
    """

    to: str
    kind: MailKind
    body: str
    page: str = ""
    plain: bool = False
    game: Game | None = None
    phase: Phase | None = None
    secret: str | None = None
    picture_id: int | None = None
    due: Due | None = None
    data: DataFile | None = None


@dataclass(frozen=True, kw_only=True)
class Notice(_Mailing):
    """A mail that does not answer a letter; if it is about a phase, it is not sent before the phase has opened.

    `prefix` comes before the judge's code in the subject. `threaded`: all mails about the game to this reader have one
    subject, since some programs show a conversation only of those. `unsubscribe`: the command that ends such mails.
    `press_id`: the message that it carries. `until`: it is news that may come together with others at that moment.
    """

    subject: str
    prefix: str = ""
    unsubscribe: str = ""
    threaded: bool = False
    press_id: int | None = None
    until: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Reply(_Mailing):
    """The answer to a letter, in its thread and under its subject."""

    letter: Letter
    letter_id: int | None


class MailWriter:
    """Writes mails under one letterhead, with the keeper's templates in the folder `templates`, if there are any.

    `key`: the judge's secret key. From it and from the letter that a reply answers the reply's Message-ID is made.
    `html`: whether mails have pages beside their texts.
    """

    def __init__(self, head: Letterhead, templates: Path | None = None, key: bytes = b"", html: bool = True):
        self._head = head
        self._html = html
        self._key = key[: hashlib.blake2b.MAX_KEY_SIZE]
        self._texts = Texts(templates)

    def render(self, template: str, zone: str, **context: object) -> str:
        """The text of a template, for a reader in `zone`."""
        return self._texts.render(template, judge=self._head, zone=zone, **context).rstrip("\n")

    def has_page(self, template: str) -> bool:
        """Whether the text of that template has a page."""
        return self._html and self._texts.has_page(template)

    def page(self, template: str, zone: str, **context: object) -> Markup:
        """The page of the template of that name, for a reader in `zone`; "" if it has none."""
        return self._texts.page(template, judge=self._head, zone=zone, **context) if self._html else Markup()

    def written(
        self, template: str, zone: str, moment: datetime, context: Mapping[str, object], *, html: bool = True
    ) -> Written:
        """The text of a template, which is a mail or a part of one, written at that moment, with its page if its reader
        wants `html`.
        """
        text = self.render(template, zone, **context)
        return Written.of(text, self.page(template, zone, moment=moment, **context) if html else Markup())

    def write(self, session: Session, mails: Sequence[Notice | Reply], now: datetime) -> None:
        """Put the mails into the outbox. Raises ValueError if no mail can be sent to one of the addresses `to`."""
        for mail in mails:
            if not (isinstance(mail, Notice) and self._gathered(session, mail, now)):
                outbox.put(session, *self._written(session, mail, now), now)

    def _gathered(self, session: Session, mail: Notice, now: datetime) -> bool:
        """Whether the news is put to others that go out together; not if it does not fit there."""
        if not mail.until or not mail.game:
            return False
        to = normal(mail.to)
        number, gathered = outbox.gathering(session, to, mail.until)
        # Not the text with its page, which the database cannot hold.
        news = [*gathered, {"game": mail.game.name, "subject": mail.subject, "text": str(mail.body)}]
        if sum(len(one["text"]) for one in news) > MOST_GATHERED:
            return False
        body = self.render("digest", "UTC", news=news)
        page = Markup() if mail.plain else self.page("digest", "UTC", moment=now, news=news)
        what = f"digest {to} {mail.until.isoformat()}"
        draft = Draft(
            to=to,
            subject=f"{self._head.code}: News of your games",
            body=body,
            mark=hashlib.blake2b(what.encode(), key=self._key, digest_size=MARK_BYTES).hexdigest(),
            page=page,
            plain=mail.plain or not self._html,
        )
        composed = compose(self._head, draft, mail.until)
        if number is None:
            number = outbox.put(session, composed, outbox.Entry(kind="digest", not_before=mail.until), now)
        outbox.gather(session, number, composed, news)
        return True

    def _written(self, session: Session, mail: Notice | Reply, now: datetime) -> tuple[Composed, outbox.Entry]:
        game, phase = mail.game, mail.phase
        draft = Draft(
            to=mail.to,
            subject=self._subject(mail),
            body=mail.body,
            thread=Thread(game.name, game.created_at) if game else None,
            phase=phase.name if phase else "",
            mark=self._mark(session, mail) if isinstance(mail, Reply) else "",
            answered=_answered(mail.letter) if isinstance(mail, Reply) else None,
            unsubscribe=mail.unsubscribe if isinstance(mail, Notice) else "",
            page="" if mail.plain else mail.page,
            plain=mail.plain or not self._html,
            due=mail.due,
            data=mail.data,
        )
        entry = outbox.Entry(
            kind=mail.kind,
            game_id=game.id if game else None,
            phase_id=phase.id if phase else None,
            letter_id=mail.letter_id if isinstance(mail, Reply) else None,
            # Never a time in the past: the mails that answer one letter are sent in the order in which they were
            # written.
            not_before=max(phase.opened_at, now) if phase and isinstance(mail, Notice) else None,
            secret=mail.secret,
            picture_id=mail.picture_id,
            press_id=mail.press_id if isinstance(mail, Notice) else None,
        )
        return compose(self._head, draft, now), entry

    def _mark(self, session: Session, mail: Reply) -> str:
        """A letter that is read again after a backup was restored is answered under the same Message-ID as before, so
        that mail programs show one answer. "" for another reply to the same letter, and for a reply that hands out a
        password or a token: it is another one now, and the reader must see it.
        """
        to = normal(mail.to)
        if mail.secret or mail.letter_id is None:
            return ""
        fingerprint = outbox.unanswered(session, mail.letter_id, to, mail.kind)
        if fingerprint is None:
            return ""
        what = f"{fingerprint} {mail.kind} {to}"
        return hashlib.blake2b(what.encode(), key=self._key, digest_size=MARK_BYTES).hexdigest()

    def _subject(self, mail: Notice | Reply) -> str:
        if isinstance(mail, Notice) and mail.threaded and mail.game:
            return f"{self._head.code}:{mail.game.name}"
        if isinstance(mail, Notice):
            return mail.prefix + self._about(mail.game, mail.subject)
        return _reply_subject(mail.letter.subject) or self._about(mail.game, "Your letter")

    def _about(self, game: Game | None, what: str) -> str:
        return f"{self._head.code}:{game.name} - {what}" if game else f"{self._head.code}: {what}"


def _answered(letter: Letter) -> Answered:
    return Answered(letter.message_id, tuple(reversed(letter.references)))


def _reply_subject(subject: str) -> str:
    """`Re:` and the sender's own subject, without any Re: and Fwd: before it."""
    words = subject.strip()
    while words[:3].lower() in ("re:", "fw:", "aw:", "sv:") or words[:4].lower() == "fwd:":
        words = words.partition(":")[2].strip()
    return f"Re: {words}" if words else ""
