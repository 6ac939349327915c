"""An outcome read again from its JSON form is the one that was written."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from judge.rules import (
    Outcome,
    Position,
    Variant,
    adjudicate,
    answer_line,
    load_variant,
    outcome_from_json,
    outcome_to_json,
    parse_order,
    position_after,
    position_from_json,
    variant_names,
)
from judge.rules.board.phase import kind
from judge.rules.json_lines import bids_of, variant_of_line
from judge.rules.selfplay import play

JUDGE = Path(__file__).parents[2] / "judge"


def a_game(name: str, seed: int, silent: bool) -> list[tuple[Variant, Position, Outcome, dict]]:
    """Each phase of a game of random orders: before and after, and the in-line; `silent`: half the orders are sent."""
    phases = []
    for line in play(load_variant(name), years=3, seed=seed):
        variant = variant_of_line(line)
        position = position_from_json(variant, line)
        dated = variant.at(position.phase)
        line["orders"] = {power: texts[:: 2 if silent else 1] for power, texts in line["orders"].items()}
        orders = {
            power: [parse_order(dated, kind(position.phase), text) for text in texts]
            for power, texts in line["orders"].items()
        }
        phases.append((dated, position, adjudicate(variant, position, orders, bids_of(dated, line)), line))
    return phases


@pytest.mark.parametrize("name", variant_names())
@pytest.mark.parametrize("silent", [False, True], ids=["all orders", "half the orders"])
def test_every_phase_of_a_game_reads_back_as_it_was(name: str, silent: bool):
    """Also when powers send only half of their orders, so that units are disbanded and removed without one."""
    for variant, position, outcome, _ in a_game(name, 1, silent):
        written = outcome_to_json(variant, outcome)
        again = outcome_from_json(variant, json.loads(json.dumps(written)), position)
        assert replace(again, removed={}) == replace(outcome, removed={})
        assert {power: set(units) for power, units in again.removed.items()} == {
            power: set(units) for power, units in outcome.removed.items()
        }
        assert outcome_to_json(variant, again) == written
        assert position_after(variant, written) == outcome.position


@pytest.mark.parametrize("name", variant_names())
def test_the_shell_s_answer_is_the_same_text(name: str):
    """Of orders in normal form, the same keys in the same order; then who plays which powers, as it was given."""
    for variant, _, outcome, line in a_game(name, 5, silent=False):
        groups = {"groups": line["groups"]} if line.get("groups") else {}
        written = json.dumps(outcome_to_json(variant, outcome) | groups, ensure_ascii=False, separators=(",", ":"))
        assert answer_line(json.dumps(line)) == (written, True)


def test_what_nobody_could_read_is_no_order_of_the_outcome():
    variant = load_variant("standard")
    orders = {"France": ["A PAR - BUR", "A PAR to the moon", "A LON - YOR"]}
    answer, _ = answer_line(json.dumps({"variant": "standard", "phase": "S1901M", "orders": orders}))
    results = outcome_from_json(variant, json.loads(answer)).results
    assert [(str(result.order), result.results) for result in results] == [
        ("A PAR - BUR", ("ok",)), ("A LON - YOR", ("void",))
    ]  # fmt: skip


def test_one_module_writes_and_reads_it():
    """The key of the next phase stands in no other JSON form of the judge."""
    sources = {path.relative_to(JUDGE).as_posix(): path.read_text() for path in JUDGE.rglob("*.py")}
    assert {name for name, text in sources.items() if '["next"]' in text} == {"rules/json_forms.py"}
    assert {name for name, text in sources.items() if '"next": outcome' in text} == {"rules/json_forms.py"}
