"""What a variant's rules make of the board as it stands: of one province (INFO), and of all of it (LIST, SUMMARY)."""

from collections.abc import Iterator
from dataclasses import replace

from judge.rules import NEUTRAL, Position, Province, Variant
from judge.rules.board.names import listed
from judge.rules.board.phase import year
from judge.rules.board.position import occupants, owners
from judge.rules.mechanisms.armed_neutrals import Religion
from judge.rules.mechanisms.build_places import EmergencyMeasures, ExtraHomeCenters, home_of, measures
from judge.rules.mechanisms.closures import ClosedSeasons
from judge.rules.mechanisms.diplomacy_points import Vassals
from judge.rules.phases.winter import homes_of

# What a line of INFO is about, and what it tells.
Fact = tuple[str, str]


def facts(variant: Variant, position: Position, province: Province) -> list[Fact]:
    """What the rules of this board make of the province now: who builds there, whose vassal or affiliate it is, its
    religion, its canal, when it is closed.
    """
    told = (
        ("Builds", _who_builds(variant, position, province.abbr)),
        ("Vassal", _suzerains(variant, province.abbr)),
        ("Sponsor", variant.sponsor(province.abbr) or ""),
        ("Faith", _faith(variant, province.abbr) if _is_neutral(variant, position, province.abbr) else ""),
        ("Canal", _canal(variant, position, province.abbr)),
        ("Closed", _closed(variant, province.abbr)),
    )
    return [(label, text) for label, text in told if text]


def _who_builds(variant: Variant, position: Position, abbr: str) -> str:
    """The powers that may build there as long as they own it, `nobody` for a center where none may; "" where there is
    no center.
    """
    rule = variant.rule(EmergencyMeasures)
    in_need = {power: abbr in one.sites for power, one in rule.of.items()} if rule else {}
    for power in (power for power, may in in_need.items() if may):
        now = "now, in its emergency" if abbr in measures(variant, position, power).sites else "in an emergency only"
        return f"{power}, {now}"
    if not variant.provinces[abbr].center:
        return ""
    builders = [
        power.name
        for power in variant.powers
        if abbr in homes_of(variant, _owned_by(position, power.name, abbr), power.name)
    ]
    if len(builders) == len(variant.powers):
        return "whoever owns it"
    if builders:
        return f"{listed(builders, 'or')}, while it owns the center"
    extra = variant.rule(ExtraHomeCenters)
    if extra and extra.by_building and home_of(variant, position.homes, abbr) is None:
        return "nobody yet; a power that owns it may name it as its additional home, by building there"
    return "nobody"


def _owned_by(position: Position, owner: str, abbr: str) -> Position:
    others = {power: tuple(one for one in own if one != abbr) for power, own in position.centers.items()}
    return replace(position, centers={**others, owner: (*others.get(owner, ()), abbr)})


def _suzerains(variant: Variant, abbr: str) -> str:
    rule = variant.rule(Vassals)
    suzerains = [power for power, centers in rule.of.items() if abbr in centers] if rule else []
    return f"of {listed(suzerains)}" if suzerains else ""


def _is_neutral(variant: Variant, position: Position, abbr: str) -> bool:
    """Whether a neutral's unit stands there, or comes back there."""
    at = occupants(position).get(abbr)
    return at[0] == NEUTRAL if at else abbr in {unit.province for unit in variant.neutrals.units} | {*position.neutrals}


def _faith(variant: Variant, abbr: str) -> str:
    rule = variant.rule(Religion)
    if not rule:
        return ""
    faith = "Muslim" if abbr in rule.muslims else "Catholic" if abbr in rule.catholics else "Christian"
    return f"{faith}, for the Religious Rule{'; supports Catholics only' * (abbr in rule.for_catholics_only)}"


def _canal(variant: Variant, position: Position, abbr: str) -> str:
    opens = variant.canals.get(abbr)
    if opens is None:
        return ""
    return f"open since Spring {opens}" if year(position.phase) >= opens else f"opens in Spring {opens}"


def _closed(variant: Variant, abbr: str) -> str:
    """`in Fall; the way to Burgundy in Spring`."""
    rule = variant.rule(ClosedSeasons)
    closed = rule.when_closed(abbr) if rule else ()
    return "; ".join(
        (f"the way to {variant.provinces[other].name} " if other else "") + f"in {season}" for season, other in closed
    )


def state_now(variant: Variant, position: Position) -> list[str]:
    """What has come of the rules of this board: homes that were named, an emergency, canals, centers that civil
    disorder made neutral; a sentence each.
    """
    return [*_named_homes(variant, position), *emergencies(variant, position), *_canals(variant, position),
            *_new_neutrals(variant, position)]  # fmt: skip


def _named_homes(variant: Variant, position: Position) -> Iterator[str]:
    for power, homes in position.homes.items():
        owned = position.centers.get(power, ())
        for home in homes:
            lost = "" if home in owned else ", which it does not own now"
            yield f"{variant.provinces[home].name} is a home center of {power}{lost}."


def emergencies(variant: Variant, position: Position) -> Iterator[str]:
    """Why a power may have more units than centers, if it may."""
    for power in variant.powers:
        rule = measures(variant, position, power.name)
        if rule.extra_units:
            units = "unit" if rule.extra_units == 1 else "units"
            builds = f", builds in {listed(variant.named(rule.sites))} too" if rule.sites else ""
            yield f"{power.name} is in an emergency: {rule.extra_units} {units} more than centers{builds}."


def _canals(variant: Variant, position: Position) -> Iterator[str]:
    for name, opens in variant.canals.items():
        state = "is open" if year(position.phase) >= opens else f"opens in Spring {opens}"
        yield f"The canal of {variant.provinces[name].name} {state}."


def _new_neutrals(variant: Variant, position: Position) -> Iterator[str]:
    if position.neutrals:
        yield f"Neutral since civil disorder: {listed(variant.named(sorted(position.neutrals)))}."


def colonies(variant: Variant, position: Position) -> list[str]:
    """`Colonies of England: Australia, Nigeria.`, by present owner."""
    names = variant.build_sites.colonies
    owner = owners(position)
    whose = [(power.name, power.name) for power in variant.powers] + [("nobody", "")]
    return [
        f"Colonies of {told}: {', '.join(variant.named(own))}."
        for told, name in whose
        if (own := [one for one in names if owner.get(one, "") == name])
    ]
