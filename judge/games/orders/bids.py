"""Bids of Diplomacy Points: the lines as people write them (HELP points), and the bids on file for a phase.

    DP 2: A SWI S A MAR - SAV     two points for that order. The number, the word for points and the order can be in
                                  any order and form: 2 DP on A SWI H, DP(2) A SWI H, I bid 2: A SWI H, A SWI H (2 DP)
    DP: F TUN H                   one point; also DP F TUN H
    DP 0: A SWI, DP CLEAR A SWI   no points for Switzerland
    DP CLEAR                      no points for any neutral
    DP NONE, NO DP                no more points are spent in this phase

Any other line with a word for points and an order is an unreadable bid, never prose. A line that is
certainly wrong is refused immediately. The sum is checked after the whole email. If it is more than the power has, no
bid of the email is stored (rulings, "Diplomacy Points" 3).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlmodel import Session

from judge.rules import (
    NEUTRAL,
    Bid,
    Order,
    OrderError,
    PhaseKind,
    Position,
    Unread,
    Variant,
    check_bid,
    counted,
    income,
    is_only_orders,
    looks_like_order,
    parse_order,
)
from judge.rules.board.names import fold, word_set
from judge.rules.board.orders import OPEN, order_from_json, order_to_json
from judge.rules.describe import wrong_letters
from judge.rules.parsing.decoration import in_plain_signs, split_orders
from judge.rules.parsing.grammar import BareUnit
from judge.rules.parsing.lines import without_label
from judge.rules.parsing.vocabulary import KIND_WORDS, NUMBERS
from judge.rules.suggestions import Board
from judge.store.games import bids_on_file, take_off_file
from judge.store.tables import BidRow, Phase

_NO_MORE = "Write DP NONE to decline your points, or DP CLEAR to take back your bids."
EXAMPLE = "Write DP, the points, a colon and the order of the neutral unit."
_BULLET = re.compile(r"\A\s*(?:[-*•·–—]+\s*|\d{1,2}[.)]\s+|\d{1,2}(?:st|nd|rd|th)[.:)]\s*|\d\ufe0f?\u20e3\s*)?")
_MARKS = re.compile(r"[*`\"|]+|//.*|\s#(?!\s?\d).*", re.DOTALL)
_BEFORE_BID = re.compile(r"[;,]?\s(?=DPs?\b)", re.IGNORECASE)
_DOTTED = re.compile(r"\bD(?:\.\s?P\.| P\b)")
# A number of Diplomacy Points before an order, without a word for points: "2:", "[2]".
_COUNTED = re.compile(r"\d+ :|\[ \d+ \](?: [:-])?")
# Text in parentheses after a bid. `fate` is the result of the bid, as the judge's emails write it there.
_REMARK = re.compile(r"\((?P<said>(?P<fate>(?:won|did not win|it \w+|no effect)\b)?[^()]*)\)[\s.!]*$")
_TALLY = re.compile(r"DP: \d+ of \d+ used")
_ODD = re.compile(r"[-+.,]\d")
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\s\w]|_")
_POINTS = word_set("DP DPS POINT POINTS BID BIDS")
# The words for points that are not also words of prose.
_OWN = {"DP", "DPS"}
_BESIDE = word_set("I ALLOCATE SPEND PUT GIVE PLACE ASSIGN USE ON FOR TO INTO DIPLOMACY")
_NUMBERS = word_set("ONE TWO THREE FOUR FIVE SIX BOTH HALF ALL EACH EVERY")
_SIGNS = set(":=-()[]#+,;>.!")
_WORDS = {"CLEAR": "clear", "CLEAR ALL": "clear", "NONE": "none", "PASS": "none", "NIL": "none"}
_CLEAR = re.compile(r"CLEAR\s+", re.IGNORECASE)
# The maximum length of a line with a bid among other words, in characters. A longer line is prose.
_LONGEST = 200


@dataclass(frozen=True)
class BidLine:
    """The meaning of a line. Its `verb` is bid, clear or none.

    For a bid, `points` are its points, and `order` is its order as written. `meaning` is the order as read, once it has
    been read.
    """

    text: str
    verb: str
    points: int = 0
    order: str = ""
    meaning: Order | None = None


@dataclass(frozen=True)
class _Parts:
    """The pieces of a line around its `order`.

    `numbers` are the numbers before and after the order. `own` is true if the line has DP. `marked` is true if the line
    begins with a number and a colon, or has a colon after DP. `bids` is true if the line is `marked` or has any word
    for points. `odd` is true if a sign or a word may change the meaning of a number.
    """

    order: str
    numbers: tuple[str, ...]
    own: bool
    marked: bool
    bids: bool
    odd: bool


def may_be_bid(variant: Variant, text: str) -> bool:
    """Return whether a line bids points, even if badly written or among other words."""
    if _TALLY.match(text):
        return False
    if _no_points(text):
        return variant.points is not None
    said = _parts(text)
    if said.own and (said.numbers or said.marked or _word(said.order) or looks_like_order(variant, said.order)):
        return True
    if said.own and variant.names.whole(fold(_CLEAR.sub("", said.order))):
        return True
    # On a board without points, "2:" only numbers the order.
    if variant.points is None:
        return False
    if said.numbers and said.bids and looks_like_order(variant, said.order):
        return True
    return _names_points(text) and looks_like_order(variant, _order_in(text))


def _names_points(text: str) -> bool:
    """Return whether the line has a word for points, or begins with a number."""
    if len(text) > _LONGEST:
        return False
    words = [word.upper() for word in _TOKEN.findall(_bare(text))]
    return not _POINTS.isdisjoint(words) or any(map(str.isdecimal, words[:1]))


def _parts(text: str) -> _Parts:
    bare = _bare(text)
    tokens = list(_TOKEN.finditer(bare))
    words = [one[0].upper() for one in tokens]
    before = [*takewhile(_is_beside, words)]
    first = len(before)
    last = len(words) - len([*takewhile(_is_beside, reversed(words[first:]))])
    behind = words[last:]
    if _POINTS.isdisjoint(behind) and any(map(str.isdecimal, behind)):
        # A number after the order, without a word like "points", is part of the order and makes it unreadable.
        last, behind = len(tokens), []
    order = bare[tokens[first].start() : tokens[last - 1].end()] if first < last else ""
    around = [*before, "", *behind]
    is_counted = _COUNTED.fullmatch(" ".join(before)) is not None
    marked = is_counted or (before[:1] == ["DP"] and ":" in before)
    return _Parts(
        order,
        tuple(filter(str.isdecimal, around)),
        own=not _OWN.isdisjoint(around),
        marked=marked,
        bids=marked or not _POINTS.isdisjoint(around),
        odd=not _NUMBERS.isdisjoint(around) or _ODD.search(bare.removesuffix(order)) is not None,
    )


def _bare(text: str) -> str:
    """Return the line without bullets, bold and a remark after it. A number with a colon is not a bullet here."""
    remark = _REMARK.search(text)
    if remark and (remark["fate"] or _says_no_number(remark["said"])):
        text = text[: remark.start()]
    return _BULLET.sub("", _MARKS.sub("", _DOTTED.sub("DP", in_plain_signs(text))), count=1).strip()


def _says_no_number(text: str) -> bool:
    words = [one[0].upper() for one in _TOKEN.finditer(text)]
    return not any(map(str.isdecimal, words)) and (_NUMBERS | _POINTS).isdisjoint(words)


def _is_beside(word: str) -> bool:
    return word.isdecimal() or word in _SIGNS | _POINTS | _BESIDE | _NUMBERS


def _no_points(text: str) -> bool:
    """Return whether a line says that no points are spent, as "NO DP" does."""
    words = _bare(text).upper().rstrip(".!").split()
    return len(words) == 2 and words[0] == "NO" and words[1] in _POINTS


def _order_in(text: str) -> str:
    """Return the text of the line from its first unit on, or "" if there is no unit."""
    bare = _bare(text)
    begins = (one.start() for one in _TOKEN.finditer(bare) if one[0].upper() in KIND_WORDS)
    return bare[next(begins, len(bare)) :]


def read_bid_lines(lines: Iterable[str]) -> tuple[list[BidLine], list[tuple[str, OrderError]]]:
    """Return the bids on the lines, and the lines that cannot be read with their errors."""
    read, unread = list[BidLine](), list[tuple[str, OrderError]]()
    for line in lines:
        try:
            read.append(read_bid_line(line))
        except OrderError as mistake:
            unread.append((line, mistake))
    return read, unread


def before_bids(text: str) -> list[str]:
    """Return the parts of a text, divided before each DP."""
    return [part.strip() for part in _BEFORE_BID.split(text) if part.strip()]


def apart(variant: Variant, text: str) -> list[str]:
    """Split a line into its orders and each bid after them.

    If a part is neither orders nor a bid, the whole line is returned.
    """
    orders, *bids = before_bids(text) or [text]
    are_whole = bool(bids) and all(_parts(bid).order for bid in bids)
    return [orders, *bids] if are_whole and is_only_orders(variant, orders) else [text]


def bids_in(text: str) -> list[str]:
    """Return the parts of a line between "," or ";" if each is a bid with points, else the line."""
    parts = [part.strip() for part in re.split("[;,]", text) if part.strip()]
    said = map(_parts, parts)
    return parts if all(one.order and one.numbers and one.bids for one in said) else [text]


def read_bid_line(text: str) -> BidLine:
    """Return the meaning of a line for which `may_be_bid` is true. Raises OrderError."""
    if _no_points(text):
        return BidLine(text, "none")
    said = _parts(text)
    order = said.order.rstrip()
    if (remark := _REMARK.search(text)) and remark["fate"]:
        raise OrderError("This is the result of an earlier bid.", ways=_example(text, said))
    if said.odd and _word(order) != "clear":  # DP CLEAR ALL
        raise OrderError("Points must be a whole number.", EXAMPLE, ways=_example(text, said))
    if said.own and not said.numbers and (taken_back := _in_words(text, order)):
        return taken_back
    return _with_points(text, said, order)


def _in_words(text: str, order: str) -> BidLine | None:
    """Return the meaning of DP CLEAR, DP NONE and DP CLEAR A SWI, or None for other lines."""
    if verb := _word(order):
        return BidLine(text, verb)
    if order.upper().startswith("CLEAR "):
        return BidLine(text, "bid", 0, order[len("CLEAR ") :])
    return None


def _with_points(text: str, said: _Parts, order: str) -> BidLine:
    """Return the bid with its points, or one point if the line has DP without a number. Raises OrderError."""
    numbers = said.numbers or ("1",) * said.own
    ends_in_number = order.rpartition(" ")[2].isdecimal()
    if len(numbers) != 1 or not said.bids or ends_in_number:
        raise OrderError("It is not clear how many points go to which order.", EXAMPLE, ways=_example(text, said))
    (points,) = numbers
    if not order:
        raise OrderError("There is no order here.", EXAMPLE if points.strip("0") else _NO_MORE)
    if len(split_orders(order)) > 1:
        raise OrderError("Put each order for a neutral on a line of its own.", EXAMPLE)
    if len(points) > 3:
        raise OrderError(f"No one has {points} points.")
    return BidLine(text, "bid", int(points), order)


def _example(text: str, said: _Parts) -> list[str]:
    """Return a valid bid made from the line and its first number of points, or [] without an order."""
    bare, order = _bare(text), _order_in(text)
    words = _TOKEN.findall(f"{bare.removesuffix(said.order)} {bare.removesuffix(order)}")
    order = order.rstrip(" .!)]")
    begins, _, last = order.rpartition(" ")
    if last.isdecimal():
        order = begins
        words.append(last)
    counts = (NUMBERS.get(word, word) for word in map(str.upper, words))
    points = next((word.lstrip("0")[:3] for word in counts if word.isdecimal() and word.strip("0")), "1")
    return [f"DP {points}: {' '.join(order.split())}"] if order else []


def understood(variant: Variant, phase_kind: PhaseKind, line: BidLine) -> BidLine:
    """Return the line with its order read. Raises OrderError if the order makes no sense in such a phase."""
    if variant.points is None:
        raise OrderError(f"There are no Diplomacy Points in {variant.label}.")
    if phase_kind != "M":
        raise OrderError("Diplomacy Points can only be spent in movement phases.")
    if line.verb != "bid" or line.meaning:
        return line
    text = without_label(variant, line.order)
    try:
        return replace(line, meaning=parse_order(variant, "M", text, in_letter=bool(line.points)))
    except BareUnit as unit_only:
        unit = unit_only.unit
        ways = [f"{unit} H", *(f"{unit} {verb} {OPEN}" for verb in "S-C")]
        raise OrderError(unit_only.message, EXAMPLE, ways=ways) from None


def _word(order: str) -> str:
    return _WORDS.get(" ".join(order.upper().rstrip(" .;").split()), "")


# A line, and the judge's remark on it.
Said = tuple[str, str]


@dataclass
class Taken:
    """The result of filing the lines of an email.

    `refused` has lines with the reasons, and `notes` has remarks on other lines. `stored` is false if the lines and the
    earlier bids `spend` more points than the power has. `fit_alone` is true if the power has enough points for the
    lines without the earlier bids.
    """

    refused: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)
    stored: bool = True
    spend: int = 0
    fit_alone: bool = False


class FiledBids:
    """The bids of one phase, read once for an email and updated with its lines.

    `ordered` returns the neutrals that the master has ordered, for which no one can bid.
    """

    def __init__(
        self, session: Session, variant: Variant, position: Position, phase: Phase, ordered: Callable[[], Set[str]]
    ):
        self._session, self._variant, self._position, self._phase = session, variant, position, phase
        self._ordered = ordered
        self._filed = [*bids_on_file(session, phase)] if variant.points else []

    def board(self, power: str) -> Board:
        """Return the board on which the power's lines are checked."""
        return Board(self._variant, self._position, power, bids=tuple(self.given(power)))

    def _rows_of(self, power: str) -> list[BidRow]:
        return [filed for filed in self._filed if filed.power == power]

    def given(self, power: str) -> list[Bid]:
        """Return the current bids of `power`."""
        return [_bid(filed) for filed in self._rows_of(power) if filed.points]

    def all_given(self) -> dict[str, list[Bid]]:
        """Return the bids of every power."""
        return {filed.power: self.given(filed.power) for filed in self._filed}

    def income(self, power: str) -> int:
        """Return the points that `power` has in this phase."""
        return income(self._variant, self._position, power)

    def spent(self, power: str) -> int:
        """Return the points in the power's bids."""
        return _points(self.given(power))

    def declined(self, power: str) -> bool:
        """Return whether `power` has declined to spend more points."""
        return any(not filed.points for filed in self._rows_of(power))

    def undecided(self, power: str) -> int:
        """Return the points that `power` may still spend. While there are any, the phase does not end early."""
        if self.declined(power) or not self._position.units.get(NEUTRAL):
            return 0
        return max(0, self.income(power) - self.spent(power))

    def unspent(self, powers: Iterable[str]) -> list[str]:
        """Return those of these powers that may still spend points."""
        return [*filter(self.undecided, powers)]

    def give(self, power: str, lines: Sequence[BidLine], letter_id: int | None, now: datetime) -> Taken:
        """File the lines of one email.

        Lines for a neutral replace earlier bids for the same neutral, unless all the new lines are refused. Within an
        email, lines with different orders are separate bids, and points for the same order are added.
        """
        letter, taken = self._tried(power, lines)
        verbs = {line.verb for line, _ in letter.said}
        if taken.stored and (letter.counted or verbs - {"bid"}):
            about = {"phase_id": self._phase.key, "power": power, "letter_id": letter_id, "given_at": now}
            self._replace(power, letter, about, declines="none" in verbs)
        return taken

    def would_stand(self, power: str, lines: Sequence[BidLine]) -> list[Bid]:
        """Return the bids of `power` that `give` would leave on file."""
        letter, taken = self._tried(power, lines)
        return letter.standing if taken.stored else self.given(power)

    def _tried(self, power: str, lines: Sequence[BidLine]) -> "tuple[_Letter, Taken]":
        letter = _Letter(self._variant, self._position, power, self.given(power), lines, self._ordered())
        spend, has = _points(letter.standing), self.income(power)
        new = _points(bid for _, bid in letter.said if bid)
        if spend > has and new:
            return letter, Taken(letter.refused, stored=False, spend=spend, fit_alone=new <= has)
        return letter, Taken(letter.refused, letter.notes, spend=spend)

    def _replace(self, power: str, letter: "_Letter", about: Mapping[str, Any], *, declines: bool) -> None:
        """File the bids after an email. An unchanged bid keeps its text and its place in the list."""
        before = self._rows_of(power)
        stood = [filed for filed in before if filed.points and _bid(filed) in letter.standing]
        self._take_off([filed for filed in before if filed not in stood])
        unchanged = [_bid(filed) for filed in stood]
        new = [letter.filed(bid, about) for bid in letter.standing if bid not in unchanged]
        if declines:
            new.append(BidRow(points=0, province="", text="", **about))
        self._session.add_all(new)
        self._filed += new

    def withdraw(self, power: str) -> None:
        """Delete all bids of `power`, and its decision not to spend points."""
        self._take_off(self._rows_of(power))

    def _take_off(self, gone: Sequence[BidRow]) -> None:
        take_off_file(self._session, gone)
        self._filed = [filed for filed in self._filed if filed not in gone]

    def drop_impossible(self) -> dict[str, list[Said]]:
        """Delete bids that cannot be valid in the current position.

        Returns the deleted bids by power, each with the reason.
        """
        ordered = self._ordered()
        dropped: dict[str, list[Said]] = {}
        standing: dict[str, list[Bid]] = {}
        for filed in [filed for filed in self._filed if filed.points]:
            power, bid = filed.power, _bid(filed)
            has, others = self.income(power), standing.setdefault(power, [])
            try:
                if filed.province in ordered:
                    raise OrderError("The master has ordered this neutral, so your points for it are free again.")
                check_bid(self._variant, self._position, power, bid, others)
                if _points([*others, bid]) > has:
                    raise OrderError(f"{power} has only {counted(has, 'point')} now.")
                others.append(bid)
            except OrderError as mistake:
                dropped.setdefault(power, []).append((f"DP {bid.points}: {bid.text}", str(mistake)))
                self._take_off([filed])
        return dropped


