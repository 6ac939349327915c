"""The pictures in mails, each stored once as a scene for all mails that show it.

A drawn picture is also kept in the database if the processes share no folder.
"""

import hashlib
import json
import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import case, delete, exists, insert, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, SQLModel, col, select

from judge.store.outbox import WAITING, picture_is_settled
from judge.store.rows import mend
from judge.store.states import PictureForm
from judge.store.tables import Mail, Picture, Sheet

log = logging.getLogger(__name__)

# The time after which a failed picture is tried again.
GIVEN_UP = timedelta(minutes=15)
# Missing pictures are counted among this many of the latest pictures.
LAST = 10
# The time for which a drawn picture stays in the database, for the processes that send it.
ON_ITS_WAY = timedelta(days=1)

_PICTURES = SQLModel.metadata.tables["picture"]


def keep(session: Session, scene: Mapping[str, Any], form: PictureForm, now: datetime) -> int:
    """Return the id of the picture of `scene` in that form. The picture is stored if it is new."""
    digest = _digest(form, scene)
    known: int | None = session.scalar(select(_PICTURES.c.id).where(_PICTURES.c.digest == digest))
    if known is not None:
        return known
    drawing = _digest(form, {key: value for key, value in scene.items() if key != "parts"})
    new = {"digest": digest, "drawing": drawing, "form": form, "scene": scene, "created_at": now}
    number: int = session.execute(insert(_PICTURES).returning(_PICTURES.c.id), new).scalar_one()
    return number


def _digest(form: PictureForm, scene: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps([form, scene], sort_keys=True).encode()).hexdigest()


def has_failed(picture: Picture, now: datetime) -> bool:
    """Return whether an attempt to draw the picture has failed lately."""
    return picture.failed_at is not None and picture.failed_at <= now < picture.failed_at + GIVEN_UP


def are_wanted(session: Session, beside: Collection[int]) -> bool:
    """Return whether mails wait for pictures other than those in `beside`."""
    waiting = select(Mail.id).where(*WAITING, Mail.waiting_for == "picture", col(Mail.picture_id).not_in(beside))
    return session.exec(waiting.limit(1)).first() is not None


def take(session: Session, by: str, now: datetime, most: int) -> Sequence[Picture]:
    """Take at most `most` pictures for the process `by` to draw, in the order their mails are sent.

    A picture is taken only if a mail waits for it and no process is drawing it. At most one picture of each drawing is
    taken.
    """
    in_hand = aliased(Picture)
    undrawn = (
        col(Picture.drawn_at).is_(None),
        or_(col(Picture.failed_at).is_(None), col(Picture.failed_at) < now - GIVEN_UP),
        ~exists().where(col(in_hand.drawing) == Picture.drawing, col(in_hand.taken_by).is_not(None)),
    )
    shown = select(Picture.drawing, Picture.id).join(Mail).where(*WAITING, Mail.waiting_for == "picture", *undrawn)
    found = session.exec(shown.order_by(col(Mail.next_try_at), col(Mail.id)).limit(20 * most)).all()
    first: dict[str, int | None] = {}
    for drawing, number in found:
        first.setdefault(drawing, number)
    numbers = [*first.values()][:most]
    free = select(Picture.id).where(col(Picture.id).in_(numbers), *undrawn).with_for_update(skip_locked=True)
    taken = _readable(session, sorted(session.exec(free), key=numbers.index), now)
    _change(session, taken, taken_by=by, taken_at=now)
    return taken


def missing(session: Session, now: datetime) -> Sequence[datetime | None]:
    """Return, for each of the day's latest pictures, when it was requested if it is missing, else None.

    A picture is missing if it could not be drawn, or if a mail has been sent without it. The newest comes first.
    """
    sent_without = exists().where(col(Mail.picture_id) == Picture.id, col(Mail.sent_at).is_not(None))
    came = or_(col(Picture.drawn_at).is_not(None), col(Picture.failed_at).is_not(None), sent_without)
    since = case((col(Picture.drawn_at).is_(None), Picture.created_at))
    last = select(since).where(col(Picture.created_at) > now - timedelta(days=1), came)
    return session.exec(last.order_by(col(Picture.created_at).desc()).limit(LAST)).all()


def others(session: Session, picture: Picture, now: datetime) -> Sequence[Picture]:
    """Return undrawn pictures that show other parts of the same drawing."""
    same = (Picture.drawing == picture.drawing, Picture.id != picture.id, col(Picture.drawn_at).is_(None))
    return _readable(session, session.exec(select(Picture.id).where(*same)).all(), now)


def _readable(session: Session, numbers: Sequence[int | None], now: datetime) -> list[Picture]:
    """Return the pictures with these ids, and set aside any whose row cannot be read."""
    found = []
    for number in numbers:
        try:
            picture = session.get_one(Picture, number, populate_existing=True)
            if not isinstance(picture.scene, dict):
                raise TypeError("the scene is not an object of JSON")
            found.append(picture)
        except Exception:
            set_aside(session, number, now)
    return found


def set_aside(session: Session, number: int | None, now: datetime) -> None:
    """Give up a picture whose row cannot be read.

    Mails with this picture are sent without it. If the same picture is wanted again, it gets a new row.
    """
    log.error("picture %d is set aside: its row in the database could not be read", number, exc_info=True)
    mend(session, Picture, number, now)
    name = f"unreadable {number}"
    row = update(_PICTURES).where(_PICTURES.c.id == number)
    session.execute(row.values(digest=name, drawing=name, scene={}, drawn_at=None, failed_at=now))
    picture_is_settled(session, number, now)


def settle(
    session: Session, picture: Picture, *, drawn_at: datetime | None = None, failed_at: datetime | None = None
) -> None:
    """Note that the picture was drawn, or that drawing failed.

    If neither time is given, the file is gone and the picture must be drawn again.
    """
    _change(session, [picture], taken_by=None, taken_at=None, drawn_at=drawn_at, failed_at=failed_at)


def put_back(session: Session, numbers: Sequence[int]) -> None:
    """Free pictures that were not drawn because this process is ending."""
    session.execute(update(Picture).where(col(Picture.id).in_(numbers)).values(taken_by=None, taken_at=None))


def lend(session: Session, picture: Picture, parts: Mapping[str, bytes], now: datetime) -> None:
    """Store the parts of a drawn picture, for the processes that send it."""
    session.execute(delete(Sheet).where(col(Sheet.picture_id) == picture.id))
    number = picture.key
    session.add_all([Sheet(picture_id=number, part=part, data=data, drawn_at=now) for part, data in parts.items()])


def borrowed(session: Session, picture: Picture) -> dict[str, bytes]:
    """Return the stored parts of a picture by name, or {} if there are none."""
    kept = select(Sheet.part, Sheet.data).where(Sheet.picture_id == picture.id).order_by(col(Sheet.id))
    return {part: data for part, data in session.exec(kept) if data is not None}


def forget_sheets(session: Session, now: datetime) -> None:
    """Delete drawn pictures that were stored long ago."""
    session.execute(delete(Sheet).where(col(Sheet.drawn_at) < now - ON_ITS_WAY))


def _change(session: Session, pictures: Sequence[Picture], **values: Any) -> None:
    which = _PICTURES.c.id.in_([picture.id for picture in pictures])
    session.execute(update(_PICTURES).where(which).values(values))
