"""A fast reader for movement orders in normal form: "A PAR - BUR", "F NTH C A LON - NWY".

The judge itself and other programs write orders in this form. This module raises no errors: a text in any other form is
left to the `Reader`, which knows how people write and can say what is wrong with the text.
"""

from judge.rules.board.orders import Convoy, Hold, Move, Order, Support, Unit
from judge.rules.board.reach import Board


def read_normal(board: Board, text: str) -> Order | None:
    """The movement order of a text in normal form; None for any other text."""
    words = text.split(" ")
    unit = _unit(board, words)
    if unit is None or len(words) < 3:
        return None
    verb, rest = words[2], words[3:]
    match len(words):
        case 3 if verb == "H":
            return Hold(unit)
        case 4 if verb == "-":
            return Move(unit, rest[0]) if rest[0] in board.province_of else None
        case 5 if verb == "-" and rest[1] == "VIA":
            return Move(unit, rest[0], via=True) if rest[0] in board.province_of else None
        case 5 | 7:
            return _about_another(board, unit, verb, rest)
    return None


def _about_another(board: Board, unit: Unit, verb: str, rest: list[str]) -> Order | None:
    """A support or convoy of the unit named by the remaining words."""
    other = _unit(board, rest)
    if other is None:
        return None
    if len(rest) == 2:
        return Support(unit, other) if verb == "S" else None
    if rest[2] != "-" or rest[3] not in board.province_of:
        return None
    if verb == "S":
        return Support(unit, other, rest[3])
    return Convoy(unit, other, rest[3]) if verb == "C" and unit.kind == "F" else None


def _unit(board: Board, words: list[str]) -> Unit | None:
    """The unit named by the first two words, if such a unit can exist."""
    spot = board.spots.get(" ".join(words[:2]))
    return spot.unit if spot else None
