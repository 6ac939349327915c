"""Who owns the centers after a Fall."""

from judge.rules.board.position import Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset


def owned_after_fall(ruleset: Ruleset, position: Position) -> dict[str, tuple[str, ...]]:
    """{power: its centers}: a power takes the centers that its units stand in, and keeps those that no other power
    took.
    """
    everywhere, owners = ruleset.center_set, dict(position.centers)
    gains: dict[str, list[str]] = {}
    for power, units in position.units.items():
        if power != NEUTRAL:
            owned = owners.get(power, ())
            for unit in units:
                if unit.province in everywhere and unit.province not in owned:
                    gains.setdefault(power, []).append(unit.province)
    if not gains:
        return owners
    taken = {center for gained in gains.values() for center in gained}
    centers = {}
    for power in (*ruleset.power_named, NEUTRAL):
        owned = owners.get(power, ())
        if not taken.isdisjoint(owned):
            owned = tuple([center for center in owned if center not in taken])
        if power in gains:
            owned = tuple(sorted((*owned, *gains[power])))
        if owned:
            centers[power] = owned
    return centers
