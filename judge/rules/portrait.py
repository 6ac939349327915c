"""A variant printed for a reader: its powers, its rules in words, its provinces with their neighbours."""

from collections.abc import Iterator

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
        *terms_in_words(variant),
    ]


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
    kind = "port" if province.port else KIND_WORDS[province.kind]
    aliases = f"; also {', '.join(province.aliases)}" if province.aliases else ""
    yield f"{center} {province.abbr:<5} {province.name}, {kind}{aliases}"
    if province.army:
        yield f"        army   {' '.join(_marked(province, name) for name in province.army)}"
    for coast, places in province.fleet.items():
        label = f"fleet/{coast}" if coast else "fleet"
        yield f"        {label:<6} {' '.join(_marked(province, name) for name in places)}"


def _marked(province: Province, place: str) -> str:
    """The neighbour, with a question mark where the border is reconstructed."""
    return f"{place}?" if place in province.reconstructed else place


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
