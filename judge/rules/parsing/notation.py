"""Text to orders: understands what the classic judges understand, and is tolerant of the form but strict about the
meaning.

`read_order` checks the order that `parse_order` (in `parsing`) has read against the pieces on the board, so the order
that it returns can be carried out.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from judge.rules.board.names import fold
from judge.rules.board.orders import Build, Disband, Hold, Order, OrderError, Waive
from judge.rules.board.phase import KINDS, PhaseKind, kind
from judge.rules.board.position import Position
from judge.rules.parsing.collective import collective_order
from judge.rules.parsing.decoration import (
    behind_open_box,
    remarks,
    unmarked,
    without_bullets,
    without_courtesies,
    without_remarks,
)
from judge.rules.parsing.parse import parse_order
from judge.rules.parsing.reader import ARROWS, said_words
from judge.rules.parsing.several_orders import orders_of
from judge.rules.parsing.unfinished import refuse_bare_unit
from judge.rules.parsing.vocabulary import (
    ALL,
    BUILD,
    FLEET_WORDS,
    HOME,
    KIND_WORDS,
    ORDER_WORDS,
    REMOVE,
    SENTENCE_WORDS,
    TO,
    WAIVE,
)
from judge.rules.parsing.whose_order import OwnOrder, name_before, named_waiver, orderer, own_power, waiving_power
from judge.rules.phases.retreats import complete_retreat
from judge.rules.phases.winter import Adjustment, balances
from judge.rules.pieces.board_state import BoardState
from judge.rules.pieces.legality import complete
from judge.rules.variant.variant import Variant

# In characters; all orders of the player with the most units fit into such a line. A longer line is read piece by
# piece.
LONGEST_LINE = 2_000
# The text of a form where the player should write an order, and a line of a form that the player has not filled in.
LEFT_OPEN = "..."
_NOT_FILLED_IN = re.compile(
    r"\s*(?:[AF] +[^\W\d_]+(?:/[NESW]C)?|BUILD|REMOVE|HOME|DP *\d+ *:)\s*(?:\.\s*){2,}", re.IGNORECASE
)
# In folded text: behind it are the fleets that carry an army.
_BY_WAY_OF = re.compile(r" (?:VIA|BY) (?!CONVOY$)")
# A coast behind a comma: "Spain, south coast".
_COAST = re.compile(r"\s*(?:on )?(?:the )?(?:north|south|east|west)(?:ern)?[ -]coast\b(?! of\b)", re.IGNORECASE)
# What may follow a province in an order, but hardly ever in a sentence: a hyphen and one word, or a single letter.
_GOES_ON_AS_ORDER = re.compile(r"\w+(?: - \S+\s*|\s+[HSCMRD]\b.*)", re.IGNORECASE)


def check_order(variant: Variant, position: Position, power: str, order: Order) -> Order:
    """The order, completed from the pieces on the board; raises OrderError if the power can never carry it out."""
    table = BoardState(variant, position)
    match kind(position.phase):
        case "M":
            return complete(table, power, order)
        case "R":
            return complete_retreat(table, power, order)
    return Adjustment(table, power).take(order)


def read_order(variant: Variant, position: Position, power: str, text: str) -> Order:
    """One order of the power (its own name) in the position's phase; raises OrderError."""
    return check_order(variant, position, power, parse_order(variant, kind(position.phase), text))


def read_line(variant: Variant, position: Position, seat: str, text: str) -> list[OwnOrder | OrderError]:
    """The orders of a line of a letter. A line may have a bullet, several orders separated by "," or ";", a power's
    name and a colon before any of them, and a comment.

    Each order is read by itself: a mistake in one does not affect the others. Each comes with the power that it is for:
    the seat's own power, or in a group the power whose unit or center the order names. A unit alone is not an order.
    """
    own: list[OwnOrder | OrderError] = []
    for reading in readings(variant, seat, kind(position.phase), text):
        try:
            if isinstance(reading, OrderError):
                raise reading
            own += own_orders(variant, position, seat, reading)
        except OrderError as mistake:
            own.append(mistake)
    return own


class Reading(NamedTuple):
    """An order as it was read, before it is checked against the board.

    `text`: the order as it was written, with the name of its power if the player has several; `power`: the power that
    is named with the order, "" if none is; `times`: the number of waives that it stands for, 0 for as many as are due,
    so that it, like an order for `others`, comes after all other lines; `remark`: what stood in
    brackets behind it and was passed over. An order whose unit has no place is for all units, or all `others`.
    """

    text: str
    power: str
    order: Order
    times: int = 1
    remark: str = ""
    others: bool = False


