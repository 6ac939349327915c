"""Read the powers and people that a command names. No other module reads them.

A power can be written in these ways:

- its name, adjective, alias or plural;
- three or more letters that begin its name or adjective, and no other power's;
- its one-letter abbreviation.

Abbreviations without blanks between them must be capitals. Two or three can be in any order (FG). More must be in the
order in which LIST names the powers (AEFG). M, the master, and O, the observers, must be separate. The judge guesses
nothing else. If a word is the name of a person in the game, the reply suggests that person's power.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from sqlmodel import Session

from judge.games.core.board import board
from judge.games.core.who_may_see import seats_shown, shown_to
from judge.rules import NEUTRAL, Variant, by_number, capitalized, listed
from judge.rules.board.names import fold
from judge.rules.board.orders import occupants, owners
from judge.rules.board.power import SHORTEST_BEGINNING, SHORTEST_HEADING, Side, UnknownPower
from judge.store.games import open_phase
from judge.store.tables import Game, Seat

_EVERYBODY = {"ALL", "EVERYBODY", "EVERYONE"}
_MASTERS = {"M", "MASTER", "GM"}
_OBSERVERS = {"O", "OBSERVER", "OBSERVERS"}
_BETWEEN = re.compile(r"[,;+/]")
_ANDS = {"AND", "&"}
# Punctuation around words in a sentence.
_MARKS = "\"'“”„‘’«»*_`:!"
# The maximum number of abbreviations without blanks that may be in any order. More must be in the order of LIST.
_MOST_ANY_ORDER = 3
# A sign that may begin a topic ("E re: Germany") or exclude what follows ("ALL -E").
_UNCLEAR = re.compile(r"[:!]|(?<!\w)-")
_LONGEST_SHOWN = 60
# What is between the names and the beginning of the message on the line of the command: "Germany, hello".
_TEXT_BEGINS = re.compile(r"[,;]| (?:and|&) ", re.IGNORECASE)

# The kinds of errors. "unknown" is a word that is neither a name nor abbreviations. "role" is an M or O among
# abbreviations of powers.
Kind = Literal["", "unknown", "role"]


@dataclass(frozen=True)
class Audience:
    """The readers of a message.

    `everybody` also includes players who have no power yet.
    """

    powers: frozenset[str] = frozenset()
    masters: bool = False
    observers: bool = False
    everybody: bool = False

    def __bool__(self) -> bool:
        return bool(self.powers or self.masters or self.observers)

    @property
    def masters_alone(self) -> bool:
        """Return whether the masters are the only readers."""
        return self.masters and not (self.powers or self.observers)

    def joined(self, other: "Audience") -> "Audience":
        """Return the audience of all who are in either audience."""
        return Audience(
            self.powers | other.powers,
            self.masters or other.masters,
            self.observers or other.observers,
            self.everybody or other.everybody,
        )

    def without(self, other: "Audience") -> "Audience":
        """Return this audience without the readers in `other`."""
        return Audience(
            self.powers - other.powers, self.masters and not other.masters, self.observers and not other.observers
        )

    def has(self, seat: Seat) -> bool:
        """Return whether the person in `seat` is a reader."""
        if seat.role == "player":
            return self.everybody or seat.power in self.powers
        return self.masters if seat.role == "master" else self.observers


def everybody(variant: Variant) -> Audience:
    """Return the audience with all players, masters and observers."""
    powers = frozenset(power.name for power in variant.seats)
    return Audience(powers, masters=True, observers=True, everybody=True)


# The name of a person in a game, and the power that the person plays, or "M" for a master.
Known = tuple[str, str]


class NotMeant(ValueError):
    """The word does not certainly name a power or a person.

    `why` is a clause with the reason. `hint` is a question about whom the word may mean. `instead` lists ways to write
    the name after the command, which are only examples if `general` is true. `otherwise` lists the ways to use if none
    in `instead` is valid. `kind` is the kind of error, for callers that describe it in other words.
    """

    def __init__(
        self,
        why: str,
        instead: Sequence[str],
        hint: str = "",
        *,
        general: bool = False,
        kind: Kind = "",
        otherwise: Sequence[str] = (),
    ):
        super().__init__(why)
        self.why, self.instead, self.hint, self.general, self.kind = why, instead, hint, general, kind
        self.otherwise = otherwise

    def told(self, command: str, outcome: str = "", note: str = "") -> str:
        """Return sentences on the error, its outcome, whom the word may mean, and how to write the command.

        `command` has {} in place of the name. `note` is added to the lines to write if these are only examples.
        """
        first = f"{self.why}, so {outcome}." if outcome else f"{self.why}."
        if not self.instead:
            return f"{first} {self.hint}".rstrip()
        written = listed((command.format(one) for one in self.instead), "or") + note * self.general
        return " ".join(filter(None, (first, self.hint, f"Write {written}.")))


class Namesake(NotMeant):
    """The word is the name of a person in the game, where the name of a power is needed."""

    def told(self, command: str, outcome: str = "", note: str = "") -> str:
        """Return sentences that say whose name the word is, and how to write that person's power."""
        written = listed((command.format(one) for one in self.instead), "or")
        return f"{capitalized(outcome)}{'. ' * bool(outcome)}{self.why}: write {written}."


