"""Who owns the centers after a Fall, and whether somebody has won."""

from judge.rules.position import Position
from judge.rules.variant import NEUTRAL, Variant


def owned_after_fall(variant: Variant, position: Position) -> dict[str, tuple[str, ...]]:
    """{power: its centers}: a power takes the centers that its units stand in, and keeps what nobody else took."""
    everywhere = variant.center_set
    gains: dict[str, list[str]] = {}
    taken: set[str] = set()
    for power, units in position.units.items():
        owned = position.centers.get(power, ())
        gained = [unit.province for unit in units if unit.province in everywhere and unit.province not in owned]
        if gained and power != NEUTRAL:
            gains[power] = gained
            taken.update(gained)
    if not taken:
        return dict(position.centers)
    centers = {}
    for power in (*variant.power_named, NEUTRAL):
        kept = [center for center in position.centers.get(power, ()) if center not in taken]
        if power in gains:
            kept = sorted(kept + gains[power])
        if kept:
            centers[power] = tuple(kept)
    return centers


def winner(position: Position, victory: int) -> str | None:
    """The power that has `victory` centers or more, and strictly more than any other."""
    most = max(map(len, position.centers.values()), default=0)
    if most < victory:
        return None
    leaders = [power for power, centers in position.centers.items() if len(centers) == most]
    return leaders[0] if len(leaders) == 1 else None
