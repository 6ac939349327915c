"""How fast the engine is, beside the PyPI package `diplomacy` on the same phases in the same run.

Order texts in, outcome out; the position is set up before the clock starts, for both. Run by `make bench`,
which prints what was measured (`pytest -m benchmarks -s tests/benchmarks`). The package is a dependency of this
measurement only.
"""

import gc
import json
import random
import time
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TypeVar

import pytest

from judge.rules import (
    adjudicate,
    answer_line,
    load_variant,
    parse_order,
    position_from_json,
    position_to_json,
)
from judge.rules.board.phase import kind
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.json_lines import bids_of
from judge.rules.selfplay import play
from tests.benchmarks.games import Phase, phases
from tests.rules.boards import grid_variant
from tests.rules.test_adjudicate_properties import web

pytestmark = pytest.mark.benchmarks

T = TypeVar("T")

STANDARD = load_variant("standard")
# What is reached today, less what a busy machine takes away.
FLOOR = 8
LINE_FLOOR = 6
# Rounds of so many games each; the first ones show how fast a judge is that has just been started.
PLAYED = 12
WARM_UP = 3
ROUNDS = 5


def ours(phase: Phase) -> None:
    position, texts = phase
    asked = kind(position.phase)
    orders = {power: [parse_order(STANDARD, asked, text) for text in given] for power, given in texts.items()}
    adjudicate(STANDARD, position, orders)


def line_of(phase: Phase) -> str:
    """The phase as `judge adjudicate` reads it."""
    position, texts = phase
    return json.dumps({"variant": "standard", **position_to_json(STANDARD, position), "orders": texts})


def answered(line: str) -> None:
    assert answer_line(line)[1]


def seconds(run: Callable[[T], None], chosen: list[T]) -> float:
    """Of the processor, for all of them once, starting with the garbage collected."""
    gc.collect()
    start = time.process_time()
    for phase in chosen:
        run(phase)
    return time.process_time() - start


def test_phases_per_second_beside_the_diplomacy_package():
    """The two take turns at games that neither has seen before; the median round counts."""
    diplomacy = pytest.importorskip("diplomacy", reason="pip install diplomacy, to compare with it")

    def set_up(phase: Phase):
        """The position on their board; they keep what they know of it in a Game."""
        position, texts = phase
        game = diplomacy.Game()
        game.clear_units()
        game.clear_centers()
        data = position_to_json(STANDARD, position)
        for power, units in data["units"].items():
            game.set_units(power.upper(), units)
        for power, centers in data["centers"].items():
            game.set_centers(power.upper(), centers)
        game.set_current_phase(position.phase)
        return game, {power.upper(): orders for power, orders in texts.items()}

    def theirs(ready) -> None:
        game, texts = ready
        for power, orders in texts.items():
            game.set_orders(power, orders)
        game.process()

    rates, in_lines = [], []
    for number in range(WARM_UP + ROUNDS):
        seeds = range(100 + PLAYED * number, 100 + PLAYED * (number + 1))
        games = [[phase for phase in phases(STANDARD, seed, years=8) if phase[0].phase.endswith("M")] for seed in seeds]
        us = seconds(ours, list(chain(*games)))
        # One game after the other: hundreds of theirs at a time would slow down Python's garbage collection.
        lines = seconds(answered, [line_of(phase) for phase in chain(*games)])
        them = sum(seconds(theirs, list(map(set_up, game))) for game in games)
        count = sum(map(len, games))
        rates.append((them / us, count / us, count / them))
        in_lines.append((them / lines, count / lines))
    ratio, us, them = sorted(rates[WARM_UP:])[ROUNDS // 2]
    line_ratio, line_rate = sorted(in_lines[WARM_UP:])[ROUNDS // 2]
    print(
        f"\nmovement phases a second: judge {us:,.0f}, diplomacy {them:,.0f}: {ratio:.1f} times (floor {FLOOR}; "
        f"{rates[0][0]:.1f} times just started, {min(rates[WARM_UP:])[0]:.1f} in the worst round)\n"
        f"the same by judge adjudicate, JSON in and out: {line_rate:,.0f}: {line_ratio:.1f} times (floor {LINE_FLOOR})"
    )
    assert ratio > FLOOR
    assert line_ratio > LINE_FLOOR


def test_a_full_board_of_intercontinental():
    """All units ordered and all players' points bid, in each movement phase of a game of six years."""
    variant = load_variant("intercontinental")
    worst, line_worst, most = 0.0, 0.0, 0
    for line in play(variant, years=6, seed=1):
        if line["phase"].endswith("M"):
            house = GameOptions(holders=tuple((power, name) for name, own in line["groups"].items() for power in own))
            board = with_house_rules(variant, house).at(line["phase"])
            position = position_from_json(board, line)
            orders = {power: [parse_order(board, "M", text) for text in own] for power, own in line["orders"].items()}
            bids = bids_of(board, line)
            text = json.dumps(line)
            worst = max(worst, milliseconds(partial(adjudicate, board, position, orders, bids)))
            line_worst = max(line_worst, milliseconds(partial(answer_line, text)))
            most = max(most, sum(map(len, line["units"].values())))
    print(f"\nIntercontinental, up to {most} units: {worst:.2f} ms, as a line of JSON {line_worst:.2f} ms")
    assert most >= 180
    assert worst < 10


def test_the_worst_of_a_thousand_webs_of_convoys():
    variant = grid_variant()
    times = []
    for seed in range(1000):
        position, orders = web(random.Random(seed))
        times.append((milliseconds(partial(adjudicate, variant, position, orders)), seed))
    print(f"\nthe worst of a thousand webs: {max(times)[0]:.2f} ms (seed {max(times)[1]})")
    assert max(times)[0] < 50


def milliseconds(run: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best * 1000
