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
        if unit.province in variant.center_set
    }
    owner = {center: power for power, owned in position.centers.items() for center in owned}
    if takers.items() <= owner.items():
        return dict(position.centers)
    owner |= takers
    centers: dict[str, list[str]] = {power: [] for power in variant.power_named}
    for center in sorted(owner):
        centers[owner[center]].append(center)
    return {power: tuple(names) for power, names in centers.items() if names}


def winner(variant: Variant, position: Position) -> str | None:
    """The power that has enough centers, and strictly more than any other."""
    most = max(map(len, position.centers.values()), default=0)
    if most < variant.victory:
        return None
    leaders = [power for power, centers in position.centers.items() if len(centers) == most]
    return leaders[0] if len(leaders) == 1 else None