def _bid(filed: BidRow) -> Bid:
    assert filed.meaning
    return Bid(filed.points, order_from_json(filed.meaning))


def _points(bids: Iterable[Bid]) -> int:
    return sum(bid.points for bid in bids)


class _Letter:
    """The lines of one email, which are first read and then applied one after the other.

    `standing` has the bids to file, after these lines. `said` has the lines that could be read, each with its bid if it
    has one. `counted` has the neutrals that a valid line is about.
    """

    def __init__(
        self, variant: Variant, position: Position, power: str, earlier: Sequence[Bid], lines: Sequence[BidLine],
        ordered: Set[str],
    ):  # fmt: skip
        self._variant, self._position, self._power, self._earlier = variant, position, power, earlier
        self.said: list[tuple[BidLine, Bid | None]] = []
        self._unread: list[tuple[BidLine, OrderError]] = []
        self._slips: list[Said] = []  # lines with A for a fleet or F for an army, each with a note
        for line in lines:
            try:
                self.said.append((line, self._bid_of(line, ordered)))
            except OrderError as mistake:
                self._unread.append((line, mistake))
        # The neutrals that the email names, and those of earlier bids.
        self._named = {bid.order.slot for _, bid in self.said if bid}
        self._had = {bid.order.slot for bid in earlier}
        self._take_all({})

    def _bid_of(self, line: BidLine, ordered: Set[str]) -> Bid | None:
        """Return the valid bid of a line, None if it is not a bid. Raises OrderError for an invalid bid."""
        meaning = understood(self._variant, self._position.kind, line).meaning
        if not meaning:
            return None
        bid = Bid(line.points, meaning)
        if not bid.points:
            return bid
        # `_take` checks the limits on points.
        order = check_bid(self._variant, self._position, self._power, replace(bid, points=1)).order
        assert not isinstance(order, Unread)
        if order.slot in ordered:
            name = self._variant.provinces[order.slot].name
            raise OrderError(f"The master has ordered {name} in this phase, so no one can bid for it.")
        if wrong := wrong_letters(self._variant, meaning, order):
            self._slips.append((line.text, wrong))
        return replace(bid, order=order)

    def filed(self, bid: Bid, about: Mapping[str, Any]) -> BidRow:
        """Return the row of a bid in this email, with the first line that was written for its order.

        `about` has the columns that all bids of the email share.
        """
        assert not isinstance(bid.order, Unread)
        text = next(line.text.strip() for line, other in self.said if other and other.order == bid.order)
        meaning = order_to_json(bid.order)
        return BidRow(points=bid.points, province=bid.order.slot, text=text, meaning=meaning, **about)

    def _take_all(self, in_vain: Mapping[str, str]) -> None:
        """Remove earlier bids for the neutrals that this email names, and apply its lines one by one.

        If all lines for a neutral are refused, the earlier bids for that neutral are restored. These bids may conflict
        with other lines. So all lines are applied again, once for each such neutral (only few neutrals had a bid).
        `in_vain` gives the reason for each neutral whose lines were all refused.
        """
        named = self._named - in_vain.keys()
        self.notes = [*self._slips]
        refused = []
        self.counted: set[str] = set()
        self.standing = [bid for bid in self._earlier if bid.order.slot not in named]
        why: dict[str, str] = {}
        for line, bid in self.said:
            if line.verb == "clear":
                self.standing = []
                # The player's own line has removed the earlier bids.
                self.counted |= self._had
            elif bid:
                slot = bid.order.slot
                if refusal := in_vain.get(slot) or self._take(line, bid):
                    why[slot] = refusal
                    refused.append((line, bid, refusal))
        self.refused = [(line.text, self._corrected(line, mistake)) for line, mistake in self._unread]
        self.refused += [(line.text, f"{refusal}{self._with_fewer(bid)}") for line, bid, refusal in refused]
        lost = self._had & named - self.counted
        if lost:
            self._take_all({**in_vain, **{slot: why[slot] for slot in lost}})

    def _take(self, line: BidLine, bid: Bid) -> str:
        """Add the points to those of earlier lines for the same order. For 0 points, remove the neutral's bids.

        Returns why the line is impossible, "" if it is possible.
        """
        here = bid.order.slot
        if not bid.points:
            self._take_back(line, here)
            return ""
        stands, earlier = _of_slot(self.standing, here), _of_slot(self._earlier, here)
        same = [other for other in stands if other.order == bid.order]
        others = [other for other in self.standing if other not in same]
        points = _points([*same, bid])
        try:
            whole = check_bid(self._variant, self._position, self._power, replace(bid, points=points), others)
        except OrderError as mistake:
            return str(mistake)
        self.standing = [*others, whole]
        self.counted.add(here)
        if same:
            self.notes.append((line.text, f"the same order again: {points} points in total."))
        elif not stands and earlier not in ([], [bid]):
            name = self._variant.provinces[here].name
            self.notes.append((line.text, f"this replaces your earlier bids for {name}."))
        return ""

    def _with_fewer(self, bid: Bid) -> str:
        """Return a sentence that suggests the refused bid with fewer points, or "" if no number of points is valid."""
        # A suggested bid in a new email would replace this email's bids for the same neutral.
        if bid.order.slot in self.counted:
            return ""
        fewer = replace(bid, points=bid.points - 1)
        points = most_points(self._variant, self._position, self._power, fewer, self.standing)
        return f" Write DP {points}: {bid.order}." if points else ""

    def _corrected(self, line: BidLine, mistake: OrderError) -> str:
        """Return the reason of an error, and a correct bid with as many of the line's points as are left."""
        plain = f"{mistake.message} {mistake.advice}".rstrip()
        most = min(line.points or 1, income(self._variant, self._position, self._power))
        for points in range(most, 0, -1):
            board = Board(self._variant, self._position, self._power, points, tuple(self.standing))
            if (told := board.corrected(mistake)) != plain:
                return told
        return plain

    def _take_back(self, line: BidLine, slot: str) -> None:
        stands = _of_slot(self.standing, slot)
        self.standing = [other for other in self.standing if other not in stands]
        self.counted.add(slot)
        had = f"you had no bids for {self._variant.provinces[slot].name}."
        self.notes.append((line.text, "taken back." if stands or _of_slot(self._earlier, slot) else had))


def most_points(variant: Variant, position: Position, power: str, bid: Bid, filed: Iterable[Bid]) -> int:
    """Return the most points, up to its own, with which a bid is valid in a new email, or 0.

    `filed` are the power's bids on file. The bid would replace those for the same neutral.
    """
    others = [other for other in filed if other.order.slot != bid.order.slot]
    left = income(variant, position, power) - _points(others)
    for points in range(min(left, bid.points), 0, -1):
        with suppress(OrderError):
            check_bid(variant, position, power, replace(bid, points=points), others)
            return points
    return 0


def _of_slot(bids: Sequence[Bid], slot: str) -> list[Bid]:
    return [bid for bid in bids if bid.order.slot == slot]
