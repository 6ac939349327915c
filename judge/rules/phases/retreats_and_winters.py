"""Retreats and adjustments: where dislodged units may go, which of them get there, and winter's builds and removals.

A unit retreats to a province that it could have entered without a convoy. The province must be empty, and without a
stand-off in this phase. The attacker must not have come from there, unless by convoy (DATC 4.A.5). Units that retreat
to the same province are disbanded. But if all except one of them come over a border that weakens units, the other unit
survives. A unit without a legal order is disbanded too.

A power builds in its own vacant home centers that it still owns. The mechanisms of the variant may allow other places.
If there are too many builds or removals, the first legal ones count (DATC 4.D.4, 4.D.6).

If too few removals were ordered, the unit farthest from the nearest center of its power is removed. Each border counts
as one step for armies and fleets. Among units equally far, a fleet is removed before an army. Then the province's name
decides (DATC 4.D.8).
"""

from collections.abc import Iterable
from functools import cached_property

from judge.rules.board.board_state import BoardState, cannot_get, landing
from judge.rules.board.names import fold, listed
from judge.rules.board.orders import (
    Build,
    Disband,
    Dislodged,
    Home,
    Order,
    OrderError,
    OutOfPlace,
    Places,
    Position,
    Remove,
    Retreat,
    Unit,
    Waive,
    dislodged_units,
    occupants,
    owners,
)
from judge.rules.board.power import NEUTRAL
from judge.rules.board.province import Board
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.build_places import (
    NONE,
    EmergencyMeasures,
    ExtraHomeCenters,
    Removals,
    home_choices,
    measures,
)

# No power wins more centers than this in a Fall. If there are more to choose from, an error does not list them. The
# position was then made up to check an order for a later winter (judge/rules/possible.py).
_MOST_WON = 8


def open_places(table: BoardState, one: Dislodged) -> Places:
    """Return the places that a dislodged unit of a power may retreat to, sorted. Neutrals never retreat."""
    spot = table.board.spots[one.unit.text]
    closed = {*table.at, *table.position.contested}
    if not one.by_convoy:
        closed.add(one.attacker_from)
    provinces = spot.reach - closed
    if spot.army:
        return tuple(sorted(provinces))
    return tuple(sorted(place for province in provinces for place in spot.landings[province]))


def choices(ruleset: Ruleset, position: Position) -> dict[str, dict[Unit, Places]]:
    """Return {power: {its dislodged unit: the places it may retreat to}}. Neutrals have no such places."""
    table = BoardState(ruleset, position)
    return {
        power: {one.unit: () if power == NEUTRAL else open_places(table, one) for one in dislodged}
        for power, dislodged in position.dislodged.items()
    }


def complete_retreat(table: BoardState, power: str, order: Order) -> Order:
    """Return the order as the dislodged unit can carry it out, or raise OrderError if it cannot."""
    owner, one = _dislodged_at(table, order)
    if owner != power:
        raise OrderError(f"The dislodged {table.called(one.unit)} is not yours.")
    if isinstance(order, Disband):
        return Disband(one.unit)
    if power == NEUTRAL:
        raise OrderError("A neutral unit never retreats.")
    if not isinstance(order, Retreat):
        raise _no_retreat(order)
    spot = table.board.spots[one.unit.text]
    target, name = order.target, table.name(order.to)
    if target not in spot.reach:
        raise OrderError(cannot_get(table, one.unit, target))
    if target in table.at:
        raise OrderError(f"{name} is occupied.")
    if target in table.position.contested:
        raise OrderError(f"{name} is closed to retreats, because there was a stand-off.")
    if target == one.attacker_from and not one.by_convoy:
        raise OrderError(f"The attacker came from {name}.")
    return Retreat(one.unit, landing(table, spot, order.to, target))


def _dislodged_at(table: BoardState, order: Order) -> tuple[str, Dislodged]:
    """Return the dislodged unit that the order is for, with its owner, or raise OrderError if there is none."""
    if found := dislodged_units(table.position).get(order.slot):
        return found
    if order.slot in table.ruleset.provinces:
        raise OutOfPlace(f"{table.name(order.slot)} has no dislodged unit.")
    raise _no_retreat(order)


def _no_retreat(order: Order) -> OutOfPlace:
    return OutOfPlace(f'"{order}" is not an order for a retreat phase: a dislodged unit retreats or disbands.')


def carry_out(board: Board, orders: Iterable[tuple[str, Order]]) -> tuple[list[tuple[str, Unit]], set[str]]:
    """Carry out all retreats together. `orders` has (power, complete order), one for each unit.

    Returns (power, unit) for each unit that retreated, and the provinces from which units bounced.
    """
    retreats = [(power, order) for power, order in orders if isinstance(order, Retreat)]
    escaped = []
    collided = set()
    for power, order in retreats:
        rivals = {other.slot for _, other in retreats if other.target == order.target} - {order.slot}
        beyond = board.beyond.get(order.target, frozenset())
        if not rivals or order.slot not in beyond and rivals <= beyond:
            escaped.append((power, Unit(order.unit.kind, order.to)))
        else:
            collided.add(order.slot)
    return escaped, collided