def readings(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Reading | OrderError]:
    """The orders of a line for a phase of that kind, now or later; or the reason why one cannot be read.

    What cannot be read as it was written is read without what people put around orders.
    """
    written = without_bullets(line.partition("//")[0])
    if behind_open_box(written):
        return [OrderError("The box before it is not ticked. Leave the box out if this is an order.")]
    found = _readings(variant, seat, phase_kind, written)
    may_order, passed = partial(_may_order, variant), ""
    for trim in (unmarked, lambda bare: without_remarks(bare, may_order), without_courtesies):
        mistakes = sum(isinstance(reading, OrderError) for reading in found)
        bare = trim(written) if mistakes else written
        if bare != written:
            other = _readings(variant, seat, phase_kind, bare)
            passed = passed or remarks(written, bare)
            if sum(isinstance(one, OrderError) for one in other) <= mistakes:
                found = [one if isinstance(one, OrderError) else one._replace(remark=passed) for one in other]
            written = bare
    return found


def _readings(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Reading | OrderError]:
    """The same of a line without any trimmings."""
    found: list[Reading | OrderError] = []
    verb = ""
    for power, part in _own_parts(variant, seat, line):
        if isinstance(part, OrderError):
            found.append(part)
            continue
        read = partial(_tried, variant, variant.powers_of(seat), phase_kind, power)
        whole = read(part)
        pieces = orders_of(variant, phase_kind, part) if isinstance(whole, OrderError) else []
        for piece in pieces or [part]:
            reading = read(piece) if piece != part else whole
            # "BUILD A PAR, F BRE" are two builds.
            if isinstance(reading, OrderError) and verb and fold(piece.partition(" ")[0]) in KIND_WORDS:
                reading = read(f"{verb} {piece}")
            elif phase_kind == "A":
                first = piece.partition(" ")[0]
                verb = first if fold(first) in BUILD | REMOVE | {"+"} else ""
            found.append(reading)
    return found


def _may_order(variant: Variant, text: str) -> bool:
    """Whether the text could be an order or part of one: "BUR", "to BUR", "hold"."""
    words = fold(ARROWS.sub(" - ", text)).split()
    begins = words[0] in ORDER_WORDS | TO | KIND_WORDS.keys()
    named = bool(_names_in(variant, words))
    return fold(text) in variant.names.exact or begins and (named or len(words) == 1) or looks_like_order(variant, text)


def _tried(
    variant: Variant, powers: Sequence[str], phase_kind: PhaseKind, power: str, part: str
) -> Reading | OrderError:
    try:
        return _reading(variant, powers, phase_kind, power, part)
    except OrderError as mistake:
        return mistake


def _reading(variant: Variant, powers: Sequence[str], phase_kind: PhaseKind, power: str, part: str) -> Reading:
    """The order of one part of a line; `power` is the power under whose name it stands, "" if there is no name."""
    several = len(powers) > 1
    whole = f"{power}: {part}" if several and power else part
    if several and phase_kind == "A":
        named, part = named_waiver(variant, powers, part)
        if named and power and named != power:
            raise OrderError(f"That is an order of {named}, not of {power}.")
        power = named or power
    if of_all := collective_order(phase_kind, part):
        return Reading(whole, power, of_all.order, others=of_all.others)
    order = parse_order(variant, phase_kind, part)
    refuse_bare_unit(variant, phase_kind, part, order)
    return Reading(whole, power, order, _times(order, part))


def own_orders(
    variant: Variant, position: Position, seat: str, reading: Reading, given: Sequence[OwnOrder] = ()
) -> list[OwnOrder]:
    """The order, or several, each with the power of the seat that it is for; raises OrderError if that power can never
    carry it out. `given`: what the powers of the seat have been ordered, for an order that is about the rest.
    """
    powers, power, order = variant.powers_of(seat), reading.power, reading.order
    if isinstance(order, Hold | Disband) and not order.unit.place:
        return _orders_of_all(position, [power] if power else powers, reading, given)
    if isinstance(order, Waive) and len(powers) > 1:
        power = power or waiving_power(variant, position, powers)
    whose = orderer(position, powers, order)
    if power and whose not in ("", power):
        raise OrderError(f"That is an order of {whose}, not of {power}.")
    whose = power or whose or powers[0]
    times = reading.times
    if not times:
        built = sum(one == whose and isinstance(other, Build) for one, other in given)
        times = max(1, balances(variant, position).get(whose, 0) - built)
    return [(whose, check_order(variant, position, whose, order)) for _ in range(times)]


def is_about_the_rest(reading: object) -> bool:
    """Whether what was read depends on all other orders, so that it comes after them: "all others hold"."""
    return isinstance(reading, Reading) and (reading.others or not reading.times)


