"""The orders on file for a phase: given, replaced, and what is still missing."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from sqlmodel import Session

from judge.games.bidbook import BidBook
from judge.games.boards import board
from judge.rules import Home, Need, Order, OrderError, format_order, needs, read_order
from judge.rules.phase import kind
from judge.store import orderfile
from judge.store.orderfile import Filed
from judge.store.tables import Game, Phase

# An order as it was written, and as it was understood.
Read = tuple[str, Order]
# A line that was not filed, and why.
Unused = tuple[str, str]
_HOME = Home("").slot


class OrderBook:
    """The orders of one phase, read once for a letter and kept in step with what is given in it."""

    def __init__(self, session: Session, game: Game, phase: Phase):
        self.phase = phase
        self.variant, self.position = board(game, phase)
        self._session = session
        self._filed = {(order.power, order.slot): order for order in orderfile.on_file(session, phase.id or 0)}
        self._needs = needs(self.variant, self.position)
        self._adjustments: dict[str, list[Read]] = {}

    @property
    def asked(self) -> Mapping[str, Need]:
        """{power: what the phase asks of it}, of those that have something to order."""
        return self._needs

    @cached_property
    def bids(self) -> BidBook:
        """The bids on file beside the orders."""
        return BidBook(self._session, self.variant, self.position, self.phase.id or 0)

    def given(self, power: str) -> list[Order]:
        """The orders of `power` as they stand, in the order in which they were first given."""
        texts = [order.text for order in self._filed.values() if order.power == power]
        return [read_order(self.variant, self.position, power, text) for text in texts]

    def all_given(self) -> dict[str, list[Order]]:
        """The orders of every power."""
        return {power: self.given(power) for power in dict.fromkeys(power for power, _ in self._filed)}

    def missing(self) -> dict[str, list[str]]:
        """What each power has still to order: units ("A PAR"), or in a winter "build" or "removal" so often, and
        "home center".
        """
        wanting = {power: self._missing(power, need) for power, need in self._needs.items()}
        return {power: things for power, things in wanting.items() if things}

    def _missing(self, power: str, need: Need) -> list[str]:
        if need.builds or need.homes:
            slots = [slot for whose, slot in self._filed if whose == power]
            homes = slots.count(_HOME)
            due = abs(need.builds) - (len(slots) - homes)
            return ["build" if need.builds > 0 else "removal"] * due + ["home center"] * (bool(need.homes) - homes)
        return [str(unit) for unit in need.units if (power, unit.province) not in self._filed]

    def give(self, power: str, read: Sequence[Read], letter_id: int | None, now: datetime) -> list[Unused]:
        """File one letter's orders; returns those that were not filed.

        In movement and retreats a later order for a unit replaces the earlier one. In a winter the letter's
        orders replace all earlier ones, and the first ones count up to what is due (DATC 4.D.4, 4.D.6); HOME replaces
        an earlier HOME and nothing else.
        """
        unused: list[Unused] = []
        if read and kind(self.phase.name) == "A":
            # What stands above a command and what stands below it are one letter's orders.
            whole = [*self._adjustments.get(power, ()), *read]
            read, unused = _first_due(self._needs.get(power, Need()), whole)
            slots = {order.slot for _, order in read}
            self._withdraw(power, lambda slot: slot in slots if slot == _HOME else bool(slots - {_HOME}))
            self._adjustments[power] = read
        new: dict[str, Filed] = {}
        for number, (_, order) in enumerate(read, start=1):
            slot = f"{order.slot} {number}" if order.slot == "WAIVE" else order.slot
            new[slot] = Filed(power, slot, format_order(order))
        orderfile.file(self._session, self.phase.id or 0, list(new.values()), letter_id, now)
        self._filed |= {(power, slot): order for slot, order in new.items()}
        return unused

    def withdraw(self, power: str, slot: str = "") -> int:
        """Take the orders of `power` off the file, or only the one for `slot`; how many there were."""
        count = self._withdraw(power, lambda other: slot in ("", other))
        kept = [read for read in self._adjustments.get(power, ()) if slot not in ("", read[1].slot)]
        self._adjustments[power] = kept
        return count

    def _withdraw(self, power: str, is_meant: Callable[[str], bool]) -> int:
        gone = [order for order in self._filed.values() if order.power == power and is_meant(order.slot)]
        orderfile.withdraw(self._session, self.phase.id or 0, gone)
        for order in gone:
            del self._filed[order.power, order.slot]
        return len(gone)

    def drop_impossible(self) -> dict[str, list[Unused]]:
        """Take off the file what cannot be carried out in the position as it is now; per power, each with the reason.

        In a winter those beyond what is due go too.
        """
        dropped: dict[str, list[Unused]] = {}
        for power in dict.fromkeys(power for power, _ in self._filed):
            filed = {order.slot: order.text for order in self._filed.values() if order.power == power}
            reasons = self._impossible(power, filed)
            if reasons:
                dropped[power] = [(filed[slot], why) for slot, why in reasons.items()]
            for slot in reasons:
                self.withdraw(power, slot)
        return dropped

    def _impossible(self, power: str, filed: Mapping[str, str]) -> dict[str, str]:
        """{slot: why its order cannot be carried out} of the orders on file that cannot."""
        reasons: dict[str, str] = {}
        read: list[Read] = []
        for slot, text in filed.items():
            try:
                read.append((slot, read_order(self.variant, self.position, power, text)))
            except OrderError as mistake:
                reasons[slot] = str(mistake)
        if kind(self.phase.name) == "A":
            reasons |= dict(_first_due(self._needs.get(power, Need()), read)[1])
        return reasons


def _first_due(need: Need, read: Sequence[Read]) -> tuple[list[Read], list[Unused]]:
    """The first orders of a winter that are due, and the rest with the reason."""
    due = abs(need.builds)
    used: list[Read] = []
    unused: list[Unused] = []
    taken: set[str] = set()
    what = "build" if need.builds >= 0 else "removal"
    for line, order in read:
        if order.slot == _HOME and order.slot in taken:
            unused.append((line, "An earlier line of this letter names a home center already."))
        elif order.slot == _HOME:
            taken.add(order.slot)
            used.append((line, order))
        elif order.slot in taken and order.slot != "WAIVE":
            unused.append((line, f"An earlier line of this letter has used {order.slot} already."))
        elif sum(other.slot != _HOME for _, other in used) == due:
            unused.append((line, f"You have {due} {what}{'' if due == 1 else 's'}; this line is one too many."))
        else:
            taken.add(order.slot)
            used.append((line, order))
    return used, unused
