"""The judge's post: a template and its context in, a mail in the outbox out.

Nothing is sent here: the mail is written in the same transaction as what it tells of, and goes out later.
"""

from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from judge.letters import Letter
from judge.mails.compose import Answered, Letterhead, Thread, compose
from judge.mails.overrides import Texts
from judge.store import outbox
from judge.store.states import MailKind
from judge.store.tables import Game, Phase


class Post:
    """Writes mails under one letterhead, with the keeper's templates in the folder `templates` where there are any."""

    def __init__(self, head: Letterhead, templates: Path | None = None):
        self._head = head
        self._texts = Texts(templates)

    def render(self, template: str, zone: str, **context: object) -> str:
        """The text of a template, for a reader in `zone`."""
        return self._texts.render(template, judge=self._head, zone=zone, **context).rstrip("\n")

    def notice(
        self,
        session: Session,
        *,
        to: str,
        kind: MailKind,
        subject: str,
        body: str,
        now: datetime,
        game: Game | None = None,
        phase: Phase | None = None,
        secret: str | None = None,
        picture_id: int | None = None,
        unsubscribe: str = "",
        prefix: str = "",
    ) -> None:
        """A mail that answers no letter; about a phase, it is not sent before the phase has opened.

        `prefix` stands before the judge's code in its subject.
        """
        mail = compose(
            self._head,
            to=to,
            subject=prefix + self._subject(game, subject),
            body=body,
            now=now,
            thread=_thread(game),
            phase=phase.name if phase else "",
            unsubscribe=unsubscribe,
        )
        outbox.put(
            session,
            mail,
            kind=kind,
            now=now,
            game_id=game.id if game else None,
            phase_id=phase.id if phase else None,
            secret=secret,
            picture_id=picture_id,
            # Never a moment that has passed: mails of one letter go in the order in which they were written.
            not_before=max(phase.opened_at, now) if phase else None,
        )

    def reply(
        self,
        session: Session,
        *,
        to: str,
        kind: MailKind,
        letter: Letter,
        letter_id: int | None,
        body: str,
        now: datetime,
        game: Game | None = None,
        phase: Phase | None = None,
        secret: str | None = None,
        picture_id: int | None = None,
    ) -> None:
        """The answer to a letter, in its thread and under its subject."""
        mail = compose(
            self._head,
            to=to,
            subject=_reply_subject(letter.subject) or self._subject(game, "Your letter"),
            body=body,
            now=now,
            thread=_thread(game),
            phase=phase.name if phase else "",
            answered=Answered(letter.message_id, tuple(reversed(letter.references))),
        )
        outbox.put(
            session,
            mail,
            kind=kind,
            now=now,
            game_id=game.id if game else None,
            phase_id=phase.id if phase else None,
            letter_id=letter_id,
            secret=secret,
            picture_id=picture_id,
        )

    def _subject(self, game: Game | None, what: str) -> str:
        return f"{self._head.code}:{game.name} - {what}" if game else f"{self._head.code}: {what}"


def _thread(game: Game | None) -> Thread | None:
    return Thread(game.name, game.created_at) if game else None


def _reply_subject(subject: str) -> str:
    """`Re:` and the sender's own subject, without the Re: and Fwd: it has gathered."""
    words = subject.strip()
    while words[:3].lower() in ("re:", "fw:", "aw:", "sv:") or words[:4].lower() == "fwd:":
        words = words.partition(":")[2].strip()
    return f"Re: {words}" if words else ""