@dataclass(frozen=True)
class People:
    """The people in a game, looked up only if a word may be a name.

    `reader` is the seat of the command's writer, or None for a stranger.
    """

    session: Session
    game: Game
    reader: Seat | None

    @cached_property
    def everyone(self) -> Sequence[Known]:
        """Return the players and masters whose names the reader may see."""
        shown = shown_to(self.reader, self.game)
        if not shown.names:
            return []
        people = seats_shown(self.session, self.game, shown)
        players = [(person.name, seat.power) for seat, person in people if seat.power]
        return [*players, *((person.name, "M") for seat, person in people if seat.role == "master")]

    def owner_of(self, place: str) -> str:
        """Return the power that has the province or a unit there, or "" if none has or the game is not being played."""
        phase = open_phase(self.session, self.game)
        if not phase:
            return ""
        _, position = board(self.game, phase)
        owner = owners(position).get(place) or occupants(position).get(place, ("", None))[0]
        return "" if owner == NEUTRAL else owner

    @property
    def players(self) -> Sequence[Known]:
        """Return the players whose names the reader may see, without the masters."""
        return [(name, power) for name, power in self.everyone if power != "M"]


def is_seat(variant: Variant, text: str) -> bool:
    """Return whether the text names a power or a group in a form that commands accept."""
    try:
        return bool(variant.seat(text, SHORTEST_BEGINNING))
    except KeyError:
        return False


def read_seat(variant: Variant, text: str, people: People) -> str:
    """Return the power or group that a command is about. Raises NotMeant."""
    text = text.strip(_MARKS)
    _refuse_question(text)
    try:
        found = variant.seat(text, SHORTEST_BEGINNING).name
    except KeyError as unknown:
        _refuse_namesake(text, text, people.players)
        if isinstance(unknown, UnknownPower):
            raise NotMeant(unknown.why, unknown.near[:1], unknown.hint) from None
        raise NotMeant(unknown.args[0].rstrip("."), ()) from None
    if not (variant.side_names.whole(text) or variant.side_names.lettered(text)):
        _refuse_namesake(text, text, people.players, but=found)
    return found


def read_recipients(variant: Variant, text: str, people: People | None = None) -> Audience:
    """Return the readers that a list names: powers, the master (M), observers (O), ALL.

    Raises NotMeant if the meaning of any word is uncertain. The suggestions in the error are valid lists.
    """
    try:
        return _read_list(variant, text, people)
    except NotMeant as mistake:
        if mistake.general and (begun := _sure_beginning(variant, text, people)):
            mistake.instead, mistake.general = [begun], False
        works = [one for one in mistake.instead if _is_list(variant, one, people)]
        mistake.instead = works or mistake.otherwise
        raise


def _sure_beginning(variant: Variant, text: str, people: People | None) -> str:
    """Return the list before a colon or, without a colon, the names before a comma or other words; "" if unclear.

    Without a colon, letters and "all" may belong to the other words: "I have a question", "ALL -E".
    """
    before_colon, colon, _ = text.partition(":")
    if colon:
        return before_colon.strip() if _is_list(variant, before_colon, people) else ""
    before_comma, first = _TEXT_BEGINS.split(text, maxsplit=1)[0], (text.split() or [""])[0]
    names = (name for name in (before_comma, first) if name != text and len(name) >= SHORTEST_BEGINNING)
    powers = (name for name in names if _EVERYBODY.isdisjoint(fold(name).split()))
    return next((name.strip() for name in powers if _is_list(variant, name, people)), "")


def _refuse_question(text: str) -> None:
    if "?" in text:
        raise NotMeant("The question mark makes this unclear", [" ".join(text.replace("?", " ").split())])


