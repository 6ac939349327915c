"""The position before a phase is found again in what `judge adjudicate` answered."""

import json

import pytest

from judge.maps.scene import scene_from_outcome
from judge.rules import PositionError, answer_line, load_variant, position_from_json
from judge.rules.board.phase import kind
from judge.rules.selfplay import play


@pytest.mark.parametrize("seed", range(3))
def test_the_units_of_a_game(seed):
    variant = load_variant("standard")
    for line in play(variant, 3, seed):
        answer, good = answer_line(json.dumps(line))
        assert good
        scene = scene_from_outcome(variant, json.loads(answer))
        before = position_from_json(variant, line)
        assert scene.position.phase == before.phase
        if kind(before.phase) == "M":
            assert _units(scene.position.units) == _units(before.units)
            assert scene.newest.centers == position_from_json(variant, {**json.loads(answer), "dislodged": {}}).centers


def _units(units) -> set[tuple[str, str]]:
    return {(power, unit.text) for power, some in units.items() for unit in some}


def test_the_orders_of_a_winter():
    variant = load_variant("standard")
    line = {
        "variant": "standard",
        "phase": "W1901A",
        "units": {"France": ["A SPA"], "Germany": ["A BEL", "A HOL"]},
        "centers": {"France": ["PAR", "BRE"], "Germany": ["BER"]},
        "orders": {"France": ["BUILD F BRE"], "Germany": ["REMOVE A BEL"]},
    }
    scene = scene_from_outcome(variant, json.loads(answer_line(json.dumps(line))[0]))
    assert _units(scene.position.units) == {("France", "A SPA"), ("Germany", "A BEL"), ("Germany", "A HOL")}


@pytest.mark.parametrize(
    "line",
    [
        {"next": "F1901M"},
        {"next": "F1901M", "phase": "S1901M", "orders": [1]},
        {"next": 3},
        {"next": "F1901M", "phase": "soon", "orders": []},
        {"next": "F1901M", "phase": 1901, "orders": []},
    ],
)
def test_what_is_no_outcome_is_told(line):
    with pytest.raises(PositionError):
        scene_from_outcome(load_variant("standard"), line)
