"""Lines for a later phase, which are checked for their form on arrival and read when that phase opens.

The text of each line is kept: an order, a bid, or a whole block from IF to ENDIF. The board of the later phase decides
which orders can be carried out, and for which powers they are. The board also decides which lines of a block apply.
"""

import re
from collections.abc import Callable, Sequence

from sqlmodel import Session

from judge.games.core.work import Work
from judge.games.orders.bids import BidLine, apart, bids_in, read_bid_line, understood
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.rules import NEUTRAL, OrderError, Position, Variant, kind, year
from judge.rules.board.names import fold
from judge.rules.board.orders import occupants
from judge.rules.parsing.lines import Reading, readings, slot_named
from judge.rules.parsing.vocabulary import KIND_WORDS
from judge.rules.possible import check_possible
from judge.store.games import future_lines
from judge.store.tables import FutureLine, Game

# A function that returns whether a condition is true on a board.
Condition = Callable[[Position], bool]

_WORD = re.compile(r"[()]|[^\s()]+")
_HOW = "Write a condition like NOT German A MUN AND F NTH."

# The limit on a condition, longer than any real one. Brackets and NOTs are read and decided by recursion. Names of
# provinces are tried from each word on. So a hostile condition must not be long.
MOST_CHARACTERS = 300


def read_condition(variant: Variant, text: str) -> Condition:
    """Return the condition in the text. Raises OrderError if it cannot be read."""
    if len(text) > MOST_CHARACTERS:
        raise OrderError(f"A condition can have at most {MOST_CHARACTERS} characters.", _HOW)
    words = _WORD.findall(text)[::-1]
    condition = _joined(variant, words)
    if words:
        raise OrderError("The condition has one bracket too many.", _HOW)
    return condition


def _joined(variant: Variant, words: list[str], before: Condition | None = None) -> Condition:
    """Return the conditions joined by AND and OR, up to a closing bracket.

    Their words are taken off the end of `words`, which is in reverse order. The conditions are joined from left to
    right. `before` is the condition on the left, if it has been read already.
    """
    first = before or _single(variant, words)
    if not words or words[-1].upper() not in ("AND", "OR"):
        return first
    joint = all if words.pop().upper() == "AND" else any
    second = _single(variant, words)
    return _joined(variant, words, lambda position: joint(condition(position) for condition in (first, second)))


def _single(variant: Variant, words: list[str]) -> Condition:
    word = words[-1].upper() if words else ""
    if word == "NOT":
        words.pop()
        inner = _single(variant, words)
        return lambda position: not inner(position)
    if word == "(":
        words.pop()
        condition = _joined(variant, words)
        if not words or words.pop() != ")":
            raise OrderError("A bracket in the condition is not closed.", _HOW)
        return condition
    said = []
    while words and words[-1].upper() not in ("AND", "OR", "NOT", "(", ")"):
        said.append(words.pop())
    if not said:
        raise OrderError("Part of the condition is missing.", _HOW)
    power, unit_kind, province = _unit(variant, said)

    def stands(position: Position) -> bool:
        found = occupants(position).get(province)
        return found is not None and power in ("", found[0]) and unit_kind in ("", found[1].kind)

    return stands


def _unit(variant: Variant, said: list[str]) -> tuple[str, str, str]:
    """Return the power of a unit, its kind and its province, with "" for any power or kind.

    A full name of a province takes precedence over a power's.
    """
    first, *others = said
    if first.upper() in KIND_WORDS and others:
        return "", KIND_WORDS[first.upper()], _province(variant, " ".join(others))
    whole = " ".join(said)
    if _named(variant, whole):
        return "", "", _province(variant, whole)
    for at in range(len(others), 0, -1):
        try:
            return variant.power(" ".join(said[:at])).name, *_unit(variant, said[at:])[1:]
        except KeyError:
            continue
    return "", "", _province(variant, whole)


def _province(variant: Variant, text: str) -> str:
    if found := _named(variant, text):
        return found
    slot_named(variant, text)
    raise OrderError(f'"{text}" is not a province.', _HOW)


def _named(variant: Variant, text: str) -> str:
    """Return the province of that name, without a coast, or "" if there is none."""
    found = variant.names.find(fold(text.partition("/")[0]))
    return found[0] if len(found) == 1 else ""


# The maximum number of lines for one phase, and in one block. No power has this many units.
MOST_LINES = 300
Said = Reading | BidLine
# Each condition with its lines, which apply if the condition is the first true one. For ELSE, the condition is None.
Branches = Sequence[tuple[Condition | None, Sequence[Said]]]
_BRANCH = re.compile(r"(?!$)(?P<other>ELSE)? ?(?:IF (?P<rest>.+))?", re.IGNORECASE)
_THEN = re.compile(r" THEN\b ?", re.IGNORECASE)
_END = "ENDIF"


def read_ahead(variant: Variant, seat: str, phase: str, line: str) -> list[Said | OrderError]:
    """Return each order in a line for that phase, or the reason why it cannot be kept."""
    lines = apart(variant, line)
    if len(lines) > 1:
        return [said for one in lines for said in read_ahead(variant, seat, phase, one)]
    if kind_of(variant, line) != "bid":
        return [_possible(variant, seat, phase, one) for one in readings(variant, seat, kind(phase), line)]
    return [_possible(variant, seat, phase, _bid(variant, phase, one)) for one in bids_in(line)]


