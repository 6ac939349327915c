"""A second adjudicator of movement, written for being obviously right: it tries every outcome.

Given who moves and who does not, the rulebook's definitions say which moves would succeed. An outcome is
consistent when they say the same. With a handful of moves all outcomes can be tried; nothing here is shared
with the engine but the variant's lists of borders and the order types. Strength is counted in halves: a unit and
a support are worth 2, a unit that comes over a border of half strength 1, over a difficult one 0; one that does not
come or is not there is weaker than that. Neutral units are stationary, each for
itself: no outcome in which one of them moves is tried; what it does to others is what any unit's failed move does.
"""

from collections.abc import Collection, Iterator, Mapping

from judge.rules import Convoy, Move, Order, Position, Support, Variant

ABSENT = -1


def province(place: str) -> str:
    return place.partition("/")[0]


class Reference:
    """The legal orders of one movement phase, {province: order}; a unit without one holds."""

    def __init__(self, variant: Variant, position: Position, orders: Mapping[str, Order]):
        self.variant = variant
        self.power = {
            unit.province: f"the neutral of {unit.province}" if power == "Neutral" else power
            for power, units in position.units.items()
            for unit in units
        }
        self.stationary = {unit.province for unit in position.units.get("Neutral", ())}
        self.orders = orders
        self.far = {frozenset(pair) for pair in variant.board.crossing.borders}
        self.difficult = variant.board.crossing.leaves_nothing
        self.moves = {at: order for at, order in orders.items() if isinstance(order, Move)}
        # Asked for again with each outcome that is tried.
        self.goal = {at: province(move.to) for at, move in self.moves.items()}
        self.free = self.moves.keys() - self.stationary
        self.rivals = {
            at: [other for other in self.moves if other != at and self.goal[other] == goal]
            for at, goal in self.goal.items()
        }
        self.supporters = {at: list(self._supporters(at)) for at in self.power}
        self.by_sea = {at for at, move in self.moves.items() if self._goes_by_sea(at, move)}
        self.fleets = {at: self._fleets(at) for at in self.by_sea}
        self.round = {at for at, goal in self.goal.items() if at not in self.by_sea and {at, goal} in self.far}
        self.facing = {
            at: goal for at, goal in self.goal.items() if self.goal.get(goal) == at and not {at, goal} & self.by_sea
        }

    # --- what the orders are ---------------------------------------------------------------------------------

    def touches(self, land: str, sea: str, no_detour: bool = False) -> bool:
        beside = land in map(province, self.variant.provinces[sea].fleet[""])
        return beside and not (no_detour and {land, sea} in self.far)

    def detours(self, at: str) -> bool:
        """Whether the move itself crosses a border that weakens it."""
        return at in self.round

    def _goes_by_sea(self, at: str, move: Move) -> bool:
        if move.unit.kind == "F":
            return False
        own_fleet = any(
            isinstance(order, Convoy)
            and (province(order.army.place), province(order.to)) == (at, province(move.to))
            and self.power[fleet] == self.power[at]
            for fleet, order in self.orders.items()
        )
        return move.via or own_fleet or province(move.to) not in self.variant.provinces[at].army

    def _fleets(self, at: str) -> set[str]:
        """The fleets that are ordered to convoy the army's move."""
        goal = self.goal[at]
        return {
            fleet
            for fleet, order in self.orders.items()
            if isinstance(order, Convoy) and (province(order.army.place), province(order.to)) == (at, goal)
        }

    def _supporters(self, at: str) -> Iterator[str]:
        """Who supports the unit in what it does: its move, or where it stands."""
        move = self.moves.get(at)
        for giver, order in self.orders.items():
            if isinstance(order, Support) and province(order.helped.place) == at:
                if move and order.to and province(order.to) == province(move.to):
                    if "/" not in order.to or order.to == move.to:
                        yield giver
                elif not move and not order.to:
                    yield giver

    # --- what follows, if exactly `moved` move and the convoys of `broken` are stopped ------------------------------

    def route(self, at: str, moved: Collection[str], broken: Collection[str], no_detour: bool = False) -> bool:
        if at not in self.by_sea:
            return True
        if at in broken:
            return False
        goal = self.goal[at]
        afloat = {fleet for fleet in self.fleets[at] if not self.invaded(fleet, moved)}
        reached = {fleet for fleet in afloat if self.touches(at, fleet, no_detour)}
        while True:
            more = {
                fleet for fleet in afloat - reached if any(self.touches(fleet, other, no_detour) for other in reached)
            }
            if not more:
                return any(self.touches(goal, fleet, no_detour) for fleet in reached)
            reached |= more

    def invaded(self, at: str, moved: Collection[str]) -> bool:
        return any(self.goal[source] == at for source in moved)

    def support_stands(
        self, giver: str, moved: Collection[str], broken: Collection[str], pressed: Collection[str] | None = None
    ) -> bool:
        """`pressed`: the moves over difficult borders that cut support, if they are not to be found out."""
        if pressed is None:
            pressed = self.pressed(moved, broken)
        order = self.orders[giver]
        assert isinstance(order, Support)
        against = province(order.to or order.helped.place)
        for source, goal in self.goal.items():
            if goal == giver and self.power[source] != self.power[giver]:
                if source in moved:
                    return False
                if source == against:
                    continue
                if source in pressed or (not self.detours(source) and self.route(source, moved, broken)):
                    return False
        return True

    def pressed(self, moved: Collection[str], broken: Collection[str]) -> set[str]:
        """The moves over difficult borders that cut support, since they are surely supported themselves: however many
        of the others cut. What goes round in a circle is not sure.
        """
        surely: set[str] = set()
        maybe = {at for at in self.moves if self.difficult and self.detours(at)}
        while True:
            now = [{at for at in maybe if self._helped(at, moved, broken, others)} for others in (maybe, surely)]
            if now == [surely, maybe]:
                return surely
            surely, maybe = now

    def _helped(self, at: str, moved: Collection[str], broken: Collection[str], pressed: Collection[str]) -> bool:
        """Whether the move has a support that counts against the unit where it goes, if exactly `pressed` cut."""
        return any(
            self.support_stands(helper, moved, broken, pressed)
            for helper in self.supporters[at]
            if self.power[helper] != self.power.get(self.goal[at])
        )

    def support(self, at: str, moved: Collection[str], broken: Collection[str], without: str = "") -> int:
        givers = self.supporters[at]
        return (
            2 * sum(self.power[giver] != without and self.support_stands(giver, moved, broken) for giver in givers)
            if givers
            else 0
        )

    def weight(self, at: str, moved: Collection[str], broken: Collection[str]) -> int:
        """What the moving unit itself is worth."""
        goal = self.goal[at]
        if at in self.by_sea:
            ashore = any(goal in pair for pair in self.far) and not self.difficult
            return 1 if ashore and not self.route(at, moved, broken, no_detour=True) else 2
        return (0 if self.difficult else 1) if self.detours(at) else 2

    def head_to_head(self, at: str) -> str:
        """Where the unit comes from that moves the other way, neither by convoy; "" if none does."""
        return self.facing.get(at, "")

    def attack(self, at: str, moved: Collection[str], broken: Collection[str]) -> int:
        goal = self.goal[at]
        if not self.route(at, moved, broken):
            return ABSENT
        defended = goal in self.power and (goal not in moved or self.head_to_head(at) == goal)
        weight = self.weight(at, moved, broken)
        if not defended:
            return weight + self.support(at, moved, broken)
        if self.power[goal] == self.power[at]:
            return ABSENT
        return weight + self.support(at, moved, broken, without=self.power[goal])

    def prevention(self, at: str, moved: Collection[str], broken: Collection[str]) -> int:
        if not self.route(at, moved, broken) or self.head_to_head(at) in moved:
            return ABSENT
        return self.weight(at, moved, broken) + self.support(at, moved, broken)

    def resistance(self, at: str, moved: Collection[str], broken: Collection[str]) -> int:
        goal = self.goal[at]
        if self.head_to_head(at):
            return self.weight(goal, moved, broken) + self.support(goal, moved, broken)
        if goal not in self.power or goal in moved:
            return ABSENT
        return 2 if goal in self.moves else 2 + self.support(goal, moved, broken)

    def succeeds(self, at: str, moved: Collection[str], broken: Collection[str]) -> bool:
        strength = self.attack(at, moved, broken)
        if strength <= self.resistance(at, moved, broken):
            return False
        rivals = self.rivals[at]
        return not rivals or all(strength > self.prevention(rival, moved, broken) for rival in rivals)

    def is_consistent(self, moved: Collection[str], broken: Collection[str] = ()) -> bool:
        if not self.free.issuperset(moved):
            return False
        for at in self.free:  # noqa: SIM110  # a generator would take a good part of the time
            if self.succeeds(at, moved, broken) != (at in moved):
                return False
        return True

    def contested(self, moved: Collection[str], broken: Collection[str] = ()) -> set[str]:
        """Provinces that are empty afterwards, and that somebody tried in vain to enter."""
        staying = self.power.keys() - moved
        taken = {self.goal[at] for at in moved}
        return {
            goal
            for at in self.moves.keys() - moved
            if (goal := self.goal[at]) not in staying | taken and self.prevention(at, moved, broken) > ABSENT
        }

    def outcomes(self, broken: Collection[str] = ()) -> list[frozenset[str]]:
        """Every consistent outcome, as the set of the provinces whose units move."""
        free = [at for at in self.moves if at not in self.stationary]
        tried = [frozenset[str]()]
        for at in free:
            tried = [outcome for without in tried for outcome in (without | {at}, without)]
        return [moved for moved in tried if self.is_consistent(moved, broken)]
