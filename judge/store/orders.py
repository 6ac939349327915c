"""What is on file for phases: orders, bids, votes, and lines for phases to come."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col, select

from judge.store.tables import BidRow, FutureLine, Game, OrderRow, Phase, Vote


def orders_on_file(session: Session, phase: Phase) -> Sequence[OrderRow]:
    """The orders for a phase, in the order in which their slots were first filled."""
    return session.exec(select(OrderRow).where(OrderRow.phase_id == phase.id).order_by(col(OrderRow.id))).all()


def bids_on_file(session: Session, phase: Phase) -> Sequence[BidRow]:
    """The bids for a phase, the first one first."""
    return session.exec(select(BidRow).where(BidRow.phase_id == phase.id).order_by(col(BidRow.id))).all()


def take_off_file(session: Session, rows: Iterable[OrderRow | BidRow]) -> None:
    """Delete these orders or bids, before others take their places."""
    session.flush()  # those that were given just now have no id before
    for row in rows:
        session.execute(delete(type(row)).where(col(type(row).id) == row.id))


def file_again(session: Session, rows: Iterable[OrderRow | BidRow], phase: Phase, now: datetime) -> None:
    """Put copies of these orders or bids, which were on file for another phase, on file for `phase`."""
    new = {"id": None, "phase_id": phase.id, "letter_id": None, "given_at": now}
    session.add_all(type(row)(**row.model_dump() | new) for row in rows)
    session.flush()


def votes_in(session: Session, phase: Phase) -> Sequence[Vote]:
    """The votes cast in `phase`."""
    return session.exec(select(Vote).where(Vote.phase_id == phase.id).order_by(col(Vote.id))).all()


def future_lines(session: Session, game: Game) -> Sequence[FutureLine]:
    """Return players' lines for future phases of `game`, in order of arrival."""
    return session.exec(select(FutureLine).where(FutureLine.game_id == game.id).order_by(col(FutureLine.id))).all()
