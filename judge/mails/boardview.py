"""Descriptions of the board in words, for the commands MAP, INFO, LIST and SUMMARY."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from judge.mails.views import neutrals_title
from judge.rules import NEUTRAL, Convoy, Move, Position, Province, Support, Unit, Variant, counted, listed, year
from judge.rules.board.orders import Centers, dislodged_units, occupants, owners, province_of
from judge.rules.board.phase import first_from
from judge.rules.board.province import COASTS
from judge.rules.describe import PORT, kind_in_words
from judge.rules.mechanisms.armed_neutrals import Religion, neutrals_at, returning
from judge.rules.mechanisms.build_places import EmergencyMeasures, ExtraHomeCenters, home_of, measures
from judge.rules.mechanisms.crossings import ClosedSeasons
from judge.rules.mechanisms.diplomacy_points import Vassals
from judge.rules.mechanisms.victory import center_counts
from judge.rules.phases.needs import neutral_orders
from judge.rules.phases.retreats_and_winters import homes_of

# A line of the reply to INFO, as its label and its text.
Fact = tuple[str, str]


@dataclass(frozen=True)
class Place:
    """A province and the units in the province.

    `here` is a text like `Italian Fleet (north coast)`, or "" if there are no units.
    """

    province: Province
    here: str


@dataclass(frozen=True)
class MapView:
    """The provinces of the board, grouped for the command MAP.

    `powers` has a title for each power, such as `Spain: 4 centers, 5 units`, and its provinces. `unowned` has the
    centers that no one owns and no neutral unit occupies. `empty` has the other provinces without an owner or a unit,
    by kind.
    """

    powers: list[tuple[str, list[Place]]]
    unowned: list[Place]
    empty: list[tuple[str, list[Province]]]


@dataclass(frozen=True)
class ProvinceView:
    """A description of a province, for the command INFO.

    `armies` has the names of the provinces that an army can reach from it. `fleets` has the provinces that a fleet can
    reach, by coast. `facts` has lines about special rules of this board.
    """

    province: Province
    kind: str
    center: str
    here: str
    armies: list[str]
    fleets: list[tuple[str, list[str]]]
    facts: list[Fact]


def map_view(variant: Variant, position: Position, part: Set[str] = frozenset()) -> MapView:
    """Group the provinces of the board for the command MAP.

    If `part` is given, only these provinces are grouped.
    """
    seen = part or variant.provinces.keys()

    def places(reader: str, provinces: Iterable[str]) -> list[Place]:
        return [Place(variant.provinces[abbr], _seen_by(variant, position, reader, abbr)) for abbr in provinces]

    blocks = []
    left = {*seen}
    for power in (*variant.in_turn, NEUTRAL):
        units = [unit.province for unit in position.all_units_of(power) if unit.province in seen]
        owned = seen & {*position.centers_of(power)}
        own = owned | {*units}
        if own:
            in_turn = sorted(own, key=lambda abbr: (abbr not in owned, abbr))
            centers = [] if power == NEUTRAL and not owned else [counted(len(owned), "center")]
            title = f"{power}: {', '.join([*centers, counted(len(units), 'unit')])}"
            blocks.append((title, places(power, in_turn)))
            left -= own
    owner = owners(position)
    listed = owner.keys() | {unit.province for unit in position.units_of(NEUTRAL)}
    unowned = places("", (abbr for abbr in variant.centers if abbr in seen - listed))
    return MapView(blocks, unowned, _without_center_by_kind(variant, left))


def _without_center_by_kind(variant: Variant, left: Set[str]) -> list[tuple[str, list[Province]]]:
    found: dict[str, list[Province]] = {"sea": [], "coast": [], "land": []}
    for abbr, province in variant.provinces.items():
        if abbr in left and not province.center and province.kind in found:
            found[province.kind].append(province)
    titled = zip(("Seas", "Coasts", "Inland"), found.values(), strict=True)
    return [(title, some) for title, some in titled if some]


def province_view(variant: Variant, position: Position, abbr: str, idle: Collection[str] = ()) -> ProvinceView:
    """Describe a province for the command INFO.

    The `idle` powers are in civil disorder, so they do not build.
    """
    province = variant.provinces[abbr]
    # Build a text like `coast, with a north coast and a south coast`.
    kind = kind_in_words(province)
    if province.port:
        kind += f": {PORT}"
    if province.coasts:
        coasts = [f"{'an' if coast == 'EC' else 'a'} {COASTS[coast]}" for coast in province.coasts]
        kind += f", with {listed(coasts)}"
    return ProvinceView(
        province=province,
        kind=kind,
        center=_center(variant, position, province),
        here=_seen_by(variant, position, "", abbr),
        armies=_names(variant, abbr, province.army),
        fleets=[(COASTS.get(coast, coast), _names(variant, abbr, places)) for coast, places in province.fleet.items()],
        facts=[
            *_facts_of_powers(variant, position, abbr, idle),
            *_facts(variant, position, abbr),
            *_facts_of_neutral(variant, position, abbr),
        ],
    )


def neutrals_view(variant: Variant) -> list[tuple[str, list[str]]]:
    """Return the neutral units of a variant under titles such as `Affiliates of Blue`.

    If neutrals have no sponsors, the list is empty.
    """
    if not variant.sponsors:
        return []
    found: dict[str, list[str]] = {"": []}
    for unit in variant.neutrals.units:
        found.setdefault(variant.sponsors.get(unit.province, ""), []).append(str(unit))
    return [(neutrals_title(sponsor), units) for sponsor, units in found.items() if units]


def _center(variant: Variant, position: Position, province: Province) -> str:
    """Return a text like `home center of France, owned by Germany`, or "" if there is no center."""
    if not province.center:
        return ""
    owner = owners(position).get(province.abbr)
    owned = f"owned by {owner}" if owner else "unowned"
    return f"{_kind_of_center(variant, position, province.abbr)}, {owned}"


def _kind_of_center(variant: Variant, position: Position, abbr: str) -> str:
    sites = variant.build_sites
    if abbr in sites.colonies:
        return "colony, a home center of its owner"
    special = [power for power, centers in sites.special.items() if abbr in centers]
    homes = [power.name for power in variant.powers if abbr in power.homes or power.name in special]
    kind = f"home center of {listed(homes)}" if homes else "supply center"
    if special:
        kind = f"special center, {kind}"
    named = [power for power, centers in position.homes.items() if abbr in centers]
    if not named:
        return kind
    added = f"additional home center of {listed(named)}"
    return f"{kind}, {added}" if homes else added


def _seen_by(variant: Variant, position: Position, reader: str, abbr: str) -> str:
    """Describe the units in a province, with a dislodged unit last.

    A unit of the power `reader` gets no adjective such as `Italian`.
    """
    found = [(*standing, "")] if (standing := occupants(position).get(abbr)) else []
    if beaten := dislodged_units(position).get(abbr):
        found.append((beaten[0], beaten[1].unit, ", dislodged"))
    shown = []
    for power, unit, mark in found:
        whose = ""
        if power != reader:
            whose = f"{NEUTRAL if power == NEUTRAL else variant.power_named[power].adjective} "
        coast = unit.place.partition("/")[2]
        where = f" ({COASTS.get(coast, coast)})" if coast else ""
        shown.append(f"{whose}{unit.word.title()}{where}{mark}")
    return "; ".join(shown)


def _names(variant: Variant, abbr: str, places: Iterable[str]) -> list[str]:
    """Return names like `Egypt [EGY]`, with a remark after each border that weakens units."""
    beyond = variant.board.beyond.get(abbr, ())
    crossing = variant.board.crossing
    weakened = f" ({crossing.strength}, {crossing.way})"
    return [
        f"{variant.place_called(place)} [{province_of(place)}]" + weakened * (province_of(place) in beyond)
        for place in places
    ]


def _facts_of_powers(variant: Variant, position: Position, abbr: str, idle: Collection[str]) -> Iterator[Fact]:
    """Yield facts on who builds in the province, and whose vassal or affiliate it is."""
    if builders := _who_builds(variant, position, abbr, idle):
        yield "Builds", builders
    if suzerains := [power for power, centers in variant.mechanism(Vassals).of.items() if abbr in centers]:
        yield "Vassal", f"of {listed(suzerains)}"
    if sponsor := variant.sponsor(abbr):
        yield "Sponsor", sponsor


def _facts(variant: Variant, position: Position, abbr: str) -> Iterator[Fact]:
    """Yield facts on a neutral's religion, a canal, and the seasons in which the province is closed."""
    religion, at = variant.rule(Religion), occupants(position).get(abbr)
    is_neutral = at[0] == NEUTRAL if at else abbr in neutrals_at(variant, position)
    if religion and is_neutral:
        yield "Faith", _faith(religion, abbr)
    if opens := variant.canals.get(abbr):
        yield "Canal", f"open since Spring {opens}" if year(position.phase) >= opens else f"opens in Spring {opens}"
    if closed := "; ".join(_when_closed(variant, abbr)):
        yield "Closed", closed


