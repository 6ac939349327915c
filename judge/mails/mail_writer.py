"""Writes mails: fills a template with its context and puts the mail into the outbox.

Nothing is sent here: the mail is stored in the transaction of the event that it reports, and sent later.
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
from judge.mails.compose import MARK_BYTES, Answered, DataFile, Draft, Due, Letterhead, Thread, compose
from judge.mails.custom_texts import Texts
from judge.mails.pages import Form, Written
from judge.mails.templates import text_page
from judge.store import outbox
from judge.store.states import MailKind
from judge.store.tables import Game, LetterRow, Phase

# The most characters of news in one digest.
MOST_GATHERED = 60_000
# The most characters of a text that becomes a page without a template of its own: programs cut pages of 102 kB.
_LONGEST_PAGE = 30_000


@dataclass(frozen=True, kw_only=True)
class _Mailing:
    """A mail to be written, with the game and the phase that it is about, if any.

    `page`: the body as HTML, if it has one. `plain`: its reader wants no HTML. `secret`: generated passwords and tokens
    in it, masked once the mail was sent. `picture_id`: the picture in the mail. `due`: the deadline of the game, for a
    reader who wants it in a calendar. `data`: the content as JSON, for a reader who wants it. `press_id`: the message
    that it carries. `unsubscribe`: the command that ends such mails. `forms`: the letters that its text asks for.
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
    press_id: int | None = None
    unsubscribe: str = ""
    forms: Sequence[Form] = ()


@dataclass(frozen=True, kw_only=True)
class Notice(_Mailing):
    """A mail that does not answer a letter; if it is about a phase, it is not sent before the phase has opened.

    `prefix` comes before the judge's code in the subject. `threaded`: all mails about the game to this reader have one
    subject, since some programs group conversations by subject alone. `until`: the mail is news that may go out in a
    digest at that moment.
    """

    subject: str
    prefix: str = ""
    threaded: bool = False
    until: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Reply(_Mailing):
    """The answer to a letter, in its thread and under its subject."""

    letter: Letter
    letter_id: int | None


