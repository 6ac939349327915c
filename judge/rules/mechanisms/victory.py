"""How a game ends: the number of centers that wins, the last year, and ends that players may agree on.

    [victory]
    centers = 18
    year_cap = 1907

    [ends]
    unanimous = true
    draw = "pieces"

Every variant has a winning number of centers. It has a last year only if the file names one. With `unanimous`, the
players may agree on any end. (1648 and Ambition & Empire, Victory: "any decision reached by the players (e.g., concede
game to one player, concede game to an alliance) must be accepted unanimously"; Intercontinental, 2.2.)
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self, get_args

from judge.rules.board.orders import Centers, Position
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset
from judge.rules.mechanisms.files import FLAG, Kind, MechanismInFile, RulesFile, needed, number, one_of

Sharers = Literal["survivors", "pieces"]


def _center_faults(file: RulesFile, key: str, value: object) -> Iterator[str]:
    most = sum(province.center for province in file.provinces.values())
    if type(value) is not int or not 0 < value <= most:
        yield f"{key} must be a number from 1 to {most}"


@dataclass(frozen=True)
class Victory(MechanismInFile):
    """The number of centers that wins, and the last year. After its Fall, a game without a winner is a draw."""

    centers: int
    year_cap: int | None = None

    TABLES = ("victory",)
    KEYS = {"centers": needed(Kind(_center_faults)), "year_cap": number(1, 9999, "a year")}

    @classmethod
    def read(cls, file: RulesFile) -> Self | None:
        """Return the number of centers and the last year that the file gives, or None if it lacks them."""
        if "victory" not in file.tables:
            file.say("there is no table victory")
        return super().read(file)

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        grouped = bool(ruleset.grouped_seats)
        player, counted = ("player", " with all your powers") if grouped else ("power", "")
        yield (
            f"To win, own {self.centers} of {len(ruleset.centers)} centers{counted} and more than any other {player} "
            "after a Fall."
        )
        if self.year_cap:
            year = self.year_cap
            yield f"If no one has won by the end of the Fall of {year}, the game is a draw of all survivors."


@dataclass(frozen=True)
class UnanimousEnds(MechanismInFile):
    """The right of players to end a game in any way that all of them want.

    They may agree on a draw between some players, or on a concession to one player or to several. If `draw` is
    "survivors", a draw of all is shared by all who have a unit or a center left. If `draw` is "pieces", such a draw is
    shared only by those who have a unit.
    """

    unanimous: bool = True
    draw: Sharers = "survivors"

    TABLES = ("ends",)
    KEYS = {"unanimous": FLAG, "draw": one_of(get_args(Sharers))}
    SWITCH = "unanimous"

    def sentences(self, ruleset: Ruleset) -> Iterator[str]:
        """Yield the rules of this mechanism, in sentences for players."""
        yield "Survivors can end the game in any other way they all vote for (HELP draws)."
        if self.draw == "pieces":
            yield "A draw of all is shared by the powers that still have a unit."


def winner(ruleset: Ruleset, centers: Centers) -> str | None:
    """Return the power (or group) that has won, or None if there is none.

    The winner has at least as many centers as the variant requires, and strictly more than any other.
    """
    counts = center_counts(ruleset, centers)
    most = max(counts.values(), default=0)
    if most < ruleset.mechanism(Victory).centers:
        return None
    leaders = [name for name, count in counts.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None


def drawn(ruleset: Ruleset, after: Position, year: int) -> tuple[str, ...]:
    """Return the powers (or groups) that share a draw if no one has won after the Fall of the year.

    After the last year, all survivors share it (Intercontinental, 2.2). In variants with `draw = "pieces"`, all who
    have a unit share it (1648 and Ambition & Empire, Victory). In other years, there is no such draw. `after` is the
    position after the Fall.
    """
    last = ruleset.mechanism(Victory).year_cap
    if last is None or year < last:
        return ()
    if ruleset.mechanism(UnanimousEnds).draw == "survivors":
        return survivors(ruleset, after.centers)
    sharing = sharers(ruleset, after)
    return tuple(name for name in ruleset.seat_named if name in sharing)


def survivors(ruleset: Ruleset, centers: Centers) -> tuple[str, ...]:
    """Return the powers (or groups) that still own a center, in the variant's order.

    Powers without a group come last.
    """
    counts = center_counts(ruleset, centers)
    return tuple(name for name in dict.fromkeys((*ruleset.seat_named, *counts)) if counts.get(name))


def center_counts(ruleset: Ruleset, centers: Centers) -> Counter[str]:
    """Return {power: how many centers it owns}.

    If powers are grouped, the keys are groups, with the centers of their powers together (Intercontinental, 1.6).
    Centers of neutrals count for no one.
    """
    counts = Counter[str]()
    for power, owned in centers.items():
        if power != NEUTRAL:
            counts[ruleset.seat_of(power)] += len(owned)
    return counts


def sharers(ruleset: Ruleset, position: Position) -> set[str]:
    """Return the powers (or groups) that share a draw of all survivors."""
    tables = [position.units, position.dislodged]
    if ruleset.mechanism(UnanimousEnds).draw == "survivors":
        tables.append(position.centers)
    return {ruleset.seat_of(power) for table in tables for power, things in table.items() if things} - {NEUTRAL}