def _orders_of_all(
    position: Position, powers: Sequence[str], reading: Reading, given: Sequence[OwnOrder]
) -> list[OwnOrder]:
    """The order for each unit of the powers that it is for."""
    order = reading.order
    assert isinstance(order, Hold | Disband)
    busy = {(power, other.slot) for power, other in given} if reading.others else set()
    found: list[OwnOrder] = []
    for power in powers:
        beaten = (one.unit for one in position.dislodged.get(power, ()))
        units = beaten if isinstance(order, Disband) else position.units.get(power, ())
        of_kind = (unit for unit in units if order.unit.kind in ("", unit.kind))
        found += [(power, type(order)(unit)) for unit in of_kind if (power, unit.province) not in busy]
    if not found:
        raise OrderError("No unit of yours is left for this order.")
    return found


def _own_parts(variant: Variant, seat: str, line: str) -> Iterator[tuple[str, str | OrderError]]:
    """For each order of a line: (the power that is named before it or "", the order). Orders under the name of another
    player's power, up to the next name, are replaced by the error.
    """
    mine, power = True, ""
    for part in split_orders(line, variant.heading_words - variant.names.exact.keys()):
        heading, order = _heading(variant, part)
        name, order = name_before(variant, order)
        try:
            if heading is not None:
                mine = False
                power, mine = own_power(variant, seat, heading), True
            whose = own_power(variant, seat, name) or power if name else power
            if heading and power and whose != power:
                raise OrderError(f"That is an order of {whose}, not of {power}.")
        except OrderError as wrong:
            yield "", wrong
            continue
        # A heading alone is not an order.
        if (mine or name) and (order or not variant.groups):
            yield whose, order


def _heading(variant: Variant, part: str) -> tuple[str | None, str]:
    """("China", "A Peki H") of "China: A Peki H", ("China", "") of "China"; (None, the part) if there is no heading."""
    heading, colon, order = part.partition(":")
    if colon:
        return heading.strip(), order.strip()
    return (part, "") if is_heading(variant, part) else (None, part)


def filled_in(text: str) -> str:
    """The line without those orders of a form that the player has not filled in."""
    if text.count(".") < 2:
        return text
    parts = re.split(r"[;,]", text)
    filled = [part for part in parts if not _NOT_FILLED_IN.fullmatch(without_bullets(part))]
    return text if len(filled) == len(parts) else ";".join(filled)


def split_orders(line: str, names: Collection[str] = ()) -> list[str]:
    """The orders of a line. A comma in a list of provinces after VIA does not end an order; words in `names` do not
    count as provinces.
    """
    parts: list[str] = []
    for part in re.split(r"[;,]", line):
        words = fold(part).split()
        on_the_way = words[1:] if words[:1] and words[0] in FLEET_WORDS else words
        if parts and len(on_the_way) == 1 and on_the_way[0] not in names and _BY_WAY_OF.search(fold(parts[-1])):
            parts[-1] += f" and {part.strip()}"
        elif parts and _COAST.match(part):
            parts[-1] += f" {part.strip()}"
        elif words:
            parts.append(part.strip())
    return parts


def slot_named(variant: Variant, unit: str) -> str:
    """The province that a player means by `A PAR`, `PAR` or `army Paris`; raises OrderError."""
    try:
        return parse_order(variant, "M", f"{unit} H").slot
    except OrderError as mistake:
        # The player wrote only the name, so an error in the hold that was added to it is not shown.
        if any(mistake.message.startswith(f'"{word}" is not a province') for word in unit.split()):
            raise
        raise OrderError(f'"{unit}" is not a unit.') from None


def _times(order: Order, text: str) -> int:
    """`WAIVE 2` is two waives, and `WAIVE ALL` (0) as many as are due; every other order counts once."""
    if isinstance(order, Waive) and not ALL.isdisjoint(said_words(text)):
        return 0
    count = re.search(r"\d+", text) if isinstance(order, Waive) else None
    return max(1, min(int(count.group()[:4]), 50)) if count else 1


def is_heading(variant: Variant, text: str) -> bool:
    """Whether a line, or a part of one, is only the name of a power or a group, like the headings above the orders in
    the results.

    A heading on its own line has no effect: the province shows which of the player's powers an order is for.
    """
    return fold(unmarked(text).rstrip(":")) in variant.heading_words


def in_pieces(line: str) -> list[str]:
    """The line; a line longer than LONGEST_LINE is split at ";", and parts that are still longer are split at ","."""
    if len(line) <= LONGEST_LINE:
        return [line]
    pieces = [piece for part in line.split(";") for piece in (part.split(",") if len(part) > LONGEST_LINE else [part])]
    return [piece.strip() for piece in pieces if piece.strip()]