# --- winter ----------------------------------------------------------------------------------------------------------


def build_sites(ruleset: Ruleset, position: Position, power: str) -> Places:
    """Return the provinces in which the power may build now, sorted."""
    homes = set(homes_of(ruleset, position, power)).intersection(position.centers_of(power))
    return tuple(sorted(homes.union(measures(ruleset, position, power).sites) - occupants(position).keys()))


def claim_sites(ruleset: Ruleset, position: Position, power: str) -> Places:
    """Return the provinces in which the power may build to get an additional home center, sorted.

    The power may build for this purpose in only one of them.
    """
    claims = claimable(ruleset, position, power)
    occupied = occupants(position)
    return tuple(center for center in claims if center not in occupied)


def balance(ruleset: Ruleset, position: Position, power: str) -> int:
    """Return how many units the power may build (positive, limited by its vacant sites) or must remove (negative)."""
    due = _surplus(ruleset, position, power)
    if due <= 0:
        return due
    # The power may make only one of these centers its home, so together they add one site.
    room = len(build_sites(ruleset, position, power)) + bool(claim_sites(ruleset, position, power))
    return min(due, room)


def _surplus(ruleset: Ruleset, position: Position, power: str) -> int:
    """Return how many more units the power may have, or a negative number if it has too many."""
    allowed = len(position.centers_of(power)) + measures(ruleset, position, power).extra_units
    return allowed - len(position.units_of(power))


def balances(ruleset: Ruleset, position: Position) -> dict[str, int]:
    """Return {power: its builds (+) or removals (-)}, without powers that have none."""
    return {power: due for power in ruleset.power_named if (due := balance(ruleset, position, power))}


def homes_of(ruleset: Ruleset, position: Position, power: str) -> Places:
    """Return the centers in which the power may build if it owns them and they are vacant."""
    homes = (*ruleset.power_named[power].homes, *position.homes.get(power, ()))
    for one in ruleset.mechanisms:
        homes += one.homes(ruleset, position, power)
    return homes


def claimable(ruleset: Ruleset, position: Position, power: str) -> list[str]:
    """Return the centers, vacant or not, that the power may make its home by building there.

    The power may choose only one of them. Centers where it may build anyway are left out, since a build there makes no
    home.
    """
    claims = ruleset.mechanism(ExtraHomeCenters).claims(ruleset, position, power)
    anyway = {*homes_of(ruleset, position, power), *measures(ruleset, position, power).sites}
    return [center for center in claims if center not in anyway]


