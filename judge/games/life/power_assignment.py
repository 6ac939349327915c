"""Assign the powers so that the players' preferences, taken together, are met as well as possible.

A preference lists powers, the favorite first: EFG, or England, France, Germany. Powers in brackets are liked equally:
E[FGR]T. Powers that are not named form a last bracket, and * names them all. The weight of the first power is the
number of powers. Each next power weighs one less, and the powers of a bracket share the mean. The assignment with the
greatest sum of weights wins. If several are equal, the game's seed decides.
"""

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf

from judge.games.core.work import Refusal
from judge.rules import Variant
from judge.rules.board.power import UnknownPower


def read_preference(variant: Variant, text: str) -> list[list[str]]:
    """Return a preference as lists of equally liked powers, the favorites first.

    Together the lists have all powers (or groups) of the variant. Powers are written with letters, with names, or with
    both: `EFG`, `Violet, BT`, `Red [Blue Teal]`. Raises Refusal.
    """
    wished = _brackets(variant, text)
    rest = [seat.name for seat in variant.seats if not any(seat.name in bracket for bracket in wished)]
    return wished + ([rest] if rest else [])


def in_letters(variant: Variant, text: str) -> str:
    """Return the preference in the form in which it is stored: `V[BT]` for `Violet [Blue, teal]`. Raises Refusal."""
    letters = {seat.name: seat.letter for seat in variant.seats}
    brackets = ("".join(letters[name] for name in bracket) for bracket in _brackets(variant, text))
    return "".join(bracket if len(bracket) == 1 else f"[{bracket}]" for bracket in brackets)


def in_words(variant: Variant, text: str) -> str:
    """Return the preference in words: `Violet, then Blue or Teal, then any other`. Raises Refusal."""
    wished = _brackets(variant, text)
    if sum(map(len, wished)) < len(variant.seats):
        wished.append(["any other" if wished else "any"])
    return ", then ".join(" or ".join(bracket) for bracket in wished)


def _brackets(variant: Variant, text: str) -> list[list[str]]:
    """Return the powers in each bracket. A power outside of brackets has a list of its own."""
    spelled = {seat.letter.upper(): seat.name for seat in variant.seats}
    words = _words(variant, re.sub(r"[][]", " ", text))
    letters_alone = all(_in_one_case(word) and spelled.keys() >= set(word.upper()) for word in words)
    brackets = []
    said: dict[str, str] = {}
    for inside, outside in re.findall(r"\[([^][]*)\]|([^][]+)", text):
        named = []
        for word in _words(variant, inside or outside):
            for once, name in _named(variant, spelled, word, letters_alone):
                if name in said:
                    twice = f"{once} is named twice"
                    if said[name] != once:
                        twice = f"{said[name]} and {once} are both {name}"
                    raise _refused(variant, twice)
                said[name] = once
                named.append(name)
        if outside:
            brackets += [[name] for name in named]
        elif named:
            brackets.append(named)
    return brackets


def _words(variant: Variant, text: str) -> Iterator[str]:
    """Yield the words of a preference, with a name of several words as one."""
    for part in re.split(r"[,;*]", text):
        yield from variant.side_names.phrases(part.split())


def _in_one_case(word: str) -> bool:
    """Return whether a word may be abbreviations of powers, as FRG and frg may be, but not Greta."""
    return word.isupper() or word.islower()


def _named(variant: Variant, spelled: Mapping[str, str], word: str, letters_alone: bool) -> list[tuple[str, str]]:
    """Return (text as written, power) for a name, or for each letter of a word of abbreviations.

    A preference with only letters is read as letters. In a list with names, a word like GER is refused if it can be a
    short name or letters.
    """
    letters = [(letter, spelled.get(letter, "")) for letter in word.upper()]
    unknown = [letter for letter, name in letters if not name]
    if letters_alone or (len(word) == 1 and not unknown):
        return letters
    try:
        name = variant.seat(word).name
    except KeyError as wrong:
        if not unknown and _in_one_case(word):
            return letters
        raise _unknown(variant, wrong, unknown) from None
    if not unknown and not variant.side_names.whole(word):
        raise _refused(variant, f'"{word}" could be {name} or {" ".join(word.upper())}')
    return [(word, name)]


