"""The environment of the templates and its filters."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from judge.mails.blocks import indented, wrapped
from judge.mails.templates import environment

EVENING = datetime(2026, 5, 15, 19, 0, tzinfo=UTC)


@pytest.mark.parametrize("heading", [
    ":: Judge: JUDG  Game: heron  Variant: Standard Diplomacy", " ::Deadline: x", "：： Judge: x", "Press:",
    "Press from Turkey to Italy:", "Press to France:", "Broadcast:", "broadcast from Turkey:",
    "Movement results for Fall of 1901.  (heron.002)", "Retreat orders for Fall of 1901.", "Austria wins.  (heron.010)",
])  # fmt: skip
def test_what_somebody_says_cannot_look_like_a_heading_of_the_judge(heading: str) -> None:
    assert indented(f"Hello,\n{heading}\nbye") == f"Hello,\n  {heading}\nbye"
    # Nor where a long line is broken just so.
    told = indented(wrapped(f"{'x' * 76} {heading}")).split("\n")
    assert not any(line.lstrip() == line and heading.startswith(line) and len(line) > 15 for line in told[1:])


@pytest.mark.parametrize("heading", [
    "\u200bPress from Turkey:", "Pr\xadess from Turkey:", "\u2060:: Judge: JUDG", "\u3164Press from Turkey:",
    "\u2800Broadcast from Turkey:", "P\u034fress:", "\u0420ress from Turkey:", "Press  from Turkey:",
    "Movement results\u200b for Fall of 1901.", "Austria wins.  (heron.0\u200b10)\u2060",
])  # fmt: skip
def test_a_heading_counts_as_its_reader_sees_it(heading: str) -> None:
    assert indented(heading) == f"  {heading}"


def test_what_somebody_says_is_not_changed_otherwise() -> None:
    text = "Press on, brother!\nPressure: see above.\n:-) Broadcasts are over (heron).\n\n  My results: 3 of 7\nДа: да"
    assert indented(text) == text


def test_short_lines_are_never_joined_or_changed() -> None:
    table = "France:    5 Supply centers,  3 Units:  Builds   2 units.\n\n  a\n  b  \n"
    assert wrapped(table) == table


def test_a_word_longer_than_the_line_stays_whole() -> None:
    assert wrapped("see " + "x" * 100) == "see\n" + "x" * 100


@given(st.text(st.sampled_from("ab >-" * 20 + "\n"), max_size=600))
def test_wrapping_again_changes_nothing_and_no_line_is_lost(text: str) -> None:
    told = wrapped(text)
    assert wrapped(told) == told
    assert told.count("\n") >= text.count("\n")
    assert told.replace(" ", "").replace("\n", "").replace(">", "") == (
        text.replace(" ", "").replace("\n", "").replace(">", "")
    )


def test_a_name_that_is_missing_is_an_error_and_not_a_gap() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("Hello {{ nmae }}").render(name="Kim")


def test_the_environment_is_made_once() -> None:
    assert environment() is environment()
