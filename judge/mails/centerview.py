"""The tables of SUMMARY: the owner of each center and each power's count of them, year by year, within 78 columns."""

from collections.abc import Mapping, Sequence

from judge.rules import Power, Variant
from judge.rules.mechanisms.groups import Group

# {year: {power: its centers}}
Years = Mapping[int, Mapping[str, Sequence[str]]]
CENTERS_ABREAST = 36
YEARS_ABREAST = 12


def ownership_tables(variant: Variant, years: Years) -> list[list[str]]:
    """The owners' letters, one row per year; the centers' names are above, alternately in two rows (three rows if names
    are longer than three letters).
    """
    centers = sorted(variant.centers)
    rows = 2 if max(map(len, centers)) <= 3 else 3
    # A longer name may extend beyond the end of its row.
    abreast = CENTERS_ABREAST if rows == 2 else CENTERS_ABREAST - 3
    return [
        _ownership(variant, years, centers[first : first + abreast], rows)
        for first in range(0, len(centers), abreast)
    ]


def _ownership(variant: Variant, years: Years, centers: Sequence[str], rows: int) -> list[str]:
    letters = {power: seat.letter for seat in variant.seats for power in seat.powers}
    names = [f"{(abbr.title() if abbr.isupper() else abbr)[: 2 * rows - 1]:<{2 * rows}}" for abbr in centers]
    lines = [f"{' ' * (5 + 2 * row)}{''.join(names[row::rows])}" for row in range(rows)]
    lines[-1] = f"Year{lines[-1][4:]}"
    for year, owned in years.items():
        owner = {center: letters.get(power, ".") for power, some in owned.items() for center in some}
        lines.append(f"{year:<5}{' '.join(owner.get(center, '.') for center in centers)}")
    return [line.rstrip() for line in lines]


def count_tables(variant: Variant, years: Years) -> list[list[str]]:
    """Each power's centers, one column per year, and the index: the sum of their squares divided by the number of
    powers. A group is first shown as a whole, and counts as one power for the index.
    """
    numbers = list(years)
    return [
        _counts(variant, {number: years[number] for number in numbers[first : first + YEARS_ABREAST]})
        for first in range(0, len(numbers), YEARS_ABREAST)
    ]


def _counts(variant: Variant, years: Years) -> list[str]:
    rows = [row for seat in variant.seats for row in _rows(seat)]
    width = max(len(name) for name, _ in rows) + 2
    first, *later = years
    heads = [f"{first:>5}", *(f"  '{year % 100:02}" for year in later)]
    lines = [f"{'Power':<{width}}{''.join(heads)}"]
    for name, powers in rows:
        counts = (_count(owned, powers) for owned in years.values())
        lines.append(f"{name:<{width}}{''.join(f'{count:>5}' if count else '    .' for count in counts)}")
    indices = (
        sum(_count(owned, seat.powers) ** 2 for seat in variant.seats) // len(variant.seats)
        for owned in years.values()
    )
    return [*lines, f"{'Index:':<{width}}{''.join(f'{index:>5}' for index in indices)}"]


def _rows(seat: Power | Group) -> list[tuple[str, tuple[str, ...]]]:
    """(name of the row, its powers): a power, or a group and then each of its powers."""
    single = [(f"  {power}", (power,)) for power in seat.powers]
    return [(seat.name, seat.powers), *(single if len(seat.powers) > 1 else [])]


def _count(owned: Mapping[str, Sequence[str]], powers: Sequence[str]) -> int:
    return sum(len(owned.get(power, ())) for power in powers)
