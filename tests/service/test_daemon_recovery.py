"""A backup of any age and the letters since then give the same judge again, as if nothing had been lost.

Some short games of two powers, and two longer ones of seven with all that the daemon does beside. `make fuzz`
plays thousands: SHORT_GAMES says how many, SHORT_GAMES_FROM from which seed on.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.livedagain import SMALL, STANDARD, Kind, Place

SHORT_GAMES = int(os.environ.get("SHORT_GAMES", "48"))
FIRST = int(os.environ.get("SHORT_GAMES_FROM", "0"))
PARTS = 4


@pytest.fixture
def place(tmp_path: Path, kind: Kind) -> Iterator[Place]:
    place = Place(tmp_path, kind)
    yield place
    place.end()


@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("kind", [SMALL])
@pytest.mark.parametrize("part", [*range(2), *(pytest.param(part, marks=pytest.mark.slow) for part in range(2, PARTS))])
def test_short_games_are_the_same_again(place: Place, part: int):
    for seed in range(FIRST + part, FIRST + SHORT_GAMES, PARTS):
        told = place.differences(seed)
        assert not told, "\n".join([f"the game of seed {seed}", *told])


@pytest.mark.parametrize("kind", [STANDARD])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 2))])
def test_a_longer_game_is_the_same_again(place: Place, seed: int):
    told = place.differences(seed)
    assert not told, "\n".join(told)
