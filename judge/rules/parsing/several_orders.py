"""Orders that stand side by side without a comma: "A PAR - BUR and A MAR H", "A PAR - BUR. A MAR H", "A PAR H A MAR H".

A text is looked at in this way only if it is not one order.
"""

from collections.abc import Set

from judge.rules.board.orders import OrderError
from judge.rules.board.phase import PhaseKind
from judge.rules.parsing.reader import Reader
from judge.rules.parsing.vocabulary import BETWEEN, BUILD, KIND_WORDS, REMOVE
from judge.rules.variant.variant import Variant

# Signs that part the items of a list.
_LIST = "•▪◦·*)"


def orders_of(variant: Variant, phase_kind: PhaseKind, text: str) -> list[str]:
    """The texts of the orders in `text`; a text that cannot be divided comes back alone.

    An order ends where another one can begin: at a unit behind a complete order, or behind "and" and its like. What
    cannot be read stays together up to the next "and" with a unit behind it.
    """
    reader = Reader(variant, phase_kind, text)
    pieces: list[str] = []
    _skip_between(reader)
    skipped = reader.at > 0
    while reader.at < len(reader.words):
        start = reader.at
        try:
            reader.order()
        except OrderError:
            reader.at = _next_unit(reader, start)
        end = reader.at
        _skip_between(reader)
        begins_another = reader.peek() in KIND_WORDS.keys() | _builds(reader) or reader.at > end and _can_begin(reader)
        if reader.at < len(reader.words) and not begins_another:
            reader.at = end = _next_unit(reader, start)
            _skip_between(reader)
        pieces.append(reader.written(start, end))
    return pieces if len(pieces) > 1 or pieces and skipped else [text]


def _skip_between(reader: Reader) -> None:
    """Goes on behind "and" and its like, and behind the bullets and numbers of a list: "A PAR H 2) A MAR H"."""
    between = BETWEEN - _builds(reader)
    while reader.peek() in between or reader.peek().isdigit() or reader.peek() and not reader.peek().strip(_LIST):
        reader.at += 1


def _builds(reader: Reader) -> Set[str]:
    """The sign before a build in a winter; anywhere else it only parts two orders."""
    return {"+"} if reader.phase == "A" else set()


def _can_begin(reader: Reader) -> bool:
    return reader.peek() in BUILD | REMOVE or reader.peek() in reader.names.exact


def _next_unit(reader: Reader, start: int) -> int:
    """The next word like "and", after `start`, that a unit follows; else the end of the text."""
    places = range(start + 1, len(reader.upper) - 1)
    found = (at for at in places if reader.upper[at] in BETWEEN and reader.upper[at + 1] in KIND_WORDS)
    return next(found, len(reader.upper))