def _is_list(variant: Variant, text: str, people: People | None) -> bool:
    try:
        _read_list(variant, text, people)
    except NotMeant:
        return False
    return True


def _read_list(variant: Variant, text: str, people: People | None) -> Audience:
    text = " ".join(text.split())
    _refuse_question(text)
    if sign := _UNCLEAR.search(text.strip(f"{_MARKS} ,;.")):
        raise _unclear(variant, text, f'"{sign[0]}" may have several meanings here')
    audience, named = Audience(), set[frozenset[str]]()
    for piece in _BETWEEN.split(text):
        for words in _apart(variant, piece):
            _refuse_letters_in_prose(words)
            for word in words:
                read = _Word(variant, text, word, people).audience()
                # "ALL E" may mean all but E, and "England RE Germany" is about Germany.
                if any(powers & read.powers and powers != read.powers for powers in named):
                    raise _unclear(variant, text, f'"{word}" names a power again')
                named.add(read.powers)
                audience = audience.joined(read)
    if not audience:
        raise NotMeant(f'"{text[:_LONGEST_SHOWN]}" names no one', _example(variant), general=True)
    return audience


def _apart(variant: Variant, piece: str) -> Iterator[list[str]]:
    """Yield the words before, between and after each "and", with the words of a longer name joined."""
    written = (word.strip(_MARKS) for word in piece.replace("&", " & ").split())
    words: list[str] = []
    for phrase in variant.side_names.phrases([word for word in written if word and fold(word) != "THE"]):
        if fold(phrase) in _ANDS:
            yield words
            words = []
        else:
            words.append(phrase)
    yield words


def _unclear(variant: Variant, text: str, why: str) -> NotMeant:
    """Return the error that a list has several meanings, with a way to except powers from all."""
    is_of_all = not _EVERYBODY.isdisjoint(fold(text).split())
    hint = "To leave out a power, write ALL BUT and its name." if is_of_all else ""
    return NotMeant(why, _example(variant), hint, general=True)


def _refuse_letters_in_prose(words: Sequence[str]) -> None:
    """Refuse a letter that may be a word, as in Italian "Russia e Austria" (Russia and Austria)."""
    lengths = [len(word) for word in words]
    has_names = max(lengths, default=0) > 1
    for at, word in enumerate(words):
        if len(word) > 1:
            continue
        is_between = 0 < at < len(words) - 1 and min(lengths[at - 1], lengths[at + 1]) > _MOST_ANY_ORDER
        if is_between or (word.islower() and has_names):
            commas = ", ".join(one.upper() if len(one) == 1 else one for one in words)
            raise NotMeant(f'"{word}" next to a name may be a letter or a word', [commas], "A letter needs commas.")