class Adjustment:
    """One power's winter orders.

    The orders are taken one after the other. Each is checked in the position that the earlier orders have left.
    """

    def __init__(self, table: BoardState, power: str):
        self.table, self.ruleset, self.position = table, table.ruleset, table.position
        self.power = power
        self.due = 0 if power == NEUTRAL else balance(self.ruleset, self.position, power)
        self.built: list[Unit] = []
        self.removed: list[Unit] = []
        self.waived = 0
        self.home = ""
        self.claimed = ""

    def take(self, order: Order) -> Order:
        """Take the order and return it completed, or raise OrderError if it is not allowed now."""
        match order:
            case Waive():
                self._check_builds_left()
                self.waived += 1
                return order
            case Build():
                unit = self._buildable(order.unit)
                self._check_builds_left()
                self.built.append(unit)
                if unit.province in claimable(self.ruleset, self.position, self.power):
                    self.claimed = unit.province
                return Build(unit)
            case Remove():
                unit = self._removable(order)
                self.removed.append(unit)
                return Remove(unit)
            case Home():
                self._check_home(order)
                self.home = order.center
                return order
        raise OutOfPlace(f'"{order}" is not an order for the winter: units are built or removed.')

    def _removable(self, order: Remove) -> Unit:
        own = {unit.province: unit for unit in self.position.units_of(self.power)}
        if order.slot not in own:
            raise OutOfPlace(f"You have no unit in {self.table.name(order.unit.place)}.")
        unit = own[order.slot]
        if unit in self.removed:
            raise OrderError(f"{self.table.called(unit)} is already being removed.")
        if self.due >= 0:
            raise OrderError(f"{self._holder} no units to remove.")
        if len(self.removed) == -self.due:
            raise OrderError(f"{self._holder} only {-self.due} to remove.")
        return unit

    def _check_home(self, order: Home) -> None:
        names = [self.table.name(choice) for choice in self.home_choices]
        if not names:
            raise OrderError("You have no home center to name.")
        if order.center not in self.home_choices:
            wrong = self.table.name(order.center)
            if len(names) > _MOST_WON:
                raise OrderError(f"{wrong} cannot become your home center.")
            raise OrderError(f"Your new home center can be {listed(names, 'or')}, not {wrong}.")
        if self.home:
            raise OrderError(f"You have already named {self.table.name(self.home)}.")

    @property
    def _holder(self) -> str:
        return self.ruleset.holder(self.power)

    def _check_builds_left(self) -> None:
        if self.due <= 0:
            raise OrderError(f"{self._holder} no units to build.")
        if len(self.built) + self.waived == self.due:
            raise OrderError(f"{self._holder} only {self.due} to build.")

    def _buildable(self, unit: Unit) -> Unit:
        ruleset, position = self.ruleset, self.position
        abbr, name = unit.province, self.table.name(unit.place)
        emergencies, extra = ruleset.mechanism(EmergencyMeasures).of, ruleset.mechanism(ExtraHomeCenters)
        if abbr in emergencies.get(self.power, NONE).sites:
            if abbr not in measures(ruleset, position, self.power).sites:
                only = "only while you own some but not all of your home centers"
                raise OrderError(f"You can build in {name} {only}.")
            return self._built_unit(unit, name)
        if not ruleset.provinces[abbr].center:
            raise OrderError(f"{name} is not a supply center.")
        home = self.power != NEUTRAL and abbr in homes_of(ruleset, position, self.power)
        # Why the power cannot make the center its home by building there ("" if it can, None if no power could).
        no_claim = extra.why_no_claim(ruleset, position, self.power, self.claimed, abbr)
        if not home and no_claim is None:
            raise OrderError(self._why_no_home(abbr, name))
        if abbr not in position.centers_of(self.power):
            raise OrderError(f"You do not own {name}.")
        if no_claim and not home and abbr != self.claimed:
            raise OrderError(no_claim)
        return self._built_unit(unit, name)

    def _why_no_home(self, center: str, name: str) -> str:
        began = self.ruleset.power_named.get(self.power)
        if center in self.home_choices:
            return f"Nothing can be built in {name} yet: it can become your home center this winter."
        if began and center in began.owns:
            return f"No units can be built in {name}, although you began with it."
        return f"{name} is not one of your home centers."

    def _built_unit(self, unit: Unit, name: str) -> Unit:
        # A vacant center would not help a power that has enough units.
        if _surplus(self.ruleset, self.position, self.power) <= 0:
            self._check_builds_left()
        province = self.ruleset.provinces[unit.province]
        if province.abbr in self.table.at or province.abbr in {built.province for built in self.built}:
            raise OrderError(f"{name} is occupied.")
        fleets = [f"BUILD F {place}" for place in province.fleet_ways]
        if not unit.kind:
            raise OrderError(f"Build what in {name}?", ways=[f"BUILD A {province.abbr}", *fleets])
        if unit.kind == "A":
            if not province.takes_armies:
                raise OrderError(f"No army can be built in {name}.")
            return Unit("A", province.abbr)
        if province.kind == "land":
            raise OrderError(f"No fleet can be built in {name}: it is inland.")
        if not province.coasts:
            return Unit("F", province.abbr)
        if unit.place.partition("/")[2] not in province.coasts:
            raise OrderError(f"Which coast of {name}?", ways=fleets)
        return unit

    @cached_property
    def home_choices(self) -> Places:
        """Return the centers among which the power must choose its new home."""
        return home_choices(self.ruleset, self.position.centers, self.position.homes).get(self.power, ())

    @property
    def named(self) -> str:
        """Return the home center that was named, by an order or by building.

        If a new home was due and none was named, return the first center by abbreviation, or else "".
        """
        return self.claimed or self.home or next(iter(self.home_choices), "")

    def default_removals(self) -> list[Unit]:
        """Return the units that are removed because too few removals were ordered."""
        missing = -self.due - len(self.removed)
        if missing <= 0:
            return []
        near = self.position.centers_of(self.power)
        if self.ruleset.rule(Removals):
            began = self.ruleset.power_named[self.power]
            near = began.owns or began.homes
        distance = distances(self.table.board, near)
        left = [unit for unit in self.position.units_of(self.power) if unit not in self.removed]

        def first_to_go(unit: Unit) -> tuple[int, bool, str]:
            return -distance[unit.province], unit.kind == "A", fold(self.table.name(unit.place))

        return sorted(left, key=first_to_go)[:missing]


def distances(board: Board, starts: Iterable[str]) -> dict[str, int]:
    """Return the number of steps from the nearest start to each province.

    A province that cannot be reached counts as farther than any other.
    """
    found = dict.fromkeys(board.steps, len(board.steps))
    front = set(starts)
    steps = 0
    while front:
        found.update(dict.fromkeys(front, steps))
        steps += 1
        front = {other for province in front for other in board.steps[province] if found[other] > steps}
    return found


def owned_after_fall(ruleset: Ruleset, position: Position) -> dict[str, Places]:
    """Return {power: its centers} after a Fall.

    A power takes the centers where it has units. It keeps its other centers unless another power takes them.
    """
    stands = {
        unit.province: power
        for power, units in position.units.items()
        if power != NEUTRAL
        for unit in units
        if ruleset.provinces[unit.province].center
    }
    centers: dict[str, list[str]] = {}
    for center, power in (owners(position) | stands).items():
        centers.setdefault(power, []).append(center)
    return {name: tuple(sorted(centers[name])) for name in ruleset.powers_in_order(centers)}
