"""A variant as the two texts of its folder: the inverse of reading it."""

from collections.abc import Iterator

from judge.rules.board.power import Power
from judge.rules.board.province import Province
from judge.rules.variant.rulings import written_rulings
from judge.rules.variant.variant import Variant
from judge.rules.variant_files.mechanism_in_file import MechanismInFile
from judge.rules.variant_files.toml_text import toml_key, toml_list, toml_text, toml_words

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
    yield f"title = {toml_text(variant.title)}"
    yield f"start = {toml_text(variant.start)}"
    if variant.sources:
        yield f"sources = {toml_text(variant.sources)}"
    if variant.special:
        yield f"special = {toml_text(variant.special)}"
    for one in variant.mechanisms:
        if isinstance(one, MechanismInFile):
            yield from one.written(variant)
    if variant.counts:
        yield "\n[counts]"
        yield from (f"{key} = {number}" for key, number in variant.counts.items())
    for power in variant.powers:
        yield from _power(power)
    yield from written_rulings(variant.rulings)


def _power(power: Power) -> Iterator[str]:
    yield f"\n[powers.{toml_key(power.name)}]"
    yield f"adjective = {toml_text(power.adjective)}"
    if power.aliases:
        yield f"aliases = {toml_list(power.aliases)}"
    yield f"letter = {toml_text(power.letter)}"
    yield f"theatre = {toml_text(power.theatre)}" if power.theatre else f"colour = {toml_text(power.colour)}"
    yield f"homes = {toml_words(power.homes)}"
    if power.owns != power.homes:
        yield f"owns = {toml_words(power.owns)}"
    yield f"units = {toml_text(', '.join(unit.text for unit in power.units))}"


def _provinces(variant: Variant) -> Iterator[str]:
    yield PROVINCES_HEAD.rstrip("\n")
    for province in variant.provinces.values():
        yield from _province(province)


def _reconstructed(province: Province) -> Iterator[str]:
    """One list where armies and fleets have the same doubtful borders, else one for each."""
    armies, fleets = province.doubtful_for_armies, province.doubtful_for_fleets
    both = tuple(dict.fromkeys((*armies, *fleets)))
    by_water = {place.partition("/")[0] for there in province.fleet.values() for place in there}
    if set(armies) == {*both} & {*province.army} and set(fleets) == {*both} & by_water:
        if both:
            yield f"reconstructed = {toml_words(both)}"
        return
    yield f"reconstructed.army = {toml_words(armies)}"
    yield f"reconstructed.fleet = {toml_words(fleets)}"


def _province(province: Province) -> Iterator[str]:
    yield f"\n[{province.abbr}]"
    yield f"name = {toml_text(province.name)}"
    if province.aliases:
        yield f"aliases = {toml_list(province.aliases)}"
    yield f"kind = {toml_text(province.kind)}"
    if province.center:
        yield "center = true"
    if province.port:
        yield "port = true"
    if not province.armies:
        yield "armies = false"
    if province.army:
        yield f"army = {toml_words(province.army)}"
    for coast, places in province.fleet.items():
        yield f"fleet{'.' + coast.lower() if coast else ''} = {toml_words(places)}"
    if province.one_way:
        yield f"one_way = {toml_words(province.one_way)}"
    yield from _reconstructed(province)
    if province.anchor:
        yield f"anchor = {list(province.anchor)}"
    for coast, point in province.anchors.items():
        yield f"anchors.{coast.lower()} = {list(point)}"
