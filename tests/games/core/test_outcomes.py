"""An outcome read again from its row is the one that was written."""

from dataclasses import replace

import pytest

from judge.games.core.outcomes import outcome_from_json
from judge.mails.views import result_view
from judge.rules import adjudicate, load_variant, outcome_to_json, parse_order, position_from_json
from judge.rules.board.phase import kind
from judge.rules.json_lines import bids_of
from judge.rules.selfplay import play

# Variants with bids, neutrals and homes that are won.
NEUTRALS = [(name, seed) for name in ("1648", "ambition_empire") for seed in range(3)]


@pytest.mark.parametrize(("name", "seed"), [*(("standard", seed) for seed in range(6)), *NEUTRALS])
@pytest.mark.parametrize("silent", [False, True], ids=["all orders", "half the orders"])
def test_every_phase_of_a_game_reads_back_as_it_was(name: str, seed: int, silent: bool):
    """Also when powers send only half of their orders, so that units are disbanded and removed without one."""
    variant = load_variant(name)
    for line in play(variant, years=4, seed=seed):
        position = position_from_json(variant, line)
        orders = {
            power: [parse_order(variant, kind(position.phase), text) for text in texts][:: 2 if silent else 1]
            for power, texts in line["orders"].items()
        }
        outcome = adjudicate(variant, position, orders, bids_of(variant, line))
        again = outcome_from_json(variant, position, outcome_to_json(variant, outcome))
        assert replace(again, removed={}) == replace(outcome, removed={})
        assert {power: set(units) for power, units in again.removed.items()} == {
            power: set(units) for power, units in outcome.removed.items()
        }


def test_results_told_again_are_told_as_they_were():
    variant = load_variant("standard")
    for line in play(variant, years=2, seed=3):
        position = position_from_json(variant, line)
        orders = {
            power: [parse_order(variant, kind(position.phase), text) for text in texts]
            for power, texts in line["orders"].items()
        }
        outcome = adjudicate(variant, position, orders)
        again = outcome_from_json(variant, position, outcome_to_json(variant, outcome))
        assert result_view(variant, position, again) == result_view(variant, position, outcome)
