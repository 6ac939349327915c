"""Whole games of boards with neutrals that obey Diplomacy Points."""

import pytest

from judge.rules import NEUTRAL, load_variant
from judge.rules.json_lines import answer
from judge.rules.selfplay import play
from tests.rules.eager import check_phase, play_eagerly


@pytest.mark.parametrize(("board", "least"), [("1648", 10), ("ambition_empire", 5)])
def test_ten_years_of_eager_powers(board, least):
    variant = load_variant(board)
    lost = won = 0
    for position, bids, outcome in play_eagerly(variant, 10, 1):
        check_phase(variant, position, bids, outcome)
        lost += len(outcome.dislodged.get(NEUTRAL, ()))
        won += len(outcome.bids.orders)
        for power, named in position.homes.items():
            kept = outcome.position.homes.get(power)
            assert kept == named or power not in outcome.position.centers, "a third home is final"
    assert lost > least and won > 30


@pytest.mark.parametrize("board", ["1648", "ambition_empire"])
def test_self_play_is_what_judge_adjudicate_takes(board):
    for line in play(load_variant(board), years=10, seed=5):
        answered = answer(line)
        assert all(one["why"] == "" for one in answered["bids"])
