"""Changes of a sender's own data that are asked with no proof but the address: they are made if our mail server has
verified the address, and else wait until the sender confirms them by mail. Anybody can forge an address.
"""

from judge.desk.core.visit import Visit
from judge.desk.core.visitor import Wish
from judge.store.token_data import Change


def is_proven(visit: Visit) -> bool:
    """Whether our mail server verified that the letter comes from its sender's address."""
    return visit.letter.verified is True


def wait(visit: Visit, said: str, change: Change) -> None:
    """Let this change (judge/desk/people/confirming.py) wait; `said` continues "and you": `are called Jo`."""
    visit.visitor.wishes.append(Wish(said, change, visit.answer))
    visit.answer.settle(f"One step more: send this mail back as it is, and you {said}.")
