"""Movement: which moves succeed, which supports are cut, which units are dislodged.

The method is Lucas Kruijswijk's ("The Math of Adjudication"). Only the moves are unknown. Each succeeds, fails or is
not decided yet. Every strength is known to be between a minimum and a maximum. A move is decided as soon as these
bounds allow it. Then all others are examined again.

The moves that remain wait for each other in circles. The innermost circle is settled first. If it has exactly one
consistent answer, this answer is taken. In a plain circle of moves, all succeed. If the circle leads through a convoy
and has no single answer, it is a paradox. Then the convoyed armies in the circle stay where they are and have no effect
(Szykman's rule, DATC 4.A.2).

A move is identified by the province that it leaves. A support or a convoy is identified by the province of the unit
that gives it. Strength is counted in halves, so a unit is worth 2, and so is a support. Over a border of half strength,
a unit is worth 1, and over a difficult border nothing (`judge.rules.mechanisms.crossings`).
"""

from collections.abc import Collection, Iterable

from judge.rules.board.board_state import BoardState, TakenMovement
from judge.rules.board.power import NEUTRAL
from judge.rules.board.province import Landing
from judge.rules.phases.circular_moves import innermost_circle, ring_member

# The least and the greatest strength.
Bounds = tuple[int, int]
UNIT = 2
SUPPORT = 2
# The strength of a missing unit. It is less than 0, the strength of a move worth nothing, which can still enter an
# empty province.
ABSENT = -1
# The maximum number of guesses for one circle of moves. Circles in real games need only a few.
TRIES = 256


