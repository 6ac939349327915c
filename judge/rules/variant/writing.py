"""A variant as the two texts of its folder: the inverse of reading it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from judge.rules.mechanisms.terms import NEUTRAL_ORDERS, Points, Religion
from judge.rules.variant.variant import BuildSites, Power, Province, Variant

PROVINCES_HEAD = """\
# One table a province, named by its abbreviation. Each border stands at both of its ends.
#   kind     land (armies), coast (armies and fleets), sea (fleets), impassable (nobody)
#   army     where an army may go;  fleet  where a fleet may go, per coast where the province is split: fleet.nc
#   port     true where fleets in a coast may convoy;  armies  false where no army may come
#   anchor   latitude and longitude
"""


def variant_files(variant: Variant) -> tuple[str, str]:
    """(variant.toml, provinces.toml)."""
    return "\n".join(_rules(variant)) + "\n", "\n".join(_provinces(variant)) + "\n"


def _rules(variant: Variant) -> Iterator[str]:
    yield f"title = {_text(variant.title)}"
    yield f"start = {_text(variant.start)}"
    if variant.sources:
        yield f"sources = {_text(variant.sources)}"
    yield f"\n[victory]\ncenters = {variant.victory}"
    if variant.detours.borders:
        yield f"\n[detours]\nway = {_text(variant.detours.way)}"
        yield f"borders = {_words('-'.join(pair) for pair in variant.detours.borders)}"
    for name, rule in variant.emergencies.items():
        yield f"\n[emergency.{_key(name)}]\nextra_units = {rule.extra_units}\nsites = {_words(rule.sites)}"
    if variant.counts:
        yield "\n[counts]"
        yield from (f"{key} = {number}" for key, number in variant.counts.items())
    yield from _terms(variant)
    yield from _build_sites(variant.build_sites)
    yield from _groups(variant)
    for power in variant.powers:
        yield from _power(power)


def _terms(variant: Variant) -> Iterator[str]:
    if variant.neutrals.units:
        yield f"\n[neutrals]\nunits = {_text(', '.join(unit.text for unit in variant.neutrals.units))}"
        if variant.neutrals.orders != NEUTRAL_ORDERS:
            yield f"orders = {_words(variant.neutrals.orders)}"
        if variant.neutrals.civil_disorder:
            yield "civil_disorder = true"
    if variant.points:
        yield from _points(variant.points)
    if variant.vassals:
        yield "\n[vassals]"
        yield from (f"{_key(power)} = {_words(centers)}" for power, centers in variant.vassals.items())
    if variant.religion:
        yield from _religion(variant, variant.religion)
    if variant.extra_home.powers:
        yield f"\n[extra_home]\npowers = {_list(variant.extra_home.powers)}"
    if variant.extra_home.by_building:
        yield "\n[extra_home]\nby_building = true"
    if variant.canals:
        yield "\n[canals]"
        yield from (f"{name} = {opens}" for name, opens in variant.canals.items())


def _points(points: Points) -> Iterator[str]:
    yield "\n[points]"
    usual = asdict(Points())
    for key, amount in asdict(points).items():
        if key != "incomes" and amount != usual[key]:
            yield f"{key} = {json.dumps(amount)}"
    if points.incomes:
        yield f"incomes = {{ {', '.join(f'{_key(power)} = {amount}' for power, amount in points.incomes.items())} }}"


def _religion(variant: Variant, religion: Religion) -> Iterator[str]:
    yield "\n[religion]"
    for word, people in (("muslim", religion.muslims), ("catholic", religion.catholics)):
        yield f"{word}_powers = {_list(power.name for power in variant.powers if power.name in people)}"
        yield f"{word}_neutrals = {_words(sorted(people - variant.power_named.keys()))}"
    yield f"for_catholics_only = {_words(sorted(religion.for_catholics_only))}"


def _build_sites(sites: BuildSites) -> Iterator[str]:
    if sites.colonies:
        yield f"\n[build_sites]\ncolonies = {_words(sites.colonies)}"
    if sites.special:
        yield "\n[build_sites.special]"
        yield from (f"{_key(power)} = {_words(centers)}" for power, centers in sites.special.items())


def _groups(variant: Variant) -> Iterator[str]:
    for group in variant.groups:
        yield f"\n[groups.{_key(group.name)}]"
        yield f"letter = {_text(group.letter)}\ncolour = {_text(group.colour)}"
        yield f"shades = {{ {', '.join(f'{_key(part)} = {_text(shade)}' for part, shade in group.shades.items())} }}"
        yield f"powers = {_list(group.powers)}"
    for one in variant.draws:
        yield f"\n[[draws]]\npowers = {_list(one.powers)}\ngroups = {_list(one.groups)}"
        if one.but:
            yield f"but = {_text(one.but)}"
    if variant.sponsors:
        yield "\n[sponsors]"
        for sponsor in dict.fromkeys(variant.sponsors.values()):
            centers = (center for center, whose in variant.sponsors.items() if whose == sponsor)
            yield f"{_key(sponsor)} = {_words(centers)}"


def _power(power: Power) -> Iterator[str]:
    yield f"\n[powers.{_key(power.name)}]"
    yield f"adjective = {_text(power.adjective)}"
    if power.aliases:
        yield f"aliases = {json.dumps(list(power.aliases), ensure_ascii=False)}"
    yield f"letter = {_text(power.letter)}"
    yield f"theatre = {_text(power.theatre)}" if power.theatre else f"colour = {_text(power.colour)}"
    yield f"homes = {_words(power.homes)}"
    if power.owns != power.homes:
        yield f"owns = {_words(power.owns)}"
    yield f"units = {_text(', '.join(unit.text for unit in power.units))}"


def _provinces(variant: Variant) -> Iterator[str]:
    yield PROVINCES_HEAD.rstrip("\n")
    for province in variant.provinces.values():
        yield from _province(province)


def _province(province: Province) -> Iterator[str]:
    yield f"\n[{province.abbr}]"
    yield f"name = {_text(province.name)}"
    if province.aliases:
        yield f"aliases = {json.dumps(list(province.aliases), ensure_ascii=False)}"
    yield f"kind = {_text(province.kind)}"
    if province.center:
        yield "center = true"
    if province.port:
        yield "port = true"
    if not province.armies:
        yield "armies = false"
    if province.army:
        yield f"army = {_words(province.army)}"
    for coast, places in province.fleet.items():
        yield f"fleet{'.' + coast.lower() if coast else ''} = {_words(places)}"
    if province.reconstructed:
        yield f"reconstructed = {_words(province.reconstructed)}"
    if province.anchor:
        yield f"anchor = {list(province.anchor)}"
    for coast, point in province.anchors.items():
        yield f"anchors.{coast.lower()} = {list(point)}"


def _words(names: Iterable[str]) -> str:
    return _text(" ".join(names))


def _list(words: Iterable[str]) -> str:
    return json.dumps(list(words), ensure_ascii=False)


def _text(text: str) -> str:
    """A TOML basic string; JSON's escapes are among TOML's."""
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _text(name)
