"""Turn lines of emails into orders, whatever their form, if their meaning is clear.

The aim is to understand everything that classic judges do. `parse_order` reads a text. `check_order` checks the result
against the position, so that the order can be carried out.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from typing import NamedTuple

from judge.rules.board.board_state import BoardState, complete
from judge.rules.board.names import fold
from judge.rules.board.orders import (
    Build,
    Disband,
    Hold,
    NotPlayed,
    Order,
    OrderError,
    Position,
    Waive,
    dislodged_units,
    occupants,
    owners,
)
from judge.rules.board.phase import KINDS, PhaseKind, kind
from judge.rules.board.power import NEUTRAL
from judge.rules.parsing.decoration import (
    LONGEST_LINE,
    SQUARE,
    behind_open_box,
    heading_of,
    name_before,
    split_orders,
    unmarked,
    with_colon,
    without_bullets,
)
from judge.rules.parsing.grammar import BareUnit, orders_of, parse_order
from judge.rules.parsing.order_tokens import collective_order, said_words
from judge.rules.parsing.recognition import bare, holds_order, is_bare_unit, is_miswritten_order, looks_like_order
from judge.rules.parsing.vocabulary import (
    ALL,
    BUILD,
    DISBAND,
    HOLD,
    NUMBERS,
    ORDER_WORDS,
    REMOVE,
    WAIVE,
)
from judge.rules.phases.retreats_and_winters import Adjustment, balances, complete_retreat
from judge.rules.variant.variant import Variant

# Verbs that also apply to the units listed after the first: "BUILD A PAR, F BRE" are two builds.
_CARRIED = {"M": HOLD, "R": DISBAND, "A": BUILD | REMOVE | {"+"}}
# Punctuation that may be around a whole line.
_AROUND = " ~(){}<>'"
# The type of a pair: a power, and an order for it.
OwnOrder = tuple[str, Order]


def check_order(variant: Variant, position: Position, power: str, order: Order) -> Order:
    """Return the order, completed from the units on the board.

    Raises OrderError if the power can never carry it out.
    """
    table = BoardState(variant, position)
    match kind(position.phase):
        case "M":
            return complete(table, power, order)
        case "R":
            return complete_retreat(table, power, order)
    return Adjustment(table, power).take(order)


def read_line(variant: Variant, position: Position, seat: str, text: str) -> list[OwnOrder | OrderError]:
    """Return the orders of a line of an email, each with its power, and an error for each unreadable order.

    A line may have a bullet, a comment, and several orders separated by "," or ";". Each order may have a power's name
    and a colon before it. Each order is read separately, so a mistake in one does not affect the others. If the player
    orders a group, the power is the one whose unit or center the order names. A unit without an order is an error.
    """
    own: list[OwnOrder | OrderError] = []
    for reading in sorted(readings(variant, seat, kind(position.phase), text), key=is_about_the_rest):
        try:
            if isinstance(reading, OrderError):
                raise reading
            given = [one for one in own if not isinstance(one, OrderError)]
            own += own_orders(variant, position, seat, reading, given)
        except OrderError as mistake:
            own.append(mistake)
    return own


class Reading(NamedTuple):
    """An order as it was read, before it is checked against the position.

    `text` is the order as it was written. For a player with several powers, it includes the power's name. `power` is
    the power named with the order, or "". `times` is the number of waives that the order means, or 0 for as many as are
    due. `remark` is the ignored text in brackets after the order.

    An order whose unit has no place is for all units. If `times` is 0, the order is only for units that have no other
    order.
    """

    text: str
    power: str
    order: Order
    times: int = 1
    remark: str = ""


def readings(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Reading | OrderError]:
    """Return the orders of a line for a phase of that kind, and an error for each unreadable order.

    If a line cannot be read as it was written, it is read again without decoration.
    """
    written = without_bullets(line.partition("//")[0])
    if behind_open_box(written):
        return [OrderError("The box before it is not ticked. If this is an order, leave the box out.")]
    written = written.translate(SQUARE)
    found = _as_written(variant, seat, phase_kind, written)
    mistakes = sum(isinstance(reading, OrderError) for reading in found)
    trimmed, passed = bare(variant, written) if mistakes else (written, "")
    if trimmed == written:
        return found
    other = _as_written(variant, seat, phase_kind, trimmed)
    if sum(isinstance(one, OrderError) for one in other) > mistakes:
        return found
    return [one if isinstance(one, OrderError) else one._replace(remark=passed) for one in other]


def under_heading(variant: Variant, seat: str, phase_kind: PhaseKind, heading: str, line: str) -> str:
    """Return the line with the `heading` above it, "Canada: ALL HOLD", if it has an order that names no unit or center.

    Any other line is returned unchanged, since its units show which power it is for.
    """
    read = (one for one in readings(variant, seat, phase_kind, line) if isinstance(one, Reading) and not one.power)
    is_open = any(isinstance(one.order, Waive) or not one.order.slot for one in read)
    return f"{heading}: {line}" if is_open else line


def _as_written(variant: Variant, seat: str, phase_kind: PhaseKind, line: str) -> list[Reading | OrderError]:
    """Return the orders of a line without removing any decoration."""
    found: list[Reading | OrderError] = []
    verb = ""

    read = partial(_read, variant, variant.powers_of(seat), phase_kind)
    for power, part in _own_parts(variant, seat, line):
        if isinstance(part, OrderError):
            found.append(part)
            continue
        whole = read(power, part)
        pieces = orders_of(variant, phase_kind, part) if isinstance(whole, OrderError) else [part]
        for piece in pieces:
            reading = read(power, piece) if piece != part else whole
            first = "+" if piece.startswith("+") else fold(piece.partition(" ")[0])
            if isinstance(reading, BareUnit) and verb:
                reading = read(power, f"{verb} {piece}")
            else:
                verb = first if first in _CARRIED[phase_kind] else ""
            found.append(reading)
    return found


def _read(
    variant: Variant, powers: Sequence[str], phase_kind: PhaseKind, power: str, part: str
) -> Reading | OrderError:
    """Return the order in one part of a line. `power` is the power under whose name the part is, or ""."""
    several = len(powers) > 1
    whole = f"{power}: {part}" if several and power else part
    try:
        if several and phase_kind == "A":
            named, part = named_waiver(variant, powers, part)
            if named:
                if power not in ("", named):
                    raise OrderError(f"This is an order for {named}, not {power}.")
                power = named
        if of_all := collective_order(phase_kind, part):
            return Reading(whole, power, *of_all)
        order = parse_order(variant, phase_kind, part, in_letter=True)
    except OrderError as mistake:
        return mistake
    return Reading(whole, power, order, _waives(part) if isinstance(order, Waive) else 1)


def _waives(text: str) -> int:
    """Return how many builds a text like "waive 2" waives, or 0 for as many as are due."""
    words = _words_of_waiver(text)
    if not ALL.isdisjoint(words):
        return 0
    count = next(filter(str.isdecimal, words), "1")
    return max(1, min(int(count[:4]), 50))


def _words_of_waiver(text: str) -> list[str]:
    """Return the normalized words of a text, with numbers in figures."""
    return [NUMBERS.get(word, word) for word in said_words(text)]


def is_only_orders(variant: Variant, text: str) -> bool:
    """Return whether a line is only orders, of any phase and power. Each order may have one misspelled place.

    An order with other words next to it is a sentence: "A PAR - BUR, you support".
    """
    line = " ".join(text.split())
    bare_line = unmarked(line.strip(_AROUND))
    heading, colon, rest = bare_line.partition(":")
    if colon:
        with suppress(KeyError):
            variant.seat(heading.strip())
            bare_line = rest.strip()
    if len(line) > LONGEST_LINE or not looks_like_order(variant, bare_line):
        return False
    for phase_kind, form in product(KINDS, (line, bare_line)):
        found = readings(variant, variant.seats[0].name, phase_kind, form)
        if found and all(isinstance(one, Reading) for one in found):
            return True
    parts = split_orders(bare_line)
    return bool(parts) and all(is_miswritten_order(variant, part) for part in parts)


def own_orders(
    variant: Variant, position: Position, seat: str, reading: Reading, given: Sequence[OwnOrder] = ()
) -> list[OwnOrder]:
    """Return the order or orders in a `reading`, each with the player's power that it is for.

    Raises OrderError if that power can never carry it out. `given` has the orders that the player's powers already
    have, for an order like "all others hold".
    """
    powers, order = variant.powers_of(seat), reading.order
    if isinstance(order, Hold | Disband) and not order.unit.place:
        return _orders_of_all(position, [reading.power] if reading.power else powers, reading, given)
    power = _power_of(variant, position, powers, reading)
    times = reading.times
    if not times:
        built = sum(one == power and isinstance(other, Build) for one, other in given)
        times = max(1, balances(variant, position).get(power, 0) - built)
    return [(power, check_order(variant, position, power, order)) for _ in range(times)]


def _power_of(variant: Variant, position: Position, powers: Sequence[str], reading: Reading) -> str:
    """Return which of the `powers` the order is for, or raise OrderError if the order names another power."""
    if len(powers) == 1:
        owner = powers[0]
    elif isinstance(reading.order, Waive) and not reading.power:
        owner = _who_waives(variant, position, powers)
    else:
        owner = whose_slot(position, reading.order)
    if owner not in powers:
        return reading.power or powers[0]
    if reading.power not in ("", owner):
        raise OrderError(f"This is an order for {owner}, not {reading.power}.")
    return owner


def _who_waives(variant: Variant, position: Position, powers: Sequence[str]) -> str:
    """Return the power whose build is waived. The player may omit it if only one of the powers can build."""
    due = [name for name in powers if balances(variant, position).get(name, 0) > 0]
    if len(due) > 1:
        raise OrderError("For which power?", ways=[f"WAIVE {name}" for name in due])
    return due[0] if due else powers[0]


def is_about_the_rest(reading: object) -> bool:
    """Return whether an order depends on all other orders and is handled after them: "all others hold"."""
    return isinstance(reading, Reading) and not reading.times


def _orders_of_all(
    position: Position, powers: Sequence[str], reading: Reading, given: Sequence[OwnOrder]
) -> list[OwnOrder]:
    """Return one order for each unit that a collective order is for."""
    order = reading.order
    assert isinstance(order, Hold | Disband)
    busy = {(power, other.slot) for power, other in given} if not reading.times else set()
    found: list[OwnOrder] = []
    for power in powers:
        units = position.dislodged_of(power) if isinstance(order, Disband) else position.units_of(power)
        for unit in units:
            if order.unit.kind in ("", unit.kind) and (power, unit.province) not in busy:
                found.append((power, type(order)(unit)))
    if not found:
        raise OrderError("You have no unit left for this order.")
    return found


def _own_parts(variant: Variant, seat: str, line: str) -> Iterator[tuple[str, str | OrderError]]:
    """Yield (the power named before it or "", the order) for each order of a line.

    Under the name of another player's power, up to the next name, an error replaces the orders.
    """
    mine, power = True, ""
    for part in split_orders(line, variant.heading_words - variant.names.exact.keys()):
        heading, order = _without_heading(variant, part)
        name, order = name_before(variant, order)
        try:
            if heading is not None:
                mine = False
                power = own_power(variant, seat, heading)
                mine = True
            whose = power
            if name:
                whose = own_power(variant, seat, name) or power
            if heading is not None and power and whose != power:
                raise OrderError(f"This is an order for {whose}, not {power}.")
        except OrderError as wrong:
            yield "", wrong
            continue
        # A heading without an order after it is not an order.
        if (mine or name) and (order or not variant.groups):
            yield whose, order


def _without_heading(variant: Variant, part: str) -> tuple[str | None, str]:
    """Return ("China", "A Peki H") for "China: A Peki H", ("China", "") for "China", or else (None, the order)."""
    heading, colon, order = (piece.strip() for piece in with_colon(variant, part).partition(":"))
    if not colon:
        name = heading_of(variant, part)
        return (name, "") if name else (None, part)
    heading = heading_of(variant, heading) or heading
    try:
        variant.seat(heading)
    except KeyError:
        if (unlabeled := without_label(variant, part)) != part:
            return None, unlabeled
        if fold(heading) in ORDER_WORDS:
            return None, f"{heading} {order}"  # not a heading: "Builds: A PAR"
    return heading, order


def without_label(variant: Variant, text: str) -> str:
    """Return the order in "Neutral: A SWI H", "Switzerland: A SWI H" or "A SWI: hold". Other texts stay unchanged."""
    heading, colon, order = (piece.strip() for piece in text.partition(":"))
    with suppress(OrderError):
        slot = parse_order(variant, "M", order, in_letter=True).slot
        is_label = variant.neutrals.units and fold(heading) == fold(NEUTRAL)
        if is_label or variant.names.find(fold(heading)) == [slot]:
            return order
    is_unit = bool(colon and order) and is_bare_unit(variant, "M", heading)
    return f"{heading} {order}" if is_unit else text


def slot_named(variant: Variant, unit: str) -> str:
    """Return the province that a player means by `A PAR`, `PAR` or `army Paris`, or raise OrderError."""
    try:
        return parse_order(variant, "M", f"{unit} H").slot
    except OrderError as mistake:
        # The player wrote only a unit, and this function added a hold. An error about the hold would confuse the
        # player.
        if any(mistake.message.startswith(f'"{word}" is not a province') for word in unit.split()):
            raise
        raise OrderError(f'"{unit}" is not a unit.') from None


# --- the power that an order is for -------------------------------------------------------------------------------


def own_power(variant: Variant, seat: str, heading: str) -> str:
    """Return the power meant by "France:" before an order, or "" if the text names the player's whole group.

    Raises OrderError if the name is that of another player's power or group.
    """
    try:
        whole = variant.seat(heading)
    except KeyError as unknown:
        if holds_order(variant, heading):
            raise OrderError(f'There are other words after "{heading}".', "Write the order only.") from None
        raise OrderError(unknown.args[0], "Write only the order, without a heading.") from None
    named = "" if len(whole.powers) > 1 else whole.name
    if not named and fold(heading) not in whole.words:
        # The text may be a shortened name of the group or of one of its powers.
        with suppress(KeyError):
            named = variant.power(heading).name
    if whole.name != seat:
        raise NotPlayed(f"You do not play {named or whole.name}.")
    return named


def whose_slot(position: Position, order: Order) -> str:
    """Return the power, or Neutral, that has the order's unit or center, or "" if there is none."""
    if isinstance(order, Build):
        return owners(position).get(order.slot, "")
    at = dislodged_units(position) if kind(position.phase) == "R" else occupants(position)
    power, _ = at.get(order.slot, ("", None))
    return power