def looks_like_order(variant: Variant, text: str) -> bool:
    """Whether a line may be meant as an order, well written or not, rather than as prose.

    It begins with a unit, a province, a power or a word of an order, and more of an order follows. After a province
    whose abbreviation can also begin a sentence there must be a whole order, or text that hardly ever stands in a
    sentence. Of a long line only the beginning counts.
    """
    return _may_be_order(variant, " ".join(text[:LONGEST_LINE].split()))


@lru_cache(maxsize=4096)
def _may_be_order(variant: Variant, line: str) -> bool:
    """The same of a line with single blanks; remembered, since players write the same lines."""
    line = behind_open_box(line) or line
    bare = unmarked(line)
    if any(_looks_like_order(variant, text) for text in dict.fromkeys((without_bullets(line), bare))):
        return True
    if "(" in bare and _looks_like_order(variant, without_remarks(bare, partial(_may_order, variant))):
        return True
    polite = without_courtesies(bare)
    return polite != bare and _looks_like_order(variant, polite) and _begins_with_unit(variant, polite)


def _begins_with_unit(variant: Variant, line: str) -> bool:
    """Whether a line that began with "please" or the like goes on with a unit, after a verb perhaps, or has a whole
    order: it may well be a sentence.
    """
    words = said_words(line)
    unit = words[1:] if words[0] in ORDER_WORDS else words
    named = unit[:1] and unit[0] in KIND_WORDS and 1 in _names_in(variant, unit[:3])
    return bool(named) or any(_is_readable(variant, part) for part in split_orders(line))


def _looks_like_order(variant: Variant, line: str) -> bool:
    words = said_words(line.removeprefix("+"))
    if not words:
        return False
    if words[0] in WAIVE:
        return len(words) <= 4 or bool(variant.groups and len(words) <= 6)
    if any(collective_order(phase_kind, line) for phase_kind in KINDS):
        return True
    named = _names_in(variant, words)
    if words[0] in HOME:
        return named[:1] == [1] and len(words) < 5
    if words[1:2] and words[1] in WAIVE and name_before(variant, line)[0]:
        return True
    if 0 in named and words[0] in SENTENCE_WORDS and not _begins_with_longer_name(variant, words):
        others = [at for at in named if words[at] not in SENTENCE_WORDS]
        readable = len(others) > 1 or any(_is_readable(variant, part) for part in split_orders(line))
        return readable or bool(_GOES_ON_AS_ORDER.fullmatch(ARROWS.sub(" - ", line)))
    begins = 0 in named or words[0] in KIND_WORDS or words[0] in ORDER_WORDS
    if not begins and not _begins_with_power(variant, words, line):
        return False
    said = any(word in ORDER_WORDS or word in KIND_WORDS for word in words[1:])
    # "A Paris to Burgundi": a unit that goes to a place whose name is miswritten.
    said = said or bool(named) and words[0] in KIND_WORDS and len(words) <= 6 and not TO.isdisjoint(words[2:])
    return len(named) > 1 or said or bool(re.search(r"\w\s*-+>?\s*\w", line)) or bool(named and len(words) < 4)


def _begins_with_longer_name(variant: Variant, words: list[str]) -> bool:
    """Whether the first word is only the beginning of a longer province name: "Red Sea"."""
    lengths = range(2, min(variant.names.most_words, len(words)) + 1)
    return any(variant.names.whole(" ".join(words[:length])) for length in lengths)


def _two_names(variant: Variant, words: list[str]) -> bool:
    """Whether the words are the names of two provinces and nothing else: "WAR GAL"."""
    whole, most = variant.names.whole, variant.names.most_words
    splits = range(1, min(len(words), most + 1))
    return any(whole(" ".join(words[:at])) and whole(" ".join(words[at:])) for at in splits)


def _is_readable(variant: Variant, text: str) -> bool:
    """Whether the text is an order of any phase: one with a word for it, or a move of two names only."""
    words = fold(ARROWS.sub(" TO ", text)).split()
    if not any(word in ORDER_WORDS or word in TO for word in words[1:]):
        return _two_names(variant, words)
    for phase_kind in KINDS:
        try:
            parse_order(variant, phase_kind, text)
            return True
        except OrderError:
            continue
    return False


def _begins_with_power(variant: Variant, words: list[str], line: str) -> bool:
    """Whether the text begins with a power's name or adjective, or with the beginning of one before a colon."""
    powers = [word.split() for side in variant.sides for word in side.words]
    if any(words[: len(name)] == name for name in powers):
        return True
    heading, colon, _ = line.partition(":")
    try:
        return bool(colon and variant.seat(heading))
    except KeyError:
        return False


def _names_in(variant: Variant, words: list[str]) -> list[int]:
    """The positions among the words at which names of provinces begin."""
    whole, most = variant.names.whole, variant.names.most_words
    return [
        at
        for at in range(len(words))
        if any(whole(" ".join(words[at : at + length])) for length in range(1, most + 1))
    ]
