"""Greetings and names are for people; what may be meant for the judge is not taken for one."""

import pytest

from judge.desk.play.courtesy import is_courtesy

NAMES = ("Kim Doe", "Austria")


@pytest.mark.parametrize("line", [
    "Hello", "Hi all,", "Dear judge,", "Hi Sam!", "Thanks!", "Thank you very much", "Best regards", "Kind regards, Kim",
    "Good morning everybody", "Kim", "Kim Doe", "Austria", "Cheers, Kim (Austria)", "Yours truly",
])  # fmt: skip
def test_courtesy(line: str) -> None:
    assert is_courtesy(line, NAMES)


@pytest.mark.parametrize("line", [
    "PROCES", "what is this", "Turkey", "hi please set wait", "Thanks, wait for me", "Hello WAIT", "Best: A PAR H",
    "Army Vienna to Galizia", "Good idea", "", "hello 5", "my regards go to all of the people whom I have met here",
])  # fmt: skip
def test_no_courtesy(line: str) -> None:
    assert not is_courtesy(line, NAMES)
