"""Descriptions of a position in words, with the places of units, owners of centers, and orders on file."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.rules import (
    NEUTRAL,
    Build,
    Order,
    Position,
    Retreat,
    Unit,
    Variant,
    by_number,
    capitalized,
    describe_order,
    kind,
    listed,
    year,
)
from judge.rules.board.orders import occupants, owners
from judge.rules.board.phase import season
from judge.rules.describe import weakened
from judge.rules.mechanisms.armed_neutrals import neutrals_at, returning
from judge.rules.mechanisms.diplomacy_points import Vassals
from judge.rules.phases.retreats_and_winters import choices, claimable

_KINDS = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}


@dataclass(frozen=True)
class Block:
    """Powers that belong together, each with its text.

    `title` is their group, or "" if there are no groups.
    """

    title: str
    entries: Sequence[tuple[str, Sequence[object]]]


@dataclass(frozen=True)
class PositionView:
    """The board before a phase, in words.

    `kind` is like "Movement", and `time` like "Spring of 1901". `units` has the units of each power, with neutrals
    last. `dislodged` has a sentence for each unit that has to retreat. `owners` has the centers of each power. `width`
    is the width of the powers' names with their colons.
    """

    kind: str
    time: str
    units: list[Block]
    dislodged: list[str]
    owners: list[Block]
    width: int


def title(phase: str, what: str) -> str:
    """Return the heading for a phase, such as `Movement orders for Fall of 1901`."""
    return f"{_KINDS[kind(phase)]} {what} for {when(phase)}"


def when(phase: str) -> str:
    """Return the season and the year of a phase, such as `Fall of 1901`."""
    return f"{season(phase)} of {year(phase)}"


def position_view(variant: Variant, position: Position) -> PositionView:
    """Describe the units and owners of a position."""
    beaten = choices(variant.at(position.phase), position) if position.dislodged else {}
    waiting = ((power, unit, to) for power, units in beaten.items() for unit, to in units.items() if to)
    return PositionView(
        kind=_KINDS[position.kind],
        time=when(position.phase),
        units=_units(variant, position),
        dislodged=dislodged_sentences(variant, waiting),
        owners=owners_view(variant, position),
        width=width_of(powers_on(variant, position)),
    )


def unmanned(variant: Variant, position: Position) -> list[str]:
    """Return the centers that have an owner but no unit, such as `Liverpool (Britain)`."""
    at = occupants(position)
    return [
        f"{variant.place_called(center)} ({power})" for center, power in owners(position).items() if center not in at
    ]


def powers_on(variant: Variant, position: Position) -> list[str]:
    """Return the powers that have units or centers in a position.

    They are in the variant's order, with neutrals last.
    """
    present = {*position.units, *position.dislodged, *position.centers}
    return [power for power in (*variant.in_turn, NEUTRAL) if power in present]


def width_of(names: Iterable[str]) -> int:
    """Return the width of a column of names with their colons."""
    return max(map(len, names), default=0) + 1


def in_blocks(variant: Variant, entries: Mapping[str, Sequence[object]]) -> list[Block]:
    """Arrange the texts of powers by group.

    Without groups, there is one block without a title.
    """
    groups = [(group.name, group.powers) for group in variant.groups] or [("", tuple(variant.power_named))]
    return [
        Block(name, own)
        for name, powers in groups
        if (own := [(power, entries[power]) for power in powers if power in entries])
    ]


def _units(variant: Variant, position: Position) -> list[Block]:
    """Return the units of each power.

    If powers are in groups, all units of a power are on one line, since such boards have many units.
    """
    entries = {
        power: [*map(variant.called, variant.in_order(position.units_of(power)))]
        for power in powers_on(variant, position)
    }
    if not variant.groups:
        return [Block("", [(power, units) for power, units in entries.items() if units or power != NEUTRAL])]
    blocks = in_blocks(variant, {power: [", ".join(units)] for power, units in entries.items() if units})
    neutrals = []
    for sponsor, own in by_sponsor(variant, variant.in_order(position.units_of(NEUTRAL))):
        neutrals.append((f"{sponsor}'s" if sponsor else "Minor", [_by_kind(variant, own)]))
    return [*blocks, Block("Neutrals", neutrals)]


def _by_kind(variant: Variant, units: Iterable[Unit]) -> str:
    """Return the units by kind, such as `armies in Genoa, Milan; fleet in Venice`."""
    places: dict[str, list[str]] = {"A": [], "F": []}
    for unit in units:
        places[unit.kind].append(variant.place_called(unit.place))
    kinds = (("army", "armies", places["A"]), ("fleet", "fleets", places["F"]))
    return "; ".join(f"{by_number(len(some), one, more)} in {', '.join(some)}" for one, more, some in kinds if some)


def by_sponsor(variant: Variant, neutrals: Sequence[Unit]) -> list[tuple[str, list[Unit]]]:
    """Arrange neutrals by the group that sponsors them.

    Neutrals without a sponsor come first, under "".
    """
    sponsors = ["", *(group.name for group in variant.groups)]
    return [
        (name, units)
        for name in sponsors
        if (units := [unit for unit in neutrals if variant.sponsor(unit.province) == name])
    ]


def neutrals_title(sponsor: str) -> str:
    """Return the heading of neutrals on a board where neutrals have sponsors."""
    return f"Affiliates of {sponsor}" if sponsor else "Minor neutrals"


def dislodged_sentences(variant: Variant, beaten: Iterable[tuple[str, Unit, Sequence[str]]]) -> list[str]:
    """Return sentences that say where each dislodged unit can retreat, or that it is gone.

    `beaten` has the power, the unit and the possible places of each.
    """
    sentences = []
    for power, dislodged, places in beaten:
        unit = owned_unit(variant, power, dislodged)
        if power == NEUTRAL:
            sentences.append(f"The {unit} is disbanded: neutrals do not retreat.")
        elif places:
            names = " or ".join(map(variant.place_called, places))
            sentences.append(f"The {unit} can retreat to {names}.")
            sentences += [f"{yields}." for place in places if (yields := yielding(variant, dislodged, place))]
        else:
            sentences.append(f"The {unit} with no valid retreats was destroyed.")
    return sentences


def owned_unit(variant: Variant, power: str, unit: Unit) -> str:
    """Name a unit with its owner, such as `English Fleet in the English Channel`."""
    adjective = "neutral" if power == NEUTRAL else variant.power_named[power].adjective
    return f"{adjective} {unit.word.title()} in {variant.place_called(unit.place)}"


def owners_view(variant: Variant, position: Position) -> list[Block]:
    """List the centers of each power, then unowned centers, and vassals with their suzerains."""
    owned = {
        power: sorted(map(variant.place_called, centers)) for power, centers in position.centers.items() if centers
    }
    others = {"Unowned": _unowned(variant, position), "Vassals": _vassals(variant)}
    rest = [(about, [said]) for about, said in others.items() if said]
    return in_blocks(variant, owned) + ([Block("", rest)] if rest else [])


def _unowned(variant: Variant, position: Position) -> str:
    """Return the names of the unowned centers, and the number of those with a neutral unit."""
    at, owner = occupants(position), owners(position)
    lost = {unit.province: unit.kind for unit in returning(variant, position)}
    armed = neutrals_at(variant, position)
    plain, neutral, told = list[str](), 0, list[str]()
    empty: dict[str, list[str]] = {"A": [], "F": []}
    for center in variant.centers:
        if center in owner:
            continue
        name, (power, _) = variant.place_called(center), at.get(center, ("", None))
        if center in lost:
            empty[lost[center]].append(name)
        elif power == NEUTRAL:
            neutral += 1
        elif power and center in armed:
            told.append(f"{name}, with a unit of {power}")
        else:
            plain.append(name)
    told += _returning(empty["A"], "army", "armies")
    told += _returning(empty["F"], "fleet", "fleets")
    if neutral:
        told.append(f"{neutral} {'more' if plain or told else 'centers'} with a neutral unit each")
    if plain:
        told.insert(0, ", ".join(sorted(plain)))
    return "; ".join(told)


def _returning(names: Sequence[str], one: str, several: str) -> Iterator[str]:
    if names:
        back = by_number(len(names), f"its {one} returns", f"their {several} return")
        yield f"{listed(names)}, empty until {back} in winter"


def _vassals(variant: Variant) -> str:
    """Return a text like `Ireland and Scotland of England; Crimea of Russia and Turkey`.

    Returns "" if there are no vassals.
    """
    suzerains: dict[str, list[str]] = {}
    for power, centers in variant.mechanism(Vassals).of.items():
        for center in centers:
            suzerains.setdefault(center, []).append(power)
    whose: dict[str, list[str]] = {}
    for center in sorted(suzerains):
        whose.setdefault(listed(suzerains[center]), []).append(variant.place_called(center))
    return "; ".join(f"{listed(centers)} of {powers}" for powers, centers in sorted(whose.items()))


def yielding(variant: Variant, unit: Unit, place: str) -> str:
    """Return what happens to a retreat over a border that weakens units, or "".

    The rule is in 1900, Suez Canal Rules 8 (docs/sources.md).
    """
    way = weakened(variant, Retreat(unit, place))
    if not way:
        return ""
    there = f"{variant.place_called(place)} is {way}"
    return f"{there}: if another unit retreats there over a normal border, this unit is disbanded"


def _remark(variant: Variant, claims: Collection[str], order: Order) -> str:
    """Return a remark on an order that makes a center a home, or that a border weakens, else ""."""
    if isinstance(order, Build) and order.slot in claims:
        return " (Its additional home center.)"
    weak = yielding(variant, order.unit, order.to) if isinstance(order, Retreat) else weakened(variant, order)
    return f" ({capitalized(weak)}.)" if weak else ""


def order_lines(variant: Variant, position: Position, power: str, orders: Sequence[Order]) -> list[str]:
    """Return a power's orders on file, then the default orders of its units without an order."""
    claims = claimable(variant, position, power)
    lines = [describe_order(variant, position, order) + _remark(variant, claims, order) for order in orders]
    units, will = position.units_of(power), "HOLD"
    if position.kind != "M":
        units, will = position.dislodged_of(power), "DISBAND"
    ordered = {order.slot for order in orders}
    idle = (unit for unit in units if unit.province not in ordered)
    return lines + [f"{variant.called(unit)}, no order (will {will})." for unit in variant.in_order(idle)]
