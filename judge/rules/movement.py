"""Movement: which moves succeed, which supports are cut, which units are dislodged.

The method is Lucas Kruijswijk's ("The Math of Adjudication"). The only unknowns are the moves: each succeeds,
fails, or is not decided yet, and every strength is known between a least and a greatest value. A move is
decided as soon as these bounds allow it; its answer then wakes the moves that waited for it. What is left waits
for itself in circles. The innermost circle is settled on its own: by its one consistent answer if there is one;
a circle of moves succeeds; where the circle leads through a convoy and there is no single answer it is a
paradox, and the convoyed armies in it stay put and have no effect (Szykman's rule, DATC 4.A.2).

Strength is counted in halves: a unit is worth 2, a support 2. Over a border of half strength (`judge.rules.detours`)
a unit is worth 1.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from judge.rules.attacks import Attack, Help, innermost_circle, ring_member
from judge.rules.orders import Convoy, Move, Order, Support
from judge.rules.table import Table

UNIT = 2
SUPPORT = 2
HALF = 1
# No circle that people made ever needed more than a handful of guesses.
TRIES = 256


class Movement:
    """The legal orders of one movement phase, adjudicated when it is made.

    `orders` is {province: order}; a piece without one holds. Afterwards `attacks` holds the moves by their
    source, `into` by their target, `helps` the supports that matched by their giver's province, `convoys` the
    moves that the fleets carry, by the fleet's province.
    """

    def __init__(self, table: Table, orders: Mapping[str, Order]):
        self.board = table.board
        self.at = table.at
        self.attacks: dict[str, Attack] = {}
        self.into: dict[str, list[Attack]] = {}
        self.helps: dict[str, Help] = {}
        self.holding: dict[str, list[Help]] = {}
        self.convoys: dict[str, Attack] = {}
        # Of moves that could not be decided: the undecided moves that the last try came upon, the convoyed moves whose
        # route it could not judge, and the moves that wait for this one.
        self.reads: dict[Attack, list[Attack]] = {}
        self.doubts: dict[Attack, list[Attack]] = {}
        self.waiters: dict[Attack, dict[Attack, None]] = {}
        self._reads: list[Attack] = []
        self._doubts: list[Attack] = []
        self.supports: list[Support] = []
        self.transports: list[Convoy] = []
        facing: list[tuple[Attack, Attack]] = []
        attacks, into, at = self.attacks, self.into, table.at
        for province, order in orders.items():
            if isinstance(order, Move):
                attacks[province] = attack = Attack(at[province], order)
                target = order.target
                if target in into:
                    into[target].append(attack)
                else:
                    into[target] = [attack]
                if target in attacks and attacks[target].target == province:
                    facing.append((attack, attacks[target]))
            elif isinstance(order, Support):
                self.supports.append(order)
            elif isinstance(order, Convoy):
                self.transports.append(order)
        self._match_convoys()
        self._match_supports()
        self._match_opponents(facing)
        if self.board.beyond:
            self._match_detours()
        self._decide_plain()
        self._decide_all(attack for attack in attacks.values() if attack.state is None)

    # --- what belongs together --------------------------------------------------------------------------------

    def _match_convoys(self) -> None:
        """Which fleets carry whom. A fleet of its own side shows that an army means to go by sea (DATC 4.A.3)."""
        offers: list[tuple[str, Attack]] = []
        for order in self.transports:
            attack = self.attacks.get(order.army.province)
            if attack and order.target == attack.target:
                fleet = order.unit.province
                offers.append((fleet, attack))
                if self.at[fleet].side == attack.side:
                    attack.convoyed = True
        for fleet, attack in offers:
            if attack.convoyed:
                attack.route |= {fleet}
                self.convoys[fleet] = attack

    def _match_supports(self) -> None:
        for order in self.supports:
            province, helped = order.unit.province, order.helped.province
            attack = self.attacks.get(helped)
            if not order.to:
                if not attack:
                    self.helps[province] = help = Help(self.at[province], helped)
                    self.holding.setdefault(helped, []).append(help)
            # A support that names a coast is for a move to that coast only (DATC 4.B.4).
            elif attack and order.to in (attack.target, attack.to):
                self.helps[province] = help = Help(self.at[province], attack.target)
                attack.helps = (*attack.helps, help)

    def _match_opponents(self, facing: Iterable[tuple[Attack, Attack]]) -> None:
        """Two that change places meet head-to-head, unless one of them goes by sea."""
        for one, other in facing:
            if not one.convoyed and not other.convoyed:
                one.opponent, other.opponent = other, one

    def _match_detours(self) -> None:
        """Moves over a border of half strength, and armies by sea to where such a border leads."""
        for target, beyond in self.board.beyond.items():
            for attack in self.into.get(target, ()):
                attack.halved = attack.convoyed or attack.source in beyond

    # --- strengths, as (least, greatest) ----------------------------------------------------------------------

    def cut(self, help: Help) -> bool | None:
        """Whether the support is cut: by an attack on its giver; from where it helps, and over a border of half
        strength, only by dislodging.
        """
        known: bool | None = False
        for attack in self.into.get(help.province, ()):
            if attack.side == help.side:
                continue
            if attack.source == help.target or (attack.halved and not attack.convoyed):
                hits = self._success(attack)
            else:
                hits = not attack.convoyed or self.path(attack)
            if hits:
                return True
            if hits is None:
                known = None
        return known

    def path(self, attack: Attack) -> bool | None:
        """Whether the attacker can get there: on foot always, by convoy while one route stands (DATC 4.A.1)."""
        if not attack.convoyed:
            return True
        return False if attack.broken else self._route_stands(attack)

    def _route_stands(self, attack: Attack, short: bool = False) -> bool | None:
        """Whether fleets that nobody dislodges lead to the target; `short`: over no border of half strength."""
        if not attack.route:
            return False
        sunk: set[str] = set()
        unsure: set[str] = set()
        for fleet in attack.route:
            fates = [self._success(threat) for threat in self.into.get(fleet, ())]
            if True in fates:
                sunk.add(fleet)
            elif None in fates:
                unsure.add(fleet)
        if not self.board.connected(attack.source, attack.target, attack.route - sunk, short):
            return False
        if not unsure or self.board.connected(attack.source, attack.target, attack.route - sunk - unsure, short):
            return True
        self._doubts.append(attack)
        return None

    def stands_off(self, attack: Attack) -> bool:
        """Whether the move, which failed, kept others out of its target: it got there and did not lose head-to-head."""
        return bool(self.path(attack)) and not (attack.opponent and attack.opponent.state)

    def _success(self, attack: Attack) -> bool | None:
        if attack.state is None:
            self._reads.append(attack)
        return attack.state

    def _with_help(self, helps: Iterable[Help], against: str = "") -> tuple[int, int]:
        """A unit with its supports; those of the side that would be attacked do not count."""
        least = greatest = UNIT
        for help in helps:
            if help.side != against:
                is_cut = help.province in self.into and self.cut(help)
                if not is_cut:
                    greatest += SUPPORT
                    if is_cut is False:
                        least += SUPPORT
        return least, greatest

    def _force(self, attack: Attack, against: str = "") -> tuple[int, int]:
        """A unit on the move with its supports, which count in full even where the unit itself counts half."""
        least, greatest = self._with_help(attack.helps, against) if attack.helps else (UNIT, UNIT)
        if attack.halved:
            whole = attack.convoyed and self._route_stands(attack, short=True)
            return least - (0 if whole else HALF), greatest - (HALF if whole is False else 0)
        return least, greatest

    def _attack_strength(self, attack: Attack) -> tuple[int, int]:
        path = not attack.convoyed or self.path(attack)
        if path is False:
            return 0, 0
        occupant = self.at.get(attack.target)
        leaving = self.attacks.get(attack.target)
        left: bool | None = False
        if leaving and leaving is not attack.opponent:
            left = self._success(leaving)
        if occupant is None or left:
            least, greatest = self._force(attack)
        else:
            least = greatest = 0  # nobody dislodges a unit of his own side
            if occupant.side != attack.side:
                least, greatest = self._force(attack, against=occupant.side)
            if left is None:
                greatest = self._force(attack)[1]
        return (least if path else 0), greatest

    def _prevent_strength(self, attack: Attack) -> tuple[int, int]:
        """How strongly it keeps others out of its target, if its own head-to-head battle is not lost."""
        path = not attack.convoyed or self.path(attack)
        beaten = self._success(attack.opponent) if attack.opponent else False
        if path is False or beaten:
            return 0, 0
        least, greatest = self._force(attack)
        return (least if path and beaten is False else 0), greatest

    def _resistance(self, attack: Attack) -> tuple[int, int]:
        """What stands in the target: a unit that comes head-to-head, one that holds, one that fails to leave."""
        if attack.opponent:
            return self._force(attack.opponent)
        if attack.target not in self.at:
            return 0, 0
        leaving = self.attacks.get(attack.target)
        if leaving:
            left = self._success(leaving)
            return (UNIT if left is False else 0), (0 if left else UNIT)
        helps = self.holding.get(attack.target)
        return self._with_help(helps) if helps else (UNIT, UNIT)

    def _kept_out(self, attack: Attack, rivals: Sequence[Attack]) -> bool:
        """Whether an attack without support meets somebody who is sure to be as strong: a unit that stays or comes
        head-to-head, a rival who walks and whom nobody comes to meet.
        """
        if attack.target in self.at and (attack.opponent or attack.target not in self.attacks):
            return True
        return len(rivals) > 1 and any(
            rival is not attack and not rival.convoyed and not rival.opponent and not rival.halved for rival in rivals
        )

    def _decide(self, attack: Attack) -> bool | None:
        """Success is more strength than what stands there and than everybody else who wants to go there."""
        rivals = self.into[attack.target]
        alone = len(rivals) == 1 and not attack.convoyed
        if alone and attack.target not in self.at:
            return True
        if not attack.helps and self._kept_out(attack, rivals):
            return False
        self._reads, self._doubts = self.reads[attack], self.doubts[attack] = [], []
        if alone and not attack.opponent and attack.target in self.attacks:
            left = self._success(self.attacks[attack.target])
            if left or not attack.helps:
                return left
        least, greatest = self._attack_strength(attack)
        against_least, against_greatest = self._resistance(attack)
        for rival in rivals:
            if rival is not attack:
                rival_least, rival_greatest = self._prevent_strength(rival)
                if rival_least > against_least:
                    against_least = rival_least
                if rival_greatest > against_greatest:
                    against_greatest = rival_greatest
        if greatest <= against_least:
            return False
        return True if least > against_greatest else None

    # --- deciding ---------------------------------------------------------------------------------------------

    def _decide_plain(self) -> None:
        """The moves that need no counting: alone on foot, into an empty province or without support; several on foot
        without support, into one province.
        """
        at, attacks = self.at, self.attacks
        for target, comers in self.into.items():
            attack = comers[0]
            if len(comers) > 1:
                for attack in comers:
                    if attack.helps or attack.convoyed or attack.opponent or attack.halved:
                        break
                else:
                    for attack in comers:
                        attack.state = False
            elif attack.state is None and not attack.convoyed:
                leaving = None if attack.opponent else attacks.get(target)
                if target not in at or (leaving and leaving.state):
                    attack.state = True
                elif not attack.helps:
                    attack.state = leaving.state if leaving else False

    def _decide_all(self, attacks: Iterable[Attack]) -> None:
        undecided = list(attacks)
        while undecided:
            self._propagate(undecided)
            undecided = [attack for attack in undecided if attack.state is None]
            if undecided:
                self._settle(innermost_circle(undecided[0], self.reads))

    def _propagate(self, attacks: Iterable[Attack], within: Collection[Attack] | None = None) -> list[Attack]:
        """Decide what can be decided, waking whatever waited for it; returns what was decided."""
        decided = []
        queue = list(attacks)
        for attack in queue:
            if attack.state is None and (within is None or attack in within):
                attack.state = self._decide(attack)
                if attack.state is None:
                    for read in self.reads[attack]:
                        self.waiters.setdefault(read, {})[attack] = None
                else:
                    decided.append(attack)
                    queue.extend(self.waiters.get(attack, ()))
        return decided

    def _settle(self, circle: Mapping[Attack, None]) -> None:
        """Settle moves that wait for each other and for nothing else."""
        doubted = [convoyed for attack in circle for convoyed in self.doubts[attack]]
        answers = self._answers(circle, most=2 if doubted else 1)
        if len(answers) == 1 or not doubted:
            for attack, state in answers[0].items():
                attack.state = state
            return
        selfish = self._selfish_detour(circle)
        if selfish:
            selfish.state = False
        else:
            for convoyed in doubted:
                convoyed.broken = True

    def _selfish_detour(self, circle: Mapping[Attack, None]) -> Attack | None:
        """A move over a border of half strength that dislodges a supporting unit if it cuts the support, and does not
        if it does not: it has no such success.
        """
        detours = [attack for attack in circle if attack.halved and not attack.convoyed and attack.target in self.helps]
        answers = self._answers(circle, most=TRIES) if detours else []
        return next((attack for attack in detours if len({answer[attack] for answer in answers}) == 2), None)

    def _answers(self, circle: Mapping[Attack, None], most: int) -> list[dict[Attack, bool]]:
        """Up to `most` consistent answers for the circle; the first is the one in which its moves go round.

        A circle through convoys that needs more than TRIES guesses is taken for a paradox: none is given.
        """
        answers: list[dict[Attack, bool]] = []
        assumed: list[Attack] = []
        tries = 0

        def explore() -> None:
            nonlocal tries
            undecided = [attack for attack in circle if attack.state is None]
            if not undecided:
                answers.append({attack: bool(attack.state) for attack in circle})
                return
            chosen = ring_member(undecided, self.attacks)
            assumed.append(chosen)
            for guess in (True, False):
                if len(answers) == most or tries == TRIES:
                    break
                tries += 1
                chosen.state = guess
                decided = self._propagate(self.waiters.get(chosen, ()), within=circle)
                if all(self._decide(attack) in (None, attack.state) for attack in assumed):
                    explore()
                for attack in decided:
                    attack.state = None
            chosen.state = None
            assumed.pop()

        explore()
        return answers if most == 1 or tries < TRIES else []
