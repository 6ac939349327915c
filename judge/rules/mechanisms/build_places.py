"""Mechanisms for builds and removals: more places to build, additional homes, centers that count for removals."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from judge.rules.board.names import counted, listed
from judge.rules.board.orders import Centers, Places, Position
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.files import (
    CENTERS,
    FLAG,
    POWERS,
    MechanismInFile,
    names,
    needed,
    number,
    of_powers,
    record,
    that,
)

# --- places to build -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BuildSites(MechanismInFile):
    """Centers in which powers may build while they own them, as well as in their homes.

        [build_sites]
        colonies = "NYC QUE"

        [build_sites.special]
        Russia = "AMU CRI"

    Every power may build in the `colonies`, and each power in its own `special` centers. (Colonia.)
    """

    colonies: Places = ()
    special: Mapping[str, Places] = field(default_factory=dict)

    TABLES = ("build_sites",)
    KEYS = {"colonies": CENTERS, "special": of_powers(CENTERS)}

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        """Return the centers in which the power may build as in its homes."""
        return (*self.colonies, *self.special.get(power, ()))

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        if self.colonies:
            yield f"Colonies are home centers of their owners: {_with_abbreviations(ruleset, self.colonies)}."
        for power, centers in self.special.items():
            told = _with_abbreviations(ruleset, centers)
            yield f"{power} also builds in these, while it owns them: {told}."


def _with_abbreviations(ruleset: Ruleset, provinces: Iterable[str]) -> str:
    return ", ".join(f"{ruleset.provinces[name].name} ({name})" for name in provinces)


@dataclass(frozen=True)
class BuildAnywhere(MechanismInFile):
    """The right of powers to build in every vacant center that they own.

        [builds]
        anywhere = true
        while_home = true       # optional

    If `while_home` is true, a power may do so only while it owns one of its home centers.
    """

    anywhere: bool = True
    while_home: bool = False

    TABLES = ("builds",)
    KEYS = {"anywhere": FLAG, "while_home": FLAG}
    SWITCH = "anywhere"

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        """Return the centers in which the power may build as in its homes."""
        own = (*ruleset.power_named[power].homes, *position.homes.get(power, ()))
        holds = not self.while_home or not set(own).isdisjoint(position.centers_of(power))
        return ruleset.centers if holds else ()

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the sentence that replaces the usual sentence about where powers build."""
        condition = ", as long as it owns one of its home centers" * self.while_home
        yield f"A power can build in any vacant center it owns{condition}, whatever else is said about builds."