class Movement:
    """The orders of one movement phase, adjudicated when the object is made. A unit without an order holds.

    Afterwards, `states` is {move: whether it succeeded}. `into` is {province: the moves that go there}.
    `convoyed` has the moves by sea. `carried` is {fleet: the move that it convoys}. `broken` has the moves that a
    paradox stopped.

    `helping` is {unit that supports: the province into which it supports}, for supports that match the supported unit's
    order.
    """

    def __init__(self, table: BoardState, orders: TakenMovement):
        self.board = table.board
        self.at = table.at
        self.moves = orders.moves
        self.supports = orders.supports
        self.convoys = orders.convoys
        # A sortie, which is the move of an armed neutral, fails. In every other way, it is a move like any other: it
        # cuts support, prevents other moves and meets them head-to-head (Intercontinental, 10.1; rulings,
        # "Intercontinental" 3).
        self.states = {source: False if self.at[source].power == NEUTRAL else None for source in self.moves}
        self.convoyed = set(orders.by_sea)
        self.broken: set[str] = set()
        self.into: dict[str, list[str]] = {}
        self.routes: dict[str, set[str]] = {}  # for each move, the fleets that are ordered to convoy it
        self.carried: dict[str, str] = {}
        self.helps: dict[str, list[str]] = {}  # for each move, the units that support it
        self.holding: dict[str, list[str]] = {}  # for each unit that does not move, the units that support it
        self.helping: dict[str, str] = {}
        self.opponents: dict[str, str] = {}  # for each move, the move that it meets head-to-head
        self.weakened: set[str] = set()  # moves that lose strength at a border
        # For each undecided move: `reads` has the undecided moves that the last try depended on. `doubts` has the
        # convoyed moves whose route could not be judged.
        self.reads: dict[str, list[str]] = {}
        self.doubts: dict[str, list[str]] = {}
        self._reads: list[str] = []
        self._doubts: list[str] = []
        # Moves over difficult borders for which `_is_pressed_on` is running, so that the recursion ends if such moves
        # form a circle.
        self._pressing: set[str] = set()
        self._match_convoys()
        self._match_moves()
        self._match_supports()
        self._match_detours()
        self._decide_all()

    # --- matching orders with each other -----------------------------------------------------------------------

    def _match_convoys(self) -> None:
        """Note which fleets convoy which army.

        A convoying fleet of the same side shows that the army intends to go by sea (DATC 4.A.3).
        """
        offers = []
        for fleet, order in self.convoys.items():
            army = order.army.province
            if army in self.moves and order.target == self.moves[army].target:
                offers.append((fleet, army))
                if self.at[fleet].side == self.at[army].side:
                    self.convoyed.add(army)
        for fleet, army in offers:
            if army in self.convoyed:
                self.routes.setdefault(army, set()).add(fleet)
                self.carried[fleet] = army

    def _match_moves(self) -> None:
        """Note where each unit goes, and which pairs of units change places.

        Such a pair meets head-to-head, unless one of its units goes by sea.
        """
        for source, move in self.moves.items():
            self.into.setdefault(move.target, []).append(source)
            opposite = self.moves.get(move.target)
            if opposite and opposite.target == source and self.convoyed.isdisjoint((source, move.target)):
                self.opponents[source] = move.target

    def _match_supports(self) -> None:
        for giver, order in self.supports.items():
            helped, target = order.helped.province, order.target
            move = self.moves.get(helped)
            if not order.to:
                if not move:
                    self.helping[giver] = helped
                    self.holding.setdefault(helped, []).append(giver)
            # A support that names a coast is for a move to that coast only (DATC 4.B.4).
            elif move and order.to in (move.target, move.to):
                self.helping[giver] = target
                self.helps.setdefault(helped, []).append(giver)

    def _match_detours(self) -> None:
        """Note which moves a border weakens: moves over it and, if the rules say so, convoys that land beyond it."""
        armies_too = self.board.crossing.landing is not Landing.NEVER
        for target, beyond in self.board.beyond.items():
            for source in self.into.get(target, ()):
                if armies_too if source in self.convoyed else source in beyond:
                    self.weakened.add(source)

    # --- strengths, as (least, greatest) ----------------------------------------------------------------------

    def cut(self, giver: str) -> bool | None:
        """Return whether a support is cut by an attack on its giver, or None while this is undecided.

        An attack over a border of half strength cuts the support only by dislodging the giver. The same is true of an
        attack from the province into which the support helps. An attack over a difficult border cuts the support only
        if the attack is supported.
        """
        known: bool | None = False
        at, side, helping = self.at, self.at[giver].side, self.helping[giver]
        for source in self.into.get(giver, ()):
            if at[source].side == side:
                continue
            if source == helping:
                hits = self._success(source)
            elif source in self.weakened and source not in self.convoyed:
                difficult = self.board.crossing.leaves_nothing
                hits = self._is_pressed_on(source, side) if difficult else self._success(source)
            else:
                hits = self.path(source)
            if hits:
                return True
            if hits is None:
                known = None
        return known

    def _is_pressed_on(self, source: str, against: str) -> bool | None:
        """Return whether a move without strength of its own has a valid support that is not from the side `against`.

        Only then does the move cut support (DATC 2.4, 10.B, 10.O). If each move of a circle would cut the next one's
        support, none has such a support (10.F). Returns None while this is undecided.
        """
        if source in self._pressing:
            return None
        self._pressing.add(source)
        known = len(self._reads)
        cut = [self.cut(giver) for giver in self.helps.get(source, ()) if self.at[giver].side != against]
        self._pressing.remove(source)
        if False in cut or None not in cut:
            return False in cut
        # If no move was undecided, the moves form a circle. Only the first move of a circle can be reached again. A
        # move attacks one unit, which supports one move.
        return None if self._pressing or len(self._reads) > known else False

    def path(self, source: str) -> bool | None:
        """Return whether a move can reach its target by land or by convoy (DATC 4.A.1), or None if undecided."""
        if source not in self.convoyed:
            return True
        return False if source in self.broken else self._route_stands(source)

    def _route_stands(self, source: str, short: bool = False) -> bool | None:
        """Return whether a route of fleets that are not dislodged leads to the target, or None while this is undecided.

        If `short` is true, the route must not cross a border that weakens units.
        """
        route, target = self.routes.get(source), self.moves[source].target
        if not route:
            return False
        sunk = set()
        unsure = set()
        for fleet in route:
            fates = [self._success(threat) for threat in self.into.get(fleet, ())]
            if True in fates:
                sunk.add(fleet)
            elif None in fates:
                unsure.add(fleet)
        if not self.board.connected(source, target, route - sunk, short):
            return False
        if not unsure or self.board.connected(source, target, route - sunk - unsure, short):
            return True
        self._doubts.append(source)
        return None

    def stands_off(self, source: str) -> bool:
        """Return whether a failed move prevented others, since it reached its target and did not lose head-to-head."""
        return bool(self.path(source)) and not self.states.get(self.opponents.get(source, ""))

    def _success(self, source: str) -> bool | None:
        state = self.states[source]
        if state is None:
            self._reads.append(source)
        return state

    def _with_help(self, givers: Iterable[str], against: str = "") -> Bounds:
        """Return the strength of a unit with its supports, without supports from the side `against`."""
        least = greatest = UNIT
        for giver in givers:
            if self.at[giver].side != against:
                is_cut = self.cut(giver)
                if not is_cut:
                    greatest += SUPPORT
                    if is_cut is False:
                        least += SUPPORT
        return least, greatest

    def _force(self, source: str, against: str = "") -> Bounds:
        """Return the strength of a moving unit, with its supports.

        Supports count in full even if the unit's own strength does not.
        """
        least, greatest = self._with_help(self.helps.get(source, ()), against)
        if source in self.weakened:
            crossing = self.board.crossing
            by_route = source in self.convoyed and crossing.landing is Landing.BY_ROUTE
            whole = by_route and self._route_stands(source, short=True)
            return least - (0 if whole else crossing.lost), greatest - (crossing.lost if whole is False else 0)
        return least, greatest

    def _attack_strength(self, source: str, target: str) -> Bounds:
        path = self.path(source)
        if path is False:
            return ABSENT, ABSENT
        occupant = self.at.get(target)
        left: bool | None = False
        if target in self.moves and target != self.opponents.get(source):
            left = self._success(target)
        if occupant is None or left:
            least, greatest = self._force(source)
        else:
            least = greatest = ABSENT  # no unit dislodges a unit of its own side
            if occupant.side != self.at[source].side:
                least, greatest = self._force(source, against=occupant.side)
            if left is None:
                greatest = self._force(source)[1]
        return (least if path else ABSENT), greatest

    def _prevent_strength(self, source: str) -> Bounds:
        """Return how strongly a move prevents other moves to its target, if the move does not lose head-to-head."""
        path = self.path(source)
        beaten = self._success(self.opponents[source]) if source in self.opponents else False
        if path is False or beaten:
            return ABSENT, ABSENT
        least, greatest = self._force(source)
        return (least if path and beaten is False else ABSENT), greatest

    def _resistance(self, source: str, target: str) -> Bounds:
        """Return the strength of the unit in the target, which may come head-to-head, hold, or fail to leave."""
        if source in self.opponents:
            return self._force(target)
        if target not in self.at:
            return ABSENT, ABSENT
        if target in self.moves:
            left = self._success(target)
            return (UNIT if left is False else ABSENT), (ABSENT if left else UNIT)
        return self._with_help(self.holding.get(target, ()))

    def _decide(self, source: str) -> bool | None:
        """Return whether a move is stronger than the unit and all other moves in its target, or None if undecided."""
        target = self.moves[source].target
        rivals = self.into[target]
        self._reads, self._doubts = self.reads[source], self.doubts[source] = [], []
        least, greatest = self._attack_strength(source, target)
        against_least, against_greatest = self._resistance(source, target)
        for rival in rivals:
            if rival != source:
                rival_least, rival_greatest = self._prevent_strength(rival)
                against_least = max(against_least, rival_least)
                against_greatest = max(against_greatest, rival_greatest)
        if greatest <= against_least:
            return False
        return True if least > against_greatest else None

    # --- deciding ---------------------------------------------------------------------------------------------

    def _decide_all(self) -> None:
        undecided = [source for source, state in self.states.items() if state is None]
        while undecided:
            self._propagate(undecided)
            undecided = [source for source in undecided if self.states[source] is None]
            if undecided:
                self._settle(innermost_circle(undecided[0], self._undecided_reads()))

    def _undecided_reads(self) -> dict[str, list[str]]:
        """Return {move: the moves that it waits for}, for all undecided moves."""
        states = self.states
        return {
            source: [read for read in reads if states[read] is None]
            for source, reads in self.reads.items()
            if states[source] is None
        }

    def _propagate(self, sources: Collection[str]) -> list[str]:
        """Decide the moves that can be decided, again and again, and return them."""
        decided: list[str] = []
        known = -1
        while len(decided) > known:
            known = len(decided)
            for source in sources:
                if self.states[source] is None:
                    self.states[source] = self._decide(source)
                    if self.states[source] is not None:
                        decided.append(source)
        return decided

    def _settle(self, circle: Collection[str]) -> None:
        """Settle moves that wait for each other and for nothing else."""
        doubted = [convoyed for source in circle for convoyed in self.doubts[source]]
        answers = self._answers(circle, most=2 if doubted else 1)
        if len(answers) == 1 or not doubted:
            self.states |= answers[0]
            return
        selfish = self._selfish_detour(circle)
        if selfish:
            self.states[selfish] = False
        else:
            self.broken.update(doubted)

    def _selfish_detour(self, circle: Collection[str]) -> str | None:
        """Return a move that must fail, since it would succeed only by cutting a support against itself, or None.

        Such a move goes over a border that weakens it. It would dislodge a supporting unit only by cutting the support
        that the unit gives.
        """
        detours = [
            source
            for source in circle
            if source in self.weakened and source not in self.convoyed and self.moves[source].target in self.helping
        ]
        answers = self._answers(circle, most=TRIES) if detours else []
        return next((source for source in detours if len({answer[source] for answer in answers}) == 2), None)

    def _answers(self, circle: Collection[str], most: int) -> list[dict[str, bool]]:
        """Return up to `most` consistent solutions of the circle. If moves form a ring, they succeed in the first one.

        A circle through convoys that needs more than TRIES guesses is a paradox, and has no solution.
        """
        states = self.states
        answers = []
        assumed = []
        tries = 0

        def explore() -> None:
            nonlocal tries
            undecided = [source for source in circle if states[source] is None]
            if not undecided:
                answers.append({source: bool(states[source]) for source in circle})
                return
            chosen = ring_member(undecided, self.moves)
            assumed.append(chosen)
            for guess in (True, False):
                if len(answers) == most or tries == TRIES:
                    break
                tries += 1
                states[chosen] = guess
                decided = self._propagate(circle)
                if all(self._decide(source) in (None, states[source]) for source in assumed):
                    explore()
                for source in decided:
                    states[source] = None
            states[chosen] = None
            assumed.pop()

        explore()
        return answers if most == 1 or tries < TRIES else []
