"""Draws (HELP draws): what each list accepts, and the largest draw that all accept."""

import pytest

from judge.games.orders.votes import agreed_draw

ALIVE = {"E", "F", "T"}


def drawn(**lists: str) -> str:
    return "".join(sorted(agreed_draw({power: frozenset(choice) for power, choice in lists.items()}, ALIVE) or ()))


@pytest.mark.parametrize(
    ("lists", "draw"),
    [
        ({"E": "EFT", "F": "EFT", "T": "EFT"}, "EFT"),
        ({"E": "EFT", "F": "EFT"}, ""),  # one has not voted
        ({"E": "EF", "F": "EF", "T": "EF"}, "EF"),  # T gives way
        ({"E": "EF", "F": "EFT", "T": "EFT"}, ""),  # T wants to be in, E does not accept that
        ({"E": "EFT", "F": "EF", "T": "EF"}, "EF"),
        ({"E": "F", "F": "F", "T": "F"}, "F"),
        ({"E": "E", "F": "F", "T": "T"}, ""),
        ({"E": "FT", "F": "E", "T": "E"}, ""),
    ],
)
def test_the_largest_draw_that_every_survivor_accepts(lists, draw):
    assert drawn(**lists) == draw


def test_the_vote_of_a_power_that_is_gone_does_not_matter():
    assert drawn(E="EFT", F="EFT", T="EFT", G="G") == "EFT"