def _unknown(variant: Variant, wrong: KeyError, letters: Sequence[str]) -> Refusal:
    """Return the refusal of a word that is not a name. `letters` are its letters that no power has."""
    why, hint = wrong.args[0].rstrip("."), ""
    if isinstance(wrong, UnknownPower):
        why, hint = wrong.why, wrong.hint
    if len(letters) == 1:
        why = f'"{letters[0]}" is not a {_noun(variant)} of this game'
    return _refused(variant, why, hint)


def _noun(variant: Variant) -> str:
    return "color" if variant.groups else "power"


def _refused(variant: Variant, why: str, hint: str = "") -> Refusal:
    some = variant.seats[:3]
    by_letters, by_names = "".join(seat.letter for seat in some), ", ".join(seat.name for seat in some)
    return Refusal(
        f"{why}. Your earlier preference is unchanged. Write {_noun(variant)}s or their letters, the best first: SET "
        f"PREFERENCE {by_letters} or {by_names}{(f'. {hint}' if hint else '')}"
    )


def weights(brackets: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return {power: its weight} for a preference, given as lists of equally liked powers."""
    left = sum(map(len, brackets))
    dear: dict[str, float] = {}
    for bracket in brackets:
        mean = left - (len(bracket) - 1) / 2
        dear |= dict.fromkeys(bracket, mean)
        left -= len(bracket)
    return dear


def deal(variant: Variant, wishes: Sequence[str], seed: int, had: Sequence[Collection[str]] = ()) -> list[str]:
    """Return the power of each player, in the order of the preferences in `wishes`.

    As few players as possible get a power that they `had` in an earlier game.
    """
    powers = [power.name for power in variant.seats]
    random.Random(seed).shuffle(powers)  # decides which of several equally good assignments is chosen
    dear = [weights(read_preference(variant, wish)) for wish in wishes]
    for mine, old in zip(dear, had, strict=False):
        for power in old:
            mine[power] -= len(powers) ** 2  # outweighs all preferences together
    chosen = cheapest_assignment([[-mine[power] for power in powers] for mine in dear])
    return [powers[column] for column in chosen]


Costs = Sequence[Sequence[float]]


def cheapest_assignment(costs: Costs) -> list[int]:
    """Return a different column for each row, so that the sum of their costs is as small as possible.

    There are at least as many columns as rows, and at least one row. Of several best solutions it always returns the
    same one. The time grows with rows² · columns.
    """
    columns = len(costs[0])
    start = columns  # an extra column, which leads each row to a free column
    row_price, column_price = [0.0] * len(costs), [0.0] * (columns + 1)
    row_in = [-1] * (columns + 1)
    for new in range(len(costs)):
        # Use the Hungarian algorithm. Find the path to a free column with the least rise in price. `reached` has the
        # taken columns on the way.
        row_in[start], column = new, start
        away = list(range(columns))
        reached = []
        slack = [inf] * columns  # how far a column's cost is above its price, from the nearest row reached
        before = [start] * columns  # the previous column on the path
        while (row := row_in[column]) >= 0:
            reached.append(column)
            for other in away:
                above = costs[row][other] - row_price[row] - column_price[other]
                if above < slack[other]:
                    slack[other], before[other] = above, column
            column = min(away, key=slack.__getitem__)
            rise = slack[column]
            for passed in reached:
                row_price[row_in[passed]] += rise
                column_price[passed] -= rise
            for other in away:
                slack[other] -= rise
            away.remove(column)
        # Each row on the path moves to the next column.
        while column != start:
            row_in[column], column = row_in[before[column]], before[column]
    return [row_in.index(row) for row in range(len(costs))]
