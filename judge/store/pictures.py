"""The pictures in mails: what is to be drawn, stored once for all mails that show it."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlmodel import Session, SQLModel

from judge.store.states import PictureForm
from judge.store.tables import Picture

_PICTURES = SQLModel.metadata.tables["picture"]
_KNOWN = select(_PICTURES.c.id).where(_PICTURES.c.digest == bindparam("digest"))
_KEEP = insert(_PICTURES).returning(_PICTURES.c.id)


def keep(session: Session, scene: Mapping[str, Any], form: PictureForm, now: datetime) -> int:
    """The id of the picture of `scene` in that form; it is stored if it is new."""
    told = json.dumps([form, scene], sort_keys=True)
    digest = hashlib.sha256(told.encode()).hexdigest()
    connection = session.connection()
    known: int | None = connection.execute(_KNOWN, {"digest": digest}).scalar()
    if known is not None:
        return known
    row = {"digest": digest, "form": form, "scene": scene, "created_at": now}
    number: int = connection.execute(_KEEP, row).scalar_one()
    return number


def picture(session: Session, number: int) -> Picture:
    """The picture of that id."""
    return session.get_one(Picture, number)
