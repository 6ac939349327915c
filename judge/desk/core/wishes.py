"""What somebody asks of their own by nothing but the address they write from: it is done where our mail server has
verified that, and else waits until they confirm it by mail. Anybody can write anybody's address on a letter.
"""

from typing import Any

from judge.desk.core.visit import Visit
from judge.desk.core.visitor import Wish


def is_proven(visit: Visit) -> bool:
    """Whether our mail server found that the letter comes from the address it bears."""
    return visit.letter.verified is True


def wait(visit: Visit, said: str, change: dict[str, Any]) -> None:
    """Let this change (judge/desk/people/confirming.py) wait; `said` goes on from "and you": `are called Jo`."""
    visit.visitor.wishes.append(Wish(said, change, visit.answer))
    visit.answer.settle(f"One step more: send this mail back as it is, and you {said}.")
