"""The bids for a phase, in the order in which they arrived."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, insert, select
from sqlmodel import Session, SQLModel

from judge.store.tables import BidRow

_BIDS = SQLModel.metadata.tables[BidRow.__tablename__]


class FiledBid(NamedTuple):
    """A bid on file: the power, how many points, the province of the neutral, the line as it was written, and what its
    order means, in the JSON form of the rules.

    Without points, province and order it says that the power spends no more.
    """

    power: str
    points: int
    province: str
    text: str
    meaning: Mapping[str, Any] | None


def on_file(session: Session, phase_id: int) -> list[FiledBid]:
    """The bids for a phase, the first one first."""
    columns = select(*(_BIDS.c[name] for name in FiledBid._fields))
    rows = session.connection().execute(columns.where(_BIDS.c.phase_id == phase_id).order_by(_BIDS.c.id))
    return [FiledBid(*row) for row in rows]


def file(session: Session, phase_id: int, bids: Sequence[FiledBid], letter_id: int | None, now: datetime) -> None:
    """Put `bids` on file, after those that are there already."""
    rows = [{**bid._asdict(), "phase_id": phase_id, "letter_id": letter_id, "given_at": now} for bid in bids]
    if rows:
        session.connection().execute(insert(_BIDS), rows)


def withdraw(session: Session, phase_id: int, bids: Sequence[FiledBid]) -> None:
    """Take `bids` off the file."""
    rows = [{"phase": phase_id, "whose": bid.power, "what": bid.text} for bid in bids]
    which = (
        _BIDS.c.phase_id == bindparam("phase"), _BIDS.c.power == bindparam("whose"), _BIDS.c.text == bindparam("what")
    )
    if rows:
        session.connection().execute(delete(_BIDS).where(*which), rows)
