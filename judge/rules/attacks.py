"""Moves and supports on their way to being decided, and the circles of moves that wait for each other."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from judge.rules.orders import Move
from judge.rules.table import Piece
from judge.rules.variant import NEUTRAL


class Attack:
    """A legal move. `state` is True or False once it is known to succeed or to fail.

    The move of an armed neutral, a sortie, is known to fail from the start, and is an attack like any other
    otherwise: it cuts support, prevents others and meets them head-to-head (Intercontinental, 10.1; rulings,
    "Intercontinental" 4).
    """

    __slots__ = (
        *("piece", "side", "source", "target", "to", "convoyed", "halved", "state", "opponent", "route"),
        *("broken", "helps"),
    )

    def __init__(self, piece: Piece, order: Move):
        self.piece = piece
        self.side = piece.side
        self.source = order.slot
        self.target = order.target
        self.to = order.to
        spot = piece.spot
        self.convoyed = spot.army and (order.via or order.target not in spot.reach)
        self.halved = False  # it comes over a border of half strength, or by sea to where one leads
        # A neutral never leaves its place: whatever its move does to others, it fails.
        self.state: bool | None = False if piece.power == NEUTRAL else None
        self.opponent: Attack | None = None  # head-to-head: moves the other way, neither by convoy
        self.route: frozenset[str] = frozenset()  # the fleets that are ordered to convoy it
        self.broken = False  # stopped by Szykman's rule
        self.helps: Sequence[Help] = ()


class Help:
    """A support that matches what the helped unit does. `target`: the province into which it is given."""

    __slots__ = ("province", "side", "target")

    def __init__(self, piece: Piece, target: str):
        self.province = piece.unit.province
        self.side = piece.side
        self.target = target


def innermost_circle(start: Attack, reads: Mapping[Attack, Sequence[Attack]]) -> dict[Attack, None]:
    """Moves that wait for each other, directly or through others, and for nothing outside. `reads` are the moves that
    each of them waits for.
    """
    while True:
        ahead = reachable(start, reads.__getitem__)
        waiting: dict[Attack, list[Attack]] = {attack: [] for attack in ahead}
        for attack in ahead:
            for read in reads[attack]:
                if read in ahead:
                    waiting[read].append(attack)
        behind = reachable(start, waiting.__getitem__)
        beyond = next((attack for attack in ahead if attack not in behind), None)
        if beyond is None:
            return ahead
        start = beyond


def reachable(start: Attack, following: Callable[[Attack], Iterable[Attack]]) -> dict[Attack, None]:
    """The undecided moves that are found from `start` on, itself among them."""
    found = {start: None}
    queue = [start]
    for attack in queue:
        for other in following(attack):
            if other.state is None and other not in found:
                found[other] = None
                queue.append(other)
    return found


def ring_member(undecided: list[Attack], attacks: Mapping[str, Attack]) -> Attack:
    """A move of a ring, each going where the next one leaves, if there is a ring; else any."""
    for start in undecided:
        seen = {start}
        following = attacks.get(start.target)
        while following in undecided and following not in seen:
            seen.add(following)
            following = attacks.get(following.target)
        if following is start:
            return start
    return undecided[0]
