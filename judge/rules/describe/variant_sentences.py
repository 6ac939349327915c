"""A variant printed for a reader: its powers, its rules in words, its provinces with their neighbours."""

from collections.abc import Collection, Iterable, Iterator

from judge.rules.board.listing import listed
from judge.rules.board.phase import words
from judge.rules.board.province import Province
from judge.rules.describe.ruling_sentences import rulings_of
from judge.rules.mechanisms.victory import Victory
from judge.rules.variant.variant import Variant

BUILDS_AT_HOME = "A power builds in its own vacant home centers that it still owns."
PORT = "a fleet there convoys as one at sea does; armies may go there too"
KIND_WORDS = {"land": "inland", "coast": "coast", "sea": "sea", "impassable": "impassable"}


def portrait(variant: Variant) -> str:
    """Plain text, about a hundred columns wide."""
    return "\n".join(
        [
            f"{variant.title} ({variant.name})",
            "",
            *_rules(variant),
            "",
            *_rulings(variant),
            *_groups(variant),
            "Powers",
            *_powers(variant),
            "",
            "Provinces (* supply center)",
            *(line for province in variant.provinces.values() for line in _province(variant, province)),
            "",
            *_reconstructed(variant),
        ]
    )


def rules_in_words(variant: Variant) -> list[str]:
    """The rules that the variant's file sets, one sentence for each."""
    return [
        f"The game begins with {words(variant.start)}.",
        *_victory(variant),
        "".join(one.builds_in_words for one in variant.mechanisms) or BUILDS_AT_HOME,
        *_owned_from_the_start(variant),
        *_ports(variant),
        *mechanisms_in_words(variant),
        *_closed(variant),
    ]


def mechanisms_in_words(variant: Variant) -> list[str]:
    """A sentence or two for each rule that the variant adds to the standard ones; none for standard Diplomacy."""
    beyond = (one for one in variant.mechanisms if not isinstance(one, Victory))
    return [told for one in beyond for told in one.sentences(variant)]


def _victory(variant: Variant) -> Iterator[str]:
    terms = variant.rule(Victory)
    return terms.sentences(variant) if terms else iter(())


def _owned_from_the_start(variant: Variant) -> Iterator[str]:
    """The centers that a power owns at the start and does not build in, where powers build at home."""
    if any(one.builds_in_words for one in variant.mechanisms):
        return
    sites = variant.build_sites
    for power in variant.powers:
        built_in = {*power.homes, *sites.colonies, *sites.special.get(power.name, ())}
        others = [variant.provinces[name].name for name in power.owns if name not in built_in]
        if others:
            yield f"{power.name} owns {listed(others)} at the start, but does not build there."


def _ports(variant: Variant) -> Iterator[str]:
    for province in variant.provinces.values():
        if province.port:
            yield f"A fleet in {province.name} convoys as one at sea does; armies may go there too."


def _closed(variant: Variant) -> Iterator[str]:
    closed = [province.abbr for province in variant.provinces.values() if not province.armies]
    if closed:
        yield f"Closed to armies, by convoy too: {_named(variant, closed)}."


def _named(variant: Variant, provinces: Iterable[str]) -> str:
    return ", ".join(f"{variant.provinces[name].name} ({name})" for name in provinces)


def _rules(variant: Variant) -> Iterator[str]:
    yield from rules_in_words(variant)
    if variant.sources:
        yield variant.sources


def _rulings(variant: Variant) -> Iterator[str]:
    for one in rulings_of(variant):
        yield f"Rulings: {one.title}"
        yield from (f"  {ruling.number}  {ruling.says}" for ruling in one.rulings)
        yield ""


def _groups(variant: Variant) -> Iterator[str]:
    if variant.groups:
        yield "Groups"
        for group in variant.groups:
            yield f"  {group.letter}  {group.name} ({group.colour}): {', '.join(group.powers)}"
        yield ""