def _bid(variant: Variant, phase: str, text: str) -> BidLine | OrderError:
    """Return a bid for that phase, or why it cannot be read."""
    try:
        return understood(variant, kind(phase), read_bid_line(text))
    except OrderError as mistake:
        return mistake


def _possible(variant: Variant, seat: str, phase: str, said: Said | OrderError) -> Said | OrderError:
    """Return the order, or why it cannot be valid in that phase, wherever the units are."""
    try:
        if isinstance(said, Reading):
            powers = [said.power] if said.power else variant.powers_of(seat)
            check_possible(variant, powers, phase, said.order)
        elif isinstance(said, BidLine) and said.meaning and said.points:
            check_possible(variant, [NEUTRAL], phase, said.meaning, said.points)
    except OrderError as mistake:
        return mistake
    return said


def block(lines: Sequence[str]) -> str:
    """Return a block of conditions as one text to keep, from IF to ENDIF."""
    return "\n".join([*lines, _END])


def shown(text: str) -> str:
    """Return what emails show of a kept text: the line, or the IF that begins a block."""
    return text.partition("\n")[0]


def read_kept(variant: Variant, seat: str, position: Position, text: str) -> Sequence[Said | OrderError]:
    """Return the orders in a kept text on the board of its phase. Of a block, return the orders that apply."""
    *lines, end = text.splitlines() or [""]
    if not lines or end != _END:
        return read_ahead(variant, seat, position.phase, text)
    try:
        branches = read_branches(variant, seat, position.phase, lines)
    except OrderError as mistake:
        return [mistake]
    return next((said for when, said in branches if when is None or when(position)), ())


def read_branches(variant: Variant, seat: str, phase: str, lines: Sequence[str]) -> Branches:
    """Return the conditions of IF, ELSE IF and ELSE, each with the lines after it.

    Raises OrderError for a line that is neither a condition nor an order or a bid.
    """
    if len(lines) > MOST_LINES:
        raise OrderError(f"A condition can have at most {MOST_LINES} lines.")
    branches: list[tuple[Condition | None, list[Said]]] = []
    for line in lines:
        found = _BRANCH.fullmatch(" ".join(line.split()))
        if not found:
            branches[-1][1].extend(_said(variant, seat, phase, line))
            continue
        asked, *order = _THEN.split(found["rest"] or "", maxsplit=1)
        if bool(branches) != bool(found["other"]) or (branches and branches[-1][0] is None):
            raise OrderError(f'"{line}" cannot be here: after IF come ELSE IF, then one ELSE, then ENDIF.')
        branches.append((read_condition(variant, asked) if asked else None, []))
        if any(order):
            branches[-1][1].extend(_said(variant, seat, phase, *order))
    return branches


def _said(variant: Variant, seat: str, phase: str, line: str) -> list[Said]:
    what = kind_of(variant, line)
    if what == "heading":
        return []
    if what not in ORDERS:
        raise OrderError(f'"{line}" is not an order, and only orders are allowed inside IF.')
    said = read_ahead(variant, seat, phase, line)
    for one in said:
        if isinstance(one, OrderError):
            raise OrderError(f'"{line}": {one.message}', one.advice, ways=one.ways, meant=one.meant)
    return [one for one in said if not isinstance(one, OrderError)]


# --- kept lines, by phase ---


YEARS_AHEAD = 5


def order_of(phase: str) -> tuple[int, int, int]:
    """Return a key that sorts phases by time."""
    return year(phase), "SFW".index(phase[0]), "MRA".index(kind(phase))


def keep(work: Work, game: Game, power: str, phase: str, texts: Sequence[str], letter_id: int | None) -> None:
    """Keep the lines `texts` of `power` for the phase of that name, after the lines kept before."""
    work.session.add_all(
        FutureLine(game_id=game.key, power=power, phase_name=phase, text=text, letter_id=letter_id, given_at=work.now)
        for text in texts
    )


def kept(session: Session, game: Game, power: str) -> dict[str, list[FutureLine]]:
    """Return {phase: the lines that `power` has kept for it}, the next phase first."""
    found: dict[str, list[FutureLine]] = {}
    for line in future_lines(session, game):
        if line.power == power:
            found.setdefault(line.phase_name, []).append(line)
    return dict(sorted(found.items(), key=lambda item: order_of(item[0])))


def once(lines: Sequence[FutureLine]) -> list[FutureLine]:
    """Return the lines. If several emails have the same line, return only the line of the latest email.

    Repeated lines in that email stay, since bids and waives add up.
    """
    letters = {_same(line): line.letter_id for line in lines}
    return [line for line in lines if line.letter_id == letters[_same(line)]]


def _same(line: FutureLine) -> str:
    """Return the line in a form without differences in case, blanks and dots."""
    return " ".join(line.text.casefold().replace("-", " - ").split()).rstrip(" .;")


def drop(session: Session, game: Game, power: str, phase: str = "") -> list[str]:
    """Delete the lines that `power` has kept, for all phases or for one, and return them."""
    mine = [line for name, lines in kept(session, game, power).items() if phase in ("", name) for line in lines]
    for line in mine:
        session.delete(line)
    return [shown(line.text) for line in mine]
