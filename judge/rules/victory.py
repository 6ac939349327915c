"""Who owns the centers after a Fall, and whether somebody has won."""

from collections.abc import Mapping

from judge.rules.position import Position
from judge.rules.variant import NEUTRAL, Variant

Centers = Mapping[str, tuple[str, ...]]


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


def winner(variant: Variant, centers: Centers) -> str | None:
    """The power (or group) that has as many centers as the variant asks for, and strictly more than any other."""
    counts = center_counts(variant, centers)
    most = max(counts.values(), default=0)
    if most < variant.victory:
        return None
    leaders = [name for name, count in counts.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None


def survivors(variant: Variant, centers: Centers) -> tuple[str, ...]:
    """The powers (or groups) that own a center yet, in the variant's order; powers that are in no group yet last."""
    counts = center_counts(variant, centers)
    return tuple(name for name in dict.fromkeys((*variant.seat_named, *counts)) if counts.get(name))


def center_counts(variant: Variant, centers: Centers) -> dict[str, int]:
    """{power: how many centers it owns}, or where powers are grouped {group: how many its powers own together}
    (Intercontinental, 1.6). What neutrals own counts for nobody.
    """
    counts: dict[str, int] = {}
    for power, owned in centers.items():
        if power != NEUTRAL:
            seat = variant.seat_of(power)
            counts[seat] = counts.get(seat, 0) + len(owned)
    return counts
