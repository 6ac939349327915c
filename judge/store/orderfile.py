"""The orders given for a phase: one in each slot of a power, a later one in place of the earlier."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, select

from judge.store.tables import OrderRow

_ORDERS = SQLModel.metadata.tables[OrderRow.__tablename__]
# Made once: building a statement takes longer than running it.
_ON_FILE = (
    select(_ORDERS.c.power, _ORDERS.c.slot, _ORDERS.c.text)
    .where(_ORDERS.c.phase_id == bindparam("phase"))
    .order_by(_ORDERS.c.id)
)
_WITHDRAWN = delete(_ORDERS).where(
    _ORDERS.c.phase_id == bindparam("phase"), _ORDERS.c.power == bindparam("whose"), _ORDERS.c.slot == bindparam("what")
)


class Filed(NamedTuple):
    """An order on file: whose, for what (a province; "WAIVE 1"), and its text in normal form."""

    power: str
    slot: str
    text: str


def _replace(insert: type[sqlite.Insert] | type[postgresql.Insert]) -> sqlite.Insert | postgresql.Insert:
    new = insert(_ORDERS)
    changed = {name: new.excluded[name] for name in ("text", "letter_id", "given_at")}
    return new.on_conflict_do_update(index_elements=["phase_id", "power", "slot"], set_=changed)


_FILE = {"sqlite": _replace(sqlite.Insert), "postgresql": _replace(postgresql.Insert)}


def on_file(session: Session, phase_id: int) -> list[Filed]:
    """The orders for a phase, in the order in which their slots were first filled."""
    return [Filed(*row) for row in session.connection().execute(_ON_FILE, {"phase": phase_id})]


def file(
    session: Session, phase_id: int, orders: Sequence[Filed], letter_id: int | None, now: datetime
) -> None:
    """Put `orders` on file, each in place of what stood in its slot."""
    if not orders:
        return
    rows = [
        {**order._asdict(), "phase_id": phase_id, "letter_id": letter_id, "given_at": now} for order in orders
    ]
    connection = session.connection()
    connection.execute(_FILE[connection.dialect.name], rows)


def withdraw(session: Session, phase_id: int, orders: Sequence[Filed]) -> None:
    """Take `orders` off the file."""
    rows = [{"phase": phase_id, "whose": order.power, "what": order.slot} for order in orders]
    if rows:
        session.connection().execute(_WITHDRAWN, rows)
