"""Who plays what (judge-commands 2.4): wishes read, weighed and met."""

import random
from itertools import permutations

import pytest

from judge.games.preferences import PreferenceError, deal, read_preference, weights
from judge.rules import load_variant

STANDARD = load_variant("standard")
LETTER = {power.name: power.letter for power in STANDARD.powers}


def brackets(text: str) -> list[str]:
    return ["".join(sorted(LETTER[power] for power in bracket)) for bracket in read_preference(STANDARD, text)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("EFG", ["E", "F", "G", "AIRT"]),
        ("e[fgr]t", ["E", "FGR", "T", "AI"]),
        ("*", ["AEFGIRT"]),
        ("", ["AEFGIRT"]),
        ("F*", ["F", "AEGIRT"]),
        ("R T I", ["R", "T", "I", "AEFG"]),
    ],
)
def test_a_wish_is_read(text, read):
    assert brackets(text) == read


@pytest.mark.parametrize(("text", "why"), [("EXG", '"X" is no power'), ("EFE", "E is named twice")])
def test_a_wish_that_cannot_be_read_is_refused(text, why):
    with pytest.raises(PreferenceError, match=why):
        read_preference(STANDARD, text)


def test_the_first_weighs_most_and_a_bracket_shares_the_mean():
    dear = {LETTER[power]: weight for power, weight in weights(read_preference(STANDARD, "E[FGR]T")).items()}
    assert dear == {"E": 7, "F": 5, "G": 5, "R": 5, "T": 3, "A": 1.5, "I": 1.5}


def test_everybody_gets_the_first_wish_where_that_can_be():
    wishes = ["T", "A", "F", "E", "G", "R", "I"]
    assert [LETTER[power] for power in deal(STANDARD, wishes, seed=1)] == wishes


def test_the_deal_is_the_best_there_is():
    """Against all 5040 deals, for random wishes."""
    rnd = random.Random(7)
    for seed in range(5):
        wishes = ["".join(rnd.sample("AEFGIRT", rnd.randint(0, 7))) for _ in range(7)]
        dear = [weights(read_preference(STANDARD, wish)) for wish in wishes]
        dealt = deal(STANDARD, wishes, seed)
        assert sorted(dealt) == sorted(LETTER)
        best = max(sum(mine[power] for mine, power in zip(dear, some, strict=True)) for some in permutations(LETTER))
        assert sum(mine[power] for mine, power in zip(dear, dealt, strict=True)) == best


def test_the_seed_decides_between_equals():
    deals = {tuple(deal(STANDARD, ["*"] * 7, seed)) for seed in range(20)}
    assert len(deals) > 15
    assert deal(STANDARD, ["*"] * 7, 3) == deal(STANDARD, ["*"] * 7, 3)
