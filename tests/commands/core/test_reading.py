"""What a letter's lines are read as."""

import random

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed

FRANCE, SIGNON = "france@example.org", "SIGNON Fheron pwfrance\n"
# Nothing that one of these says changes what is said of another.
LINES = listed("""
    A PAR - BUR
    Fleet Brest - Mid-Atlantic Ocean
    A MAR - XXX
    A MAR R SPA
    A MUN H
    BUILD A PAR
    SET FOO
    SET EXTENSIONS 2
    SET MAP SMALL
    SET WAIT
    SET DRAW Narnia
    WHOIS Turkey
    PROXY TO Italy
    LIST swan
    GET Narnia
    I hope that you will all support me.
    HELP NARNIA""")


def said(desk: DeskAtWork, lines: list[str]) -> dict[str, str]:
    """What the reply says below each line that it names, and the orders that it confirms."""
    text = desk.would_reply(FRANCE, SIGNON + "\n".join(lines)).text
    answers = {}
    for part in text.split("\n> ")[1:]:
        line, _, told = part.partition("\n")
        answers[line] = " ".join(row.strip() for row in told.split("\n\n")[0].splitlines())
    return answers | {row: "" for row in text.splitlines() if row.startswith("France: ") and "no order" not in row}


@pytest.mark.parametrize("seed", range(8))
def test_a_line_means_the_same_alone_and_among_others(heron: DeskAtWork, seed: int) -> None:
    chosen = random.Random(seed).sample(LINES, 7)
    alone: dict[str, str] = {}
    for line in chosen:
        alone |= said(heron, [line])
    assert said(heron, chosen) == alone