def _facts_of_neutral(variant: Variant, position: Position, abbr: str) -> Iterator[Fact]:
    """Yield facts on whether a neutral unit returns, and which orders it can have."""
    for unit in returning(variant, position):
        if unit.province == abbr:
            yield "Neutral", f"its {unit.word} returns in winter if no one is there"
    at = occupants(position).get(abbr)
    if at and at[0] == NEUTRAL:
        yield "Orders", _neutral_orders(variant, position, at[1])


def _when_closed(variant: Variant, abbr: str) -> Iterator[str]:
    for when, other in variant.mechanism(ClosedSeasons).when_closed(abbr):
        yield f"the way to {variant.provinces[other].name} in {when}" if other else f"in {when}"


def _neutral_orders(variant: Variant, position: Position, unit: Unit) -> str:
    """Return the orders that a neutral can have, like `hold; support A MIL (H, - SAV)`.

    Outside a movement phase, these are the orders for the next one.
    """
    phase = first_from(position.phase, "M")
    told: dict[str, list[str]] = {}
    helped: dict[str, list[str]] = {}
    for order in neutral_orders(variant.at(phase), replace(position, phase=phase), unit):
        if isinstance(order, Support):
            helped.setdefault(str(order.helped), []).append(f"- {order.to}" if order.to else "H")
        elif isinstance(order, Move):
            told.setdefault("move", []).append(f"- {order.to}")
        elif isinstance(order, Convoy):
            told.setdefault("convoy", []).append(f"{order.army} - {order.to}")
    told |= {"support": [f"{one} ({', '.join(ways)})" for one, ways in helped.items()]} if helped else {}
    # A convoy to a place that the unit also reaches by land is written like the move by land.
    return "; ".join(["hold", *(f"{verb} {', '.join(dict.fromkeys(ways))}" for verb, ways in told.items())])


