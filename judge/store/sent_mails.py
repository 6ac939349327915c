"""What letters, and the judge itself, ask of the mails that were written."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import func, or_, true
from sqlmodel import Session, col, select

from judge.store.states import MailKind
from judge.store.tables import Address, Game, Mail, Phase


def phase_of_mail(session: Session, message_ids: Iterable[str]) -> Phase | None:
    """The phase that the first of these mails from the judge is about."""
    for message_id in message_ids:
        found = session.exec(select(Phase).join(Mail).where(Mail.message_id == message_id)).first()
        if found:
            return found
    return None


def raw_of_mail(session: Session, message_ids: Sequence[str]) -> bytes:
    """The first of these mails from the judge as it was written; b"" if there is none, or its text was deleted."""
    found = dict(session.exec(select(Mail.message_id, Mail.raw).where(col(Mail.message_id).in_(message_ids))).all())
    return next((found[message_id] for message_id in message_ids if found.get(message_id)), b"")


def mail_about(session: Session, message_id: str) -> tuple[Game, Phase | None, int | None] | None:
    """The game and the phase that the mail with this Message-ID is about, and the id of the person to whom it went
    (None: nobody known); None if the judge has written no such mail about a game.
    """
    about = (
        select(Game, Phase, Address.person_id)
        .select_from(Mail)
        .join(Game, col(Mail.game_id) == Game.id)
        .join(Phase, col(Mail.phase_id) == Phase.id, isouter=True)
        .join(Address, col(Mail.recipient) == Address.address, isouter=True)
    )
    return session.exec(about.where(Mail.message_id == message_id)).first()


def mailed_since(session: Session, address: str, kind: MailKind, since: datetime, game: Game | None = None) -> bool:
    """Whether a mail of this kind was written to `address` after `since`; with `game`, only a mail about that game."""
    return mails_since(session, address, kind, since, game) > 0


def last_mailed(session: Session, address: str, kind: MailKind) -> datetime | None:
    """When the newest mail of this kind to `address` was written."""
    return session.exec(select(func.max(Mail.created_at)).where(Mail.recipient == address, Mail.kind == kind)).one()


def mails_with_codes(session: Session, address: str, since: datetime, most: int = 5) -> Sequence[tuple[str, bytes]]:
    """(subject, bytes) of the newest mails to `address` since that moment that ask their reader to confirm."""
    asks = or_(col(Mail.kind) == "token", col(Mail.subject).contains("CONFIRM "))
    question = select(Mail.subject, Mail.raw).where(Mail.recipient == address, col(Mail.created_at) >= since, asks)
    return [(subject, raw) for subject, raw in session.exec(question.order_by(col(Mail.id).desc()).limit(most))]


def last_mailed_about(session: Session, address: str, kind: MailKind, subject: str) -> datetime | None:
    """The same, of those with this subject."""
    written = (Mail.recipient == address, Mail.kind == kind, Mail.subject == subject)
    return session.exec(select(func.max(Mail.created_at)).where(*written)).one()


def mails_since(session: Session, address: str, kind: MailKind, since: datetime, game: Game | None = None) -> int:
    """How many mails of this kind were written to `address` after `since`; with `game`, only mails about that game."""
    about = col(Mail.game_id) == game.id if game else true()
    written = (Mail.recipient == address, Mail.kind == kind, col(Mail.created_at) > since, about)
    return session.exec(select(func.count()).where(*written)).one()
