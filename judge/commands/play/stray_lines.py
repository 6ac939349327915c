"""Find the possible meaning of each line that cannot be carried out, and write the remark on it.

A line may include an order for one of the sender's units among other words. The answer to an impossible order shows the
possible ones. Greetings and names are for people and get no remark. Other lines get a remark or a hint.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sqlmodel import Session

from judge.commands.core.answer import MOST_COMPLAINTS, STRAY
from judge.commands.core.command import Place, forms_of
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import Reader
from judge.games.core.board import board
from judge.games.orders.line_kinds import whose
from judge.letters import Letter, Line
from judge.letters.words import GREETINGS, WORDS, asked_for, without_courtesy
from judge.rules import (
    NEUTRAL,
    Move,
    Order,
    OrderError,
    Position,
    Support,
    Unit,
    Variant,
    check_order,
    format_order,
    listed,
)
from judge.rules.board.names import fold
from judge.rules.board.orders import occupants
from judge.rules.mechanisms.auction import check_neutral_order
from judge.rules.parsing.decoration import UNPLACED
from judge.rules.parsing.headings import MEANT, UNMEANT
from judge.rules.parsing.lines import read_line
from judge.rules.parsing.vocabulary import CHOICE, CONDITIONAL, CONDITIONS, KIND_WORDS
from judge.store.games import open_phase
from judge.store.tables import Game, Seat

# Limits for a line with an order among other words: its characters, and its words before the order.
_LONGEST, _MOST_BEFORE = 120, 5
_MARKS = " ~()[]{}<>\"'!?.,"


def may_order(session: Session, game: Game, seat: Seat, lines: Sequence[str]) -> bool:
    """Return whether the lines have orders that may be for the seat's units, even if the orders cannot be read."""
    phase = open_phase(session, game)
    if not (phase and seat.power):
        return False
    variant, position = board(game, phase)
    found = {whose(variant, position, seat.power, line) for line in lines}
    return not found.isdisjoint(("own", "anyone's")) or "unread" in found and "another's" not in found


def order_within(context: CommandContext, line: str) -> str:
    """Return the order for the sender's units after a line's first words, in brackets or in quotes, or "".

    For example, "A PAR H" is the order in "not A PAR H", "Fall: A PAR H" and "(A PAR H)".
    """
    here = context.seat
    seat = here.row
    if len(line) > _LONGEST or line.lstrip().startswith(("#", "//")) or not (seat.power and here.phase):
        return ""
    variant, position = board(here.game, here.phase)
    words = line.strip(_MARKS).split()
    rests = (" ".join(words[at:]) for at in range(min(len(words), _MOST_BEFORE)))
    return next((rest for rest in rests if whose(variant, position, seat.power, rest) == "own"), "")


# Words directly before the old order of a line that changes an order: "Instead of A PAR - GAS, A PAR - BUR".
_BEFORE_OLD = {"OF", "THAN", "NOT"}
# A line that changes an order has at most this number of units, and its orders at most this number of words. Without
# these limits, reading such a line takes too long.
_MOST_UNITS, _MOST_WORDS_OF_ORDER = 5, 10
# The maximum number of lines of a letter in which a new order is searched.
_MOST_SEARCHED = 20


def _new_order_in(context: CommandContext, line: str) -> str:
    """Return the new order of a line that replaces an order of a unit by another, or "" for other lines.

    For example, "A PAR - BUR" is the new order in "change A PAR - GAS to A PAR - BUR" and in "A PAR - BUR instead of
    A PAR - GAS".
    """
    words = line.strip(_MARKS).split()
    folded = [fold(word.strip(_MARKS)) for word in words]
    if len(line) > _LONGEST or not (context.seat.row.power and context.seat.phase):
        return ""
    if not (CHOICE | CONDITIONS).isdisjoint(folded):
        return ""
    units, read = sum(word in KIND_WORDS for word in folded), context.letter.orders
    if not 1 < units <= _MOST_UNITS or read.searched >= _MOST_SEARCHED:
        return ""
    read.searched += 1
    found = [*islice(_whole_orders(context, words), 3)]
    if len(found) != 2 or found[0].slot != found[1].slot:
        return ""
    first, second = found
    if folded[second.begin - 1] in _BEFORE_OLD:
        return first.text
    # Some word or sign between the orders says that one replaces the other.
    is_told = first.end < second.begin or not words[first.end - 1][-1].isalnum()
    return second.text if is_told else ""


def why_changed(context: CommandContext, line: str) -> str:
    """Return what to write instead of a line that replaces an order by another, or "" for other lines.

    The first sentence of the reply says so too.
    """
    given = context.letter.orders
    if given.mistakes >= MOST_COMPLAINTS or not (new := _new_order_in(context, line)):
        return ""
    given.mistakes += 1
    context.answer.unchanged[line] = new
    return f"not recorded. Write only the new order: {new}."