# --- additional home centers -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExtraHomeCenters(MechanismInFile):
    """An additional home center that a power gets during play.

        [extra_home]
        powers = ["Denmark-Norway", "Poland"]
        by_building = true

    In Ambition & Empire (V.2), it is the first center that the power wins. Centers that the power owned at the start do
    not count, even if it lost them and took them back. The new center is its home from then on, even if it is also
    another power's home. If the power wins several centers in the same Fall, it names one of them in the winter.

    In Intercontinental (9.1), a power can name one center that it owns, by building there. The center must never have
    been the home of any power.

    `powers` get the first center that they win. If `by_building` is true, every power may name one center by building
    in it.
    """

    powers: tuple[str, ...] = ()
    by_building: bool = False

    TABLES = ("extra_home",)
    KEYS = {"powers": POWERS, "by_building": FLAG}

    def claims(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        """Return the centers that the power may make its home by building there."""
        if not self.by_building or position.homes.get(power):
            return ()
        owned = position.centers_of(power)
        return tuple(center for center in owned if home_of(ruleset, position.homes, center) is None)

    def why_no_claim(self, ruleset: Ruleset, position: Position, power: str, claimed: str, center: str) -> str | None:
        """Return why the power cannot make the center its home by building, or "" if it can.

        Returns None if no power can (Intercontinental, 9.1).
        """
        if not self.by_building:
            return None
        name, whose = ruleset.provinces[center].name, home_of(ruleset, position.homes, center)
        named = claimed or "".join(position.homes.get(power, ()))
        if whose:
            return f"{name} cannot be your additional home center: it is a home center of {whose}."
        if named:
            return f"{name} is not a home center of {power}: its additional one is {ruleset.provinces[named].name}."
        return ""

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        if self.by_building:
            yield (
                "A power can get one more permanent home center by building there in a winter. It must own that "
                "center, which must never have been a home center of any power, not even of an eliminated one."
            )
        if self.powers:
            yield (
                f"{listed(self.powers)} each get one more permanent home center: the first that they win beyond those "
                "that they had at the start. A player who wins several in the same Fall names one in the winter: "
                "HOME and the province. Otherwise it is the first by abbreviation."
            )


def named_after_fall(ruleset: Ruleset, centers: Centers, homes: Centers) -> dict[str, str]:
    """Return {power: the home center that it has just won}, for powers with only one center to choose from.

    `homes` has the home centers that were named before.
    """
    return {power: won[0] for power, won in _won(ruleset, centers, homes).items() if len(won) == 1}


def home_choices(ruleset: Ruleset, centers: Centers, homes: Centers) -> dict[str, Places]:
    """Return {power: the centers among which it has to choose its new home}, sorted."""
    return {power: won for power, won in _won(ruleset, centers, homes).items() if len(won) > 1}


def with_homes(homes: Centers, named: Mapping[str, str]) -> dict[str, Places]:
    """Return the additional home centers, including those that have just been named."""
    return {**homes, **{power: (center,) for power, center in named.items()}}


def _won(ruleset: Ruleset, centers: Centers, homes: Centers) -> dict[str, Places]:
    """Return the centers that each power without an additional home center has won since the start."""
    found = {}
    for power in ruleset.mechanism(ExtraHomeCenters).powers:
        start = ruleset.power_named[power].owns
        won = tuple(sorted(center for center in centers.get(power, ()) if center not in start))
        if won and not homes.get(power):
            found[power] = won
    return found


def home_of(ruleset: Ruleset, homes: Centers, center: str) -> str | None:
    """Return the power that has the center as a home, from the start or since it named it, or None."""
    for power in ruleset.powers:
        if center in power.homes or center in homes.get(power.name, ()):
            return power.name
    return None


# --- emergency measures ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Emergency:
    """The emergency measures of one power.

    `extra_units` is how many units the power may have beyond its centers. `sites` has the other provinces in which it
    may build.
    """

    extra_units: int = 0
    sites: Places = ()


NONE = Emergency()
_KEYS = {
    "extra_units": number(0),
    "sites": names(
        "provinces",
        lambda file, site: "" if file.province(site).kind in ("land", "coast") else f"no one can build in {site}",
    ),
}


@dataclass(frozen=True)
class EmergencyMeasures(MechanismInFile):
    """Emergency measures: extra rights of a power while it owns some but not all of its home centers.

        [emergency.Russia]
        extra_units = 1
        sites = "SIB"

    This is the Russian Emergency Measures Rule of 1900. The condition is tested in the winter, after ownership has
    changed. When the emergency is over, a surplus unit is removed in that winter like any other.

    `of` has the measures of each power that has any.
    """

    of: Mapping[str, Emergency] = field(default_factory=dict)

    TABLES = ("emergency",)
    WHOLE = of_powers(record(_KEYS, Emergency))

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        for power, rule in self.of.items():
            homes = ruleset.named(ruleset.power_named[power].homes)
            gains = []
            if rule.extra_units:
                gains.append(f"have {counted(rule.extra_units, 'unit')} more than it has centers")
            if rule.sites:
                gains.append(f"build in {listed(ruleset.named(rule.sites))} too")
            yield f"While {power} owns some but not all of {', '.join(homes)}, it may {' and '.join(gains)}."
            yield "This is tested each winter, after centers have changed hands. A unit too many is then removed."


def measures(ruleset: Ruleset, position: Position, power: str) -> Emergency:
    """Return the emergency measures that are in force for the power in this winter."""
    rule = ruleset.mechanism(EmergencyMeasures).of.get(power)
    if rule:
        homes, owned = ruleset.power_named[power].homes, position.centers_of(power)
        if 0 < sum(home in owned for home in homes) < len(homes):
            return rule
    return NONE


# --- removals -------------------------------------------------------------------------------------------------------

_NEAR = needed(that(lambda value: value == "start", "start"))


@dataclass(frozen=True)
class Removals(MechanismInFile):
    """The centers from which distance is measured when a power does not order a removal.

    Only games with another reading of the rules use this (see `Readings`). If `near` is "start", distance is measured
    from the centers that the power started with, whoever owns them now. The unit farthest from all of them is removed.
    """

    near: str = "start"

    TABLES = ("removals",)
    KEYS = {"near": _NEAR}

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        yield "If a removal is not ordered, the unit farthest from the centers its power started with is removed."