@dataclass(frozen=True)
class _Word:
    """A word, or a name of several words, in the list of recipients `text`."""

    variant: Variant
    text: str
    word: str
    people: People | None

    def audience(self) -> Audience:
        said = fold(self.word)
        if said in _EVERYBODY:
            return everybody(self.variant)
        if said in _MASTERS | _OBSERVERS:
            return Audience(masters=said in _MASTERS, observers=said in _OBSERVERS)
        return Audience(frozenset(self._powers(said)))

    def _powers(self, said: str) -> Collection[str]:
        one = self.variant.seat_names.lettered(said)
        if one and len(said) == 1:
            return [one.name]
        known = self.people.everyone if self.people else ()
        is_name = self.variant.side_names.whole(said) is not None
        unknown: KeyError | None = None
        # Two letters are a name if they are a whole name (UK). Otherwise they abbreviate two powers, but only in
        # capitals.
        if is_name or len(said) >= SHORTEST_BEGINNING:
            try:
                found = self.variant.seat(self.word, SHORTEST_BEGINNING).name
                _refuse_namesake(self.word, self.text, () if is_name else known, but=found)
                return [found]
            except KeyError as refusal:
                unknown = refusal
        _refuse_namesake(self.word, self.text, known)
        run = [*filter(None, map(self.variant.seat_names.lettered, said))]
        if self._is_spelled(said, run):
            self._refuse_letters_of_power(said, run)
            return [seat.name for seat in run]
        near = self._near(said, unknown)
        self._refuse_province(said, near)
        raise self._refusal(said, run, near)

    def _refuse_province(self, said: str, near: Sequence[str]) -> None:
        """Refuse the name of a province, and suggest its owner if the word is not also like the name of a power."""
        place = self.variant.names.exact.get(said)
        if near or not place or len(said) < SHORTEST_BEGINNING:
            return
        owner = self.people.owner_of(place) if self.people else ""
        why, name = f'"{self.word}" is a province, not a power', self.variant.provinces[place].name
        if not owner:
            raise NotMeant(why, _example(self.variant), general=True, kind="unknown")
        seat = self.variant.seat_of(owner)
        raise NotMeant(why, [_replaced(self.text, self.word, seat)], f"{owner} has {name}.", kind="unknown")

    def _refuse_letters_of_power(self, said: str, run: Sequence[Side]) -> None:
        """Refuse letters of two colors that also mean a power, such as GB for Green and Blue, or Great Britain."""
        power = self.variant.power_names.lettered(said)
        if power and len(said) > 1:
            colors = [seat.name for seat in run]
            why = f'"{self.word}" may mean {power.name}, or {listed(colors)}'
            ways = (power.name, ", ".join(colors))
            raise NotMeant(why, [_replaced(self.text, self.word, one) for one in ways])

    def _near(self, said: str, unknown: KeyError | None) -> Sequence[str]:
        """Return the names that the word resembles. Raises NotMeant if several names begin with it."""
        near: Sequence[str] = ()
        if isinstance(unknown, UnknownPower):
            near = unknown.near
        elif unknown:
            raise NotMeant(unknown.args[0].rstrip("."), _example(self.variant), general=True)
        return near or [one.name for one in self.variant.seat_names.begun(said, SHORTEST_HEADING)]

    def _is_spelled(self, said: str, run: Sequence[Side]) -> bool:
        is_in_capitals = self.word.isascii() and self.word.isalpha() and self.word.isupper()
        is_each_once = len(run) == len(said) == len({*said})
        return is_in_capitals and is_each_once and said == self._spelled(run)

    def _spelled(self, run: Sequence[Side]) -> str:
        in_turn = run if len(run) <= _MOST_ANY_ORDER else sorted(run, key=self.variant.seats.index)
        return "".join(seat.letter for seat in in_turn)

    def _refusal(self, said: str, run: Sequence[Side], near: Sequence[str]) -> NotMeant:
        """Return the error, with suggestions from the names `near` the word and the powers in `run`."""
        shown = f'"{self.word[:_LONGEST_SHOWN]}"'
        what, colors = ("color or a power", "colors") if self.variant.groups else ("power", "powers")
        neither = f"{shown} is neither a {what} of this game nor letters of {colors}"
        roles = sorted({"M", "O"}.intersection(said))
        few = len(run) <= _MOST_ANY_ORDER
        is_letters = len(run) + len(roles) == len(said) == len({*said})
        may_be_small = is_letters and few and not roles
        apart = _replaced(self.text, self.word, ", ".join(filter(None, [self._spelled(run), *roles])))
        if near:
            instead = [_replaced(self.text, self.word, near[0]), *[apart] * may_be_small]
            return NotMeant(neither, instead, f"Did you mean {' or '.join(near)}?", kind="unknown")
        if not (may_be_small or is_letters and self.word.isupper()):
            return NotMeant(neither, _example(self.variant), general=True, kind="unknown")
        if roles:
            why = f"M (the master) and O (the observers) are written separately, not as in {shown}"
            return NotMeant(why, [apart], kind="role")
        how = "capitals" if few else "four or more in the order of LIST"
        return NotMeant(neither, [apart], f"If you mean letters of powers, write {how}.", kind="unknown")


def _refuse_namesake(word: str, text: str, people: Iterable[Known], but: str = "") -> None:
    """Raise Namesake if the word is the name of people in the game who do not play the power `but`."""
    said, plays = fold(word), dict[tuple[str, str], None]()
    for name, power in people:
        whole = fold(name)
        if said == whole:
            plays[word, power] = None
        elif said in whole.split():
            plays[name, power] = None
    powers = [power for _, power in plays]
    if {*powers} <= {but}:
        return
    told = []
    for name, power in plays:
        role = "is the master" if power == "M" else f"plays {power}"
        told.append(f"{by_number(len(plays), word, name)} {role}")
    raise Namesake(listed(told), [_replaced(text, word, power) for power in powers], otherwise=powers)


def _replaced(text: str, word: str, name: str) -> str:
    """Return the list with a name in place of a word. If the list is too long to show, return the name."""
    if len(text) > _LONGEST_SHOWN:
        return name
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: name, text, count=1)


def _example(variant: Variant) -> list[str]:
    one, other = variant.seats[:2]
    return [f"{one.name}, {other.name}", *[f"{one.letter}{other.letter}"] * (len(one.letter) == 1)]