class _OrderInLine(NamedTuple):
    """An order among the words of a line, from the word `begin` to the word before `end`."""

    begin: int
    end: int
    slot: str
    text: str


def _whole_orders(context: CommandContext, words: Sequence[str]) -> Iterator[_OrderInLine]:
    """Yield the orders for the sender's units among the words of a line, each as long as possible."""
    here, end = context.seat, 0
    variant, position = board(here.game, here.open_phase)
    for begin, word in enumerate(words):
        if begin < end or fold(word) not in KIND_WORDS:
            continue
        # An order ends at a colon: "Instead of A PAR - PIC: A PAR - BUR".
        most = next((at for at, one in enumerate(words[begin:], begin + 1) if one.endswith(":")), len(words))
        for last in range(min(most, begin + _MOST_WORDS_OF_ORDER), begin + 1, -1):
            text = " ".join(words[begin:last]).rstrip(f"{_MARKS},;:")
            read = read_line(variant, position, here.power, text)
            if len(read) == 1 and not isinstance(read[0], OrderError):
                end = last
                yield _OrderInLine(begin, end, read[0][1].slot, text)
                break


# The maximum numbers of orders in a suggestion, and of destinations in the suggestion for one unit.
_MOST, _MOST_PLACES = 3, 8


def suggested(variant: Variant, position: Position, power: str, order: Order, bid: str = "") -> str:
    """Return a suggestion for an illegal order, such as "Legal: A VIE - BOH or GAL.", or "" if there is none.

    `power` is Neutral for a bid, and `bid` the text before its order.
    """
    if position.kind != "M" or not isinstance(order, Move | Support):
        return ""
    owner, unit = occupants(position).get(order.slot, ("", None))
    if unit is None or owner != power:
        return ""
    if isinstance(order, Move):
        moves = _legal(variant, position, power, (Move(unit, place) for place in _beside(variant, unit)))
        places = list(dict.fromkeys(move.to for move in moves if isinstance(move, Move)))
        return f"Legal: {bid}{unit} - {listed(places[:_MOST_PLACES], 'or')}." if places else ""
    legal = _legal(variant, position, power, _supports(variant, position, unit, order))
    found = list(dict.fromkeys(f"{bid}{format_order(one)}" for one in legal))[:_MOST]
    return f"Did you mean {listed(found, 'or')}?" if found else ""


def _supports(variant: Variant, position: Position, unit: Unit, order: Support) -> Iterator[Order]:
    """Yield other supports that the unit could give, of the same unit or of another unit to the same place."""
    at = occupants(position)
    mine = at[unit.province][0]
    owner, helped = at.get(order.helped.province, ("", None))
    if helped:
        yield Support(unit, helped)
        if owner != NEUTRAL or variant.neutrals.may_move:
            yield from (Support(unit, helped, place) for place in _beside(variant, unit))
        return
    moving = (entry for entry in at.values() if entry[0] != NEUTRAL or variant.neutrals.may_move)
    others = sorted(moving, key=lambda entry: entry[0] != mine)
    yield from (Support(unit, other, order.target) for _, other in others if other != unit)


def _beside(variant: Variant, unit: Unit) -> list[str]:
    """Return the places to which the unit can move directly, without a convoy."""
    spot = variant.board.spots.get(unit.text)
    return sorted(spot.places) if spot else []


def checked(variant: Variant, position: Position, power: str, order: Order) -> Order:
    """Return the order, completed. Raises OrderError if it is impossible for the power, or for a neutral."""
    if power == NEUTRAL:
        return check_neutral_order(variant, position, order)
    return check_order(variant, position, power, order)


def _legal(variant: Variant, position: Position, power: str, orders: Iterable[Order]) -> Iterator[Order]:
    for order in orders:
        try:
            yield checked(variant, position, power, order)
        except OrderError:
            continue


_WORD = re.compile(r"[^\W\d_]+")
# The words that begin a greeting or thanks, and the words that may follow.
_OPENINGS = GREETINGS.union(WORDS["closings"])
_OTHERS = _OPENINGS.union(WORDS["with_greetings"], WORDS["in_courtesies"])
_MOST_WORDS = 6
_NO_COMMAND = "That is not a command. HELP master lists the master's commands, HELP commands the players'."
_BIDS = re.compile(r"(?<!\w)(?:BIDS?|POINTS|DPS?)(?!\w)", re.IGNORECASE)
_NO_BIDS = "That is not a command. STATUS shows all bids on file. HISTORY BIDS shows the bids of earlier phases."
_NOT_ALONE = "This line may have an order in it, but has other words too, so it was not recorded. Write the order only"


