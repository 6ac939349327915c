"""Who plays what (HELP registration): wishes read, weighed and met."""

import random
import time
from itertools import permutations

import pytest

from judge.games.core.work import Refusal
from judge.games.life.power_assignment import deal, in_letters, in_words, read_preference, weights
from judge.rules import load_variant

STANDARD = load_variant("standard")
COLOURS = load_variant("intercontinental")
EMPIRE = load_variant("ambition_empire")
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


@pytest.mark.parametrize(("text", "why"), [("EXG", '"X" is not a power'), ("EFE", "E is named twice")])
def test_a_wish_that_cannot_be_read_is_refused(text, why):
    with pytest.raises(Refusal, match=why):
        read_preference(STANDARD, text)


@pytest.mark.parametrize(
    ("variant", "text", "kept", "told"),
    [
        (STANDARD, "france, ital, e", "FIE", "France, then Italy, then England, then any other"),
        (STANDARD, "Germany [Italy F] t", "G[IF]T", "Germany, then Italy or France, then Turkey, then any other"),
        (STANDARD, "GER", "GER", "Germany, then England, then Russia, then any other"),
        (STANDARD, "aefgirt", "AEFGIRT",
         "Austria, then England, then France, then Germany, then Italy, then Russia, then Turkey"),
        (STANDARD, "*", "", "any"),
        (COLOURS, "Violet, blue", "VB", "Violet, then Blue, then any other"),
        (COLOURS, "VB Tea [red, Ol]*", "VBT[RL]", "Violet, then Blue, then Teal, then Red or Olive, then any other"),
        (COLOURS, "Great Britain; Maroon", "BN", "Blue, then Maroon, then any other"),
        (COLOURS, "GB", "GB", "Green, then Blue, then any other"),
        (EMPIRE, "Poland & Saxony britain", "XB", "Poland & Saxony, then Britain & Hanover, then any other"),
    ],
)  # fmt: skip
def test_a_wish_may_name_powers_and_colours(variant, text, kept, told):
    """What is kept is letters, and read again it is the same wish."""
    assert (in_letters(variant, text), in_words(variant, text)) == (kept, told)
    assert read_preference(variant, kept) == read_preference(variant, text)


@pytest.mark.parametrize(
    ("variant", "text", "why"),
    [
        (STANDARD, "Frence", '"Frence" is not a power of Standard Diplomacy. Your earlier preference is unchanged. '
        'Write '
        'powers or their letters, the best first: SET PREFERENCE AEF or Austria, England, France'),
        (STANDARD, "England, GER", '"GER" could be Germany or G E R. Your earlier preference'),
        (STANDARD, "France, France", "France is named twice. Your earlier preference"),
        (COLOURS, "Purple, Blue", '"Purple" is not a color or a power of Intercontinental. Your earlier preference '
        'is unchanged. Write colors or their letters, the best first: SET PREFERENCE BTG or Blue, Teal, Green'),
        (COLOURS, "GRX", '"X" is not a color of this game. Your earlier preference'),
        (COLOURS, "Blue, gr", '"gr" could be Green or G R. Your earlier preference'),
        # Persia is another name of Iran, and counts as a whole word.
        (COLOURS, "per", "Peru is not assigned to a color yet. Your earlier preference"),
        (COLOURS, "Red, R", "Red and R are both Red. Your earlier preference"),
        (COLOURS, "China, [Teal Yellow]", "China and Yellow are both Yellow. Your earlier preference"),
        (COLOURS, "Mexico", "Mexico is not assigned to a color yet. Your earlier preference"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_names_is_said_exactly(variant, text, why):
    with pytest.raises(Refusal) as refusal:
        in_letters(variant, text)
    assert str(refusal.value).startswith(why)


def test_a_long_wish_is_refused_as_soon_as_a_short_one():
    started = time.process_time()
    with pytest.raises(Refusal, match="E is named twice"):
        read_preference(STANDARD, "E " * 3000)
    assert time.process_time() - started < 1


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


def test_what_players_had_before_is_given_to_as_few_as_can_be():
    """To nobody where that can be, whatever they wish; in a game for two to both, if one had both."""
    for seed in range(20):
        before = sorted(LETTER)
        wishes = [LETTER[power] for power in before]
        dealt = deal(STANDARD, wishes, seed, [[power] for power in before])
        assert sorted(dealt) == sorted(before) and all(map(str.__ne__, dealt, before))
    assert deal(STANDARD, ["E", *["*"] * 6], 1, [sorted(LETTER)])[0] == "England"


def test_the_seed_decides_between_equals():
    deals = {tuple(deal(STANDARD, ["*"] * 7, seed)) for seed in range(20)}
    assert len(deals) > 15
    assert deal(STANDARD, ["*"] * 7, 3) == deal(STANDARD, ["*"] * 7, 3)
