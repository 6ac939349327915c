"""The orders given for a phase: one in each slot of a power; a later order replaces the earlier one."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Executable, String, bindparam, cast, delete, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, select

from judge.store.tables import OrderRow

_ORDERS = SQLModel.metadata.tables[OrderRow.__tablename__]
_THAT = (
    _ORDERS.c.phase_id == bindparam("phase"), _ORDERS.c.power == bindparam("whose"), _ORDERS.c.slot == bindparam("what")
)


def _replace(insert: postgresql.Insert | sqlite.Insert) -> Executable:
    changed = {name: insert.excluded[name] for name in ("text", "meaning", "letter_id", "given_at")}
    return insert.on_conflict_do_update(index_elements=["phase_id", "power", "slot"], set_=changed)


_FILE = {"postgresql": _replace(postgresql.insert(_ORDERS)), "sqlite": _replace(sqlite.insert(_ORDERS))}


class Filed(NamedTuple):
    """An order on file: its power, its slot (a province; "WAIVE 1"), the line in which it was written, and what it
    means, in the JSON form of the rules.
    """

    power: str
    slot: str
    text: str
    meaning: Mapping[str, Any]


def on_file(session: Session, phase_id: int) -> list[Filed]:
    """The orders for a phase, in the order in which their slots were first filled."""
    columns = select(_ORDERS.c.power, _ORDERS.c.slot, _ORDERS.c.text, cast(_ORDERS.c.meaning, String))
    rows = session.connection().execute(columns.where(_ORDERS.c.phase_id == phase_id).order_by(_ORDERS.c.id))
    return [Filed(power, slot, text, _meaning(meaning)) for power, slot, text, meaning in rows]


@lru_cache(maxsize=10_000)
def _meaning(text: str) -> Mapping[str, Any]:
    """Cached, since every letter for a phase reads all its orders; callers never change the result."""
    meaning: Mapping[str, Any] = json.loads(text)
    return meaning


def file(
    session: Session, phase_id: int, orders: Sequence[Filed], letter_id: int | None, now: datetime
) -> None:
    """Put `orders` on file; each replaces the order that was in its slot."""
    if not orders:
        return
    rows = [
        {**order._asdict(), "phase_id": phase_id, "letter_id": letter_id, "given_at": now} for order in orders
    ]
    session.connection().execute(_FILE[session.get_bind().dialect.name], rows)


def withdraw(session: Session, phase_id: int, orders: Sequence[Filed]) -> None:
    """Take `orders` off the file."""
    rows = [{"phase": phase_id, "whose": order.power, "what": order.slot} for order in orders]
    if rows:
        session.connection().execute(delete(_ORDERS).where(*_THAT), rows)


def understand_anew(session: Session, phase_id: int, orders: Sequence[Filed]) -> None:
    """Store the new meaning of `orders` that are already on file."""
    rows = [
        {"phase": phase_id, "whose": order.power, "what": order.slot, "means": order.meaning} for order in orders
    ]
    if rows:
        session.connection().execute(update(_ORDERS).where(*_THAT).values(meaning=bindparam("means")), rows)
