"""Which deadlines a letter may overtake: those of all games but its own.

When many games are due at once, a letter that came after their deadlines is not to wait until the last of them is
processed. Games share nothing but people, so it makes no difference to a game whether it is processed before or after
a letter about another one. A letter must find its own games, though, as they are after the deadlines that it came too
late for: what it reads shows which games these are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import event
from sqlmodel import Session

from judge.store.ids import id_of
from judge.store.tables import Phase


@contextmanager
def phases_met(session: Session, came_at: datetime, now: datetime) -> Iterator[list[int]]:
    """The ids of the open phases that are read in the block and whose moment is over at `now`, but was before
    `came_at`. Forgets all rows that the session has read before.
    """
    met: list[int] = []

    def note(_: object, row: object) -> None:
        if not isinstance(row, Phase) or row.processed_at or not row.rings_at or row.rings_at >= min(came_at, now):
            return
        if id_of(row) not in met:  # an object that nobody has any more is read, and becomes one, again
            met.append(id_of(row))

    session.expunge_all()
    event.listen(session, "loaded_as_persistent", note)
    try:
        yield met
    finally:
        event.remove(session, "loaded_as_persistent", note)