def names_neutral(variant: Variant, position: Position, name: str) -> bool:
    """Return whether a name before an order means a neutral: "Neutral", or the province of a neutral."""
    if fold(name) == fold(NEUTRAL):
        return bool(variant.neutrals.units)
    places = variant.names.find(fold(name))
    return len(places) == 1 and any(unit.province == places[0] for unit in position.all_units_of(NEUTRAL))


def named_waiver(variant: Variant, powers: Sequence[str], text: str) -> tuple[str, str]:
    """Return the power that a waiver names, or "", and the text without the power: ("China", "WAIVE 2")."""
    words = _words_of_waiver(text)
    if len(words) > 1 and words[0] in BUILD:
        del words[0]
    if WAIVE.isdisjoint(words[:1]):
        return "", text
    numbers = [*filter(str.isdigit, words)]
    how_many = "".join(numbers) or "ALL" * (not ALL.isdisjoint(words))
    waiver = f"WAIVE {how_many}".strip()
    fillers = BUILD | ALL | {"FOR", "THE", *numbers}
    named = " ".join(word for word in words[1:] if word not in fillers)
    if not named:
        return "", waiver
    try:
        power = variant.power(named).name
    except KeyError as unknown:
        raise OrderError(unknown.args[0]) from None
    if power not in powers:
        raise NotPlayed(f"You do not play {power}.")
    return power, waiver