def _faith(religion: Religion, abbr: str) -> str:
    faith = "Christian"
    if abbr in religion.muslims:
        faith = "Muslim"
    elif abbr in religion.catholics:
        faith = "Catholic"
    only = "; supports Catholics only" * (abbr in religion.for_catholics_only)
    return f"{faith}, for the Religious Rule{only}"


def _who_builds(variant: Variant, position: Position, abbr: str, idle: Collection[str]) -> str:
    """Name the powers that may build in the province while they own it.

    Powers in `idle` do not build. Returns `no one` if no power may build there. Returns "" for a province without a
    center, unless a power can build there in an emergency.
    """
    for power, rule in variant.mechanism(EmergencyMeasures).of.items():
        if abbr in rule.sites:
            if variant.seat_of(power) in idle:
                return "no one"
            is_now = abbr in measures(variant, position, power).sites
            return f"{power}, {'now, in its emergency' if is_now else 'in an emergency only'}"
    if not variant.provinces[abbr].center:
        return ""
    builders = _builders(variant, position, abbr)
    if len(builders) == len(variant.powers):
        return "whoever owns it"
    builders = [power for power in builders if variant.seat_of(power) not in idle]
    later = _who_may_build_later(variant, position, abbr, idle)
    now = f"{listed(builders, 'or')}, while it owns the center" if builders else "no one" + " yet" * bool(later)
    return f"{now}; {later}" if later else now


def _who_may_build_later(variant: Variant, position: Position, abbr: str, idle: Collection[str]) -> str:
    """Name the powers for which the center can still become an additional home, or return ""."""
    extra = variant.mechanism(ExtraHomeCenters)
    if extra.by_building and home_of(variant, position.homes, abbr) is None:
        return "a power that owns it can make it its additional home center by building there"
    still = [power for power in extra.powers if power not in position.homes and any(position.holdings([power]))]
    winning = [power for power in still if abbr not in variant.power_named[power].owns]
    winners = [power for power in winning if variant.seat_of(power) not in idle]
    return f"{listed(winners, 'or')}, if it is the first center that the power wins" if winners else ""


def _builders(variant: Variant, position: Position, abbr: str) -> list[str]:
    """Return the powers that could build in a center if they owned the center."""
    builders = []
    for power in variant.power_named:
        owned = replace(position, centers={power: (*position.centers_of(power), abbr)})
        if abbr in homes_of(variant, owned, power):
            builders.append(power)
    return builders


def state_now(variant: Variant, position: Position) -> list[str]:
    """Return a sentence for each current effect of this board's special rules.

    The sentences are about ties, named homes, emergencies, canals, and centers that civil disorder made neutral.
    """
    found = tie(variant, position, "a Fall that ends like this has no winner")
    for power, homes in position.homes.items():
        for home in homes:
            lost = "" if home in position.centers_of(power) else ", which it does not own now"
            found.append(f"{variant.provinces[home].name} is a home center of {power}{lost}.")
    found += emergencies(variant, position)
    for name, opens in variant.canals.items():
        state = "is open" if year(position.phase) >= opens else f"opens in Spring {opens}"
        found.append(f"The canal of {variant.provinces[name].name} {state}.")
    if position.neutrals:
        found.append(f"Neutral since civil disorder: {listed(variant.named(sorted(position.neutrals)))}.")
    return found