class MailWriter:
    """Writes mails under one letterhead, with the keeper's own templates if there are any."""

    def __init__(self, head: Letterhead, templates: Path | None = None, key: bytes = b"", html: bool = True):
        """Prepare to write mails from `head`.

        `templates`: the folder of the keeper's templates. `key`: the judge's secret key, from which Message-IDs are
        derived. `html`: whether mails have pages as well as texts.
        """
        self._head = head
        self._html = html
        self._key = key[: hashlib.blake2b.MAX_KEY_SIZE]
        self._texts = Texts(templates)

    def render(self, template: str, zone: str, **context: object) -> str:
        """Render the text of a template for a reader in `zone`."""
        return self._texts.render(template, judge=self._head, zone=zone, **context).rstrip("\n")

    def page(self, template: str, zone: str, **context: object) -> Markup:
        """Render the page of a template for a reader in `zone`; "" if it has none."""
        return self._texts.page(template, judge=self._head, zone=zone, **context) if self._html else Markup()

    def web_page(self, template: str, zone: str, **context: object) -> Markup:
        """Render a page that is no mail, even if mails have no pages."""
        return self._texts.page(template, judge=self._head, zone=zone, **context)

    def written(
        self, template: str, zone: str, moment: datetime, context: Mapping[str, object], *, html: bool = True
    ) -> Written:
        """Render the text of a template as of `moment`, together with its page if the reader wants `html`."""
        text = self.render(template, zone, **context)
        return Written.of(text, self.page(template, zone, moment=moment, **context) if html else Markup())

    def write(self, session: Session, mails: Sequence[Notice | Reply], now: datetime) -> None:
        """Put the mails into the outbox. Raises ValueError if no mail can be sent to one of the addresses `to`."""
        for mail in mails:
            if not (isinstance(mail, Notice) and self._added_to_digest(session, mail, now)):
                self._queue(session, mail, now)

    def _added_to_digest(self, session: Session, mail: Notice, now: datetime) -> bool:
        """Add the news to the digest that goes out at `mail.until`; False if it is not for a digest, or too long."""
        if not mail.until or not mail.game:
            return False
        to = normal(mail.to)
        digest = outbox.gathering(session, to, mail.until)
        # str: the database cannot hold a text together with its page.
        one = {"game": mail.game.name, "subject": mail.subject, "text": str(mail.body)}
        news = [*((digest and digest.gathered) or ()), one]
        if sum(len(one["text"]) for one in news) > MOST_GATHERED:
            return False
        draft = Draft(
            to=to,
            subject=f"{self._head.code}: News from your games",
            body=self.render("digest", "UTC", news=news),
            mark=self._digest_of(f"digest {to} {mail.until.isoformat()}"),
            page="" if mail.plain else self.page("digest", "UTC", moment=now, news=news),
            plain=mail.plain or not self._html,
        )
        composed = compose(self._head, draft, mail.until)
        if digest:
            digest.raw, digest.subject, digest.gathered = composed.raw, composed.subject, news
        else:
            outbox.put(session, composed, "digest", now, mail.until, gathered=news)
        return True

    def _queue(self, session: Session, mail: Notice | Reply, now: datetime) -> None:
        game, phase, answered, mark, letter_id = mail.game, mail.phase, None, "", None
        if isinstance(mail, Reply):
            answered = Answered(mail.letter.message_id, mail.letter.references[::-1])
            mark, letter_id = self._mark(session, mail), mail.letter_id
        draft = Draft(
            to=mail.to,
            subject=self._subject(mail),
            body=mail.body,
            thread=Thread(game.name, game.created_at) if game else None,
            phase=phase.name if phase else "",
            mark=mark,
            answered=answered,
            unsubscribe=mail.unsubscribe,
            page="" if mail.plain else self._page_of(mail),
            plain=mail.plain or not self._html,
            due=mail.due,
            data=mail.data,
        )
        outbox.put(
            session,
            compose(self._head, draft, now),
            mail.kind,
            now,
            # Never a time in the past: the mails that answer one letter are sent in the order in which they were
            # written.
            max(phase.opened_at, now) if phase and not answered else None,
            game_id=game and game.id,
            phase_id=phase and phase.id,
            letter_id=letter_id,
            secret=mail.secret,
            picture_id=mail.picture_id,
            press_id=mail.press_id,
        )

    def _page_of(self, mail: Notice | Reply) -> str:
        """The page of a mail: what its template made, else its text as HTML.

        Not of a secret, which is masked in the text alone; nor of a long text, which mail programs cut.
        """
        if mail.page or mail.secret or not self._html or len(mail.body) > _LONGEST_PAGE:
            return mail.page
        return text_page(mail.body, self._head, mail.forms)

    def _mark(self, session: Session, mail: Reply) -> str:
        """The unique part of a reply's Message-ID, derived from the letter; "" lets the composer draw one.

        A letter that is read again after a backup was restored is answered under the same Message-ID, so that mail
        programs show one reply. A reply with a password or token has another Message-ID: that is a new one, which the
        reader must see. So has the mail about a letter that is set aside, which may happen to it again.
        """
        if mail.secret or mail.letter_id is None or mail.kind == "shunted":
            return ""
        fingerprint = session.get_one(LetterRow, mail.letter_id).fingerprint
        return self._digest_of(f"{fingerprint} {mail.kind} {normal(mail.to)}")

    def _digest_of(self, what: str) -> str:
        return hashlib.blake2b(what.encode(), key=self._key, digest_size=MARK_BYTES).hexdigest()

    def _subject(self, mail: Notice | Reply) -> str:
        if isinstance(mail, Reply):
            return _reply_subject(mail.letter.subject) or self._about(mail.game, "Your letter")
        if mail.threaded and mail.game:
            return f"{self._head.code}:{mail.game.name}"
        return mail.prefix + self._about(mail.game, mail.subject)

    def _about(self, game: Game | None, what: str) -> str:
        return f"{self._head.code}:{game.name} - {what}" if game else f"{self._head.code}: {what}"


def _reply_subject(subject: str) -> str:
    """`Re:` and the sender's own subject, without any Re: and Fwd: before it."""
    words = subject.strip()
    while words[:3].lower() in ("re:", "fw:", "aw:", "sv:") or words[:4].lower() == "fwd:":
        words = words.partition(":")[2].strip()
    return f"Re: {words}" if words else ""
