"""The tables of SUMMARY: the owner of each center and each power's count of them, year by year, within 78 columns."""

from collections.abc import Mapping, Sequence

from judge.rules import Variant

# {year: {power: its centers}}
Years = Mapping[int, Mapping[str, Sequence[str]]]
CENTERS_ABREAST = 36
YEARS_ABREAST = 12


def ownership_tables(variant: Variant, years: Years) -> list[list[str]]:
    """The owners' letters, a row a year; the centers' names stand above, in turn in the upper and the lower row."""
    centers = sorted(variant.centers)
    return [
        _ownership(variant, years, centers[first : first + CENTERS_ABREAST])
        for first in range(0, len(centers), CENTERS_ABREAST)
    ]


def _ownership(variant: Variant, years: Years, centers: Sequence[str]) -> list[str]:
    letters = {power.name: power.letter for power in variant.powers}
    names = [f"{abbr[:3].title():<4}" for abbr in centers]
    lines = [f"     {''.join(names[::2])}", f"Year   {''.join(names[1::2])}"]
    for year, owned in years.items():
        owner = {center: letters.get(power, ".") for power, some in owned.items() for center in some}
        lines.append(f"{year:<5}{' '.join(owner.get(center, '.') for center in centers)}")
    return [line.rstrip() for line in lines]


def count_tables(variant: Variant, years: Years) -> list[list[str]]:
    """Each power's centers, a column a year, and the index: the sum of their squares divided by the powers."""
    numbers = list(years)
    return [
        _counts(variant, {number: years[number] for number in numbers[first : first + YEARS_ABREAST]})
        for first in range(0, len(numbers), YEARS_ABREAST)
    ]


def _counts(variant: Variant, years: Years) -> list[str]:
    width = max(len(power.name) for power in variant.powers) + 2
    first, *later = years
    heads = [f"{first:>5}", *(f"  '{year % 100:02}" for year in later)]
    lines = [f"{'Power':<{width}}{''.join(heads)}"]
    for power in variant.powers:
        counts = (len(owned.get(power.name, ())) for owned in years.values())
        lines.append(f"{power.name:<{width}}{''.join(f'{count:>5}' if count else '    .' for count in counts)}")
    indices = (
        sum(len(owned.get(power.name, ())) ** 2 for power in variant.powers) // len(variant.powers)
        for owned in years.values()
    )
    return [*lines, f"{'Index:':<{width}}{''.join(f'{index:>5}' for index in indices)}"]
