"""Who owns the centers after a Fall, and whether somebody has won."""

from judge.rules.position import Position, occupants, owners
from judge.rules.variant import NEUTRAL, Variant


def owned_after_fall(variant: Variant, position: Position) -> dict[str, tuple[str, ...]]:
    """{power: its centers}: a power takes the centers that its units stand in, and keeps what nobody else took."""
    standing = occupants(position)
    owner = owners(position)
    for center in variant.centers:
        if center in standing and standing[center][0] != NEUTRAL:
            owner[center] = standing[center][0]
    centers: dict[str, list[str]] = {power.name: [] for power in variant.powers}
    for center, power in sorted(owner.items()):
        centers.setdefault(power, []).append(center)
    return {power: tuple(names) for power, names in centers.items() if names}


def winner(variant: Variant, position: Position) -> str | None:
    """The power that has enough centers, and strictly more than any other."""
    ranking = sorted(position.centers, key=lambda power: -len(position.centers[power]))
    if not ranking or len(position.centers[ranking[0]]) < variant.victory:
        return None
    if len(ranking) > 1 and len(position.centers[ranking[1]]) == len(position.centers[ranking[0]]):
        return None
    return ranking[0]
