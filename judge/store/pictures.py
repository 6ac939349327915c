"""The pictures in mails: what is to be drawn, stored once for all mails that show it; and what was drawn, for a day, on
its way to the processes that send it.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, func, or_
from sqlmodel import Session, col, exists, select

from judge.store.hands import call
from judge.store.outbox import WAITING
from judge.store.rows import id_of
from judge.store.states import PictureForm
from judge.store.tables import Mail, Picture, Sheet

# How long a picture that could not be drawn is not tried again.
GIVEN_UP = timedelta(minutes=15)
# How long a picture stays on its way.
ON_ITS_WAY = timedelta(days=1)

_SETTLED = exists().where(
    col(Sheet.picture_id) == Picture.id,
    or_(col(Sheet.data).is_not(None), col(Sheet.drawn_at) > bindparam("failed_before")),
)
# Asks for the picture `id` as long as nobody has drawn it, or failed to after `failed_before`.
UNDRAWN = select(Picture.id).where(Picture.id == bindparam("id"), ~_SETTLED)
_WANTED = (
    select(Picture.id, func.count(col(Mail.letter_id)))
    .join(Mail)
    .where(*WAITING, col(Mail.next_try_at) <= bindparam("now"), ~_SETTLED)
    .group_by(col(Picture.id))
    .order_by(func.count(col(Mail.letter_id)).desc(), func.min(Mail.next_try_at), col(Picture.id))
)
_SHEETS = select(Sheet.part, Sheet.data).where(Sheet.picture_id == bindparam("picture")).order_by(col(Sheet.id))
_ON_THEIR_WAY = select(Sheet.picture_id, func.max(Sheet.drawn_at), func.count(col(Sheet.data))).group_by(
    col(Sheet.picture_id)
)


def keep(session: Session, scene: Mapping[str, Any], form: PictureForm, now: datetime) -> int:
    """The id of the picture of `scene` in that form; it is stored if it is new."""
    digest = hashlib.sha256(json.dumps([form, scene], sort_keys=True).encode()).hexdigest()
    known = session.exec(select(Picture.id).where(Picture.digest == digest)).first()
    if known is not None:
        return known
    new = Picture(digest=digest, form=form, scene=dict(scene), created_at=now)
    session.add(new)
    session.flush()
    return id_of(new)


def picture(session: Session, number: int) -> Picture:
    """The picture of that id."""
    return session.get_one(Picture, number)


def those(session: Session, numbers: Collection[int]) -> Sequence[Picture]:
    """The pictures of these ids."""
    return session.exec(select(Picture).where(col(Picture.id).in_(numbers))).all()


def wanted(session: Session, now: datetime) -> Sequence[tuple[int, int]]:
    """The pictures that mails wait for and that are not on their way, those of answers first, then the one that is
    wanted for the longest; with each how many answers wait for it.
    """
    rows = session.execute(_WANTED, {"now": now, "failed_before": now - GIVEN_UP})
    return [(number, answers) for number, answers in rows]


def hand_over(session: Session, picture_id: int, parts: Mapping[str, bytes | None], now: datetime) -> None:
    """What was drawn, by parts of the board; {"": None} if the picture could not be drawn."""
    session.execute(delete(Sheet).where(col(Sheet.picture_id) == picture_id))
    session.add_all([Sheet(picture_id=picture_id, part=part, data=data, drawn_at=now) for part, data in parts.items()])
    call(session)


def handed_over(session: Session) -> dict[int, datetime | None]:
    """The pictures on their way; for those that could not be drawn, when that was."""
    return {number: None if drawn else at for number, at, drawn in session.execute(_ON_THEIR_WAY)}


def sheets(session: Session, picture_id: int) -> dict[str, bytes]:
    """The parts of a picture that is on its way; none if it is not."""
    rows = session.execute(_SHEETS, {"picture": picture_id}).all()
    return {part: data for part, data in rows if data is not None}


def forget_sheets(session: Session, now: datetime) -> None:
    """Delete what has been on its way for long."""
    session.execute(delete(Sheet).where(col(Sheet.drawn_at) < now - ON_ITS_WAY))
