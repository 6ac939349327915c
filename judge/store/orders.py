"""What is on file for phases: orders, bids, votes, and lines for phases to come."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, delete, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, col, select

from judge.store.tables import FutureLine, Game, Phase, Vote

_ORDERS, _BIDS = SQLModel.metadata.tables["orders"], SQLModel.metadata.tables["bid"]


class Filed(NamedTuple):
    """An order on file: its power, slot (a province, or "WAIVE 1"), line as written, and meaning in the rules' JSON."""

    power: str
    slot: str
    text: str
    meaning: Mapping[str, Any]


class FiledBid(NamedTuple):
    """A bid on file: the power, its points, the neutral's province, the line as written, and what the order means.

    Without points, province and order it says that the power spends no more.
    """

    power: str
    points: int
    province: str
    text: str
    meaning: Mapping[str, Any] | None


def _replacing(new: Any) -> Any:
    """The statement of that database's own kind that files an order in place of the one in its slot."""
    changed = {name: new.excluded[name] for name in ("text", "meaning", "letter_id", "given_at")}
    return new.on_conflict_do_update(index_elements=["phase_id", "power", "slot"], set_=changed)


# Asked each time: to build a statement anew takes longer than to execute it.
_FILE = {"sqlite": _replacing(sqlite.insert(_ORDERS)), "postgresql": _replacing(postgresql.insert(_ORDERS))}
_ON_FILE = (
    select(*(_ORDERS.c[name] for name in Filed._fields))
    .where(_ORDERS.c.phase_id == bindparam("phase"))
    .order_by(_ORDERS.c.id)
)
_VOTES = select(Vote).where(Vote.phase_id == bindparam("phase")).order_by(col(Vote.id))
_FUTURE_LINES = select(FutureLine).where(FutureLine.game_id == bindparam("game")).order_by(col(FutureLine.id))


def orders_on_file(session: Session, phase_id: int) -> list[Filed]:
    """The orders for a phase, in the order in which their slots were first filled."""
    return [Filed(*row) for row in session.connection().execute(_ON_FILE, {"phase": phase_id})]


def file_orders(
    session: Session, phase_id: int, orders: Sequence[Filed], letter_id: int | None, now: datetime
) -> None:
    """Put `orders` on file; each replaces the order that was in its slot."""
    rows = [{**order._asdict(), "phase_id": phase_id, "letter_id": letter_id, "given_at": now} for order in orders]
    if rows:
        connection = session.connection()
        connection.execute(_FILE[connection.dialect.name], rows)


def withdraw_orders(session: Session, phase_id: int, orders: Sequence[Filed]) -> None:
    """Delete `orders` that are on file."""
    for order in orders:
        session.connection().execute(delete(_ORDERS).where(*_that(phase_id, order)))


def understand_anew(session: Session, phase_id: int, orders: Sequence[Filed]) -> None:
    """Store the new meaning of `orders` that are on file."""
    for order in orders:
        session.connection().execute(update(_ORDERS).where(*_that(phase_id, order)).values(meaning=order.meaning))


def _that(phase_id: int, order: Filed) -> tuple[ColumnElement[bool], ...]:
    return _ORDERS.c.phase_id == phase_id, _ORDERS.c.power == order.power, _ORDERS.c.slot == order.slot


def bids_on_file(session: Session, phase_id: int) -> list[FiledBid]:
    """The bids for a phase, the first one first."""
    columns = select(*(_BIDS.c[name] for name in FiledBid._fields)).where(_BIDS.c.phase_id == phase_id)
    return [FiledBid(*row) for row in session.connection().execute(columns.order_by(_BIDS.c.id))]


def file_bids(session: Session, phase_id: int, bids: Sequence[FiledBid], letter_id: int | None, now: datetime) -> None:
    """Put `bids` on file, after those that are there already."""
    rows = [{**bid._asdict(), "phase_id": phase_id, "letter_id": letter_id, "given_at": now} for bid in bids]
    if rows:
        session.connection().execute(_BIDS.insert(), rows)


def withdraw_bids(session: Session, phase_id: int, bids: Sequence[FiledBid]) -> None:
    """Delete `bids` that are on file."""
    for bid in bids:
        that = _BIDS.c.power == bid.power, _BIDS.c.text == bid.text
        session.connection().execute(delete(_BIDS).where(_BIDS.c.phase_id == phase_id, *that))


def votes_in(session: Session, phase: Phase) -> Sequence[Vote]:
    """The votes cast in `phase`."""
    return session.exec(_VOTES, params={"phase": phase.id}).all()


def future_lines(session: Session, game: Game) -> Sequence[FutureLine]:
    """Return players' lines for future phases of `game`, in order of arrival."""
    return session.exec(_FUTURE_LINES, params={"game": game.id}).all()
