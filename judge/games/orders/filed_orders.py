"""File orders for a phase, replace them, and find missing ones.

Orders are filed by their meaning, and no code here reads text.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlmodel import Session

from judge.games.core.board import board
from judge.games.core.settings import settings_of
from judge.games.orders.bids import FiledBids
from judge.rules import (
    NEUTRAL,
    Home,
    Need,
    Order,
    OrderError,
    Outcome,
    Remove,
    Waive,
    adjudicate,
    check_order,
    counted,
    format_order,
    kind,
    seats_asked,
    still_in,
)
from judge.rules.board.orders import order_from_json, order_to_json
from judge.rules.parsing.lines import OwnOrder, Reading, is_about_the_rest, own_orders
from judge.store.games import orders_on_file, take_off_file
from judge.store.seats import seats_of
from judge.store.tables import Game, OrderRow, Phase, Seat

# An order as read: the line, the power that the order is for, and its meaning.
Read = tuple[str, str, Order]
# A line that was not filed, and the reason.
Unused = tuple[str, str]
_HOME = Home("").slot


class FiledOrders:
    """The orders of one phase, read once for an email and updated with every order in it.

    Orders are on file for powers. `asked`, `given` and `missing` are about seats. A seat is a power or a group of
    powers.
    """

    def __init__(self, session: Session, game: Game, phase: Phase, seats: Sequence[Seat] | None = None):
        """Read the orders on file. `seats` are the seats of the game, if the caller has read them."""
        self.game, self.phase, self.kind = game, phase, kind(phase.name)
        self.variant, self.position = board(game, phase)
        self._session, self._seats = session, seats
        self._filed = {(order.power, order.slot): order for order in orders_on_file(session, phase)}
        self._adjustments: dict[str, list[Read]] = {}
        # {power: the winter orders of earlier emails that this email has replaced}.
        self.displaced: dict[str, list[Order]] = {}

    @cached_property
    def asked(self) -> Mapping[str, Mapping[str, Need]]:
        """Return {seat: {its power: the orders that the phase asks of it}}, for powers that have a choice."""
        return seats_asked(self.variant, self.position)

    def _need(self, power: str) -> Need:
        return self.asked.get(self.variant.seat_of(power), {}).get(power, Need())

    @cached_property
    def still_in(self) -> set[str]:
        """The powers or groups that are still in the game."""
        return still_in(self.variant, self.position)

    @cached_property
    def bids(self) -> FiledBids:
        """The bids on file for the same phase."""
        return FiledBids(self._session, self.variant, self.position, self.phase, self._ordered_neutrals)

    def _ordered_neutrals(self) -> set[str]:
        return {slot for power, slot in self._filed if power == NEUTRAL}

    def given(self, seat: str) -> list[Order]:
        """Return the current orders of the seat's powers, by power, in the order they were first given."""
        return [order for _, order in self.of_seat(seat)]

    def orders_of(self, power: str) -> list[Order]:
        """Return the orders of one power."""
        return [order_from_json(order.meaning) for order in self._rows_of(power)]

    def understood(self, seat: str, reading: Reading | OrderError, read: Sequence[Read]) -> list[OwnOrder]:
        """Return the orders that a reading means for this seat, each with its power. Raises OrderError.

        `read` has the earlier orders in the same email, which in a winter replace all orders on file.
        """
        if isinstance(reading, OrderError):
            raise reading
        given = []
        if is_about_the_rest(reading):
            given = [] if self.kind == "A" else self.of_seat(seat)
            given += [(power, order) for _, power, order in read]
        return own_orders(self.variant, self.position, seat, reading, given)

    def of_seat(self, seat: str) -> list[OwnOrder]:
        """Return the orders of the seat, each with its power."""
        return [(power, order) for power in self.variant.powers_of(seat) for order in self.orders_of(power)]

    def adjudicated(self) -> Outcome:
        """Return the outcome of the phase with the orders and bids on file."""
        orders = {power: self.orders_of(power) for power, _ in self._filed}
        return adjudicate(self.variant, self.position, orders, self.bids.all_given())

    def missing(self) -> Mapping[str, list[str]]:
        """Return {seat: the orders that it still owes}, without powers in permanent civil disorder.

        An item is a unit ("A PAR"), or in a winter "build" or "removal", once for each, or "home center".
        """
        lost = settings_of(self.game).disorder
        wanting = {
            seat: [thing for power in asked for thing in self.missing_of(power)]
            for seat, asked in self.asked.items()
            if seat not in lost
        }
        return {seat: things for seat, things in wanting.items() if things}

    def awaited(self) -> Mapping[str, list[str]]:
        """Return the missing orders for which the phase waits, which under NMR are those of seats with a player."""
        missing = self.missing()
        if not (missing and settings_of(self.game).nmr):
            return missing
        held = {seat.power for seat in self._sitting()}
        return {seat: things for seat, things in missing.items() if seat in held}

    def late(self, now: datetime) -> Mapping[str, list[str]]:
        """Return the missing orders of late seats, or none while the phase waits for its master."""
        return self.awaited() if self.is_past_deadline(now) else {}

    def is_past_deadline(self, now: datetime) -> bool:
        """Return whether the deadline has passed.

        It does not pass while the game is paused. With MANUALPROCESS the phase waits for its master, not for players.
        """
        stands = self.game.state == "paused" or settings_of(self.game).manual_process
        return not stands and now >= self.phase.deadline_at

    @property
    def is_idle(self) -> bool:
        """Return whether the phase waits for no one, so that it is processed as soon as it opens.

        A movement phase with units is not idle.
        """
        return not self.awaited() and (self.kind != "M" or not self.missing())

    def waits(self) -> list[Seat]:
        """Return the seats of the masters, and of the players who are still in the game, who have set WAIT."""
        waiting = (seat for seat in self._sitting() if seat.waits)
        return [seat for seat in waiting if not seat.power or seat.power in self.still_in]

    def _sitting(self) -> list[Seat]:
        """Return the seats that still have people. Since `seats` was read, some people may have left."""
        seats = seats_of(self._session, self.game) if self._seats is None else self._seats
        return [seat for seat in seats if not seat.left_at]

    def missing_of(self, power: str) -> list[str]:
        """Return the missing orders of one power."""
        need = self._need(power)
        if need.builds or need.homes:
            slots = [slot for whose, slot in self._filed if whose == power]
            homes = slots.count(_HOME)
            due = abs(need.builds) - (len(slots) - homes)
            missing = ["build" if need.builds > 0 else "removal"] * due
            return [*missing, "home center"] if need.homes and not homes else missing
        return [str(unit) for unit in need.units if (power, unit.province) not in self._filed]

    def give(self, read: Sequence[Read], letter_id: int | None, now: datetime) -> list[Unused]:
        """File the orders of one email, and return those that were not filed.

        In movement and retreats, a later order for a unit replaces the earlier one. In a winter, the orders of an email
        for a power replace all earlier ones. Only as many as are due are filed (DATC 4.D.4, 4.D.6). HOME replaces only
        an earlier HOME.
        """
        unused: list[Unused] = []
        gone: dict[str, list[str]] = {}
        if read and self.kind == "A":
            read, unused, gone = self._winter(read)
        numbers: Counter[str] = Counter()
        for line, power, order in read:
            numbers[power] += 1
            slot = f"{order.slot} {numbers[power]}" if order.slot == "WAIVE" else order.slot
            new: dict[str, Any] = {"text": line.strip(), "meaning": order_to_json(order)}
            new |= {"letter_id": letter_id, "given_at": now, "displaced": gone.pop(power, [])}
            if earlier := self._filed.get((power, slot)):
                earlier.sqlmodel_update(new)
            else:
                self._filed[power, slot] = OrderRow(phase_id=self.phase.key, power=power, slot=slot, **new)
                self._session.add(self._filed[power, slot])
        return unused

    def displaced_by_now(self, power: str) -> list[str]:
        """Return the power's replaced winter orders, in normal form, except those that are on file again."""
        on_file = {self.written(power, order) for order in self.orders_of(power)}
        gone = (text for row in self._rows_of(power) for text in row.displaced)
        return [text for text in dict.fromkeys(gone) if text not in on_file]

    def with_displaced(self, power: str) -> list[str]:
        """Return the orders replaced by this letter and those on file, as lines, or none if they are too many.

        A replaced order is not included if its center or unit has a different order on file.
        """
        given = self.orders_of(power)
        ordered = {order.slot for order in given} - {"WAIVE"}
        earlier = [order for order in self.displaced[power] if order.slot not in ordered]
        lines = [(self.written(power, order), power, order) for order in (*earlier, *given)]
        _, beyond = _first_due(power, self._need(power), lines)
        return [line for line, _, _ in lines] if earlier and not beyond else []

    def written(self, power: str, order: Order) -> str:
        """Return the line for an order of the power. WAIVE names the power of a player who has several."""
        line = format_order(order)
        return f"{line} {power}" if isinstance(order, Waive) and self.variant.in_group(power) else line

    def _winter(self, read: Sequence[Read]) -> tuple[list[Read], list[Unused], dict[str, list[str]]]:
        """Return the winter orders of an email that are filed, those that are not, and the replaced ones.

        The third value is {power: replaced orders, and the orders that these had replaced, in normal form}. The
        replaced orders are deleted.
        """
        used = []
        unused = []
        gone: dict[str, list[str]] = {}
        for power in dict.fromkeys(power for _, power, _ in read):
            # The orders before and after a command in one email are treated together.
            whole = [*self._adjustments.get(power, ()), *(one for one in read if one[1] == power)]
            due, beyond = _first_due(self.variant.holder(power), self._need(power), whole)
            slots = {order.slot for _, _, order in due}
            # Only HOME replaces HOME. Any other order replaces all orders but HOME.
            replaced = {slot for whose, slot in self._filed if whose == power and slot != _HOME and slots - {_HOME}}
            gone[power] = self._displace(power, replaced | (slots & {_HOME}), [*whole, *due])
            self._adjustments[power] = due
            used += due
            unused += beyond
        return used, unused, gone

    def _displace(self, power: str, slots: Container[str], own: Sequence[Read]) -> list[str]:
        """Delete the orders of these slots, and return them as text, except those that the email has itself (`own`)."""
        of_letter = {order for _, _, order in own}
        gone = []
        for row in self._rows_of(power):
            if row.slot not in slots:
                continue
            order = order_from_json(row.meaning)
            gone += row.displaced
            if order not in of_letter:
                gone.append(self.written(power, order))
                self.displaced.setdefault(power, []).append(order)
        self._take_off(power, slots)
        return gone

    def _rows_of(self, power: str) -> list[OrderRow]:
        return [row for (whose, _), row in self._filed.items() if whose == power]

    def withdraw(self, seat: str, slot: str = "") -> list[str]:
        """Delete the orders of the seat's powers, or only the order for `slot`.

        Returns the deleted orders in normal form.
        """
        return [text for power in self.variant.powers_of(seat) for text in self._withdraw(power, slot)]

    def _withdraw(self, power: str, slot: str) -> list[str]:
        kept = [read for read in self._adjustments.get(power, ()) if slot not in ("", read[2].slot)]
        self._adjustments[power] = kept
        return self._take_off(power, {other for whose, other in self._filed if slot in ("", other)})

    def _take_off(self, power: str, slots: Container[str]) -> list[str]:
        gone = [order for order in self._rows_of(power) if order.slot in slots]
        take_off_file(self._session, gone)
        for order in gone:
            del self._filed[order.power, order.slot]
        return [_normal(order) for order in gone]

    def drop_impossible(self) -> dict[str, list[Unused]]:
        """Delete orders that cannot be carried out in the current position.

        Returns the deleted orders by seat, each in normal form with the reason. In a winter, orders beyond what is due
        are also deleted. The other orders are adapted to the units as they are now. An order for an army, for example,
        becomes one for the fleet that is there instead (DATC 4.C.2).
        """
        dropped: dict[str, list[Unused]] = {}
        for power in dict.fromkeys(power for power, _ in self._filed):
            filed = {order.slot: order for order in self._rows_of(power)}
            for slot, why in self._impossible(power, filed).items():
                dropped.setdefault(self.variant.seat_of(power), []).append((_normal(filed[slot]), why))
                self._withdraw(power, slot)
        return dropped

    def _impossible(self, power: str, filed: Mapping[str, OrderRow]) -> dict[str, str]:
        """Return {slot: why its order cannot be carried out}.

        Possible orders are filed again if the units now give them another meaning.
        """
        reasons: dict[str, str] = {}
        checked = []
        for slot, order in filed.items():
            try:
                given = order_from_json(order.meaning)
                checked.append((slot, power, check_order(self.variant, self.position, power, given)))
            except OrderError as mistake:
                reasons[slot] = str(mistake)
        if self.kind == "A":
            reasons |= dict(_first_due(self.variant.holder(power), self._need(power), checked)[1])
        for slot, _, meant in checked:
            filed[slot].meaning = order_to_json(meant)
        return reasons


