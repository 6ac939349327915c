"""Groups of powers: one player orders several powers, and their centers count together (Intercontinental, 1.6).

    [groups.Red]
    letter = "R"
    colour = "#c4322e"
    shades = { Europe = "#c4322e", Asia = "#de7774" }
    powers = ["Austria"]

    [[draws]]
    powers = ["Mexico"]
    groups = ["Red", "Teal"]
    but = "Austria"

The file of a variant names the groups and the powers that always belong to them. The other powers are drawn. `draw`
distributes them by the rules of the file (Intercontinental, 3). It uses a seed, so that anyone can check the result.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from random import Random
from typing import Self

from judge.rules.board.names import listed
from judge.rules.board.power import Side
from judge.rules.board.ruleset import R, Ruleset
from judge.rules.mechanisms.files import COLOUR, LIST, TEXT, MechanismInFile, RulesFile, Table, each, needed
from judge.rules.mechanisms.powers import check_colours, check_seat_letter

_GROUP_KEYS = {"letter": needed(TEXT), "colour": needed(COLOUR), "powers": LIST, "shades": each(COLOUR)}
_DRAW_KEYS = {"powers": LIST, "groups": LIST, "but": TEXT}


@dataclass(frozen=True)
class Group(Side):
    """Several powers that one player orders.

    `shades` is {theatre: the color of the group's powers there}. `powers` has the powers that always belong to the
    group.
    """

    powers: tuple[str, ...] = ()
    shades: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Draw:
    """A draw that puts each of `powers` into a different one of `groups`.

    A group that has the power `but` gets none of them.
    """

    powers: tuple[str, ...]
    groups: tuple[str, ...]
    but: str = ""


class DrawError(ValueError):
    """A choice of fixed groups that no draw can give. The message says which power does not fit."""


# The type of {power: its group}.
Holders = dict[str, str]


@dataclass(frozen=True)
class Groups(MechanismInFile):
    """The groups with their current powers, and the draws that put powers into groups."""

    groups: tuple[Group, ...] = ()
    draws: tuple[Draw, ...] = ()

    TABLES = ("groups", "draws")

    @classmethod
    def read(cls, file: RulesFile) -> Self | None:
        """Return the groups and draws that the file describes, or None if the file has none."""
        placed: dict[str, str] = {}
        groups = {name: _read_group(file, name, table, placed) for name, table in file.tables_of("groups").items()}
        check_colours(file, "groups", groups)
        drawn = enumerate(file.listed("draws", ": [[draws]]"), 1)
        draws = [_read_draw(file, number, table, placed) for number, table in drawn]
        if groups:
            for power in file.powers.keys() - placed.keys():
                file.say(f"{power} does not belong to a group and is not drawn", f"powers.{power}")
        try:
            own = tuple(Group(name=name, adjective=name, **values) for name, values in groups.items())
            return cls(own, tuple(Draw(**values) for values in draws)) if groups or draws else None
        except TypeError:
            return None

    @property
    def seats(self) -> tuple[Side, ...]:
        """Return the groups, which players play instead of single powers."""
        return self.groups

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        if not self.groups:
            return
        yield f"A player orders the powers of a group: {listed((group.name for group in self.groups), 'or')}."
        for one in self.draws:
            if not all(map(ruleset.in_group, one.powers)):
                several = len(one.powers) > 1
                groups = f"one each for {listed(one.groups)}" if several else f"for {listed(one.groups, 'or')}"
                but = f", but not for the one that has {one.but}" if one.but else ""
                yield f"Drawn by lot: {listed(one.powers)}, {groups}{but}."
        yield (
            "The powers of a group are separate powers: each builds and removes separately, and they can cut each "
            "other's support, dislodge each other and take each other's centers. They are counted together only for "
            "victory and Diplomacy Points."
        )


def _always(groups: Sequence[Group]) -> Holders:
    return {power: group.name for group in groups for power in group.powers}


def grouped(ruleset: R, holders: Mapping[str, str]) -> R:
    """Return the ruleset with further powers in groups. `holders` is {power: its group}.

    Each of these powers gets a shade of its group's color.
    """
    rule = ruleset.rule(Groups)
    if rule is None:
        return ruleset
    holding = _always(rule.groups) | dict(holders)
    groups = tuple(
        replace(group, powers=tuple(one.name for one in ruleset.powers if holding.get(one.name) == group.name))
        for group in rule.groups
    )
    shades = {power: group.shades for group in groups for power in group.powers}
    powers = tuple(
        replace(one, colour=shades[one.name][one.theatre]) if one.theatre and one.name in shades else one
        for one in ruleset.powers
    )
    return replace(ruleset.with_rule(replace(rule, groups=groups)), powers=powers)


# --- reading the tables `groups` and `draws` ----------------------------------------------------------------

# Below, `placed` is {power read so far: the group, or the draw, that has it}.


def _read_group(file: RulesFile, name: str, table: Table, placed: dict[str, str]) -> Table:
    where = f"groups.{name}"
    values = file.values(_GROUP_KEYS, table, name, where)
    check_seat_letter(file, name, where, values)
    for key, word in (("", name), ("letter", values.get("letter", ""))):
        file.call(word, name, where, key)
    theatres = {power["theatre"] for power in file.powers.values() if "theatre" in power}
    for theatre in sorted(theatres - values.get("shades", {}).keys()):
        file.say(f"{name}: there is no shade for {theatre}", where, "shades")
    _place(file, values, name, where, placed)
    return values


def _read_draw(file: RulesFile, number: int, table: Table, placed: dict[str, str]) -> Table:
    whose, where = f"draw {number}", f"draws.{number}"
    values = file.values(_DRAW_KEYS, table, whose, where)
    if table.get("but") and table["but"] not in placed:
        file.say(f"{whose}: {table['but']} has not been drawn by then", where, "but")
    _place(file, values, whose, where, placed)
    groups = values.get("groups", ())
    for group in groups:
        if group not in file.tables.get("groups", ()):
            file.say(f"{whose}: there is no group {group}", where, "groups")
    if not values.get("powers") or len(groups) - bool(table.get("but")) < len(values["powers"]):
        file.say(f"{whose}: it needs powers, and a group for each", where, "powers")
    return values


def _place(file: RulesFile, values: Table, whose: str, where: str, placed: dict[str, str]) -> None:
    for power in values.get("powers", ()):
        if power not in file.powers:
            file.say(f"{whose}: there is no power {power}", where, "powers")
        other = placed.setdefault(power, whose)
        if other != whose:
            file.say(f"{whose}: {power} already belongs to {other}", where, "powers")


# --- the draw -------------------------------------------------------------------------------------------------


def draw(groups: Sequence[Group], draws: Sequence[Draw], seed: int, fixed: Mapping[str, str] | None = None) -> Holders:
    """Return {power: its group} for every power that is drawn.

    `fixed` is {power: the group that it must get}. The same seed always gives the same draw. Raises DrawError.
    """
    fixed = fixed or {}
    _check_fixed(groups, draws, fixed)
    # Python promises that the values of random() never change, so an old draw can always be checked.
    return next(_dealt(draws, fixed, {}, Random(seed)))


def _dealt(draws: Sequence[Draw], fixed: Mapping[str, str], so_far: Holders, dice: Random) -> Iterator[Holders]:
    """Yield the results of all draws, in random order.

    A choice in one draw is skipped if a later draw then cannot give the fixed groups.
    """
    if not draws:
        yield so_far
        return
    first, *others = draws
    groups = [group for group in first.groups if group != so_far.get(first.but)]
    asked = [(number, fixed[power]) for number, power in enumerate(first.powers) if power in fixed]
    fitting = [
        dealt
        for dealt in permutations(groups, len(first.powers))
        if all(dealt[number] == group for number, group in asked)
    ]
    for dealt in sorted(fitting, key=lambda _: dice.random()):
        deal = dict(zip(first.powers, dealt, strict=True))
        yield from _dealt(others, fixed, {**so_far, **deal}, dice)


def _check_fixed(groups: Sequence[Group], draws: Sequence[Draw], fixed: Mapping[str, str]) -> None:
    """Raise DrawError for the first power that cannot go to its fixed group.

    The message names the earlier powers that prevent this.
    """
    earlier: Holders = {}
    always = _always(groups)
    for power, group in fixed.items():
        if always.get(power) == group:
            continue
        if power in always:
            raise DrawError(f"{power} always belongs to {always[power]}.")
        choice = next((one.groups for one in draws if power in one.powers), ())
        if group not in choice:
            raise DrawError(f"{power} can belong to {listed(choice or ('no group',), 'or')}, not to {group}.")
        beside = _in_the_way(draws, earlier, power, group)
        if beside:
            told = " and ".join(f"{other} in {whose}" for other, whose in beside.items())
            raise DrawError(f"{power} cannot belong to {group} with {told}.")
        earlier[power] = group


def _in_the_way(draws: Sequence[Draw], earlier: Holders, power: str, group: str) -> Holders:
    """Return the fixed powers that together prevent the power from joining the group, if there are any."""
    if _can_be_dealt(draws, {**earlier, power: group}):
        return {}
    needed = dict(earlier)
    for other in earlier:
        without = {name: whose for name, whose in needed.items() if name != other}
        if not _can_be_dealt(draws, {**without, power: group}):
            needed = without
    return needed


def _can_be_dealt(draws: Sequence[Draw], fixed: Holders) -> bool:
    """Return whether the draws can put all fixed powers into their groups. Irrelevant draws are skipped."""
    concerned = [one for one in draws if _concerns(one, draws, fixed)]
    return next(_dealt(concerned, fixed, {}, Random(0)), None) is not None


def _concerns(one: Draw, draws: Sequence[Draw], fixed: Holders) -> bool:
    """Return whether the draw matters for a fixed power.

    A draw matters if it draws the fixed power, or the power `but` of another draw that matters.
    """
    if not fixed.keys().isdisjoint(one.powers):
        return True
    return any(other.but in one.powers and _concerns(other, draws, fixed) for other in draws)
