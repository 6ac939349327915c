"""What is derived instead of drawn."""

from typing import get_args

import pytest

from judge import draws
from judge.draws import LETTERS, Draws, Purpose, derived

KEY = bytes(range(32))
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


def test_a_key_is_derived_as_the_standard_says():
    """RFC 5869, A.3."""
    expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert draws._hkdf(b"\x0b" * 22, "").hex() == expected


def all_of(own: Draws) -> list[object]:
    """Each kind of draw, three times."""
    return [
        draw
        for _ in range(3)
        for draw in (own.seed(), *(own.word(purpose) for purpose in PURPOSES), own.mark("a"), own.mark("b"))
    ]


def test_the_same_event_draws_the_same_and_all_draws_differ():
    events = [all_of(Draws(KEY, f"letter {number}")) for number in range(30)]
    assert events == [all_of(Draws(KEY, f"letter {number}")) for number in range(30)]
    flat = [draw for drawn in [*events, all_of(Draws(KEY)), all_of(Draws(KEY)), all_of(Draws(b"x"))] for draw in drawn]
    assert len(set(flat)) == len(flat)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_draw_for_one_purpose_changes_none_for_another(purpose: Purpose):
    alone, beside = Draws(KEY, "x"), Draws(KEY, "x")
    beside.mark("a")
    for other in PURPOSES:
        if other != purpose:
            beside.word(other)
    assert alone.word(purpose) == beside.word(purpose)
    assert len({derived(KEY, other, "x", 32) for other in PURPOSES}) == len(PURPOSES)


def test_a_draw_is_as_long_as_it_is_said():
    assert [len(derived(KEY, "seed", "x", size)) for size in (1, 4, 32)] == [1, 4, 32]
    assert max(Draws(KEY, str(number)).seed() for number in range(9)) < 2**32
    assert len(Draws(KEY, "x").mark("a")) == 2 * draws.MARK_BYTES == 20


def test_words_use_all_letters_alike():
    drawn = "".join(Draws(KEY, str(number)).word("code") for number in range(3_100))
    assert all(1_050 < drawn.count(letter) < 1_350 for letter in LETTERS) and len(drawn) == 12 * 3_100
