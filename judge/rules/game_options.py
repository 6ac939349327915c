"""A variant with the changes of one game: the settings of its master, and corrections of borders.

A correction that names a canal's coast has an effect until the canal opens. Then the coast is gone, and the correction
applies to the whole province if it is possible there. A correction that names the canal without a coast has an effect
after the canal has opened.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.rules.board.names import listed
from judge.rules.board.orders import OrderError, Places, Unit, province_of
from judge.rules.board.province import (
    COASTS,
    BorderChange,
    CoastChange,
    Province,
    parse_change,
    with_changes,
    without_coast,
)
from judge.rules.mechanisms.build_places import BuildAnywhere
from judge.rules.mechanisms.crossings import Canals
from judge.rules.mechanisms.victory import Victory
from judge.rules.parsing.order_tokens import OrderTokens
from judge.rules.parsing.vocabulary import TO
from judge.rules.variant.variant import Readings, Variant


@dataclass(frozen=True)
class GameOptions:
    """The changes that one game makes to its variant.

    `borders` has corrections of the map. `holders` has (power, its group) for each power that a draw put into a group.
    `canals` has (province, the year in which its canal opens). `victory` is the number of centers that wins the game.
    `year_cap` is the last year. `readings` names the other readings of the rules that the master has chosen.

    If `any_centers` is true, powers can build in every center that they own. If `one_center` is true, a power can do so
    only while it owns one of its homes. A value that is empty or None leaves the rule of the variant.
    """

    borders: tuple[str, ...] = ()
    holders: tuple[tuple[str, str], ...] = ()
    canals: tuple[tuple[str, int], ...] = ()
    victory: int | None = None
    year_cap: int | None = None
    readings: tuple[str, ...] = ()
    any_centers: bool = False
    one_center: bool = False


@lru_cache(maxsize=128)
def with_house_rules(variant: Variant, house: GameOptions) -> Variant:
    """Return the variant with the changes of a game.

    The result is cached, because other caches about orders and positions have the variant as their key.
    """
    if house == GameOptions():
        return variant
    settled = with_borders(variant, house.borders)
    if house.holders:
        settled = settled.grouped(dict(house.holders))
    if house.canals:
        settled = settled.with_rule(Canals({**variant.canals, **dict(house.canals)}))
    if house.any_centers or house.one_center:
        settled = settled.with_rule(BuildAnywhere(while_home=house.one_center))
    settled = _with_readings(settled, house.readings)
    return settled.with_rule(Victory(house.victory or variant.victory, house.year_cap or variant.year_cap))


def _with_readings(variant: Variant, names: tuple[str, ...]) -> Variant:
    """Return the variant with the named readings of its rules. Names that the variant does not offer have no effect."""
    offered = variant.mechanism(Readings)
    if not (offered.known and names):
        return variant
    for name in filter(offered.known.__contains__, names):
        for mechanism, changed in offered.known[name].changes.items():
            rule = variant.rule(mechanism)
            # mypy does not know that every mechanism is a dataclass.
            variant = variant.with_rule(replace(rule, **changed) if rule else mechanism(**changed))  # type: ignore[type-var]
    return variant.with_rule(replace(offered, chosen=names))


# --- corrections of borders ------------------------------------------------------------------------------------------


def read_change(variant: Variant, adds: bool, unit: str, places: str) -> BorderChange:
    """Return the change to a border as the master wrote it (`sgk - baltic sea`), or raise OrderError."""
    reader = OrderTokens(variant, "M", places)
    one = reader.place()
    reader.take(TO)
    other = reader.place()
    reader.expect_end()
    if unit == "ARMY":
        one, other = map(province_of, (one, other))
    return BorderChange(adds, unit, *sorted((one, other)))


def read_coasts(variant: Variant, province: str, coasts: str, *, splits: bool = False) -> CoastChange:
    """Return the change to a province's coasts as the master wrote it, or raise OrderError.

    To join coasts, `province` and `coasts` are like `egypt` and "". To split them, they are like `liverpool` and `WC
    irish sea, wal; EC nth, lon`. If `splits` is true, the text must name the new coasts.
    """
    abbr = _named(variant, province)
    there = variant.provinces[abbr]
    if there.kind != "coast" or not there.fleet:
        raise OrderError(f"{there.name} has no coasts.")
    if any(unit.province == abbr for unit in variant.neutral_units):
        raise OrderError(f"There is a neutral in {there.name}.")
    found = _coasts(variant, abbr, coasts)
    if splits and not found:
        raise OrderError(f"Name each coast. Write it like {_split(there)}.")
    if len(found) == 1 and there.coasts:
        raise OrderError(f"For a single coast, write COAST JOIN {abbr}.")
    if len(found) == 1:
        found = {}
    missing = sorted(set(there.by_water).difference(*found.values()))
    if found and missing:
        raise OrderError(f"From which coast do fleets go to {listed(missing)}?")
    if found == dict(there.fleet) or (not found and not there.coasts):
        raise OrderError(f"That is already the case. {coasts_in_words(variant, CoastChange(abbr, found))}")
    return CoastChange(abbr, found)


def _coasts(variant: Variant, abbr: str, text: str) -> dict[str, Places]:
    """Return each coast in the text, with the places next to it."""
    found: dict[str, Places] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, places = part.partition(" ")
        coast = name.upper()
        if coast not in COASTS or coast in found:
            raise OrderError(f'"{part}": a coast is one of {", ".join(COASTS)}, then the provinces next to it.')
        found[coast] = tuple(sorted({_beside(variant, abbr, place) for place in places.split(",")}))
    return found


def _split(province: Province) -> str:
    """Return an example of a line that splits the province's coast."""
    places = list(dict.fromkeys(province.by_water))
    north, south = places[: (len(places) + 1) // 2], places[len(places) // 2 :]
    return f"COAST SPLIT {province.abbr}: NC {', '.join(north)}; SC {', '.join(south)}"


def _named(variant: Variant, text: str) -> str:
    reader = OrderTokens(variant, "M", text)
    named = reader.province()
    reader.expect_end()
    return named


def _beside(variant: Variant, abbr: str, text: str) -> str:
    """Return the place next to the province that a text names."""
    named, _, coast = text.strip().partition("/")
    there = _named(variant, named)
    found = [place for place in {*variant.provinces[abbr].by_water} if province_of(place) == there]
    exact = [place for place in found if place.partition("/")[2] == coast.upper()] if coast else found
    if len(exact) != 1:
        raise OrderError(f"Fleets cannot go from {variant.provinces[abbr].name} to {text.strip()}.")
    return exact[0]


def coasts_in_words(variant: Variant, change: CoastChange) -> str:
    """Return a change to coasts in words: `Egypt [EGY] has one coast.`."""
    name = f"{variant.provinces[change.province].name} [{change.province}]"
    if not change.coasts:
        return f"{name} has one coast."
    told = [f"{COASTS[coast]} ({', '.join(places)})" for coast, places in change.coasts.items()]
    return f"{name} has the coasts {listed(told)}."


def with_coast_change(variant: Variant, changes: Sequence[str], new: CoastChange) -> list[str]:
    """Return the texts of changes with one more. An older change to the same province's coasts is left out.

    The new change is left out too if the province would have these coasts without it.
    """
    others = [text for text in changes if text.split()[:2] != ["COASTS", new.province]]
    province = with_borders(variant, others).provinces[new.province]
    back = {coast: set(places) for coast, places in province.fleet.items()} if province.coasts else {}
    return others if back == {coast: set(places) for coast, places in new.coasts.items()} else [*others, str(new)]


def with_change(changes: Sequence[str], new: BorderChange) -> list[str]:
    """Return the texts of changes with one more.

    If the new change only reverses an earlier change, both are left out.
    """
    back = str(new.opposite)
    if back in changes:
        return [text for text in changes if text != back]
    return [*changes, str(new)]


def with_borders(variant: Variant, changes: Iterable[str]) -> Variant:
    """Return the variant with its borders changed. Changes that must wait for a canal are kept until it opens."""
    provinces, waiting = with_changes(variant.provinces, changes)
    if provinces == variant.provinces and not waiting:
        return variant
    powers = variant.powers
    for change in map(parse_change, changes):
        if isinstance(change, CoastChange):
            # Fleets that are in the province at the start get the first of the new coasts.
            place = "/".join([change.province, *list(change.coasts)[:1]])
            powers = tuple(
                replace(
                    power,
                    units=tuple(
                        Unit("F", place) if (unit.kind, unit.province) == ("F", change.province) else unit
                        for unit in power.units
                    ),
                )
                for power in powers
            )
    return replace(variant, powers=powers, provinces=provinces, border_changes=(*variant.border_changes, *waiting))


def check_change(variant: Variant, change: BorderChange) -> None:
    """Raise OrderError if the change to a border cannot be made, or changes nothing."""
    ends = [*map(province_of, (change.one, change.other))]
    if ends[0] == ends[1]:
        raise OrderError("A province cannot border itself.")
    for place, there in ((change.one, change.other), (change.other, change.one)):
        province = variant.provinces[province_of(place)]
        if f"{change.unit[0]} {place}" in variant.board.spots:
            continue
        if change.unit == "FLEET" and province.coasts:
            ways = [f"{there} - {coast}" for coast in province.fleet_ways]
            raise OrderError(f"Which coast of {province.name}?", ways=ways)
        raise OrderError(f"No {change.unit.lower()} can be in {province.name}.")
    after = with_borders(variant, [str(change)])
    if after is variant:
        raise OrderError(f"That is already the case. {in_words(variant, str(change))}")
    for end in ends:
        province = after.provinces[end]
        if not province.neighbours:
            raise OrderError(f"{province.name} would have no border left.")


def in_words(variant: Variant, text: str) -> str:
    """Return a change in words: `Fleets can move between Baltic Sea [BAL] and Skagerrak [SGK].`."""
    change = _now(variant, text)
    if isinstance(change, CoastChange):
        return coasts_in_words(variant, change)
    who = "Armies" if change.unit == "ARMY" else "Fleets"
    ends = " and ".join(f"{variant.place_called(place)} [{place}]" for place in (change.one, change.other))
    return f"{who} {'can' if change.adds else 'cannot'} move between {ends}."


def told(variant: Variant, changes: Iterable[str]) -> list[str]:
    """Return in words the changes that have an effect on the board now.

    Changes that wait for a canal to open, or that ended when it opened, are left out.
    """
    sentences = {in_words(variant, text): _now(variant, text) for text in changes}
    return [
        sentence
        for sentence, change in sentences.items()
        if isinstance(change, CoastChange) or with_changes(variant.provinces, [str(change)]) == (variant.provinces, ())
    ]


def _now(variant: Variant, text: str) -> BorderChange | CoastChange:
    """Return the change as it applies now: without a coast that its province lost when its canal opened."""
    change = parse_change(text)
    if isinstance(change, CoastChange):
        return change
    open_now = {abbr for abbr in variant.canals if not variant.provinces[abbr].coasts}
    return replace(change, one=without_coast(change.one, open_now), other=without_coast(change.other, open_now))
