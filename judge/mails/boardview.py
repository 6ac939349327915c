"""A board in words: what MAP shows of all provinces, and INFO of one."""

from collections.abc import Iterable
from dataclasses import dataclass

from judge.mails.factsview import Fact, facts
from judge.rules import NEUTRAL, Position, Province, Unit, Variant, start_position
from judge.rules.board.names import listed
from judge.rules.board.position import occupants, owners
from judge.rules.board.province import COASTS
from judge.rules.describe import PORT, describe_place, kind_in_words


@dataclass(frozen=True)
class Place:
    """A province with the unit in it: `Army`, `Italian Fleet (north coast)`, or nothing."""

    province: Province
    here: str


@dataclass(frozen=True)
class MapView:
    """`powers`: (name, its units, its centers, the places that it owns or has units in); `unowned`: centers without an
    owner; `empty`: (kind, provinces without owner and unit).
    """

    powers: list[tuple[str, int, int, list[Place]]]
    unowned: list[Place]
    empty: list[tuple[str, list[Province]]]


@dataclass(frozen=True)
class ProvinceView:
    """One province; `facts`: what the rules of this board make of it; `armies` and `fleets`: the names of its
    neighbours, `fleets` by coast ("" if the coast is not split).
    """

    province: Province
    kind: str
    center: str
    here: str
    armies: list[str]
    fleets: list[tuple[str, list[str]]]
    facts: list[Fact]


def map_view(variant: Variant, position: Position) -> MapView:
    """Every province under the power that owns it or has a unit in it, the rest by kind."""
    powers = [power.name for power in variant.powers] + [NEUTRAL]
    owner, at = owners(position), occupants(position)
    beaten = {one.unit.province for units in position.dislodged.values() for one in units}
    blocks = []
    for power in powers:
        units = [*position.units.get(power, ()), *(one.unit for one in position.dislodged.get(power, ()))]
        owned = position.centers.get(power, ())
        places = sorted({*owned, *(unit.province for unit in units)}, key=lambda abbr: (abbr not in owned, abbr))
        if places:
            shown = [Place(variant.provinces[abbr], _seen_by(variant, position, power, abbr)) for abbr in places]
            blocks.append((power, len(units), len(owned), shown))
    unowned = [
        Place(province, _seen_by(variant, position, "", abbr))
        for abbr, province in variant.provinces.items()
        if province.center and abbr not in owner
    ]
    left = [
        province
        for abbr, province in variant.provinces.items()
        if abbr not in at and abbr not in beaten and not province.center and province.kind != "impassable"
    ]
    return MapView(blocks, unowned, _by_kind(left))


def province_view(variant: Variant, position: Position | None, abbr: str) -> ProvinceView:
    """Everything about a province; `position` None: on an empty board."""
    province = variant.provinces[abbr]
    return ProvinceView(
        province=province,
        kind=_kind(province),
        center=_center(variant, position, province),
        here=_seen_by(variant, position, "", abbr) if position else "",
        armies=_names(variant, abbr, province.army),
        fleets=[(COASTS.get(coast, coast), _names(variant, abbr, places)) for coast, places in province.fleet.items()],
        facts=facts(variant, position or start_position(variant), province),
    )


def _kind(province: Province) -> str:
    """`coast, with a north coast and a south coast`; what a port is, is explained."""
    port = f": {PORT}" if province.port else ""
    coasts = [f"{_article(COASTS[coast])} {COASTS[coast]}" for coast in province.coasts]
    return kind_in_words(province) + port + (f", with {listed(coasts)}" if coasts else "")


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def neutrals_view(variant: Variant) -> list[tuple[str, list[str]]]:
    """(`Minor neutrals` or `Affiliates of Blue`, their units) if neutrals have sponsors."""
    found: dict[str, list[str]] = {}
    for unit in variant.neutrals.units if variant.sponsors else ():
        sponsor = variant.sponsors.get(unit.province)
        found.setdefault(f"Affiliates of {sponsor}" if sponsor else "Minor neutrals", []).append(str(unit))
    return sorted(found.items(), key=lambda entry: entry[0] != "Minor neutrals")


def _center(variant: Variant, position: Position | None, province: Province) -> str:
    """`home center of France, owned by Germany`; "" if it has no center."""
    if not province.center:
        return ""
    sites = variant.build_sites
    homes = [
        power.name
        for power in variant.powers
        if province.abbr in power.homes or province.abbr in sites.special.get(power.name, ())
    ]
    kind = f"home center of {listed(homes)}" if homes else "supply center"
    named = [power for power, centers in position.homes.items() if province.abbr in centers] if position else []
    kind += f", named as a home by {listed(named)}" if named else ""
    if any(province.abbr in centers for centers in sites.special.values()):
        kind = f"special center, {kind}"
    if province.abbr in sites.colonies:
        kind = "colony, a home center of its owner"
    if not position:
        return kind
    return f"{kind}, owned by {owners(position).get(province.abbr, 'nobody')}"


def _seen_by(variant: Variant, position: Position, reader: str, abbr: str) -> str:
    """The units in a province, the dislodged one last; those of `reader` without an adjective."""
    standing = [(power, unit, "") for power, unit in [occupants(position).get(abbr, ("", None))] if unit]
    beaten = [
        (power, one.unit, ", dislodged")
        for power, units in position.dislodged.items()
        for one in units
        if one.unit.province == abbr
    ]
    return "; ".join(
        f"{_adjective(variant, power) if power != reader else ''}{_unit(unit)}{mark}"
        for power, unit, mark in [*standing, *beaten]
    )


def _adjective(variant: Variant, power: str) -> str:
    return f"{power if power == NEUTRAL else variant.power_named[power].adjective} "


def _unit(unit: Unit) -> str:
    """`Fleet (north coast)`."""
    coast = unit.place.partition("/")[2]
    return ("Army" if unit.kind == "A" else "Fleet") + (f" ({COASTS.get(coast, coast)})" if coast else "")


def _names(variant: Variant, abbr: str, places: Iterable[str]) -> list[str]:
    """`Egypt [EGY]`; a border that weakens who crosses it is marked, with the way that it leads."""
    beyond = variant.board.beyond.get(abbr, ())
    named = [(describe_place(variant, place), place.partition("/")[0]) for place in places]
    crossing = variant.board.crossing
    weakened = f" ({crossing.strength}, {crossing.way})"
    return [f"{name} [{at}]{weakened if at in beyond else ''}" for name, at in named]


def _by_kind(provinces: Iterable[Province]) -> list[tuple[str, list[Province]]]:
    kinds = (("Seas", "sea"), ("Coasts", "coast"), ("Inland", "land"))
    found = [(word, [province for province in provinces if province.kind == kind]) for word, kind in kinds]
    return [(word, some) for word, some in found if some]
