"""Whether a pattern takes time in proportion to every text, judged by its form and not by trying texts.

A pattern that backtracks takes longer than that only where one stretch of text can be read in several ways. So the
pattern is made an automaton, and two kinds of words are looked for (Weber and Seidl, "On the degree of ambiguity of
finite automata", 1991):

- a word that leads from one state back to that state on two ways: the time doubles with each such word;
- a word that leads from one state to itself and to another, and from that to itself: the time is quadratic at least.
  A search begins anew at each place of the text, so before its pattern stands a state that takes every character.

Neither does harm where all that is left of the pattern may be empty: then nothing fails, and nothing is tried again.
Where the judgement is not exact (long lookaheads), it errs by calling a pattern slow. What cannot be judged, or is
taken wrong by Python 3.11.2 (possessive and atomic groups), raises ValueError.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

# A repetition that ends sooner takes no more than so many times its text; a longer one is judged as if it had no end.
SHORT = 64
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_NEWLINE = (codes.LITERAL, ord("\n"))
_WORD = (codes.IN, [(codes.CATEGORY, codes.CATEGORY_WORD)])
_SETS = (codes.IN, codes.LITERAL, codes.NOT_LITERAL, codes.ANY)
# Characters of every kind that classes tell apart, beside those that a pattern names.
_KINDS = [*map(chr, range(128)), *"\x85\xa0\xe9\xdf\u0130\u017f\u0301\u0663\u2003\u2028\u212a\u3042\u4e2d\u05d0\u2192"]
_MOST_WORDS = 40

# The numbers of characters in the alphabet of a pattern.
Set = frozenset[int]
Word = tuple[Set, ...]


def slow_text(pattern: re.Pattern[Any], function: str) -> str | None:
    """A piece of text of which many copies can be read in ever more ways when the pattern is used with this function
    (match, search, sub …); None where there is none, so that the time is in proportion to the text.
    """
    if not _has_loops(parser.parse(pattern.pattern, pattern.flags)):
        return None
    form = _Form(pattern, searched=function not in ("match", "fullmatch"), whole=function == "fullmatch")
    word = _Automaton(form).ambiguous_word()
    return None if word is None else "".join(form.alphabet[sign] for sign in word)


@dataclass(eq=False)
class _Place:
    """A place between two characters of a pattern. Either it takes a character, or it leads on without one.

    `ways`: the places it leads to, and a word that must not follow there. `behind`: which characters may stand before
    it (at the beginning of a text nothing does). `may_fail`: what stands here may refuse to go on, like a boundary.
    """

    ways: list[tuple["_Place", Word | None]] = field(default_factory=list)
    takes: Set = frozenset()
    then: "_Place | None" = None
    behind: Set | None = None
    may_fail: bool = False


class _Form:
    """A pattern as places; `searched`: at any place of a text; `whole`: it must reach the end of the text."""

    def __init__(self, pattern: re.Pattern[Any], *, searched: bool, whole: bool):
        self._is_bytes = isinstance(pattern.pattern, bytes)
        self._tree = parser.parse(pattern.pattern, pattern.flags)
        self._flags = pattern.flags
        self._members: dict[str, Set] = {}
        self.behinds: set[Set] = set()
        self.end, self.whole = _Place(), whole
        self.begin = self._parts(self._tree, self._flags, self.end)
        if searched:
            scan = _Place()
            scan.ways = [(self.begin, None), (_Place(takes=frozenset(range(len(self.alphabet))), then=scan), None)]
            self.begin = scan

    @cached_property
    def alphabet(self) -> list[str]:
        """One character of each kind that the pattern tells apart."""
        named = {near for code in _named(self._tree) for near in (code - 1, code, code + 1) if near >= 0}
        signs = {*_KINDS, *map(chr, named)}
        signs |= {other for sign in signs for other in (sign.lower(), sign.upper(), sign.title()) if len(other) == 1}
        if self._is_bytes:
            signs = {chr(code) for code in range(256)}
        parts = [*_sets(self._tree, self._flags), (_NEWLINE, self._flags), (_WORD, self._flags)]
        takes = {repr(part): self._taking(*part) for part in parts}.values()
        kinds = {tuple(map(bool, (one(sign) for one in takes))): sign for sign in sorted(signs, reverse=True)}
        return sorted(kinds.values())

    def _taking(self, part: Any, flags: int) -> Callable[[str], object]:
        """Whether the engine itself takes this character for this part."""
        state = parser.State()
        state.flags = flags
        compiled = compiler.compile(parser.SubPattern(state, [part]), flags)
        return (lambda sign: compiled.match(sign.encode("latin-1"))) if self._is_bytes else compiled.match

    def _set(self, part: Any, flags: int) -> Set:
        key = repr((part, flags))
        if key not in self._members:
            takes = self._taking(part, flags)
            self._members[key] = frozenset(number for number, sign in enumerate(self.alphabet) if takes(sign))
        return self._members[key]

    # From the end to the beginning: each of these gives the place before a part, given the place behind it.

    def _parts(self, parts: Iterable[Any], flags: int, after: _Place) -> _Place:
        for part in reversed(list(parts)):
            after = self._part(part, flags, after)
        return after

    def _part(self, part: Any, flags: int, after: _Place) -> _Place:
        code, what = part
        if code in _SETS:
            return _Place(takes=self._set(part, flags), then=after)
        if code is codes.SUBPATTERN:
            return self._parts(what[3], _inside(flags, what), after)
        if code is codes.BRANCH:
            return _Place([(self._parts(branch, flags, after), None) for branch in what[1]])
        if code in _REPEATS:
            least, most, body = what
            return self._repeated(code, least, most, body, flags, after)
        if code is codes.AT:
            return self._at(what, flags, after)
        if code in (codes.ASSERT, codes.ASSERT_NOT):
            direction, body = what
            return self._look(code, direction, body, flags, after)
        raise ValueError(f"{code} cannot be judged")

    def _repeated(self, code: Any, least: int, most: Any, body: Any, flags: int, after: _Place) -> _Place:
        possessive = code is codes.POSSESSIVE_REPEAT
        if possessive and (len(body) > 1 or body[0][0] not in _SETS or most is not codes.MAXREPEAT):
            raise ValueError("possessive groups are taken wrong by Python 3.11.2")
        begin = after
        if most is codes.MAXREPEAT or most > SHORT:
            begin = _Place()
            begin.ways = [
                (self._parts(body, flags, begin), None),
                # What takes all it can leaves none of it to follow.
                (after, (self._set(body[0], flags),) if possessive else None),
            ]
        else:
            for _ in range(most - least):
                begin = _Place([(self._parts(body, flags, begin), None), (after, None)])
        for _ in range(min(least, SHORT)):
            begin = self._parts(body, flags, begin)
        return begin

    def _at(self, where: Any, flags: int, after: _Place) -> _Place:
        """A boundary, or the beginning or end of a line or a text."""
        everything = frozenset(range(len(self.alphabet)))
        if where in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING):
            lines = flags & re.MULTILINE and where is codes.AT_BEGINNING
            before = self._set(_NEWLINE, flags) if lines else frozenset()
            return _Place([(after, None)], behind=self._behind(before), may_fail=True)
        if where in (codes.AT_END, codes.AT_END_STRING):
            newline = self._set(_NEWLINE, flags) if where is codes.AT_END else frozenset()
            return _Place([(after, (everything - newline,))], may_fail=True)
        if where is codes.AT_BOUNDARY:
            word = self._set(_WORD, flags)
            begins = _Place([(after, (everything - word,))], behind=self._behind(everything - word))
            ends = _Place([(after, (word,))], behind=self._behind(word))
            return _Place([(begins, None), (ends, None)], may_fail=True)
        return _Place([(after, None)], may_fail=True)

    def _behind(self, letters: Set) -> Set:
        self.behinds.add(letters)
        return letters

    def _look(self, code: Any, direction: int, body: Any, flags: int, after: _Place) -> _Place:
        """What stands behind is of one length and costs nothing more; where it is one character, only it opens the way.
        What lies ahead is read too; where it is one of a few words, it closes the way.
        """
        words = self._words(body, flags)
        if direction < 0:
            one_letter = all(len(word) == 1 for word in words)
            letters = frozenset().union(*(word[0] for word in words)) if one_letter else None
            if letters and code is codes.ASSERT_NOT:
                letters = frozenset(range(len(self.alphabet))) - letters
            return _Place([(after, None)], behind=self._behind(letters) if letters else None, may_fail=True)
        ahead = self._parts(body, flags, _Place(may_fail=True))
        if words and code is codes.ASSERT and all(len(word) == 1 for word in words):
            others = frozenset(range(len(self.alphabet))).difference(*(word[0] for word in words))
            after = _Place([(after, (others,))])
        elif code is codes.ASSERT_NOT:
            for word in filter(None, words):
                after = _Place([(after, word)])
        return _Place([(after, None), (ahead, None)], may_fail=True)

    def _words(self, body: Any, flags: int) -> list[Word]:
        """The words that these parts stand for; none where they are too many."""
        words: list[Word] = [()]
        for code, what in body:
            more: list[Word] = []
            if code in _SETS:
                more = [(self._set((code, what), flags),)]
            elif code is codes.BRANCH:
                branches = [self._words(branch, flags) for branch in what[1]]
                more = [word for branch in branches for word in branch] if all(branches) else []
            elif code is codes.SUBPATTERN:
                more = self._words(what[3], _inside(flags, what))
            elif code in _REPEATS and what[1] is not codes.MAXREPEAT and what[1] <= 2:
                once = self._words(what[2], flags)
                several = (product(once, repeat=times) for times in range(what[0], what[1] + 1))
                more = [sum(parts, ()) for times in several for parts in times] if once else []
            words = [word + other for word, other in product(words, more)]
            if not 0 < len(words) <= _MOST_WORDS:
                return []
        return words


def _inside(flags: int, group: Any) -> int:
    """The flags inside a group that changes them."""
    return int(flags | group[1]) & ~int(group[2])


def _below(code: Any, what: Any, flags: int) -> Iterator[tuple[Any, int]]:
    """The trees below a part, with their flags."""
    if code is codes.SUBPATTERN:
        yield what[3], _inside(flags, what)
    elif code is codes.BRANCH:
        yield from ((branch, flags) for branch in what[1])
    elif code in _REPEATS:
        yield what[2], flags
    elif code in (codes.ASSERT, codes.ASSERT_NOT):
        yield what[1], flags


def _sets(tree: Any, flags: int) -> Iterator[tuple[Any, int]]:
    """Every part that takes one character, with its flags."""
    for code, what in tree:
        if code in _SETS:
            yield (code, what), flags
        for body, inner in _below(code, what, flags):
            yield from _sets(body, inner)


def _has_loops(tree: Any) -> bool:
    return any(
        code in _REPEATS and what[1] > SHORT or any(_has_loops(body) for body, _ in _below(code, what, 0))
        for code, what in tree
    )


def _named(tree: Any) -> Iterator[int]:
    """The code points that stand in a pattern."""
    for (code, what), _ in _sets(tree, 0):
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield what
        for kind, part in what if code is codes.IN else ():
            if kind is codes.LITERAL:
                yield part
            elif kind is codes.RANGE:
                yield from part


@dataclass(eq=False)
class _State:
    """Behind a character: the place, what is left of the words that must not follow, and which of the sets that places
    ask for hold the character (at the beginning of a text all). An automaton has each once, so that what they hold need
    not be compared.
    """

    place: _Place
    closed: frozenset[Word]
    behind: frozenset[Set]


class _Automaton:
    """The states of a form, and where each character leads; a state stands twice where two ways lead there."""

    def __init__(self, form: _Form):
        self._steps_of: dict[_State, dict[int, list[_State]]] = {}
        self._states: dict[tuple[_Place, frozenset[Word], frozenset[Set]], _State] = {}
        self._signs = range(len(form.alphabet))
        self._end, self._whole, self._everything = form.end, form.whole, frozenset(range(len(form.alphabet)))
        self._behind = [
            frozenset(letters for letters in form.behinds if sign in letters) for sign in range(len(form.alphabet))
        ]
        waiting = [self._state(form.begin, frozenset(), frozenset(form.behinds))]
        while waiting:
            state = waiting.pop()
            if state not in self._steps_of:
                steps = self._steps_of[state] = self._steps(state)
                waiting += {other for others in steps.values() for other in others}

    def ambiguous_word(self) -> tuple[int, ...] | None:
        """A word that can be read in ever more ways when it is repeated, as numbers in the alphabet."""
        # What is read behind a state that never fails is not read again from before it.
        may_fail = {state for state in self._steps_of if not self._never_fails(state)}
        failing = {
            state: {sign: [other for other in others if other in may_fail] for sign, others in steps.items()}
            for state, steps in self._steps_of.items()
            if state in may_fail
        }
        loops = _loops(self._steps_of)
        for later in _loops(failing):
            for state in later:
                if (word := self._twice(state, later)) is not None:
                    return word
            below = self._reaching(next(iter(later)))
            for earlier in loops:
                starts = earlier & below if self._may_part(earlier, later, below) else frozenset()
                for one, other in product(starts, list(later)[:1] if self._takes_all(earlier) else later):
                    word = self._from_to(one, earlier, other, later, below) if one is not other else None
                    if word is not None:
                        return word
        return None

    def _takes_all(self, loop: frozenset[_State]) -> bool:
        """Whether it is one state that every character leads back to: then any state of a later loop stands for all."""
        return len(loop) == 1 and all(
            loop.issubset(self._steps_of[state].get(sign, ())) for state in loop for sign in self._signs
        )

    def _may_part(self, earlier: frozenset[_State], later: frozenset[_State], below: set[_State]) -> bool:
        """Whether some text stays in one loop and also leads to the other, made of what both loops take."""
        signs = {sign for state in earlier for sign in self._steps_of[state]}
        signs &= {sign for state in later for sign in self._steps_of[state]}
        waiting = [(state, state) for state in earlier & below]
        known = set(waiting)
        while waiting:
            stays, goes = waiting.pop()
            for sign in signs & self._steps_of[stays].keys() & self._steps_of[goes].keys():
                stay, go = self._steps_of[stays][sign], self._steps_of[goes][sign]
                for pair in {*product(earlier.intersection(stay), below.intersection(go))} - known:
                    if pair[1] in later and pair[0] is not pair[1]:
                        return True
                    known.add(pair)
                    waiting.append(pair)
        return False

    def _steps(self, state: _State) -> dict[int, list[_State]]:
        found: dict[int, list[_State]] = {}
        for place, closed in _taking_places(state.place, state.closed, state.behind, ()):
            for sign in place.takes:
                left = [word[1:] for word in closed if sign in word[0]]
                if all(left):
                    assert place.then
                    found.setdefault(sign, []).append(self._state(place.then, frozenset(left), self._behind[sign]))
        return found

    def _state(self, *parts: Any) -> _State:
        return self._states.setdefault(parts, _State(*parts))

    def _never_fails(self, state: _State) -> bool:
        """Whether the pattern matches whatever follows; a whole text, if it goes on with any characters."""
        near = _near(state.place)
        if not self._whole:
            return self._end in near
        return any(
            place.takes == self._everything and place.then and {place, self._end} <= _near(place.then) for place in near
        )

    def _twice(self, state: _State, loop: frozenset[_State]) -> tuple[int, ...] | None:
        """A word from the state to itself on two ways."""

        def following(node: Any) -> Iterator[tuple[int, Any]]:
            one, other, parted = node
            for sign, firsts in self._steps_of[one].items():
                seconds = self._steps_of[other].get(sign, ())
                for (number, first), (place, second) in product(enumerate(firsts), enumerate(seconds)):
                    if first in loop and second in loop:
                        yield sign, (first, second, parted or (one == other and number != place) or first != second)

        return _word(following, (state, state, False), (state, state, True))

    def _from_to(
        self, one: _State, one_loop: frozenset[_State], other: _State, other_loop: frozenset[_State], below: set[_State]
    ) -> tuple[int, ...] | None:
        """A word from `one` to itself and to `other`, and from `other` to itself."""

        def following(node: Any) -> Iterator[tuple[int, Any]]:
            first, between, last = (self._steps_of[state] for state in node)
            for sign in first.keys() & between.keys() & last.keys():
                inside = (one_loop, first), (below, between), (other_loop, last)
                steps = product(*(states.intersection(to[sign]) for states, to in inside))
                yield from ((sign, step) for step in steps)

        return _word(following, (one, one, other), (one, other, other))

    def _reaching(self, goal: _State) -> set[_State]:
        """The states from which a way leads to this one."""
        found, waiting = {goal}, [goal]
        while waiting:
            new = self._before[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    @cached_property
    def _before(self) -> dict[_State, set[_State]]:
        before: dict[_State, set[_State]] = {state: set() for state in self._steps_of}
        for state, steps in self._steps_of.items():
            for others in steps.values():
                for other in others:
                    before[other].add(state)
        return before


def _near(place: _Place) -> set[_Place]:
    """The places that are reached without a character, whatever stands there."""
    found, waiting = set(), [place]
    while waiting:
        place = waiting.pop()
        if not place.may_fail and place not in found:
            found.add(place)
            waiting += [other for other, _ in place.ways]
    return found


def _taking_places(
    place: _Place, closed: frozenset[Word], behind: frozenset[Set], passed: tuple[_Place, ...]
) -> Iterator[tuple[_Place, frozenset[Word]]]:
    """The places that take the next character, once for each way there, and what must not follow on that way."""
    if place.behind is not None and place.behind not in behind:
        return
    if place.then:
        yield place, closed
    for other, word in place.ways:
        # Twice: a repetition of what may be empty is passed again.
        if passed.count(other) < 2:
            yield from _taking_places(other, closed | {word} if word else closed, behind, (*passed, place))


def _word(following: Callable[[Any], Iterator[tuple[int, Any]]], start: Any, goal: Any) -> tuple[int, ...] | None:
    """The shortest word that leads from start to goal, in one step at least."""
    came: dict[Any, tuple[Any, int]] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for sign, other in following(node):
            if other in came:
                continue
            came[other] = node, sign
            if other == goal:
                signs = [sign]
                while node != start:
                    node, sign = came[node]
                    signs.append(sign)
                return tuple(reversed(signs))
            waiting.append(other)
    return None


def _loops(steps_of: dict[_State, dict[int, list[_State]]]) -> list[frozenset[_State]]:
    """The sets of states that lead to each other (Kosaraju)."""
    after = {state: {other for others in steps.values() for other in others} for state, steps in steps_of.items()}
    before: dict[_State, set[_State]] = {state: set() for state in after}
    for state, others in after.items():
        for other in others:
            before[other].add(state)
    order: list[_State] = []
    seen: set[_State] = set()
    for root in after:
        _finish(root, after, seen, order.append)
    found, seen = [], set()
    for root in reversed(order):
        members: list[_State] = []
        _finish(root, before, seen, members.append)
        if len(members) > 1 or members and root in after[root]:
            found.append(frozenset(members))
    return found


def _finish(root: _State, after: dict[_State, set[_State]], seen: set[_State], done: Callable[[_State], None]) -> None:
    """Call `done` with every state reached from `root` that was not seen, the last ones first."""
    if root in seen:
        return
    seen.add(root)
    stack = [(root, iter(after[root]))]
    while stack:
        state, others = stack[-1]
        other = next((other for other in others if other not in seen), None)
        if other is None:
            stack.pop()
            done(state)
        else:
            seen.add(other)
            stack.append((other, iter(after[other])))
