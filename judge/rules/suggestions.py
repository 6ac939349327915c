"""Suggest lines to write in place of a refused line, but never a line that would also be refused.

Each line that an error suggests is tried on the board before it is shown. An open place in the line ("A PAR - …") is
filled with an order that is possible there.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from judge.rules.board.board_state import BoardState
from judge.rules.board.names import listed
from judge.rules.board.orders import OPEN, OrderError, Position, asked
from judge.rules.board.phase import kind
from judge.rules.board.power import NEUTRAL
from judge.rules.mechanisms.auction import Bid, check_bid, income
from judge.rules.parsing.grammar import parse_order
from judge.rules.parsing.lines import read_line
from judge.rules.phases.needs import legal_orders
from judge.rules.variant.variant import Variant

# A unit's letter and a blank, which a line may lack.
_LETTER = re.compile(r"\b[AF] ")


def corrected(mistake: OrderError, takes: Callable[[str], bool], legal: Iterable[str] = (), bid: str = "") -> str:
    """Return the reason of an error, and a working suggestion if there is one.

    `takes` says whether the judge would accept a line. `legal` has the lines from which open places may be filled.
    `bid` is the text that a suggested bid has before its order.
    """
    ways = list(dict.fromkeys(line for way in mistake.ways for line in _working(way, takes, legal)))
    meant = ([label for label, line in one.items() if takes(line)] for one in mistake.meant())
    instead = asked(next(filter(None, meant), ())) or mistake.advice
    if ways:
        instead = f"Write {listed([f'{bid}{line}' for line in ways], 'or')}."
    return f"{mistake.message} {instead}".rstrip()


def is_read(read: Callable[[str], object], line: str) -> bool:
    """Return whether `read` accepts the line, that is, does not raise OrderError."""
    try:
        read(line)
    except OrderError:
        return False
    return True


def _working(way: str, takes: Callable[[str], bool], legal: Iterable[str]) -> Iterator[str]:
    """Yield the line if it would be accepted, or the first legal line that fills its open places."""
    if OPEN not in way:
        yield from [way] * takes(way)
        return
    first, *others = _LETTER.sub("", way).split(OPEN)
    yield from [line for line in legal if _fills(_LETTER.sub("", line), first, others)][:1]


def _fills(line: str, first: str, others: Iterable[str]) -> bool:
    """Return whether the line has `first` and then the `others`, with text between them.

    If the last piece is empty, the line ends in text.
    """
    if not line.startswith(first):
        return False
    rest = line.removeprefix(first)
    for piece in others:
        found = rest.find(piece, 1) if piece else len(rest)
        if found < 1:
            return False
        rest = rest[found + len(piece) :]
    return not rest


@dataclass(frozen=True)
class Board:
    """The open phase as a player sees it, in which lines can be tried. If `points` is not 0, the lines are bids.

    `bids` are the player's bids on file. A bid that is tried replaces those for the same neutral.
    """

    variant: Variant
    position: Position
    seat: str
    points: int = 0
    bids: tuple[Bid, ...] = ()

    def takes(self, line: str) -> bool:
        """Return whether the line, perhaps a bid like "DP 1: A SWI H", would be accepted."""
        points, order = (self.points, line)
        if line.startswith("DP "):
            number, _, order = line.removeprefix("DP ").partition(": ")
            points = int(number)
        if not points:
            read = read_line(self.variant, self.position, self.seat, order)
            return bool(read) and not any(isinstance(one, OrderError) for one in read)
        try:
            meaning = parse_order(self.variant, kind(self.position.phase), order, in_letter=True)
            others = [bid for bid in self.bids if bid.order.slot != meaning.slot]
            check_bid(self.variant, self.position, self.seat, Bid(points, meaning), others)
        except OrderError:
            return False
        return points + sum(bid.points for bid in others) <= income(self.variant, self.position, self.seat)

    def __iter__(self) -> Iterator[str]:
        """Yield the possible orders of the player's units, or of neutrals for a bid."""
        table = BoardState(self.variant, self.position)
        owners = [NEUTRAL] if self.points else self.variant.powers_of(self.seat)
        for unit in chain(*map(self.position.all_units_of, owners)):
            for order in legal_orders(table, unit):
                if not self.points or self.takes(str(order)):
                    yield str(order)

    def corrected(self, mistake: OrderError) -> str:
        """Return the reason of an error, and lines that would be accepted, if there are any."""
        return corrected(mistake, self.takes, self, f"DP {self.points}: " if self.points else "")
