"""Orders for all units at once: "all units hold", "all my other armies hold", "hold everything", "all units disband".

Which units these are is known when the order is checked against the board (`notation.own_orders`).
"""

from typing import NamedTuple

from judge.rules.board.orders import Disband, Hold, Unit
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.reader import said_words
from judge.rules.parsing.vocabulary import ALSO_HOLD, DISBAND, HOLD, OTHERS

# The longest of them has seven words: "All of my other units will hold".
_MOST_WORDS = 8
_ALL = {"ALL", "EVERY", "EVERYTHING", "EVERYBODY", "EVERYONE"}
_UNITS = {"UNIT", "UNITS", "FORCES", "PIECES"}
_KINDS = {"ARMY": "A", "ARMIES": "A", "FLEET": "F", "FLEETS": "F"}
_BESIDE = {"THE", "OF", "MY", "OUR", "OWN", "WILL", "TO", "AND", "POSITION", "POSITIONS"}


class Collective(NamedTuple):
    """An order whose unit has no place; `others`: only for the units that have no other order."""

    order: Hold | Disband
    others: bool


def collective_order(phase_kind: PhaseKind, text: str) -> Collective | None:
    """The order for all units of a kind ("" is any) that the whole text is; None for any other text.

    In a movement phase units hold, in retreats they disband.
    """
    verbs = {"M": HOLD | ALSO_HOLD, "R": DISBAND}.get(phase_kind, set())
    words = said_words(text.rstrip(" .!"))
    if not 2 <= len(words) <= _MOST_WORDS or not (words[-1] in verbs or words[0] in verbs or words[-2] in verbs):
        return None
    named = [word for word in words if word not in verbs | _BESIDE]
    subject = set(named)
    if len(words) - len(named) == sum(word in _BESIDE for word in words) or not subject & (_ALL | OTHERS):
        return None
    if subject - _ALL - OTHERS - _UNITS - _KINDS.keys():
        return None
    kinds = {_KINDS[word] for word in subject & _KINDS.keys()}
    unit = Unit(kinds.pop() if len(kinds) == 1 else "", "")
    return Collective(Hold(unit) if phase_kind == "M" else Disband(unit), bool(subject & OTHERS))