def _normal(order: OrderRow) -> str:
    return format_order(order_from_json(order.meaning))


def _first_due(holder: str, need: Need, read: Sequence[Read]) -> tuple[list[Read], list[Unused]]:
    """Return the first winter orders, as many as are due, and the other ones, each with the reason.

    `holder` is "You have", or for example "China has".
    """
    due = abs(need.builds)
    used: list[Read] = []
    unused = []
    taken: set[str] = set()
    what = "build" if need.builds >= 0 else "removal"

    def why_not(order: Order) -> str:
        if order.slot == _HOME:
            return "An earlier line of this email already names a home center." if _HOME in taken else ""
        if order.slot in taken - {"WAIVE"}:
            return f"An earlier line of this email already uses {order.slot}."
        if isinstance(order, Remove) and not need.builds:
            return "All your units will be removed in this phase, so there is nothing to choose."
        if order.slot in need.claims and not taken.isdisjoint(need.claims):
            return "An earlier line of this email already names the additional home center."
        if sum(other.slot != _HOME for _, _, other in used) == due:
            return f"{holder} {counted(due, what)}. This line is one too many."
        return ""

    for line, power, order in read:
        if why := why_not(order):
            unused.append((line, why))
        else:
            taken.add(order.slot)
            used.append((line, power, order))
    return used, unused
