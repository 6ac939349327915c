"""One more home center, got during play.

In Ambition & Empire (V.2) it is the first center that the power comes to own. Those with which it started do not count,
its lost home centers among them. The one that it wins first is its home from then on, whoever else's home it may be; of
several that it wins in the same Fall it names one in the winter.

In Intercontinental (9.1) a power names any center that it owns by building there, once, if it never was anybody's home.
"""

from collections.abc import Mapping

from judge.rules.board.position import Position
from judge.rules.variant.variant import Variant

Centers = Mapping[str, tuple[str, ...]]


def named_after_fall(variant: Variant, centers: Centers, homes: Centers) -> dict[str, str]:
    """{power: the home center that it has now won}, where there is just one to choose. `homes` are those named
    before.
    """
    return {power: won[0] for power, won in _won(variant, centers, homes).items() if len(won) == 1}


def home_choices(variant: Variant, centers: Centers, homes: Centers) -> dict[str, tuple[str, ...]]:
    """{power: the centers among which it has to choose its new home}, sorted."""
    return {power: won for power, won in _won(variant, centers, homes).items() if len(won) > 1}


def with_homes(homes: Centers, named: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The homes with those that were named now."""
    return {**homes, **{power: (center,) for power, center in named.items()}}


def _won(variant: Variant, centers: Centers, homes: Centers) -> dict[str, tuple[str, ...]]:
    """What each power that has no additional home center yet owns beyond its start."""
    found = {}
    for power in variant.extra_home.powers:
        start = variant.power_named[power].owns
        won = tuple(sorted(center for center in centers.get(power, ()) if center not in start))
        if won and not homes.get(power):
            found[power] = won
    return found


def claimable(variant: Variant, position: Position, power: str) -> tuple[str, ...]:
    """The centers that the power may name as its additional home by building there, vacant or not; sorted."""
    if not variant.extra_home.by_building or position.homes.get(power):
        return ()
    owned = position.centers.get(power, ())
    return tuple(center for center in owned if home_of(variant, position.homes, center) is None)


def home_of(variant: Variant, homes: Centers, center: str) -> str | None:
    """The power whose home the center is, from the start or named since; None if it is nobody's."""
    for power in variant.powers:
        if center in power.homes or center in homes.get(power.name, ()):
            return power.name
    return None
