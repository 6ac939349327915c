"""Who plays what: the powers dealt so that the players' wishes are met as well as they can be together.

A wish lists powers, the dearest first: EFG; powers in brackets are equally dear: E[FGR]T; those not named are one
last bracket, and * names them all. The first power weighs as much as there are powers, the next one less, a bracket
shares the mean; the deal with the greatest sum wins, and the game's seed decides between equals.
"""

import random
import re
from collections.abc import Mapping, Sequence

from judge.rules import Variant


class PreferenceError(ValueError):
    """A wish that cannot be read; the message says what to write instead."""


def read_preference(variant: Variant, text: str) -> list[list[str]]:
    """The brackets of a wish, all powers of the variant in them. Raises PreferenceError."""
    letters = {power.letter.upper(): power.name for power in variant.seats}
    brackets: list[list[str]] = []
    named: set[str] = set()
    for bracket in re.findall(r"\[[^\]]*\]|.", "".join(text.split()).upper()):
        powers = []
        for letter in bracket.strip("[]*"):
            if letter not in letters or letters[letter] in named:
                again = letter in letters
                raise PreferenceError(_complaint(letter, again, letters))
            named.add(letters[letter])
            powers.append(letters[letter])
        if powers:
            brackets.append(powers)
    rest = [power for power in letters.values() if power not in named]
    return brackets + ([rest] if rest else [])


def _complaint(letter: str, again: bool, letters: Mapping[str, str]) -> str:
    why = f"{letter} is named twice" if again else f'"{letter}" is no power of this game'
    some = "".join(list(letters)[:3])
    return f"{why}; your wish is as before. Write letters of powers, the dearest first: SET PREFERENCE {some}"


def weights(brackets: Sequence[Sequence[str]]) -> dict[str, float]:
    """{power: how dear it is}."""
    left = sum(map(len, brackets))
    dear: dict[str, float] = {}
    for bracket in brackets:
        mean = left - (len(bracket) - 1) / 2
        dear |= dict.fromkeys(bracket, mean)
        left -= len(bracket)
    return dear


def deal(variant: Variant, wishes: Sequence[str], seed: int) -> list[str]:
    """The power of each player, in the order of their `wishes`."""
    powers = [power.name for power in variant.seats]
    random.Random(seed).shuffle(powers)  # of equally good deals the first that is found wins
    dear = [weights(read_preference(variant, wish)) for wish in wishes]
    chosen = _best_assignment([[-mine[power] for power in powers] for mine in dear])
    return [powers[column] for column in chosen]


def _best_assignment(cost: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row such that the sum of costs is least (the Hungarian method, rows <= columns)."""
    rows, columns = len(cost), len(cost[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)  # rows and columns count from 1; 0 is none
    for row in range(1, rows + 1):
        row_of[0], column = row, 0
        slack, reached_from, done = [float("inf")] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while row_of[column]:
            done[column] = True
            at, step, following = row_of[column], float("inf"), 0
            for other in range(1, columns + 1):
                if done[other]:
                    continue
                reduced = cost[at - 1][other - 1] - row_price[at] - column_price[other]
                if reduced < slack[other]:
                    slack[other], reached_from[other] = reduced, column
                if slack[other] < step:
                    step, following = slack[other], other
            for other in range(columns + 1):
                if done[other]:
                    row_price[row_of[other]] += step
                    column_price[other] -= step
                else:
                    slack[other] -= step
            column = following
        while column:
            row_of[column], column = row_of[reached_from[column]], reached_from[column]
    chosen = {row_of[column]: column - 1 for column in range(1, columns + 1) if row_of[column]}
    return [chosen[row] for row in range(1, rows + 1)]
