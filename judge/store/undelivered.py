"""The mails that were given up. The keeper is told of them, and has them sent again or dismisses them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, bindparam, func, update
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from judge.store.tables import Mail
from judge.store.workers import call

_GIVEN_UP = (col(Mail.failed_at).is_not(None), col(Mail.dismissed_at).is_(None))
_UNTOLD_SINCE = select(func.min(Mail.failed_at)).where(
    *_GIVEN_UP, col(Mail.told_at).is_(None), Mail.recipient != bindparam("keeper")
)
_WITHOUT_RAW = defer(cast(Any, Mail.raw), raiseload=True)


def given_up(session: Session) -> Sequence[Mail]:
    """The mails that the keeper has not dismissed, in the order in which they were given up, without raw bytes."""
    return session.exec(_select(*_GIVEN_UP)).all()


def untold(session: Session, keeper: str) -> Sequence[Mail]:
    """The mails that the keeper has not been told of, except mails to the `keeper`, who then could not be reached by
    mail.
    """
    return session.exec(_select(*_GIVEN_UP, col(Mail.told_at).is_(None), Mail.recipient != keeper)).all()


def untold_since(session: Session, keeper: str) -> datetime | None:
    """When the first of these mails was given up; None if there are none."""
    moment: datetime | None = session.connection().execute(_UNTOLD_SINCE, {"keeper": keeper}).scalar()
    return moment


def note_told(session: Session, mails: Sequence[Mail], now: datetime) -> None:
    """Record that the keeper is told of `mails`."""
    _change(session, mails, told_at=now)


def dismiss(session: Session, mails: Sequence[Mail], now: datetime) -> None:
    """Stop telling the keeper of `mails`."""
    _change(session, mails, dismissed_at=now)


def send_again(session: Session, mails: Sequence[Mail], now: datetime) -> None:
    """Put `mails` back into the outbox, as if they had just been written."""
    _change(session, mails, failed_at=None, told_at=None, attempts=0, next_try_at=now, error="", waiting_for="")
    call(session)


def _select(*which: ColumnElement[bool] | bool) -> SelectOfScalar[Mail]:
    return select(Mail).where(*which).order_by(col(Mail.failed_at), col(Mail.id)).options(_WITHOUT_RAW)


def _change(session: Session, mails: Sequence[Mail], **values: Any) -> None:
    ids = [mail.id for mail in mails]
    session.execute(update(Mail).where(col(Mail.id).in_(ids), *_GIVEN_UP).values(**values))
