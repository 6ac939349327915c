"""The pictures in mails: what is to be drawn, stored once for all mails that show it."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from judge.store.ids import id_of
from judge.store.states import PictureForm
from judge.store.tables import Picture


def keep(session: Session, scene: Mapping[str, Any], form: PictureForm, now: datetime) -> int:
    """The id of the picture of `scene` in that form; it is stored if it is new."""
    told = json.dumps([form, scene], sort_keys=True)
    digest = hashlib.sha256(told.encode()).hexdigest()
    known = session.exec(select(Picture.id).where(Picture.digest == digest)).first()
    if known is not None:
        return known
    picture = Picture(digest=digest, form=form, scene=dict(scene), created_at=now)
    session.add(picture)
    session.flush()
    return id_of(picture)


def picture(session: Session, number: int) -> Picture:
    """The picture of that id."""
    return session.get_one(Picture, number)
