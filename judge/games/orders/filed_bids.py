"""The bids on file for a phase: given letter by letter, replaced, and what each power has left to spend.

A line that is visibly wrong is refused at once; the sum is checked after the whole letter, and if it is more than
the power has, nothing of the letter is stored (rulings, "Diplomacy Points" 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlmodel import Session

from judge.games.orders.bid_lines import BidLine, understood
from judge.rules import NEUTRAL, Bid, Order, OrderError, Position, Unread, Variant, check_bid, income
from judge.rules.board.names import counted
from judge.rules.board.orders import order_from_json, order_to_json
from judge.rules.board.phase import kind
from judge.rules.describe import wrong_letters
from judge.store.orders import FiledBid, bids_on_file, file_bids, withdraw_bids

# A line, and the judge's remark on it.
Said = tuple[str, str]


@dataclass
class Taken:
    """The result of a letter's lines.

    `refused`: lines with the reason; `notes`: remarks on others; `stored` is false if they `spend` more points than the
    power has.
    """

    refused: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)
    stored: bool = True
    spend: int = 0


class FiledBids:
    """The bids of one phase, read once for a letter and kept in step with what is given in it."""

    def __init__(self, session: Session, variant: Variant, position: Position, phase_id: int):
        self._session, self._variant, self._position, self._phase_id = session, variant, position, phase_id
        self._filed = bids_on_file(session, phase_id) if variant.points else []

    def given(self, power: str) -> list[Bid]:
        """The bids of `power` as they stand, in the order in which they were given."""
        return [_bid(filed) for filed in self._filed if filed.power == power and filed.points]

    def all_given(self) -> dict[str, list[Bid]]:
        """The bids of every power."""
        return {power: self.given(power) for power in dict.fromkeys(filed.power for filed in self._filed)}

    def income(self, power: str) -> int:
        """The points that `power` has in this phase."""
        return income(self._variant, self._position, power)

    def spent(self, power: str) -> int:
        """The points that stand behind its bids."""
        return sum(bid.points for bid in self.given(power))

    def declined(self, power: str) -> bool:
        """Whether `power` has said that it spends no more."""
        return any(filed.power == power and not filed.points for filed in self._filed)

    def undecided(self, power: str) -> int:
        """The points that `power` may still spend: a phase does not end early while there are any."""
        if self.declined(power) or not self._position.units.get(NEUTRAL):
            return 0
        return max(0, self.income(power) - self.spent(power))

    def give(self, power: str, lines: Sequence[BidLine], letter_id: int | None, now: datetime) -> Taken:
        """File the lines of one letter.

        The lines for a neutral replace those of earlier letters for it, unless all of them are refused. Within the
        letter, lines with different orders stand side by side, and lines with the same order add up.
        """
        before = [filed for filed in self._filed if filed.power == power]
        letter = _Letter(self._variant, self._position, power, self.given(power))
        for line in lines:
            letter.read(line)
        letter.take_all()
        if letter.spent > self.income(power) and letter.bids:
            return Taken(letter.refused, stored=False, spend=letter.spent)
        if letter.counts:
            # A bid that is unchanged keeps its place and its text.
            stood = {_bid(filed): filed for filed in before if filed.points}
            after = [stood.get(bid) or letter.filed(bid) for bid in letter.standing]
            after += [FiledBid(power, 0, "", "", None)] * letter.declines
            gone = [filed for filed in before if filed not in after]
            new = [filed for filed in after if filed not in before]
            withdraw_bids(self._session, self._phase_id, gone)
            file_bids(self._session, self._phase_id, new, letter_id, now)
            self._filed = [filed for filed in self._filed if filed not in gone] + new
        return Taken(letter.refused, letter.notes, spend=letter.spent)

    def withdraw(self, power: str) -> None:
        """Take everything that `power` has said about its points off the file."""
        gone = [filed for filed in self._filed if filed.power == power]
        withdraw_bids(self._session, self._phase_id, gone)
        self._filed = [filed for filed in self._filed if filed.power != power]

    def drop_impossible(self) -> dict[str, list[Said]]:
        """Take bids off the file that make no sense in the current position.

        Returns them per power, each with the reason.
        """
        dropped: dict[str, list[Said]] = {}
        for power in dict.fromkeys(filed.power for filed in self._filed if filed.points):
            standing: list[Bid] = []
            has = self.income(power)
            for filed in [filed for filed in self._filed if filed.power == power and filed.points]:
                bid = _bid(filed)
                try:
                    check_bid(self._variant, self._position, power, bid, standing)
                    if sum(other.points for other in standing) + bid.points > has:
                        raise OrderError(f"{power} has only {counted(has, 'point')} now.")
                    standing.append(bid)
                except OrderError as mistake:
                    dropped.setdefault(power, []).append((f"DP {bid.points}: {bid.text}", str(mistake)))
                    withdraw_bids(self._session, self._phase_id, [filed])
                    self._filed.remove(filed)
        return dropped


def _bid(filed: FiledBid) -> Bid:
    assert filed.meaning
    return Bid(filed.points, order_from_json(filed.meaning))


class _Letter:
    """The lines of one letter: read, then taken one after the other; `standing` is what is on file after them."""

    def __init__(self, variant: Variant, position: Position, power: str, earlier: Sequence[Bid]):
        self._variant, self._position, self._power = variant, position, power
        self._earlier = list(earlier)
        self.standing = list(earlier)
        self.said: list[tuple[BidLine, Bid | None]] = []
        self.refused: list[Said] = []
        self.notes: list[Said] = []
        self._slips: list[Said] = []  # on lines in which a unit has the wrong letter
        self._counted: set[str] = set()  # the neutrals of which a line counts
        self._lines: dict[Order | Unread, str] = {}

    @property
    def spent(self) -> int:
        """The points of all bids that would be on file after the letter."""
        return sum(bid.points for bid in self.standing)

    @property
    def bids(self) -> bool:
        """Whether the letter bids any points."""
        return any(bid and bid.points for _, bid in self.said)

    @property
    def counts(self) -> bool:
        """Whether at least one line is not refused."""
        return bool(self._counted) or any(line.verb != "bid" for line, _ in self.said)

    @property
    def declines(self) -> bool:
        """Whether the letter says that no more points are spent."""
        return any(line.verb == "none" for line, _ in self.said)

    def read(self, line: BidLine) -> None:
        """Read one line by itself; it is refused if its order is impossible."""
        try:
            bid = self._bid(line)
        except OrderError as mistake:
            self.refused.append((line.text, str(mistake)))
            return
        self.said.append((line, bid))
        if bid:
            self._lines.setdefault(bid.order, line.text.strip())

    def filed(self, bid: Bid) -> FiledBid:
        """A bid of this letter as it goes on file, with the first line that was written for its order."""
        assert not isinstance(bid.order, Unread)
        return FiledBid(self._power, bid.points, bid.order.slot, self._lines[bid.order], order_to_json(bid.order))

    def _bid(self, line: BidLine) -> Bid | None:
        meaning = understood(self._variant, kind(self._position.phase), line).meaning
        if meaning is None:
            return None
        bid = Bid(line.points, meaning)
        if not bid.points:
            return bid
        checked = check_bid(self._variant, self._position, self._power, bid)
        assert not isinstance(checked.order, Unread)
        if wrong := wrong_letters(self._variant, meaning, checked.order):
            self._slips.append((line.text, wrong))
        return checked

    def take_all(self) -> None:
        """Remove earlier bids for the neutrals that this letter names; then apply its lines one after the other.

        If all its lines for a neutral are refused, the earlier bids for that neutral are restored, and they may
        conflict with other lines: so all lines are applied again, once for each such neutral (only few had a bid).
        """
        refused = list(self.refused)
        named = {bid.order.slot for _, bid in self.said if bid}
        in_vain: dict[str, str] = {}
        while True:
            self.refused, self.notes, self._counted = list(refused), list(self._slips), set()
            self.standing = [bid for bid in self._earlier if bid.order.slot not in named]
            why = self._take_lines(in_vain)
            lost = {bid.order.slot for bid in self._earlier if bid.order.slot in named} - self._counted
            if not lost:
                return
            named -= lost
            in_vain |= {slot: why[slot] for slot in lost}

    def _take_lines(self, in_vain: Mapping[str, str]) -> dict[str, str]:
        """Apply the lines one by one, and refuse those for the neutrals in `in_vain`.

        Returns {slot: why one of its lines was refused}.
        """
        why = dict(in_vain)
        for line, bid in self.said:
            if line.verb == "clear":
                self.standing = []
                # The player's own line has removed the earlier bids.
                self._counted |= {earlier.order.slot for earlier in self._earlier}
            elif bid and bid.order.slot in in_vain:
                self.refused.append((line.text, in_vain[bid.order.slot]))
            elif bid and bid.points:
                refusal = self._count(line, bid)
                if refusal:
                    why[bid.order.slot] = refusal
                    self.refused.append((line.text, refusal))
            elif bid:
                here = bid.order.slot
                there = any(other.order.slot == here for other in (*self._earlier, *self.standing))
                self._counted.add(here)
                self.standing = [other for other in self.standing if other.order.slot != here]
                said = "taken back." if there else f"you had no bids for {self._name(here)}."
                self.notes.append((line.text, said))
        return why

    def _count(self, line: BidLine, bid: Bid) -> str:
        """Add the bid's points to those of earlier lines of the letter for its order.

        Returns why that is impossible, "" if it is not.
        """
        others = [other for other in self.standing if other.order != bid.order]
        here = bid.order.slot
        points = bid.points + sum(other.points for other in self.standing if other.order == bid.order)
        try:
            whole = check_bid(self._variant, self._position, self._power, replace(bid, points=points), others)
        except OrderError as mistake:
            return str(mistake)
        self.standing = [*others, whole]
        self._counted.add(here)
        if points > bid.points:
            self.notes.append((line.text, f"the same order again: {points} points in total."))
            return ""
        replaced = any(other.order.slot == here and other != bid for other in self._earlier)
        if replaced and sum(other.order.slot == here for other in self.standing) == 1:
            self.notes.append((line.text, f"this replaces your earlier bids for {self._name(here)}."))
        return ""

    def _name(self, province: str) -> str:
        return self._variant.provinces[province].name
