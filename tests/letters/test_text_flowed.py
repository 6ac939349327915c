"""format=flowed, RFC 3676."""

import pytest

from judge.letters.letter import unflow


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        (["A MAR S ", "A PAR - BUR", "F BRE H"], ["A MAR S A PAR - BUR", "F BRE H"]),
        (["one ", "two ", "three "], ["one two three "]),
        (["fixed", "lines"], ["fixed", "lines"]),
        ([" From the start", "  two blanks"], ["From the start", " two blanks"]),
        (["> quoted ", "> too", "mine"], ["> quoted too", "mine"]),
        (["> one ", ">> two"], ["> one ", ">> two"]),
        ([">> deep ", "> less"], [">> deep ", "> less"]),
        (["text ", "-- ", "Anna ", "Berg"], ["text ", "-- ", "Anna Berg"]),
        ([], []),
    ],
)
def test_unflow(lines: list[str], meant: list[str]):
    """Soft breaks join lines of one quote depth; signature marks and stuffed blanks are honoured."""
    assert unflow(lines) == meant


def test_delsp():
    """DelSp=yes: the blank at the end was added by the mail program."""
    assert unflow(["Burgun ", "dy"], delsp=True) == ["Burgundy"]
