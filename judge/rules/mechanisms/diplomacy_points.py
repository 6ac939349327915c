"""Diplomacy Points: powers bid in secret for the orders of armed neutrals. `auction` has the bids.

    [points]
    income = 3
    incomes = { France = 6 }
    per_neutral = 2

The class `Points` explains the keys.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from judge.rules.board.names import listed
from judge.rules.board.orders import Order, Places, Position
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.files import (
    FLAG,
    NEUTRALS,
    Faults,
    MechanismInFile,
    RulesFile,
    Table,
    each,
    number,
    of_powers,
    words_of,
)

# A sentence for HELP points, GET and GET RULES (rulings, "Diplomacy Points" 3).
OVERSPENT = "An email that would spend more points than you have changes none of your bids."

_AMOUNT = number(1, words="a number, 1 or more")


@dataclass(frozen=True)
class Points(MechanismInFile):
    """The number of Diplomacy Points that a power has in each movement phase, and the limits on spending them.

    A power has either `income` points (`incomes` has exceptions), or `per_center` points for each center but at most
    `most`. If powers are grouped, the points belong to the group.

    A bidder may put at most `per_neutral` points on one neutral. At most `full` neutrals may get that many from one
    bidder. A bidder may put at most `per_order` points on one order. A limit of 0 means no limit. `vassal_bonus` is
    added to a power's bid for its vassal. A sponsor's points are multiplied by `sponsor_factor`.

    If `attack_voids` is true, a bidder who attacks a neutral loses its bids for that neutral. So does a bidder who
    supports such an attack. If `revealed` is true, all bids are made public when a game has ended, unless its master
    decides otherwise.
    """

    income: int = 0
    incomes: Mapping[str, int] = field(default_factory=dict)
    per_center: int = 0
    most: int = 0
    per_neutral: int = 0
    full: int = 0
    vassal_bonus: int = 0
    per_order: int = 0
    sponsor_factor: int = 1
    attack_voids: bool = False
    revealed: bool = False

    TABLES = ("points",)
    KEYS = {
        **dict.fromkeys(
            ("income", "per_center", "most", "per_neutral", "full", "vassal_bonus", "per_order", "sponsor_factor"),
            _AMOUNT,
        ),
        "incomes": of_powers(_AMOUNT),
        "attack_voids": FLAG,
        "revealed": FLAG,
    }

    @classmethod
    def faults(cls, file: RulesFile, table: Table) -> Faults:
        """Yield (mistake, key) for each mistake that a check of the single values cannot find."""
        if ("income" in table) == ("per_center" in table):
            yield " needs either income or per_center", ""
        if ("most" in table) != ("per_center" in table):
            yield ": most belongs to per_center", "most"
        if "full" in table and "per_neutral" not in table:
            yield ": full belongs to per_neutral", "full"
        if not file.neutrals:
            yield " need neutrals", ""

    def limits(self, has: int | None = None) -> str:
        """Return the limit on points for a neutral or an order, such as `at most 2 points on one order`.

        Returns "" if there is no limit.

        `has` is the number of points of a player, who may have too few to reach a limit.
        """
        is_reached = self.full and (has is None or has > self.full * self.per_neutral)
        on_neutral = f"at most {self.per_neutral} points on one neutral" if self.per_neutral else ""
        if is_reached:
            on_neutral = (
                f"at most {self.per_neutral} points each on {self.full} neutrals, and {self.per_neutral - 1} on others"
            )
        on_order = f"at most {self.per_order} points on one order" if self.per_order else ""
        return " and ".join(filter(None, [on_neutral, on_order]))

    def bid_in_place_of(self, order: Order) -> str:
        """Return the line that bids for the order."""
        return f"DP 1: {order}"

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        if self.per_center:
            has = f"{self.per_center} for each center that it owns, {self.most} at most"
        else:
            others = "".join(f", {power} {amount}" for power, amount in self.incomes.items())
            has = f"{self.income}{others}"
        player, whose = "power", "any unit of the power"
        if ruleset.grouped_seats:
            player, whose = "player", "any unit of the player's powers"
            yield f"In each Spring and Fall each power of a group adds to its player's Diplomacy Points: {has}."
            yield "The points of all powers of a group are spent together. Points not spent are lost."
        else:
            yield f"In each Spring and Fall a power has Diplomacy Points: {has}. Points not spent are lost."
        yield (
            "Points are bid in secret for orders of neutrals. All points for the same order are added up, whoever bids "
            "them. A neutral carries out the order with the most points. On a tie it holds."
        )
        yield OVERSPENT
        if limits := self.limits():
            yield f"A {player} can put {limits}."
        if self.attack_voids:
            yield (
                f"A {player}'s points for a neutral have no effect in a phase in which {whose} attacks it or supports "
                "an attack on it."
            )
        after = "published" if self.revealed else "kept secret"
        yield (
            f"Only the master knows who bid what. After the game all bids are {after}, unless the "
            "master has set otherwise before the start, or all players have agreed otherwise since. A master who "
            "also plays does not see the bids of the current phase."
        )


# --- vassals ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Vassals(MechanismInFile):
    """Vassals: neutrals for which a power's points are worth more, and in which the power builds while it owns them.

        [vassals]
        Turkey = "ALG CRI"

    The key `vassal_bonus` of the table `points` says how much more they are worth. (1648, "Vassals".)

    `of` is {power: the centers of its vassals}.
    """

    of: Mapping[str, Places] = field(default_factory=dict)

    TABLES = ("vassals",)
    WHOLE = of_powers(NEUTRALS)

    def homes(self, ruleset: Ruleset, position: Position, power: str) -> Places:
        """Return the centers in which the power may build as in its homes."""
        return self.of.get(power, ())

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        whose = "; ".join(f"{power}: {listed(ruleset.named(centers))}" for power, centers in self.of.items())
        yield (
            f"Vassals of {whose}. A power can also build in the centers of its own vassals while it owns them. No one "
            "else can build there."
        )
        if bonus := ruleset.mechanism(Points).vassal_bonus:
            yield (
                f"A power's points on its vassal are worth {bonus} more, but only in one bid: the "
                "one with most points there, or the first of equal ones."
            )


# --- sponsors --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sponsors(MechanismInFile):
    """Sponsored neutrals, for which the points of one group, or of the group that has a certain power, are multiplied.

        [sponsors]
        Red = "Krak Veni"
        Mexico = "Chih Oaxa"

    The key `sponsor_factor` of the table `points` is the multiplier. (Intercontinental, 11.3.)

    `of` is {center of a neutral: its sponsor}. The sponsor is a group, or a power whose group is meant.
    """

    of: Mapping[str, str] = field(default_factory=dict)

    TABLES = ("sponsors",)
    WHOLE = each(NEUTRALS)

    @classmethod
    def of_table(cls, values: Table) -> Self:
        """Return the mechanism with the values of its table."""
        return cls({center: sponsor for sponsor, centers in values.items() for center in centers})

    @classmethod
    def faults(cls, file: RulesFile, table: Table) -> Faults:
        """Yield (mistake, key) for each mistake that a check of the single values cannot find."""
        groups = file.tables.get("groups")
        known = {*file.powers, *(groups if isinstance(groups, dict) else ())}
        sponsored: dict[str, str] = {}
        for sponsor, centers in table.items():
            others = ((center, sponsored.setdefault(center, sponsor)) for center in words_of(centers))
            if sponsor not in known:
                yield f": there is no group or power {sponsor}", sponsor
            yield from ((f": {center} has {other} already", sponsor) for center, other in others if other != sponsor)

    def sponsor(self, ruleset: Ruleset, center: str) -> str:
        """Return the seat that sponsors the neutral in the center, or "" if there is none."""
        return ruleset.seat_of(self.of[center]) if center in self.of else ""

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism for players.

        A sponsor may be a power whose group is drawn later. Then the text says "the player who has" that power.
        """
        points = ruleset.rule(Points)
        if not points:
            return
        by_sponsor: dict[str, list[str]] = {}
        for center in self.of:
            sponsor = self.sponsor(ruleset, center)
            open_yet = ruleset.grouped_seats and sponsor in ruleset.power_named
            by_sponsor.setdefault(f"the player who has {sponsor}" if open_yet else sponsor, []).append(center)
        told = (f"{sponsor}: {listed(ruleset.named(sorted(centers)))}" for sponsor, centers in by_sponsor.items())
        factor = {2: "double"}.get(points.sponsor_factor, f"{points.sponsor_factor} times")
        yield f"A sponsor's points on its affiliates count {factor}. {'; '.join(told)}."