def tie(variant: Variant, position: Position, so: str) -> list[str]:
    """Return a sentence if several powers have the most centers, and this number is enough to win.

    The sentence ends with `so` (Rulings, "Play" 1).
    """
    sizes = center_counts(variant, position.centers)
    most = max(sizes.values(), default=0)
    leaders = [seat.name for seat in variant.seats if sizes.get(seat.name, 0) == most]
    if most < variant.victory or len(leaders) < 2:
        return []
    return [f"{listed(leaders)} have {most} centers each. No one has more than all the others, so {so}."]


def emergencies(variant: Variant, position: Position) -> Iterator[str]:
    """Yield a sentence for each power that is in an emergency, and so can have more units than centers."""
    for power in variant.powers:
        rule = measures(variant, position, power.name)
        if rule.extra_units:
            more = counted(rule.extra_units, "more unit")
            builds = f", and can also build in {listed(variant.named(rule.sites))}" if rule.sites else ""
            yield f"{power.name} is in an emergency: it can have {more} than centers{builds}."


def colonies(variant: Variant, position: Position) -> list[str]:
    """Return sentences like `Colonies of England: Australia, Nigeria.`, one for each current owner."""
    names = variant.build_sites.colonies
    owner = owners(position)
    whose = [(f"Colonies of {power.name}", power.name) for power in variant.powers] + [("Unowned colonies", "")]
    return [
        f"{told}: {', '.join(variant.named(own))}."
        for told, name in whose
        if (own := [one for one in names if owner.get(one, "") == name])
    ]


# The centers of each power, by year.
Years = Mapping[int, Centers]
CENTERS_ABREAST = 36
YEARS_ABREAST = 12


def ownership_tables(variant: Variant, years: Years) -> list[list[str]]:
    """Return tables of the centers' owners, with a row of the owners' letters for each year.

    The names of the centers alternate between two rows, or three rows if names are longer than three letters. If no
    year has ended, there are no tables.
    """
    if not years:
        return []
    centers = sorted(variant.centers)
    rows, abreast = 2, CENTERS_ABREAST
    if max(map(len, centers)) > 3:
        # Leave room at the end of a row, since the last name may extend beyond it.
        rows, abreast = 3, CENTERS_ABREAST - 3
    letters = {power: seat.letter for seat in variant.seats for power in seat.powers}
    tables = []
    for first in range(0, len(centers), abreast):
        some = centers[first : first + abreast]
        lines = _heads(some, rows)
        for number, owned in years.items():
            owner = {center: letters.get(power, ".") for power, own in owned.items() for center in own}
            lines.append(f"{number:<5}{' '.join(owner.get(center, '.') for center in some)}")
        tables.append([*map(str.rstrip, lines)])
    return tables


def _heads(centers: Iterable[str], rows: int) -> list[str]:
    """Return the heading of a table, with the centers' names alternating between these rows."""
    names = [abbr.title() if abbr.isupper() else abbr for abbr in centers]
    cells = [f"{name[: 2 * rows - 1]:<{2 * rows}}" for name in names]
    lines = [f"{' ' * (5 + 2 * row)}{''.join(cells[row::rows])}" for row in range(rows)]
    return [*lines[:-1], f"Year{lines[-1][4:]}"]


def _counted(variant: Variant) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the name of each row, and the powers whose centers the row adds up."""
    for seat in variant.seats:
        yield seat.name, seat.powers
        if len(seat.powers) > 1:
            yield from ((f"  {power}", (power,)) for power in seat.powers)


def count_tables(variant: Variant, years: Years) -> list[list[str]]:
    """Return tables of the powers' numbers of centers, with a column for each year.

    The last row is an index, the sum of the squares of the numbers divided by the number of powers. A group has a row
    before those of its powers. For the index, a group counts as one power.
    """
    rows = [*_counted(variant)]
    width = max(map(len, dict(rows))) + 2
    tables = []
    for at in range(0, len(years), YEARS_ABREAST):
        some = [*years][at : at + YEARS_ABREAST]
        heads = [f"{some[0]:>5}", *(f"  '{number % 100:02}" for number in some[1:])]
        lines = [f"{'Power':<{width}}{''.join(heads)}"]
        for name, powers in rows:
            counts = (sum(len(years[number].get(power, ())) for power in powers) for number in some)
            cells = [f"{count or '.':>5}" for count in counts]
            lines.append(f"{name:<{width}}{''.join(cells)}")
        indices = []
        for number in some:
            squares = sum(size**2 for size in center_counts(variant, years[number]).values())
            indices.append(f"{squares // len(variant.seats):>5}")
        tables.append([*lines, f"{'Index:':<{width}}{''.join(indices)}"])
    return tables