def is_courtesy(line: str, names: Iterable[str]) -> bool:
    """Return whether a line that is neither an order nor a command is a greeting, thanks, or one of `names`.

    `names` has the name of the sender and the name of their power.
    """
    written = _WORD.findall(line)
    if len(line) > 80 or not 0 < len(written) <= _MOST_WORDS or any(map(str.isdigit, line)):
        return False
    said = [*map(str.casefold, written)]
    rest = without_courtesy(said, _WORD.findall(" ".join(names).casefold()))
    if not rest:
        return True
    if said[0] not in _OPENINGS:
        return False
    others = [word for word in rest if word not in _OTHERS]
    # In "Dear Kim,", an unknown name is one capitalized word that is not a command.
    return not others or len(others) == 1 and others[0].title() in written


def note_stray(context: CommandContext, line: str, why: str = "") -> None:
    """Add a remark that a line was not read, with the reason `why` if it is known. Lines for people get no remark."""
    here, letter = context.seat, context.letter
    names = (here.row.power or "", letter.person.name if letter.person else "")
    if is_courtesy(line, names):
        return
    why = why or _why_unread(context, line)
    if why:
        context.remark(why, "error", line, understood=False)
    else:
        context.remark(STRAY, "stray", line)


def _without_game(context: CommandContext, line: str) -> str:
    """Return the line without the name of the game signed on to, if that is a command, else ""."""
    words = line.split()
    rest = " ".join(word for word in words if word.lower() != context.seat.game.name)
    call = context.letter.reader.command(rest, (Place.GAME, Place.ANYWHERE)) if len(rest.split()) < len(words) else None
    return rest if call and call.is_command else ""


def below_phase(context: CommandContext, line: str) -> str:
    """Return what to write instead of an order after the name of a later phase, or "" for other lines."""
    here = context.seat
    phase = here.heading(line.partition(":")[0])
    if phase in ("", here.open_phase.name, UNPLACED, UNMEANT, MEANT):
        return ""
    return f"Not recorded: write PHASE {phase} on a line of its own, and the order below it."


def _why_unread(context: CommandContext, line: str) -> str:
    """Return why a line was not read, if it is nearly a command or includes an order, else ""."""
    if changed := why_changed(context, line):
        return changed
    given = context.letter.orders
    # A command's name in capitals is meant as the command, however many words follow.
    asked = asked_for(line)
    begun = context.letter.reader.begun_by(asked.upper() or line)
    if begun and begun[0].place is Place.LOBBY:
        return f"{begun[0].word} must come before all SIGNON lines, or in a separate email."
    if given.mistakes < MOST_COMPLAINTS and (order := order_within(context, line)):
        given.mistakes += 1
        return below_phase(context, line) or _not_alone(context, line, order)
    is_commanded = not context.seat.row.power
    is_meant = asked or is_commanded or line.split()[0].isupper()
    if begun and is_meant and not begun[0].is_order:
        return f"Not done. Write {_without_game(context, line) or forms_of(begun)}."
    return _no_command(line) if is_commanded else ""


def _not_alone(context: CommandContext, line: str, order: str) -> str:
    """Return why the `order` on a line was not recorded, and the order to write unless it may not be meant."""
    here = context.seat
    if CONDITIONAL.isdisjoint(fold(word.strip(f"{_MARKS},:;")) for word in line.split()):
        read = read_line(*board(here.game, here.open_phase), here.power, order)
        orders = [format_order(one[1]) for one in read if not isinstance(one, OrderError)]
        if orders and len(orders) == len(read):
            return f"{_NOT_ALONE}: {'; '.join(orders)}."
    return f"{_NOT_ALONE}."


def _no_command(line: str) -> str:
    """Return why a short line of a master or an observer, who write no orders, is not a command."""
    if len(line.split()) > _MOST_WORDS:
        return ""
    return _NO_BIDS if _BIDS.search(line) else _NO_COMMAND


_SIGNON = re.compile(r"(?<!\w)SIGNON\s", re.IGNORECASE | re.ASCII)
_WHERE = {
    "quote": "is in a quote (after > or below a heading like “… wrote:”)",
    "rest": "is between the lines of a quote",
    "history": "is below the heading of an older email",
    "signature": "is below the line that starts your signature",
    "struck": "is struck out",
}


def obstacles(letter: Letter, reader: Reader) -> Iterator[str]:
    """Yield the reasons why a sign-on in the text of the letter was not recognized."""
    yield from filter(None, dict.fromkeys(_obstacle(line, reader) for line in letter.lines))


def _obstacle(line: Line, reader: Reader) -> str:
    """Return the reason why a sign-on on the line was not recognized, or "" if the line has no sign-on."""
    text = line.text
    if line.kind == "text":
        found = _SIGNON.search(text)
        is_within = found is not None and reader.signs_on(text[found.start() :])
        return "a SIGNON is in the middle of a line: put it on a line of its own" if is_within else ""
    # The judge's forms, which a reply quotes, have "<your password>" in place of a password.
    if "<" in text or "SIGNON" not in text.upper() or not reader.signs_on(text.lstrip("> ")):
        return ""
    return f"a SIGNON line {_WHERE[line.kind]}, where nothing is read: write it above, on a line of its own"
