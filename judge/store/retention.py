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
from typing import Any

from sqlalchemy import BindParameter, Delete, Update, bindparam, delete, exists, or_, select, text, update
from sqlmodel import Session, SQLModel

from judge.store.tables import WRITTEN

_LETTERS, _MAILS, _GAMES, _PICTURES, _TOKENS = (
    SQLModel.metadata.tables[name] for name in ("letter", "mail", "game", "picture", "token")
)
_BEFORE: BindParameter[datetime] = bindparam("before")
_MOST: BindParameter[int] = bindparam("most")

_WRITTEN_LETTERS = (
    select(_LETTERS.c.id)
    .where(text(WRITTEN), _LETTERS.c.done_at < _BEFORE, _LETTERS.c.state.in_(["done", "ignored"]))
    .limit(_MOST)
)
_EMPTY_LETTERS = update(_LETTERS).where(_LETTERS.c.id.in_(_WRITTEN_LETTERS)).values(raw=b"", error="")

_SETTLED = or_(_MAILS.c.sent_at.is_not(None), _MAILS.c.dismissed_at.is_not(None))
_WRITTEN_MAILS = select(_MAILS.c.id).where(text(WRITTEN), _MAILS.c.created_at < _BEFORE, _SETTLED).limit(_MOST)
_EMPTY_MAILS = update(_MAILS).where(_MAILS.c.id.in_(_WRITTEN_MAILS)).values(raw=b"", picture_id=None)

_ABOUT_NO_GAME = (
    select(_MAILS.c.id).where(_MAILS.c.game_id.is_(None), _MAILS.c.created_at < _BEFORE, _SETTLED).limit(_MOST)
)
_OVER = select(_GAMES.c.id).where(_GAMES.c.state == "finished", _GAMES.c.ended_at < _BEFORE)
_ABOUT_GAMES_THAT_ARE_OVER = (
    select(_MAILS.c.id).where(_MAILS.c.game_id.in_(_OVER), _MAILS.c.created_at < _BEFORE, _SETTLED).limit(_MOST)
)
_DELETE_MAILS = [delete(_MAILS).where(_MAILS.c.id.in_(found)) for found in (_ABOUT_NO_GAME, _ABOUT_GAMES_THAT_ARE_OVER)]

_SHOWN_NOWHERE = (
    select(_PICTURES.c.id)
    .where(_PICTURES.c.created_at < _BEFORE, ~exists().where(_MAILS.c.picture_id == _PICTURES.c.id))
    .limit(_MOST)
)
_DELETE_PICTURES = delete(_PICTURES).where(_PICTURES.c.id.in_(_SHOWN_NOWHERE))

_EXPIRED = select(_TOKENS.c.id).where(_TOKENS.c.expires_at < _BEFORE).limit(_MOST)
_DELETE_TOKENS = delete(_TOKENS).where(_TOKENS.c.id.in_(_EXPIRED))


def letters(session: Session, before: datetime, most: int) -> int:
    """Empty letters that were done before that moment."""
    return _change(session, _EMPTY_LETTERS, before, most)


def mails(session: Session, before: datetime, most: int) -> int:
    """Delete mails from before that moment that nobody can answer, and empty the others."""
    changed = 0
    statements: list[Update | Delete] = [*_DELETE_MAILS, _EMPTY_MAILS]
    for statement in statements:
        changed += _change(session, statement, before, most - changed)
    return changed


def pictures(session: Session, before: datetime, most: int) -> int:
    """Delete pictures from before that moment that no mail shows."""
    return _change(session, _DELETE_PICTURES, before, most)


def tokens(session: Session, before: datetime, most: int) -> int:
    """Delete tokens that expired before that moment."""
    return _change(session, _DELETE_TOKENS, before, most)


def _change(session: Session, statement: Update | Delete, before: datetime, most: int) -> int:
    values: dict[str, Any] = {"before": before, "most": most}
    return session.connection().execute(statement, values).rowcount if most > 0 else 0
