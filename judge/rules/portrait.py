"""A variant printed for a reader: its powers, its rules in words, its provinces with their neighbours."""

from collections.abc import Iterator

from judge.rules.detours import detours_in_words
from judge.rules.emergency import emergencies_in_words
from judge.rules.phase import words
from judge.rules.telling import terms_in_words
from judge.rules.variant import Province, Variant

KIND_WORDS = {"land": "inland", "coast": "coast", "sea": "sea", "impassable": "impassable"}


def portrait(variant: Variant) -> str:
    """Plain text of some hundred columns."""
    return "\n".join(
        [
            f"{variant.title} ({variant.name})",
            "",
            *_rules(variant),
            "",
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
    """The rules that the variant's file sets, a sentence each."""
    return [
        f"The game begins with {words(variant.start)}.",
        f"A power wins with {variant.victory} of {len(variant.centers)} centers and more than any other, after a Fall.",
        "A power builds in its own vacant home centers that it still owns.",
        *_owned_from_the_start(variant),
        *_ports(variant),
        *detours_in_words(variant.detours, variant.provinces),
        *emergencies_in_words(variant),
        *terms_in_words(variant),
    ]


def _owned_from_the_start(variant: Variant) -> Iterator[str]:
    for power in variant.powers:
        others = [variant.provinces[name].name for name in power.owns if name not in power.homes]
        if others:
            yield f"{power.name} owns {' and '.join(others)} at the start, but does not build there."


def _ports(variant: Variant) -> Iterator[str]:
    for province in variant.provinces.values():
        if province.port:
            yield f"A fleet in {province.name} convoys as one at sea does; armies may go there too."


def _rules(variant: Variant) -> Iterator[str]:
    yield from rules_in_words(variant)
    if variant.sources:
        yield variant.sources


def _powers(variant: Variant) -> Iterator[str]:
    for power in variant.powers:
        units = ", ".join(unit.text for unit in power.units)
        yield f"  {power.letter}  {power.name} ({power.adjective}, {power.colour}): {units}"
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
        yield f"        army   {' '.join(_marked(variant, province, name) for name in province.army)}"
    for coast, places in province.fleet.items():
        label = f"fleet/{coast}" if coast else "fleet"
        yield f"        {label:<6} {' '.join(_marked(variant, province, name) for name in places)}"


def kind_in_words(province: Province) -> str:
    return "port" if province.port else KIND_WORDS[province.kind]


def _marked(variant: Variant, province: Province, place: str) -> str:
    """The neighbour, with a question mark where the border is reconstructed, and where it is one of half strength."""
    half = place.partition("/")[0] in variant.board.beyond.get(province.abbr, ())
    return f"{place}{'?' * (place in province.reconstructed)}{'(half)' * half}"


def _reconstructed(variant: Variant) -> Iterator[str]:
    """The borders that no published list gives."""
    pairs = sorted(
        {
            " - ".join(sorted((province.abbr, other)))
            for province in variant.provinces.values()
            for other in province.reconstructed
        }
    )
    if not pairs:
        yield "Every border is published."
        return
    yield f"Reconstructed borders (marked ?): {len(pairs)}"
    yield from (f"  {pair}" for pair in pairs)