def _powers(variant: Variant) -> Iterator[str]:
    for power in variant.powers:
        units = ", ".join(unit.text for unit in power.units)
        look = power.theatre or power.colour
        yield f"  {power.letter}  {power.name} ({power.adjective}, {look}): {units}"
        yield f"     home: {', '.join(variant.provinces[name].name for name in power.homes)}"
        others = [name for name in power.owns if name not in power.homes]
        if others:
            yield f"     owns: {', '.join(variant.provinces[name].name for name in others)}"
    if variant.neutrals.units:
        yield f"     Neutral: {', '.join(unit.text for unit in variant.neutrals.units)}"


def _province(variant: Variant, province: Province) -> Iterator[str]:
    center = "*" if province.center else " "
    aliases = f"; also {', '.join(province.aliases)}" if province.aliases else ""
    yield f"{center} {province.abbr:<5} {province.name}, {kind_in_words(province)}{aliases}"
    if province.army:
        armies = (_marked(variant, province, name, province.doubtful_for_armies) for name in province.army)
        yield f"        army   {' '.join(armies)}"
    for coast, places in province.fleet.items():
        label = f"fleet/{coast}" if coast else "fleet"
        fleets = (_marked(variant, province, place, province.doubtful_for_fleets) for place in places)
        yield f"        {label:<6} {' '.join(fleets)}"


def kind_in_words(province: Province) -> str:
    """`coast`, `coast, closed to armies`, `port`: what can be in the province."""
    kind = "port" if province.port else KIND_WORDS[province.kind]
    return kind if province.armies else f"{kind}, closed to armies"


def _marked(variant: Variant, province: Province, place: str, doubtful: Collection[str]) -> str:
    """A neighbour, marked if the border is reconstructed (with a question mark) or weakens who crosses it."""
    question = "?" * (place.partition("/")[0] in doubtful)
    return place + question + _weakening(variant, province, place)


def with_weakening(variant: Variant, province: Province, place: str) -> str:
    """A neighbour, marked if the border weakens who crosses it."""
    return place + _weakening(variant, province, place)


def _weakening(variant: Variant, province: Province, place: str) -> str:
    if place.partition("/")[0] not in variant.board.beyond.get(province.abbr, ()):
        return ""
    return "(difficult)" if variant.board.crossing.leaves_nothing else "(half)"


def _reconstructed(variant: Variant) -> Iterator[str]:
    """The borders that no published list gives; if these are the majority, the other borders."""
    given, doubtful = sources_of_borders(variant)
    if not doubtful:
        yield "Every border is published."
    elif len(given) < len(doubtful):
        yield f"All borders are reconstructed (marked ?) except {len(given)}: {', '.join(given) or 'none'}"
    else:
        yield f"Reconstructed borders (marked ?): {len(doubtful)}"
        yield from (f"  {pair}" for pair in doubtful)


def sources_of_borders(variant: Variant) -> tuple[list[str], list[str]]:
    """The borders that a source gives, and the borders that none gives, as `AAA - BBB`, sorted; where armies and fleets
    differ, as `AAA - BBB (armies)` and `AAA - BBB (fleets)`.
    """
    doubtful_for: dict[str, dict[str, bool]] = {}
    for province in variant.provinces.values():
        by_water = [place.partition("/")[0] for places in province.fleet.values() for place in places]
        for kind, near, doubtful in (
            ("armies", province.army, province.doubtful_for_armies),
            ("fleets", by_water, province.doubtful_for_fleets),
        ):
            for other in near:
                kinds = doubtful_for.setdefault(" - ".join(sorted((province.abbr, other))), {})
                kinds[kind] = kinds.get(kind, False) or other in doubtful
    found: dict[bool, list[str]] = {False: [], True: []}
    for pair, kinds in doubtful_for.items():
        alike = len(set(kinds.values())) == 1
        for kind, unsure in list(kinds.items())[: 1 if alike else None]:
            found[unsure].append(pair if alike else f"{pair} ({kind})")
    return sorted(found[False]), sorted(found[True])
