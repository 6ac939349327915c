"""Groups of powers: one player orders several of them, and they count together (Intercontinental, 1.6).

The file of a variant names the groups and the powers that always belong to them; the others are drawn. `draw` deals
them by the rules of the file (Intercontinental, 3), from a seed that anybody can check.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from random import Random

from judge.rules.board.names import fold


@dataclass(frozen=True)
class Group:
    """What one player orders. `shades`: the colours of its powers, by theatre; `powers` those that belong to it."""

    name: str
    letter: str
    colour: str
    powers: tuple[str, ...] = ()
    shades: Mapping[str, str] = field(default_factory=dict)

    @property
    def adjective(self) -> str:
        return self.name

    @cached_property
    def words(self) -> frozenset[str]:
        """What it is called, as names are compared (its letter aside)."""
        return frozenset({fold(self.name)})


@dataclass(frozen=True)
class Draw:
    """Each of `powers` goes to another of `groups`; the group that holds the power `but` is left out."""

    powers: tuple[str, ...]
    groups: tuple[str, ...]
    but: str = ""


class DrawError(ValueError):
    """No draw gives the powers that were fixed to their groups; the message says which one does not fit."""


# {power: its group}
Holders = dict[str, str]


def read_groups(table: Mapping) -> tuple[Group, ...]:
    return tuple(
        Group(name, entry["letter"], entry["colour"], tuple(entry.get("powers", ())), entry.get("shades", {}))
        for name, entry in table.items()
    )


def read_draws(tables: Sequence[Mapping]) -> tuple[Draw, ...]:
    return tuple(Draw(tuple(entry["powers"]), tuple(entry["groups"]), entry.get("but", "")) for entry in tables)


def draw(groups: Sequence[Group], draws: Sequence[Draw], seed: int, fixed: Mapping[str, str] | None = None) -> Holders:
    """{power: its group} of every power that is drawn; those in `fixed`, {power: group}, are not left to chance.

    The same seed always gives the same draw. Raises DrawError.
    """
    _check_fixed(groups, draws, fixed or {})
    # random() is what Python promises never to change, so an old draw can be checked for ever.
    return next(_dealt(draws, fixed or {}, {}, Random(seed)))


def _dealt(draws: Sequence[Draw], fixed: Mapping[str, str], so_far: Holders, dice: Random) -> Iterator[Holders]:
    """The draws from the first on, each by chance; a deal that leaves no way to what is fixed is taken back."""
    if not draws:
        yield so_far
        return
    first, *others = draws
    groups = [group for group in first.groups if group != so_far.get(first.but)]
    deals = [dict(zip(first.powers, dealt, strict=True)) for dealt in permutations(groups, len(first.powers))]
    fitting = [deal for deal in deals if all(fixed.get(power, group) == group for power, group in deal.items())]
    for deal in sorted(fitting, key=lambda _: dice.random()):
        yield from _dealt(others, fixed, {**so_far, **deal}, dice)


def _check_fixed(groups: Sequence[Group], draws: Sequence[Draw], fixed: Mapping[str, str]) -> None:
    """Raises DrawError for the first power that cannot be where it is fixed, with the ones before it if need be."""
    earlier: Holders = {}
    for power, group in fixed.items():
        always = next((one.name for one in groups if power in one.powers), "")
        if always == group:
            continue
        if always:
            raise DrawError(f"{power} always belongs to {always}.")
        choice = next((one.groups for one in draws if power in one.powers), ())
        if group not in choice:
            raise DrawError(f"{power} can belong to {_either(choice)}, not to {group}.")
        beside = _in_the_way(draws, earlier, power, group)
        if beside:
            told = " and ".join(f"{other} in {whose}" for other, whose in beside.items())
            raise DrawError(f"{power} cannot belong to {group} with {told}.")
        earlier[power] = group


def _either(names: Sequence[str]) -> str:
    *most, last = names or ("nobody",)
    return f"{', '.join(most)} or {last}" if most else last


def _in_the_way(draws: Sequence[Draw], earlier: Holders, power: str, group: str) -> Holders:
    """Of the powers that are fixed already, as few as keep the power out of the group; none if it fits."""
    if _can_be_dealt(draws, {**earlier, power: group}):
        return {}
    needed = dict(earlier)
    for other in earlier:
        without = {name: whose for name, whose in needed.items() if name != other}
        if not _can_be_dealt(draws, {**without, power: group}):
            needed = without
    return needed


def _can_be_dealt(draws: Sequence[Draw], fixed: Holders) -> bool:
    """Whether some deal gives all that is fixed. Draws that have nothing to do with that are left aside."""
    concerned = [one for one in draws if _concerns(one, draws, fixed)]
    return next(_dealt(concerned, fixed, {}, Random(0)), None) is not None


def _concerns(one: Draw, draws: Sequence[Draw], fixed: Holders) -> bool:
    """Whether it deals a power that is fixed, or the power that another such draw looks at."""
    if not fixed.keys().isdisjoint(one.powers):
        return True
    return any(other.but in one.powers and _concerns(other, draws, fixed) for other in draws)
