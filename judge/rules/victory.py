"""Who owns the centers after a Fall, and whether somebody has won."""

from judge.rules.position import Position
from judge.rules.variant import NEUTRAL, Variant


def owned_after_fall(variant: Variant, position: Position) -> dict[str, tuple[str, ...]]:
    """{power: its centers}: a power takes the centers that its units stand in, and keeps what nobody else took."""
    takers = {
        unit.province: power
        for power, units in position.units.items()
        if power != NEUTRAL
        for unit in units
        if variant.provinces[unit.province].center
    }
    centers: dict[str, list[str]] = {power.name: [] for power in variant.powers}
    for power, owned in position.centers.items():
        centers[power].extend(center for center in owned if center not in takers)
    for center, power in takers.items():
        centers[power].append(center)
    return {power: tuple(sorted(names)) for power, names in centers.items() if names}


def winner(variant: Variant, position: Position) -> str | None:
    """The power that has enough centers, and strictly more than any other."""
    ranking = sorted(position.centers, key=lambda power: -len(position.centers[power]))
    if not ranking or len(position.centers[ranking[0]]) < variant.victory:
        return None
    if len(ranking) > 1 and len(position.centers[ranking[1]]) == len(position.centers[ranking[0]]):
        return None
    return ranking[0]
