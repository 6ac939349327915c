"""Results can be told at any time as they were told then."""

from judge.mails.results import results_of
from judge.rules import (
    adjudicate,
    load_variant,
    outcome_from_json,
    outcome_to_json,
    parse_order,
    position_from_json,
)
from judge.rules.board.phase import kind
from judge.rules.selfplay import play


def test_results_told_again_are_told_as_they_were():
    variant = load_variant("standard")
    for line in play(variant, years=2, seed=3):
        position = position_from_json(variant, line)
        orders = {
            power: [parse_order(variant, kind(position.phase), text) for text in texts]
            for power, texts in line["orders"].items()
        }
        outcome = adjudicate(variant, position, orders)
        again = outcome_from_json(variant, outcome_to_json(variant, outcome), position)
        assert results_of(variant, position, again) == results_of(variant, position, outcome)
