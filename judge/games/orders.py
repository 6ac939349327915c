"""The orders on file for a phase: given, replaced, and what is still missing."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session

from judge.games.boards import board
from judge.rules import Need, Order, Position, Variant, format_order, needs, read_order
from judge.rules.phase import kind
from judge.store.lookups import orders_on_file
from judge.store.tables import OrderRow, Phase

# An order as it was written, and as it was understood.
Read = tuple[str, Order]
# A line that was not filed, and why.
Unused = tuple[str, str]


def on_file(session: Session, variant: str, phase: Phase) -> dict[str, list[Order]]:
    """The orders of every power for `phase`, as they stand."""
    rules, position = board(variant, phase)
    orders: dict[str, list[Order]] = {}
    for row in orders_on_file(session, phase):
        orders.setdefault(row.power, []).append(read_order(rules, position, row.power, row.text))
    return orders


def give(
    session: Session,
    variant: Variant,
    position: Position,
    phase: Phase,
    power: str,
    read: Sequence[Read],
    letter_id: int | None,
    now: datetime,
) -> list[Unused]:
    """File one letter's orders; returns those that were not filed.

    In movement and retreats a later order for a unit replaces the earlier one. In a winter the letter's
    orders replace all earlier ones, and the first ones count up to what is due (DATC 4.D.4, 4.D.6).
    """
    if not read:
        return []
    standing = {row.slot: row for row in orders_on_file(session, phase) if row.power == power}
    unused: list[Unused] = []
    if kind(phase.name) == "A":
        read, unused = _first_due(needs(variant, position).get(power, Need()), read)
        for row in standing.values():
            session.delete(row)
        session.flush()
        standing = {}
    for number, (_, order) in enumerate(read, start=1):
        slot = f"{order.slot} {number}" if order.slot == "WAIVE" else order.slot
        row = standing.get(slot)
        if row is None:
            row = standing[slot] = OrderRow(
                phase_id=phase.id, power=power, slot=slot, text="", letter_id=letter_id, given_at=now
            )
        row.text, row.letter_id, row.given_at = format_order(order), letter_id, now
        session.add(row)
    session.flush()
    return unused


def _first_due(need: Need, read: Sequence[Read]) -> tuple[list[Read], list[Unused]]:
    """The first orders of a winter that are due, and the rest with the reason."""
    due = abs(need.builds)
    used: list[Read] = []
    unused: list[Unused] = []
    taken: set[str] = set()
    what = "build" if need.builds >= 0 else "removal"
    for line, order in read:
        if order.slot in taken and order.slot != "WAIVE":
            unused.append((line, f"An earlier line of this letter has used {order.slot} already."))
        elif len(used) == due:
            unused.append((line, f"You have {due} {what}{'' if due == 1 else 's'}; this line is one too many."))
        else:
            taken.add(order.slot)
            used.append((line, order))
    return used, unused


def missing(variant: str, phase: Phase, orders: Mapping[str, Sequence[Order]]) -> dict[str, list[str]]:
    """What each power has still to order in `phase`: units ("A PAR"), or in a winter "build" or "removal" so often."""
    rules, position = board(variant, phase)
    wanting = {power: _missing(need, orders.get(power, ())) for power, need in needs(rules, position).items()}
    return {power: things for power, things in wanting.items() if things}


def _missing(need: Need, orders: Sequence[Order]) -> list[str]:
    if need.builds:
        return ["build" if need.builds > 0 else "removal"] * (abs(need.builds) - len(orders))
    ordered = {order.slot for order in orders}
    return [str(unit) for unit in need.units if unit.province not in ordered]
