"""An additional home center that a power gets during play.

    [extra_home]
    powers = ["Denmark-Norway", "Poland"]
    by_building = true

In Ambition & Empire (V.2) this is the first center that the power wins. Centers that it owned at the start do not
count, not even home centers that it lost and took back. The first center that it wins is its home from then on, even if
it is also another power's home. If it wins several in the same Fall, it names one of them in the winter.

In Intercontinental (9.1) a power can once name a center that it owns, by building there, if the center was never the
home of any power.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.rules.board.listing import listed
from judge.rules.board.position import Position
from judge.rules.board.ruleset import Places, Ruleset
from judge.rules.variant_files.checking import POWERS, MechanismInFile
from judge.rules.variant_files.schema import FLAG


@dataclass(frozen=True)
class ExtraHomeCenters(MechanismInFile):
    """`powers` get the first center that they win; with `by_building` every power may name one center, by building in
    it.
    """

    powers: tuple[str, ...] = ()
    by_building: bool = False

    TABLES = ("extra_home",)
    KEYS = {"powers": POWERS, "by_building": FLAG}

    def claims(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        if not self.by_building or position.homes.get(power):
            return ()
        owned = position.centers.get(power, ())
        return tuple(center for center in owned if home_of(ruleset, position.homes, center) is None)

    def why_no_claim(self, ruleset: Ruleset, position: Position, power: str, claimed: str, center: str) -> str | None:
        """Intercontinental, 9.1."""
        if not self.by_building:
            return None
        name, whose = ruleset.provinces[center].name, home_of(ruleset, position.homes, center)
        named = claimed or "".join(position.homes.get(power, ()))
        if whose:
            return f"{name} cannot be your additional home center: it is a home center of {whose}."
        if named:
            return f"{name} is no home center of {power}: its additional one is {ruleset.provinces[named].name}."
        return ""

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        if self.by_building:
            yield (
                "A power may get one more home center for good, by building there in a winter. It must own that "
                "center, and the center must never have been anybody's home. Homes of powers that are gone still "
                "count as homes."
            )
        if self.powers:
            yield (
                f"{listed(self.powers)} each get one more home center for good: the first that they win beyond those "
                "that they had at the start. A player who wins several in the same Fall names one in the winter: "
                "HOME and the province. Otherwise it is the first by abbreviation."
            )


Centers = Mapping[str, tuple[str, ...]]


def named_after_fall(ruleset: Ruleset, centers: Centers, homes: Centers) -> dict[str, str]:
    """{power: the home center that it has now won}, if the power has only one center to choose from. `homes` are the
    centers that were named before.
    """
    return {power: won[0] for power, won in _won(ruleset, centers, homes).items() if len(won) == 1}


def home_choices(ruleset: Ruleset, centers: Centers, homes: Centers) -> dict[str, tuple[str, ...]]:
    """{power: the centers among which it has to choose its new home}, sorted."""
    return {power: won for power, won in _won(ruleset, centers, homes).items() if len(won) > 1}


def with_homes(homes: Centers, named: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The homes, together with those that have just been named."""
    return {**homes, **{power: (center,) for power, center in named.items()}}


def _won(ruleset: Ruleset, centers: Centers, homes: Centers) -> dict[str, tuple[str, ...]]:
    """The centers that each power without an additional home center owns in addition to those that it had at the start.
    """
    found = {}
    rule = ruleset.rule(ExtraHomeCenters)
    for power in rule.powers if rule else ():
        start = ruleset.power_named[power].owns
        won = tuple(sorted(center for center in centers.get(power, ()) if center not in start))
        if won and not homes.get(power):
            found[power] = won
    return found


def home_of(ruleset: Ruleset, homes: Centers, center: str) -> str | None:
    """The power whose home the center is, from the start or named since; None if it is nobody's."""
    for power in ruleset.powers:
        if center in power.homes or center in homes.get(power.name, ()):
            return power.name
    return None
