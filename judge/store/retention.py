"""What is too old to be kept: the bytes of letters and mails, mails that nobody can answer any more, pictures that no
mail shows, tokens that have expired.

What games were is never pruned: phases, orders, press, events. Of a letter the row stays, with its fingerprint, so that
the letter is known if it comes again. Of a mail about a game that is still played, or that has ended only lately, the
row stays, with its Message-ID: a letter that answers it is meant for the phase that it was about. What still waits, and
what a keeper has to decide upon (letters put aside, mails given up), stays as it is.

Each function changes at most `most` rows of what is from before a moment, and returns how many it has changed, so that
others wait only for a moment. None belongs into a transaction with letters or deadlines.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, Delete, TextClause, Update, delete, exists, or_, select, text, update
from sqlmodel import Session, col

from judge.store.tables import WRITTEN, Game, LetterRow, Mail, Picture, Token

_SETTLED = or_(col(Mail.sent_at).is_not(None), col(Mail.dismissed_at).is_not(None))


def letters(session: Session, before: datetime, most: int) -> int:
    """Empty letters that were done before that moment."""
    done = (text(WRITTEN), col(LetterRow.done_at) < before, col(LetterRow.state).in_(["done", "ignored"]))
    old = select(col(LetterRow.id)).where(*done).limit(most)
    return _change(session, update(LetterRow).where(col(LetterRow.id).in_(old)).values(raw=b"", error=""))


def mails(session: Session, before: datetime, most: int) -> int:
    """Delete mails from before that moment that nobody can answer, and empty the others."""
    over = select(col(Game.id)).where(col(Game.state) == "finished", col(Game.ended_at) < before)
    changed = _change(session, delete(Mail).where(_old_mails(before, most, col(Mail.game_id).is_(None))))
    changed += _change(session, delete(Mail).where(_old_mails(before, most - changed, col(Mail.game_id).in_(over))))
    written = _old_mails(before, most - changed, text(WRITTEN))
    return changed + _change(session, update(Mail).where(written).values(raw=b"", picture_id=None))


def pictures(session: Session, before: datetime, most: int) -> int:
    """Delete pictures from before that moment that no mail shows."""
    shown = exists().where(col(Mail.picture_id) == Picture.id)
    old = select(col(Picture.id)).where(col(Picture.created_at) < before, ~shown).limit(most)
    return _change(session, delete(Picture).where(col(Picture.id).in_(old)))


def tokens(session: Session, before: datetime, most: int) -> int:
    """Delete tokens that expired before that moment."""
    old = select(col(Token.id)).where(col(Token.expires_at) < before).limit(most)
    return _change(session, delete(Token).where(col(Token.id).in_(old)))


def _old_mails(before: datetime, most: int, *which: ColumnElement[bool] | TextClause) -> ColumnElement[bool]:
    old = select(col(Mail.id)).where(*which, col(Mail.created_at) < before, _SETTLED).limit(most)
    return col(Mail.id).in_(old)


def _change(session: Session, statement: Update | Delete) -> int:
    return session.connection().execute(statement).rowcount
